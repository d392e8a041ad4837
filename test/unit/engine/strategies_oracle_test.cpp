// The strategies beside a plain oracle: a machine without recursion is a finite graph once every
// call is unfolded, and on a finite graph formulas are labelled by iterating their fixpoints.
#include "base/random.h"
#include "engine/reference/reference.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "logic/normal_form.h"
#include "logic/parser.h"
#include "logic/printer.h"
#include "model/builder.h"
#include "strategy_list.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nestor::engine {
namespace {

using Ref = model::ModelBuilder::Ref;

/// The states (stack, node) that can be reached, node plain, with their successors
/// (docs/semantics.md).
class Unfolding {
 public:
  explicit Unfolding(const model::Rsm& model) : model_(model) {
    for (const model::NodeId n : model.initial_nodes()) {
      initial_.push_back(intern({{}, n}));
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const Configuration here = states_[i];
      std::vector<std::size_t> next;
      add_local(here.first, here.second, next);
      if (model.is_exit(here.second)) {
        if (here.first.empty()) {
          next.push_back(i);
        } else {
          Stack below = here.first;
          const model::BoxId box = below.back();
          below.pop_back();
          add_local(below, model.box(box).first_return + model.exit_index(here.second), next);
        }
      }
      successors_.push_back(next);
    }
  }

  bool holds(const logic::FormulaPool& pool, logic::FormulaId formula) const {
    std::map<logic::FormulaId, std::vector<char>> label;
    for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
      label[f] = labels(pool, f, label);
    }
    bool all = true;
    for (const std::size_t i : initial_) {
      all = all && label[formula][i] != 0;
    }
    return all;
  }

 private:
  using Stack = std::vector<model::BoxId>;
  using Configuration = std::pair<Stack, model::NodeId>;

  std::size_t intern(const Configuration& c) {
    const auto [found, is_new] = index_.try_emplace(c, states_.size());
    if (is_new) {
      states_.push_back(c);
    }
    return found->second;
  }
  void add_local(const Stack& stack, model::NodeId from, std::vector<std::size_t>& next) {
    for (const model::NodeId n : model_.successors(from)) {
      Stack there = stack;
      if (model_.kind(n) == model::NodeKind::Call) {
        there.push_back(model_.box_of(n));
      }
      next.push_back(intern({there, model_.origin(n)}));
    }
  }
  std::vector<char> labels(const logic::FormulaPool& pool, logic::FormulaId f,
                           std::map<logic::FormulaId, std::vector<char>>& label) const {
    const logic::Formula& here = pool[f];
    std::vector<char> result(states_.size(),
                             here.op == logic::Op::EG || here.op == logic::Op::True ? 1 : 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < states_.size(); ++i) {
        const std::vector<char>& ahead = here.op == logic::Op::EX ? label[here.left] : result;
        bool some = false;
        for (const std::size_t n : successors_[i]) {
          some = some || ahead[n] != 0;
        }
        bool value = result[i] != 0;
        switch (here.op) {
          case logic::Op::Atom:
            value = has_label(states_[i].second, pool.atom_name(f));
            break;
          case logic::Op::Not:
            value = label[here.left][i] == 0;
            break;
          case logic::Op::Or:
            value = label[here.left][i] != 0 || label[here.right][i] != 0;
            break;
          case logic::Op::EX:
            value = some;
            break;
          case logic::Op::EG:
            value = label[here.left][i] != 0 && (some || successors_[i].empty());
            break;
          case logic::Op::EU:
            value = label[here.right][i] != 0 || (label[here.left][i] != 0 && some);
            break;
          default:
            break;
        }
        changed = changed || value != (result[i] != 0);
        result[i] = value ? 1 : 0;
      }
    }
    return result;
  }
  bool has_label(model::NodeId n, std::string_view name) const {
    for (const model::PropId p : model_.props_of(n)) {
      if (model_.prop_name(p) == name) {
        return true;
      }
    }
    return false;
  }

  const model::Rsm& model_;
  std::vector<std::size_t> initial_;
  std::vector<Configuration> states_;
  std::map<Configuration, std::size_t> index_;
  std::vector<std::vector<std::size_t>> successors_;
};

void compare(std::uint64_t seed, bool with_boxes) {
  base::Random random(seed);
  generate::RandomRsmOptions shape;
  shape.components = with_boxes ? random.between(2, 4) : 1;
  shape.boxes = with_boxes ? random.between(1, 2) : 0;
  shape.nodes = random.between(2, 6);
  shape.entries = 0.3;
  shape.exits = 0.3;
  shape.density = random.chance(0.5) ? 0.2 : 0.35;
  shape.hierarchical = true;
  shape.entries_may_exit = random.chance(0.5);
  shape.into_entries = random.chance(0.5);
  shape.exits_go_on = random.chance(0.3);
  shape.dead_ends = random.chance(0.5);
  shape.any_initial_nodes = random.chance(0.3);
  const model::Rsm model = generate::random_rsm(shape, random);
  logic::FormulaPool pool;
  generate::RandomFormulaOptions options;
  options.quantifier_depth = random.between(0, 4);
  const logic::FormulaId formula =
      logic::existential_normal_form(pool, generate::random_formula(pool, options, random));
  const bool holds = Unfolding(model).holds(pool, formula);
  const std::vector<logic::FormulaId> formulas{formula};
  for (const Strategy& strategy : kStrategies) {
    Env env;
    env.seed = seed;
    env.choice = static_cast<Choice>(seed % 3);  // of lazy
    const Result result = strategy.make()->check(Task{model, pool, formulas}, env).front();
    ASSERT_EQ(to_string(result.verdict), to_string(holds ? Verdict::Holds : Verdict::Fails))
        << strategy.name << ", seed " << seed << ": " << logic::to_string(pool, formula);
  }
}

TEST(StrategiesOracle, FiniteModelsAsLabelled) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    compare(seed, false);
  }
}

TEST(StrategiesOracle, HierarchicalModelsAsUnfolded) {
  for (std::uint64_t seed = 100001; seed <= 103000; ++seed) {
    compare(seed, true);
  }
}

// Recursive machines beside `reference`, of a shape that keeps values unknown for long: few
// transitions, many exits. (test/random compares all engines on far more.)
TEST(StrategiesOracle, RecursiveModelsAsReference) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    base::Random random(seed);
    generate::RandomRsmOptions shape;
    shape.components = random.between(1, 5);
    shape.boxes = random.between(1, 4);
    shape.nodes = random.between(3, 12);
    shape.entries = 0.3;
    shape.exits = random.chance(0.5) ? 0.3 : 0.15;
    shape.density = random.chance(0.5) ? 0.08 : 0.15;
    shape.entries_may_exit = random.chance(0.4);
    shape.into_entries = random.chance(0.4);
    shape.exits_go_on = random.chance(0.3);
    shape.dead_ends = random.chance(0.4);
    const model::Rsm model = generate::random_rsm(shape, random);
    logic::FormulaPool pool;
    generate::RandomFormulaOptions options;
    options.quantifier_depth = random.between(1, 4);
    const std::vector<logic::FormulaId> formulas{
        logic::existential_normal_form(pool, generate::random_formula(pool, options, random))};
    Env env;
    env.seed = seed;
    const Task task{model, pool, formulas};
    const Verdict expected = reference::make_reference()->check(task, env).front().verdict;
    env.choice = static_cast<Choice>(seed % 3);  // of lazy
    for (const Strategy& strategy : kStrategies) {
      ASSERT_EQ(to_string(strategy.make()->check(task, env).front().verdict), to_string(expected))
          << strategy.name << ", seed " << seed << ": " << logic::to_string(pool, formulas.front());
    }
  }
}

// Resolving a cycle for the caller that asked must not answer for one that did not: f returns to a
// loop in one call and to p in the other. The second call is asked about only after the first has
// been resolved, because EU looks at its right operand first.
TEST(StrategiesOracle, ACycleIsResolvedOnlyForThoseWhoAsk) {
  model::ModelBuilder builder("shared.rsm");
  builder.component("main");
  builder.node({.name = "begin", .is_entry = true});
  builder.node({.name = "round"});
  builder.label("s");
  builder.node({.name = "ahead"});
  builder.label("t");
  builder.node({.name = "goal", .is_exit = true});
  builder.label("p");
  builder.box("in_the_loop", "f");
  builder.box("towards_goal", "f");
  builder.transition(Ref::node("begin"), Ref::node("round"));
  builder.transition(Ref::node("begin"), Ref::node("ahead"));
  builder.transition(Ref::node("round"), Ref::box_node("in_the_loop", "in"));
  builder.transition(Ref::box_node("in_the_loop", "out"), Ref::node("round"));
  builder.transition(Ref::node("ahead"), Ref::box_node("towards_goal", "in"));
  builder.transition(Ref::box_node("towards_goal", "out"), Ref::node("goal"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.initial_component("main");
  const model::Rsm model = builder.finish();
  logic::FormulaPool pool;
  const auto normal = [&pool](const char* text) {
    return logic::existential_normal_form(pool, logic::parse_formula(pool, text, {}));
  };
  const std::vector<logic::FormulaId> formulas{normal("EF (EX (s & EF p) | t & EF p)"),
                                               normal("EX (s & EF p)")};
  for (const Strategy& strategy : kStrategies) {
    Env env;
    const std::vector<Result> results = strategy.make()->check(Task{model, pool, formulas}, env);
    EXPECT_EQ(results[0].verdict, Verdict::Holds) << strategy.name;
    EXPECT_EQ(results[1].verdict, Verdict::Fails) << strategy.name;
  }
}

/// main calls f twice in a row; f calls itself or leaves by one of two exits; 10 nodes.
model::Rsm recursive_model() {
  model::ModelBuilder builder("ten.rsm");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "good"});
  builder.label("p");
  builder.node({.name = "bad"});
  builder.node({.name = "end", .is_exit = true});
  builder.box("first", "f");
  builder.box("second", "f");
  builder.transition(Ref::node("start"), Ref::box_node("first", "in"));
  builder.transition(Ref::box_node("first", "left"), Ref::node("good"));
  builder.transition(Ref::box_node("first", "right"), Ref::box_node("second", "in"));
  builder.transition(Ref::box_node("second", "left"), Ref::node("bad"));
  builder.transition(Ref::box_node("second", "right"), Ref::node("end"));
  builder.transition(Ref::node("good"), Ref::node("bad"));
  builder.transition(Ref::node("bad"), Ref::node("end"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "left", .is_exit = true});
  builder.node({.name = "right", .is_exit = true});
  builder.box("again", "f");
  builder.transition(Ref::node("in"), Ref::node("left"));
  builder.transition(Ref::node("in"), Ref::box_node("again", "in"));
  builder.transition(Ref::box_node("again", "left"), Ref::node("right"));
  builder.transition(Ref::box_node("again", "right"), Ref::node("right"));
  builder.initial_component("main");
  return builder.finish();
}

// Strategies with one deep formula: no stack overflow, and not more than linear work a context.
void expect_deep(std::span<const Strategy> strategies, logic::FormulaPool& pool,
                 logic::FormulaId formula, Verdict verdict) {
  const model::Rsm model = recursive_model();
  const std::vector<logic::FormulaId> formulas{formula};
  for (const Strategy& strategy : strategies) {
    Env env;
    const Result result = strategy.make()->check(Task{model, pool, formulas}, env).front();
    EXPECT_EQ(to_string(result.verdict), to_string(verdict)) << strategy.name;
  }
}

constexpr int kDepth = 100'000;

// EF EF … p is EF p.
logic::FormulaId nested_eventually(logic::FormulaPool& pool, int depth) {
  logic::FormulaId f = pool.atom("p");
  for (int i = 0; i < depth; ++i) {
    f = pool.binary(logic::Op::EU, pool.constant(true), f);
  }
  return f;
}

TEST(StrategiesDepth, EventuallyNested) {
  logic::FormulaPool pool;
  // Eager makes new contexts for every subformula, each as long as the formula.
  const std::span<const Strategy> all(kStrategies);
  expect_deep(all.first(1), pool, nested_eventually(pool, 1000), Verdict::Holds);
  expect_deep(all.subspan(1), pool, nested_eventually(pool, kDepth), Verdict::Holds);
}

TEST(StrategiesDepth, Disjunctions) {
  logic::FormulaPool pool;
  const logic::FormulaId next = pool.unary(logic::Op::EX, pool.atom("nowhere"));
  logic::FormulaId f = next;
  for (int i = 0; i < kDepth; ++i) {
    f = pool.binary(logic::Op::Or, pool.unary(logic::Op::Not, pool.unary(logic::Op::Not, f)), next);
  }
  expect_deep(kStrategies, pool, f, Verdict::Fails);
}

TEST(StrategiesDepth, NextNestedOnALoop) {
  // Without calls: with them, the number of contexts of EX EX … p is that of the stacks it sees.
  model::ModelBuilder builder("loop.rsm");
  builder.component("main");
  builder.node({.name = "a", .is_entry = true});
  builder.node({.name = "b"});
  builder.label("p");
  builder.transition(Ref::node("a"), Ref::node("b"));
  builder.transition(Ref::node("b"), Ref::node("a"));
  builder.initial_component("main");
  const model::Rsm model = builder.finish();
  logic::FormulaPool pool;
  logic::FormulaId f = pool.atom("p");
  for (int i = 0; i < kDepth; ++i) {  // an even number of steps
    f = pool.unary(logic::Op::EX, f);
  }
  const std::vector<logic::FormulaId> formulas{f, pool.unary(logic::Op::EX, f)};
  for (const Strategy& strategy : kStrategies) {
    Env env;
    const std::vector<Result> results = strategy.make()->check(Task{model, pool, formulas}, env);
    EXPECT_EQ(results[0].verdict, Verdict::Fails) << strategy.name;
    EXPECT_EQ(results[1].verdict, Verdict::Holds) << strategy.name;
  }
}

TEST(StrategiesLimits, StepsEndACheckWithTheirReason) {
  base::Random random(7);
  generate::RandomRsmOptions shape;
  shape.components = 30;
  shape.boxes = 10;
  shape.nodes = 90;
  const model::Rsm model = generate::random_rsm(shape, random);
  logic::FormulaPool pool;
  generate::RandomFormulaOptions options;
  options.quantifier_depth = 6;
  const std::vector<logic::FormulaId> formulas{
      logic::existential_normal_form(pool, generate::random_formula(pool, options, random))};
  for (const Strategy& strategy : kStrategies) {
    Env env;
    env.limits.steps = 100;
    const Result result = strategy.make()->check(Task{model, pool, formulas}, env).front();
    EXPECT_EQ(result.verdict, Verdict::Unknown) << strategy.name;
    EXPECT_EQ(result.reason, "more than 100 steps") << strategy.name;
  }
}

TEST(StrategiesRandom, TheSeedDecides) {
  base::Random random(11);
  generate::RandomRsmOptions shape;
  shape.components = 6;
  shape.boxes = 3;
  shape.nodes = 12;
  shape.exits = 0.3;
  const model::Rsm model = generate::random_rsm(shape, random);
  logic::FormulaPool pool;
  const std::vector<logic::FormulaId> formulas{logic::existential_normal_form(
      pool, logic::parse_formula(pool, "AG (a -> EF (b & EX EG c))", {}))};
  const auto contexts = [&](std::uint64_t seed) {
    Env env;
    env.seed = seed;
    return strategies::make_random()->check(Task{model, pool, formulas}, env).front().contexts;
  };
  EXPECT_EQ(contexts(5), contexts(5));
}

}  // namespace
}  // namespace nestor::engine
