// Witnesses with long paths: random models in which what a formula looks for is rare and far away,
// behind calls that return by one of several exits.
//
//   long_witnesses [--cases=N] [--seed=S]
//
// Every witness is replayed, and paths are compared in length with a search among the states.

#include "engine/registry.h"
#include "generate/random_rsm.h"
#include "logic/parser.h"
#include "run_options.h"
#include "witness_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::array kFormulas = {"EF p",           "E [!q U p]",       "AF p",
                                  "EG !q",          "A [!p W q]",       "EF (p & EX r)",
                                  "AG (q -> EF p)", "E [EX !p U p]",    "E [EF p U q & EF p]",
                                  "EG (EF p | q)",  "AF (p & EX EX r)", "A [EF q U p]"};
constexpr std::size_t kLong = 8;         // steps
constexpr std::size_t kLeastLong = 100;  // witnesses with that many

model::Rsm make_model(base::Random& random) {
  generate::RandomRsmOptions options;
  options.components = random.between(2, 5);
  options.nodes = random.between(5, 9);
  options.boxes = random.between(2, 5);
  options.entries = random.chance(0.6) ? 0.05 : 0.3;
  options.exits = random.chance(0.3) ? 0.05 : 0.35;
  options.density = random.chance(0.5) ? 0.04 : 0.07;
  options.hierarchical = random.chance(0.4);
  options.entries_may_exit = random.chance(0.5);
  options.exits_go_on = random.chance(0.2);
  options.dead_ends = random.chance(0.2);
  options.forward = random.chance(0.3);
  options.labels = {{"p", 0.03}, {"q", 0.06}, {"r", 0.5}};
  return generate::random_rsm(options, random);
}

struct Counts {
  std::size_t witnesses = 0;
  std::size_t long_paths = 0;
  std::size_t with_returns = 0;
  std::size_t loops = 0;
  std::size_t grown = 0;
  std::size_t most_steps = 0;
};

void count(const witness::Witness& witness, Counts& counts) {
  ++counts.witnesses;
  for (const witness::Evidence& e : witness.evidence) {
    counts.most_steps = std::max(counts.most_steps, e.steps.size());
    if (e.steps.size() >= kLong) {
      ++counts.long_paths;
      counts.with_returns +=
          std::find(e.steps.begin(), e.steps.end(), model::Step::Return) != e.steps.end() ? 1 : 0;
    }
    if (e.ending == witness::Evidence::Ending::Loop && e.steps.size() > 1) {
      ++counts.loops;
      counts.grown +=
          witness.states[e.path[e.loop]].stack != witness.states[e.path.back()].stack ? 1 : 0;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  fmt::print("seed {}, {} cases\n", seed, cases);
  std::size_t failures = 0;
  Counts counts;
  for (std::uint64_t k = seed; k < seed + cases && failures < 5; ++k) {
    base::Random random(k);
    const model::Rsm model = make_model(random);
    logic::FormulaPool pool;
    for (const char* text : kFormulas) {
      const logic::FormulaId formula = logic::parse_formula(pool, text, {});
      const std::vector<logic::FormulaId> formulas{formula};
      engine::Env env;
      const std::unique_ptr<engine::Engine> engine = engine::find_engine("summary").make();
      const engine::Verdict verdict =
          engine->check(engine::Task{model, pool, formulas}, env).front().verdict;
      const std::string fault = test::witness_fault(model, pool, formula, verdict);
      if (!fault.empty()) {
        fmt::print("seed {}: {}: {}\n", k, text, fault);
        ++failures;
      } else {
        count(*test::make_witness("summary", model, pool, formula, verdict), counts);
      }
    }
  }
  fmt::print(
      "{} witnesses, {} paths of {} steps or more, {} of them with returns, {} at most; {} "
      "loops, {} of them grow the stack; {} failures\n",
      counts.witnesses, counts.long_paths, kLong, counts.with_returns, counts.most_steps,
      counts.loops, counts.grown, failures);
  if (failures == 0 && (counts.with_returns < kLeastLong || counts.grown < kLeastLong)) {
    fmt::print("too few long ones to tell\n");
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
