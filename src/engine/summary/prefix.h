#pragma once

#include "base/limits.h"
#include "engine/summary/shape.h"
#include "model/state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::summary {

/// The states nearest to the initial ones: the beginning of the state graph, stacks and all,
/// breadth first. Its first states are the initial ones. Those at its border are not expanded.
class Prefix {
 public:
  explicit Prefix(const model::Rsm& model);
  Prefix(const Prefix&) = delete;
  Prefix& operator=(const Prefix&) = delete;

  /// Expands states until there are `most`, or all, or one that has more successors than that.
  void grow(std::size_t most, base::LimitGuard& guard);

  std::size_t size() const { return states_.size(); }
  /// The model has no further states.
  bool is_whole() const { return expanded_count() == size(); }
  model::NodeId node(std::uint32_t state) const { return states_[model::StateId(state)].node; }
  bool is_expanded(std::uint32_t state) const { return state < expanded_count(); }
  /// Only of an expanded state.
  std::span<const std::uint32_t> successors(std::uint32_t state) const {
    return {successors_.data() + first_successor_[state],
            first_successor_[state + 1] - first_successor_[state]};
  }
  std::span<const std::uint32_t> predecessors(std::uint32_t state) const {
    return {predecessors_.data() + first_predecessor_[state],
            first_predecessor_[state + 1] - first_predecessor_[state]};
  }
  /// The states by node, so that those of one node are found together.
  std::span<const std::uint32_t> by_node() const { return by_node_; }
  std::span<const std::uint32_t> states_at(model::NodeId n) const;

 private:
  std::size_t expanded_count() const { return first_successor_.size() - 1; }
  std::size_t degree(const model::State& state) const;
  void expand(const model::State& state);
  void connect_backwards();

  const model::Rsm& model_;
  model::StackTable stacks_;
  base::IdVector<model::StateId, model::State> states_;
  model::StateIndex numbers_{states_};
  std::vector<std::uint32_t> successors_;
  std::vector<std::size_t> first_successor_{0};
  std::vector<std::uint32_t> predecessors_;
  std::vector<std::size_t> first_predecessor_;
  std::vector<std::uint32_t> by_node_;
};

/// The formulas that a prefix decides, for one root of a batch's shape.
template <class Word>
struct Decided {
  Word holds;
  Word fails;
};

/// What the prefix says for certain, whatever lies beyond it (lemma 7): by root. A formula is true,
/// false or unknown in a state; the border knows its propositions only.
template <class Word>
std::vector<Decided<Word>> decide(const model::Rsm& model, const Prefix& prefix, const Batch& batch,
                                  base::LimitGuard& guard);

}  // namespace nestor::engine::summary
