#include "engine/finite/local_path.h"

#include "base/error.h"
#include "engine/finite/local_checker.h"

#include <algorithm>
#include <unordered_map>

namespace nestor::engine::finite {

namespace {

using Ending = FoundValue::Ending;
using Type = Subformula::Type;

class PathSearch {
 public:
  PathSearch(model::StateSpace& space, const SubformulaSequence& sub, LocalGraph& graph,
             base::LimitGuard& guard)
      : space_(space), sub_(sub), guard_(guard), checker_(graph, sub, guard) {}

  FoundValue run() {
    const std::vector<model::NodeId> initial = space_.initial(guard_);
    NESTOR_CHECK(initial.size() == 1);
    const model::NodeId s = initial.front();
    found_.holds = checker_.holds(sub_.top(), s);
    std::uint32_t i = sub_.top();
    bool value = found_.holds;
    for (; sub_[i].type == Type::Negation; i = sub_[i].left) {
      value = !value;
    }
    if (sub_[i].type == Type::EX && value) {
      show_next(i, s);
    } else if (sub_[i].type == Type::EU && value) {
      show_until(i, s);
    } else if (sub_[i].type == Type::AU && !value) {
      show_refutation(i);
    }
    return std::move(found_);
  }

 private:
  std::vector<model::NodeId> successors(model::NodeId s) {
    const auto next = space_.successors(s, guard_);
    return {next.begin(), next.end()};
  }

  void show_next(std::uint32_t i, model::NodeId s) {
    for (const model::NodeId t : successors(s)) {
      if (checker_.holds(sub_[i].left, t)) {
        found_.path = {s, t};
        found_.ending = Ending::Here;
        return;
      }
    }
  }

  /// A shortest path within what the search has seen. It knows where its goal was.
  void show_until(std::uint32_t i, model::NodeId s) {
    std::unordered_map<model::NodeId, model::NodeId> parent{{s, model::NodeId()}};
    std::vector<model::NodeId> queue{s};
    model::NodeId goal = checker_.holds(sub_[i].right, s) ? s : model::NodeId();
    for (std::size_t next = 0; !goal.valid() && next < queue.size(); ++next) {
      const model::NodeId t = queue[next];
      if (!space_.is_expanded(t)) {
        continue;
      }
      for (const model::NodeId u : successors(t)) {
        guard_.tick();
        if (goal.valid() || !parent.try_emplace(u, t).second) {
          continue;
        }
        if (checker_.is_true(i, u)) {
          goal = u;
        } else if (checker_.holds(sub_[i].left, u)) {
          queue.push_back(u);
        }
      }
    }
    NESTOR_CHECK(goal.valid());
    for (; goal.valid(); goal = parent.at(goal)) {
      found_.path.push_back(goal);
    }
    std::ranges::reverse(found_.path);
    found_.ending = Ending::Here;
  }

  void show_refutation(std::uint32_t i) {
    found_.path = checker_.refutation();
    const model::NodeId last = found_.path.back();
    if (!checker_.holds(sub_[i].left, last)) {
      found_.ending = Ending::Here;
      return;
    }
    const std::vector<model::NodeId> next = successors(last);
    if (next.empty()) {
      found_.ending = Ending::DeadEnd;
      return;
    }
    for (const model::NodeId t : next) {
      const auto at = std::ranges::find(found_.path, t);
      if (at != found_.path.end()) {
        found_.loop = static_cast<std::size_t>(at - found_.path.begin());
        found_.path.push_back(t);
        found_.ending = Ending::Loop;
        return;
      }
    }
    NESTOR_CHECK(false);  // the search closed a loop
  }

  model::StateSpace& space_;
  const SubformulaSequence& sub_;
  base::LimitGuard& guard_;
  LocalChecker checker_;
  FoundValue found_;
};

}  // namespace

FoundValue find_path(model::StateSpace& space, logic::FormulaPool& pool, logic::FormulaId formula,
                     base::LimitGuard& guard) {
  const SubformulaSequence sub(pool, formula);
  GrowingGraph graph(space, pool, sub, guard);
  return PathSearch(space, sub, graph, guard).run();
}

}  // namespace nestor::engine::finite
