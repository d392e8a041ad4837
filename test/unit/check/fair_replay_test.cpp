// Evidence under fairness constraints, written by hand. From a the model goes to b and back, or to
// c and back, or to the dead end d. Steps from b satisfy the first constraint, steps from c the
// second one: a fair path goes round both ways again and again.
#include "check/replay.h"
#include "logic/parser.h"
#include "model/builder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nestor::check {
namespace {

using Kind = witness::Evidence::Kind;
using Ending = witness::Evidence::Ending;

class FairReplay : public testing::Test {
 protected:
  FairReplay() : model_(make_model()) {
    fairness_.constraints = 2;
    for (const model::NodeId n : model_.nodes()) {
      for (std::size_t i = 0; i < model_.successors(n).size(); ++i) {
        fairness_.marks.push_back(n == node("b") ? 1 : n == node("c") ? 2 : 0);
      }
    }
  }

  static model::Rsm make_model() {
    using Ref = model::ModelBuilder::Ref;
    model::ModelBuilder builder("model");
    builder.component("main");
    builder.node({.name = "a", .is_entry = true});
    for (const char* name : {"b", "c", "d"}) {
      builder.node({.name = name});
      builder.label(name);
    }
    for (const char* name : {"b", "c", "d"}) {
      builder.transition(Ref::node("a"), Ref::node(name));
    }
    builder.transition(Ref::node("b"), Ref::node("a"));
    builder.transition(Ref::node("c"), Ref::node("a"));
    builder.initial_component("main");
    return builder.finish();
  }

  model::NodeId node(std::string_view name) const {
    for (const model::NodeId n : model_.nodes()) {
      if (model_.node_name(n) == name) {
        return n;
      }
    }
    return model::NodeId();
  }

  /// One piece of evidence with the path through the nodes that `names` spells.
  witness::Witness witness(const std::string& formula, bool holds, Kind kind, Ending ending,
                           const std::string& names) {
    witness::Witness made;
    made.formula = logic::parse_formula(pool_, formula, {});
    made.holds = holds;
    made.fairness = 2;
    model::StateIndex states(made.states);
    witness::Evidence evidence;
    evidence.kind = kind;
    evidence.ending = ending;
    evidence.claim = {made.formula, holds};
    for (const char name : names) {
      evidence.path.push_back(
          states.intern({model::StackTable::kEmpty, node(std::string(1, name))}));
    }
    evidence.steps.assign(names.size() - 1, model::Step::Local);
    evidence.state = evidence.path.front();
    made.roots = {made.evidence.push_back(evidence)};
    return made;
  }

  /// Adds evidence by the labels of the last state of the path, for the operand.
  void end_with_fact(witness::Witness& made) {
    witness::Evidence fact;
    fact.claim = {pool_[made.formula].left, made.holds};
    fact.state = made.evidence[witness::EvidenceId(0)].path.back();
    const witness::EvidenceId id = made.evidence.push_back(fact);
    made.evidence[witness::EvidenceId(0)].parts = {id};
  }

  std::string fault(const witness::Witness& made) {
    return replay(model_, pool_, made.formula, made, nullptr, &fairness_).reason;
  }

  model::Rsm model_;
  logic::FormulaPool pool_;
  model::Fairness fairness_;
};

TEST_F(FairReplay, ALoopHasToSatisfyEveryConstraint) {
  EXPECT_EQ(fault(witness("EG !d", true, Kind::Always, Ending::Loop, "abaca")), "");
  EXPECT_EQ(fault(witness("EG !d", true, Kind::Always, Ending::Loop, "aba")),
            "evidence 0: no step of the loop satisfies fairness constraint 2");
  EXPECT_EQ(fault(witness("EG !d", true, Kind::Always, Ending::Loop, "aca")),
            "evidence 0: no step of the loop satisfies fairness constraint 1");
  // The step that satisfies it has to be in the loop, not before it.
  witness::Witness before = witness("EG !d", true, Kind::Always, Ending::Loop, "abaca");
  before.evidence[witness::EvidenceId(0)].loop = 2;
  EXPECT_EQ(fault(before), "evidence 0: no step of the loop satisfies fairness constraint 1");
}

TEST_F(FairReplay, APathThatEndsIsNotFair) {
  EXPECT_EQ(fault(witness("EG !b", true, Kind::Always, Ending::DeadEnd, "ad")),
            "evidence 0: a path that ends is not fair");
}

TEST_F(FairReplay, AFairPathHasToGoOnFromWhatIsReached) {
  witness::Witness to_c = witness("EF c", true, Kind::Until, Ending::Here, "abac");
  end_with_fact(to_c);
  EXPECT_EQ(fault(to_c), "");
  witness::Witness to_d = witness("EF d", true, Kind::Until, Ending::Here, "ad");
  end_with_fact(to_d);
  EXPECT_EQ(fault(to_d), "evidence 0, step 1: no fair path goes on from there");
  witness::Witness next = witness("EX d", true, Kind::Next, Ending::Here, "ad");
  end_with_fact(next);
  EXPECT_EQ(fault(next), "evidence 0, step 1: no fair path goes on from there");
}

TEST_F(FairReplay, ClaimsAboutAllFairPathsAreDecided) {
  // Fair paths go to b and to c again and again, and never to d.
  EXPECT_EQ(fault(witness("AF c", true, Kind::All, Ending::Here, "a")),
            "evidence 0: the numbers of states and steps do not match");
  const auto all = [&](const char* formula, bool holds) {
    witness::Witness made = witness(formula, holds, Kind::All, Ending::Here, "a");
    made.evidence[witness::EvidenceId(0)].path.clear();
    return fault(made);
  };
  EXPECT_EQ(all("AF c", true), "");
  EXPECT_EQ(all("AG AF b", true), "");
  EXPECT_EQ(all("EF d", false), "");
  EXPECT_EQ(all("AG !b", true), "evidence 0: the claim about all fair paths is wrong");
  EXPECT_EQ(all("EG !d", false), "evidence 0: the claim about all fair paths is wrong");
}

TEST_F(FairReplay, TheConstraintsAreThoseOfTheModel) {
  witness::Witness made = witness("EG !d", true, Kind::Always, Ending::Loop, "abaca");
  made.fairness = 0;
  EXPECT_EQ(fault(made), "the evidence is for 0 fairness constraints, the model has 2");
}

TEST_F(FairReplay, InitialStatesThatAreNotFairDoNotCount) {
  for (std::uint32_t& marks : fairness_.marks) {
    marks &= 1U;  // the second constraint is never satisfied
  }
  witness::Witness made = witness("d", false, Kind::Fact, Ending::Here, "a");
  made.evidence[witness::EvidenceId(0)].path.clear();
  EXPECT_EQ(fault(made),
            "evidence 0: no fair path leads from the initial state, so it does not count");
}

}  // namespace
}  // namespace nestor::check
