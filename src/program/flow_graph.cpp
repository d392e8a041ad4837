#include "program/flow_graph.h"

#include <algorithm>

namespace nestor::program {

void FlowGraph::add(std::uint32_t from, std::uint32_t to) {
  // The shorter of the two lists tells whether the edge exists.
  const bool by_next = next_[from].size() <= previous_[to].size();
  const Edges& list = by_next ? next_[from] : previous_[to];
  if (!list.contains(by_next ? to : from)) {
    next_[from].push_back(to);
    previous_[to].push_back(from);
  }
}

bool FlowGraph::can_drop(std::uint32_t point) const {
  const std::size_t in = previous_[point].size();
  const std::size_t out = next_[point].size();
  return in * out <= in + out && out > 0 && !next_[point].contains(point);
}

void FlowGraph::reduce(const std::vector<std::uint8_t>& kept) {
  dropped_.assign(next_.size(), 0);
  std::vector<std::uint32_t> work;
  for (std::uint32_t point = 0; point < next_.size(); ++point) {
    if (kept[point] == 0) {
      work.push_back(point);
    }
  }
  std::reverse(work.begin(), work.end());  // from the first point on
  while (!work.empty()) {
    const std::uint32_t point = work.back();
    work.pop_back();
    if (dropped_[point] != 0 || !can_drop(point)) {
      continue;
    }
    dropped_[point] = 1;
    const Edges before = std::move(previous_[point]);
    const Edges after = std::move(next_[point]);
    next_[point].clear();
    previous_[point].clear();
    for (const std::uint32_t to : after) {
      previous_[to].erase(point);
    }
    for (const std::uint32_t from : before) {
      next_[from].erase(point);
      for (const std::uint32_t to : after) {
        add(from, to);
      }
    }
    // Fewer edges may let a neighbour go that was not droppable before.
    for (const Edges* list : {&before, &after}) {
      for (const std::uint32_t neighbour : *list) {
        if (kept[neighbour] == 0 && dropped_[neighbour] == 0) {
          work.push_back(neighbour);
        }
      }
    }
  }
}

}  // namespace nestor::program
