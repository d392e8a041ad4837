#include "driver/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nestor/version.h>

namespace nestor::driver {

namespace {

constexpr std::size_t kMostShards = 1'000'000;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(Error::Kind::Usage,
              fmt::format("--shard: '{}' is no share, expected I/N with 1 ≤ I ≤ N ≤ {}", text,
                          kMostShards));
}

std::size_t number_in(std::string_view part, const std::string& whole) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (part.empty() || error != std::errc() || end != part.data() + part.size() || number == 0 ||
      number > kMostShards) {
    refuse(whole);
  }
  return number;
}

/// These write files of their own, or speak of one run.
void refuse_contradictions(const Options& options) {
  const auto refuse_with = [](std::string_view option) {
    throw Error(Error::Kind::Usage, fmt::format("{} and --shard cannot be given together", option));
  };
  const std::array<std::pair<std::string_view, bool>, 8> rows = {{
      {"--html", !options.html.empty()},
      {"--json-lines", options.json_lines},
      {"--certificate", !options.certificate.empty()},
      {"--certificate-dir", !options.certificate_dir.empty()},
      {"--witness-dot", !options.witness_dot.empty()},
      {"--witness=FILE", !options.witness.empty() && options.witness != "-"},
      {"--write-baseline", !options.write_baseline.empty()},
      {"--stats", options.stats},
  }};
  for (const auto& [option, is_given] : rows) {
    if (is_given) {
      refuse_with(option);
    }
  }
}

/// All that is read: parts of one report have read the same.
std::vector<std::string> inputs_of(const Options& options) {
  std::vector<std::string> files;
  const auto add = [&](const std::vector<std::string>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  add({options.model});
  add(options.link);
  add(options.formula_files);
  add(options.programs);
  add(options.rule_files);
  add({options.externals, options.baseline, options.shard_costs});
  std::erase(files, std::string());
  if (std::find(files.begin(), files.end(), "-") != files.end()) {
    throw Error(Error::Kind::Usage, "with --shard, no input can be standard input");
  }
  return files;
}

/// What a report does not depend on.
bool is_without_effect(const OptionRow& row) {
  constexpr std::array<std::string_view, 8> kNames = {"--shard", "--shard-costs", "-o,--output",
                                                      "--jobs",  "--stats",       "--progress",
                                                      "--quiet", "--reproducible"};
  return std::find(kNames.begin(), kNames.end(), row.name) != kNames.end();
}

}  // namespace

std::optional<Shard> shard_of(const Options& options) {
  if (options.shard.empty()) {
    if (!options.shard_costs.empty()) {
      throw Error(Error::Kind::Usage, "--shard-costs needs --shard");
    }
    return std::nullopt;
  }
  const std::string& text = options.shard;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    refuse(text);
  }
  Shard shard;
  shard.number = number_in(std::string_view(text).substr(0, slash), text);
  shard.count = number_in(std::string_view(text).substr(slash + 1), text);
  if (shard.number > shard.count) {
    refuse(text);
  }
  refuse_contradictions(options);
  inputs_of(options);
  if (!options.shard_costs.empty()) {
    shard.costs = read_costs(options.shard_costs);
  }
  return shard;
}

Part begin_part(const std::string& command, const Options& options, const Shard& shard) {
  return {.version = std::string(version()),
          .command = command,
          .number = shard.number,
          .count = shard.count,
          .input = files_digest(inputs_of(options)),
          .options = given_options(command, options, is_without_effect)};
}

}  // namespace nestor::driver
