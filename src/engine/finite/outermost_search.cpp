// The searches of dfs.cpp for one formula in the evaluation states, on a model that is found as it
// is looked at, after
//   [Hel97] section 4: "check global" is false, "evaluation state" is each initial state.
//
//   report               here
//   marked, labeled      Status: New is not marked, Holds is labeled
//   st                   path, in finds_counterexample()
//
// Deviation: E(φ U ψ) is searched breadth first. A depth-first search of infinitely many states may
// never come back to a witness that is two steps away, and nobody needs the values of the father
// states here. A(φ U ψ) is searched depth first, since a counterexample may be a loop.

#include "engine/finite/outermost_search.h"

#include <algorithm>

namespace nestor::engine::finite {

namespace {

using Type = Subformula::Type;

struct Outermost {
  std::uint32_t place = 0;
  bool is_negated = false;
};

Outermost outermost(const SubformulaSequence& sub) {
  Outermost found{sub.top()};
  while (sub[found.place].type == Type::Negation) {
    found.place = sub[found.place].left;
    found.is_negated = !found.is_negated;
  }
  return found;
}

}  // namespace

bool OutermostSearch::can_decide(const SubformulaSequence& sub) {
  const std::uint32_t until = outermost(sub).place;
  if (sub[until].type != Type::EU && sub[until].type != Type::AU) {
    return false;
  }
  for (std::uint32_t i = 0; i < until; ++i) {
    const Type type = sub[i].type;
    if (type == Type::EX || type == Type::EU || type == Type::AU) {
      return false;
    }
  }
  return true;
}

OutermostSearch::OutermostSearch(LocalGraph& graph, const SubformulaSequence& sub,
                                 base::LimitGuard& guard)
    : graph_(graph), sub_(sub), guard_(guard), values_(sub.length()) {
  const Outermost found = outermost(sub);
  until_ = found.place;
  is_negated_ = found.is_negated;
}

bool OutermostSearch::holds() {
  return std::ranges::all_of(graph_.initial(),
                             [&](model::NodeId s) { return until_holds(s) != is_negated_; });
}

bool OutermostSearch::until_holds(model::NodeId s) {
  if (status(s) != Status::New) {
    return status(s) == Status::Holds;
  }
  return sub_[until_].type == Type::EU ? finds_witness(s) : !finds_counterexample(s);
}

/// All that is visited fails, if nothing is found; else only the first state is known to hold.
bool OutermostSearch::finds_witness(model::NodeId s) {
  std::vector<model::NodeId> found = {s};
  const auto succeed = [&] {
    for (const model::NodeId seen : found) {
      status(seen) = Status::New;
    }
    status(s) = Status::Holds;
    return true;
  };
  status(s) = Status::Fails;
  for (std::size_t i = 0; i < found.size(); ++i) {
    guard_.tick();
    if (value(sub_[until_].right, found[i])) {
      return succeed();
    }
    if (!value(sub_[until_].left, found[i])) {
      continue;
    }
    for (const model::NodeId next : graph_.successors(found[i])) {
      if (status(next) == Status::Holds) {
        return succeed();
      }
      if (status(next) == Status::New) {
        base::reserve_one_more(found, guard_);
        status(next) = Status::Fails;
        found.push_back(next);
      }
    }
    peak_ = std::max(peak_, found.size() - i);
  }
  return false;
}

/// Decides every state that it visits.
bool OutermostSearch::finds_counterexample(model::NodeId s) {
  struct Frame {
    model::NodeId s;
    std::uint32_t next = 0;
  };
  std::vector<Frame> path;
  for (;;) {
    // Visit `s`. Those on the path fail as long as nothing else is known of them.
    guard_.tick();
    if (status(s) == Status::Fails) {
      return true;
    }
    if (status(s) == Status::New) {
      if (value(sub_[until_].right, s)) {
        status(s) = Status::Holds;
      } else {
        status(s) = Status::Fails;
        if (!value(sub_[until_].left, s) || graph_.successors(s).empty()) {
          return true;
        }
        base::reserve_one_more(path, guard_);
        path.push_back({s});
        peak_ = std::max(peak_, path.size());
      }
    }
    while (!path.empty() && path.back().next == graph_.successors(path.back().s).size()) {
      status(path.back().s) = Status::Holds;  // no successor fails
      path.pop_back();
    }
    if (path.empty()) {
      return false;
    }
    Frame& top = path.back();
    s = graph_.successors(top.s)[top.next++];
  }
}

/// Of a subformula without temporal operators.
bool OutermostSearch::value(std::uint32_t i, model::NodeId s) {
  for (std::uint32_t k = 0; k <= i; ++k) {
    const Subformula& f = sub_[k];
    switch (f.type) {
      case Type::True:
        values_[k] = 1;
        break;
      case Type::Atom:
        values_[k] = graph_.holds(k, s) ? 1 : 0;
        break;
      case Type::Negation:
        values_[k] = values_[f.left] == 0 ? 1 : 0;
        break;
      default:
        values_[k] = values_[f.left] != 0 || values_[f.right] != 0 ? 1 : 0;
    }
  }
  return values_[i] != 0;
}

OutermostSearch::Status& OutermostSearch::status(model::NodeId s) {
  if (s.value() >= status_.size()) {
    status_.resize(std::max<std::size_t>(graph_.size(), s.value() + 1), Status::New);
  }
  return status_[s.value()];
}

}  // namespace nestor::engine::finite
