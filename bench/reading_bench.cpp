// How long reading a model takes, and how much memory, against simdjson parsing the same file.
// Ratios in one run: they mean the same on every machine.

#include "base/input.h"
#include "base/limits.h"
#include "format/registry.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kRuns = 15;

void parse_with_simdjson(const std::string& path) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.load(path).get(root) != simdjson::SUCCESS) {
    throw std::runtime_error(path + ": simdjson cannot parse it");
  }
}

void read_model(const std::string& path) {
  const nestor::Input input = nestor::Input::read(path);
  const nestor::Rsm model = nestor::find_format({}, path).read(input, nestor::DeadEnds::Keep);
  if (model.component_count() == 0) {
    throw std::runtime_error(path + ": no components");
  }
}

struct Cost {
  double milliseconds = 0;
  double megabytes = 0;  // the largest resident memory
};

/// In a process of its own, as a user's run would be: nothing allocated, no page mapped before.
template <class Work>
Cost cost_of(Work work, const std::string& path) {
  int ends[2] = {};
  if (pipe(ends) != 0) {
    throw std::runtime_error("no pipe");
  }
  const pid_t child = fork();
  if (child == 0) {
    Cost cost;
    const auto start = std::chrono::steady_clock::now();
    work(path);
    cost.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    cost.megabytes = static_cast<double>(nestor::peak_resident_bytes()) / 1e6;
    _exit(write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
  }
  close(ends[1]);
  Cost cost;
  const ssize_t got = read(ends[0], &cost, sizeof cost);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (got != sizeof cost || status != 0) {
    throw std::runtime_error(path + ": the measured process failed");
  }
  return cost;
}

Cost median(std::vector<Cost> costs) {
  Cost middle;
  const auto half = static_cast<std::ptrdiff_t>(costs.size() / 2);
  const auto take = [&](double Cost::*part) {
    std::nth_element(costs.begin(), costs.begin() + half, costs.end(),
                     [part](const Cost& a, const Cost& b) { return a.*part < b.*part; });
    middle.*part = costs[static_cast<std::size_t>(half)].*part;
  };
  take(&Cost::milliseconds);
  take(&Cost::megabytes);
  return middle;
}

void measure(const std::string& path) {
  const double megabytes = static_cast<double>(nestor::Input::read(path).size()) / 1e6;
  std::vector<Cost> simdjson_costs;
  std::vector<Cost> nestor_costs;
  for (int run = 0; run < kRuns; ++run) {  // alternating, so that both meet the same noise
    simdjson_costs.push_back(cost_of(parse_with_simdjson, path));
    nestor_costs.push_back(cost_of(read_model, path));
  }
  const Cost simdjson_cost = median(simdjson_costs);
  const Cost nestor_cost = median(nestor_costs);
  fmt::print("{:<40} {:>9.2f} {:>12.2f} {:>10.2f} {:>10.2f} {:>11.1f} {:>12.2f}\n",
             path.size() > 40 ? path.substr(path.size() - 40) : path, megabytes,
             simdjson_cost.milliseconds, nestor_cost.milliseconds,
             nestor_cost.milliseconds / simdjson_cost.milliseconds, nestor_cost.megabytes,
             nestor_cost.megabytes / megabytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: reading_bench MODEL.rsm…\n");
    return 2;
  }
  fmt::print("{:<40} {:>9} {:>12} {:>10} {:>10} {:>11} {:>12}\n", "model", "MB", "simdjson ms",
             "nestor ms", "time ratio", "nestor MB", "memory ratio");
  try {
    for (int i = 1; i < argc; ++i) {
      measure(argv[i]);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
