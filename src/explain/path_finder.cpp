#include "explain/path_finder.h"

#include "base/error.h"

#include <algorithm>

namespace nestor::explain {

PathFinder::PathFinder(const InstanceGraph& graph, StackInstances& stacks,
                       const MatchedDistances& exits, const GoalDistances& goals,
                       Distance at_last_exit)
    : graph_(graph), stacks_(stacks), exits_(exits), goals_(&goals) {
  values_[model::StackTable::kEmpty] =
      ExitValues(exits.anchors(Labelling::kRoot).size(), at_last_exit);
}

PathFinder::PathFinder(const InstanceGraph& graph, StackInstances& stacks,
                       const MatchedDistances& exits, model::StackId base, std::size_t exit)
    : graph_(graph), stacks_(stacks), exits_(exits), goals_(nullptr) {
  ExitValues& at_base = values_[base];
  at_base.assign(exits.anchors(stacks.instance(base)).size(), kFar);
  at_base[exit] = 0;
}

Distance PathFinder::distance(model::StackId stack, model::NodeId n) {
  return seen_from(stacks_.instance(stack), n, values(stack));
}

Distance PathFinder::seen_from(std::uint32_t instance, model::NodeId n,
                               const ExitValues& values) const {
  Distance best = goals_ == nullptr ? kFar : goals_->from(instance, n);
  const std::span<const Distance> to_exits = exits_.at(instance, n);
  for (std::size_t k = 0; k < values.size(); ++k) {
    best = std::min(best, sum(to_exits[k], values[k]));
  }
  return best;
}

const PathFinder::ExitValues& PathFinder::values(model::StackId stack) {
  std::vector<model::StackId> missing;
  model::StackId known = stack;
  for (; values_.find(known) == values_.end(); known = stacks_.table().below(known)) {
    missing.push_back(known);
  }
  const ExitValues* found = &values_.at(known);
  for (; !missing.empty(); missing.pop_back()) {
    const model::StackId above = missing.back();
    ExitValues values =
        values_above(stacks_.table().below(above), stacks_.table().top(above), *found);
    found = &(values_[above] = std::move(values));
  }
  return *found;
}

PathFinder::ExitValues PathFinder::values_above(model::StackId below, model::BoxId box,
                                                const ExitValues& values_below) const {
  const model::Rsm& model = graph_.model();
  const std::uint32_t caller = stacks_.instance(below);
  ExitValues result;
  for (const std::uint32_t exit : exits_.anchors(graph_.callee(caller, box))) {
    result.push_back(seen_from(caller, model.box(box).first_return + exit, values_below));
  }
  return result;
}

model::Move PathFinder::next(const model::State& state) {
  const model::Rsm& model = graph_.model();
  const model::StackTable& stacks = stacks_.table();
  const Distance wanted = distance(state) - 1;
  model::Move found;
  if (!try_successors(state.stack, state.node, wanted, found)) {
    NESTOR_CHECK(model.is_exit(state.node) && !stacks.is_empty(state.stack));
    NESTOR_CHECK(try_successors(stacks.below(state.stack),
                                model::return_node(model, stacks.top(state.stack), state.node),
                                wanted, found));
  }
  NESTOR_CHECK(distance(found.to) == wanted);  // a call node is as far as its entry
  return found;
}

bool PathFinder::try_successors(model::StackId stack, model::NodeId n, Distance wanted,
                                model::Move& found) {
  for (const model::NodeId m : graph_.model().successors(n)) {
    if (distance(stack, m) == wanted) {
      found = model::move_along(graph_.model(), stacks_.table(), stack, n, m);
      return true;
    }
  }
  return false;
}

}  // namespace nestor::explain
