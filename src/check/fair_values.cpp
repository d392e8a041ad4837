#include "check/fair_values.h"

#include "base/error.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <vector>

namespace nestor::check {

namespace {

/// The nodes of `along` in the order in which a depth-first search leaves them.
std::vector<model::NodeId> finishing_order(const model::Rsm& model, const base::BitSet& along) {
  struct Frame {
    model::NodeId node;
    std::size_t next = 0;
  };
  base::BitSet open = along;  // not entered yet
  std::vector<model::NodeId> order;
  std::vector<Frame> stack;
  along.for_each([&](std::size_t root) {
    if (!open.test(root)) {
      return;
    }
    open.reset(root);
    stack.push_back({model::NodeId(root), 0});
    while (!stack.empty()) {
      const auto successors = model.successors(stack.back().node);
      if (stack.back().next == successors.size()) {
        order.push_back(stack.back().node);
        stack.pop_back();
        continue;
      }
      const model::NodeId n = successors[stack.back().next++];
      if (open.test(n.value())) {
        open.reset(n.value());
        stack.push_back({n, 0});
      }
    }
  });
  return order;
}

}  // namespace

FairValues::FairValues(const model::Rsm& model, logic::FormulaPool& pool,
                       const model::Fairness& fairness)
    : model_(model), pool_(pool), fairness_(fairness) {
  NESTOR_CHECK(model.box_count() == 0 && model.component_count() == 1);
  base::BitSet all(model.node_count());
  all.set_all();
  fair_ = fair_forever(all);
}

std::uint32_t FairValues::all_marks() const {
  return ~std::uint32_t{0} >> (32 - fairness_.constraints);
}

std::uint32_t FairValues::marks(model::NodeId from, model::NodeId to) const {
  const auto successors = model_.successors(from);
  const auto marks = fairness_.marks_of(model_, from);
  for (std::size_t i = 0; i < successors.size(); ++i) {
    if (successors[i] == to) {
      return marks[i];
    }
  }
  return 0;
}

bool FairValues::holds(logic::FormulaId formula, model::NodeId n) {
  return values(logic::existential_normal_form(pool_, formula)).test(n.value());
}

const base::BitSet& FairValues::values(logic::FormulaId normal) {
  for (const logic::FormulaId f : logic::subformulas(pool_, normal)) {
    if (!values_.contains(f)) {
      values_.emplace(f, evaluate(pool_[f], f));
    }
  }
  return values_.at(normal);
}

base::BitSet FairValues::evaluate(const logic::Formula& formula, logic::FormulaId f) {
  base::BitSet result(model_.node_count());
  switch (formula.op) {
    case logic::Op::True:
      result.set_all();
      break;
    case logic::Op::Atom:
      if (const model::PropId p = model_.find_prop(pool_.atom_name(f)); p.valid()) {
        for (const model::NodeId n : model_.nodes_with(p)) {
          result.set(n.value());
        }
      }
      break;
    case logic::Op::Not:
      result = values_.at(formula.left);
      result.flip_all();
      break;
    case logic::Op::Or:
      result = values_.at(formula.left);
      result |= values_.at(formula.right);
      break;
    case logic::Op::EX:
      for (const model::NodeId n : model_.nodes()) {
        for (const model::NodeId next : model_.successors(n)) {
          if (values_.at(formula.left).test(next.value()) && is_fair(next)) {
            result.set(n.value());
          }
        }
      }
      break;
    case logic::Op::EU:
      values_.at(formula.right).for_each([&](std::size_t n) {
        if (is_fair(model::NodeId(n))) {
          result.set(n);
        }
      });
      extend_backwards(values_.at(formula.left), result);
      break;
    default:
      NESTOR_CHECK(formula.op == logic::Op::EG);
      result = fair_forever(values_.at(formula.left));
  }
  return result;
}

/// Kosaraju's algorithm: the states that reach each other are those found backwards from one, in
/// the order of finishing from the last on.
base::BitSet FairValues::fair_forever(const base::BitSet& along) const {
  const std::vector<model::NodeId> order = finishing_order(model_, along);
  std::vector<std::uint32_t> component(model_.node_count(), 0);
  std::uint32_t count = 0;
  base::BitSet open = along;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (!open.test(order[i].value())) {
      continue;
    }
    ++count;
    std::vector<model::NodeId> stack{order[i]};
    open.reset(order[i].value());
    while (!stack.empty()) {
      const model::NodeId n = stack.back();
      stack.pop_back();
      component[n.value()] = count;
      for (const model::NodeId before : model_.predecessors(n)) {
        if (open.test(before.value())) {
          open.reset(before.value());
          stack.push_back(before);
        }
      }
    }
  }
  std::vector<std::uint32_t> marks(count + std::size_t{1}, 0);
  for (const model::NodeId n : order) {
    const auto successors = model_.successors(n);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      if (component[successors[i].value()] == component[n.value()]) {
        marks[component[n.value()]] |= fairness_.marks_of(model_, n)[i];
      }
    }
  }
  base::BitSet result(model_.node_count());
  for (const model::NodeId n : order) {
    if (marks[component[n.value()]] == all_marks()) {
      result.set(n.value());
    }
  }
  extend_backwards(along, result);
  return result;
}

void FairValues::extend_backwards(const base::BitSet& along, base::BitSet& goal) const {
  std::vector<model::NodeId> open;
  goal.for_each([&](std::size_t n) { open.emplace_back(n); });
  while (!open.empty()) {
    const model::NodeId n = open.back();
    open.pop_back();
    for (const model::NodeId before : model_.predecessors(n)) {
      if (along.test(before.value()) && goal.insert(before.value())) {
        open.push_back(before);
      }
    }
  }
}

}  // namespace nestor::check
