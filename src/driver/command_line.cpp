#include "driver/command_line.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nestor/error.h>
#include <nestor/version.h>
#include <system_error>
#include <type_traits>

namespace nestor::driver {

namespace {

constexpr std::size_t kHelpColumn = 26;

/// True if all of `text` is a number that `T` can hold. Stricter than CLI11, which takes the
/// largest number for one that is too large.
template <class T>
bool parse_number(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

std::string positive_number(const std::string& text) {
  double value = 0;
  if (parse_number(text, value) && value > 0 && std::isfinite(value)) {
    return {};
  }
  return fmt::format("'{}' is not a positive number", text);
}

std::string share(const std::string& text) {
  double value = 0;
  return parse_number(text, value) && value >= 0 && value <= 1
             ? std::string()
             : fmt::format("'{}' is not a number from 0 to 1", text);
}

std::string whole_number(const std::string& text) {
  std::uint64_t value = 0;
  return parse_number(text, value) ? std::string()
                                   : fmt::format("'{}' is not a whole number", text);
}

/// Why `text` is no value of the option; empty if it is one. Engines and formats are looked up by
/// their registries later.
std::string check_value(const OptionRow& row, const std::string& text) {
  if (row.kind == ValueKind::Choice &&
      std::find(row.choices.begin(), row.choices.end(), text) == row.choices.end()) {
    return fmt::format("'{}' is not one of {}", text, fmt::join(row.choices, ", "));
  }
  if (std::holds_alternative<std::optional<double> Options::*>(row.field)) {
    return positive_number(text);
  }
  if (std::holds_alternative<double Options::*>(row.field)) {
    return share(text);
  }
  if (std::holds_alternative<std::uint64_t Options::*>(row.field) ||
      std::holds_alternative<std::optional<std::uint64_t> Options::*>(row.field)) {
    return whole_number(text);
  }
  return {};
}

std::string described(const OptionRow& row) {
  const std::string value = default_text(row);
  return value.empty() ? std::string(row.help) : fmt::format("{} [{}]", row.help, value);
}

CLI::Option* add_option(CLI::App& app, const OptionRow& row, Options& options) {
  CLI::Option* option = std::visit(
      [&](auto field) -> CLI::Option* {
        using Field = std::remove_reference_t<decltype(options.*field)>;
        if constexpr (std::is_same_v<Field, bool>) {
          return app.add_flag(std::string(row.name), options.*field, described(row));
        } else {
          return app.add_option(std::string(row.name), options.*field, described(row));
        }
      },
      row.field);
  if (row.is_flag()) {
    return option->disable_flag_override();
  }
  option->option_text(row.is_operand()   ? (row.is_list() ? "..." : " ")
                      : row.bare.empty() ? std::string(row.value)
                                         : fmt::format("[={}]", row.value));
  option->required(row.required);
  if (row.is_list() && !row.is_operand()) {
    option->allow_extra_args(false);  // one value each time the option is given
  }
  option->check(CLI::Validator([&row](std::string& text) { return check_value(row, text); }, ""));
  return option;
}

/// `--witness` may be given without a value, so a value must follow a `=`: else the next operand
/// would be taken for it.
std::vector<std::string> with_bare_values(std::span<const std::string> arguments) {
  std::vector<std::string> result(arguments.begin(), arguments.end());
  for (std::string& argument : result) {
    if (argument == "--") {
      break;
    }
    for (const OptionRow& row : option_table()) {
      if (!row.bare.empty() && row.command == arguments.front() && row.name == argument) {
        argument = fmt::format("{}={}", row.name, row.bare);
      }
    }
  }
  return result;
}

/// The parser for the whole command line, with the options of the command that is given only: those
/// of all commands take a third of the time of a start. And the options that -h leaves out.
struct Parser {
  CLI::App app{"Checks branching-time properties (CTL) of programs with recursive procedures.",
               "nestor"};
  std::vector<CLI::Option*> expert;

  Parser(std::span<const std::string> arguments, Options& options) {
    app.set_help_flag("-h", "The options that matter most");
    app.set_help_all_flag("--help", "All options");
    app.set_version_flag("--version", fmt::format("nestor {}", version()), "The version of nestor");
    app.require_subcommand(1);
    app.get_formatter()->column_width(kHelpColumn);
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("Positionals", "Operands");
    for (const CommandRow& command : command_table()) {
      CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
      sub->group(command.hidden ? "" : "Commands");
      if (std::find(arguments.begin(), arguments.end(), command.name) == arguments.end()) {
        continue;
      }
      for (const OptionRow& row : option_table()) {
        if (row.command != command.name) {
          continue;
        }
        CLI::Option* option = add_option(*sub, row, options);
        if (row.expert) {
          expert.push_back(option);
        }
      }
    }
  }
};

/// CLI11's wording in the form of our other messages: lower case, no full stop.
std::string message_of(const CLI::ParseError& error, std::span<const std::string> arguments) {
  if (arguments.empty()) {
    return "no command given";
  }
  std::string message = error.what();
  message = message.substr(0, message.find('\n'));
  if (message == "A subcommand is required") {
    return fmt::format("unknown command '{}'", arguments.front());
  }
  // Not the names of operands, which are all capitals.
  if (message.size() > 1 && std::isupper(message[0]) != 0 && std::islower(message[1]) != 0) {
    message[0] = static_cast<char>(std::tolower(message[0]));
  }
  return message;
}

/// The command whose arguments are not ours to parse, if the first argument is one. A single -h or
/// --help is for us all the same.
const CommandRow* find_passing_on(std::span<const std::string> arguments) {
  if (arguments.empty() ||
      (arguments.size() == 2 && (arguments[1] == "-h" || arguments[1] == "--help"))) {
    return nullptr;
  }
  const std::span<const CommandRow> commands = command_table();
  const auto found = std::find_if(commands.begin(), commands.end(), [&](const CommandRow& row) {
    return row.passes_on && row.name == arguments.front();
  });
  return found == commands.end() ? nullptr : &*found;
}

}  // namespace

CommandLine parse_command_line(std::span<const std::string> arguments) {
  CommandLine line;
  if (const CommandRow* command = find_passing_on(arguments); command != nullptr) {
    line.command = command;
    line.options.arguments.assign(arguments.begin() + 1, arguments.end());
    return line;
  }
  Parser parser(arguments, line.options);
  try {
    // CLI11 takes the arguments from the back.
    std::vector<std::string> all = with_bare_values(arguments);
    std::reverse(all.begin(), all.end());
    parser.app.parse(std::move(all));
  } catch (const CLI::CallForHelp&) {
    for (CLI::Option* option : parser.expert) {
      option->group("");
    }
    line.text = parser.app.help();
    return line;
  } catch (const CLI::CallForAllHelp&) {
    line.text = parser.app.help();
    return line;
  } catch (const CLI::CallForVersion& version) {
    line.text = std::string(version.what()) + '\n';
    return line;
  } catch (const CLI::ParseError& error) {
    throw Error(Error::Kind::Usage, message_of(error, arguments));
  }
  const std::string name = parser.app.get_subcommands().front()->get_name();
  const std::span<const CommandRow> commands = command_table();
  line.command = &*std::find_if(commands.begin(), commands.end(),
                                [&](const CommandRow& command) { return command.name == name; });
  return line;
}

}  // namespace nestor::driver
