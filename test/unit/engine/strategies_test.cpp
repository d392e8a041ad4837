// The strategies of [DWF24] (src/engine/strategies) on the paper's own examples, and beside oracles
// that share nothing with them.
#include "engine/strategies/context_machine.h"
#include "engine/strategies/find_reason.h"
#include "engine/strategies/refine_ternary.h"
#include "logic/normal_form.h"
#include "logic/parser.h"
#include "paper_examples.h"
#include "strategy_list.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nestor::engine {
namespace {

using strategies::CallSite;
using strategies::ContextMachine;
using strategies::FindReason;
using strategies::InstanceId;
using strategies::RefineTernary;
using strategies::State;
using strategies::SubformulaTable;
using strategies::SubId;
using strategies::Ternary;

Result check(const Strategy& strategy, const model::Rsm& model, const std::string& text) {
  logic::FormulaPool pool;
  const std::vector<logic::FormulaId> formulas{logic::parse_formula(pool, text, {})};
  Env env;
  return strategy.make()->check(Task{model, pool, formulas}, env).front();
}

void expect_all(const model::Rsm& model, const std::string& text, Verdict verdict) {
  for (const Strategy& strategy : kStrategies) {
    EXPECT_EQ(to_string(check(strategy, model, text).verdict), to_string(verdict))
        << strategy.name << ": " << text;
  }
}

/// A machine on figure 3 with one formula, as the paper's examples take it step by step. Names:
/// `n4` is the generic instance's, `0:n4` the root's (n4⁰ in the paper), `3:n4` instance 3's.
class Figure3 {
 public:
  explicit Figure3(const std::string& text)
      : model_(figure_3()),
        formula_(logic::existential_normal_form(pool_, logic::parse_formula(pool_, text, {}))),
        guard_(base::Limits{}),
        table_(pool_, formula_),
        machine_(model_, table_, guard_, contexts_),
        refine_(machine_) {}

  const model::Rsm& model() const { return model_; }
  ContextMachine& machine() { return machine_; }
  RefineTernary& refine() { return refine_; }
  std::uint64_t contexts() const { return contexts_; }

  void refine_all() {
    for (const SubId f : table_.ids()) {
      refine_.start(f);
    }
  }
  SubId sub(const std::string& text) {
    const logic::FormulaId id =
        logic::existential_normal_form(pool_, logic::parse_formula(pool_, text, {}));
    for (const SubId f : table_.ids()) {
      if (table_[f].formula == id) {
        return f;
      }
    }
    ADD_FAILURE() << text << " is no subformula";
    return {};
  }
  State state(const std::string& name) const {
    const std::size_t colon = name.find(':');
    const model::NodeId n =
        find_node(model_, name.substr(colon == std::string::npos ? 0 : colon + 1));
    if (colon != std::string::npos) {
      return {InstanceId(std::stoul(name.substr(0, colon))), n};
    }
    for (const InstanceId i : machine_.instances()) {
      if (i != machine_.root() && machine_.instance(i).base == model_.component_of(n)) {
        return {i, n};
      }
    }
    return {};
  }
  Ternary value(const std::string& name, const std::string& text) {
    return machine_.value(state(name), sub(text));
  }
  Ternary context(const std::string& name, const std::string& text) {
    return machine_.context(state(name), sub(text));
  }
  void give(const std::string& exit, const std::string& text, Ternary value) {
    machine_.resolve_context(state(exit), sub(text), value);
  }
  CallSite site(std::size_t instance, const std::string& box) const {
    for (const model::BoxId b : model_.boxes()) {
      if (model_.box_name(b) == box) {
        return {InstanceId(instance), b};
      }
    }
    return {};
  }
  std::size_t alive() const {
    std::size_t count = 0;
    for (const InstanceId i : machine_.instances()) {
      count += machine_.alive(i) ? 1 : 0;
    }
    return count;
  }

 private:
  model::Rsm model_;
  logic::FormulaPool pool_;
  logic::FormulaId formula_;
  base::LimitGuard guard_;
  std::uint64_t contexts_ = 0;
  SubformulaTable table_;
  ContextMachine machine_;
  RefineTernary refine_;
};

constexpr Ternary kTrue = Ternary::True;
constexpr Ternary kFalse = Ternary::False;
constexpr Ternary kUnknown = Ternary::Unknown;

TEST(PaperExamples, Example2TheLastDefinitionIsNotUsed) {
  expect_all(figure_1(), "AG (def_i -> EF use_i)", Verdict::Fails);
  // The definition in main is used in b, behind the empty procedure.
  expect_all(figure_1(), "def_i & AX EF use_i", Verdict::Holds);
}

TEST(PaperExamples, Example3DescendingForEverSatisfiesEG) {
  expect_all(figure_3(), "EG grey", Verdict::Holds);
}

TEST(PaperExamples, Example4OnlyFiveContextsAreConsistent) {
  expect_all(figure_3(), "EF EG black", Verdict::Holds);
  // EAGERCHECK ends with exactly the reachable contexts: three of A1 (the initial one among them)
  // and two of A2. It is called step by step here, to look at its machine.
  Figure3 at("EF EG black");
  for (const SubId f : at.machine().table().ids()) {
    at.refine().start(f);
    for (std::vector<CallSite> boxes; !(boxes = at.machine().take_contextualisable()).empty();) {
      for (const CallSite& b : boxes) {
        if (at.machine().alive(b.instance)) {
          at.machine().contextualize(b);
        }
      }
      at.refine().run();
    }
    if (at.machine().table()[f].existential.valid()) {
      at.machine().resolve_everywhere(f);
      at.refine().run();
    }
  }
  std::set<std::vector<Ternary>> of_a1;
  std::set<std::vector<Ternary>> of_a2;
  for (const InstanceId i : at.machine().instances()) {
    if (at.machine().alive(i)) {
      const strategies::Instance& in = at.machine().instance(i);
      (in.exits == 2 ? of_a1 : of_a2).insert(in.gamma);
    }
  }
  // Rows: EG black, then EF EG black; columns n4, n5.
  EXPECT_EQ(of_a1, (std::set<std::vector<Ternary>>{{kTrue, kFalse, kTrue, kFalse},
                                                   {kFalse, kFalse, kFalse, kTrue},
                                                   {kFalse, kFalse, kTrue, kFalse}}));
  EXPECT_EQ(of_a2, (std::set<std::vector<Ternary>>{{kFalse, kTrue}, {kFalse, kFalse}}));
}

TEST(PaperExamples, Example5ATautologyMayBeUnknown) {
  // The proposition in the middle, which no node has, keeps the normal form from seeing it.
  const std::string tautology = "EF EG black | nowhere | !EF EG black";
  Figure3 at(tautology);
  at.refine_all();
  EXPECT_EQ(at.value("n5", "EF EG black"), kUnknown);
  EXPECT_EQ(at.value("n5", tautology), kUnknown);
  expect_all(figure_3(), tautology, Verdict::Holds);
}

TEST(PaperExamples, Example6RefineTernary) {
  // "otherwise γ = ff" is a misprint for ??: later γ1(n4, Φ) = ?? and n5 stays in Sat_opt.
  Figure3 at("EF EG white");
  at.give("n4", "EG white", kFalse);
  at.give("n6", "EG white", kTrue);
  at.give("n6", "EF EG white", kTrue);
  at.refine_all();
  for (const char* n : {"n6", "n3", "n2", "b2.n6"}) {  // Sat_pes; (b2,n3) is n3
    EXPECT_EQ(at.value(n, "EG white"), kTrue) << n;
  }
  EXPECT_EQ(at.value("n5", "EG white"), kUnknown);  // in Sat_opt only
  for (const char* n : {"n1", "n4", "b1.n4", "b1.n5"}) {
    EXPECT_EQ(at.value(n, "EG white"), kFalse) << n;
  }
  for (const char* n : {"n6", "n3", "n2", "b2.n6", "n1"}) {
    EXPECT_EQ(at.value(n, "EF EG white"), kTrue) << n;
  }
  for (const char* n : {"n4", "n5", "b1.n4", "b1.n5"}) {  // nothing becomes ff
    EXPECT_EQ(at.value(n, "EF EG white"), kUnknown) << n;
  }
}

TEST(PaperExamples, Example7WithoutContextsNothingCanBeDeduced) {
  Figure3 at("EF EG black");
  at.refine_all();
  EXPECT_EQ(at.value("0:n4", "EF EG black"), kTrue);      // (ε, n4) satisfies it
  EXPECT_EQ(at.value("0:b1.n4", "EF EG black"), kFalse);  // (b1, n4) does not
  EXPECT_EQ(at.value("n4", "EF EG black"), kUnknown);     // so no one value is right for n4
  EXPECT_EQ(at.value("0:n1", "EF EG black"), kUnknown);
}

TEST(PaperExamples, Example8Contextualize) {
  Figure3 at("EF black");
  at.give("n4", "EF black", kTrue);
  at.refine_all();
  // The paper's list leaves out (b1,n4), which it says is black.
  for (const char* n : {"n4", "b1.n5", "b2.n6", "b1.n4"}) {
    EXPECT_EQ(at.value(n, "EF black"), kTrue) << n;
  }
  for (const char* n : {"n1", "n2", "n3", "n5", "n6"}) {
    EXPECT_EQ(at.value(n, "EF black"), kUnknown) << n;
  }
  const std::size_t a1 = at.state("n4").instance.value();
  const std::uint64_t before = at.contexts();
  EXPECT_TRUE(at.machine().contextualize(at.site(a1, "b1")));
  EXPECT_EQ(at.contexts(), before + 1);
  const InstanceId a3 = at.machine().callee_of(at.site(a1, "b1"));
  EXPECT_EQ(at.machine().instance(a3).gamma, (std::vector<Ternary>{kTrue, kTrue}));
  at.refine().run();
  // b1' induces the same context: A3 itself has it.
  EXPECT_TRUE(at.machine().contextualize(at.site(a3.value(), "b1")));
  EXPECT_EQ(at.contexts(), before + 1);
  EXPECT_EQ(at.machine().callee_of(at.site(a3.value(), "b1")), a3);
  EXPECT_FALSE(at.machine().contextualize(at.site(a3.value(), "b1")));
}

TEST(PaperExamples, Example9Initialize) {
  Figure3 at("EF EG black");
  EXPECT_EQ(at.contexts(), 1);
  for (const char* f : {"EF EG black", "EG black"}) {
    EXPECT_EQ(at.context("0:n4", f), kTrue) << f;
    EXPECT_EQ(at.context("0:n5", f), kFalse) << f;
    EXPECT_EQ(at.context("n4", f), kUnknown) << f;
  }
}

TEST(PaperExamples, Example10GlobalDependencyCycle) {
  Figure3 at("EG white");
  EXPECT_EQ(at.context("0:n5", "EG white"), kTrue);
  EXPECT_EQ(at.context("0:n4", "EG white"), kFalse);
  at.refine_all();
  for (const char* n : {"n1", "n4", "b1.n4", "b1.n5", "0:n1", "0:n4", "0:b1.n4", "0:b1.n5"}) {
    EXPECT_EQ(at.value(n, "EG white"), kFalse) << n;
  }
  const std::vector<CallSite> boxes = at.machine().take_contextualisable();
  EXPECT_EQ(boxes.size(), 2);  // b1 and its copy; neither b2 nor its copy
  const InstanceId a1 = at.state("n4").instance;
  const InstanceId a2 = at.state("n6").instance;
  for (const CallSite& b : boxes) {
    if (at.machine().alive(b.instance)) {
      at.machine().contextualize(b);
    }
  }
  at.refine().run();
  while (true) {  // the copy's own b1 was inherited from A1
    const std::vector<CallSite> more = at.machine().take_contextualisable();
    if (more.empty()) {
      break;
    }
    at.machine().contextualize(more.front());
    at.refine().run();
  }
  const InstanceId a3 = at.machine().callee_of(at.site(0, "b1"));
  EXPECT_EQ(at.contexts(), 2);
  EXPECT_EQ(at.machine().instance(a3).gamma, (std::vector<Ternary>{kFalse, kFalse}));
  EXPECT_EQ(at.machine().callee_of(at.site(a3.value(), "b1")), a3);
  EXPECT_FALSE(at.machine().alive(a1));  // "this makes A1 unreachable; hence, we remove it"
  EXPECT_EQ(at.alive(), 3);              // figure 6
  const SubId f = at.sub("EG white");
  const std::vector<State> cycle{{a2, find_node(at.model(), "n3")},
                                 {a2, find_node(at.model(), "n6")},
                                 {a3, find_node(at.model(), "n2")},
                                 {a3, find_node(at.model(), "b2.n6")},
                                 at.state("0:n2"),
                                 at.state("0:b2.n6")};
  for (const State s : cycle) {
    EXPECT_EQ(at.machine().value(s, f), kUnknown);
  }
  EXPECT_TRUE(at.machine().resolve_everywhere(f));
  for (const State s : cycle) {
    EXPECT_EQ(at.machine().value(s, f), kTrue);
  }
  EXPECT_EQ(at.machine().context(cycle[1], f), kTrue);  // γ2(n6, Φ) = tt
  expect_all(figure_3(), "EG white", Verdict::Fails);
  expect_all(figure_3(), "EX EG white", Verdict::Holds);
}

TEST(PaperExamples, Example11LazyFormulaEvaluation) {
  for (const Strategy& strategy : kStrategies) {
    const Result result = check(strategy, figure_3(), "EX grey | EX E [grey U black]");
    EXPECT_EQ(result.verdict, Verdict::Holds) << strategy.name;
    if (std::string(strategy.name) == "eager") {
      EXPECT_GT(result.contexts, 1);
    } else {
      EXPECT_EQ(result.contexts, 1) << strategy.name;
    }
  }
}

TEST(PaperExamples, Example12CompleteHeuristicsContextualizeInVain) {
  const std::string text = "AX E [white U grey]";
  expect_all(figure_3(), text, Verdict::Fails);
  EXPECT_GT(check(kStrategies[1], figure_3(), text).contexts, 1);  // b1 is contextualisable
  EXPECT_EQ(check(kStrategies[2], figure_3(), text).contexts, 1);  // the cycle is all it needs
}

TEST(PaperExamples, Example13FindReason) {
  Figure3 at("AX E [white U grey]");
  at.refine_all();
  const SubId phi = at.sub("E [white U grey]");
  FindReason find_reason(at.machine());
  EXPECT_TRUE(find_reason.get_next_expansion().empty());
  std::set<std::string> explored;
  for (const FindReason::Pair& pair : find_reason.explored()) {
    if (pair.formula == phi) {
      explored.insert(at.model().describe(pair.state.node));
    }
  }
  // (b2,n3) is n3
  EXPECT_EQ(explored, (std::set<std::string>{"A2.n3", "A2.n6", "A1.b2.n6", "A1.n2"}));
  find_reason.resolve_cycle();
  at.refine().run();
  EXPECT_EQ(at.context("n6", "E [white U grey]"), kFalse);
  EXPECT_EQ(at.context("n5", "E [white U grey]"), kUnknown);  // "we do not modify γ(n5, φ)"
  EXPECT_EQ(at.value("0:n1", "AX E [white U grey]"), kFalse);
  EXPECT_EQ(at.contexts(), 1);
}

}  // namespace
}  // namespace nestor::engine
