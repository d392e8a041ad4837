#pragma once

#include "base/inline.h"
#include "engine/strategies/subformula_table.h"
#include "model/rsm.h"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace nestor::engine::strategies {

/// A component under one context: what the paper calls a copy of a component.
using InstanceId = base::Id<struct InstanceTag>;

/// A node of an instance that carries values: a plain node or a return node. (A call node is the
/// callee's entry, so its values are found there.)
struct State {
  InstanceId instance;
  model::NodeId node;

  friend bool operator==(State, State) = default;
};

/// For each subformula the states where its value may have to be computed anew, so that refinement
/// after one change costs what the change reaches. Subformulas come out in ascending order.
class Agenda {
 public:
  explicit Agenda(std::size_t subformulas) : states_(subformulas), queued_(subformulas, false) {}

  /// Subformulas from `end` on have not been evaluated anywhere: nothing is noted for them.
  SubId end() const { return end_; }
  void extend_to(SubId end) { end_ = end; }

  NESTOR_INLINE void add(SubId f, State state) {
    if (f >= end_) {
      return;
    }
    states_[f].push_back(state);
    if (!queued_[f]) {
      queued_[f] = true;
      queue_.push(f);
    }
  }

  bool empty() const { return queue_.empty(); }
  /// Takes the smallest subformula with something to do; `states` receives its states.
  SubId take(std::vector<State>& states) {
    const SubId f = queue_.top();
    queue_.pop();
    queued_[f] = false;
    states.clear();
    states.swap(states_[f]);
    return f;
  }

 private:
  SubId end_{0};
  base::IdVector<SubId, std::vector<State>> states_;
  base::IdVector<SubId, bool> queued_;
  std::priority_queue<SubId, std::vector<SubId>, std::greater<>> queue_;
};

}  // namespace nestor::engine::strategies
