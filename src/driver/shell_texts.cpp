// Completion for zsh and fish, and the manual page, from the tables of driver/options.h.

#include "driver/options.h"
#include "driver/reference_texts.h"

#include <fmt/format.h>

#include <iterator>
#include <nestor/model.h>
#include <nestor/version.h>

namespace nestor::driver {

namespace {

/// Inside single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

/// In descriptions of zsh's _arguments, brackets and colons mean something.
std::string zsh_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
  }
  return shell_quoted(out);
}

/// The values of an option as words; empty if any text will do.
std::string words_of(const OptionRow& row) {
  std::string words;
  for (const std::string_view choice : row.choices) {
    fmt::format_to(std::back_inserter(words), "{}{}", words.empty() ? "" : " ", choice);
  }
  if (row.kind == ValueKind::Format) {
    for (const Format& format : formats()) {
      if (row.name == "--from" || format.is_written) {
        fmt::format_to(std::back_inserter(words), "{}{}", words.empty() ? "" : " ", format.id);
      }
    }
  }
  return words;
}

std::string zsh_values(const OptionRow& row) {
  switch (row.kind) {
    case ValueKind::Free:
      return " ";
    case ValueKind::File:
      return "_files";
    case ValueKind::Engine:
      return "($(nestor engines 2>/dev/null | cut -d\" \" -f1))";
    case ValueKind::Choice:
    case ValueKind::Format:
      break;
  }
  return "(" + words_of(row) + ")";
}

std::string zsh_argument(const OptionRow& row) {
  if (row.is_operand()) {
    return fmt::format("'{}:{}:{}'", row.is_list() ? "*" : (row.required ? "" : ":"), row.name,
                       zsh_values(row));
  }
  std::string out;
  for (const std::string_view spelling : spellings(row)) {
    const bool is_long = spelling.substr(0, 2) == "--";
    const char* equals = row.is_flag() ? "" : !row.bare.empty() ? "=-" : is_long ? "=" : "";
    const std::string value =
        row.is_flag()
            ? std::string()
            : fmt::format("{}{}:{}", row.bare.empty() ? ":" : "::", row.value, zsh_values(row));
    fmt::format_to(std::back_inserter(out), "{}'{}{}{}[{}]{}'", out.empty() ? "" : " ",
                   row.is_list() ? "*" : "", spelling, equals, zsh_escaped(row.help), value);
  }
  return out;
}

std::string fish_values(const OptionRow& row) {
  switch (row.kind) {
    case ValueKind::Free:
      return " -x";
    case ValueKind::File:
      return " -r -F";
    case ValueKind::Engine:
      return " -x -a '(nestor engines 2>/dev/null | string split -f1 \" \")'";
    case ValueKind::Choice:
    case ValueKind::Format:
      break;
  }
  return fmt::format(" -x -a '{}'", words_of(row));
}

/// Of troff: no line begins with a dot or a quote, and a minus is one.
std::string man_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-' || c == '\\') {
      out += '\\';
    }
    if (out.empty() && (c == '.' || c == '\'')) {
      out += "\\&";
    }
    out += c == '\\' ? 'e' : c;
  }
  return out;
}

void append_man_option(std::string& out, const OptionRow& row) {
  std::string names;
  for (const std::string_view spelling : spellings(row)) {
    const bool is_long = spelling.substr(0, 2) == "--";
    fmt::format_to(std::back_inserter(names), "{}\\fB{}\\fR", names.empty() ? "" : ", ",
                   man_escaped(spelling));
    if (!row.value.empty()) {
      fmt::format_to(std::back_inserter(names), "{}\\fI{}\\fR{}",
                     !row.bare.empty() ? "[=" : (is_long ? "=" : " "), man_escaped(row.value),
                     row.bare.empty() ? "" : "]");
    }
  }
  fmt::format_to(std::back_inserter(out), ".TP\n{}\n{}", names, man_escaped(row.help));
  if (const std::string value = default_text(row); !value.empty()) {
    fmt::format_to(std::back_inserter(out), " (default: {})", man_escaped(value));
  }
  if (row.kind == ValueKind::Format) {
    fmt::format_to(std::back_inserter(out), ": {}", man_escaped(words_of(row)));
  }
  out += ".\n";
}

}  // namespace

std::string zsh_completion() {
  std::string commands;
  std::string cases;
  for (const CommandRow& command : command_table()) {
    if (command.hidden) {
      continue;
    }
    fmt::format_to(std::back_inserter(commands), "    '{}:{}'\n", command.name,
                   zsh_escaped(command.summary));
    fmt::format_to(std::back_inserter(cases), "    {})\n      _arguments", command.name);
    for (const OptionRow& row : option_table()) {
      if (row.command == command.name) {
        fmt::format_to(std::back_inserter(cases), " \\\n        {}", zsh_argument(row));
      }
    }
    cases += command.passes_on ? " \\\n        '*::argument:_files'" : "";
    cases += " \\\n        '(- *)'{-h,--help}'[Help]'\n      ;;\n";
  }
  return fmt::format(
      "#compdef nestor\n# Completion of nestor's command line for zsh.\n"
      "# Generated by 'nestor completion zsh'; 'make docs' writes it anew.\n\n"
      "_nestor() {{\n  local -a commands\n  commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  words=(\"nestor $command\" \"${{(@)words[3,-1]}}\")\n"
      "  ((CURRENT--))\n  case $command in\n{}  esac\n}}\n\n_nestor \"$@\"\n",
      commands, cases);
}

std::string fish_completion() {
  std::string out =
      "# Completion of nestor's command line for fish.\n"
      "# Generated by 'nestor completion fish'; 'make docs' writes it anew.\n\n"
      "complete -c nestor -n __fish_use_subcommand -l version -d 'The version of nestor'\n"
      "complete -c nestor -s h -l help -d 'Help'\n";
  for (const CommandRow& command : command_table()) {
    if (command.hidden) {
      continue;
    }
    fmt::format_to(std::back_inserter(out),
                   "complete -c nestor -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                   shell_quoted(command.summary));
    for (const OptionRow& row : option_table()) {
      if (row.command != command.name) {
        continue;
      }
      fmt::format_to(std::back_inserter(out),
                     "complete -c nestor -n '__fish_seen_subcommand_from {}'", command.name);
      if (row.is_operand()) {
        out += fish_values(row) + "\n";
        continue;
      }
      for (const std::string_view spelling : spellings(row)) {
        fmt::format_to(std::back_inserter(out), "{}",
                       spelling.substr(0, 2) == "--" ? fmt::format(" -l {}", spelling.substr(2))
                                                     : fmt::format(" -s {}", spelling.substr(1)));
      }
      fmt::format_to(std::back_inserter(out), "{} -d '{}'\n",
                     row.is_flag() || !row.bare.empty() ? "" : fish_values(row),
                     shell_quoted(row.help));
    }
  }
  return out;
}

std::string manual_page() {
  std::string out = fmt::format(
      ".\\\" Generated by 'nestor docs man' from the option tables; 'make docs' writes it anew.\n"
      ".TH NESTOR 1 \"\" \"nestor {}\" \"User Commands\"\n.SH NAME\n"
      "nestor \\- check branching\\-time properties of programs with recursive procedures\n"
      ".SH SYNOPSIS\n.B nestor\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIOPERAND\\fR...]\n"
      ".SH DESCRIPTION\n"
      "Nestor decides formulas of CTL about recursive state machines, pushdown systems, SMV "
      "models,\nPetri nets and C and C++ programs. Verdicts are exact, and each can be shown by a "
      "witness or\nproved by a certificate. A file called \\- is standard input or output.\n",
      version());
  for (const CommandRow& command : command_table()) {
    if (command.hidden) {
      continue;
    }
    fmt::format_to(
        std::back_inserter(out), ".SH NESTOR {}\n{}.\n",
        [&] {
          std::string name(command.name);
          for (char& c : name) {
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
          }
          return name;
        }(),
        man_escaped(command.summary));
    for (const OptionRow& row : option_table()) {
      if (row.command == command.name) {
        append_man_option(out, row);
      }
    }
  }
  out +=
      ".SH EXIT STATUS\n.TP\n0\nAll formulas hold; another command did its work.\n"
      ".TP\n1\nSome formula fails, a rule warns, evidence is refused.\n"
      ".TP\n2\nBad usage or bad input.\n.TP\n3\nNothing fails, but some verdict is unknown.\n"
      ".TP\n4\nAn internal error.\n";
  return out;
}

}  // namespace nestor::driver
