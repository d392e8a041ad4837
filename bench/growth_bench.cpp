// Growth: random programs of 10^4 to 10^7 nodes, four formulas. Time and memory a node, each run in
// a process of its own so that its peak memory is its own; medians, because the small ones take a
// millisecond. The default engine without its early end, which would answer most of these from a
// few states. `net` is the peak without what the process had after checking a program of a hundred
// nodes: its code, its libraries and their tables.
//
//   growth_bench [LARGEST]      default 10000000

#include "base/limits.h"
#include "engine/registry.h"
#include "generate/random_program.h"
#include "logic/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a benchmark's main file

constexpr const char* kFormulas[] = {"EF p", "AG (p -> EF q)", "AG (p -> AF q)", "A [p U q]"};

/// Processor time, so that what else the machine does counts little; one thread is used.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// What a run sends to the process that started it.
struct Measured {
  std::size_t nodes = 0;
  std::size_t procedures = 0;
  std::uint64_t contexts = 0;
  engine::Verdict verdict = engine::Verdict::Unknown;
  double ns_a_node = 0;
  double building_a_node = 0;  // bytes
  double peak_a_node = 0;
  double net_a_node = 0;
};

model::Rsm program(std::size_t nodes) {
  base::Random random(nodes);
  generate::RandomProgramOptions options;
  options.nodes = nodes;
  return generate::random_program(options, random);
}

engine::Result check(const model::Rsm& model, const char* text) {
  logic::FormulaPool pool;
  const logic::FormulaId parsed = logic::parse_formula(pool, text, {});
  const std::vector<logic::FormulaId> formulas{parsed};
  const std::unique_ptr<engine::Engine> engine = engine::find_engine("summary-whole").make();
  engine::Env env;
  return engine->check({model, pool, formulas}, env)[0];
}

Measured measure(std::size_t nodes, const char* text) {
  base::keep_free_memory();  // as nestor does
  check(program(100), text);
  const auto at_start = static_cast<double>(base::peak_resident_bytes());
  const model::Rsm model = program(nodes);
  const auto count = static_cast<double>(model.node_count());
  Measured measured{.nodes = model.node_count(), .procedures = model.component_count()};
  measured.building_a_node = static_cast<double>(base::peak_resident_bytes()) / count;
  const double start = processor_seconds();
  const engine::Result result = check(model, text);
  measured.ns_a_node = (processor_seconds() - start) / count * 1e9;
  measured.contexts = result.contexts;
  measured.verdict = result.verdict;
  const auto peak = static_cast<double>(base::peak_resident_bytes());
  measured.peak_a_node = peak / count;
  measured.net_a_node = (peak - at_start) / count;
  return measured;
}

/// In a process of its own. False: it failed.
bool measure_apart(std::size_t nodes, const char* text, Measured& measured) {
  int ends[2];
  if (pipe(ends) != 0) {
    return false;
  }
  const pid_t child = fork();
  if (child == 0) {
    const Measured found = measure(nodes, text);
    std::_Exit(write(ends[1], &found, sizeof found) == sizeof found ? 0 : 1);
  }
  close(ends[1]);
  const bool read_all = child > 0 && read(ends[0], &measured, sizeof measured) == sizeof measured;
  close(ends[0]);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 && read_all;
}

double median(const std::vector<Measured>& runs, double Measured::*what) {
  std::vector<double> values(runs.size());
  std::transform(runs.begin(), runs.end(), values.begin(),
                 [what](const Measured& run) { return run.*what; });
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000000;
  fmt::print("{:>10} {:>10} {:<16} {:<7} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "nodes", "procedures",
             "formula", "verdict", "contexts", "ns/node", "build B/n", "peak B/n", "net B/n");
  for (const char* formula : kFormulas) {
    for (std::size_t nodes = 10000; nodes <= largest; nodes *= 10) {
      std::vector<Measured> runs(nodes <= 100000 ? 25 : nodes <= 1000000 ? 7 : 3);
      for (Measured& run : runs) {
        if (!measure_apart(nodes, formula, run)) {
          fmt::print("{} nodes, {}: failed\n", nodes, formula);
          return 1;
        }
      }
      const Measured& any = runs.front();
      fmt::print("{:>10} {:>10} {:<16} {:<7} {:>9} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f}\n",
                 any.nodes, any.procedures, formula, engine::to_string(any.verdict), any.contexts,
                 median(runs, &Measured::ns_a_node), median(runs, &Measured::building_a_node),
                 median(runs, &Measured::peak_a_node), median(runs, &Measured::net_a_node));
      std::fflush(stdout);
    }
  }
  return 0;
}
