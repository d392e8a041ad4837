#pragma once

#include "base/debug_assert.h"
#include "engine/summary/control_flow.h"
#include "model/rsm.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::summary {

/// Components under contexts. An instance is a component with one context for each existential
/// subformula treated so far, and the formulas of the batch that reach it; each box leads to callee
/// instances, one for each group of formulas that hand on the same context.
///
/// Rows number the nodes of all instances, plain rows their plain nodes. Only live nodes have a
/// place in bottom_up().
template <class Word>
class Instances {
 public:
  struct Instance {
    model::ComponentId component;
    std::uint32_t parent = 0;  ///< the instance of the level before that this one refines
    Word formulas;             ///< those that reach it
    std::size_t first_row = 0;
    std::size_t first_plain = 0;
    std::size_t first_box = 0;  ///< where its boxes begin among all boxes of all instances
    model::NodeId first_node;   ///< the component's, kept here to save a look there
    model::BoxId first_box_id;  ///< likewise
  };
  struct Group {
    std::uint32_t callee = 0;  ///< instance
    Word formulas;
  };
  struct Caller {
    std::uint32_t instance = 0;
    model::BoxId box;
  };
  struct Place {
    std::uint32_t instance = 0;
    model::NodeId node;
  };
  /// A strongly connected component of the call graph of instances, as a stretch of bottom_up().
  struct Block {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t callees = 0;  ///< how many other blocks it calls
    std::vector<std::uint32_t> callers;
  };
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  explicit Instances(const model::Rsm& model) : model_(&model) {}

  std::uint32_t add(model::ComponentId c, std::uint32_t parent) {
    const model::Component& component = model_->component(c);
    Instance instance;
    instance.component = c;
    instance.parent = parent;
    instance.first_row = rows_;
    instance.first_plain = plain_rows_;
    instance.first_box = boxes_;
    instance.first_node = component.first_node;
    instance.first_box_id = component.first_box;
    rows_ += component.nodes().size();
    plain_rows_ += component.plain_nodes().size();
    boxes_ += component.boxes().size();
    instances_.push_back(instance);
    return static_cast<std::uint32_t>(instances_.size() - 1);
  }
  /// `formulas` of instance `i` call `callee` at `box`.
  void add_group(std::uint32_t i, model::BoxId box, std::uint32_t callee, const Word& formulas) {
    NESTOR_DEBUG_ASSERT(model_->box(box).callee == instances_[callee].component);
    NESTOR_DEBUG_ASSERT(!without(formulas, instances_[i].formulas).any());  // (17)
    pending_.push_back({i, box, {callee, formulas}});
  }
  void add_root(std::uint32_t i, const Word& formulas) { roots_.push_back({i, formulas}); }
  // When all instances and groups are there; each is done once, when first asked for.
  void link();                         ///< before groups() and callers()
  void sort(const ControlFlow& flow);  ///< before blocks(), bottom_up() and position()

  /// About what these two will allocate.
  std::size_t bytes_to_link() const {
    return pending_.size() * (sizeof(Group) + sizeof(Caller)) +
           (boxes_ + size()) * sizeof(std::uint32_t);
  }
  std::size_t bytes_to_sort() const {
    return position_.empty() ? bytes_to_link() + rows_ * (sizeof(Place) + sizeof(std::uint32_t))
                             : 0;
  }

  std::size_t size() const { return instances_.size(); }
  std::size_t row_count() const { return rows_; }
  std::size_t plain_row_count() const { return plain_rows_; }
  const Instance& operator[](std::uint32_t i) const { return instances_[i]; }
  Instance& operator[](std::uint32_t i) { return instances_[i]; }
  std::size_t row(std::uint32_t i, model::NodeId n) const {
    return instances_[i].first_row + (n - first_node(i));
  }
  std::size_t plain_row(std::uint32_t i, model::NodeId n) const {
    NESTOR_DEBUG_ASSERT(model_->component(instances_[i].component).plain_nodes().contains(n));
    return instances_[i].first_plain + (n - first_node(i));
  }
  model::NodeId first_node(std::uint32_t i) const { return instances_[i].first_node; }

  std::span<const Group> groups(std::uint32_t i, model::BoxId box) const {
    NESTOR_DEBUG_ASSERT(pending_.empty());
    const std::size_t b = instances_[i].first_box + (box - instances_[i].first_box_id);
    return {groups_.data() + first_group_[b], first_group_[b + 1] - first_group_[b]};
  }
  /// The boxes of instances that call instance `i`.
  std::span<const Caller> callers(std::uint32_t i) const {
    return {callers_.data() + first_caller_[i], first_caller_[i + 1] - first_caller_[i]};
  }
  /// The instances that the empty stack has, with the formulas for which it has them.
  std::span<const Group> roots() const { return roots_; }

  /// Callees first.
  std::span<const Block> blocks() const { return blocks_; }
  /// The live rows, block by block, and inside a block in the order of ControlFlow.
  std::span<const Place> bottom_up() const { return bottom_up_; }
  /// Where a row stands in bottom_up(), kNowhere if it is not live.
  std::uint32_t position(std::size_t row) const { return position_[row]; }

 private:
  struct Pending {
    std::uint32_t instance = 0;
    model::BoxId box;
    Group group;
  };

  base::StrongComponents find_blocks(const ControlFlow& flow) const;
  void connect_blocks(const std::vector<std::uint32_t>& block_of);

  const model::Rsm* model_;
  std::vector<Instance> instances_;
  std::size_t rows_ = 0;
  std::size_t plain_rows_ = 0;
  std::size_t boxes_ = 0;
  std::vector<Pending> pending_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> first_group_;
  std::vector<Caller> callers_;
  std::vector<std::uint32_t> first_caller_;
  std::vector<Group> roots_;
  std::vector<Block> blocks_;
  std::vector<Place> bottom_up_;
  std::vector<std::uint32_t> position_;
};

template <class Word>
void Instances<Word>::link() {
  if (!first_group_.empty()) {
    return;
  }
  first_group_.assign(boxes_ + 2, 0);
  first_caller_.assign(size() + 2, 0);
  const auto box_of = [this](const Pending& pending) {
    const Instance& instance = instances_[pending.instance];
    return instance.first_box + (pending.box - instance.first_box_id);
  };
  // Counting sorts; the counts are shifted by two so that they end up as first positions.
  for (const Pending& pending : pending_) {
    ++first_group_[box_of(pending) + 2];
    ++first_caller_[pending.group.callee + 2];
  }
  for (std::size_t b = 2; b < first_group_.size(); ++b) {
    first_group_[b] += first_group_[b - 1];
  }
  for (std::size_t i = 2; i < first_caller_.size(); ++i) {
    first_caller_[i] += first_caller_[i - 1];
  }
  groups_.resize(pending_.size());
  callers_.resize(pending_.size());
  for (const Pending& pending : pending_) {
    groups_[first_group_[box_of(pending) + 1]++] = pending.group;
    callers_[first_caller_[pending.group.callee + 1]++] = {pending.instance, pending.box};
  }
  pending_ = {};
}

template <class Word>
void Instances<Word>::sort(const ControlFlow& flow) {
  if (!position_.empty()) {
    return;
  }
  link();
  const base::StrongComponents blocks = find_blocks(flow);
  const std::vector<std::uint32_t>& block_of = blocks.of;
  blocks_.resize(blocks.count);
  connect_blocks(block_of);
  base::CompressedRows<model::ComponentId, std::uint32_t> of_component(model_->component_count());
  for (const Instance& instance : instances_) {
    of_component.count(instance.component);
  }
  of_component.finish_counting();
  for (std::uint32_t i = 0; i < size(); ++i) {
    of_component.add(instances_[i].component, i);
  }
  // A counting sort by block that keeps the order of the control flow.
  const auto for_each_row = [&](auto visit) {
    for (const model::NodeId n : flow.bottom_up()) {
      for (const std::uint32_t i : of_component[model_->component_of(n)]) {
        visit(i, n);
      }
    }
  };
  for_each_row([&](std::uint32_t i, model::NodeId) { ++blocks_[block_of[i]].last; });
  std::uint32_t rows = 0;
  for (Block& block : blocks_) {
    block.first = rows;
    rows += block.last;
    block.last = block.first;
  }
  position_.assign(rows_, kNowhere);
  bottom_up_.resize(rows);
  for_each_row([&](std::uint32_t i, model::NodeId n) {
    const std::uint32_t position = blocks_[block_of[i]].last++;
    NESTOR_DEBUG_ASSERT(position_[row(i, n)] == kNowhere);
    position_[row(i, n)] = position;
    bottom_up_[position] = {i, n};
  });
}

/// Where each component has one instance, the blocks of the control flow will do.
template <class Word>
base::StrongComponents Instances<Word>::find_blocks(const ControlFlow& flow) const {
  if (size() == flow.live_components().size()) {
    base::StrongComponents blocks;
    blocks.count = static_cast<std::uint32_t>(flow.recursion_count());
    for (const Instance& instance : instances_) {
      blocks.of.push_back(flow.recursion_of(instance.component));
    }
    return blocks;
  }
  const auto next = [this](std::uint32_t i, std::uint32_t& position) {
    const model::Component& component = model_->component(instances_[i].component);
    const std::uint32_t first = first_group_[instances_[i].first_box];
    const std::uint32_t last = first_group_[instances_[i].first_box + component.boxes().size()];
    return first + position < last ? groups_[first + position++].callee : kNowhere;
  };
  return base::strong_components(size(), next, [] {});
}

template <class Word>
void Instances<Word>::connect_blocks(const std::vector<std::uint32_t>& block_of) {
  std::vector<std::uint32_t> seen(blocks_.size(), kNowhere);
  for (std::uint32_t j = 0; j < size(); ++j) {
    // Instances of one block may repeat a caller: the count of callees then repeats it as well.
    for (const Caller& caller : callers(j)) {
      const std::uint32_t to = block_of[caller.instance];
      assert(to >= block_of[j]);  // callees first
      if (to != block_of[j] && seen[to] != j) {
        seen[to] = j;
        blocks_[block_of[j]].callers.push_back(to);
        ++blocks_[to].callees;
      }
    }
  }
}

}  // namespace nestor::engine::summary
