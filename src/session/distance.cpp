// COMPUTE MIN and MAX as NuSMV has them (NuSMV 2.6 user manual, section 2.4.5): MIN by
// breadth-first search, MAX as the longest path that does not come to its goal, which is infinite
// if there is a circle.

#include "session/distance.h"

#include "base/bit_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace nestor::session {

namespace {

constexpr const char* kInfinity = "infinity";

base::BitSet nodes_with(const model::Rsm& machine, const std::string& proposition) {
  base::BitSet result(machine.node_count());
  if (const model::PropId p = machine.find_prop(proposition); p.valid()) {
    for (const model::NodeId n : machine.nodes_with(p)) {
      result.set(n.value());
    }
  }
  return result;
}

std::string shortest(const model::Rsm& machine, std::vector<model::NodeId> level,
                     const base::BitSet& goal, base::LimitGuard& guard) {
  base::BitSet seen(machine.node_count());
  for (const model::NodeId n : level) {
    seen.set(n.value());
  }
  for (std::size_t steps = 0; !level.empty(); ++steps) {
    std::vector<model::NodeId> next;
    for (const model::NodeId n : level) {
      guard.tick();
      if (goal.test(n.value())) {
        return fmt::format("{}", steps);
      }
      for (const model::NodeId m : machine.successors(n)) {
        if (!seen.test(m.value())) {
          seen.set(m.value());
          next.push_back(m);
        }
      }
    }
    level = std::move(next);
  }
  return kInfinity;
}

/// Only nodes without the goal are on the way; each is taken when all before it are.
std::string longest(const model::Rsm& machine, const std::vector<model::NodeId>& from,
                    const base::BitSet& goal, base::LimitGuard& guard) {
  base::BitSet seen(machine.node_count());
  std::vector<model::NodeId> order;
  const auto add = [&](model::NodeId n) {
    if (!goal.test(n.value()) && !seen.test(n.value())) {
      seen.set(n.value());
      order.push_back(n);
    }
  };
  std::for_each(from.begin(), from.end(), add);
  std::vector<std::uint32_t> before(machine.node_count(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    guard.tick();
    for (const model::NodeId m : machine.successors(order[i])) {
      add(m);
      before[m.value()] += goal.test(m.value()) ? 0 : 1;
    }
  }
  std::vector<std::size_t> length(machine.node_count(), 1);  // of the longest path to a node
  std::vector<model::NodeId> ready;
  std::ranges::copy_if(order, std::back_inserter(ready),
                       [&](model::NodeId n) { return before[n.value()] == 0; });
  std::size_t most = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    guard.tick();
    const std::size_t here = length[ready[i].value()];
    most = std::max(most, here);
    for (const model::NodeId m : machine.successors(ready[i])) {
      if (!goal.test(m.value())) {
        length[m.value()] = std::max(length[m.value()], here + 1);
        if (--before[m.value()] == 0) {
          ready.push_back(m);
        }
      }
    }
  }
  return ready.size() < order.size() ? kInfinity : fmt::format("{}", most);
}

std::string distance_in(const model::Rsm& machine, const logic::ModelProperty::Distance& distance,
                        base::LimitGuard& guard) {
  const base::BitSet goal = nodes_with(machine, distance.to);
  std::vector<model::NodeId> from;
  nodes_with(machine, distance.from).for_each([&](std::size_t n) { from.emplace_back(n); });
  if (from.empty() || goal.count() == 0) {
    return "undefined";
  }
  return distance.longest ? longest(machine, from, goal, guard)
                          : shortest(machine, std::move(from), goal, guard);
}

}  // namespace

engine::Result measured(const Subject& subject, std::size_t machine,
                        const logic::ModelProperty::Distance& distance,
                        const base::Limits& limits) {
  engine::Result result;
  if (!subject.has_machine() || subject.machine(machine).box_count() > 0) {
    result.reason = "COMPUTE needs all states of a model without calls";
    return result;
  }
  try {
    base::LimitGuard guard(limits);
    result.how = fmt::format("= {}", distance_in(subject.machine(machine), distance, guard));
    result.verdict = engine::Verdict::Holds;
  } catch (const base::LimitReached& limit) {
    result.reason = limit.reason;
  }
  return result;
}

}  // namespace nestor::session
