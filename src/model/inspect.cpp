#include "model/inspect.h"

#include "base/bit_set.h"
#include "base/strong_components.h"

#include <algorithm>
#include <cassert>

namespace nestor::model {

namespace {

std::vector<ComponentId> unreachable_components(const Rsm& model) {
  base::BitSet reached(model.component_count());
  std::vector<ComponentId> worklist{model.initial_component()};
  reached.set(model.initial_component().value());
  while (!worklist.empty()) {
    const ComponentId c = worklist.back();
    worklist.pop_back();
    for (const BoxId b : model.component(c).boxes()) {
      if (reached.insert(model.box(b).callee.value())) {
        worklist.push_back(model.box(b).callee);
      }
    }
  }
  std::vector<ComponentId> result;
  for (const ComponentId c : model.components()) {
    if (!reached.test(c.value())) {
      result.push_back(c);
    }
  }
  return result;
}

}  // namespace

NodeCount find_dead_ends(const Rsm& model) {
  NodeCount result;
  for (const NodeId n : model.nodes()) {
    if (model.is_dead_end(n)) {
      result.add(n);
    }
  }
  return result;
}

CallGraph inspect_call_graph(const Rsm& model) {
  CallGraph result;
  const auto next = [&](std::uint32_t c, std::uint32_t& i) {
    const base::IdRange<BoxId> boxes = model.component(ComponentId(c)).boxes();
    return i < boxes.size() ? model.box(boxes.front() + i++).callee.value()
                            : base::StrongComponents::kNone;
  };
  const base::StrongComponents found =
      base::strong_components(model.component_count(), next, [] {});
  std::vector<std::size_t> sizes(found.count);
  for (const std::uint32_t number : found.of) {
    result.largest = std::max(result.largest, ++sizes[number]);
  }
  result.strong_components = found.count;
  result.recursive = result.largest > 1;
  for (const BoxId b : model.boxes()) {
    result.recursive = result.recursive || model.box(b).owner == model.box(b).callee;
  }
  result.unreachable = unreachable_components(model);
  return result;
}

Oddities find_oddities(const Rsm& model) {
  Oddities result;
  result.dead_ends = find_dead_ends(model);
  for (const NodeId n : model.nodes()) {
    if (model.is_entry(n) && model.is_exit(n)) {
      result.entry_exits.add(n);
    }
    if (model.is_exit(n) && !model.successors(n).empty()) {
      result.exits_going_on.add(n);
    }
    for (const NodeId successor : model.successors(n)) {
      if (model.is_entry(successor)) {
        result.transitions_into_entries.add(n);
      }
    }
  }
  for (const BoxId b : model.boxes()) {
    bool misses = false;
    for (const NodeId n : model.box(b).return_nodes()) {
      misses = misses || model.is_dead_end(n);
    }
    if (misses && result.boxes_missing_returns++ == 0) {
      result.first_box_missing_returns = b;
    }
  }
  return result;
}

std::size_t max_entries(const Rsm& model) {
  std::size_t result = 0;
  for (const ComponentId c : model.components()) {
    result = std::max(result, model.entries(c).size());
  }
  return result;
}

std::size_t max_exits(const Rsm& model) {
  std::size_t result = 0;
  for (const ComponentId c : model.components()) {
    result = std::max(result, model.exits(c).size());
  }
  return result;
}

}  // namespace nestor::model
