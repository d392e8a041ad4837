#pragma once

#include "base/limits.h"
#include "model/builder.h"
#include "model/fairness.h"
#include "model/rsm.h"
#include "model/successor_function.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace nestor::model {

/// What a graph takes, in bytes, and how large it is.
struct ExploreSizes {
  std::size_t states = 0;
  std::size_t transitions = 0;   ///< between distinct pairs of states
  std::size_t state_bits = 0;    ///< of one state, as packed at the end
  std::size_t states_bytes = 0;  ///< all states and their index, at the most
};

struct ExploreOptions {
  DeadEnds dead_ends = DeadEnds::Keep;
  base::Limits limits;
  /// Called now and then with how many states are known and how many of these are expanded.
  std::function<void(std::size_t states, std::size_t expanded)> progress;
  Fairness* fairness = nullptr;   ///< filled in with the graph's, when it is complete
  ExploreSizes* sizes = nullptr;  ///< filled in, also when a limit is reached
};

/// An exploration that can be continued after a limit was reached. While it is under way, nothing
/// else may make the states of `model` wider.
class Exploration {
 public:
  explicit Exploration(std::shared_ptr<SuccessorFunction> model);
  Exploration(Exploration&&) noexcept;
  Exploration& operator=(Exploration&&) noexcept;
  ~Exploration();

  /// Finds states until there are no more. Throws LimitReached, and then may be called again; Error
  /// (Input) for a dead end that is not allowed.
  void go_on(const ExploreOptions& options);
  /// After go_on() has returned: the machine, as explore() makes it. Once.
  Rsm finish(std::span<const std::string> propositions, const ExploreOptions& options);

 private:
  class Explorer;
  std::unique_ptr<Explorer> explorer_;
};

/// The whole state graph of `model`, breadth first, as a machine of one component without boxes.
/// Each of `propositions` that the model knows is a proposition of the machine, also if no state
/// satisfies it. Node names are made on demand from `model`. Throws LimitReached; Error (Input) for
/// a dead end that is not allowed.
Rsm explore(const std::shared_ptr<SuccessorFunction>& model,
            std::span<const std::string> propositions, const ExploreOptions& options);

/// Labels a machine that explore() made of `model` with those of `propositions` that `model` knows
/// and the machine does not have yet. Throws LimitReached; the machine is then as it was.
void label_explored(Rsm& machine, SuccessorFunction& model,
                    std::span<const std::string> propositions, const base::Limits& limits);

}  // namespace nestor::model
