#include "check/runs.h"

#include "check/steps.h"

#include <fmt/format.h>

#include <bit>

namespace nestor::check {

using Ending = witness::Evidence::Ending;

std::string place_in(witness::EvidenceId e, std::size_t place) {
  return fmt::format("evidence {}, step {}", e.value(), place);
}

void reject(witness::EvidenceId e, const std::string& what) {
  throw Fault{fmt::format("evidence {}: {}", e.value(), what)};
}

void reject_at(witness::EvidenceId e, std::size_t place, const std::string& what) {
  throw Fault{place_in(e, place) + ": " + what};
}

const model::State& Runs::state(model::StateId s) const {
  return witness_.states[s];
}

void Runs::check_steps(witness::EvidenceId e) const {
  const witness::Evidence& evidence = witness_.evidence[e];
  for (std::size_t i = 0; i < evidence.steps.size(); ++i) {
    const std::string fault = step_fault(model_, witness_.stacks, state(evidence.path[i]),
                                         evidence.steps[i], state(evidence.path[i + 1]));
    if (!fault.empty()) {
      reject_at(e, i + 1, fault);
    }
  }
}

/// The path is a run: it ends in a dead end, or goes on for ever.
void Runs::check_maximal(witness::EvidenceId e) const {
  const witness::Evidence& evidence = witness_.evidence[e];
  if (evidence.ending == Ending::Loop) {
    check_loop(e);
    if (fair_) {
      check_fair_loop(e);
    }
    return;
  }
  if (fair_) {
    reject(e, "a path that ends is not fair");
  }
  if (evidence.ending != Ending::DeadEnd ||
      !has_no_successor(model_, witness_.stacks, state(evidence.path.back()))) {
    reject_at(e, evidence.steps.size(), "is no dead end");
  }
}

bool Runs::extends(model::StackId stack, model::StackId base) const {
  const model::StackTable& stacks = witness_.stacks;
  while (stacks.depth(stack) > stacks.depth(base)) {
    stack = stacks.below(stack);
  }
  return stack == base;
}

void Runs::check_loop(witness::EvidenceId e) const {
  const witness::Evidence& evidence = witness_.evidence[e];
  const std::size_t last = evidence.steps.size();
  if (evidence.loop >= last) {
    reject(e, "the loop has no step");
  }
  const model::State& begin = state(evidence.path[evidence.loop]);
  const model::State& end = state(evidence.path[last]);
  if (begin == end) {
    return;
  }
  if (begin.node != end.node || !extends(end.stack, begin.stack)) {
    reject_at(
        e, last,
        fmt::format("the loop does not close: {} is not {}", describe(model_, witness_.stacks, end),
                    describe(model_, witness_.stacks, begin)));
  }
  // The stack has grown. What happens above the stack of the beginning can happen again above
  // any stack; nothing may look below.
  std::uint32_t depth = witness_.stacks.depth(begin.stack);
  for (std::size_t i = evidence.loop; i < last; ++i) {
    const bool leaves = evidence.steps[i] == model::Step::Return ||
                        evidence.steps[i] == model::Step::ReturnCall ||
                        evidence.steps[i] == model::Step::Stay;
    if (leaves && witness_.stacks.depth(state(evidence.path[i]).stack) <= depth) {
      reject_at(e, i + 1, "the loop returns from the call in which it begins");
    }
  }
}

void Runs::check_fair_loop(witness::EvidenceId e) const {
  const witness::Evidence& evidence = witness_.evidence[e];
  std::uint32_t missing = fair_->all_marks();
  for (std::size_t i = evidence.loop; i < evidence.steps.size(); ++i) {
    missing &= ~fair_->marks(state(evidence.path[i]).node, state(evidence.path[i + 1]).node);
  }
  if (missing != 0) {
    reject(e, fmt::format("no step of the loop satisfies fairness constraint {}",
                          std::countr_zero(missing) + 1));
  }
}

}  // namespace nestor::check
