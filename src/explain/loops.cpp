#include "explain/loops.h"

#include "base/error.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace nestor {

/// Tarjan's algorithm for strongly connected components, with its own stack.
class Loops::Search {
 public:
  Search(Loops& loops, LimitGuard& guard)
      : loops_(loops),
        guard_(guard),
        index_(loops.graph_.row_count(), 0),
        low_(loops.graph_.row_count(), 0) {}

  void from(std::uint32_t instance, NodeId n) {
    if (index_[loops_.graph_.row(instance, n)] != 0) {
      return;
    }
    open(instance, n);
    while (!frames_.empty()) {
      guard_.tick();
      Frame& frame = frames_.back();
      if (frame.next < frame.edges.size()) {
        const Edge edge = frame.edges[frame.next++];
        const std::size_t to = loops_.graph_.row(edge.instance, edge.node);
        if (index_[to] == 0) {
          open(edge.instance, edge.node);
        } else if (loops_.number_[to] == 0) {
          low_[frame.row] = std::min(low_[frame.row], index_[to]);
          if (to == frame.row) {
            loops_.on_loop_.set(to);
          }
        }
        continue;
      }
      close();
    }
  }

 private:
  struct Frame {
    std::size_t row = 0;
    std::vector<Edge> edges;
    std::size_t next = 0;
  };

  void open(std::uint32_t instance, NodeId n) {
    const std::size_t row = loops_.graph_.row(instance, n);
    index_[row] = low_[row] = ++last_index_;
    members_.push_back(row);
    frames_.push_back({row, loops_.edges(instance, n), 0});
  }

  void close() {
    const std::size_t row = frames_.back().row;
    frames_.pop_back();
    if (!frames_.empty()) {
      low_[frames_.back().row] = std::min(low_[frames_.back().row], low_[row]);
    }
    if (low_[row] != index_[row]) {
      return;
    }
    ++last_number_;
    const bool alone = members_.back() == row;
    for (bool more = true; more;) {
      const std::size_t member = members_.back();
      members_.pop_back();
      loops_.number_[member] = last_number_;
      if (!alone) {
        loops_.on_loop_.set(member);
      }
      more = member != row;
    }
  }

  Loops& loops_;
  LimitGuard& guard_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<std::size_t> members_;
  std::vector<Frame> frames_;
  std::uint32_t last_index_ = 0;
  std::uint32_t last_number_ = 0;
};

Loops::Loops(const Frames& graph, const BitSet& allowed, const ExitDistances& exits,
             LimitGuard& guard)
    : graph_(graph),
      allowed_(allowed),
      exits_(exits),
      on_loop_(graph.row_count()),
      number_(graph.row_count(), 0) {
  Search search(*this, guard);
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    for (const NodeId n : graph.component(i).nodes()) {
      if (graph.model().kind(n) != NodeKind::Call && is_allowed(i, n)) {
        search.from(i, n);
      }
    }
  }
}

bool Loops::is_allowed(std::uint32_t instance, NodeId n) const {
  const Rsm& model = graph_.model();
  if (model.kind(n) == NodeKind::Plain) {
    return allowed_.test(graph_.plain_row(instance, n));
  }
  const std::uint32_t callee = graph_.callee(instance, model.box_of(n));
  return allowed_.test(graph_.plain_row(callee, model.origin(n)));
}

std::vector<Loops::Edge> Loops::edges(std::uint32_t instance, NodeId n) const {
  const Rsm& model = graph_.model();
  std::vector<Edge> found;
  if (model.kind(n) != NodeKind::Call) {
    for (const NodeId m : model.successors(n)) {
      if (is_allowed(instance, m)) {
        found.push_back({EdgeKind::Transition, instance, m, 0, 1});
      }
    }
    return found;
  }
  const BoxId b = model.box_of(n);
  const std::uint32_t callee = graph_.callee(instance, b);
  const NodeId entry = model.origin(n);
  const std::span<const Distance> through = exits_.from(callee, entry);
  for (std::uint32_t k = 0; k < through.size(); ++k) {
    if (through[k] != kFar) {
      const NodeId after = model.box(b).first_return + exits_.wanted(callee)[k];
      found.push_back({EdgeKind::Pass, instance, after, k, through[k]});
    }
  }
  found.push_back({EdgeKind::Enter, callee, entry, 0, 0});
  return found;
}

std::vector<Loops::Edge> Loops::shortest(std::uint32_t instance, NodeId n,
                                         LimitGuard& guard) const {
  struct Reached {
    Distance distance = kFar;
    std::size_t before = 0;  // a row
    Edge edge;
  };
  struct Item {
    Distance distance = 0;
    std::uint32_t instance = 0;
    NodeId node;
    bool operator>(const Item& other) const { return distance > other.distance; }
  };
  const std::size_t start = graph_.row(instance, n);
  std::unordered_map<std::size_t, Reached> reached;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  const auto leave = [&](const Item& from) {
    const std::size_t row = graph_.row(from.instance, from.node);
    for (const Edge& edge : edges(from.instance, from.node)) {
      const std::size_t to = graph_.row(edge.instance, edge.node);
      const Distance distance = sum(from.distance, edge.cost);
      if (number_[to] == number_[start] && distance < reached[to].distance) {
        reached[to] = {distance, row, edge};
        open.push({distance, edge.instance, edge.node});
      }
    }
  };
  leave({0, instance, n});
  while (!open.empty()) {
    guard.tick();
    const Item item = open.top();
    open.pop();
    const std::size_t row = graph_.row(item.instance, item.node);
    if (row == start) {
      break;
    }
    if (item.distance == reached[row].distance) {
      leave(item);
    }
  }
  std::vector<Edge> loop;
  NESTOR_CHECK(reached[start].distance != kFar);
  std::size_t row = start;
  do {
    loop.push_back(reached[row].edge);
    row = reached[row].before;
  } while (row != start);
  std::reverse(loop.begin(), loop.end());
  return loop;
}

}  // namespace nestor
