// Growth: random programs of 10^4 to 10^7 nodes, four formulas. Time and memory a node, one process
// for each model so that its peak memory is its own. The default engine without its early end,
// which would answer most of these from a few states; `net` is without what the process had at its
// start.
//
//   growth_bench [LARGEST]      default 10000000

#include "base/limits.h"
#include "engine/registry.h"
#include "generate/random_program.h"
#include "logic/normal_form.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a benchmark's main file

constexpr const char* kFormulas[] = {"EF p", "AG (p -> EF q)", "AG (p -> AF q)", "A [p U q]"};

/// Processor time, so that what else the machine does counts little; one thread is used.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void measure(std::size_t nodes, const char* text) {
  keep_free_memory();  // as nestor does
  const std::size_t at_start = resident_bytes();
  Random random(nodes);
  RandomProgramOptions options;
  options.nodes = nodes;
  const Rsm model = random_program(options, random);
  const std::size_t after_build = peak_resident_bytes();
  FormulaPool pool;
  const FormulaId parsed = parse_formula(pool, text, {});
  const FormulaId formula = existential_normal_form(pool, parsed);
  const std::vector<FormulaId> formulas{formula};
  const auto count = static_cast<double>(model.node_count());
  const std::unique_ptr<Engine> engine = find_engine("summary-whole").make();
  Env env;
  const double start = processor_seconds();
  const Result result = engine->check({model, pool, formulas}, env)[0];
  const double seconds = processor_seconds() - start;
  fmt::print("{:>10} {:>10} {:<16} {:<7} {:>9} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f}\n",
             model.node_count(), model.component_count(), text, to_string(result.verdict),
             result.contexts, seconds / count * 1e9, static_cast<double>(after_build) / count,
             static_cast<double>(peak_resident_bytes()) / count,
             static_cast<double>(peak_resident_bytes() - at_start) / count);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000000;
  fmt::print("{:>10} {:>10} {:<16} {:<7} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "nodes", "procedures",
             "formula", "verdict", "contexts", "ns/node", "build B/n", "peak B/n", "net B/n");
  std::fflush(stdout);
  for (const char* formula : kFormulas) {
    for (std::size_t nodes = 10000; nodes <= largest; nodes *= 10) {
      const pid_t child = fork();
      if (child == 0) {
        measure(nodes, formula);
        std::_Exit(0);
      }
      int status = 0;
      if (waitpid(child, &status, 0) != child || status != 0) {
        fmt::print("{} nodes, {}: failed\n", nodes, formula);
        return 1;
      }
    }
  }
  return 0;
}
