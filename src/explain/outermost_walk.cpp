#include "explain/outermost_walk.h"

#include "base/error.h"

namespace nestor::explain {

model::Move OutermostWalk::next() {
  const model::Rsm& model = graph_.model();
  model::Move move;
  if (go_on_inside(move)) {
    return move;
  }
  leave_call_node();
  if (go_on_inside(move)) {
    return move;
  }
  const Distance wanted = goals_.from(instance_, at_) - 1;
  for (const model::NodeId m : model.successors(at_)) {
    if (goals_.from(instance_, m) == wanted) {
      move = model::move_along(model, stacks_, stack_, at_, m);
      at_ = m;
      return move;
    }
  }
  NESTOR_CHECK(false);  // the distances say that there is one
  return move;
}

void OutermostWalk::pass(std::uint32_t caller, model::StackId stack_of_callee, model::NodeId call,
                         std::uint32_t exit) {
  const model::Rsm& model = graph_.model();
  const std::uint32_t callee = graph_.callee(caller, model.box_of(call));
  passed_.push_back({callee, stack_of_callee, entries_.way(callee, model.origin(call), exit), 0});
}

/// At a call node: into the callee for good, or through it.
void OutermostWalk::leave_call_node() {
  const model::Rsm& model = graph_.model();
  if (model.kind(at_) != model::NodeKind::Call) {
    return;
  }
  const Distance wanted = goals_.from(instance_, at_);
  const model::BoxId b = model.box_of(at_);
  const std::uint32_t callee = graph_.callee(instance_, b);
  const model::NodeId entry = model.origin(at_);
  const model::StackId inside = stacks_.push(stack_, b);
  if (goals_.from(callee, entry) == wanted) {
    instance_ = callee;
    stack_ = inside;
    at_ = entry;
    return;
  }
  for (std::uint32_t x = 0; x < graph_.exits(callee).size(); ++x) {
    const model::NodeId after = model.box(b).first_return + x;
    if (sum(entries_.through(callee, entry, x), goals_.from(instance_, after)) == wanted) {
      pass(instance_, inside, at_, x);
      at_ = after;
      return;
    }
  }
  NESTOR_CHECK(false);
}

/// One step inside the calls that are being passed; false if there is none left to make.
bool OutermostWalk::go_on_inside(model::Move& move) {
  const model::Rsm& model = graph_.model();
  while (!passed_.empty()) {
    Passed& top = passed_.back();
    const model::NodeId from = top.way[top.at];
    if (model.kind(from) == model::NodeKind::Call) {
      // Its callee comes before the return node that follows.
      const model::NodeId after = top.way[++top.at];
      const model::BoxId b = model.box_of(from);
      pass(top.instance, stacks_.push(top.stack, b), from, after - model.box(b).first_return);
      continue;
    }
    if (top.at + 1 == top.way.size()) {
      passed_.pop_back();
      continue;
    }
    move = model::move_along(model, stacks_, top.stack, from, top.way[++top.at]);
    return true;
  }
  return false;
}

}  // namespace nestor::explain
