#include "pushdown_unfolding.h"

#include "bounded_graph.h"

#include <algorithm>
#include <vector>

namespace nestor::test {

namespace {

struct Configuration {
  model::ControlId control;
  std::vector<model::SymbolId> stack;  // the top is last

  friend auto operator<=>(const Configuration&, const Configuration&) = default;
};

std::vector<Configuration> successors_of(const model::PushdownSystem& system,
                                         const Configuration& from) {
  std::vector<Configuration> found;
  for (const model::PushdownRule& rule : system.rules()) {
    if (from.stack.empty() || rule.head != model::Head{from.control, from.stack.back()}) {
      continue;
    }
    Configuration next{rule.target, from.stack};
    next.stack.pop_back();
    if (rule.second.valid()) {
      next.stack.push_back(rule.second);
    }
    if (rule.first.valid()) {
      next.stack.push_back(rule.first);
    }
    found.push_back(std::move(next));
  }
  return found;
}

bool carries(const model::PushdownSystem& system, const Configuration& at,
             std::string_view proposition) {
  const auto named = [&](const auto& label) {
    return system.string(label.proposition) == proposition;
  };
  const auto controls = system.control_labels();
  if (std::any_of(controls.begin(), controls.end(),
                  [&](const auto& label) { return named(label) && label.control == at.control; })) {
    return true;
  }
  if (at.stack.empty()) {
    return false;
  }
  const auto symbols = system.symbol_labels();
  const auto heads = system.head_labels();
  return std::any_of(
             symbols.begin(), symbols.end(),
             [&](const auto& label) { return named(label) && label.symbol == at.stack.back(); }) ||
         std::any_of(heads.begin(), heads.end(), [&](const auto& label) {
           return named(label) && label.head == model::Head{at.control, at.stack.back()};
         });
}

}  // namespace

engine::Verdict check_by_unfolding(const model::PushdownSystem& system,
                                   const logic::FormulaPool& pool, logic::FormulaId formula,
                                   std::size_t most_states) {
  std::vector<Configuration> initial;
  for (const model::Head head : system.initial_heads()) {
    initial.push_back({head.control, {head.symbol}});
  }
  const Explored<Configuration> unfolding = explore(
      initial, [&system](const Configuration& from) { return successors_of(system, from); },
      most_states);
  return check_graph(unfolding.graph, pool, formula,
                     [&](std::size_t state, std::string_view proposition) {
                       return carries(system, unfolding.states[state], proposition);
                     });
}

}  // namespace nestor::test
