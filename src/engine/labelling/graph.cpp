#include "engine/labelling/graph.h"

#include <cassert>

namespace nestor::engine::labelling {

namespace {
constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
constexpr std::uint32_t kOpen = kUnseen - 1;
}  // namespace

Graph::Graph(const model::Rsm& model, base::LimitGuard& guard)
    : model_(model), first_(model.component(model.initial_component()).first_node) {
  const base::IdRange<model::NodeId> nodes = model.component(model.initial_component()).nodes();
  guard.reserve(nodes.size() * (sizeof(model::NodeId) + 3 * sizeof(std::uint32_t)) +
                2 * sizeof(std::uint32_t) * model.transition_count());
  node_of_.reserve(nodes.size());
  state_of_.assign(nodes.size(), kUnseen);
  for (const model::NodeId n : nodes) {
    if (state_of_[n - first_] == kUnseen) {
      search(n, guard);
    }
  }
  assert(node_of_.size() == nodes.size());
  close_loops();
  turn_round(guard);
}

void Graph::search(model::NodeId root, base::LimitGuard& guard) {
  struct Frame {
    model::NodeId node;
    std::uint32_t next = 0;  // place among its successors
  };
  std::vector<Frame> stack;
  const auto enter = [&](model::NodeId n) {
    state_of_[n - first_] = kOpen;
    stack.push_back({n, 0});
  };
  enter(root);
  while (!stack.empty()) {
    guard.tick();
    Frame& top = stack.back();
    const std::span<const model::NodeId> successors = model_.successors(top.node);
    if (top.next < successors.size()) {
      const model::NodeId n = successors[top.next++];
      if (state_of_[n - first_] == kUnseen) {
        enter(n);
      }
      continue;
    }
    leave(top.node);
    stack.pop_back();
  }
}

/// The node gets its number, and its successors are copied while they are still at hand. Those that
/// the search has not left yet, on loops, have no number: they are put in at the end.
void Graph::leave(model::NodeId n) {
  assert(state_of_[n - first_] == kOpen);
  const auto state = static_cast<std::uint32_t>(node_of_.size());
  state_of_[n - first_] = state;
  node_of_.push_back(n);
  row_.clear();
  for (const model::NodeId m : model_.successors(n)) {
    const std::uint32_t to = state_of_[m - first_];
    assert(to != kUnseen);  // the search has been there
    if (to == kOpen) {
      loops_.push_back({state, static_cast<std::uint32_t>(row_.size()), m});
    }
    row_.push_back(to);
  }
  successors_.append_row(row_);
}

void Graph::close_loops() {
  for (const Loop& loop : loops_) {
    successors_.replace(StateNumber(loop.state), loop.position,
                        static_cast<std::uint32_t>(state(loop.to)));
  }
  loops_ = {};
}

void Graph::turn_round(base::LimitGuard& guard) {
  predecessors_ = Rows(size());
  for (std::size_t s = 0; s < size(); ++s) {
    guard.tick();
    for (const std::uint32_t t : successors(s)) {
      assert(t < size());
      predecessors_.count(StateNumber(t));
    }
  }
  predecessors_.finish_counting();
  for (std::size_t s = 0; s < size(); ++s) {
    guard.tick();
    for (const std::uint32_t t : successors(s)) {
      predecessors_.add(StateNumber(t), static_cast<std::uint32_t>(s));
    }
  }
}

}  // namespace nestor::engine::labelling
