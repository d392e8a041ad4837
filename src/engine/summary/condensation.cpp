#include "engine/summary/control_flow.h"

#include <algorithm>

namespace nestor::summary {

namespace {

/// What the local value of `E true U g` at a node is computed from: its successors; for a call node
/// the entry, and the return nodes of the exits that the entry reaches.
class Dependencies {
 public:
  explicit Dependencies(const ControlFlow& flow) : flow_(flow), model_(flow.model()) {}

  /// The next dependency of n from position i on, which moves past it. Not valid: no more.
  NodeId next(NodeId n, std::uint32_t& i) const {
    if (model_.kind(n) != NodeKind::Call) {
      const std::span<const NodeId> successors = model_.successors(n);
      return i < successors.size() ? successors[i++] : NodeId();
    }
    const NodeId entry = model_.origin(n);
    if (i == 0) {
      ++i;
      return entry;
    }
    const std::span<const std::uint64_t> exits = flow_.exits_from(entry);
    const IdRange<NodeId> returns = model_.box(model_.box_of(n)).return_nodes();
    for (; i - 1 < returns.size(); ++i) {
      const std::uint32_t y = i - 1;
      if ((exits[y / 64] >> (y % 64) & 1) != 0) {
        ++i;
        return returns.front() + y;
      }
    }
    return {};
  }

 private:
  const ControlFlow& flow_;
  const Rsm& model_;
};

}  // namespace

Condensation::Condensation(const ControlFlow& flow, LimitGuard& guard)
    : class_of_(flow.model().node_count(), NodeId::kInvalid) {
  find_classes(flow, guard);
  connect_classes(flow, guard);
}

/// R. Tarjan: Depth-first search and linear graph algorithms. SIAM J. Comput. 1(2), 1972; with an
/// explicit stack. Classes come out bottom-up.
void Condensation::find_classes(const ControlFlow& flow, LimitGuard& guard) {
  struct Frame {
    NodeId node;
    std::uint32_t next = 0;
  };
  const Dependencies dependencies(flow);
  IdVector<NodeId, std::uint32_t> number(class_of_.size(), NodeId::kInvalid);
  IdVector<NodeId, std::uint32_t> lowest(class_of_.size(), 0);
  std::vector<NodeId> open;
  std::vector<Frame> stack;
  std::uint32_t count = 0;
  for (std::size_t i = flow.bottom_up().size(); i-- > 0;) {
    const NodeId root = flow.bottom_up()[i];
    if (number[root] == NodeId::kInvalid) {
      stack.push_back({root});
    }
    while (!stack.empty()) {
      guard.tick();
      Frame& frame = stack.back();
      const NodeId n = frame.node;
      if (frame.next == 0 && number[n] == NodeId::kInvalid) {
        number[n] = lowest[n] = count++;
        open.push_back(n);
      }
      const NodeId m = dependencies.next(n, frame.next);
      if (m.valid()) {
        if (number[m] == NodeId::kInvalid) {
          stack.push_back({m});
        } else if (class_of_[m] == NodeId::kInvalid) {
          lowest[n] = std::min(lowest[n], number[m]);
        }
        continue;
      }
      if (lowest[n] == number[n]) {
        NodeId member;
        do {
          member = open.back();
          open.pop_back();
          class_of_[member] = static_cast<std::uint32_t>(class_count_);
        } while (member != n);
        ++class_count_;
      }
      stack.pop_back();
      if (!stack.empty()) {
        const NodeId caller = stack.back().node;
        lowest[caller] = std::min(lowest[caller], lowest[n]);
      }
    }
  }
}

void Condensation::connect_classes(const ControlFlow& flow, LimitGuard& guard) {
  CompressedRows<NodeId, NodeId> members(class_count_);  // the row is a class
  for (const NodeId n : flow.bottom_up()) {
    members.count(NodeId(class_of_[n]));
  }
  members.finish_counting();
  for (const NodeId n : flow.bottom_up()) {
    members.add(NodeId(class_of_[n]), n);
  }
  const Dependencies dependencies(flow);
  std::vector<std::uint32_t> seen(class_count_, NodeId::kInvalid);
  first_successor_.push_back(0);
  for (std::uint32_t c = 0; c < class_count_; ++c) {
    for (const NodeId n : members[NodeId(c)]) {
      guard.tick();
      std::uint32_t i = 0;
      for (NodeId m = dependencies.next(n, i); m.valid(); m = dependencies.next(n, i)) {
        const std::uint32_t d = class_of_[m];
        if (d != c && seen[d] != c) {
          seen[d] = c;
          successors_.push_back(d);
        }
      }
    }
    first_successor_.push_back(static_cast<std::uint32_t>(successors_.size()));
  }
}

}  // namespace nestor::summary
