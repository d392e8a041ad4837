#include "unfolding.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace nestor::test {

namespace {

using State = UnfoldedState;

State enter(std::vector<model::BoxId> stack, const model::Rsm& model, model::NodeId target) {
  if (model.kind(target) == model::NodeKind::Call) {
    stack.push_back(model.box_of(target));
  }
  return {std::move(stack), model.origin(target)};
}

std::vector<State> successors_of(const model::Rsm& model, const State& state) {
  std::vector<State> found;
  for (const model::NodeId m : model.successors(state.node)) {
    found.push_back(enter(state.stack, model, m));
  }
  if (model.is_exit(state.node)) {
    if (state.stack.empty()) {
      found.push_back(state);
    } else {
      std::vector<model::BoxId> below = state.stack;
      const model::Box& box = model.box(below.back());
      below.pop_back();
      for (const model::NodeId m :
           model.successors(box.first_return + model.exit_index(state.node))) {
        found.push_back(enter(below, model, m));
      }
    }
  }
  return found;
}

bool value_at(const model::Rsm& model, const logic::FormulaPool& pool, logic::FormulaId formula,
              model::NodeId n) {
  std::map<logic::FormulaId, bool> values;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    const logic::Formula& part = pool[f];
    switch (part.op) {
      case logic::Op::True:
        values[f] = true;
        break;
      case logic::Op::Atom: {
        const model::PropId p = model.find_prop(pool.atom_name(f));
        values[f] =
            p.valid() && std::count(model.nodes_with(p).begin(), model.nodes_with(p).end(), n) > 0;
        break;
      }
      case logic::Op::Not:
        values[f] = !values[part.left];
        break;
      default:
        values[f] = values[part.left] || values[part.right];
    }
  }
  return values[formula];
}

}  // namespace

Explored<UnfoldedState> unfold(const model::Rsm& model, std::size_t most_states) {
  std::vector<State> initial;
  for (const model::NodeId n : model.initial_nodes()) {
    initial.push_back({{}, n});
  }
  return explore(
      initial, [&model](const State& state) { return successors_of(model, state); }, most_states);
}

bool is_successor(const model::Rsm& model, const UnfoldedState& from, const UnfoldedState& to) {
  const std::vector<State> successors = successors_of(model, from);
  return std::find(successors.begin(), successors.end(), to) != successors.end();
}

std::optional<std::size_t> shortest_path(const model::Rsm& model, logic::FormulaPool& pool,
                                         logic::FormulaId formula, bool holds,
                                         model::NodeId initial, std::size_t most_states) {
  // The normal form of A [true R A [p W q]] has lost the outer operator: the path is another one.
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    if (f != formula && pool[f].op >= logic::Op::EX) {
      return std::nullopt;
    }
  }
  // In normal form it is E [along U goal], possibly negated.
  logic::FormulaId normal = logic::existential_normal_form(pool, formula);
  if (!holds && pool[normal].op == logic::Op::Not) {
    normal = pool[normal].left;
    holds = true;
  }
  if (!holds || pool[normal].op != logic::Op::EU) {
    return std::nullopt;
  }
  const logic::Formula until = pool[normal];
  for (const logic::FormulaId operand : {until.left, until.right}) {
    for (const logic::FormulaId f : logic::subformulas(pool, operand)) {
      if (logic::is_existential(pool[f].op)) {
        return std::nullopt;
      }
    }
  }
  std::vector<State> level{{{}, initial}};
  std::set<State> seen(level.begin(), level.end());
  for (std::size_t steps = 0; !level.empty() && seen.size() < most_states; ++steps) {
    std::vector<State> next;
    for (const State& state : level) {
      if (value_at(model, pool, until.right, state.node)) {
        return steps;
      }
      if (!value_at(model, pool, until.left, state.node)) {
        continue;
      }
      for (State& successor : successors_of(model, state)) {
        if (seen.insert(successor).second) {
          next.push_back(std::move(successor));
        }
      }
    }
    level = std::move(next);
  }
  return std::nullopt;
}

engine::Verdict check_by_unfolding(const model::Rsm& model, const logic::FormulaPool& pool,
                                   logic::FormulaId formula, std::size_t most_states) {
  const Explored<State> unfolding = unfold(model, most_states);
  return check_graph(
      unfolding.graph, pool, formula, [&](std::size_t state, std::string_view proposition) {
        const model::PropId p = model.find_prop(proposition);
        if (!p.valid()) {
          return false;
        }
        const auto nodes = model.nodes_with(p);
        return std::find(nodes.begin(), nodes.end(), unfolding.states[state].node) != nodes.end();
      });
}

}  // namespace nestor::test
