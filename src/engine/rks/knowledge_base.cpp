#include "engine/rks/knowledge_base.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace nestor::engine::rks {

KnowledgeBase::KnowledgeBase(const model::Rsm& model, const logic::FormulaPool& pool,
                             logic::FormulaId formula, base::LimitGuard& guard)
    : model_(model), pool_(pool), guard_(guard), temporal_(formula.value() + 1) {
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    const logic::Formula& node = pool[f];
    std::vector<logic::FormulaId>& list = temporal_[f.value()];
    if (logic::operand_count(node.op) > 0) {
      list = temporal_[node.left.value()];
    }
    if (logic::operand_count(node.op) > 1) {
      std::vector<logic::FormulaId> both;
      std::ranges::set_union(list, temporal_[node.right.value()], std::back_inserter(both));
      list = std::move(both);
    }
    if (logic::is_existential(node.op)) {
      list.push_back(f);  // operands have smaller ids
    }
    guard_.tick(list.size() / 16 + 1);
  }
}

bool KnowledgeBase::has_top(logic::FormulaId f) const {
  return pool_[f].op == logic::Op::EU || pool_[f].op == logic::Op::EG;
}

std::uint32_t KnowledgeBase::find(logic::FormulaId f, model::ComponentId component,
                                  const Context& context) const {
  const auto place = index_.find({f, component, context});
  return place == index_.end() ? kNoPair : place->second;
}

std::uint32_t KnowledgeBase::add(logic::FormulaId f, model::ComponentId component,
                                 const Context& context) {
  assert(context.size() == temporal(f).size());
  const auto p = static_cast<std::uint32_t>(pairs_.size());
  index_.emplace(ContextKey{f, component, context}, p);
  const model::Component& c = model_.component(component);
  guard_.reserve(c.nodes().size() * sizeof(Ternary));
  ContextPair& pair = pairs_.emplace_back();
  pair.formula = f;
  pair.component = component;
  pair.context = context;
  pair.values.assign(c.nodes().size(), Ternary::Maybe);
  pair.callees.assign(c.boxes().size(), kNoPair);
  guard_.tick(c.nodes().size() / 16 + 1);
  if (logic::is_existential(pool_[f].op)) {
    ++temporal_pairs_;
  }
  decide_trivial(p);
  return p;
}

std::uint32_t KnowledgeBase::pair(logic::FormulaId f, model::ComponentId component,
                                  const Context& below) {
  const Context first = has_top(f) ? below.with_top(false) : below;
  const std::uint32_t known = find(f, component, first);
  if (known != kNoPair) {
    return known;
  }
  const std::uint32_t p = add(f, component, first);
  if (has_top(f)) {
    const std::uint32_t twin = add(f, component, below.with_top(true));
    pairs_[p].twin = twin;
    pairs_[twin].twin = p;
    assert(!pairs_[p].context.top() && with_top(p, true) == twin && with_top(twin, false) == p);
  }
  return p;
}

/// > and propositions need no context.
void KnowledgeBase::decide_trivial(std::uint32_t p) {
  ContextPair& pair = pairs_[p];
  const logic::Formula& formula = pool_[pair.formula];
  if (formula.op == logic::Op::True) {
    std::ranges::fill(pair.values, Ternary::True);
  } else if (formula.op == logic::Op::Atom) {
    const model::PropId prop = model_.find_prop(pool_.atom_name(pair.formula));
    std::ranges::fill(pair.values, Ternary::False);
    if (!prop.valid()) {
      return;
    }
    const std::span<const model::NodeId> with = model_.nodes_with(prop);
    const model::Component& component = model_.component(pair.component);
    for (const model::NodeId n : component.nodes()) {
      if (std::ranges::binary_search(with, model_.origin(n))) {
        pair.values[n - component.first_node] = Ternary::True;
      }
    }
  }
}

/// The bits of the temporal subformulas of `to`, which are among those of `from`.
Context KnowledgeBase::projected(const Context& context, logic::FormulaId from,
                                 logic::FormulaId to) const {
  const std::vector<logic::FormulaId>& all = temporal(from);
  Context result;
  std::size_t i = 0;
  for (const logic::FormulaId g : temporal(to)) {
    while (all[i] != g) {
      ++i;
    }
    assert(i < context.size());
    result.push(context[i]);
  }
  return result;
}

std::uint32_t KnowledgeBase::pair_below(std::uint32_t p, logic::FormulaId g) const {
  const ContextPair& from = pairs_[p];
  return find(g, from.component, projected(from.context, from.formula, g));
}

std::uint32_t KnowledgeBase::make_pair_below(std::uint32_t p, logic::FormulaId g) {
  const Context context = projected(pairs_[p].context, pairs_[p].formula, g);
  const model::ComponentId component = pairs_[p].component;
  if (!has_top(g)) {
    return pair(g, component, context);
  }
  return with_top(pair(g, component, context.without_top()), context.top());
}

Ternary KnowledgeBase::bit(logic::FormulaId g, std::uint32_t p, model::BoxId b) const {
  assert(pairs_[p].component == model_.box(b).owner);
  return assumption_after(model_, pool_[g].op, pairs_[p].values, b);
}

Ternary KnowledgeBase::initial_bit(logic::FormulaId g, std::uint32_t root_of_operand) const {
  const std::span<const model::NodeId> exits = model_.exits(model_.initial_component());
  if (exits.empty()) {
    return Ternary::False;
  }
  switch (pool_[g].op) {
    case logic::Op::EG:
      return Ternary::True;  // the exit loops on itself
    case logic::Op::EX:
      return pairs_[root_of_operand].values[place(exits.front())];
    default:
      return Ternary::False;
  }
}

Ternary KnowledgeBase::call_value(std::uint32_t p, model::NodeId call) const {
  const ContextPair& caller = pairs_[p];
  const model::BoxId box = model_.box_of(call);
  const std::uint32_t callee = caller.callees[box - model_.component(caller.component).first_box];
  if (callee == kNoPair) {
    return Ternary::Maybe;
  }
  const std::size_t entry = place(model_.origin(call));
  if (!has_top(caller.formula)) {
    return pairs_[callee].values[entry];
  }
  const Ternary without = pairs_[with_top(callee, false)].values[entry];
  const Ternary with = pairs_[with_top(callee, true)].values[entry];
  switch (bit(caller.formula, p, box)) {
    case Ternary::False:
      return without;
    case Ternary::True:
      return with;
    case Ternary::Maybe:
      break;
  }
  return join(without, with);  // equation 3.2
}

AssociatedStructure KnowledgeBase::structure(std::uint32_t p) {
  const logic::Formula& formula = pool_[pairs_[p].formula];
  const std::uint32_t psi = make_pair_below(p, formula.left);
  const std::uint32_t chi =
      formula.op == logic::Op::EU ? make_pair_below(p, formula.right) : kNoPair;
  return {
      &model_,
      pairs_[p].component,
      formula.op,
      pairs_[psi].values,
      chi == kNoPair ? std::span<const Ternary>() : std::span<const Ternary>(pairs_[chi].values),
      pairs_[p].values,
      ternary(pairs_[p].context.top())};
}

void KnowledgeBase::label_ex(std::uint32_t p, std::uint32_t psi) {
  ContextPair& pair = pairs_[p];
  const ContextPair& below = pairs_[psi];
  assert(below.component == pair.component && below.formula == pool_[pair.formula].left);
  for (const model::NodeId n : model_.component(pair.component).plain_nodes()) {
    guard_.tick(model_.successors(n).size() + 1);
    Ternary any = ternary(model_.is_exit(n) && pair.context.top());
    for (const model::NodeId next : model_.successors(n)) {
      any = disjunction(any, below.values[place(next)]);
    }
    pair.values[place(n)] = any;
  }
}

}  // namespace nestor::engine::rks
