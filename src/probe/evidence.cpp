#include "probe/evidence.h"

#include "logic/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace nestor::probe {

namespace {

// In a recursive model each state is a question to an engine, the harder the deeper its stack.
std::size_t most_states(const Oracle& oracle) {
  return oracle.is_finite() ? 1'000'000 : 2000;
}
/// Of a path that goes on for ever.
std::size_t most_steps(const Oracle& oracle) {
  return oracle.is_finite() ? 1'000'000 : 50;
}

/// A path on which the formula holds throughout: to a dead end, or back to a state of the path.
ShownPath endless_path(const model::Rsm& model, Oracle& oracle, logic::FormulaId globally,
                       const Configuration& state) {
  ShownPath evidence{{state}, ""};
  std::set<Configuration> on_path = {state};
  while (evidence.path.size() <= most_steps(oracle)) {
    const std::vector<Configuration> next = successors(model, evidence.path.back());
    if (next.empty()) {
      evidence.says = "the path ends there: a dead end";
      return evidence;
    }
    const auto good = std::ranges::find_if(
        next, [&](const Configuration& s) { return oracle.holds(globally, s); });
    if (good == next.end()) {
      break;  // cannot be: the formula holds in the last state
    }
    evidence.path.push_back(*good);
    if (!on_path.insert(*good).second) {
      evidence.says = "the last state was on the path before: it can go round for ever";
      return evidence;
    }
  }
  evidence.says = fmt::format("and so on: after {} steps it has come to no state twice",
                              evidence.path.size() - 1);
  return evidence;
}

}  // namespace

std::vector<Configuration> shortest_path(const model::Rsm& model, Oracle& oracle,
                                         logic::FormulaId through, logic::FormulaId goal,
                                         const Configuration& state) {
  std::map<Configuration, const Configuration*> parents;
  const auto path_to = [&](const Configuration* last) {
    std::vector<Configuration> path;
    for (; last != nullptr; last = parents.at(*last)) {
      path.push_back(*last);
    }
    std::ranges::reverse(path);
    return path;
  };
  std::vector<const Configuration*> found = {&parents.emplace(state, nullptr).first->first};
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (oracle.holds(goal, *found[i])) {
      return path_to(found[i]);
    }
    if (through.valid() && !oracle.holds(through, *found[i])) {
      continue;
    }
    for (const Configuration& next : successors(model, *found[i])) {
      const auto [place, is_new] = parents.emplace(next, found[i]);
      if (is_new) {
        found.push_back(&place->first);
      }
    }
    if (found.size() > most_states(oracle)) {
      throw base::LimitReached{
          fmt::format("no such state among the nearest {}", most_states(oracle))};
    }
  }
  return {};
}

ShownPath find_evidence(const model::Rsm& model, const logic::FormulaPool& pool, Oracle& oracle,
                        logic::FormulaId formula, const Configuration& state) {
  bool value = oracle.holds(formula, state);
  for (;;) {
    const logic::Formula f = pool[formula];  // a copy: asking adds to the pool
    if (f.op == logic::Op::Not) {
      formula = f.left;
      value = !value;
    } else if (f.op == logic::Op::Or && value) {
      formula = oracle.holds(f.left, state) ? f.left : f.right;
    } else {
      break;
    }
  }
  const logic::Formula f = pool[formula];  // a copy: asking adds to the pool
  const std::string text = logic::to_string(pool, formula);
  if (!value) {
    return {{state}, fmt::format("{} does not hold here, which no single path can show", text)};
  }
  switch (f.op) {
    case logic::Op::EX:
      for (const Configuration& next : successors(model, state)) {
        if (oracle.holds(f.left, next)) {
          return {{state, next}, fmt::format("a step that shows {}", text)};
        }
      }
      break;
    case logic::Op::EU:
      return {shortest_path(model, oracle, f.left, f.right, state),
              fmt::format("a shortest path that shows {}", text)};
    case logic::Op::EG: {
      ShownPath evidence = endless_path(model, oracle, formula, state);
      evidence.says = fmt::format("a path that shows {}; {}", text, evidence.says);
      return evidence;
    }
    default:
      break;
  }
  return {{state}, fmt::format("{} holds here", text)};
}

}  // namespace nestor::probe
