#include "engine/mu/mu.h"

#include "base/input.h"
#include "engine/mu/monotone.h"
#include "engine/mu/plan.h"
#include "model/builder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nestor::engine::mu {
namespace {

using Ref = model::ModelBuilder::Ref;

logic::MuFormula parsed(const std::string& text) {
  const base::Input input = base::Input::from_text("f", text);
  return logic::parse_mu_formula(input, input.text());
}

class MonotoneTest : public testing::Test {
 protected:
  base::LimitGuard guard_{base::Limits{}};
  MonotoneFunctions functions_{guard_};
  const Function a_ = functions_.atom(AtomId(0));
  const Function b_ = functions_.atom(AtomId(1));
  const Function c_ = functions_.atom(AtomId(2));
};

TEST_F(MonotoneTest, EqualFunctionsAreOne) {
  EXPECT_EQ(functions_.both(a_, functions_.either(b_, c_)),
            functions_.either(functions_.both(a_, c_), functions_.both(b_, a_)));
  EXPECT_EQ(functions_.either(a_, functions_.both(a_, b_)), a_);
  EXPECT_EQ(functions_.both(c_, MonotoneFunctions::kTrue), c_);
  EXPECT_EQ(functions_.both(c_, MonotoneFunctions::kFalse), MonotoneFunctions::kFalse);
  EXPECT_NE(functions_.both(a_, b_), functions_.either(a_, b_));
}

TEST_F(MonotoneTest, SubstitutesAllAtomsAtOnce) {
  // a & b | c with a and b swapped and c gone
  const Function f = functions_.either(functions_.both(a_, b_), c_);
  const std::vector<AtomId> atoms = functions_.atoms_of(f);
  EXPECT_EQ(atoms, (std::vector{AtomId(0), AtomId(1), AtomId(2)}));
  EXPECT_EQ(functions_.substitute(f, atoms, {b_, a_, MonotoneFunctions::kFalse}),
            functions_.both(a_, b_));
  EXPECT_EQ(functions_.substitute(f, atoms, {c_, c_, a_}), functions_.either(c_, a_));
  EXPECT_EQ(functions_.substitute(f, atoms, {MonotoneFunctions::kTrue, a_, b_}),
            functions_.either(a_, b_));
}

/// For each fixpoint, in the order of the text's end: its level, and how many its block has.
std::string levels(const std::string& text) {
  const Plan plan(parsed(text), model::Rsm());
  std::string found;
  for (std::size_t i = 0; i < plan.step_count(); ++i) {
    const Step& step = plan[StepId(i)];
    if (step.kind == Step::Kind::Fixpoint) {
      found += std::to_string(step.level) + "/" +
               std::to_string(plan.blocks()[step.block].level_count()) + " ";
    }
  }
  return found;
}

TEST(MuPlan, OnlyFixpointsThatDependOnEachOtherHaveLevels) {
  EXPECT_EQ(levels("nu X. mu Y. <>(p & X | Y)"), "1/2 2/2 ");
  EXPECT_EQ(levels("nu X. (mu Y. p | <>Y) & []X"), "1/1 1/1 ");
  EXPECT_EQ(levels("mu X. mu Y. <>(p & X | Y)"), "1/1 1/1 ");
  EXPECT_EQ(levels("mu X. nu Y. mu Z. <>(X | Y) & []Z"), "1/3 2/3 3/3 ");
  EXPECT_EQ(levels("nu X. !mu Y. !<>(p & X) & []Y"), "1/1 1/1 ");  // negated, it is greatest
}

/// f calls itself or returns; main calls f and ends in a loop.
model::Rsm recursion() {
  model::ModelBuilder builder("");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.label("start");
  builder.node({.name = "end", .is_exit = true});
  builder.label("end");
  builder.box("call", "f");
  builder.transition(Ref::node("start"), Ref::box_node("call", "in"));
  builder.transition(Ref::box_node("call", "out"), Ref::node("end"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.label("in");
  builder.node({.name = "out", .is_exit = true});
  builder.label("out");
  builder.node({.name = "never"});
  builder.box("again", "f");
  builder.transition(Ref::node("in"), Ref::box_node("again", "in"));
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.transition(Ref::node("never"), Ref::node("out"));
  builder.transition(Ref::box_node("again", "out"), Ref::node("out"));
  builder.initial_component("main");
  return builder.finish();
}

Verdict verdict(const std::string& text) {
  Env env;
  const Result result = check_mu(recursion(), parsed(text), env);
  EXPECT_EQ(result.engine, "mu");
  return result.verdict;
}

TEST(Mu, InfinitelyOftenOnAStackThatGrows) {
  EXPECT_EQ(verdict("nu X. mu Y. <>(in & X | Y)"), Verdict::Holds);
  EXPECT_EQ(verdict("nu X. mu Y. <>(out & X | Y)"), Verdict::Fails);  // each call returns once
  EXPECT_EQ(verdict("nu X. mu Y. [](in & X | Y)"), Verdict::Fails);
  // Returning may take long, but not for ever.
  EXPECT_EQ(verdict("nu X. mu Y. []((in | end) & X | Y)"), Verdict::Holds);
  EXPECT_EQ(verdict("mu X. nu Y. []((in | end) & Y | X)"), Verdict::Holds);
  EXPECT_EQ(verdict("mu X. nu Y. [](in & Y | X)"), Verdict::Fails);
}

TEST(Mu, PredecessorsAreReachable) {
  EXPECT_EQ(verdict("nu X. []X & (out => ~[](in | out))"), Verdict::Holds);  // not from never
  EXPECT_EQ(verdict("nu X. []X & (in => ~[](in | start))"), Verdict::Holds);
  EXPECT_EQ(verdict("nu X. []X & (in => ~[]in)"), Verdict::Fails);
  EXPECT_EQ(verdict("~[]ff & []~<@start>tt & []~[\\start]ff"), Verdict::Holds);
  EXPECT_EQ(verdict("nu X. []X & mu Y. start | ~<>Y"), Verdict::Holds);
}

TEST(Mu, LimitsEndTheCheck) {
  Env env;
  env.limits.steps = 30;
  const Result result = check_mu(recursion(), parsed("nu X. mu Y. <>(in & X | Y)"), env);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.reason, "more than 30 steps");
}

}  // namespace
}  // namespace nestor::engine::mu
