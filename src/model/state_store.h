#pragma once

#include "base/limits.h"
#include "base/tree_state_set.h"
#include "model/node_names.h"
#include "model/successor_function.h"

#include <cassert>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace nestor::model {

/// The states of a model found so far, numbered, and the only way to find more. A limit or a lack
/// of memory may strike anywhere: what was found is kept, and one may go on. If the model's states
/// get wider, no other store may hold states of it that are not all expanded.
class StateStore {
 public:
  /// `path_to(n)`: the states on some path from an initial state to `n`, both included. Asked when
  /// states had to be made wider, to notice models that have infinitely many.
  using PathTo = std::function<std::vector<NodeId>(NodeId n)>;

  /// `grace`: how many states may still be found once it is clear that there are infinitely many.
  StateStore(SuccessorFunction& model, PathTo path_to, std::size_t grace = 0);

  /// The initial states, ascending. `limits` says how many states there may be; `guard` watches
  /// the rest. Throws LimitReached.
  std::vector<NodeId> initial(const base::Limits& limits, base::LimitGuard& guard);
  /// The distinct successors of `n`, ascending. The span is valid until the next call.
  std::span<const NodeId> expand(NodeId n, const base::Limits& limits, base::LimitGuard& guard);

  /// Of the last expand(): the marks of each of its steps. Empty if the model has no fairness.
  std::span<const std::uint32_t> marks() const { return marks_; }

  std::size_t size() const { return set_.size(); }
  base::TakenState operator[](NodeId n) const {
    assert(width_ == model_.times_wider());
    return set_[n.value()];
  }
  const SuccessorFunction& model() const { return model_; }
  std::size_t memory_bytes() const { return set_.memory_bytes(); }
  /// For when every state is expanded.
  void drop_index() { set_.drop_index(); }

 private:
  class Sink;

  void widen_states(base::LimitGuard& guard);
  void take_best_form(base::LimitGuard& guard);
  std::size_t words_of_sample(bool is_prepared, base::LimitGuard& guard) const;
  void take_less_if_large(const base::Limits& limits, base::LimitGuard& guard);
  void look_for_covering(NodeId expanded, base::LimitGuard& guard);
  bool is_covering(NodeId above, NodeId below);

  SuccessorFunction& model_;
  PathTo path_to_;
  std::size_t grace_;
  base::TreeStateSet set_;
  std::size_t looked_at_ = std::size_t{1} << 12;  // the size at which its memory is looked at
  std::uint32_t width_;                           // of the model, in which the states are
  std::string unbounded_;  // why there are infinitely many states; empty: not known
  std::size_t most_if_unbounded_ = 0;
  std::vector<NodeId> found_;
  std::vector<std::uint32_t> marks_;  // by place in found_; empty if there is no fairness
  std::vector<std::uint32_t> state_;  // a copy: the set may be replaced while it is expanded
};

}  // namespace nestor::model
