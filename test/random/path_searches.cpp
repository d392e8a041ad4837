// LTL on the fly, with and without fairness constraints: random graphs whose states are found while
// the formula is decided, against the same formula on the explored graph.
//
//   path_searches [--pairs=N] [--seed=S]

#include "engine/ctl_star/on_the_fly.h"
#include "engine/registry.h"
#include "generate/random_rsm.h"
#include "logic/infinite_paths.h"
#include "logic/path_formula.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "node_states.h"
#include "path_words.h"
#include "run_options.h"

#include <fmt/format.h>

#include <memory>
#include <random>
#include <string>

namespace nestor::test {
namespace {

const std::vector<std::string> kAtoms = {"a", "b", "c"};

model::Rsm random_graph(std::uint64_t seed) {
  base::Random random(seed);
  std::mt19937_64 coin(seed);
  generate::RandomRsmOptions options;
  options.components = 1;
  options.boxes = 0;
  options.nodes = 2 + coin() % 9;
  options.entries = coin() % 2 == 0 ? 0.1 : 0.4;
  options.density = coin() % 2 == 0 ? 0.15 : 0.3;
  options.into_entries = true;
  options.dead_ends = coin() % 2 == 0;
  return generate::random_rsm(options, random);
}

/// A, E, or a connective of both.
logic::FormulaId random_question(logic::FormulaPool& pool, std::mt19937_64& random) {
  const auto one = [&] {
    const logic::FormulaId path =
        random_path_formula(pool, random, static_cast<int>(1 + random() % 6), 3, random() % 4 == 0);
    return logic::quantified(pool, random() % 3 != 0, path);
  };
  const logic::FormulaId first = one();
  switch (random() % 6) {
    case 0:
      return pool.binary(logic::Op::Implies, first, one());
    case 1:
      return pool.binary(logic::Op::Xor, first, pool.unary(logic::Op::Not, one()));
    default:
      return first;
  }
}

int run(const RunOptions& options) {
  std::size_t wrong = 0;
  std::size_t failed = 0;
  std::size_t saved = 0;
  for (std::size_t i = 0; i < options.count && wrong < 5; ++i) {
    const std::uint64_t seed = options.seed + i;
    std::mt19937_64 random(seed);
    logic::FormulaPool pool;
    const model::Rsm graph = random_graph(seed);
    const auto constraints = static_cast<std::uint32_t>(random() % 2 == 0 ? 0 : 1 + random() % 2);
    const auto states = std::make_shared<NodeStates>(graph, constraints, seed);
    model::Fairness fairness;
    model::ExploreOptions how;
    how.fairness = &fairness;
    const model::Rsm explored = model::explore(states, kAtoms, how);
    logic::FormulaId formula = random_question(pool, random);
    if (constraints == 0 && random() % 3 == 0) {
      formula = logic::on_infinite_paths(pool, formula);
      if (!pool.is_ctl(formula) && logic::quantified_below(pool, formula).size() > 2) {
        continue;
      }
    }
    engine::Env env;
    base::Statistics statistics;
    env.statistics = &statistics;
    const std::unique_ptr<engine::Engine> engine = engine::path_engine().make();
    const engine::Result found =
        engine->check_on_the_fly({*states, model::DeadEnds::Keep, pool, {&formula, 1}}, env)[0];
    if (found.verdict == engine::Verdict::Unknown) {
      if (found.reason.find("nest") != std::string::npos) {
        continue;
      }
    }
    engine::Env plain;
    const engine::Verdict right =
        engine->check({explored, pool, {&formula, 1}, &fairness}, plain)[0].verdict;
    failed += right == engine::Verdict::Fails ? 1 : 0;
    saved += statistics.counters().at("explore.expanded") < explored.node_count() ? 1 : 0;
    // The same where hardly anything is near, so that the search goes deep.
    base::LimitGuard guard(plain.limits);
    model::StateSpace space(*states, model::DeadEnds::Keep, plain.limits);
    const bool deep = engine::ctl_star::holds_on_the_fly(space, pool, formula, guard,
                                                         {1 + random() % 3, 1 + random() % 8});
    if (found.verdict != right || deep != (right == engine::Verdict::Holds)) {
      ++wrong;
      fmt::print("seed {}: {} {} on the fly, {} explored, {} constraints\n", seed,
                 logic::to_string(pool, formula), engine::to_string(found.verdict),
                 engine::to_string(right), constraints);
    }
  }
  fmt::print("{} pairs, {} fail, {} without all states, {} wrong\n", options.count, failed, saved,
             wrong);
  return wrong == 0 && failed > options.count / 10 && saved > options.count / 10 ? 0 : 1;
}

}  // namespace
}  // namespace nestor::test

int main(int argc, char** argv) {
  return nestor::test::run(nestor::test::read_options(argc, argv, "--pairs", {10'000, 1, ""}));
}
