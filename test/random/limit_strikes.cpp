// A limit may strike at any step and an allocation may fail anywhere; what comes afterwards in the
// same process, engine and state space must be right or unknown. Strikes random models with
// formulas at many places, for every engine, format that is explored, labelling, witness,
// certificate and the commands `check` and `probe`.
//
//   limit_strikes [--strikes=N] [--seed=S]
//
// Case k of a run has seed S + k; the run ends with the case in which N strikes have been made.

#include "run_options.h"
#include "strike.h"

#include <fmt/format.h>

int main(int argc, char** argv) {
  using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file
  const test::RunOptions options =
      test::read_options(argc, argv, "--strikes", {.count = 10'000, .seed = 1, .folder = {}});
  const std::uint64_t seed = options.seed;
  const std::size_t strikes = options.count;
  fmt::print("seed {}, at least {} strikes\n", seed, strikes);
  test::Report report;
  for (std::uint64_t k = seed; report.strikes() < strikes && report.failures() < 10; ++k) {
    const std::size_t before = report.failures();
    base::Random random(k);
    test::strike_engines(random, report);
    test::strike_explored(random, report);
    test::strike_evidence(random, report);
    test::strike_commands(random, report);
    if (report.failures() > before) {
      fmt::print("with seed {}\n", k);
    }
  }
  report.print();
  fmt::print("{} strikes, {} failures\n", report.strikes(), report.failures());
  return report.failures() == 0 ? 0 : 1;
}
