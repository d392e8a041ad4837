// Witnesses for random models and formulas, damaged in many ways: replay must reject each.
//
//   damaged_witnesses [--cases=N] [--seed=S]
//
// Also, each witness is written as JSON, read, found in the model, and written again: the same
// text.

#include "check/bind.h"
#include "check/replay.h"
#include "damage.h"
#include "engine/registry.h"
#include "logic/printer.h"
#include "pair.h"
#include "run_options.h"
#include "witness/witness_writer.h"
#include "witness_fault.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulasPerModel = 4;
constexpr std::size_t kLeastDone = 20;  // of each kind of damage

std::string json(const model::Rsm& model, const logic::FormulaPool& pool,
                 const witness::Witness& witness) {
  return witness::witness_json(model, pool, witness, logic::to_string(pool, witness.formula));
}

/// What is wrong with the way through JSON and back.
std::string round_trip_fault(const model::Rsm& model, logic::FormulaPool& pool,
                             const witness::Witness& witness) {
  const std::string text = json(model, pool, witness);
  const std::vector<witness::WitnessDocument> read =
      witness::read_witnesses(base::Input::from_text("witness", text));
  if (read.size() != 1) {
    return "not one witness";
  }
  const check::BoundWitness bound = check::bind_witness(read[0], model, pool);
  if (!bound.fault.empty()) {
    return bound.fault;
  }
  return json(model, pool, bound.witness) == text ? "" : "written again it is another text";
}

struct Counts {
  std::size_t done = 0;
  std::size_t accepted = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  fmt::print("seed {}, {} cases\n", seed, cases);
  std::map<std::string_view, Counts> counts;
  std::size_t failures = 0;
  test::ReferenceDecider decider;
  for (std::uint64_t k = seed; k < seed + cases && failures < 5; ++k) {
    logic::FormulaPool pool;
    const test::Case random_case = test::make_case(pool, k, kFormulasPerModel);
    const model::Rsm& model = random_case.model;
    base::Random random(k);
    for (const logic::FormulaId formula : random_case.formulas) {
      const std::vector<logic::FormulaId> formulas{formula};
      engine::Env env;
      const engine::Verdict verdict = engine::find_engine("reference")
                                          .make()
                                          ->check(engine::Task{model, pool, formulas}, env)
                                          .front()
                                          .verdict;
      const witness::Witness witness =
          *test::make_witness("summary", model, pool, formula, verdict);
      if (const std::string fault = round_trip_fault(model, pool, witness); !fault.empty()) {
        fmt::print("seed {}: {}: {}\n", k, logic::to_string(pool, formula), fault);
        ++failures;
      }
      for (const test::Damage& damage : test::damages()) {
        witness::Witness damaged = witness;
        if (!damage.apply(model, random, damaged)) {
          continue;
        }
        Counts& count = counts[damage.name];
        ++count.done;
        if (check::replay(model, pool, formula, damaged, &decider).outcome !=
            check::Replay::Outcome::Rejected) {
          fmt::print("seed {}: {}: not rejected: {}\n", k, logic::to_string(pool, formula),
                     damage.name);
          ++count.accepted;
          ++failures;
        }
      }
    }
  }
  for (const test::Damage& damage : test::damages()) {
    const Counts& count = counts[damage.name];
    fmt::print("{:<32} {:>6} times, {} not rejected\n", damage.name, count.done, count.accepted);
    if (count.done < kLeastDone && failures == 0) {
      fmt::print("too seldom to tell\n");
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}
