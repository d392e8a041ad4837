// The scalability experiment of [DWF24], section 7.2: machine i of 1 … 50 has i components with i/3
// boxes and 3i nodes each; formula j has quantifier depth j/9. The default engine, also without its
// early end, on all 2500 pairs; eager and lazy on every fifth row and column, with the limits of
// the goal: 1 s and 1 GiB. Times are of the processor.
//
//   grid_bench [FOLDER]         FOLDER holds 1.ctl … 50.ctl; default:
//   $NESTOR_MODELS/random-formulas

#include "base/input.h"
#include "base/limits.h"
#include "engine/registry.h"
#include "generate/random_rsm.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <string_view>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a benchmark's main file

constexpr std::size_t kSize = 50;
constexpr std::size_t kEvery = 5;

struct Column {
  std::size_t pairs = 0;
  std::size_t decided = 0;
  double total = 0;
  double longest = 0;
  std::uint64_t contexts = 0;
  std::map<std::pair<std::size_t, std::size_t>, engine::Result> results;
};

model::Rsm machine(std::size_t i) {
  base::Random random(i);
  generate::RandomRsmOptions options;
  options.components = i;
  options.boxes = i / 3;
  options.nodes = 3 * i;
  return generate::random_rsm(options, random);
}

void add(Column& column, std::size_t i, std::size_t j, const engine::Result& result,
         double seconds) {
  ++column.pairs;
  column.decided += result.verdict == engine::Verdict::Unknown ? 0U : 1U;
  column.total += seconds;
  column.longest = std::max(column.longest, seconds);
  column.contexts += result.contexts;
  column.results[{i, j}] = result;
  column.results[{i, j}].seconds = seconds;
}

/// Processor time of this thread, the only one, to the nanosecond.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Geometric mean of the other engine's time over ours, on the pairs that both decide.
double speed_ratio(const Column& ours, const Column& other) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& [pair, result] : other.results) {
    if (result.verdict != engine::Verdict::Unknown) {
      sum += std::log(result.seconds / ours.results.at(pair).seconds);
      ++count;
    }
  }
  return count == 0 ? 0 : std::exp(sum / static_cast<double>(count));
}

}  // namespace

int main(int argc, char** argv) {
  const char* models = std::getenv("NESTOR_MODELS");
  const std::filesystem::path folder =
      argc > 1 ? std::filesystem::path(argv[1])
               : std::filesystem::path(models != nullptr ? models : "../shared/models") /
                     "random-formulas";
  if (!std::filesystem::exists(folder / "1.ctl")) {
    fmt::print("skipped: no formulas in {}\n", folder.string());
    return 0;
  }
  logic::FormulaPool pool;
  std::vector<logic::FormulaId> formulas;
  for (std::size_t j = 1; j <= kSize; ++j) {
    const base::Input input = base::Input::read((folder / fmt::format("{}.ctl", j)).string());
    formulas.push_back(logic::parse_formula_file(pool, input.text(), input.name()).at(0).formula);
  }
  std::map<std::string, Column> columns;
  std::size_t wrong = 0;
  for (std::size_t i = 1; i <= kSize; ++i) {
    const model::Rsm model = machine(i);
    for (const char* id : {"summary", "summary-whole", "lazy", "eager"}) {
      const std::unique_ptr<engine::Engine> engine = engine::find_engine(id).make();
      const bool ours = std::string_view(id).starts_with(engine::default_engine().id);
      for (std::size_t j = 1; j <= kSize; ++j) {
        if (!ours && (i % kEvery != 0 || j % kEvery != 0)) {
          continue;
        }
        engine::Env env;
        env.limits = {1.0, 1024};
        const std::vector<logic::FormulaId> one{formulas[j - 1]};
        const double start = processor_seconds();
        const engine::Result result = engine->check({model, pool, one}, env)[0];
        add(columns[id], i, j, result, processor_seconds() - start);
        const engine::Result& right = columns["summary"].results.at({i, j});
        wrong += result.verdict != engine::Verdict::Unknown &&
                         right.verdict != engine::Verdict::Unknown &&
                         result.verdict != right.verdict
                     ? 1U
                     : 0U;
      }
    }
  }
  fmt::print("{:<14} {:>6} {:>8} {:>10} {:>10} {:>12} {:>16}\n", "engine", "pairs", "decided",
             "total s", "longest s", "contexts", "time / summary");
  for (const auto& [id, column] : columns) {
    fmt::print("{:<14} {:>6} {:>8} {:>10.3f} {:>10.4f} {:>12} {:>16.2f}\n", id, column.pairs,
               column.decided, column.total, column.longest, column.contexts,
               speed_ratio(columns["summary"], column));
  }
  fmt::print("peak memory {} MB, disagreements {}\n", base::peak_resident_bytes() >> 20, wrong);
  return wrong == 0 ? 0 : 1;
}
