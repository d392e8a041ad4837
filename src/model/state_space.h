#pragma once

#include "model/builder.h"
#include "model/state_store.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nestor::model {

/// The state graph of a model, found only as far as it is looked at.
class StateSpace {
 public:
  StateSpace(SuccessorFunction& model, DeadEnds dead_ends, const base::Limits& limits);

  StateSpace(const StateSpace&) = delete;
  StateSpace& operator=(const StateSpace&) = delete;

  /// The initial states, ascending. These and successors() throw LimitReached, and Error (Input)
  /// for a dead end that is not allowed.
  std::vector<NodeId> initial(base::LimitGuard& guard);
  /// The distinct successors, the same each time. The span is valid until the next call.
  std::span<const NodeId> successors(NodeId n, base::LimitGuard& guard);
  /// Of a state whose successors are known: which fairness constraints the steps to them satisfy.
  /// Empty if the model has none.
  std::span<const std::uint32_t> marks(NodeId n) const {
    const Row& row = rows_[n.value()];
    return marks_.empty() ? std::span<const std::uint32_t>()
                          : std::span(marks_).subspan(row.first, row.size);
  }

  base::TakenState state(NodeId n) const { return store_[n]; }
  const SuccessorFunction& model() const { return store_.model(); }
  /// Nothing if the model does not know it.
  std::optional<std::uint32_t> find_proposition(std::string_view atom) {
    return model_.find_proposition(atom).number;
  }
  bool is_expanded(NodeId n) const { return rows_[n.value()].first != kNotExpanded; }
  std::size_t size() const { return store_.size(); }  ///< states found so far
  std::size_t expanded() const { return expanded_; }  ///< of which successors are known
  std::size_t transition_count() const { return transition_count_; }  ///< found so far
  std::size_t memory_bytes() const;

 private:
  struct Row {
    std::uint64_t first = kNotExpanded;
    std::uint32_t size = 0;
    NodeId parent;  // the state whose successors included it first; none for an initial state
  };
  static constexpr std::uint64_t kNotExpanded = ~std::uint64_t{0};
  static constexpr std::uint64_t kNotKept = kNotExpanded - 1;  // expanded

  std::vector<NodeId> path_to(NodeId n) const;
  /// The successors as the dead ends' meaning has them.
  std::span<const NodeId> expand(NodeId n, base::LimitGuard& guard);
  bool has_room_for(std::size_t transitions) const;

  SuccessorFunction& model_;
  DeadEnds dead_ends_;
  base::Limits limits_;
  StateStore store_;
  std::vector<NodeId> initial_;
  std::vector<Row> rows_;
  std::vector<NodeId> transitions_;
  NodeId looped_;                     // a dead end that follows itself
  std::vector<std::uint32_t> marks_;  // by transition, if there are fairness constraints
  std::size_t expanded_ = 0;
  std::size_t transition_count_ = 0;
};

}  // namespace nestor::model
