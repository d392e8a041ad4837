#include "engine/labelling/fair.h"

#include <cassert>
#include <vector>

namespace nestor::engine::labelling {

FairGraph::FairGraph(const Graph& graph, const model::Fairness& fairness, base::LimitGuard& guard)
    : graph_(graph), fairness_(fairness), guard_(guard) {
  base::BitSet all(graph.size());
  all.set_all();
  fair_ = eg(all);
}

/// States of `f` with a transition to `z` that satisfies the constraint.
base::BitSet FairGraph::steps_into(const base::BitSet& f, const base::BitSet& z,
                                   std::uint32_t mark) const {
  base::BitSet result(graph_.size());
  f.for_each([&](std::size_t s) {
    const std::span<const std::uint32_t> successors = graph_.successors(s);
    const std::span<const std::uint32_t> marks = fairness_.marks_of(graph_.model(), graph_.node(s));
    guard_.tick(successors.size() + 1);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      if ((marks[i] & mark) != 0 && z.test(successors[i])) {
        result.set(s);
        return;
      }
    }
  });
  return result;
}

/// E[f U goal], in place.
void FairGraph::until(const base::BitSet& f, base::BitSet& goal) const {
  std::vector<std::size_t> open;
  goal.for_each([&](std::size_t s) { open.push_back(s); });
  while (!open.empty()) {
    const std::size_t s = open.back();
    open.pop_back();
    guard_.tick(graph_.predecessors(s).size() + 1);
    for (const std::uint32_t p : graph_.predecessors(s)) {
      if (f.test(p) && goal.insert(p)) {
        open.push_back(p);
      }
    }
  }
}

base::BitSet FairGraph::eg(const base::BitSet& f) const {
  base::BitSet z = f;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < fairness_.constraints; ++i) {
      base::BitSet goal = steps_into(z, z, std::uint32_t{1} << i);
      until(z, goal);
      assert((base::BitSet(goal) |= z) == z);  // every step above stays in z
      if (goal != z) {
        z = std::move(goal);
        changed = true;
      }
    }
  }
  return z;
}

}  // namespace nestor::engine::labelling
