#include "driver/options.h"

#include "base/error.h"
#include "driver/command_line.h"
#include "driver/reference_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace nestor::driver {
namespace {

TEST(OptionTable, IsConsistent) {
  std::set<std::string> commands;
  for (const CommandRow& command : command_table()) {
    EXPECT_TRUE(commands.emplace(command.name).second) << command.name;
    EXPECT_NE(command.run, nullptr) << command.name;
  }
  std::set<std::string> names;
  for (const OptionRow& row : option_table()) {
    const std::string shown = std::string(row.command) + " " + std::string(row.name);
    EXPECT_TRUE(commands.count(std::string(row.command)) == 1) << shown;
    for (const std::string_view spelling : spellings(row)) {
      EXPECT_TRUE(names.insert(std::string(row.command) + " " + std::string(spelling)).second)
          << shown;
    }
    EXPECT_FALSE(row.help.empty()) << shown;
    EXPECT_NE(row.help.back(), '.') << shown;
    EXPECT_EQ(row.kind == ValueKind::Choice, !row.choices.empty()) << shown;
    EXPECT_EQ(row.value.empty(), row.is_flag() || row.is_operand()) << shown;
    if (row.kind == ValueKind::Choice && !row.required && !default_text(row).empty()) {
      EXPECT_NE(std::find(row.choices.begin(), row.choices.end(), default_text(row)),
                row.choices.end())
          << shown;
    }
  }
}

TEST(OptionTable, EveryOptionIsInThePageAndInTheCompletion) {
  const std::string page = cli_page();
  const std::string completion = bash_completion();
  for (const OptionRow& row : option_table()) {
    if (row.command == "docs" || row.is_operand()) {
      continue;
    }
    for (const std::string_view spelling : spellings(row)) {
      EXPECT_NE(page.find("`" + std::string(spelling)), std::string::npos) << spelling;
      EXPECT_NE(completion.find(spelling), std::string::npos) << spelling;
    }
  }
}

Options parsed(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_command_line(arguments);
  EXPECT_NE(line.command, nullptr);
  return line.options;
}

TEST(CommandLine, FillsTheFields) {
  const Options options =
      parsed({"check", "m.rsm", "a.ctl", "-", "-f", "p", "--formula=q", "--engine", "lazy",
              "--json", "--stats", "--timeout=1.5", "--memory", "64", "--jobs=3",
              "--seed=18446744073709551615", "--dead-ends=loop", "--from=rsm"});
  EXPECT_EQ(options.model, "m.rsm");
  EXPECT_EQ(options.formula_files, (std::vector<std::string>{"a.ctl", "-"}));
  EXPECT_EQ(options.formulas, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(options.engine, "lazy");
  EXPECT_TRUE(options.json);
  EXPECT_TRUE(options.stats);
  EXPECT_EQ(options.timeout, 1.5);
  EXPECT_EQ(options.memory, 64U);
  EXPECT_EQ(options.jobs, 3U);
  EXPECT_EQ(options.seed, 18446744073709551615U);
  EXPECT_EQ(options.dead_ends, "loop");
  EXPECT_EQ(options.from, "rsm");
}

TEST(CommandLine, DefaultsHoldWhereNothingIsSaid) {
  const Options options = parsed({"check", "m.rsm"});
  EXPECT_TRUE(options.formula_files.empty());
  EXPECT_FALSE(options.timeout.has_value());
  EXPECT_FALSE(options.memory.has_value());
  EXPECT_EQ(options.dead_ends, "");
  EXPECT_FALSE(options.json);
}

TEST(CommandLine, OneFormulaEachTime) {
  // What follows the formula is an operand again.
  const Options options = parsed({"check", "-f", "p", "m.rsm", "a.ctl"});
  EXPECT_EQ(options.model, "m.rsm");
  EXPECT_EQ(options.formulas, std::vector<std::string>{"p"});
  EXPECT_EQ(options.formula_files, std::vector<std::string>{"a.ctl"});
}

TEST(CommandLine, FormulasMayLookLikeAnything) {
  for (const std::string formula : {"!p", "[p]", "a,b", "\"p q\"", "p --> q", "--p"}) {
    EXPECT_EQ(parsed({"check", "m", "-f", formula}).formulas, std::vector<std::string>{formula});
  }
}

TEST(CommandLine, FilesMayBeCalledLikeCommands) {
  EXPECT_EQ(parsed({"check", "info", "check"}).model, "info");
}

TEST(CommandLine, HelpAndVersionAreTexts) {
  EXPECT_EQ(parse_command_line(std::vector<std::string>{"--version"}).command, nullptr);
  const std::string all = parse_command_line(std::vector<std::string>{"check", "--help"}).text;
  const std::string most = parse_command_line(std::vector<std::string>{"check", "-h"}).text;
  for (const OptionRow& row : option_table()) {
    if (row.command == "check") {
      const std::string name(spellings(row).back());
      EXPECT_NE(all.find(name), std::string::npos) << name;
      EXPECT_EQ(most.find(name) == std::string::npos, row.expert) << name;
    }
  }
}

TEST(CommandLine, RefusesWhatDoesNotExist) {
  const std::vector<std::vector<std::string>> bad = {
      {},
      {"nothing"},
      {"check"},
      {"check", "m", "--unknown"},
      {"check", "m", "--jobs=1.5"},
      {"check", "m", "--jobs=99999999999999999999"},
      {"check", "m", "--timeout=inf"},
      {"check", "m", "--timeout=-1"},
      {"check", "m", "--json=maybe"},
      {"info", "m", "n"},
      {"info", "m", "--seed=1"},
  };
  for (const std::vector<std::string>& arguments : bad) {
    try {
      parse_command_line(arguments);
      ADD_FAILURE() << "accepted: " << testing::PrintToString(arguments);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::Error::Kind::Usage);
      EXPECT_FALSE(error.message().empty());
    }
  }
}

}  // namespace
}  // namespace nestor::driver
