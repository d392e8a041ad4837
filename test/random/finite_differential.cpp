// Random finite models: every engine against `reference`, the models' graphs explored state by
// state, almc on the fly, and the paths that the one-pass algorithm finds.
//
//   finite_differential [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "engine/finite/dfs.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "node_states.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulas = 4;

Rsm random_model(Random& random) {
  RandomRsmOptions options;
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
    for (LabelShare& label : options.labels) {
      label.share = share;
    }
  }
  return random_rsm(options, random);
}

FormulaId make_formula(FormulaPool& pool, Random& random) {
  RandomFormulaOptions options;
  options.quantifier_depth = random.between(1, 4);
  return random_formula(pool, options, random);
}

/// What is wrong with the path that `dfs` gives for subformula `i` in `s`; empty if nothing is.
std::string path_problem(DfsChecker& checker, const FiniteGraph& graph,
                         const SubformulaSequence& sub, std::uint32_t i, NodeId s) {
  const bool universal = sub[i].type == Subformula::Type::AU;
  const BitSet& left = checker.labeled(sub[i].left);
  const BitSet& right = checker.labeled(sub[i].right);
  const std::vector<NodeId> path = checker.path(i, s);
  if (path.empty() != (checker.labeled(i).test(s.value()) == universal)) {
    return "a path where there is none, or none where there is one";
  }
  if (path.empty()) {
    return {};
  }
  if (path.front() != s) {
    return "the path begins elsewhere";
  }
  std::set<NodeId> inner;
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
  const NodeId end = path.back();
  if (!universal) {
    return right.test(end.value()) ? "" : "the path ends before its goal";
  }
  const bool neither = !left.test(end.value()) && !right.test(end.value());
  const bool dead = !right.test(end.value()) && graph.successors(end).empty();
  return neither || dead || inner.contains(end) ? "" : "the end of the path is no counterexample";
}

std::string paths_problem(const Rsm& model, const FormulaPool& pool, FormulaId normal) {
  const FiniteGraph graph(model);
  const SubformulaSequence sub(pool, normal);
  LimitGuard guard({});
  DfsChecker checker(graph, pool, sub, guard);
  checker.evaluate(sub.length());
  for (std::uint32_t i = 0; i < sub.length(); ++i) {
    if (sub[i].type != Subformula::Type::AU && sub[i].type != Subformula::Type::EU) {
      continue;
    }
    for (const NodeId s : graph.states()) {
      if (std::string problem = path_problem(checker, graph, sub, i, s); !problem.empty()) {
        return problem;
      }
    }
  }
  return {};
}

std::string problem_of(const Rsm& model, FormulaPool& pool, FormulaId formula) {
  const std::vector<FormulaId> normal{existential_normal_form(pool, formula)};
  const Task task{model, pool, normal};
  Env env;
  const Verdict right = find_engine("reference").make()->check(task, env)[0].verdict;
  const auto states = std::make_shared<test::NodeStates>(model);
  const std::vector<std::string> props = {"a", "b", "c"};
  const Rsm explored = explore(states, props, {});
  for (const EngineInfo& info : engine_registry()) {
    const std::unique_ptr<Engine> engine = info.make();
    const auto compare = [&](const Result& result, std::string_view how) {
      return result.verdict == right
                 ? std::string()
                 : fmt::format("reference says {}, {} {} {} {}", to_string(right), info.id, how,
                               to_string(result.verdict), result.reason);
    };
    std::string problem;
    if (engine->cannot_handle(task).empty()) {
      problem = compare(engine->check(task, env)[0], "says");
    }
    const Task again{explored, pool, normal};
    if (problem.empty() && engine->cannot_handle(again).empty()) {
      problem = compare(engine->check(again, env)[0], "of the explored graph");
    }
    if (problem.empty() && engine->works_on_the_fly()) {
      problem = compare(engine->check_on_the_fly({*states, DeadEnds::Keep, pool, normal}, env)[0],
                        "on the fly");
    }
    if (!problem.empty()) {
      return problem;
    }
  }
  return paths_problem(model, pool, normal[0]);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"random finite models"};
  std::size_t cases = 1000;
  std::uint64_t seed = 1;
  app.add_option("--cases", cases);
  app.add_option("--seed", seed);
  CLI11_PARSE(app, argc, argv);
  fmt::print("seed {}, {} cases\n", seed, cases);
  std::size_t failures = 0;
  for (std::size_t k = 0; k < cases && failures < 3; ++k) {
    Random random(seed + k);
    FormulaPool pool;
    const Rsm model = random_model(random);
    for (std::size_t f = 0; f < kFormulas; ++f) {
      const FormulaId formula = make_formula(pool, random);
      const std::string problem = problem_of(model, pool, formula);
      if (!problem.empty()) {
        fmt::print("seed {}: {} states, {}\n  {}\n", seed + k, model.node_count(),
                   to_string(pool, formula), problem);
        ++failures;
      }
    }
  }
  fmt::print("{} failures\n", failures);
  return failures == 0 ? 0 : 1;
}
