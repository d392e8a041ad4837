#include "engine/ctl_star/path_proof.h"

#include "base/error.h"

#include <algorithm>

namespace nestor::engine::ctl_star {

PathProof::PathProof(const PathGraph& paths, const Contexts& contexts)
    : paths_(paths),
      contexts_(contexts),
      good_exits_(paths.graph().instance_count()),
      dead_exits_(paths.graph().instance_count()) {}

bool PathProof::is_good(Vertex v) const {
  const PathGraph::Item& item = paths_[v];
  return item.is_good || std::ranges::any_of(item.ways, [&](const PathGraph::Way& way) {
           return contexts_[item.instance].contains(way.exit);
         });
}

const PathGraph::Fact& PathProof::fact(const Needed& needed) const {
  if (!needed.to_good) {
    return paths_.fact(needed.vertex, needed.exit, needed.set);
  }
  const std::vector<PathGraph::Fact>& facts = paths_[needed.vertex].to_good;
  NESTOR_CHECK(needed.set < facts.size());
  return facts[needed.set];
}

void PathProof::claim(Vertex v) {
  if (is_good(v)) {
    need_good(v);
  } else {
    need_closed(v);
  }
  for (;;) {
    if (!open_facts_.empty()) {
      const Needed next = open_facts_.back();
      open_facts_.pop_back();
      need_premises(next);
    } else if (!open_good_.empty()) {
      const Vertex next = open_good_.back();
      open_good_.pop_back();
      const PathGraph::Item& item = paths_[next];
      if (item.is_good) {
        for (std::uint32_t set = 0; set < paths_.automaton().set_count(); ++set) {
          need_fact({next, true, {}, set});
        }
        continue;
      }
      const auto way = std::ranges::find_if(item.ways, [&](const PathGraph::Way& w) {
        return contexts_[item.instance].contains(w.exit);
      });
      need_fact({next, false, way->exit, PathGraph::kAny});
      if (good_exits_[item.instance].insert(way->exit).second) {
        for_each_return(item.instance, way->exit, [&](Vertex r) { need_good(r); });
      }
    } else if (!open_dead_.empty()) {
      const Vertex next = open_dead_.back();
      open_dead_.pop_back();
      for (const PathGraph::Edge& edge : paths_[next].edges) {
        need_dead(edge.to);
      }
    } else if (!open_closed_.empty()) {
      const Vertex next = open_closed_.back();
      open_closed_.pop_back();
      need_dead(next);
      const std::uint32_t instance = paths_[next].instance;
      for (const PathGraph::Way& way : paths_[next].ways) {
        if (dead_exits_[instance].insert(way.exit).second) {
          for_each_return(instance, way.exit, [&](Vertex r) { need_closed(r); });
        }
      }
    } else {
      return;
    }
  }
}

template <class Visit>
void PathProof::for_each_return(std::uint32_t instance, const PathGraph::Exit& exit, Visit visit) {
  for (const explain::InstanceGraph::Caller& caller : paths_.graph().callers(instance)) {
    const model::NodeId back = paths_.graph().model().box(caller.box).first_return + exit.exit;
    visit(paths_.find(caller.instance, back, exit.state));
  }
}

void PathProof::need_good(Vertex v) {
  NESTOR_CHECK(is_good(v));
  if (good_.insert(v).second) {
    open_good_.push_back(v);
  }
}

void PathProof::need_dead(Vertex v) {
  NESTOR_CHECK(!paths_[v].is_good);
  if (dead_.insert(v).second) {
    open_dead_.push_back(v);
  }
}

void PathProof::need_closed(Vertex v) {
  NESTOR_CHECK(!is_good(v));
  if (closed_.insert(v).second) {
    open_closed_.push_back(v);
  }
}

void PathProof::need_fact(const Needed& needed) {
  if (facts_.insert(needed).second) {
    open_facts_.push_back(needed);
  }
}

void PathProof::need_premises(const Needed& needed) {
  const PathGraph::Fact& why = fact(needed);
  if (why.edge == PathGraph::kNone) {
    return;
  }
  const PathGraph::Edge& edge = paths_[needed.vertex].edges[why.edge];
  const bool is_met = needed.set == PathGraph::kAny || ((edge.own_marks >> needed.set) & 1) != 0;
  std::uint32_t rest = is_met ? PathGraph::kAny : needed.set;
  if (edge.kind == PathKind::Pass) {
    need_fact({edge.entry, false, edge.through, why.by_callee ? rest : PathGraph::kAny});
    rest = why.by_callee ? PathGraph::kAny : rest;
  }
  if (why.arrives) {
    need_good(edge.to);
  } else {
    need_fact({edge.to, needed.to_good, needed.exit, rest});
  }
}

}  // namespace nestor::engine::ctl_star
