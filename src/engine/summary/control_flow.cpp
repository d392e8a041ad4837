#include "engine/summary/control_flow.h"

#include "base/debug_assert.h"
#include "base/priority_set.h"
#include "engine/summary/work_order.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

ControlFlow::ControlFlow(const model::Rsm& model, base::LimitGuard& guard, Scope scope)
    : model_(model), sets_(model.component_count()) {
  const std::vector<model::NodeId> first = starts(scope);
  base::BitSet seen(model.node_count());
  std::vector<model::NodeId> order = bottom_up_order(model, first, seen, recursions_, guard);
  collect_calls(seen);
  find_exits(order, guard);
  find_reached(first, order, guard);
  live_ = has_single_entries_ ? reached_ : std::move(seen);
  NESTOR_DEBUG_ASSERT(
      std::ranges::all_of(order, [this](model::NodeId n) { return !is_reached(n) || is_live(n); }));
  keep_live(std::move(order));
  assert(std::ranges::all_of(first, [this](model::NodeId n) { return is_live(n); }));
}

/// The nodes that are live for no further reason.
std::vector<model::NodeId> ControlFlow::starts(Scope scope) const {
  std::vector<model::NodeId> nodes(model_.initial_nodes().begin(), model_.initial_nodes().end());
  if (scope == Scope::Called) {
    for (const model::ComponentId c : called_components(model_)) {
      for (const model::NodeId n : model_.component(c).nodes()) {
        nodes.push_back(n);
      }
    }
  }
  return nodes;
}

std::vector<model::ComponentId> called_components(const model::Rsm& model) {
  std::vector<model::ComponentId> found{model.initial_component()};
  base::BitSet seen(model.component_count());
  seen.set(found.front().value());
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const model::BoxId b : model.component(found[k]).boxes()) {
      const model::ComponentId callee = model.box(b).callee;
      if (seen.insert(callee.value())) {
        found.push_back(callee);
      }
    }
  }
  return found;
}

void ControlFlow::collect_calls(const base::BitSet& seen) {
  calls_ = base::CompressedRows<model::BoxId, model::NodeId>(model_.box_count());
  const auto for_each_call = [&](auto visit) {
    for (const model::BoxId b : model_.boxes()) {
      for (const model::NodeId n : model_.box(b).call_nodes()) {
        if (seen.test(n.value())) {
          visit(b, n);
        }
      }
    }
  };
  for_each_call([&](model::BoxId b, model::NodeId) { calls_.count(b); });
  calls_.finish_counting();
  for_each_call([&](model::BoxId b, model::NodeId n) { calls_.add(b, n); });
}

bool ControlFlow::unite(model::NodeId into, model::NodeId from) {
  NESTOR_DEBUG_ASSERT(model_.component_of(into) == model_.component_of(from));
  const SetPlace to = place_of(into);
  return reach_.unite(to.place, place_of(from).place, to.length);
}

/// Adds to the exits of a call node what the exits of its callee's entry lead to.
bool ControlFlow::gather_exits(model::NodeId call) {
  bool changed = false;
  NESTOR_DEBUG_ASSERT(model_.kind(call) == model::NodeKind::Call);
  const base::IdRange<model::NodeId> returns = model_.box(model_.box_of(call)).return_nodes();
  for_each_bit(exits_from(model_.origin(call)),
               [&](std::size_t y) { changed = unite(call, returns.front() + y) || changed; });
  return changed;
}

/// Adds to what a node reaches what those that follow it do.
bool ControlFlow::gather(model::NodeId n) {
  if (model_.kind(n) == model::NodeKind::Call) {
    return gather_exits(n);
  }
  bool changed = false;
  for (const model::NodeId m : model_.successors(n)) {
    changed = unite(n, m) || changed;
  }
  return changed;
}

/// Each exit reaches itself; the nodes gather what follows them, in order, and where that comes
/// later in the order, on a cycle, once more in the end. What is still news then is handed on.
void ControlFlow::find_exits(const std::vector<model::NodeId>& order, base::LimitGuard& guard) {
  for (const model::ComponentId c : model_.components()) {
    one_word_ = one_word_ && model_.exits(c).size() <= 64;
    few_exits_ = few_exits_ && model_.exits(c).size() <= ExitBits::kFew;
    sets_[c].words = (model_.exits(c).size() + 63) / 64;
  }
  std::size_t words = 0;
  for (const model::ComponentId c : model_.components()) {
    const model::Component& component = model_.component(c);
    sets_[c].first = words - component.first_node.value() * sets_[c].words;
    words += component.nodes().size() * exit_words(c);
  }
  guard.reserve(ExitBits::bytes(few_exits_, words));
  reach_ = ExitBits(few_exits_, words);
  for (const model::ComponentId c : model_.components()) {
    for (std::uint32_t x = 0; x < model_.exits(c).size(); ++x) {
      reach_.insert(place_of(model_.exits(c)[x]).place, x);
    }
  }
  base::BitSet done(model_.node_count());
  std::vector<model::NodeId> on_cycles;
  const auto is_done = [&](model::NodeId n) { return done.test(n.value()); };
  for (const model::NodeId n : order) {
    guard.tick();
    gather(n);
    done.set(n.value());
    bool complete = true;
    if (model_.kind(n) == model::NodeKind::Call) {
      const base::IdRange<model::NodeId> returns = model_.box(model_.box_of(n)).return_nodes();
      complete = is_done(model_.origin(n)) && std::all_of(returns.begin(), returns.end(), is_done);
    } else {
      const std::span<const model::NodeId> successors = model_.successors(n);
      complete = std::all_of(successors.begin(), successors.end(), is_done);
    }
    if (!complete) {
      on_cycles.push_back(n);
    }
  }
  std::vector<model::NodeId> news;
  for (const model::NodeId n : on_cycles) {
    guard.tick();
    if (gather(n)) {
      news.push_back(n);
    }
  }
  if (!news.empty()) {
    hand_on_exits(order, news, guard);
  }
  // (5) with φ true everywhere is solved.
  NESTOR_DEBUG_ASSERT(std::ranges::none_of(order, [this](model::NodeId n) { return gather(n); }));
}

void ControlFlow::hand_on_exits(const std::vector<model::NodeId>& order,
                                const std::vector<model::NodeId>& news, base::LimitGuard& guard) {
  guard.reserve(model_.node_count() * sizeof(std::uint32_t));
  base::IdVector<model::NodeId, std::uint32_t> position(model_.node_count(),
                                                        model::NodeId::kInvalid);
  for (std::size_t p = 0; p < order.size(); ++p) {
    position[order[p]] = static_cast<std::uint32_t>(p);
  }
  base::PrioritySet work(order.size());
  for (const model::NodeId n : news) {
    work.insert(position[n]);
  }
  const auto call = [&](model::NodeId n) {
    if (position[n] != model::NodeId::kInvalid && gather_exits(n)) {
      work.insert(position[n]);
    }
  };
  while (!work.empty()) {
    guard.tick();
    const model::NodeId n = order[work.pop_min()];
    for (const model::NodeId p : model_.predecessors(n)) {
      if (position[p] != model::NodeId::kInvalid && unite(p, n)) {
        work.insert(position[p]);
      }
    }
    if (model_.kind(n) == model::NodeKind::Return) {
      // Only what this return node adds: with hundreds of exits, gathering from all of them for
      // each would be the square of that.
      const model::Box& box = model_.box(model_.box_of(n));
      const std::uint32_t y = n - box.first_return;
      for (const model::NodeId c : calls(model_.box_of(n))) {
        if (exits_from(model_.origin(c)).contains(y) && unite(c, n)) {
          work.insert(position[c]);
        }
      }
    } else if (model_.is_entry(n)) {
      const std::uint32_t e = model_.entry_index(n);
      for (const model::BoxId b : model_.callers(model_.component_of(n))) {
        call(model_.box(b).first_call + e);
      }
    }
  }
}

/// One pass, callers and predecessors first; a node that is reached when the pass is over it, on a
/// cycle, is followed at once.
void ControlFlow::find_reached(const std::vector<model::NodeId>& starts,
                               const std::vector<model::NodeId>& order, base::LimitGuard& guard) {
  reached_ = base::BitSet(model_.node_count());
  base::BitSet passed(model_.node_count());
  base::IdVector<model::ComponentId, model::NodeId> way_in(model_.component_count());
  has_single_entries_ = true;
  const auto enter = [&](model::ComponentId c, model::NodeId entry) {
    assert(model_.component_of(entry) == c);
    model::NodeId& known = way_in[c];
    has_single_entries_ = has_single_entries_ && (!known.valid() || known == entry);
    known = entry;
  };
  std::vector<model::NodeId> stack;
  const auto reached = [&](model::NodeId n) {
    if (reached_.insert(n.value()) && passed.test(n.value())) {
      stack.push_back(n);
    }
  };
  const auto follow = [&](model::NodeId n) {
    if (model_.kind(n) == model::NodeKind::Call) {
      const model::NodeId entry = model_.origin(n);
      const model::Box& box = model_.box(model_.box_of(n));
      enter(box.callee, entry);
      reached(entry);
      for_each_bit(exits_from(entry), [&](std::size_t y) { reached(box.first_return + y); });
    } else {
      std::ranges::for_each(model_.successors(n), reached);
    }
  };
  for (const model::NodeId n : model_.initial_nodes()) {
    enter(model_.component_of(n), n);
  }
  std::ranges::for_each(starts, reached);
  for (std::size_t p = order.size(); p-- > 0;) {
    guard.tick();
    passed.set(order[p].value());
    if (is_reached(order[p])) {
      follow(order[p]);
    }
    while (!stack.empty()) {
      guard.tick();
      const model::NodeId n = stack.back();
      assert(is_reached(n) && passed.test(n.value()));
      stack.pop_back();
      follow(n);
    }
  }
}

void ControlFlow::keep_live(std::vector<model::NodeId> order) {
  bottom_up_ = std::move(order);
  std::erase_if(bottom_up_, [this](model::NodeId n) { return !is_live(n); });
  // A component is done when the order leaves it for the last time; a caller that is not called
  // back is left later than what it calls.
  base::BitSet seen(model_.component_count());
  for (std::size_t i = bottom_up_.size(); i-- > 0;) {
    const model::ComponentId c = model_.component_of(bottom_up_[i]);
    if (seen.insert(c.value())) {
      live_components_.push_back(c);
    }
  }
  std::reverse(live_components_.begin(), live_components_.end());
  assert(seen.test(model_.initial_component().value()));
}

}  // namespace nestor::engine::summary
