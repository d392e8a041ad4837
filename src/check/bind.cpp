#include "check/bind.h"

#include "logic/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace nestor {

namespace {

/// Unwinds to bind_witness(): the witness is wrong.
struct Fault {
  std::string what;
};

/// The names of a model, by component.
class Names {
 public:
  explicit Names(const Rsm& model) : model_(model) {
    for (const ComponentId c : model.components()) {
      components_.emplace(model.component_name(c), c);
    }
  }
  ComponentId component(std::string_view name) const {
    const auto found = components_.find(name);
    return found == components_.end() ? ComponentId() : found->second;
  }
  NodeId node(ComponentId c, std::string_view name) {
    return find(nodes_, c, model_.component(c).plain_nodes(), name,
                [this](NodeId n) { return model_.node_name(n); });
  }
  BoxId box(ComponentId c, std::string_view name) {
    return find(boxes_, c, model_.component(c).boxes(), name,
                [this](BoxId b) { return model_.box_name(b); });
  }

 private:
  template <class IdT>
  using Tables = std::unordered_map<ComponentId, std::unordered_map<std::string_view, IdT>>;

  /// Tables are made when a component is first asked for.
  template <class IdT, class NameOf>
  static IdT find(Tables<IdT>& tables, ComponentId c, IdRange<IdT> all, std::string_view name,
                  NameOf name_of) {
    const auto [place, is_new] = tables.try_emplace(c);
    if (is_new) {
      for (const IdT id : all) {
        place->second.emplace(name_of(id), id);
      }
    }
    const auto found = place->second.find(name);
    return found == place->second.end() ? IdT() : found->second;
  }

  const Rsm& model_;
  std::unordered_map<std::string_view, ComponentId> components_;
  Tables<NodeId> nodes_;
  Tables<BoxId> boxes_;
};

class Binder {
 public:
  Binder(const WitnessDocument& document, const Rsm& model, FormulaPool& pool)
      : document_(document), model_(model), pool_(pool), names_(model), index_(witness_.states) {}

  Witness bind() {
    witness_.holds = document_.holds;
    witness_.engine = document_.engine;
    witness_.fairness = document_.fairness;
    bind_formulas();
    bind_stacks();
    bind_states();
    for (std::size_t i = 0; i < document_.evidence.size(); ++i) {
      bind_evidence(i);
    }
    for (const std::uint32_t root : document_.roots) {
      witness_.roots.emplace_back(root);
    }
    return std::move(witness_);
  }

 private:
  void bind_formulas() {
    for (const WitnessDocument::FormulaEntry& entry : document_.formulas) {
      switch (operand_count(entry.op)) {
        case 0:
          formulas_.push_back(entry.op == Op::Atom ? pool_.atom(entry.name)
                                                   : pool_.constant(entry.op == Op::True));
          break;
        case 1:
          formulas_.push_back(pool_.unary(entry.op, formulas_[entry.left]));
          break;
        default:
          formulas_.push_back(
              pool_.binary(entry.op, formulas_[entry.left], formulas_[entry.right]));
      }
    }
    if (formulas_.empty()) {
      throw Fault{"there is no formula"};
    }
    witness_.formula = formulas_.back();
    if (parse_formula(pool_, document_.formula, document_.formula_at) != witness_.formula) {
      throw Fault{"the text of the formula and its parts differ"};
    }
    for (const FormulaId f : subformulas(pool_, witness_.formula)) {
      const PropId p = pool_[f].op == Op::Atom ? model_.find_prop(pool_.atom_name(f)) : PropId();
      if (p.valid()) {
        props_.push_back(p);
      }
    }
  }

  ComponentId component_on(StackId stack) const {
    return witness_.stacks.is_empty(stack) ? model_.initial_component()
                                           : model_.box(witness_.stacks.top(stack)).callee;
  }

  void bind_stacks() {
    for (std::size_t i = 0; i < document_.stacks.size(); ++i) {
      if (i == 0) {
        stacks_.push_back(StackTable::kEmpty);
        continue;
      }
      const StackId below = stacks_[document_.stacks[i].below];
      const BoxId box = names_.box(component_on(below), document_.stacks[i].box);
      if (!box.valid()) {
        throw Fault{fmt::format("stack {}: procedure '{}' has no call '{}'", i,
                                model_.component_name(component_on(below)),
                                document_.stacks[i].box)};
      }
      stacks_.push_back(witness_.stacks.push(below, box));
    }
  }

  void bind_states() {
    for (std::size_t i = 0; i < document_.states.size(); ++i) {
      const WitnessDocument::StateEntry& entry = document_.states[i];
      const ComponentId c = names_.component(entry.procedure);
      if (!c.valid()) {
        throw Fault{fmt::format("state {}: there is no procedure '{}'", i, entry.procedure)};
      }
      const NodeId node = names_.node(c, entry.node);
      if (!node.valid()) {
        throw Fault{fmt::format("state {}: procedure '{}' has no node '{}'", i, entry.procedure,
                                entry.node)};
      }
      if (entry.stack >= stacks_.size()) {
        throw Fault{fmt::format("state {}: there is no stack {}", i, entry.stack)};
      }
      compare(i, entry, node);
      states_.push_back(index_.intern({stacks_[entry.stack], node}));
    }
  }

  void compare(std::size_t i, const WitnessDocument::StateEntry& entry, NodeId node) const {
    std::set<std::string_view> labels;
    for (const PropId p : props_) {
      const auto nodes = model_.nodes_with(p);
      if (std::binary_search(nodes.begin(), nodes.end(), node)) {
        labels.insert(model_.prop_name(p));
      }
    }
    if (labels != std::set<std::string_view>(entry.labels.begin(), entry.labels.end())) {
      throw Fault{fmt::format("state {}: the labels of {} are {{{}}}, not {{{}}}", i,
                              model_.describe(node), fmt::join(labels, ", "),
                              fmt::join(entry.labels, ", "))};
    }
    const std::optional<NodePosition> position = model_.position(node);
    if (entry.file != (position ? model_.string(position->file) : std::string_view()) ||
        entry.line != (position ? position->line : 0)) {
      throw Fault{
          fmt::format("state {}: the source position of {} is another", i, model_.describe(node))};
    }
  }

  void bind_evidence(std::size_t i) {
    const WitnessDocument::EvidenceEntry& entry = document_.evidence[i];
    Evidence evidence;
    evidence.kind = entry.kind;
    evidence.ending = entry.ending;
    if (entry.formula >= formulas_.size()) {
      throw Fault{fmt::format("evidence {}: there is no formula {}", i, entry.formula)};
    }
    evidence.claim = {formulas_[entry.formula], entry.holds};
    evidence.state = state(i, entry.state);
    for (const std::uint32_t s : entry.path) {
      evidence.path.push_back(state(i, s));
    }
    evidence.steps = entry.steps;
    for (const std::uint32_t p : entry.parts) {
      evidence.parts.emplace_back(p);
    }
    for (const std::uint32_t p : entry.along) {
      evidence.along.emplace_back(p);
    }
    evidence.loop = entry.loop;
    evidence.joins = EvidenceId(entry.joins);
    evidence.join_at = entry.join_at;
    compare_growth(i, entry, evidence);
    witness_.evidence.push_back(std::move(evidence));
  }

  void compare_growth(std::size_t i, const WitnessDocument::EvidenceEntry& entry,
                      const Evidence& evidence) const {
    const StackTable& stacks = witness_.stacks;
    std::vector<std::string_view> grown;
    if (evidence.ending == Evidence::Ending::Loop && evidence.loop < evidence.path.size()) {
      const std::uint32_t base = stacks.depth(witness_.states[evidence.path[evidence.loop]].stack);
      for (StackId s = witness_.states[evidence.path.back()].stack; stacks.depth(s) > base;
           s = stacks.below(s)) {
        grown.push_back(model_.box_name(stacks.top(s)));
      }
    }
    if (!std::equal(grown.rbegin(), grown.rend(), entry.grown.begin(), entry.grown.end())) {
      throw Fault{fmt::format("evidence {}: the stack grows by other calls than it says", i)};
    }
  }

  StateId state(std::size_t evidence, std::uint32_t s) const {
    if (s >= states_.size()) {
      throw Fault{fmt::format("evidence {}: there is no state {}", evidence, s)};
    }
    return states_[s];
  }

  const WitnessDocument& document_;
  const Rsm& model_;
  FormulaPool& pool_;
  Names names_;
  Witness witness_;
  StateIndex index_;
  std::vector<FormulaId> formulas_;
  std::vector<PropId> props_;
  std::vector<StackId> stacks_;
  std::vector<StateId> states_;
};

}  // namespace

BoundWitness bind_witness(const WitnessDocument& document, const Rsm& model, FormulaPool& pool) {
  try {
    return {Binder(document, model, pool).bind(), {}};
  } catch (const Fault& fault) {
    return {{}, fault.what};
  }
}

}  // namespace nestor
