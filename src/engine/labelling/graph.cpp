#include "engine/labelling/graph.h"

namespace nestor::labelling {

namespace {
constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
constexpr std::uint32_t kOpen = kUnseen - 1;
}  // namespace

Graph::Graph(const Rsm& model, LimitGuard& guard)
    : model_(model), first_(model.component(model.initial_component()).first_node) {
  const IdRange<NodeId> nodes = model.component(model.initial_component()).nodes();
  guard.reserve(nodes.size() * (sizeof(NodeId) + sizeof(std::uint32_t)));
  node_of_.reserve(nodes.size());
  state_of_.assign(nodes.size(), kUnseen);
  for (const NodeId n : nodes) {
    if (state_of_[n - first_] == kUnseen) {
      search(n, guard);
    }
  }
  copy_transitions(guard);
}

void Graph::search(NodeId root, LimitGuard& guard) {
  struct Frame {
    NodeId node;
    std::uint32_t next = 0;  // place among its successors
  };
  std::vector<Frame> stack;
  const auto enter = [&](NodeId n) {
    state_of_[n - first_] = kOpen;
    stack.push_back({n, 0});
  };
  enter(root);
  while (!stack.empty()) {
    guard.tick();
    Frame& top = stack.back();
    const std::span<const NodeId> successors = model_.successors(top.node);
    if (top.next < successors.size()) {
      const NodeId n = successors[top.next++];
      if (state_of_[n - first_] == kUnseen) {
        enter(n);
      }
      continue;
    }
    state_of_[top.node - first_] = static_cast<std::uint32_t>(node_of_.size());
    node_of_.push_back(top.node);
    stack.pop_back();
  }
}

void Graph::copy_transitions(LimitGuard& guard) {
  guard.reserve(2 * sizeof(std::uint32_t) * (size() + model_.transition_count()));
  successors_ = Rows(size());
  predecessors_ = Rows(size());
  for (std::size_t s = 0; s < size(); ++s) {
    guard.tick();
    const std::span<const NodeId> next = model_.successors(node(s));
    successors_.count(StateNumber(s), static_cast<std::uint32_t>(next.size()));
    for (const NodeId n : next) {
      predecessors_.count(StateNumber(state(n)));
    }
  }
  successors_.finish_counting();
  predecessors_.finish_counting();
  for (std::size_t s = 0; s < size(); ++s) {
    guard.tick();
    for (const NodeId n : model_.successors(node(s))) {
      successors_.add(StateNumber(s), static_cast<std::uint32_t>(state(n)));
      predecessors_.add(StateNumber(state(n)), static_cast<std::uint32_t>(s));
    }
  }
}

}  // namespace nestor::labelling
