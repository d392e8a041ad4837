#include "explain/loops.h"

#include "base/error.h"
#include "base/strong_components.h"

#include <algorithm>
#include <unordered_map>

namespace nestor::explain {

Loops::Loops(const InstanceGraph& graph, const base::BitSet& allowed, const MatchedDistances& exits,
             base::LimitGuard& guard)
    : graph_(graph), allowed_(allowed), exits_(exits), on_loop_(graph.row_count()) {
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    instance_of_.resize(instance_of_.size() + graph.component(i).nodes().size(), i);
  }
  const auto next = [this](std::uint32_t row, std::uint32_t& position) {
    Edge edge;
    if (!next_edge(row, position, edge)) {
      return base::StrongComponents::kNone;
    }
    if (edge.row == row) {
      on_loop_.set(row);
    }
    return edge.row;
  };
  base::StrongComponentSearch search(graph.row_count(), next, [&guard] { guard.tick(); });
  for (std::uint32_t row = 0; row < graph.row_count(); ++row) {
    const model::NodeId n = graph.node(instance_of_[row], row);
    if (graph.model().kind(n) != model::NodeKind::Call &&
        graph.is_in(allowed, instance_of_[row], n)) {
      search.search_from(row);
    }
  }
  base::StrongComponents found = search.take();
  component_ = std::move(found.of);
  std::vector<std::uint32_t> sizes(found.count, 0);
  for (const std::uint32_t c : component_) {
    if (c != base::StrongComponents::kNone) {
      ++sizes[c];
    }
  }
  for (std::uint32_t row = 0; row < graph.row_count(); ++row) {
    if (component_[row] != base::StrongComponents::kNone && sizes[component_[row]] > 1) {
      on_loop_.set(row);
    }
  }
}

/// The edges from a row, one after the other; `position` is 0 at first.
bool Loops::next_edge(std::uint32_t row, std::uint32_t& position, Edge& edge) const {
  const model::Rsm& model = graph_.model();
  const std::uint32_t instance = instance_of_[row];
  const model::NodeId n = graph_.node(instance, row);
  if (model.kind(n) != model::NodeKind::Call) {
    const std::span<const model::NodeId> successors = model.successors(n);
    while (position < successors.size()) {
      const model::NodeId m = successors[position++];
      if (graph_.is_in(allowed_, instance, m)) {
        edge = {EdgeKind::Transition, graph_.row(instance, m), m, 0, 1};
        return true;
      }
    }
    return false;
  }
  const model::BoxId b = model.box_of(n);
  const std::uint32_t callee = graph_.callee(instance, b);
  const model::NodeId entry = model.origin(n);
  const std::span<const Distance> through = exits_.at(callee, entry);
  while (position < through.size()) {
    const std::uint32_t k = position++;
    if (through[k] != kFar) {
      const model::NodeId after = model.box(b).first_return + exits_.anchors(callee)[k];
      edge = {EdgeKind::Pass, graph_.row(instance, after), after, k, through[k]};
      return true;
    }
  }
  edge = {EdgeKind::Enter, graph_.row(callee, entry), entry, 0, 0};
  return position++ == through.size();
}

std::vector<Loops::Edge> Loops::shortest(std::uint32_t instance, model::NodeId n,
                                         base::LimitGuard& guard) const {
  struct Reached {
    Distance distance = kFar;
    std::uint32_t before = 0;  // a row
    Edge edge;
  };
  const std::uint32_t start = graph_.row(instance, n);
  std::unordered_map<std::uint32_t, Reached> reached;
  NearestFirst<std::uint32_t> open;
  const auto leave = [&](std::uint32_t row, Distance so_far) {
    Edge edge;
    for (std::uint32_t position = 0; next_edge(row, position, edge);) {
      const Distance distance = sum(so_far, edge.cost);
      if (component_[edge.row] == component_[start] && distance < reached[edge.row].distance) {
        reached[edge.row] = {distance, row, edge};
        open.push(distance, edge.row);
      }
    }
  };
  leave(start, 0);
  while (!open.empty()) {
    guard.tick();
    const auto [distance, row] = open.pop();
    if (row == start) {
      break;
    }
    if (distance == reached[row].distance) {
      leave(row, distance);
    }
  }
  std::vector<Edge> loop;
  NESTOR_CHECK(reached[start].distance != kFar);
  std::uint32_t row = start;
  do {
    loop.push_back(reached[row].edge);
    row = reached[row].before;
  } while (row != start);
  std::reverse(loop.begin(), loop.end());
  return loop;
}

}  // namespace nestor::explain
