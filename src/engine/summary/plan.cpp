#include "engine/summary/plan.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

Plan::Plan(const Shape& shape)
    : shape_(shape),
      visited_(shape.steps.size(), 0),
      propositional_(shape.steps.size(), true),
      last_user_(shape.steps.size(), 0),
      use_count_(shape.steps.size(), 0) {
  for (std::uint32_t s = 0; s < steps().size(); ++s) {
    const Step& step = steps()[s];
    const int operands = logic::operand_count(step.op);
    assert((operands < 1 || step.left < s) && (operands < 2 || step.right < s));
    propositional_[s] = !logic::is_existential(step.op) &&
                        (operands < 1 || propositional_[step.left]) &&
                        (operands < 2 || propositional_[step.right]);
    if (logic::is_existential(step.op)) {
      for (const std::uint32_t operand : existential_below(s)) {
        last_user_[operand] = s;
      }
    }
  }
  outside_ = closure_of(roots());
  for (const std::uint32_t step : outside_) {
    if (logic::is_existential(steps()[step].op)) {
      outermost_.push_back({step, needed_by(step), {}});
      assert(outermost_.back().needed.empty() || outermost_.back().needed.back() < step);
      ++use_count_[step];
      for (const std::uint32_t needed : outermost_.back().needed) {
        ++use_count_[needed];
      }
    }
  }
  std::vector<std::uint32_t> place(steps().size());
  for (std::uint32_t k = 0; k < outermost_.size(); ++k) {
    place[outermost_[k].step] = k;
  }
  for (std::uint32_t r = 0; r < roots().size(); ++r) {
    for (const std::uint32_t step : boolean_closure(roots()[r])) {
      if (logic::is_existential(steps()[step].op)) {
        outermost_[place[step]].roots.push_back(r);
      }
    }
  }
  std::stable_sort(outermost_.begin(), outermost_.end(),
                   [](const Outermost& a, const Outermost& b) { return a.needed < b.needed; });
}

std::vector<std::uint32_t> Plan::closure_of(std::vector<std::uint32_t> stack) const {
  std::vector<std::uint32_t> closure;
  ++visit_;
  while (!stack.empty()) {
    const std::uint32_t s = stack.back();
    stack.pop_back();
    if (visited_[s] == visit_) {
      continue;
    }
    visited_[s] = visit_;
    closure.push_back(s);
    const Step& step = steps()[s];
    if (!logic::is_existential(step.op)) {
      const int operands = logic::operand_count(step.op);
      if (operands >= 1) {
        stack.push_back(step.left);
      }
      if (operands == 2) {
        stack.push_back(step.right);
      }
    }
  }
  std::sort(closure.begin(), closure.end());
  return closure;
}

std::vector<std::uint32_t> Plan::boolean_closure(std::uint32_t step) const {
  return closure_of({step});
}

bool Plan::has_propositional_operands(std::uint32_t existential) const {
  const Step& s = steps()[existential];
  return propositional_[s.left] && (s.op != logic::Op::EU || propositional_[s.right]);
}

/// The existential steps that an existential step's operands read.
std::vector<std::uint32_t> Plan::existential_below(std::uint32_t step) const {
  std::vector<std::uint32_t> operands{steps()[step].left};
  if (steps()[step].op == logic::Op::EU) {
    operands.push_back(steps()[step].right);
  }
  std::vector<std::uint32_t> found = closure_of(std::move(operands));
  std::erase_if(found, [this](std::uint32_t s) { return !logic::is_existential(steps()[s].op); });
  return found;
}

std::vector<std::uint32_t> Plan::needed_by(std::uint32_t outermost) const {
  std::vector<std::uint32_t> needed;
  std::vector<bool> seen(outermost + 1);
  std::vector<std::uint32_t> stack{outermost};
  while (!stack.empty()) {
    const std::uint32_t step = stack.back();
    stack.pop_back();
    for (const std::uint32_t operand : existential_below(step)) {
      if (!seen[operand]) {
        seen[operand] = true;
        needed.push_back(operand);
        stack.push_back(operand);
      }
    }
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

}  // namespace nestor::engine::summary
