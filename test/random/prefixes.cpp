// Random models and formulas: whatever the first 1, 2, 3, 5, 8, … states of a model decide is what
// `reference` says, stays decided when more states are seen, and all is decided by the whole model.
//
//   prefixes [--pairs=N] [--seed=S]

#include "engine/registry.h"
#include "engine/summary/bits.h"
#include "engine/summary/prefix.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "pair.h"
#include "run_options.h"

#include <fmt/format.h>

#include <utility>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kFormulasPerModel = 8;
constexpr std::size_t kMostStates = 400;

struct Count {
  std::size_t pairs = 0;
  std::size_t early = 0;  // decided before the whole model is seen
  std::size_t whole = 0;  // batches for which the whole model was seen
};

/// What is wrong with the verdicts of growing prefixes on one batch; empty if nothing is.
template <class Word>
std::string wrong(const model::Rsm& model, const engine::summary::Batch& batch,
                  const std::vector<engine::Result>& right, Count& count) {
  const base::Limits none;
  base::LimitGuard guard(none);
  engine::summary::Prefix prefix(model);
  std::vector<bool> decided(batch.members.size());
  for (std::size_t most = 1, last = 1; most <= kMostStates && !prefix.is_whole();) {
    prefix.grow(most, guard);
    const std::vector<engine::summary::Decided<Word>> found =
        engine::summary::decide<Word>(model, prefix, batch, guard);
    for (std::size_t m = 0; m < batch.members.size(); ++m) {
      const bool holds = found[m / batch.width].holds.test(m % batch.width);
      const bool fails = found[m / batch.width].fails.test(m % batch.width);
      const engine::Verdict verdict = right[batch.members[m]].verdict;
      if ((holds && verdict != engine::Verdict::Holds) ||
          (fails && verdict != engine::Verdict::Fails)) {
        return fmt::format("formula {}: {} states say it {}", batch.members[m], prefix.size(),
                           holds ? "holds" : "fails");
      }
      if (decided[m] && !holds && !fails) {
        return fmt::format("formula {}: {} states say less than fewer states", batch.members[m],
                           prefix.size());
      }
      if (prefix.is_whole() && !holds && !fails) {
        return fmt::format("formula {}: the whole model leaves it open", batch.members[m]);
      }
      count.early += !decided[m] && (holds || fails) && !prefix.is_whole() ? 1U : 0U;
      decided[m] = holds || fails;
    }
    most += std::exchange(last, most);
  }
  count.whole += prefix.is_whole() ? 1U : 0U;
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto [pairs, seed, folder] = test::read_options(argc, argv, "--pairs", {10000, 1, "."});
  std::size_t failures = 0;
  Count count;
  for (std::size_t k = 0; count.pairs < pairs && failures < 3; ++k) {
    logic::FormulaPool pool;
    const test::Case random = k % 4 == 0 ? test::make_batch(pool, seed + k)
                                         : test::make_case(pool, seed + k, kFormulasPerModel);
    std::vector<logic::FormulaId> formulas;
    for (const logic::FormulaId formula : random.formulas) {
      formulas.push_back(logic::existential_normal_form(pool, formula));
    }
    count.pairs += formulas.size();
    const engine::Task task{random.model, pool, formulas};
    engine::Env env;
    env.limits.steps = test::kMostSteps;
    const std::vector<engine::Result> right =
        engine::find_engine("reference").make()->check(task, env);
    for (const engine::summary::Batch& batch :
         engine::summary::make_batches(task, engine::summary::WideBits::kCount).batches) {
      const std::string why = engine::summary::with_bits_for(batch.width, [&]<class Word>(Word) {
        return wrong<Word>(random.model, batch, right, count);
      });
      if (!why.empty()) {
        ++failures;
        fmt::print("seed {}, {}\n", seed + k, why);
      }
    }
  }
  fmt::print("seed {}, {} pairs, {} decided early, {} batches whole, {} failures\n", seed,
             count.pairs, count.early, count.whole, failures);
  return failures == 0 && count.early > pairs / 4 && count.whole > 0 ? 0 : 1;
}
