// The verifier on two certificates made by hand, and on what each rule forbids.

#include "check/verify.h"

#include "logic/parser.h"
#include "model/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace nestor::check {
namespace {

using Ref = model::ModelBuilder::Ref;

/// main: a calls f, then c, forever; f: from en to the exit x. c carries q, all others p.
model::Rsm model() {
  model::ModelBuilder builder("model");
  builder.component("main");
  builder.node({.name = "a", .is_entry = true});
  builder.label("p");
  builder.node({.name = "c"});
  builder.label("q");
  builder.box("b", "f");
  builder.transition(Ref::node("a"), Ref::box_node("b", "en"));
  builder.transition(Ref::box_node("b", "x"), Ref::node("c"));
  builder.transition(Ref::node("c"), Ref::node("c"));
  builder.component("f");
  builder.node({.name = "en", .is_entry = true});
  builder.label("p");
  builder.node({.name = "x", .is_exit = true});
  builder.label("p");
  builder.transition(Ref::node("en"), Ref::node("x"));
  builder.initial_component("main");
  return builder.finish();
}

// EF q holds: the path goes through f and back to c.
constexpr const char* kLeast = R"(nestor-certificate 1
model "h"
formula 0 ap "q"
formula 1 true
formula 2 EU 1 0
verdict holds
instance 0 "main"
box 0 1
context 2
value 0 01
value 1 11
value 2 11
fact 2 0 goal 2 0 1
fact 2 1 goal 0 here
point 2 0 1 goal 1 0
instance 1 "f"
context 2 1
value 0 00
value 1 11
value 2 11
fact 2 0 1 1 0
fact 2 1 1 0 here
end
)";

// EG p fails: every p-path from a goes through f, leaves it by x, and c lacks p.
constexpr const char* kGreatest = R"(nestor-certificate 1
model "h"
formula 0 ap "p"
formula 1 EG 0
verdict fails
instance 0 "main"
box 0 1
context 1
value 0 10
value 1 00
dead 1 0 2 none
deadpoint 1 0 1 0 none
instance 1 "f"
context 1
value 0 11
value 1 00
dead 1 0 1 1
dead 1 1 0 1
end
)";

Verification verify_text(const std::string& text, const char* formula = nullptr) {
  const model::Rsm rsm = model();
  logic::FormulaPool pool;
  base::LineReader lines = base::LineReader::from_text("text", text);
  return verify(rsm, "h", lines, pool,
                formula == nullptr ? logic::FormulaId() : logic::parse_formula(pool, formula, {}));
}

/// The text with some lines replaced; an empty replacement drops the line.
struct Edit {
  std::size_t line;
  std::string text;
};
std::string edited(const std::string& text, const std::vector<Edit>& edits) {
  std::istringstream stream(text);
  std::string result;
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    for (const Edit& edit : edits) {
      line = edit.line == number ? edit.text : line;
    }
    result += line.empty() ? "" : line + "\n";
  }
  return result;
}

TEST(Verify, AcceptsWhatFollowsTheRules) {
  const Verification least = verify_text(kLeast);
  EXPECT_TRUE(least.accepted) << least.line << ": " << least.why;
  EXPECT_TRUE(least.holds);
  const Verification greatest = verify_text(kGreatest);
  EXPECT_TRUE(greatest.accepted) << greatest.line << ": " << greatest.why;
  EXPECT_FALSE(greatest.holds);
}

TEST(Verify, ReadsCommentsAndEmptyLines) {
  EXPECT_TRUE(verify_text(edited(kLeast, {{3, "formula 0 ap \"q\"   # a # comment"},
                                          {6, "# only a comment\n\nverdict holds"}}))
                  .accepted);
  EXPECT_TRUE(verify_text(edited(kLeast, {{3, R"(formula 0 ap "\u0071")"}})).accepted);
  // Inside a string # is a character: no node carries q#, so the values are wrong.
  EXPECT_EQ(verify_text(edited(kLeast, {{3, "formula 0 ap \"q#\""}})).line, 10U);
}

TEST(Verify, ComparesFormulasByMeaningOfTheirAbbreviations) {
  EXPECT_TRUE(verify_text(kLeast, "EF q").accepted);
  EXPECT_TRUE(verify_text(kLeast, "E [true U q]").accepted);
  EXPECT_TRUE(verify_text(kGreatest, "!AF !p").accepted);
  EXPECT_EQ(verify_text(kLeast, "EF p").why, "the certificate is about another formula");
  EXPECT_EQ(verify_text(kLeast, "AG q").why, "the certificate is about another formula");
}

TEST(Verify, RefusesAnotherModel) {
  const Verification found = verify_text(edited(kLeast, {{2, "model \"i\""}}));
  EXPECT_EQ(found.line, 2U);
  EXPECT_EQ(found.why, "the certificate is about another model");
}

struct Case {
  const char* name;
  const char* text;
  std::vector<Edit> edits;
  std::uint32_t line;
  const char* why;  // how it begins
};

class Broken : public testing::TestWithParam<Case> {};

TEST_P(Broken, IsRefusedWithLineAndReason) {
  const Verification found = verify_text(edited(GetParam().text, GetParam().edits));
  EXPECT_FALSE(found.accepted);
  EXPECT_EQ(found.line, GetParam().line) << found.why;
  EXPECT_TRUE(found.why.starts_with(GetParam().why)) << found.why;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Broken,
    testing::Values(
        Case{"Proposition", kLeast, {{10, "value 0 11"}}, 10, "rule 1"},
        Case{"Constant", kLeast, {{11, "value 1 01"}}, 11, "rule 1"},
        Case{"ContextTooSmall", kLeast, {{17, "context 2"}}, 17, "rule 3"},
        Case{"ContextTooLarge", kGreatest, {{14, "context 1 1"}}, 14, "rule 3"},
        Case{"Equation", kLeast, {{20, "value 2 01"}}, 12, "rule 4"},
        Case{"EquationOfGreatest", kGreatest, {{10, "value 1 10"}}, 10, "rule 4"},
        Case{"NoFact", kLeast, {{14, ""}}, 14, "rule 5: the successor"},
        Case{"NoFactForAValue", kLeast, {{13, ""}}, 12, "rule 5: no fact"},
        Case{"RankAsLarge", kLeast, {{13, "fact 2 0 goal 1 0 1"}}, 13, "rule 5: the callee"},
        Case{"RankOfThePoint", kLeast, {{15, "point 2 0 1 goal 2 0"}}, 13, "rule 5: the return"},
        Case{"RankOfASuccessor", kLeast, {{21, "fact 2 0 1 0 0"}}, 21, "rule 5: the successor"},
        Case{"AnotherTarget", kLeast, {{21, "fact 2 0 goal 1 0"}}, 13, "rule 5: the callee"},
        Case{"NotHere", kLeast, {{13, "fact 2 0 goal 0 here"}}, 13, "rule 5: the fact is not"},
        Case{"HereAtAPoint", kLeast, {{15, "point 2 0 1 goal 1 here"}}, 15, "rule 5: the fact is"},
        Case{"CallThatNeverReturns", kLeast, {{13, "fact 2 0 goal 2 0"}}, 13, "rule 5: the callee"},
        Case{
            "SaidTwice", kLeast, {{14, "fact 2 1 goal 0 here\nfact 2 1 goal 1 0"}}, 15, "the same"},
        Case{"NoRank", kGreatest, {{18, ""}}, 17, "rule 6"},
        Case{"NoRankForAValue", kGreatest, {{11, ""}}, 10, "rule 6: no rank"},
        Case{"NoPoint", kGreatest, {{12, ""}}, 11, "rule 6: a successor"},
        Case{"RankOfAnEntry", kGreatest, {{17, "dead 1 0 2 1"}}, 11, "rule 6: a successor"},
        Case{"RankOfADeadPoint", kGreatest, {{12, "deadpoint 1 0 1 2 none"}}, 11, "rule 6: a succ"},
        Case{"ReachWithoutTheExit", kGreatest, {{18, "dead 1 1 0 none"}}, 18, "rule 6: 'reach'"},
        Case{"ReachOfASuccessor", kGreatest, {{17, "dead 1 0 1 none"}}, 17, "rule 6: 'reach'"},
        Case{"Verdict", kLeast, {{6, "verdict fails"}}, 6, "rule 7"},
        Case{"VerdictOfGreatest", kGreatest, {{5, "verdict holds"}}, 5, "rule 7"},
        Case{"BoxMap", kLeast, {{8, "box 0 0"}}, 8, "the box calls another component"},
        Case{"Root",
             kLeast,
             {{7, "instance 0 \"f\""}, {8, ""}, {13, ""}, {14, ""}, {15, ""}},
             7,
             "the root"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Text, Broken,
    testing::Values(
        Case{"Empty", "", {}, 1, "expected 'nestor-certificate 1'"},
        Case{
            "Version", kLeast, {{1, "nestor-certificate 3"}}, 1, "expected 'nestor-certificate 1'"},
        Case{"NoModel", kLeast, {{2, ""}}, 2, "expected 'model'"},
        Case{"NoString", kLeast, {{2, "model h"}}, 2, "expected a JSON string"},
        Case{"TwoStrings", kLeast, {{2, "model \"h\" \"h\""}}, 2, "expected a JSON string"},
        Case{"FormulaNumber",
             kLeast,
             {{4, "formula 2 true"}},
             4,
             "expected formulas to be numbered"},
        Case{"Operator", kLeast, {{5, "formula 2 AU 1 0"}}, 5, "unknown operator"},
        Case{"LaterOperand", kLeast, {{5, "formula 2 EU 1 2"}}, 5, "there is no formula 2"},
        Case{"FewOperands", kLeast, {{5, "formula 2 EU 1"}}, 5, "expected another field"},
        Case{"ManyOperands", kLeast, {{5, "formula 2 EG 1 0"}}, 5, "expected nothing more"},
        Case{"NoVerdict", kLeast, {{6, ""}}, 6, "expected 'verdict"},
        Case{"NoInstance", kLeast, {{7, ""}}, 7, "expected an instance"},
        Case{"InstanceNumber", kLeast, {{16, "instance 2 \"f\""}}, 16, "expected instances to be"},
        Case{"Component", kLeast, {{16, "instance 1 \"g\""}}, 16, "there is no such component"},
        Case{"NoBox", kLeast, {{8, ""}}, 15, "expected a line 'box'"},
        Case{"BoxTwice", kLeast, {{8, "box 0 1\nbox 0 1"}}, 9, "a second line for this box"},
        Case{"UnknownBox", kLeast, {{8, "box 1 1"}}, 8, "there is no box 1"},
        Case{"UnknownInstance", kLeast, {{8, "box 0 2"}}, 8, "there is no instance 2"},
        Case{"NoContext", kLeast, {{9, ""}}, 15, "expected a line 'context'"},
        Case{"ContextTwice", kLeast, {{9, "context 2\ncontext 2"}}, 10, "a second context"},
        Case{"ContextOfTrue", kLeast, {{9, "context 1"}}, 9, "only EX, EU and EG"},
        Case{"NoExit", kLeast, {{17, "context 2 0"}}, 17, "node 0 is no exit of 'f'"},
        Case{"NoValues", kLeast, {{18, ""}}, 22, "expected a line 'value'"},
        Case{"FewValues", kLeast, {{10, "value 0 0"}}, 10, "expected a digit"},
        Case{"OtherValues", kLeast, {{10, "value 0 02"}}, 10, "expected a digit"},
        Case{"TwoSpaces", kLeast, {{10, "value  0 01"}}, 10, "expected another field"},
        Case{"Negative", kLeast, {{13, "fact 2 0 goal -2 0 1"}}, 13, "expected a number"},
        Case{"TooLarge", kLeast, {{13, "fact 2 0 goal 4294967295 0 1"}}, 13, "expected a number"},
        Case{"UnknownNode", kLeast, {{13, "fact 2 2 goal 2 0 1"}}, 13, "there is no node 2"},
        Case{
            "UnknownSuccessor", kLeast, {{13, "fact 2 0 goal 2 1 1"}}, 13, "there is no such succ"},
        Case{"NoCall", kLeast, {{14, "fact 2 1 goal 1 0 1"}}, 14, "only a call returns"},
        Case{"FactOfTrue", kLeast, {{13, "fact 1 0 goal 2 0 1"}}, 13, "only EU has facts"},
        Case{"DeadOfLeast", kLeast, {{13, "dead 2 0 2 none"}}, 13, "only EU has facts"},
        Case{"EmptyReach", kGreatest, {{17, "dead 1 0 1 1,"}}, 17, "expected a number"},
        Case{"NoneInReach", kGreatest, {{17, "dead 1 0 1 1,none"}}, 17, "expected a number"},
        Case{"Keyword", kLeast, {{13, "lemma 2 0 goal 2 0 1"}}, 13, "unknown keyword"},
        Case{"NoEnd", kLeast, {{23, ""}}, 22, "the certificate ends without 'end'"},
        Case{"AfterTheEnd", kLeast, {{23, "end\nend"}}, 24, "expected nothing after 'end'"}),
    name_of);

// Values that support each other solve the equations; only ranks show that nothing supports them.
model::Rsm loop() {
  model::ModelBuilder builder("loop");
  builder.component("main");
  builder.node({.name = "n", .is_entry = true});
  builder.label("p");
  builder.transition(Ref::node("n"), Ref::node("n"));
  builder.initial_component("main");
  return builder.finish();
}

Verification verify_on_loop(const std::string& formulas, const std::string& items) {
  const model::Rsm rsm = loop();
  logic::FormulaPool pool;
  base::LineReader lines = base::LineReader::from_text(
      "text", fmt::format("nestor-certificate 1\nmodel \"h\"\n{}instance 0 \"main\"\n{}end\n",
                          formulas, items));
  return verify(rsm, "h", lines, pool, logic::FormulaId());
}

TEST(Verify, RefusesALoopThatClaimsToReachItsGoal) {
  const std::string formulas =
      "formula 0 true\nformula 1 ap \"q\"\nformula 2 EU 0 1\nverdict holds\n";
  const std::string values = "context 2\nvalue 0 1\nvalue 1 0\nvalue 2 1\n";
  EXPECT_TRUE(verify_on_loop(formulas, values).why.starts_with("rule 5: no fact"));
  EXPECT_TRUE(verify_on_loop(formulas, values + "fact 2 0 goal 1 0\n")
                  .why.starts_with("rule 5: the successor"));
}

TEST(Verify, RefusesALoopThatClaimsToEnd) {
  const std::string formulas = "formula 0 ap \"p\"\nformula 1 EG 0\nverdict fails\n";
  const std::string values = "context 1\nvalue 0 1\nvalue 1 0\n";
  EXPECT_TRUE(verify_on_loop(formulas, values).why.starts_with("rule 6: no rank"));
  EXPECT_TRUE(verify_on_loop(formulas, values + "dead 1 0 1 none\n")
                  .why.starts_with("rule 6: a successor"));
}

TEST(Verify, ChecksTheRootsContextsForEachOperator) {
  // An exit of the initial component loops on itself: EX p holds there exactly if p does.
  model::ModelBuilder builder("exit");
  builder.component("main");
  builder.node({.name = "x", .is_entry = true, .is_exit = true});
  builder.label("p");
  builder.initial_component("main");
  const model::Rsm rsm = builder.finish();
  const auto check = [&](const std::string& op, const std::string& context, char value) {
    logic::FormulaPool pool;
    base::LineReader lines = base::LineReader::from_text(
        "text",
        fmt::format("nestor-certificate 1\nmodel \"h\"\nformula 0 ap \"p\"\nformula 1 not 0\n"
                    "formula 2 {}\nverdict {}\ninstance 0 \"main\"\n{}\nvalue 0 1\nvalue 1 "
                    "0\nvalue 2 {}\nend\n",
                    op, value == '1' ? "holds" : "fails", context, value));
    const Verification found = verify(rsm, "h", lines, pool, logic::FormulaId());
    return found.accepted ? std::string("accepted") : found.why.substr(0, 6);
  };
  EXPECT_EQ(check("EX 0", "context 2 0", '1'), "accepted");
  EXPECT_EQ(check("EX 0", "context 2", '0'), "rule 2");
  EXPECT_EQ(check("EX 1", "context 2", '0'), "accepted");
  EXPECT_EQ(check("EX 1", "context 2 0", '1'), "rule 2");
  EXPECT_EQ(check("EG 0", "context 2 0", '1'), "accepted");
  EXPECT_EQ(check("EG 0", "context 2", '0'), "rule 2");
  EXPECT_EQ(check("EU 0 1", "context 2", '0'), "accepted");
  EXPECT_EQ(check("EU 0 1", "context 2 0", '1'), "rule 2");
}

}  // namespace
}  // namespace nestor::check
