// Random models and formulas: every engine against `reference` and against the unfolding.
//
//   differential [--pairs=N] [--seed=S] [--out=FOLDER]
//
// Case k of a run has seed S + k, so --seed=K --pairs=1 repeats one. A failing pair is reduced and
// written to FOLDER as a regression case.

#include "base/input.h"
#include "format/registry.h"
#include "logic/printer.h"
#include "pair.h"
#include "run_options.h"
#include "shrink.h"

#include <fmt/format.h>

#include <cstdio>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file
using nestor::test::Case;

constexpr std::size_t kFormulasPerModel = 4;
constexpr std::uint64_t kCasesPerBatch = 3;

void report(const Case& random, logic::FormulaPool& pool, std::size_t failing, std::uint64_t seed,
            const std::string& folder) {
  const auto fails = [&pool](const model::Rsm& model, logic::FormulaId formula) {
    return !test::disagreement(model, pool, formula).empty();
  };
  logic::FormulaId formula = random.formulas[failing];
  const format::FormatInfo& format = format::find_format("rsm", "");
  const std::string stem = fmt::format("{}/seed_{}", folder, seed);
  if (!fails(random.model, formula)) {
    fmt::print("seed {}: {}\n  answered otherwise together with other formulas than alone\n", seed,
               logic::to_string(pool, formula));
    return;
  }
  const model::Rsm copy =
      format::read_machine(format, base::Input::from_text("copy", format.write(random.model)));
  const test::Shrunk small =
      test::shrink(format::read_machine(format, base::Input::from_text("copy", format.write(copy))),
                   pool, formula, fails);
  const std::string why = test::disagreement(small.model, pool, small.formula);
  base::OutputFile model(stem + ".rsm");
  model.write(format.write(small.model));
  model.commit();
  base::OutputFile formulas(stem + ".ctl");
  formulas.write(
      fmt::format("# {}\n# EXPECT: FILL IN\n{}\n", why, logic::to_string(pool, small.formula)));
  formulas.commit();
  fmt::print("seed {}: {}\n  {}\n  reduced to {}.rsm and .ctl\n", seed, why,
             logic::to_string(pool, small.formula), stem);
}

}  // namespace

int main(int argc, char** argv) {
  const auto [pairs, seed, folder] = test::read_options(argc, argv, "--pairs", {20000, 1, "."});
  fmt::print("seed {}, {} pairs\n", seed, pairs);
  std::size_t failures = 0;
  std::size_t done = 0;
  for (std::size_t k = 0; done < pairs && failures < 3; ++k) {
    logic::FormulaPool pool;
    const Case random = (seed + k) % kCasesPerBatch == 0
                            ? test::make_batch(pool, seed + k)
                            : test::make_case(pool, seed + k, kFormulasPerModel);
    done += random.formulas.size();
    const std::size_t failing = test::first_disagreement(random, pool);
    if (failing < random.formulas.size()) {
      report(random, pool, failing, seed + k, folder);
      ++failures;
    }
  }
  fmt::print("{} failures\n", failures);
  return failures == 0 ? 0 : 1;
}
