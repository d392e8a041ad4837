#include "lint/linter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace nestor::lint {
namespace {

program::FunctionId add_function(program::Program& program, const std::string& name) {
  program::Function function;
  function.name = program.strings.intern(name);
  function.source_name = function.name;
  function.add_ends();
  return program.functions.push_back(function);
}

/// A point with one way on.
std::uint32_t add_point(program::Program& program, program::FunctionId f, const std::string& call,
                        std::uint32_t next) {
  program::Point point;
  point.callee = call.empty() ? base::StringId() : program.strings.intern(call);
  point.next = {next};
  program.functions[f].points.push_back(point);
  return static_cast<std::uint32_t>(program.functions[f].points.size() - 1);
}

LintResult run(program::Program& program, const std::string& rule_text) {
  program::infer_outcomes(program);
  program::infer_divergence(program);
  const std::vector<Rule> rules = read_rules(base::Input::from_text("test.toml", rule_text));
  const program::Externals externals;
  base::Statistics statistics;
  LintResult result = lint({program, externals, {&rules.front()}, {}}, statistics);
  for (Warning& warning : result.warnings) {
    warning.rule = nullptr;  // it ends with this function
  }
  return result;
}

std::string rule(const std::string& formula) {
  return "[[rule]]\nid = \"r\"\ntitle = \"t\"\nmessage = \"m\"\nscope = \"program\"\n"
         "events.open = { call = \"open\" }\nevents.close = { call = \"close\" }\nsite = \"open\"\n"
         "formula = \"" +
         formula + "\"\n";
}

/// main: open; work(); close. `work` has no event of the rule, but may loop.
program::Program program_with_work(bool loops) {
  program::Program program;
  const program::FunctionId main = add_function(program, "main");
  const program::FunctionId work = add_function(program, "work");
  const std::uint32_t close = add_point(program, main, "close", program::Function::kReturn);
  const std::uint32_t call = add_point(program, main, "work", close);
  program.functions[main].points[call].kind = program::PointKind::Call;
  program.functions[main].points[call].targets = {work};
  const std::uint32_t open = add_point(program, main, "open", call);
  program.functions[main].points[program::Function::kEntry].next = {open};
  const std::uint32_t step = add_point(program, work, "", program::Function::kReturn);
  if (loops) {
    program.functions[work].points[step].next.push_back(step);
  }
  program.functions[work].points[program::Function::kEntry].next = {step};
  program.roots = {main};
  return program;
}

TEST(Linter, FunctionsThatAreLeftOutCanStillRunForever) {
  for (const bool loops : {false, true}) {
    program::Program program = program_with_work(loops);
    EXPECT_EQ(run(program, rule("AG (site -> AF close)")).warnings.size(), loops ? 1U : 0U);
    EXPECT_EQ(run(program, rule("AG (site -> AX A [!open W close])")).warnings.size(), 0U);
  }
}

TEST(Linter, FormulasThatSpeakOfSilenceAreCheckedOnWholeModels) {
  program::Program program = program_with_work(false);
  // Between the two there is a silent state, in which neither happens.
  EXPECT_EQ(run(program, rule("AG (site -> A [(open | close) W close])")).warnings.size(), 1U);
  EXPECT_EQ(run(program, rule("AG (site -> EX !close)")).warnings.size(), 0U);
}

TEST(Linter, FunctionsThatHaveAnEndAreCheckedIfTheRuleAsksForAnother) {
  // f calls itself, or halts; it never returns.
  program::Program program;
  const program::FunctionId f = add_function(program, "f");
  const std::uint32_t call = add_point(program, f, "f", program::Function::kReturn);
  program.functions[f].points[call].kind = program::PointKind::Call;
  program.functions[f].points[call].targets = {f};
  program.functions[f].points[program::Function::kEntry].next = {call, program::Function::kHalt};
  program.roots = {f};
  const auto warnings = [&](const std::string& formula) {
    return run(program,
               "[[rule]]\nid = \"r\"\ntitle = \"t\"\nmessage = \"m\"\nscope = \"function\"\n"
               "formula = \"" +
                   formula + "\"\n")
        .warnings.size();
  };
  EXPECT_EQ(warnings("AG (entry -> EF (exit | halt))"), 0U);
  EXPECT_EQ(warnings("AG (entry -> EF exit)"), 1U);
  program.functions[f].points[program::Function::kEntry].next = {call};
  EXPECT_EQ(warnings("AG (entry -> EF (exit | halt))"), 1U);
}

/// main calls f that often; a call is checked or ignored.
void add_calls(program::Program& program, const std::string& f, std::size_t checked,
               std::size_t ignored) {
  const program::FunctionId main(0);
  program::Function& function = program.functions[main];
  for (std::size_t i = 0; i < checked + ignored; ++i) {
    const std::uint32_t before = static_cast<std::uint32_t>(function.points.size()) - 1;
    const std::uint32_t call = add_point(program, main, f, program::Function::kReturn);
    function.points[before < program::Function::kFirst ? program::Function::kEntry : before]
        .next = {call};
    function.points[call].labels = {
        program.strings.intern(i < checked ? "ret_checked" : "ret_ignored")};
    function.points[call].place.line = call;
  }
}

TEST(Linter, TheCatalogueTellsWhichResultsMatter) {
  const program::Externals externals = program::builtin_externals();
  const std::vector<Rule> rules = builtin_rules();
  const auto warnings = [&](const std::string& id, const std::string& f, std::size_t checked,
                            std::size_t ignored) {
    program::Program program;
    add_function(program, "main");
    add_calls(program, f, checked, ignored);
    program.roots = {program::FunctionId(0)};
    program::infer_outcomes(program);
    program::infer_divergence(program);
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const Rule& one) { return one.id == id; });
    base::Statistics statistics;
    return lint({program, externals, {&*rule}, {}}, statistics).warnings.size();
  };
  EXPECT_EQ(warnings("ignored-result", "fgets", 0, 2), 2U);
  EXPECT_EQ(warnings("ignored-result", "strdup", 0, 1), 1U);  // lost
  EXPECT_EQ(warnings("ignored-result", "mkdir", 2, 1), 0U);
  EXPECT_EQ(warnings("ignored-result", "unheard_of", 0, 1), 0U);
  EXPECT_EQ(warnings("unchecked-result", "mkdir", 2, 1), 1U);
  EXPECT_EQ(warnings("unchecked-result", "mkdir", 3, 2), 0U);  // fewer than two of three
  EXPECT_EQ(warnings("unchecked-result", "fgets", 2, 1), 0U);  // the other rule's
  EXPECT_EQ(warnings("unchecked-result", "poll", 2, 1), 0U);   // minor
  EXPECT_EQ(warnings("unchecked-result", "close", 2, 1), 0U);
  EXPECT_EQ(warnings("unchecked-failure", "mkdir", 0, 1), 1U);
  EXPECT_EQ(warnings("unchecked-failure", "close", 0, 1), 1U);
  EXPECT_EQ(warnings("unchecked-failure", "strlen", 0, 1), 0U);
}

TEST(Linter, OneRuleAboutTheResultOfACallIsEnough) {
  program::Program program;
  add_function(program, "main");
  add_calls(program, "setuid", 0, 1);
  program.functions[program::FunctionId(0)].points.back().labels = {
      program.strings.intern("ret_ignored")};
  program.roots = {program::FunctionId(0)};
  program::infer_outcomes(program);
  program::infer_divergence(program);
  const program::Externals externals = program::builtin_externals();
  const std::vector<Rule> rules = builtin_rules();
  std::vector<const Rule*> chosen;
  for (const Rule& rule : rules) {
    if (rule.id == "ignored-result" || rule.id == "unchecked-privilege-change") {
      chosen.push_back(&rule);
    }
  }
  base::Statistics statistics;
  const LintResult result = lint({program, externals, chosen, {}}, statistics);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings.front().rule->id, "unchecked-privilege-change");  // the error
}

TEST(Linter, SaysWhenPathsAreLeftOut) {
  constexpr std::size_t kSites = 2400;  // a path for each would look at 2400 * 2400 nodes
  program::Program program;
  const program::FunctionId main = add_function(program, "main");
  for (std::size_t i = 0; i < kSites; ++i) {
    const std::uint32_t site = add_point(program, main, "open", program::Function::kReturn);
    program.functions[main].points[site].place.line = static_cast<std::uint32_t>(i + 1);
    program.functions[main].points[program::Function::kEntry].next.push_back(site);
  }
  program.roots = {main};
  const LintResult result = run(program, rule("AG !site"));
  ASSERT_EQ(result.warnings.size(), kSites);
  EXPECT_FALSE(result.warnings.front().path.empty());
  EXPECT_TRUE(result.warnings.back().path.empty());
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes.front().find("without their paths"), std::string::npos);
}

}  // namespace
}  // namespace nestor::lint
