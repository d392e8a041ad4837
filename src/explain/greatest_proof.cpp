// Every point asks for its successors one after the other. One that is not done yet is waited for,
// so each pair of a point and a successor is looked at once or twice. Nothing waits in a circle: a
// circle would be an infinite φ-path, and the value 1.

#include "explain/greatest_proof.h"

#include "base/error.h"

#include <algorithm>

namespace nestor::explain {

GreatestProof::GreatestProof(const InstanceGraph& graph, std::size_t place, std::size_t phi,
                             base::LimitGuard& guard)
    : graph_(graph), model_(graph.model()), place_(place), phi_(phi), guard_(guard) {
  guard_.reserve(graph.row_count() * (sizeof(State) + sizeof(Dead) + sizeof(std::uint32_t)));
  state_.assign(graph.row_count(), State::Unseen);
  dead_.assign(graph.row_count(), Dead());
  waiting_.assign(graph.row_count(), kNone);
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    for (const model::NodeId n : graph_.component(i).plain_nodes()) {
      if (graph_.value(phi_, i, n) && !graph_.value(place_, i, n)) {
        start({i, n});
        if (model_.is_exit(n)) {
          start_after(i, model_.exit_index(n));
        }
        run();
      }
    }
  }
  for (const State state : state_) {
    NESTOR_CHECK(state != State::Waiting);
  }
  tasks_ = {};
  waiting_ = {};
}

void GreatestProof::start(const Point& p) {
  const std::uint32_t row = graph_.row(p.instance, p.node);
  if (state_[row] != State::Unseen) {
    return;
  }
  state_[row] = State::Waiting;
  if (model_.is_exit(p.node)) {
    dead_[row].reach = sets_.single(model_.exit_index(p.node));
  }
  ready_.push_back(static_cast<std::uint32_t>(tasks_.size()));
  tasks_.push_back({p});
}

/// The return points of an instance's exit from which φ-paths go on by a call; others meet nodes
/// of their instance.
void GreatestProof::start_after(std::uint32_t instance, std::size_t exit) {
  for (const InstanceGraph::Caller& caller : graph_.callers(instance)) {
    const model::NodeId r = model_.box(caller.box).first_return + exit;
    const std::span<const model::NodeId> successors = model_.successors(r);
    if (std::any_of(successors.begin(), successors.end(), [&](model::NodeId m) {
          return model_.kind(m) == model::NodeKind::Call &&
                 graph_.value(phi_, graph_.callee(caller.instance, model_.box_of(m)),
                              model_.origin(m));
        })) {
      start({caller.instance, r});
    }
  }
}

void GreatestProof::run() {
  while (!ready_.empty()) {
    guard_.tick();
    const std::uint32_t t = ready_.back();
    ready_.pop_back();
    Task task = tasks_[t];  // a copy: going on may start others
    const bool done = go_on(task);
    // go_on() has put the row to wait for into next_waiting.
    if (done) {
      finish(task);
      continue;
    }
    const std::uint32_t row = task.next_waiting;
    task.next_waiting = waiting_[row];
    waiting_[row] = t;
    tasks_[t] = task;
  }
}

bool GreatestProof::go_on(Task& task) {
  const std::span<const model::NodeId> successors = model_.successors(task.point.node);
  for (; task.successor < successors.size(); ++task.successor, task.exit = 0) {
    if (!follow(task, successors[task.successor])) {
      return false;
    }
  }
  return true;
}

/// Takes over what a successor says; false if that is not known yet.
bool GreatestProof::follow(Task& task, model::NodeId successor) {
  const std::uint32_t i = task.point.instance;
  if (model_.kind(successor) == model::NodeKind::Plain) {
    return !graph_.value(phi_, i, successor) || take(task, {i, successor}, true);
  }
  const model::BoxId b = model_.box_of(successor);
  const Point entry{graph_.callee(i, b), model_.origin(successor)};
  if (!graph_.value(phi_, entry.instance, entry.node)) {
    return true;
  }
  if (!take(task, entry, false)) {
    return false;
  }
  const Dead& inside = dead_[graph_.row(entry.instance, entry.node)];
  while (task.exit < reach(inside).size()) {
    const model::NodeId point = model_.box(b).first_return + reach(inside)[task.exit];
    if (!take(task, {i, point}, true)) {
      return false;
    }
    ++task.exit;
  }
  return true;
}

/// Adds rank and reach of a point that is done; else waits for it.
bool GreatestProof::take(Task& task, const Point& from, bool with_reach) {
  const std::uint32_t row = graph_.row(from.instance, from.node);
  if (state_[row] != State::Done) {
    start(from);
    task.next_waiting = row;
    return false;
  }
  Dead& here = dead_[graph_.row(task.point.instance, task.point.node)];
  here.rank = std::max(here.rank, dead_[row].rank + 1);
  if (with_reach) {
    here.reach = sets_.unite(here.reach, dead_[row].reach);
  }
  return true;
}

void GreatestProof::finish(const Task& task) {
  const std::uint32_t row = graph_.row(task.point.instance, task.point.node);
  state_[row] = State::Done;
  for (std::uint32_t t = waiting_[row]; t != kNone; t = tasks_[t].next_waiting) {
    ready_.push_back(t);
  }
}

}  // namespace nestor::explain
