#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nestor/export.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

/// What one check may use. Nothing set: no limit.
struct Limits {
  std::optional<double> seconds = std::nullopt;
  std::optional<std::size_t> megabytes = std::nullopt;  ///< resident memory of the whole process
  /// Of a model that is given by its successor function.
  std::optional<std::uint64_t> states = std::nullopt;
  /// Work, counted: the same on every machine, however busy, and with any number of threads.
  std::optional<std::uint64_t> steps = std::nullopt;
  /// Null, or set by another thread that no longer wants the answer. Must outlive whoever looks.
  const std::atomic<bool>* cancelled = nullptr;
  /// What `seconds` are measured with.
  using Clock = std::chrono::steady_clock::time_point (*)();
  Clock now = std::chrono::steady_clock::now;

  bool is_cancelled() const {
    return cancelled != nullptr && cancelled->load(std::memory_order_relaxed);
  }
};

/// What to do with states without successors (docs/semantics.md).
enum class DeadEnds {
  Keep,      ///< a path ends there
  Infinite,  ///< stay as they are, but only infinite paths count
  Loop,      ///< each gets a self-loop
  Error,     ///< the model is refused
};

/// Which unknown operand, and which of the boxes behind it, the search of `lazy` follows (section
/// 8.1.1 of its paper).
enum class Choice : std::uint8_t {
  All,       ///< all of them: every box that one search finds gets its context
  Leftmost,  ///< the first one in the order of formula and model, then the search begins anew
  Random,    ///< any one, by the seed
};

/// How far the work has come.
struct Progress {
  enum class Work : std::uint8_t { Exploring, Deciding };
  Work work = Work::Deciding;
  std::size_t done = 0;   ///< states expanded; formulas decided
  std::size_t known = 0;  ///< states found; formulas asked
};

/// How questions are answered. Nothing of it changes a verdict, but for `unknown` and what dead
/// ends mean.
struct Settings {
  std::string engine = {};  ///< an id of engines(); empty: what suits the model
  Limits limits = {};       ///< for each formula, and for exploring the model
  /// What they mean, for Model::read(). A session throws Error (Usage) if its model has another.
  std::optional<DeadEnds> dead_ends = std::nullopt;
  unsigned jobs = 1;       ///< threads
  std::uint64_t seed = 1;  ///< of engines that choose at random
  Choice choice = Choice::All;
  /// `lazy` hands over to `ternary` where its search may never end or grows too large
  /// (docs/engines.md). If not, it may need limits to end.
  bool may_switch = true;
  /// Evidence will be asked for. An engine that could decide while it explores gets the whole
  /// model then, so that states are found once.
  bool wants_evidence = false;
  /// Of verify() and replay(): the formula is an invariant, fairness constraints do not count.
  bool all_paths = false;
  /// Called now and then, from any thread, one call at a time.
  std::function<void(const Progress&)> progress = {};
};

/// The stages that questions about nets go through before they are searched (docs/nets.md), each
/// with those above it.
enum class NetStage : std::uint8_t {
  Rewriting,
  Reductions,
  StateEquation,
  StubbornSets,
  DecisionDiagrams
};

/// Where a model is read from.
struct ModelSource {
  std::string path;                    ///< `-`: standard input
  std::string format = {};             ///< an id of formats(); empty: by the path's extension
  std::vector<std::string> link = {};  ///< of programs: further files
  std::string externals = {};          ///< likewise: a model of external functions
  std::size_t most_targets = 256;      ///< likewise: of one indirect call
  NetStage last_stage = NetStage::DecisionDiagrams;  ///< of nets
  /// Where the model starts: `COMPONENT`, or `COMPONENT:NODE`; empty: where the file says.
  std::string initial = {};
  bool properties = true;  ///< the properties in the file are read as well
  /// Certificates name the file by its SHA-256: found when one is asked for, from the same file.
  bool fingerprint = true;
};

enum class Verdict : std::uint8_t { Holds, Fails, Unknown };

/// `holds`, `fails` or `unknown`.
NESTOR_API std::string_view to_string(Verdict verdict);

/// The answer for one formula. Unknown is a result, not an error.
struct Result {
  Verdict verdict = Verdict::Unknown;
  std::string reason;          ///< of Unknown: what stopped the check
  std::uint64_t contexts = 0;  ///< contexts that the engine made, the initial one included
  double seconds = 0;          ///< an equal share of its batch where formulas are checked together
  std::string how = {};        ///< of Holds and Fails: what they come from, if not from all states
  std::string_view engine = {};  ///< the id of what decided, if not the engine that was chosen
};

}  // namespace nestor
