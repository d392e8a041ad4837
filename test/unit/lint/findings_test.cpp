#include "lint/findings.h"

#include "lint/part.h"
#include "lint/work_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace nestor::lint {
namespace {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = builtin_rules();
  return all;
}

std::vector<const Rule*> two_rules() {
  return {&rules()[0], &rules()[1]};
}

Warning warning_at(const Rule* rule, std::uint32_t line, std::size_t unit) {
  Warning warning;
  warning.rule = rule;
  warning.file = "a.c";
  warning.line = line;
  warning.function = "f";
  warning.unit = unit;
  return warning;
}

TEST(Findings, ComeInTheOrderOfOneRunWhicheverPartIsFirst) {
  const std::vector<const Rule*> two = two_rules();
  Findings one;
  Findings other;
  one.left_out.resize(2);
  other.left_out.resize(2);
  // Alike in all that they are sorted by: which of them stays is told by their units.
  one.warnings.push_back(warning_at(two[0], 3, 7));
  one.warnings.back().message = "m";
  other.warnings.push_back(warning_at(two[0], 3, 2));
  other.warnings.back().message = "m";
  other.warnings.back().fault = "the first";
  one.unknown.push_back({1, 0, "b: late"});
  other.unknown.push_back({0, 5, "a: early"});
  other.unknown.push_back({1, 3, "b: late"});
  one.left_out[1].too_large = 2;
  other.left_out[1].too_large = 3;
  for (const bool is_first : {true, false}) {
    Findings all;
    add(all, is_first ? one : other);
    add(all, is_first ? other : one);
    const LintResult result = conclusion(std::move(all), two);
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings[0].fault, "the first");
    EXPECT_EQ(result.unknown, (std::vector<std::string>{"a: early", "b: late"}));
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_NE(result.notes[0].find(": 5 values"), std::string::npos);
  }
}

TEST(Part, IsReadAsItIsWrittenWhateverItsBytes) {
  const std::vector<const Rule*> two = two_rules();
  Part part;
  part.programs = {"a.bc"};
  part.source_root = "/r\xff";
  part.rules = {two[0]->id, two[1]->id};
  part.known = {"0123456789abcdef"};
  part.findings.left_out.resize(2);
  part.findings.left_out[0].paths = 4;
  part.findings.warnings.push_back(warning_at(two[1], 9, 3));
  Warning& warning = part.findings.warnings.back();
  warning.source_line = "caf\xe9 \"x\"\t\x01";
  warning.variable = program::VariableId(5);
  warning.is_suppressed = true;
  warning.path.push_back({PathStep::Kind::Branch, "b.c", 1, 2, "\xc3\xa9", 3, true, true});
  const std::string text = write_part(part, two);
  const PartReader reader(base::Input::from_text("part", text));
  Part read = reader.part();
  read.findings = reader.findings(two);
  EXPECT_EQ(write_part(read, two), text);
  EXPECT_EQ(read.findings.warnings[0].source_line, warning.source_line);
  EXPECT_EQ(read.source_root, part.source_root);
  EXPECT_EQ(read.findings.warnings[0].path[0].message, "\xc3\xa9");
}

TEST(WorkShare, GivesEachUnitToOneRun) {
  std::vector<WorkShare::Unit> units;
  for (int i = 0; i < 100; ++i) {
    units.push_back({"unit " + std::to_string(i), static_cast<double>(i % 7)});
  }
  constexpr std::size_t kRuns = 4;
  std::vector<int> taken(units.size());
  std::vector<double> loads(kRuns);
  for (std::size_t run = 0; run < kRuns; ++run) {
    WorkShare share(run, kRuns, {});
    for (const char* rule : {"one", "two"}) {
      const std::vector<bool> mine = share.taken(rule, units);
      for (std::size_t i = 0; i < units.size(); ++i) {
        taken[i] += mine[i] ? 1 : 0;
        loads[run] += mine[i] ? units[i].estimate : 0;
      }
    }
  }
  EXPECT_EQ(taken, std::vector<int>(units.size(), 2));  // once for each rule
  EXPECT_LE(*std::max_element(loads.begin(), loads.end()),
            *std::min_element(loads.begin(), loads.end()) + 6);
}

TEST(WorkShare, GoesByWhatWasMeasured) {
  const std::vector<WorkShare::Unit> units = {{"a", 1}, {"b", 1}, {"c", 1}};
  WorkShare share(0, 2, {{{"r", "b"}, 10}, {{"r", "a"}, 1}, {{"r", "c"}, 1}});
  EXPECT_EQ(share.taken("r", units), (std::vector<bool>{false, true, false}));
}

}  // namespace
}  // namespace nestor::lint
