// Runs that stay in given states: a shortest way to where they can go round or end, and a shortest
// loop there.
//
// That every such run has this form: if it goes on for ever, look at the states after which the
// stack is never lower again. There are infinitely many, and from each to the next leads one edge
// of `Loops`. Their nodes, instances included, are finitely many, so one comes again: a loop, by
// which the stack has grown or not. In the same instance all formulas have the same values, so the
// loop can be repeated for ever.

#include "explain/lasso_finder.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace nestor {

std::vector<std::vector<std::uint32_t>> useful_exits(const InstanceGraph& graph,
                                                     const BitSet& allowed, const BitSet& goal,
                                                     bool maximal) {
  const Rsm& model = graph.model();
  const auto goes_on = [&](std::uint32_t instance, NodeId after) {
    if (maximal && model.is_dead_end(after)) {
      return true;
    }
    const auto successors = model.successors(after);
    return std::any_of(successors.begin(), successors.end(), [&](NodeId m) {
      const std::uint32_t at =
          model.kind(m) == NodeKind::Call ? graph.callee(instance, model.box_of(m)) : instance;
      const std::size_t row = graph.plain_row(at, model.origin(m));
      return allowed.test(row) || goal.test(row);
    });
  };
  std::vector<std::vector<std::uint32_t>> useful(graph.instance_count());
  for (std::uint32_t i = 0; i < useful.size(); ++i) {
    for (std::uint32_t x = 0; x < graph.exits(i).size(); ++x) {
      if (!allowed.test(graph.plain_row(i, graph.exits(i)[x]))) {
        continue;
      }
      const auto callers = graph.callers(i);
      if ((maximal && i == Labelling::kRoot) ||
          std::any_of(callers.begin(), callers.end(), [&](const InstanceGraph::CallSite& site) {
            return goes_on(site.instance, model.box(site.box).first_return + x);
          })) {
        useful[i].push_back(x);
      }
    }
  }
  return useful;
}

LassoFinder::LassoFinder(const InstanceGraph& graph, Frames& frames, BitSet allowed,
                         LimitGuard& guard)
    : graph_(graph),
      frames_(frames),
      guard_(guard),
      allowed_(std::move(allowed)),
      exits_(graph, allowed_, useful_exits(graph, allowed_, allowed_, true), guard),
      loops_(graph, allowed_, exits_, guard),
      to_loops_(distances_to_loops()),
      stems_(graph, frames, exits_, &to_loops_, PathFinder::Ends::Maximal) {}

GoalDistances LassoFinder::distances_to_loops() const {
  BitSet closing(graph_.plain_row_count());
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    for (const NodeId n : graph_.component(i).plain_nodes()) {
      const std::size_t row = graph_.plain_row(i, n);
      if (allowed_.test(row) && (graph_.model().is_dead_end(n) || loops_.contains(i, n))) {
        closing.set(row);
      }
    }
  }
  return GoalDistances(graph_, allowed_, closing, exits_, guard_);
}

std::size_t LassoFinder::close(Path& path) {
  const Rsm& model = graph_.model();
  const StackTable& stacks = frames_.stacks();
  const State start = path.states.back();
  const std::size_t begin = path.states.size() - 1;
  if (model.is_exit(start.node)) {
    if (stacks.is_empty(start.stack)) {
      path.move({Step::Stay, start});
      return begin;
    }
    if (model.is_dead_end(model.box(stacks.top(start.stack)).first_return +
                          model.exit_index(start.node))) {
      return kDeadEnd;
    }
  } else if (model.is_dead_end(start.node)) {
    return kDeadEnd;
  }
  StackId base = start.stack;
  for (const Loops::Edge& edge : loops_.shortest(frames_.instance(base), start.node, guard_)) {
    follow(edge, path, base);
  }
  return begin;
}

/// `base`: the stack as seen from the node where the edge begins. Where that is a call node, the
/// path is in the callee's entry already.
void LassoFinder::follow(const Loops::Edge& edge, Path& path, StackId& base) {
  const Rsm& model = graph_.model();
  const State at = path.states.back();
  if (edge.cost == 0) {  // into the callee for good
    base = at.stack;
    return;
  }
  bool returned = false;
  if (edge.passes_by != Loops::Edge::kNoExit) {
    PathFinder way(graph_, frames_, exits_, at.stack, edge.passes_by);
    if (way.distance(at) > kMostSteps) {
      throw LimitReached{"the loop is too long"};
    }
    while (way.distance(path.states.back()) > 0) {
      guard_.tick();
      path.move(way.next(path.states.back()));
    }
    returned = true;
  }
  if (model.kind(edge.node) == NodeKind::Plain) {
    path.move({returned ? Step::Return : Step::Local, {base, edge.node}});
  } else {
    path.move({returned ? Step::ReturnCall : Step::Call,
               {frames_.push(base, model.box_of(edge.node)), model.origin(edge.node)}});
  }
}

}  // namespace nestor
