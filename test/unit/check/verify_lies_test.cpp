// Certificates that lie consistently: in each, one condition of one rule is all that stands between
// the verifier and a wrong verdict (or, once, a false fact).

#include "check/verify.h"
#include "model/builder.h"

#include <gtest/gtest.h>

namespace nestor {
namespace {

using Ref = ModelBuilder::Ref;

void expect_refused(const Rsm& model, const std::string& text, std::uint32_t line,
                    const std::string& why) {
  FormulaPool pool;
  LineReader lines = LineReader::from_text("text", text);
  const Verification found = verify(model, "h", lines, pool, FormulaId());
  EXPECT_FALSE(found.accepted);
  EXPECT_EQ(found.line, line) << found.why;
  EXPECT_TRUE(found.why.starts_with(why)) << found.why;
}

void node(ModelBuilder& builder, const ModelBuilder::Node& node, const char* label) {
  builder.node(node);
  if (*label != '\0') {
    builder.label(label);
  }
}

// a loops, so its value supports itself; the way to the goal leads through m, which lacks p.
TEST(VerifyLies, APathThroughANodeWithoutPhi) {
  ModelBuilder builder("model");
  builder.component("main");
  node(builder, {.name = "a", .is_entry = true}, "p");
  node(builder, {.name = "m"}, "");
  node(builder, {.name = "c"}, "q");
  builder.transition(Ref::node("a"), Ref::node("a"));
  builder.transition(Ref::node("a"), Ref::node("m"));
  builder.transition(Ref::node("m"), Ref::node("c"));
  builder.initial_component("main");
  expect_refused(builder.finish(), R"(nestor-certificate 1
model "h"
formula 0 ap "p"
formula 1 ap "q"
formula 2 EU 0 1
verdict holds
instance 0 "main"
context 2
value 0 100
value 1 001
value 2 101
fact 2 0 goal 2 1
fact 2 1 goal 1 0
fact 2 2 goal 0 here
end
)",
                 13, "rule 5: a fact at a node without φ");
}

// a loops; it reaches the exit, but after the root's exit nothing has q.
TEST(VerifyLies, AnExitOutsideTheContext) {
  ModelBuilder builder("model");
  builder.component("main");
  node(builder, {.name = "a", .is_entry = true}, "p");
  node(builder, {.name = "x", .is_exit = true}, "p");
  builder.transition(Ref::node("a"), Ref::node("a"));
  builder.transition(Ref::node("a"), Ref::node("x"));
  builder.initial_component("main");
  expect_refused(builder.finish(), R"(nestor-certificate 1
model "h"
formula 0 ap "p"
formula 1 ap "q"
formula 2 EU 0 1
verdict holds
instance 0 "main"
context 2
value 0 11
value 1 00
value 2 10
fact 2 0 1 1 1
fact 2 1 1 0 here
end
)",
                 11, "rule 5: no fact for a node with value 1");
}

// f leaves by x, after which main only calls it again; y, after which comes c, is never reached.
TEST(VerifyLies, AnExitTakenForAnother) {
  ModelBuilder builder("model");
  builder.component("main");
  node(builder, {.name = "a", .is_entry = true}, "");
  node(builder, {.name = "c"}, "q");
  builder.box("b", "f");
  builder.transition(Ref::node("a"), Ref::box_node("b", "en"));
  builder.transition(Ref::box_node("b", "x"), Ref::node("a"));
  builder.transition(Ref::box_node("b", "y"), Ref::node("c"));
  builder.transition(Ref::node("c"), Ref::node("c"));
  builder.component("f");
  node(builder, {.name = "en", .is_entry = true}, "");
  node(builder, {.name = "x", .is_exit = true}, "");
  node(builder, {.name = "y", .is_exit = true}, "");
  builder.transition(Ref::node("en"), Ref::node("x"));
  builder.initial_component("main");
  expect_refused(builder.finish(), R"(nestor-certificate 1
model "h"
formula 0 true
formula 1 ap "q"
formula 2 EU 0 1
verdict holds
instance 0 "main"
box 0 1
context 2
value 0 11
value 1 01
value 2 11
fact 2 0 goal 2 0 2
fact 2 1 goal 0 here
point 2 0 2 goal 1 0
instance 1 "f"
context 2 1 2
value 0 111
value 1 000
value 2 111
fact 2 0 2 1 0
fact 2 1 2 0 here
fact 2 2 2 0 here
end
)",
                 22, "rule 5: the fact is not true here");
}

// f reaches the goal inside g, so the verdict is right; but it never reaches its exit that way.
TEST(VerifyLies, AnExitReachedByACallThatDoesNotReturn) {
  ModelBuilder builder("model");
  builder.component("main");
  node(builder, {.name = "a", .is_entry = true}, "");
  node(builder, {.name = "c"}, "q");
  builder.box("b", "f");
  builder.transition(Ref::node("a"), Ref::box_node("b", "en"));
  builder.transition(Ref::box_node("b", "x"), Ref::node("c"));
  builder.component("f");
  node(builder, {.name = "en", .is_entry = true}, "");
  node(builder, {.name = "x", .is_exit = true}, "");
  builder.box("d", "g");
  builder.transition(Ref::node("en"), Ref::box_node("d", "s"));
  builder.component("g");
  node(builder, {.name = "s", .is_entry = true}, "q");
  builder.initial_component("main");
  expect_refused(builder.finish(), R"(nestor-certificate 1
model "h"
formula 0 true
formula 1 ap "q"
formula 2 EU 0 1
verdict holds
instance 0 "main"
box 0 1
context 2
value 0 11
value 1 01
value 2 11
fact 2 0 goal 2 0 1
fact 2 1 goal 0 here
point 2 0 1 goal 1 0
instance 1 "f"
box 0 2
context 2 1
value 0 11
value 1 00
value 2 11
fact 2 0 1 1 0
fact 2 1 1 0 here
instance 2 "g"
context 2
value 0 1
value 1 1
value 2 1
fact 2 0 goal 0 here
end
)",
                 22, "rule 5: an exit is reached only by returning");
}

// a has p, calls f and gets back to a, forever: EG p holds, but claims the opposite.
TEST(VerifyLies, AReachWithoutTheExitItself) {
  ModelBuilder builder("model");
  builder.component("main");
  node(builder, {.name = "a", .is_entry = true}, "p");
  builder.box("b", "f");
  builder.transition(Ref::node("a"), Ref::box_node("b", "en"));
  builder.transition(Ref::box_node("b", "en"), Ref::node("a"));
  builder.component("f");
  node(builder, {.name = "en", .is_entry = true, .is_exit = true}, "p");
  builder.initial_component("main");
  expect_refused(builder.finish(), R"(nestor-certificate 1
model "h"
formula 0 ap "p"
formula 1 EG 0
verdict fails
instance 0 "main"
box 0 1
context 1
value 0 1
value 1 0
dead 1 0 1 none
instance 1 "f"
context 1
value 0 1
value 1 0
dead 1 0 0 none
end
)",
                 16, "rule 6: 'reach' lacks the exit itself");
}

// The same one call deeper: f leaves by x after g has returned.
TEST(VerifyLies, AReachWithoutThatOfAReturnPoint) {
  ModelBuilder builder("model");
  builder.component("main");
  node(builder, {.name = "a", .is_entry = true}, "p");
  builder.box("b", "f");
  builder.transition(Ref::node("a"), Ref::box_node("b", "en"));
  builder.transition(Ref::box_node("b", "x"), Ref::node("a"));
  builder.component("f");
  node(builder, {.name = "en", .is_entry = true}, "p");
  node(builder, {.name = "x", .is_exit = true}, "p");
  builder.box("d", "g");
  builder.transition(Ref::node("en"), Ref::box_node("d", "s"));
  builder.transition(Ref::box_node("d", "s"), Ref::node("x"));
  builder.component("g");
  node(builder, {.name = "s", .is_entry = true, .is_exit = true}, "p");
  builder.initial_component("main");
  expect_refused(builder.finish(), R"(nestor-certificate 1
model "h"
formula 0 ap "p"
formula 1 EG 0
verdict fails
instance 0 "main"
box 0 1
context 1
value 0 1
value 1 0
dead 1 0 3 none
instance 1 "f"
box 0 2
context 1
value 0 11
value 1 00
dead 1 0 2 none
dead 1 1 0 1
deadpoint 1 0 0 1 1
instance 2 "g"
context 1
value 0 1
value 1 0
dead 1 0 0 0
end
)",
                 17, "rule 6: 'reach' lacks an exit of a return point");
}

}  // namespace
}  // namespace nestor
