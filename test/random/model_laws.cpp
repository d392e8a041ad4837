#include "model_laws.h"

#include "draft.h"
#include "model/inspect.h"
#include "model/rebuild.h"
#include "pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace nestor::test {

namespace {

template <class Item>
void shuffle(std::vector<Item>& items, base::Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[random.below(i)]);
  }
}

/// A random permutation of 0, …, count - 1.
std::vector<std::size_t> permutation(std::size_t count, base::Random& random) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = i;
  }
  shuffle(order, random);
  return order;
}

// ---- names and order ----

/// Names change hands: the new names are the old ones, permuted, so that nothing sorted or hashed
/// by name keeps its place.
std::optional<Variant> rename(const model::Rsm& model, base::Random& random) {
  Draft draft = draft_of(model);
  const auto permute_names = [&random](auto& items) {
    const std::vector<std::size_t> order = permutation(items.size(), random);
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const auto& item : items) {
      names.push_back(item.name);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i].name = names[order[i]];
    }
  };
  std::map<std::string, std::string, std::less<>> new_label;
  const std::vector<std::size_t> order = permutation(model.prop_count(), random);
  for (std::size_t p = 0; p < order.size(); ++p) {
    new_label[std::string(model.prop_name(model::PropId(p)))] = fmt::format("q{}", order[p]);
  }
  permute_names(draft.components);
  for (Draft::Component& component : draft.components) {
    permute_names(component.nodes);
    permute_names(component.boxes);
    for (Draft::Node& node : component.nodes) {
      for (std::string& label : node.labels) {
        label = new_label.at(label);
      }
    }
  }
  return Variant{build(draft), [new_label](logic::FormulaPool& pool, logic::FormulaId formula) {
                   return with_names(pool, formula, new_label);
                 }};
}

/// Components, nodes, boxes and transitions in another order, some transitions twice.
std::optional<Variant> reorder(const model::Rsm& model, base::Random& random) {
  const Draft old = draft_of(model);
  Draft draft = old;
  const std::vector<std::size_t> component_at = permutation(old.components.size(), random);
  std::vector<std::vector<std::size_t>> node_at;  // by old component, old node: new place
  std::vector<std::vector<std::size_t>> box_at;
  for (const Draft::Component& component : old.components) {
    node_at.push_back(permutation(component.nodes.size(), random));
    box_at.push_back(permutation(component.boxes.size(), random));
  }
  for (std::size_t c = 0; c < old.components.size(); ++c) {
    const Draft::Component& from = old.components[c];
    Draft::Component& to = draft.components[component_at[c]];
    to = from;
    for (std::size_t n = 0; n < from.nodes.size(); ++n) {
      to.nodes[node_at[c][n]] = from.nodes[n];
    }
    for (std::size_t b = 0; b < from.boxes.size(); ++b) {
      to.boxes[box_at[c][b]] = {from.boxes[b].name, component_at[from.boxes[b].callee]};
    }
    const auto move = [&](Draft::End& end) {
      if (end.box == Draft::kNoBox) {
        end.node = node_at[c][end.node];
      } else {
        end.node = node_at[from.boxes[end.box].callee][end.node];
        end.box = box_at[c][end.box];
      }
    };
    for (std::size_t t = 0; t < from.transitions.size(); ++t) {
      move(to.transitions[t].from);
      move(to.transitions[t].to);
      if (random.chance(0.1)) {
        to.transitions.emplace_back(to.transitions[t]);
      }
    }
    shuffle(to.transitions, random);
  }
  draft.initial_component = component_at[old.initial_component];
  for (std::size_t& n : draft.initial_nodes) {
    n = node_at[old.initial_component][n];
  }
  shuffle(draft.initial_nodes, random);
  return Variant{build(draft), nullptr};
}

// ---- more or fewer pieces ----

/// Another model's components beside this one's, calling them but not called by them.
std::optional<Variant> add_unreachable(const model::Rsm& model, base::Random& random) {
  Draft draft = draft_of(model);
  logic::FormulaPool pool;
  const Draft other = draft_of(make_case(pool, random.next(), 0).model);
  const std::size_t first = draft.components.size();
  for (const Draft::Component& component : other.components) {
    Draft::Component& added = draft.components.emplace_back(component);
    added.name = fmt::format("other {}", component.name);
    for (Draft::Box& box : added.boxes) {
      box.callee += first;
    }
    const std::size_t callee = random.below(first);
    const std::size_t box = added.boxes.size();
    added.boxes.push_back({"into the model", callee});
    // The callee is entered in every way and returns to every node: callers that must not matter.
    for (std::size_t n = 0; n < draft.components[callee].nodes.size(); ++n) {
      const Draft::Node node = draft.components[callee].nodes[n];
      for (std::size_t m = 0; m < added.nodes.size(); ++m) {
        if (node.is_entry && !added.nodes[m].is_exit) {
          added.transitions.push_back({{Draft::kNoBox, m}, {box, n}});
        }
        if (node.is_exit) {
          added.transitions.push_back({{box, n}, {Draft::kNoBox, m}});
        }
      }
    }
  }
  // In front, so that the model's own components do not come first.
  const std::size_t count = draft.components.size();
  std::rotate(draft.components.begin(),
              draft.components.begin() + static_cast<std::ptrdiff_t>(first),
              draft.components.end());
  const auto moved = [&](std::size_t c) { return c < first ? c + (count - first) : c - first; };
  for (Draft::Component& component : draft.components) {
    for (Draft::Box& box : component.boxes) {
      box.callee = moved(box.callee);
    }
  }
  draft.initial_component = moved(draft.initial_component);
  return Variant{build(draft), nullptr};
}

/// Two nodes instead of one: both have its labels, its role and its successors; each transition to
/// it leads to one of them or to both.
std::optional<Variant> split_node(const model::Rsm& model, base::Random& random) {
  Draft draft = draft_of(model);
  const std::size_t c = random.below(draft.components.size());
  const std::size_t n = random.below(draft.components[c].nodes.size());
  const std::size_t copy = draft.components[c].nodes.size();
  Draft::Node twin = draft.components[c].nodes[n];
  twin.name = "twin";
  draft.components[c].nodes.push_back(twin);
  for (std::size_t d = 0; d < draft.components.size(); ++d) {
    Draft::Component& component = draft.components[d];
    const auto is_split = [&](const Draft::End& end) {
      return end.node == n &&
             (end.box == Draft::kNoBox ? d == c : component.boxes[end.box].callee == c);
    };
    std::vector<Draft::Transition> from_both;
    for (const Draft::Transition& transition : component.transitions) {
      from_both.push_back(transition);
      if (is_split(transition.from)) {
        from_both.push_back({{transition.from.box, copy}, transition.to});
      }
    }
    component.transitions.clear();
    for (const Draft::Transition& transition : from_both) {
      const std::uint64_t choice = is_split(transition.to) ? random.below(3) : 0;
      if (choice != 1) {
        component.transitions.push_back(transition);
      }
      if (choice != 0) {
        component.transitions.push_back({transition.from, {transition.to.box, copy}});
      }
    }
  }
  const auto initial = std::find(draft.initial_nodes.begin(), draft.initial_nodes.end(), n);
  if (c == draft.initial_component && initial != draft.initial_nodes.end()) {
    const std::uint64_t choice = random.below(3);
    if (choice == 1) {
      *initial = copy;
    } else if (choice == 2) {
      draft.initial_nodes.push_back(copy);
    }
  }
  return Variant{build(draft), nullptr};
}

/// Many exits instead of one, most of them beyond the bits of a machine word; each transition to
/// the exit leads to one of them. For some of the models, since checks take long.
std::optional<Variant> split_exit(const model::Rsm& model, base::Random& random) {
  Draft draft = draft_of(model);
  const model::ComponentId c(random.below(model.component_count()));
  if (model.exits(c).empty() || !random.chance(0.1)) {
    return std::nullopt;
  }
  Draft::Component& split = draft.components[c.value()];
  const std::size_t exit =
      model.exits(c)[random.below(model.exits(c).size())] - model.component(c).first_node;
  const std::size_t first = split.nodes.size();
  const std::size_t twins = 150;
  for (std::size_t i = 0; i < twins; ++i) {
    split.nodes.emplace_back(split.nodes[exit]);
    split.nodes.back().is_entry = false;  // the first one is enough
    split.nodes.back().name = fmt::format("twin {}", i);
  }
  for (std::size_t d = 0; d < draft.components.size(); ++d) {
    Draft::Component& component = draft.components[d];
    const std::vector<Draft::Transition> old = component.transitions;
    component.transitions.clear();
    for (Draft::Transition transition : old) {
      const auto is_split = [&](const Draft::End& end) {
        return end.node == exit &&
               (end.box == Draft::kNoBox ? d == c.value()
                                         : component.boxes[end.box].callee == c.value());
      };
      if (is_split(transition.to) && transition.to.box == Draft::kNoBox) {
        transition.to.node = first + random.below(twins);
      }
      component.transitions.push_back(transition);
      for (std::size_t i = 0; is_split(transition.from) && i < twins; ++i) {
        component.transitions.push_back({{transition.from.box, first + i}, transition.to});
      }
    }
  }
  return Variant{build(draft), nullptr};
}

/// A copy of the callee instead of a box. A call node is the entry and an exit the return node, so
/// transitions to the call node lead to the copy of the entry, and the copy of an exit has the
/// return node's transitions beside its own.
std::optional<Variant> inline_call(const model::Rsm& model, base::Random& random) {
  if (model.box_count() == 0) {
    return std::nullopt;
  }
  Draft draft = draft_of(model);
  const model::BoxId chosen(random.below(model.box_count()));
  const std::size_t c = model.box(chosen).owner.value();
  const std::size_t b = chosen - model.component(model.box(chosen).owner).first_box;
  const Draft::Component callee = draft.components[draft.components[c].boxes[b].callee];
  Draft::Component& caller = draft.components[c];
  const std::size_t first_node = caller.nodes.size();
  const std::size_t first_box = caller.boxes.size();
  for (Draft::Node node : callee.nodes) {
    node.name = fmt::format("inlined {}", node.name);
    node.is_entry = node.is_exit = false;
    caller.nodes.push_back(std::move(node));
  }
  for (const Draft::Box& box : callee.boxes) {
    caller.boxes.push_back({fmt::format("inlined {}", box.name), box.callee});
  }
  const auto take_out = [&](Draft::End& end) {
    if (end.box == b) {
      end = {Draft::kNoBox, first_node + end.node};
    }
  };
  for (Draft::Transition& transition : caller.transitions) {
    take_out(transition.from);
    take_out(transition.to);
  }
  const auto in_copy = [&](const Draft::End& end) {
    return end.box == Draft::kNoBox ? Draft::End{Draft::kNoBox, first_node + end.node}
                                    : Draft::End{first_box + end.box, end.node};
  };
  for (const Draft::Transition& transition : callee.transitions) {
    caller.transitions.push_back({in_copy(transition.from), in_copy(transition.to)});
  }
  caller.boxes.erase(caller.boxes.begin() + static_cast<std::ptrdiff_t>(b));
  for (Draft::Transition& transition : caller.transitions) {
    for (Draft::End* end : {&transition.from, &transition.to}) {
      if (end->box != Draft::kNoBox && end->box > b) {
        --end->box;
      }
    }
  }
  return Variant{build(draft), nullptr};
}

/// The whole model as a procedure that a new initial component calls at once. What held in the
/// beginning holds after one step; instead of looping at an exit the model returns to a node that
/// is like the exit and loops. Exits that go on would have to go on there as well.
std::optional<Variant> call_model(const model::Rsm& model, base::Random&) {
  Draft draft = draft_of(model);
  const std::size_t old = draft.initial_component;
  Draft::Component caller;
  caller.name = "caller";
  caller.nodes.push_back({"start", true, false, {}});
  caller.boxes.push_back({"model", old});
  for (const std::size_t n : draft.initial_nodes) {
    draft.components[old].nodes[n].is_entry = true;
    caller.transitions.push_back({{Draft::kNoBox, 0}, {0, n}});
  }
  for (const model::NodeId exit : model.exits(model.initial_component())) {
    if (!model.successors(exit).empty()) {
      return std::nullopt;
    }
    const std::size_t n = exit - model.component(model.initial_component()).first_node;
    const std::size_t after = caller.nodes.size();
    const Draft::Node& like = draft.components[old].nodes[n];
    caller.nodes.push_back({fmt::format("after {}", like.name), false, false, like.labels});
    caller.transitions.push_back({{0, n}, {Draft::kNoBox, after}});
    caller.transitions.push_back({{Draft::kNoBox, after}, {Draft::kNoBox, after}});
  }
  draft.initial_component = draft.components.size();
  draft.initial_nodes = {0};
  draft.components.push_back(std::move(caller));
  return Variant{build(draft), [](logic::FormulaPool& pool, logic::FormulaId formula) {
                   return pool.unary(logic::Op::AX, formula);
                 }};
}

// ---- dead ends ----

/// A loop where a path ends makes no difference, where no path ends.
std::optional<Variant> loop_no_dead_ends(const model::Rsm& model, base::Random&) {
  if (model::find_dead_ends(model).count != 0) {
    return std::nullopt;
  }
  return Variant{model::loop_dead_ends(model), nullptr};
}

/// Where paths end, only a next step can tell a loop from the end.
std::optional<Variant> loop_some_dead_ends(const model::Rsm& model, base::Random&) {
  if (model::find_dead_ends(model).count == 0) {
    return std::nullopt;
  }
  return Variant{model::loop_dead_ends(model),
                 [](logic::FormulaPool& pool, logic::FormulaId formula) {
                   for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
                     if (pool[f].op == logic::Op::EX || pool[f].op == logic::Op::AX) {
                       return logic::FormulaId();
                     }
                   }
                   return formula;
                 }};
}

constexpr ModelLaw kModelLaws[] = {
    {"renaming everything", rename},
    {"another order", reorder},
    {"unreachable components", add_unreachable},
    {"splitting a node", split_node},
    {"splitting an exit", split_exit},
    {"inlining a call", inline_call},
    {"calling the model", call_model},
    {"looping dead ends where there are none", loop_no_dead_ends},
    {"looping dead ends without a next step", loop_some_dead_ends},
};

}  // namespace

std::span<const ModelLaw> model_laws() {
  return kModelLaws;
}

}  // namespace nestor::test
