// Random finite models: every engine against `reference`, the models' graphs explored state by
// state, almc on the fly, and the paths that the one-pass algorithm finds. Its witnesses are
// replayed, and so are those of fair paths, whose verdicts are compared with those of src/check.
// Formulas about infinite paths only are compared with fair paths under a constraint that is true.
//
//   finite_differential [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "check/fair_values.h"
#include "check/replay.h"
#include "engine/finite/dfs.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "logic/infinite_paths.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "node_states.h"
#include "run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulas = 4;

/// What was tested under fairness constraints.
struct Counts {
  std::size_t witnesses = 0;
  std::size_t loops = 0;
};

model::Rsm random_model(base::Random& random) {
  generate::RandomRsmOptions options;
  options.components = random.chance(0.9) ? 1 : 2;
  options.boxes = 0;
  options.nodes = random.chance(0.5) ? random.between(1, 6) : random.between(7, 40);
  options.exits = random.chance(0.5) ? 0.02 : 0.2;
  options.some_never_exit = random.chance(0.7);
  options.exits_go_on = random.chance(0.5);
  options.into_entries = true;
  options.entries_may_exit = random.chance(0.5);
  // Between one and three successors: long paths, large loops, and components of all sizes.
  options.density = (0.7 + 2.0 * static_cast<double>(random.below(100)) / 100) /
                    static_cast<double>(options.nodes);
  options.dead_ends = random.chance(0.6);
  options.forward = random.chance(0.2);
  options.any_initial_nodes = random.chance(0.5);
  if (random.chance(0.5)) {
    const double share = random.chance(0.5) ? 0.1 : 0.9;
    for (generate::LabelShare& label : options.labels) {
      label.share = share;
    }
  }
  return generate::random_rsm(options, random);
}

logic::FormulaId make_formula(logic::FormulaPool& pool, base::Random& random) {
  generate::RandomFormulaOptions options;
  options.quantifier_depth = random.between(1, 4);
  return generate::random_formula(pool, options, random);
}

/// What is wrong with the path that `dfs` gives for subformula `i` in `s`; empty if nothing is.
std::string path_problem(engine::finite::DfsChecker& checker,
                         const engine::finite::FiniteGraph& graph,
                         const engine::finite::SubformulaSequence& sub, std::uint32_t i,
                         model::NodeId s) {
  const bool universal = sub[i].type == engine::finite::Subformula::Type::AU;
  const base::BitSet& left = checker.labeled(sub[i].left);
  const base::BitSet& right = checker.labeled(sub[i].right);
  using Search = engine::finite::DfsChecker::Search;
  const std::vector<model::NodeId> path =
      checker.path(universal ? Search::Counterexample : Search::Witness, left, right, s);
  if (path.empty() != (checker.labeled(i).test(s.value()) == universal)) {
    return "a path where there is none, or none where there is one";
  }
  if (path.empty()) {
    return {};
  }
  if (path.front() != s) {
    return "the path begins elsewhere";
  }
  std::set<model::NodeId> inner;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    if (!std::ranges::count(graph.successors(path[k]), path[k + 1])) {
      return "a step of the path is no transition";
    }
    if (!left.test(path[k].value()) || right.test(path[k].value())) {
      return "the path goes through a state that it must not";
    }
    if (!inner.insert(path[k]).second) {
      return "the path comes twice to a state before its end";
    }
  }
  const model::NodeId end = path.back();
  if (!universal) {
    return right.test(end.value()) ? "" : "the path ends before its goal";
  }
  const bool neither = !left.test(end.value()) && !right.test(end.value());
  const bool dead = !right.test(end.value()) && graph.successors(end).empty();
  return neither || dead || inner.contains(end) ? "" : "the end of the path is no counterexample";
}

std::string paths_problem(const model::Rsm& model, const logic::FormulaPool& pool,
                          logic::FormulaId formula) {
  const engine::finite::FiniteGraph graph(model);
  const engine::finite::SubformulaSequence sub(pool, formula);
  base::LimitGuard guard({});
  engine::finite::DfsChecker checker(graph, pool, sub, guard);
  checker.evaluate(sub.length());
  for (std::uint32_t i = 0; i < sub.length(); ++i) {
    if (sub[i].type != engine::finite::Subformula::Type::AU &&
        sub[i].type != engine::finite::Subformula::Type::EU) {
      continue;
    }
    for (const model::NodeId s : graph.states()) {
      if (std::string problem = path_problem(checker, graph, sub, i, s); !problem.empty()) {
        return problem;
      }
    }
  }
  return {};
}

/// Decides claims about all paths for the replay.
class ReferenceDecider final : public check::Decider {
 public:
  std::vector<check::Decision> decide(const model::Rsm& model, logic::FormulaPool& pool,
                                      std::span<const logic::FormulaId> formulas) override {
    engine::Env env;
    std::vector<check::Decision> decisions;
    for (const engine::Result& result :
         engine::find_engine("reference").make()->check({model, pool, formulas}, env)) {
      decisions.push_back({result.verdict == engine::Verdict::Holds
                               ? check::Decision::Answer::Holds
                               : check::Decision::Answer::Fails,
                           ""});
    }
    return decisions;
  }
};

/// The evidence from the search stack of `dfs` has to be there and to be right.
std::string dfs_witness_problem(const model::Rsm& model, logic::FormulaPool& pool,
                                logic::FormulaId formula, bool holds) {
  engine::Env env;
  const std::optional<witness::Witness> witness =
      engine::find_engine("dfs").make()->explain({model, pool, formula, holds}, env);
  if (!witness) {
    return "dfs has no evidence of its own";
  }
  ReferenceDecider decider;
  const check::Replay replayed = check::replay(model, pool, formula, *witness, &decider);
  return replayed.accepted() ? "" : "the witness of dfs is rejected: " + replayed.reason;
}

/// Each transition satisfies each of a few constraints by chance.
model::Fairness random_fairness(const model::Rsm& model, base::Random& random) {
  model::Fairness fairness;
  fairness.constraints = static_cast<std::uint32_t>(random.between(1, 3));
  const double share = random.chance(0.5) ? 0.5 : 0.1;
  for (std::size_t t = 0; t < model.transition_count(); ++t) {
    std::uint32_t marks = 0;
    for (std::uint32_t c = 0; c < fairness.constraints; ++c) {
      marks |= random.chance(share) ? std::uint32_t{1} << c : 0;
    }
    fairness.marks.push_back(marks);
  }
  return fairness;
}

/// A constraint that no step of the loop satisfies any more: then the loop is no evidence.
std::string loop_problem(const model::Rsm& model, logic::FormulaPool& pool,
                         logic::FormulaId formula, const witness::Witness& witness,
                         const witness::Evidence& loop, model::Fairness fairness) {
  for (std::size_t i = loop.loop; i < loop.steps.size(); ++i) {
    const model::NodeId from = witness.states[loop.path[i]].node;
    const auto marks = fairness.marks_of(model, from);
    for (std::size_t k = 0; k < marks.size(); ++k) {
      if (model.successors(from)[k] == witness.states[loop.path[i + 1]].node) {
        fairness.marks[static_cast<std::size_t>(marks.data() + k - fairness.marks.data())] &= ~1U;
      }
    }
  }
  const check::Replay replayed = check::replay(model, pool, formula, witness, nullptr, &fairness);
  return replayed.outcome == check::Replay::Outcome::Rejected ? "" : "an unfair loop is accepted";
}

std::string fair_problem(const model::Rsm& model, logic::FormulaPool& pool,
                         logic::FormulaId formula, base::Random& random, Counts& counts) {
  const model::Fairness fairness = random_fairness(model, random);
  const std::vector<logic::FormulaId> formulas{formula};
  engine::Env env;
  const std::unique_ptr<engine::Engine> engine = engine::find_engine("labelling").make();
  const bool holds =
      engine->check({model, pool, formulas, &fairness}, env)[0].verdict == engine::Verdict::Holds;
  check::FairValues values(model, pool, fairness);
  bool right = true;
  bool any_fair = false;
  for (const model::NodeId n : model.initial_nodes()) {
    any_fair |= values.is_fair(n);
    right = right && (!values.is_fair(n) || values.holds(formula, n));
  }
  if (holds != right) {
    return "labelling is wrong under fairness";
  }
  if (!any_fair) {
    return {};
  }
  const std::optional<witness::Witness> witness =
      engine->explain({model, pool, formula, holds, &fairness}, env);
  if (!witness) {
    return "labelling has no evidence under fairness";
  }
  const check::Replay replayed = check::replay(model, pool, formula, *witness, nullptr, &fairness);
  if (!replayed.accepted()) {
    return "the fair witness is rejected: " + replayed.reason;
  }
  ++counts.witnesses;
  for (const witness::Evidence& e : witness->evidence) {
    if (e.kind == witness::Evidence::Kind::Always && e.ending == witness::Evidence::Ending::Loop) {
      ++counts.loops;
      if (std::string problem = loop_problem(model, pool, formula, *witness, e, fairness);
          !problem.empty()) {
        return problem;
      }
    }
  }
  return {};
}

/// That only infinite paths count is the same as a fairness constraint that every step satisfies.
std::string infinite_problem(const model::Rsm& model, logic::FormulaPool& pool,
                             logic::FormulaId formula) {
  const model::Fairness every_step{1, std::vector<std::uint32_t>(model.transition_count(), 1)};
  check::FairValues values(model, pool, every_step);
  bool right = true;
  for (const model::NodeId n : model.initial_nodes()) {
    right = right && (!values.is_fair(n) || values.holds(formula, n));
  }
  const std::vector<logic::FormulaId> formulas{logic::on_infinite_paths(pool, formula)};
  const engine::Task task{model, pool, formulas};
  engine::Env env;
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    const std::unique_ptr<engine::Engine> engine = info.make();
    if (!engine->cannot_handle(task).empty()) {
      continue;
    }
    const engine::Verdict verdict = engine->check(task, env)[0].verdict;
    if (verdict != (right ? engine::Verdict::Holds : engine::Verdict::Fails)) {
      return fmt::format("of infinite paths, the formula {}, {} says that it {}",
                         right ? "holds" : "fails", info.id, engine::to_string(verdict));
    }
  }
  return {};
}

std::string problem_of(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                       base::Random& random, Counts& counts) {
  const std::vector<logic::FormulaId> formulas{formula};
  const engine::Task task{model, pool, formulas};
  engine::Env env;
  const engine::Verdict right =
      engine::find_engine("reference").make()->check(task, env)[0].verdict;
  const auto states = std::make_shared<test::NodeStates>(model);
  const std::vector<std::string> props = {"a", "b", "c"};
  const model::Rsm explored = model::explore(states, props, {});
  for (const engine::EngineInfo& info : engine::engine_registry()) {
    const std::unique_ptr<engine::Engine> engine = info.make();
    const auto compare = [&](const engine::Result& result, std::string_view how) {
      return result.verdict == right
                 ? std::string()
                 : fmt::format("reference says {}, {} {} {} {}", engine::to_string(right), info.id,
                               how, engine::to_string(result.verdict), result.reason);
    };
    std::string problem;
    if (engine->cannot_handle(task).empty()) {
      problem = compare(engine->check(task, env)[0], "says");
    }
    const engine::Task again{explored, pool, formulas};
    if (problem.empty() && engine->cannot_handle(again).empty()) {
      problem = compare(engine->check(again, env)[0], "of the explored graph");
    }
    if (problem.empty() && engine->works_on_the_fly()) {
      problem = compare(
          engine->check_on_the_fly({*states, model::DeadEnds::Keep, pool, formulas}, env)[0],
          "on the fly");
    }
    if (!problem.empty()) {
      return problem;
    }
  }
  for (const model::Rsm* finite : {&model, &explored}) {
    if (std::string problem =
            dfs_witness_problem(*finite, pool, formula, right == engine::Verdict::Holds);
        !problem.empty()) {
      return problem;
    }
  }
  if (std::string problem = fair_problem(explored, pool, formula, random, counts);
      !problem.empty()) {
    return problem;
  }
  if (std::string problem = infinite_problem(explored, pool, formula); !problem.empty()) {
    return problem;
  }
  return paths_problem(model, pool, formula);
}

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  fmt::print("seed {}, {} cases\n", seed, cases);
  std::size_t failures = 0;
  Counts counts;
  for (std::size_t k = 0; k < cases && failures < 3; ++k) {
    base::Random random(seed + k);
    logic::FormulaPool pool;
    const model::Rsm model = random_model(random);
    for (std::size_t f = 0; f < kFormulas; ++f) {
      const logic::FormulaId formula = make_formula(pool, random);
      const std::string problem = problem_of(model, pool, formula, random, counts);
      if (!problem.empty()) {
        fmt::print("seed {}: {} states, {}\n  {}\n", seed + k, model.node_count(),
                   logic::to_string(pool, formula), problem);
        ++failures;
      }
    }
  }
  fmt::print("{} failures; {} fair witnesses with {} loops\n", failures, counts.witnesses,
             counts.loops);
  return failures == 0 ? 0 : 1;
}
