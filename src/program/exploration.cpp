#include "program/exploration.h"

#include <algorithm>
#include <optional>

// What the exploration of a model asks besides steps: how far it goes, which points are passed
// over, and what can be told when it is complete.

namespace nestor::program {

namespace {

using Box = Exploration::Box;
using Component = Exploration::Component;
using Phase = SymbolicState::Phase;

}  // namespace

void begin_again(Component& component, std::uint32_t node) {
  component.nodes[node].next.clear();
  for (Exploration::Box& box : component.boxes) {
    box.is_left |= box.node == node;
  }
}

bool is_too_far(const Exploration& exploration, const Tracking& tracking,
                const SymbolicState& before, bool is_merging) {
  constexpr std::size_t kMostEntered = 32;  // functions with what is known, where states are merged
  if (tracking.is_shallow && before.phase == Phase::Alive) {
    return true;
  }
  return tracking.ends_with_release &&
         exploration.components.size() >= (is_merging ? kMostEntered : 2 * kMostEntered);
}

bool is_believed(const Tracking& tracking, const Component& callee, const Component& caller,
                 std::uint32_t point) {
  return !tracking.ends_with_release || callee.relevance->looks_inside() ||
         caller.relevance->may_act_after(point);
}

std::size_t pass_over(Component& component, const Function& function, std::uint32_t from,
                      Phase phase, bool shows_all) {
  const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(phase));
  component.passed.resize(function.points.size(), 0);
  std::size_t count = 0;
  std::vector<std::uint32_t> work = {from};
  while (!work.empty()) {
    const std::span<const std::uint32_t> following = component.relevance->next(work.back());
    work.pop_back();
    for (const std::uint32_t next : following) {
      if (next >= Function::kFirst && (component.passed[next] & bit) == 0) {
        component.passed[next] |= bit;
        count += shows_all || !component.relevance->is_link(next) ? 1 : 0;
        work.push_back(next);
      }
    }
  }
  return count;
}

void drop_unreached(Exploration& exploration, StateTable& states) {
  std::vector<Component>& components = exploration.components;
  std::vector<std::vector<std::uint8_t>> reached;
  for (const Component& component : components) {
    reached.emplace_back(component.nodes.size(), 0);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> work;
  const auto reach = [&](std::uint32_t c, std::uint32_t n) {
    if (reached[c][n] == 0) {
      reached[c][n] = 1;
      work.emplace_back(c, n);
    }
  };
  reach(0, 0);
  while (!work.empty()) {
    const auto [c, n] = work.back();
    work.pop_back();
    for (const std::uint32_t next : components[c].nodes[n].next) {
      reach(c, next);
    }
    for (const Box& box : components[c].boxes) {
      if (box.node != n || box.is_left) {
        continue;
      }
      reach(box.component, 0);
      for (const auto& [exit, nodes] : box.returns) {
        for (const std::uint32_t next : nodes) {
          reach(c, next);
        }
      }
    }
  }
  for (std::uint32_t c = 0; c < components.size(); ++c) {
    for (std::uint32_t n = 0; n < components[c].nodes.size(); ++n) {
      if (reached[c][n] == 0) {
        components[c].nodes[n].labels.clear();
        components[c].nodes[n].is_returned = false;
        components[c].nodes[n].state = states.intern({});
      }
    }
  }
}

std::set<FunctionId> releasing_functions(const Exploration& exploration, const StateTable& states,
                                         const Tracking& tracking) {
  std::set<FunctionId> releasing;
  if (!tracking.ends_with_release && !tracking.undefined && !tracking.null) {
    return releasing;
  }
  std::map<FunctionId, std::pair<bool, bool>> ends;  // with the handle alive, and without
  for (std::size_t c = 1; c < exploration.components.size(); ++c) {
    const Component& component = exploration.components[c];
    if (states[component.entry].phase != Phase::Alive) {
      continue;  // it makes the handle itself
    }
    for (const std::uint32_t exit : component.exits) {
      const SymbolicState& state = states[component.nodes[exit].state];
      // Where something else was written, nothing is the handle any more.
      const std::optional<std::uint32_t> handle = state.handle();
      const bool is_written =
          (tracking.undefined || tracking.null) &&
          std::none_of(state.bindings.begin(), state.bindings.end(),
                       [&](const Binding& one) { return handle && one.datum.is_symbol(*handle); });
      auto& [alive, ended] = ends[component.function];
      alive |= state.phase == Phase::Alive && !is_written;
      ended |= state.phase == Phase::Kept || is_written;
    }
  }
  for (const auto& [function, both] : ends) {
    if (both.first && both.second) {
      releasing.insert(function);
    }
  }
  return releasing;
}

std::map<FunctionId, std::uint32_t> entered_functions(const Exploration& exploration) {
  std::map<FunctionId, std::uint32_t> entered;
  const Component& root = exploration.components[0];
  for (const Box& first : root.boxes) {
    if (first.is_left) {
      continue;
    }
    std::vector<std::uint32_t> work = {first.component};
    while (!work.empty()) {
      const Component& component = exploration.components[work.back()];
      work.pop_back();
      if (entered.try_emplace(component.function, root.nodes[first.node].point).second) {
        for (const Box& box : component.boxes) {
          if (!box.is_left) {
            work.push_back(box.component);
          }
        }
      }
    }
  }
  return entered;
}

}  // namespace nestor::program
