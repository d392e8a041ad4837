#include "check/steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::check {

namespace {

bool leads_to(const model::Rsm& model, model::NodeId from, model::NodeId to) {
  const auto successors = model.successors(from);
  return std::find(successors.begin(), successors.end(), to) != successors.end();
}

/// The return node that the state, at an exit, is.
model::NodeId return_node(const model::Rsm& model, const model::StackTable& stacks,
                          const model::State& state) {
  return model.box(stacks.top(state.stack)).first_return + model.exit_index(state.node);
}

/// Whether `to`, at an entry, is a call node that follows `from` under the stack `below`.
bool calls(const model::Rsm& model, const model::StackTable& stacks, model::NodeId from,
           model::StackId below, const model::State& to) {
  if (stacks.is_empty(to.stack) || stacks.below(to.stack) != below || !model.is_entry(to.node)) {
    return false;
  }
  const model::Box& box = model.box(stacks.top(to.stack));
  return leads_to(model, from, box.first_call + model.entry_index(to.node));
}

}  // namespace

std::string describe(const model::Rsm& model, const model::StackTable& stacks,
                     const model::State& state) {
  const std::string node = model.describe(state.node);
  return stacks.is_empty(state.stack)
             ? node
             : fmt::format("{} (in call {} of depth {})", node,
                           model.box_name(stacks.top(state.stack)), stacks.depth(state.stack));
}

std::string step_fault(const model::Rsm& model, const model::StackTable& stacks,
                       const model::State& from, model::Step step, const model::State& to) {
  const auto fault = [&](const char* what) {
    return fmt::format("{} from {} to {}", what, describe(model, stacks, from),
                       describe(model, stacks, to));
  };
  switch (step) {
    case model::Step::Local:
      if (from.stack != to.stack) {
        return fault("the stack does not match: a local step changes it,");
      }
      return leads_to(model, from.node, to.node) ? "" : fault("there is no transition");
    case model::Step::Call:
      return calls(model, stacks, from.node, from.stack, to) ? "" : fault("there is no call");
    case model::Step::Return:
    case model::Step::ReturnCall: {
      if (!model.is_exit(from.node) || stacks.is_empty(from.stack)) {
        return fault("nothing to return from:");
      }
      const model::StackId below = stacks.below(from.stack);
      const model::NodeId after = return_node(model, stacks, from);
      if (step == model::Step::ReturnCall) {
        return calls(model, stacks, after, below, to) ? "" : fault("there is no return and call");
      }
      if (to.stack != below) {
        return fault("the stack does not match: a return takes one call off,");
      }
      return leads_to(model, after, to.node) ? "" : fault("there is no return");
    }
    case model::Step::Stay:
      return from == to && model.is_exit(from.node) && stacks.is_empty(from.stack)
                 ? ""
                 : fault("only the outermost exit stays:");
  }
  return fault("unknown step");
}

bool has_no_successor(const model::Rsm& model, const model::StackTable& stacks,
                      const model::State& state) {
  if (!model.successors(state.node).empty()) {
    return false;
  }
  if (!model.is_exit(state.node)) {
    return true;
  }
  return !stacks.is_empty(state.stack) &&
         model.successors(return_node(model, stacks, state)).empty();
}

std::string state_fault(const model::Rsm& model, const witness::Witness& witness) {
  const model::StackTable& stacks = witness.stacks;
  const auto component_on = [&](model::StackId stack) {
    return stacks.is_empty(stack) ? model.initial_component() : model.box(stacks.top(stack)).callee;
  };
  for (const model::StackId stack : stacks.ids()) {
    if (stacks.is_empty(stack)) {
      continue;
    }
    const model::BoxId box = stacks.top(stack);
    if (box.value() >= model.box_count()) {
      return fmt::format("stack {}: no such box", stack.value());
    }
    if (model.box(box).owner != component_on(stacks.below(stack))) {
      return fmt::format("stack {}: procedure '{}' has no call '{}' of '{}'", stack.value(),
                         model.component_name(component_on(stacks.below(stack))),
                         model.box_name(box), model.component_name(model.box(box).owner));
    }
  }
  for (const model::StateId s : witness.states.ids()) {
    const model::State& state = witness.states[s];
    if (state.stack.value() >= stacks.size() || state.node.value() >= model.node_count() ||
        model.kind(state.node) != model::NodeKind::Plain) {
      return fmt::format("state {}: no such stack or node", s.value());
    }
    if (model.component_of(state.node) != component_on(state.stack)) {
      return fmt::format("state {}: the stack does not match: {} under a call of '{}'", s.value(),
                         model.describe(state.node),
                         model.component_name(component_on(state.stack)));
    }
  }
  return {};
}

}  // namespace nestor::check
