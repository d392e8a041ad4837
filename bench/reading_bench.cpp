// How long reading a model takes, and how much memory, against simdjson parsing the same file to
// its DOM. Each measurement is a process of its own, as a user's run is; the ratios of one run mean
// the same on every machine.
//
//   usage: reading_bench [MODEL.rsm…]        without any: a generated model

#include "base/input.h"
#include "base/random.h"
#include "format/registry.h"
#include "generate/random_rsm.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kRuns = 15;

// The work of the child processes.

int parse_with_simdjson(const char* path) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  return parser.load(path).get(root) == simdjson::SUCCESS ? 0 : 1;
}

int read_model(const char* path) {
  const nestor::base::Input input = nestor::base::Input::read(path);
  const nestor::model::Rsm model =
      nestor::format::read_machine(nestor::format::find_format({}, path), input);
  return model.component_count() == 0 ? 1 : 0;
}

struct Cost {
  double milliseconds = 0;
  double megabytes = 0;  // the largest resident memory
};

Cost cost_of(std::vector<std::string> command) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& argument : command) {
      arguments.push_back(argument.data());
    }
    arguments.push_back(nullptr);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(arguments.front(), arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const auto stop = std::chrono::steady_clock::now();
  if (child < 0 || status != 0) {
    throw std::runtime_error(fmt::format("{} failed", fmt::join(command, " ")));
  }
  return {std::chrono::duration<double, std::milli>(stop - start).count(),
          static_cast<double>(usage.ru_maxrss) * 1024 / 1e6};
}

Cost median(std::vector<Cost> costs) {
  Cost middle;
  const std::size_t half = costs.size() / 2;
  const auto take = [&](double Cost::*part) {
    std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(half), costs.end(),
                     [part](const Cost& a, const Cost& b) { return a.*part < b.*part; });
    middle.*part = costs[half].*part;
  };
  take(&Cost::milliseconds);
  take(&Cost::megabytes);
  return middle;
}

void measure(const std::string& self, const std::string& path) {
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::vector<Cost> simdjson;
  std::vector<Cost> library;
  std::vector<Cost> command;
  for (int run = 0; run < kRuns; ++run) {  // in turn, so that all meet the same noise
    simdjson.push_back(cost_of({self, "--simdjson", path}));
    library.push_back(cost_of({self, "--read", path}));
    command.push_back(cost_of({NESTOR_COMMAND, "info", path}));
  }
  const double base = median(simdjson).milliseconds;
  fmt::print("{} ({:.2f} MB)\n", path, megabytes);
  const auto row = [&](const char* what, const Cost& cost) {
    fmt::print("  {:<16} {:>9.2f} ms {:>6.2f} times {:>9.1f} MB {:>6.2f} times the file\n", what,
               cost.milliseconds, cost.milliseconds / base, cost.megabytes,
               cost.megabytes / megabytes);
  };
  row("simdjson DOM", median(simdjson));
  row("reading", median(library));
  row("nestor info", median(command));
}

/// About 10 MB with short names, where reading does most for each byte.
void measure_generated(const std::string& self) {
  nestor::generate::RandomRsmOptions options;
  options.components = 600;
  options.boxes = 6;
  options.nodes = 40;
  options.density = 0.05;
  nestor::base::Random random(1);
  const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("nestor_bench_{}.rsm", getpid());
  nestor::base::OutputFile file(path);
  file.write(
      nestor::format::find_format("rsm", "").write(nestor::generate::random_rsm(options, random)));
  file.commit();
  try {
    measure(self, path);
  } catch (...) {
    std::filesystem::remove(path);
    throw;
  }
  std::filesystem::remove(path);
}

int run(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[1] : "";
  if (mode == "--simdjson") {
    return parse_with_simdjson(argv[2]);
  }
  if (mode == "--read") {
    return read_model(argv[2]);
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  if (argc < 2) {
    measure_generated(self);
  }
  for (int i = 1; i < argc; ++i) {
    measure(self, argv[i]);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
