#include "driver/load.h"

#include "base/input.h"
#include "base/sha256.h"
#include "driver/atoms.h"
#include "driver/bitcode.h"
#include "driver/progress.h"
#include "model/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace nestor {

namespace {

[[noreturn]] void refuse_unexplored(const std::string& model, const std::string& reason) {
  throw Error(Error::Kind::Unsupported,
              fmt::format("the states of the model cannot be explored: {}", reason), {model});
}

}  // namespace

DeadEnds dead_ends_of(const Options& options) {
  if (options.dead_ends == "loop") {
    return DeadEnds::Loop;
  }
  return options.dead_ends == "error" ? DeadEnds::Error : DeadEnds::Keep;
}

const FormatInfo& bitcode_format() {
  static constexpr FormatInfo kBitcode{"llvm", ".bc",
                                       "C and C++ programs as LLVM bitcode (.bc) or assembly (.ll)",
                                       nullptr, nullptr};
  return kBitcode;
}

const FormatInfo& find_input_format(std::string_view id, std::string_view path) {
  const FormatInfo& bitcode = bitcode_format();
  const bool is_bitcode =
      id.empty() ? path.ends_with(bitcode.extension) || path.ends_with(".ll") : id == bitcode.id;
  return is_bitcode ? bitcode : find_format(id, path);
}

Externals load_externals(const Options& options) {
  Externals externals = builtin_externals();
  if (!options.externals.empty()) {
    read_externals(Input::read(options.externals), externals);
  }
  return externals;
}

LoadedModel load_model(const Options& options, FormulaPool* properties_to,
                       Fingerprint fingerprint) {
  const Stopwatch watch;
  LoadedModel loaded;
  loaded.format = &find_input_format(options.from, options.model);
  if (loaded.format == &bitcode_format()) {
    load_bitcode(options, loaded);
    if (fingerprint == Fingerprint::Take) {
      loaded.sha256 = sha256_hex(find_format("rsm", "").write(loaded.model));
    }
    loaded.seconds = watch.seconds();
    return loaded;
  }
  if (!options.link.empty()) {
    throw Error(Error::Kind::Usage, "--link is for LLVM bitcode only");
  }
  const Input input = Input::read(options.model);
  if (loaded.format->read_all != nullptr) {
    ReadModel read =
        loaded.format->read_all(input, {dead_ends_of(options), limits_of(options), properties_to});
    loaded.states = std::move(read.states);
    loaded.properties = std::move(read.properties);
    loaded.unexplored = std::move(read.unexplored);
    if (!read.models.empty()) {
      loaded.model = std::move(read.models.front());
      loaded.other_models.assign(std::make_move_iterator(read.models.begin() + 1),
                                 std::make_move_iterator(read.models.end()));
    }
  } else if (loaded.format->read_states != nullptr) {
    loaded.states = loaded.format->read_states(input);
  } else {
    loaded.model = loaded.format->read(input, dead_ends_of(options));
  }
  if (properties_to != nullptr && loaded.format->read_properties != nullptr) {
    loaded.properties = loaded.format->read_properties(input, *properties_to);
  }
  if (fingerprint == Fingerprint::Take && loaded.states == nullptr && loaded.unexplored.empty()) {
    const FormatInfo& rsm = find_format("rsm", "");
    const bool as_it_stands = loaded.format == &rsm && options.dead_ends != "loop";
    loaded.sha256 = sha256_hex(as_it_stands ? input.text() : rsm.write(loaded.model));
  }
  loaded.name = input.name();
  loaded.input_bytes = input.size();
  loaded.seconds = watch.seconds();
  return loaded;
}

const Rsm& LoadedModel::model_of(std::size_t formula) const {
  const std::size_t m = formula < properties.size() ? properties[formula].model : 0;
  return m == 0 ? model : other_models[m - 1];
}

std::string LoadedModel::not_explainable() const {
  return model.component_count() == 0 ? "the states of the model were not explored" : "";
}

std::string LoadedModel::not_provable(std::size_t formula) const {
  if (fairness.constraints > 0) {
    return "the model has fairness constraints";
  }
  if (formula < properties.size() && properties[formula].model != 0) {
    return "the formula speaks of another model of the file; convert that to RSM JSON";
  }
  return {};
}

Limits limits_of(const Options& options) {
  Limits limits{options.timeout, options.memory, options.max_states};
  limits.steps = options.steps;
  return limits;
}

void explore_states(LoadedModel& loaded, std::span<const std::string> propositions,
                    const Options& options, const Streams& streams, Statistics* statistics) {
  const Stopwatch watch;
  std::atomic<std::size_t> found = 0;
  std::atomic<std::size_t> expanded = 0;
  ExploreSizes sizes;
  const auto count = [&] {
    if (statistics != nullptr) {
      statistics->add("explore.states", sizes.states);
      statistics->add("explore.transitions", sizes.transitions);
      statistics->add("explore.bits_per_state", sizes.state_bits);
      statistics->add("explore.states_bytes", sizes.states_bytes);
      statistics->add_seconds("explore.seconds", watch.seconds());
    }
  };
  ExploreOptions how;
  how.dead_ends = dead_ends_of(options);
  how.limits = limits_of(options);
  how.sizes = &sizes;
  how.fairness = &loaded.fairness;
  how.progress = [&](std::size_t states, std::size_t done) {
    found.store(states, std::memory_order_relaxed);
    expanded.store(done, std::memory_order_relaxed);
  };
  try {
    const Progress progress(streams, [&] {
      return fmt::format("{} states, {} expanded, {:.0f} a second …", found.load(), expanded.load(),
                         static_cast<double>(expanded.load()) / watch.seconds());
    });
    loaded.model = explore(loaded.states, propositions, how);
  } catch (const LimitReached&) {
    count();
    throw;
  }
  count();
}

void explore_or_refuse(LoadedModel& loaded, std::span<const std::string> propositions,
                       const Options& options, const Streams& streams) {
  try {
    explore_states(loaded, propositions, options, streams);
  } catch (const LimitReached& limit) {
    refuse_unexplored(loaded.name, limit.reason);
  }
}

LoadedModel load_whole_model(const Options& options, const Streams& streams) {
  FormulaPool properties;
  LoadedModel loaded = load_model(options, &properties);
  if (!loaded.unexplored.empty()) {
    refuse_unexplored(loaded.name, loaded.unexplored);
  }
  if (loaded.states != nullptr) {
    const std::vector<std::string> own = loaded.states->propositions();
    explore_or_refuse(loaded, own.empty() ? atoms_of(properties) : own, options, streams);
  }
  return loaded;
}

LoadedModel explored_or_refused(const LoadedModel& loaded, std::vector<std::string> propositions,
                                const Options& options, const Streams& streams) {
  try {
    return explored_with(loaded, std::move(propositions), options, streams);
  } catch (const LimitReached& limit) {
    refuse_unexplored(loaded.name, limit.reason);
  }
}

LoadedModel explored_with(const LoadedModel& loaded, std::vector<std::string> propositions,
                          const Options& options, const Streams& streams) {
  std::sort(propositions.begin(), propositions.end());
  propositions.erase(std::unique(propositions.begin(), propositions.end()), propositions.end());
  LoadedModel explored;
  explored.states = loaded.states;
  explored.name = loaded.name;
  explored.format = loaded.format;
  explore_states(explored, propositions, options, streams);
  explored.sha256 = sha256_hex(find_format("rsm", "").write(explored.model));
  return explored;
}

}  // namespace nestor
