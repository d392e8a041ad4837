#include "model/inspect.h"

#include "base/bit_set.h"

#include <algorithm>
#include <cassert>

namespace nestor {

namespace {

/// Tarjan's algorithm on the call graph, with its own stack: call chains can be long.
class StrongComponents {
 public:
  explicit StrongComponents(const Rsm& model)
      : model_(model),
        number_(model.component_count(), 0),
        low_(model.component_count(), 0),
        on_stack_(model.component_count()) {}

  void run(CallGraph& result) {
    for (const ComponentId root : model_.components()) {
      if (number_[root] == 0) {
        search(root, result);
      }
    }
  }

 private:
  struct Frame {
    ComponentId component;
    BoxId next;
  };

  void enter(ComponentId c) {
    number_[c] = low_[c] = ++count_;
    stack_.push_back(c);
    on_stack_.set(c.value());
    frames_.push_back({c, model_.component(c).first_box});
  }

  void search(ComponentId root, CallGraph& result) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const ComponentId c = frame.component;
      if (frame.next != model_.component(c).box_end) {
        const ComponentId callee = model_.box(frame.next).callee;
        ++frame.next;
        if (callee == c) {
          result.recursive = true;
        }
        if (number_[callee] == 0) {
          enter(callee);  // invalidates `frame`
        } else if (on_stack_.test(callee.value())) {
          low_[c] = std::min(low_[c], number_[callee]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        const ComponentId caller = frames_.back().component;
        low_[caller] = std::min(low_[caller], low_[c]);
      }
      if (low_[c] == number_[c]) {
        pop(c, result);
      }
    }
  }

  void pop(ComponentId root, CallGraph& result) {
    std::size_t size = 0;
    ComponentId c;
    do {
      assert(!stack_.empty());
      c = stack_.back();
      stack_.pop_back();
      on_stack_.reset(c.value());
      ++size;
    } while (c != root);
    ++result.strong_components;
    result.largest = std::max(result.largest, size);
    result.recursive = result.recursive || size > 1;
  }

  const Rsm& model_;
  IdVector<ComponentId, std::uint32_t> number_;  // 0: not met yet
  IdVector<ComponentId, std::uint32_t> low_;
  BitSet on_stack_;
  std::vector<ComponentId> stack_;
  std::vector<Frame> frames_;
  std::uint32_t count_ = 0;
};

std::vector<ComponentId> unreachable_components(const Rsm& model) {
  BitSet reached(model.component_count());
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
  StrongComponents(model).run(result);
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

}  // namespace nestor
