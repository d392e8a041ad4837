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

std::size_t most_nodes(const Tracking& tracking, Reduction reduction, bool is_merging) {
  constexpr std::size_t kMostNodes = 400;
  constexpr std::size_t kMostOfLoss = 1'000;    // where it is the second look
  constexpr std::size_t kMostOfLocal = 120;     // of which there are many more
  constexpr std::size_t kMostOfStory = 10'000;  // where all points are nodes
  constexpr std::size_t kMostMerged = 1'000;    // where states are merged
  if (reduction == Reduction::Nothing) {
    return kMostOfStory;
  }
  if (is_merging) {
    return kMostMerged;
  }
  return tracking.undefined || tracking.null || tracking.address          ? kMostOfLocal
         : tracking.ends_with_release && !tracking.origin->member.valid() ? kMostOfLoss
                                                                          : kMostNodes;
}

void begin_again(Component& component, std::uint32_t node) {
  component.nodes[node].next.clear();
  for (Exploration::Box& box : component.boxes) {
    box.is_left |= box.node == node;
  }
}

bool is_too_far(std::size_t components, const Tracking& tracking, const SymbolicState& before,
                bool is_merging) {
  constexpr std::size_t kMostEntered = 32;  // functions with what is known, where states are merged
  if (tracking.is_shallow && before.phase == Phase::Alive) {
    return true;
  }
  return tracking.ends_with_release && components >= (is_merging ? kMostEntered : 2 * kMostEntered);
}

bool tells_failure(const SymbolicState& end, const NumberSet& results) {
  const Binding* result = end.find({Slot::Kind::Result, 0, 0});
  if (result == nullptr || result->datum.kind == Datum::Kind::Address || result->datum.is_inside ||
      (result->datum.kind == Datum::Kind::Symbol && result->datum.number != 0)) {
    return false;
  }
  const NumberSet numbers = result->datum.kind == Datum::Kind::Number
                                ? NumberSet::only(result->datum.number)
                                : end.symbols[result->datum.id].numbers;
  return numbers.where(Relation::GreaterEqual, 0).is_empty() &&
         !results.where(Relation::GreaterEqual, 0).is_empty();
}

bool is_believed(const Tracking& tracking, bool looks_inside, const Component& caller,
                 std::uint32_t point, const Action& call, bool tells) {
  if (!tracking.ends_with_release) {
    return true;
  }
  const bool is_told = tells && call.result.valid() && caller.relevance->is_tested(call.result);
  return !is_told && (looks_inside || caller.relevance->may_act_after(point));
}

std::size_t pass_over(Component& component, const Function& function, std::uint32_t from,
                      Phase phase) {
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
        count += component.relevance->is_link(next) ? 0 : 1;
        work.push_back(next);
      }
    }
  }
  return count;
}

void find_reached(Component& component) {
  for (Exploration::Node& node : component.nodes) {
    node.is_reached = false;
  }
  std::vector<std::vector<const Box*>> boxes(component.boxes.empty() ? 0 : component.nodes.size());
  for (const Box& box : component.boxes) {
    if (!box.is_left) {
      boxes[box.node].push_back(&box);
    }
  }
  std::vector<std::uint32_t> work;
  const auto reach = [&](std::uint32_t n) {
    if (!component.nodes[n].is_reached) {
      component.nodes[n].is_reached = true;
      work.push_back(n);
    }
  };
  reach(0);
  while (!work.empty()) {
    const std::uint32_t n = work.back();
    work.pop_back();
    for (const std::uint32_t next : component.nodes[n].next) {
      reach(next);
    }
    if (boxes.empty()) {
      continue;
    }
    for (const Box* box : boxes[n]) {
      for (const auto& [exit, nodes] : box->returns) {
        for (const std::uint32_t next : nodes) {
          reach(next);
        }
      }
    }
  }
}

void find_reached(Exploration& exploration) {
  exploration.is_entered.assign(exploration.components.size(), 0);
  exploration.is_entered[0] = 1;
  std::vector<std::uint32_t> work = {0};
  while (!work.empty()) {
    const std::uint32_t c = work.back();
    work.pop_back();
    const Component& component = *exploration.components[c];
    for (std::size_t b = 0; b < component.boxes.size(); ++b) {
      const Box& box = component.boxes[b];
      const std::uint32_t callee = exploration.callees[c][b];
      if (!box.is_left && component.nodes[box.node].is_reached &&
          exploration.is_entered[callee] == 0) {
        exploration.is_entered[callee] = 1;
        work.push_back(callee);
      }
    }
  }
}

std::set<FunctionId> releasing_functions(const Exploration& exploration, const StateView& states,
                                         const Tracking& tracking) {
  std::set<FunctionId> releasing;
  if (!tracking.ends_with_release && !tracking.undefined && !tracking.null) {
    return releasing;
  }
  std::map<FunctionId, std::pair<bool, bool>> ends;  // with the handle alive, and without
  for (std::uint32_t c = 1; c < exploration.components.size(); ++c) {
    const Component& component = *exploration.components[c];
    if (states.entry_of(c).phase != Phase::Alive || exploration.is_entered[c] == 0) {
      continue;  // it makes the handle itself
    }
    for (std::uint32_t exit = 0; exit < component.exits.size(); ++exit) {
      if (!component.nodes[component.exits[exit]].is_reached) {
        continue;
      }
      const SymbolicState& state = states.end_of(c, exit);
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
  const Component& root = *exploration.components[0];
  for (std::size_t first = 0; first < root.boxes.size(); ++first) {
    if (root.boxes[first].is_left) {
      continue;
    }
    const std::uint32_t point = root.nodes[root.boxes[first].node].point;
    std::vector<std::uint32_t> work = {exploration.callees[0][first]};
    while (!work.empty()) {
      const std::uint32_t c = work.back();
      work.pop_back();
      const Component& component = *exploration.components[c];
      if (entered.try_emplace(component.function, point).second) {
        for (std::size_t b = 0; b < component.boxes.size(); ++b) {
          if (!component.boxes[b].is_left) {
            work.push_back(exploration.callees[c][b]);
          }
        }
      }
    }
  }
  return entered;
}

}  // namespace nestor::program
