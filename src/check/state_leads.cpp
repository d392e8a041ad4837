#include "check/state_leads.h"

#include "model/rebuild.h"

#include <algorithm>

namespace nestor::check {

namespace {

/// A proposition that no node carries, and a prefix that no node's name has.
std::string fresh_mark(const model::Rsm& model) {
  std::string mark = "lead:";
  const auto is_taken = [&] {
    const auto nodes = model.nodes();
    return model.find_prop(mark).valid() ||
           std::any_of(nodes.begin(), nodes.end(),
                       [&](model::NodeId n) { return model.node_name(n).starts_with(mark); });
  };
  while (is_taken()) {
    mark += ':';
  }
  return mark;
}

}  // namespace

StateLeads::StateLeads(const model::Rsm& model, const model::StackTable& stacks)
    : model_(model), stacks_(stacks), mark_(fresh_mark(model)) {
  at(model::StackTable::kEmpty);
}

std::size_t StateLeads::add(model::StackId stack) {
  nodes_.push_back(
      {stacks_.is_empty(stack) ? model_.initial_component() : model_.box(stacks_.top(stack)).callee,
       model::NodeId()});
  return nodes_.size() - 1;
}

std::size_t StateLeads::at(model::StackId stack, std::size_t tree, model::StackId root) {
  std::vector<model::StackId> missing;
  model::StackId known = stack;
  while (nodes_by_stack_.find(key(known, tree)) == nodes_by_stack_.end()) {
    missing.push_back(known);
    if (known == root) {
      break;
    }
    known = stacks_.below(known);
  }
  for (; !missing.empty(); missing.pop_back()) {
    const model::StackId s = missing.back();
    const std::size_t node = add(s);
    nodes_by_stack_[key(s, tree)] = node;
    if (s != root) {
      calls_.push_back({nodes_by_stack_.at(key(stacks_.below(s), tree)), stacks_.top(s), node});
    }
  }
  return nodes_by_stack_.at(key(stack, tree));
}

void StateLeads::lead_marked(std::size_t from, model::StackId stack, model::NodeId target) {
  const std::size_t node = add(stack);
  nodes_[node].is_marked = true;
  lead(node, target);
  step(from, node);
}

model::Rsm StateLeads::build() {
  base::IdVector<model::ComponentId, std::vector<std::size_t>> by_component(
      model_.component_count());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    by_component[nodes_[i].component].push_back(i);
  }
  std::vector<std::vector<const Call*>> calls(nodes_.size());
  std::vector<std::vector<std::size_t>> steps(nodes_.size());
  for (const Call& call : calls_) {
    nodes_[call.to].is_called = true;
    calls[call.from].push_back(&call);
  }
  for (const auto& [from, to] : steps_) {
    steps[from].push_back(to);
  }
  model::Rebuild what;
  what.keep_initial_nodes = false;
  what.add = [&](model::ComponentId c, model::ModelBuilder& builder) {
    for (const std::size_t i : by_component[c]) {
      const std::string own = name(i);
      builder.node({.name = own, .is_entry = nodes_[i].is_called});
      if (nodes_[i].is_marked) {
        builder.label(mark_);
      }
      builder.source(model::ModelBuilder::Ref::node(own));
      if (nodes_[i].target.valid()) {
        builder.target(model::ModelBuilder::Ref::node(model_.node_name(nodes_[i].target)));
      }
      for (const std::size_t to : steps[i]) {
        builder.target(model::ModelBuilder::Ref::node(name(to)));
      }
      for (const Call* call : calls[i]) {
        builder.target(
            model::ModelBuilder::Ref::box_node(model_.box_name(call->box), name(call->to)));
      }
    }
    if (c == model_.initial_component()) {
      builder.initial_node(name(at(model::StackTable::kEmpty)));
    }
  };
  return model::rebuild(model_, what);
}

}  // namespace nestor::check
