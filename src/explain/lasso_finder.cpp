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

namespace nestor::explain {

MatchedDistances::Anchors useful_exits(const InstanceGraph& graph, const base::BitSet& allowed,
                                       const base::BitSet& goal, bool maximal) {
  const model::Rsm& model = graph.model();
  const auto goes_on = [&](std::uint32_t instance, model::NodeId after) {
    if (maximal && model.is_dead_end(after)) {
      return true;
    }
    const auto successors = model.successors(after);
    return std::any_of(successors.begin(), successors.end(), [&](model::NodeId m) {
      return graph.is_in(allowed, instance, m) || graph.is_in(goal, instance, m);
    });
  };
  MatchedDistances::Anchors useful(graph.instance_count());
  for (std::uint32_t i = 0; i < useful.size(); ++i) {
    for (std::uint32_t x = 0; x < graph.exits(i).size(); ++x) {
      if (!allowed.test(graph.plain_row(i, graph.exits(i)[x]))) {
        continue;
      }
      const auto callers = graph.callers(i);
      if ((maximal && i == Labelling::kRoot) ||
          std::any_of(callers.begin(), callers.end(), [&](const InstanceGraph::Caller& site) {
            return goes_on(site.instance, model.box(site.box).first_return + x);
          })) {
        useful[i].push_back(x);
      }
    }
  }
  return useful;
}

LassoFinder::LassoFinder(const InstanceGraph& graph, StackInstances& stacks, base::BitSet allowed,
                         base::LimitGuard& guard)
    : graph_(graph),
      stacks_(stacks),
      guard_(guard),
      allowed_(std::move(allowed)),
      exits_(graph, MatchedDistances::Direction::ToExits, allowed_,
             useful_exits(graph, allowed_, allowed_, true), guard),
      loops_(graph, allowed_, exits_, guard),
      to_loops_(distances_to_loops()),
      stems_(graph, stacks, exits_, to_loops_, 0) {}

GoalDistances LassoFinder::distances_to_loops() const {
  base::BitSet closing(graph_.row_count());
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    for (const model::NodeId n : graph_.component(i).nodes()) {
      const model::Rsm& model = graph_.model();
      // A call node is the entry in its own frame.
      if (model.kind(n) == model::NodeKind::Call ||
          (model.kind(n) == model::NodeKind::Plain && !allowed_.test(graph_.plain_row(i, n)))) {
        continue;
      }
      if (model.is_dead_end(n) || loops_.contains(i, n)) {
        closing.set(graph_.row(i, n));
      }
    }
  }
  return GoalDistances(graph_, allowed_, closing, exits_, guard_);
}

std::size_t LassoFinder::close(Path& path) {
  const model::Rsm& model = graph_.model();
  const model::StackTable& stacks = stacks_.table();
  const model::State start = path.states.back();
  const std::size_t begin = path.states.size() - 1;
  if (model.is_exit(start.node)) {
    if (stacks.is_empty(start.stack)) {
      path.move({model::Step::Stay, start});
      return begin;
    }
    if (model.is_dead_end(model::return_node(model, stacks.top(start.stack), start.node))) {
      return kDeadEnd;
    }
  } else if (model.is_dead_end(start.node)) {
    return kDeadEnd;
  }
  if (loops_.contains(stacks_.instance(start.stack), start.node)) {
    return go_round(stacks_.instance(start.stack), start.node, start.stack, path);
  }
  const model::StackId below = stacks.below(start.stack);
  return go_round(stacks_.instance(below),
                  model::return_node(model, stacks.top(start.stack), start.node), below, path);
}

/// A loop may begin at a return node, but where the stack grows it is seen to do so only from a
/// plain node. A loop without plain nodes does not make the stack grow.
std::size_t LassoFinder::go_round(std::uint32_t instance, model::NodeId n, model::StackId base,
                                  Path& path) {
  const model::Rsm& model = graph_.model();
  std::vector<Loops::Edge> loop = loops_.shortest(instance, n, guard_);
  if (model.kind(n) == model::NodeKind::Return) {
    const auto plain = std::find_if(loop.begin(), loop.end(), [&](const Loops::Edge& edge) {
      return model.kind(edge.node) == model::NodeKind::Plain;
    });
    if (plain != loop.end()) {
      for (auto edge = loop.begin(); edge != plain + 1; ++edge) {
        follow(*edge, path, base, n);
      }
      std::rotate(loop.begin(), plain + 1, loop.end());
    }
  }
  const std::size_t begin = path.states.size() - 1;
  for (const Loops::Edge& edge : loop) {
    follow(edge, path, base, n);
  }
  return begin;
}

/// `n`: where the edge begins, and then where it ends; `base`: the stack as seen from there. Where
/// that is a call or return node, the path is in the callee's entry or exit.
void LassoFinder::follow(const Loops::Edge& edge, Path& path, model::StackId& base,
                         model::NodeId& n) {
  const model::State at = path.states.back();
  switch (edge.kind) {
    case Loops::EdgeKind::Enter:
      base = at.stack;
      break;
    case Loops::EdgeKind::Pass: {
      PathFinder way(graph_, stacks_, exits_, at.stack, edge.exit);
      if (way.distance(at) > kMostSteps) {
        throw base::LimitReached{"the loop is too long"};
      }
      while (way.distance(path.states.back()) > 0) {
        guard_.tick();
        path.move(way.next(path.states.back()));
      }
      break;
    }
    case Loops::EdgeKind::Transition:
      path.move(model::move_along(graph_.model(), stacks_.table(), base, n, edge.node));
      break;
  }
  n = edge.node;
}

}  // namespace nestor::explain
