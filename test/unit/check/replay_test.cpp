// Evidence written by hand for the example of docs/semantics.md: main calls f, once or
// more often, and f calls itself or leaves.
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
using Ref = model::ModelBuilder::Ref;

model::Rsm make_model() {
  model::ModelBuilder builder("model");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true});
  builder.label("done");
  builder.box("c", "f");
  builder.transition(Ref::node("start"), Ref::box_node("c", "in"));
  builder.transition(Ref::box_node("c", "out"), Ref::node("end"));
  builder.transition(Ref::box_node("c", "out"), Ref::box_node("c", "in"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.box("d", "f");
  builder.transition(Ref::node("in"), Ref::box_node("d", "in"));
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.transition(Ref::box_node("d", "out"), Ref::node("out"));
  builder.initial_component("main");
  return builder.finish();
}

/// Says what it is told to, and keeps what it was asked.
class Oracle final : public Decider {
 public:
  explicit Oracle(Decision::Answer answer) : answer_(answer) {}
  std::vector<Decision> decide(const model::Rsm& model, logic::FormulaPool&,
                               std::span<const logic::FormulaId> formulas) override {
    ++asked;
    nodes = model.plain_node_count();
    return std::vector<Decision>(formulas.size(), Decision{answer_, "for a reason"});
  }
  std::size_t asked = 0;
  std::size_t nodes = 0;

 private:
  Decision::Answer answer_;
};

class ReplayTest : public testing::Test {
 protected:
  model::NodeId node(std::string_view component, std::string_view name) const {
    for (const model::NodeId n : model_.nodes()) {
      if (model_.kind(n) == model::NodeKind::Plain && model_.node_name(n) == name &&
          model_.component_name(model_.component_of(n)) == component) {
        return n;
      }
    }
    return model::NodeId();
  }
  model::BoxId box(std::string_view name) const {
    for (const model::BoxId b : model_.boxes()) {
      if (model_.box_name(b) == name) {
        return b;
      }
    }
    return model::BoxId();
  }
  /// `calls`: the boxes of the stack, one letter each.
  model::StateId state(std::string_view calls, std::string_view component, std::string_view name) {
    model::StackId stack = model::StackTable::kEmpty;
    for (const char c : calls) {
      stack = witness_.stacks.push(stack, box(std::string(1, c)));
    }
    return state_of({stack, node(component, name)});
  }
  model::StateId state_of(const model::State& state) {
    for (const model::StateId s : witness_.states.ids()) {
      if (witness_.states[s] == state) {
        return s;
      }
    }
    return witness_.states.push_back(state);
  }
  logic::FormulaId formula(const std::string& text) {
    return logic::parse_formula(pool_, text, {});
  }
  witness::EvidenceId add(Kind kind, const std::string& text, bool holds, model::StateId state) {
    witness::Evidence evidence;
    evidence.kind = kind;
    evidence.claim = {formula(text), holds};
    evidence.state = state;
    return witness_.evidence.push_back(evidence);
  }

  /// EF done: start, in, out, end.
  void make_path() {
    witness_.formula = formula("EF done");
    witness_.holds = true;
    const witness::EvidenceId root = add(Kind::Until, "EF done", true, state("", "main", "start"));
    witness::Evidence& evidence = witness_.evidence[root];
    evidence.path = {state("", "main", "start"), state("c", "f", "in"), state("c", "f", "out"),
                     state("", "main", "end")};
    evidence.steps = {model::Step::Call, model::Step::Local, model::Step::Return};
    const witness::EvidenceId end = add(Kind::Fact, "done", true, state("", "main", "end"));
    witness_.evidence[root].parts = {end};
    witness_.roots = {root};
  }

  /// EG `operand`: start, and then f in f in f …
  void make_recursion(const std::string& operand) {
    witness_.evidence = {};
    witness_.formula = formula("EG " + operand);
    witness_.holds = true;
    const witness::EvidenceId root =
        add(Kind::Always, "EG " + operand, true, state("", "main", "start"));
    witness::Evidence& evidence = witness_.evidence[root];
    evidence.ending = Ending::Loop;
    evidence.path = {state("", "main", "start"), state("c", "f", "in"), state("cd", "f", "in")};
    evidence.steps = {model::Step::Call, model::Step::Call};
    evidence.loop = 1;
    witness_.roots = {root};
  }

  /// `A …` fails, `text`: start, and then f in f in f …; of each place so many formulas inside.
  void make_run(const std::string& text, const std::vector<std::string>& inside = {}) {
    make_recursion("!done");
    witness_.formula = formula(text);
    witness_.holds = false;
    root().kind = Kind::Path;
    root().claim = {witness_.formula, false};
    const std::vector<model::StateId> path = root().path;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      for (const std::string& letter : inside) {
        const witness::EvidenceId e = add(Kind::Decided, letter, true, path[i]);
        root().along.push_back(e);
      }
    }
  }

  Replay check(Decider* decider = nullptr) {
    return replay(model_, pool_, witness_.formula, witness_, decider);
  }
  void expect_rejected(const std::string& reason) {
    const Replay result = check();
    EXPECT_EQ(result.outcome, Replay::Outcome::Rejected);
    EXPECT_EQ(result.reason, reason);
  }
  witness::Evidence& root() { return witness_.evidence[witness_.roots.front()]; }

  model::Rsm model_ = make_model();
  logic::FormulaPool pool_;
  witness::Witness witness_;
};

TEST_F(ReplayTest, AcceptsAPath) {
  make_path();
  EXPECT_TRUE(check().accepted()) << check().reason;
}

TEST_F(ReplayTest, RejectsAWrongStep) {
  make_path();
  root().path[2] = root().path[1];
  expect_rejected(
      "evidence 0, step 2: there is no transition from f.in (in call c of depth 1) to f.in (in "
      "call c of depth 1)");
}

TEST_F(ReplayTest, RejectsAStackThatDoesNotMatch) {
  make_path();
  root().path[2] = state("cd", "f", "out");
  expect_rejected(
      "evidence 0, step 2: the stack does not match: a local step changes it, from f.in (in call c "
      "of depth 1) to f.out (in call d of depth 2)");
}

TEST_F(ReplayTest, RejectsAStackThatCannotBe) {
  make_path();
  root().path[1] = state("d", "f", "in");
  expect_rejected("stack 2: procedure 'main' has no call 'd' of 'f'");
}

TEST_F(ReplayTest, RejectsAMissingLabel) {
  make_path();
  witness_.evidence[witness::EvidenceId(1)].state = state("c", "f", "out");
  expect_rejected("evidence 0, step 3: nothing shows the operand in the last state");
  root().path.pop_back();
  root().steps.pop_back();
  expect_rejected("evidence 1: the labels of f.out say otherwise");
}

TEST_F(ReplayTest, RejectsAMissingLabelOnTheWay) {
  make_recursion("done");
  expect_rejected("evidence 0, step 0: the labels of main.start do not fit");
}

TEST_F(ReplayTest, RejectsEvidenceForAnotherFormula) {
  make_path();
  const Replay result = replay(model_, pool_, formula("EF end"), witness_, nullptr);
  EXPECT_EQ(result.reason, "the evidence is for another formula");
}

TEST_F(ReplayTest, AcceptsALoopThatGrowsTheStack) {
  make_recursion("!done");
  EXPECT_TRUE(check().accepted()) << check().reason;
}

TEST_F(ReplayTest, AcceptsARunThatDecidesAPathFormula) {
  make_run("A (G F done)");
  EXPECT_TRUE(check().accepted()) << check().reason;
  make_run("A (X F done | F G done)");
  EXPECT_TRUE(check().accepted()) << check().reason;
}

TEST_F(ReplayTest, RejectsARunThatDoesNotDecideThePathFormula) {
  make_run("A (F G !done)");
  expect_rejected("evidence 0: the path does not decide the formula");
  make_run("A (X X Y true)");
  expect_rejected("evidence 0: the path does not decide the formula");
}

TEST_F(ReplayTest, RejectsARunForAClaimAboutAllPaths) {
  make_run("E (G F done)");
  expect_rejected("evidence 0: no such path can show the formula");
}

TEST_F(ReplayTest, RejectsARunThatGoesOn) {
  make_run("A (G F done)");
  root().ending = Ending::DeadEnd;
  expect_rejected("evidence 0, step 2: is no dead end");
  root().ending = Ending::Here;
  expect_rejected("evidence 0, step 2: is no dead end");
}

TEST_F(ReplayTest, AsksForWhatFormulasInsideOfAPathFormulaAre) {
  make_run("A (G F !EF done)", {"EF done"});
  EXPECT_EQ(check().outcome, Replay::Outcome::Unknown);
  Oracle agrees(Decision::Answer::Holds);
  EXPECT_TRUE(check(&agrees).accepted());
  EXPECT_GT(agrees.asked, 0U);
  Oracle differs(Decision::Answer::Fails);
  EXPECT_EQ(check(&differs).outcome, Replay::Outcome::Rejected);
}

TEST_F(ReplayTest, RejectsARunWithoutWhatIsInsideOfThePathFormula) {
  make_run("A (G F !EF done)");
  expect_rejected("evidence 0: evidence along the path is missing");
  make_run("A (G F !EF done)", {"EF done"});
  std::swap(root().along[0], root().along[1]);
  expect_rejected("evidence 0, step 0: evidence 2 is for another claim");
}

TEST_F(ReplayTest, RejectsALoopThatDoesNotClose) {
  make_recursion("!done");
  root().loop = 0;
  expect_rejected(
      "evidence 0, step 2: the loop does not close: f.in (in call d of depth 2) is not main.start");
}

TEST_F(ReplayTest, RejectsALoopThatReturnsFromItsCall) {
  // f leaves, main calls it again, and only then f calls itself. The second time round f would
  // have to leave as if main had called it, but it called itself.
  make_recursion("!done");
  root().path = {state("", "main", "start"), state("c", "f", "in"), state("c", "f", "out"),
                 state("c", "f", "in"), state("cd", "f", "in")};
  root().steps = {model::Step::Call, model::Step::Local, model::Step::ReturnCall,
                  model::Step::Call};
  root().loop = 1;
  expect_rejected("evidence 0, step 3: the loop returns from the call in which it begins");
  root().loop = 3;
  EXPECT_TRUE(check().accepted()) << check().reason;
}

TEST_F(ReplayTest, LaterRoundsOfAGrowingLoopAreDecidedAnew) {
  make_recursion("EF done");
  const witness::EvidenceId first = add(Kind::Until, "EF done", true, state("", "main", "start"));
  const witness::EvidenceId second = add(Kind::Until, "EF done", true, state("c", "f", "in"));
  const witness::EvidenceId end = add(Kind::Fact, "done", true, state("", "main", "end"));
  witness::Evidence& path = witness_.evidence[first];
  path.path = {state("", "main", "start"), state("c", "f", "in"), state("c", "f", "out"),
               state("", "main", "end")};
  path.steps = {model::Step::Call, model::Step::Local, model::Step::Return};
  path.parts = {end};
  witness::Evidence& joined = witness_.evidence[second];
  joined.path = {state("c", "f", "in")};
  joined.ending = Ending::Joins;
  joined.joins = first;
  joined.join_at = 1;
  root().along = {first, second};
  EXPECT_EQ(check().outcome, Replay::Outcome::Unknown);
  Oracle yes(Decision::Answer::Holds);
  EXPECT_TRUE(check(&yes).accepted()) << check(&yes).reason;
  EXPECT_EQ(yes.asked, 1U);  // one formula, one question
  EXPECT_GT(yes.nodes, model_.plain_node_count());
  Oracle no(Decision::Answer::Fails);
  EXPECT_EQ(check(&no).reason, "evidence 0, step 1: decided otherwise");
  Oracle unknown(Decision::Answer::Unknown);
  EXPECT_EQ(check(&unknown).outcome, Replay::Outcome::Unknown);
  EXPECT_EQ(check(&unknown).reason, "evidence 0, step 1: not decided: for a reason");
}

TEST_F(ReplayTest, NoTwoPiecesOfEvidenceRestOnEachOther) {
  make_path();
  root().ending = Ending::Joins;
  root().joins = witness_.roots.front();
  root().join_at = 3;
  expect_rejected("evidence 0: cannot go on as evidence 0 does");
}

TEST_F(ReplayTest, TheOutermostExitStays) {
  witness_.formula = formula("EF EG done");
  make_path();
  witness_.formula = formula("EF EG done");
  root().claim.formula = witness_.formula;
  witness::Evidence& stays = witness_.evidence[witness::EvidenceId(1)];
  stays.kind = Kind::Always;
  stays.claim.formula = formula("EG done");
  stays.path = {state("", "main", "end"), state("", "main", "end")};
  stays.steps = {model::Step::Stay};
  stays.ending = Ending::Loop;
  EXPECT_TRUE(check().accepted()) << check().reason;
  stays.path = {state("c", "f", "out"), state("c", "f", "out")};
  stays.state = state("c", "f", "out");
  expect_rejected("evidence 0, step 3: nothing shows the operand in the last state");
}

TEST_F(ReplayTest, AConnectiveNeedsTheOperandsThatDecideIt) {
  witness_.formula = formula("done & EX true");
  witness_.holds = false;
  const witness::EvidenceId both =
      add(Kind::Parts, "done & EX true", false, state("", "main", "start"));
  witness_.roots = {both};
  expect_rejected("evidence 0: the parts do not decide the formula");
  const witness::EvidenceId left = add(Kind::Fact, "done", false, state("", "main", "start"));
  witness_.evidence[both].parts = {left};
  EXPECT_TRUE(check().accepted()) << check().reason;
  witness_.evidence[left].claim.holds = true;
  expect_rejected("evidence 0: the parts do not decide the formula");
}

TEST_F(ReplayTest, ClaimsAboutAllPathsAreOnlyThat) {
  witness_.formula = formula("EF done");
  witness_.roots = {add(Kind::All, "EF done", true, state("", "main", "start"))};
  expect_rejected("evidence 0: not a claim about all paths");
  witness_.formula = formula("AG !done");
  root().claim.formula = witness_.formula;
  Oracle no(Decision::Answer::Fails);
  EXPECT_EQ(check(&no).reason, "evidence 0: decided otherwise");
  Oracle yes(Decision::Answer::Holds);
  EXPECT_TRUE(check(&yes).accepted());
}

}  // namespace
}  // namespace nestor::check
