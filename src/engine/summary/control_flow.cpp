#include "engine/summary/control_flow.h"

#include "base/priority_set.h"

#include <algorithm>

namespace nestor::summary {

ControlFlow::ControlFlow(const Rsm& model, LimitGuard& guard, Scope scope)
    : model_(model), first_reach_(model.component_count()), live_(model.node_count()) {
  const std::vector<NodeId> first = starts(scope);
  const std::vector<NodeId> order = depth_first_order(first, guard);
  collect_calls(order);
  find_exits(order, guard);
  find_live(first, order, guard);
  find_single_entries();
}

/// The nodes that are live for no further reason.
std::vector<NodeId> ControlFlow::starts(Scope scope) const {
  std::vector<NodeId> nodes(model_.initial_nodes().begin(), model_.initial_nodes().end());
  if (scope == Scope::Called) {
    for (const ComponentId c : called_components(model_)) {
      for (const NodeId n : model_.component(c).nodes()) {
        nodes.push_back(n);
      }
    }
  }
  return nodes;
}

std::vector<ComponentId> called_components(const Rsm& model) {
  std::vector<ComponentId> found{model.initial_component()};
  BitSet seen(model.component_count());
  seen.set(found.front().value());
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const BoxId b : model.component(found[k]).boxes()) {
      const ComponentId callee = model.box(b).callee;
      if (seen.insert(callee.value())) {
        found.push_back(callee);
      }
    }
  }
  return found;
}

/// The nodes in the order in which a depth-first search from `starts` leaves them. The
/// search follows what a node's value is computed from: its successors; for a call node the entry
/// and then, as if every call returned through every exit, the return nodes.
std::vector<NodeId> ControlFlow::depth_first_order(const std::vector<NodeId>& starts,
                                                   LimitGuard& guard) const {
  struct Frame {
    NodeId node;
    std::uint32_t next = 0;  // position among what the node depends on
  };
  const auto dependency = [this](NodeId n, std::uint32_t i) -> NodeId {
    if (model_.kind(n) != NodeKind::Call) {
      const std::span<const NodeId> successors = model_.successors(n);
      return i < successors.size() ? successors[i] : NodeId();
    }
    if (i == 0) {
      return model_.origin(n);
    }
    const IdRange<NodeId> returns = model_.box(model_.box_of(n)).return_nodes();
    return i - 1 < returns.size() ? returns.front() + (i - 1) : NodeId();
  };
  BitSet seen(model_.node_count());
  std::vector<NodeId> order;
  std::vector<Frame> stack;
  for (const NodeId start : starts) {
    if (seen.insert(start.value())) {
      stack.push_back({start});
    }
    while (!stack.empty()) {
      guard.tick();
      Frame& frame = stack.back();
      const NodeId next = dependency(frame.node, frame.next++);
      if (!next.valid()) {
        order.push_back(frame.node);
        stack.pop_back();
      } else if (seen.insert(next.value())) {
        stack.push_back({next});
      }
    }
  }
  return order;
}

void ControlFlow::collect_calls(const std::vector<NodeId>& order) {
  calls_ = CompressedRows<BoxId, NodeId>(model_.box_count());
  for (const NodeId n : order) {
    if (model_.kind(n) == NodeKind::Call) {
      calls_.count(model_.box_of(n));
    }
  }
  calls_.finish_counting();
  for (const NodeId n : order) {
    if (model_.kind(n) == NodeKind::Call) {
      calls_.add(model_.box_of(n), n);
    }
  }
}

bool ControlFlow::unite(NodeId into, NodeId from) {
  const std::span<std::uint64_t> to = reach(into);
  const std::span<const std::uint64_t> other = exits_from(from);
  bool changed = false;
  for (std::size_t w = 0; w < to.size(); ++w) {
    const std::uint64_t united = to[w] | other[w];
    changed = changed || united != to[w];
    to[w] = united;
  }
  return changed;
}

/// Adds to the exits of a call node what the exits of its callee's entry lead to.
bool ControlFlow::gather_exits(NodeId call) {
  bool changed = false;
  const IdRange<NodeId> returns = model_.box(model_.box_of(call)).return_nodes();
  for_each_bit(exits_from(model_.origin(call)),
               [&](std::size_t y) { changed = unite(call, returns.front() + y) || changed; });
  return changed;
}

/// Each exit reaches itself; from there the nodes hand on what they reach, bottom-up.
void ControlFlow::find_exits(const std::vector<NodeId>& order, LimitGuard& guard) {
  for (const ComponentId c : model_.components()) {
    one_word_ = one_word_ && model_.exits(c).size() <= 64;
  }
  std::size_t words = 0;
  for (const ComponentId c : model_.components()) {
    first_reach_[c] = words;
    words += model_.component(c).nodes().size() * exit_words(c);
  }
  reach_.assign(words, 0);
  IdVector<NodeId, std::uint32_t> position(model_.node_count(), NodeId::kInvalid);
  for (std::size_t p = 0; p < order.size(); ++p) {
    position[order[p]] = static_cast<std::uint32_t>(p);
  }
  PrioritySet work(order.size());
  for (const NodeId n : order) {
    if (model_.is_exit(n)) {
      const std::uint32_t x = model_.exit_index(n);
      reach(n)[x / 64] |= std::uint64_t{1} << (x % 64);
      work.insert(position[n]);
    }
  }
  const auto call = [&](NodeId n) {
    if (position[n] != NodeId::kInvalid && gather_exits(n)) {
      work.insert(position[n]);
    }
  };
  while (!work.empty()) {
    guard.tick();
    const NodeId n = order[work.pop_min()];
    for (const NodeId p : model_.predecessors(n)) {
      if (position[p] != NodeId::kInvalid && unite(p, n)) {
        work.insert(position[p]);
      }
    }
    if (model_.kind(n) == NodeKind::Return) {
      // Only what this return node adds: with hundreds of exits, gathering from all of them for
      // each would be the square of that.
      const Box& box = model_.box(model_.box_of(n));
      const std::uint32_t y = n - box.first_return;
      for (const NodeId c : calls(model_.box_of(n))) {
        const bool reached = (exits_from(model_.origin(c))[y / 64] >> (y % 64) & 1) != 0;
        if (reached && unite(c, n)) {
          work.insert(position[c]);
        }
      }
    } else if (model_.is_entry(n)) {
      const std::uint32_t e = model_.entry_index(n);
      for (const BoxId b : model_.callers(model_.component_of(n))) {
        call(model_.box(b).first_call + e);
      }
    }
  }
}

void ControlFlow::find_live(const std::vector<NodeId>& starts, const std::vector<NodeId>& order,
                            LimitGuard& guard) {
  std::vector<NodeId> stack;
  const auto reached = [&](NodeId n) {
    if (live_.insert(n.value())) {
      stack.push_back(n);
    }
  };
  for (const NodeId n : starts) {
    reached(n);
  }
  while (!stack.empty()) {
    guard.tick();
    const NodeId n = stack.back();
    stack.pop_back();
    if (model_.kind(n) == NodeKind::Call) {
      const IdRange<NodeId> returns = model_.box(model_.box_of(n)).return_nodes();
      reached(model_.origin(n));
      for_each_bit(exits_from(model_.origin(n)),
                   [&](std::size_t y) { reached(returns.front() + y); });
    }
    for (const NodeId m : model_.successors(n)) {
      reached(m);
    }
  }
  for (const NodeId n : order) {
    if (is_live(n)) {
      bottom_up_.push_back(n);
    }
  }
  // A component is done when the search leaves it for the last time, by an entry as a rule; a
  // caller that is not called back is left later than what it calls.
  BitSet seen(model_.component_count());
  for (std::size_t i = bottom_up_.size(); i-- > 0;) {
    const ComponentId c = model_.component_of(bottom_up_[i]);
    if (seen.insert(c.value())) {
      live_components_.push_back(c);
    }
  }
  std::reverse(live_components_.begin(), live_components_.end());
}

void ControlFlow::find_single_entries() {
  IdVector<ComponentId, NodeId> way_in(model_.component_count());
  bool single = true;
  const auto enter = [&](NodeId n) {
    NodeId& known = way_in[model_.component_of(n)];
    single = single && (!known.valid() || known == n);
    known = n;
  };
  for (const NodeId n : model_.initial_nodes()) {
    enter(n);
  }
  for (const NodeId n : bottom_up_) {
    if (model_.kind(n) == NodeKind::Call) {
      enter(model_.origin(n));
    }
  }
  has_single_entries_ = single;
}

}  // namespace nestor::summary
