#include "check/bind.h"

#include "logic/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace nestor::check {

namespace {

/// Unwinds to bind_witness(): the witness is wrong.
struct BindingFault {
  std::string what;
};

/// The names of a model, by component.
class Names {
 public:
  explicit Names(const model::Rsm& model) : model_(model) {
    for (const model::ComponentId c : model.components()) {
      components_.emplace(model.component_name(c), c);
    }
  }
  model::ComponentId component(std::string_view name) const {
    const auto found = components_.find(name);
    return found == components_.end() ? model::ComponentId() : found->second;
  }
  model::NodeId node(model::ComponentId c, std::string_view name) {
    return find(nodes_, c, model_.component(c).plain_nodes(), name,
                [this](model::NodeId n) { return model_.node_name(n); });
  }
  model::BoxId box(model::ComponentId c, std::string_view name) {
    return find(boxes_, c, model_.component(c).boxes(), name,
                [this](model::BoxId b) { return model_.box_name(b); });
  }

 private:
  template <class IdT>
  using Tables = std::unordered_map<model::ComponentId, std::unordered_map<std::string_view, IdT>>;

  /// Tables are made when a component is first asked for.
  template <class IdT, class NameOf>
  static IdT find(Tables<IdT>& tables, model::ComponentId c, base::IdRange<IdT> all,
                  std::string_view name, NameOf name_of) {
    const auto [place, is_new] = tables.try_emplace(c);
    if (is_new) {
      for (const IdT id : all) {
        place->second.emplace(name_of(id), id);
      }
    }
    const auto found = place->second.find(name);
    return found == place->second.end() ? IdT() : found->second;
  }

  const model::Rsm& model_;
  std::unordered_map<std::string_view, model::ComponentId> components_;
  Tables<model::NodeId> nodes_;
  Tables<model::BoxId> boxes_;
};

class Binder {
 public:
  Binder(const witness::WitnessDocument& document, const model::Rsm& model,
         logic::FormulaPool& pool)
      : document_(document), model_(model), pool_(pool), names_(model), index_(witness_.states) {}

  witness::Witness bind() {
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
    for (const witness::WitnessDocument::FormulaEntry& entry : document_.formulas) {
      switch (logic::operand_count(entry.op)) {
        case 0:
          formulas_.push_back(entry.op == logic::Op::Atom
                                  ? pool_.atom(entry.name)
                                  : pool_.constant(entry.op == logic::Op::True));
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
      throw BindingFault{"there is no formula"};
    }
    witness_.formula = formulas_.back();
    if (logic::parse_formula(pool_, document_.formula, document_.formula_at) != witness_.formula) {
      throw BindingFault{"the text of the formula and its parts differ"};
    }
    for (const logic::FormulaId f : logic::subformulas(pool_, witness_.formula)) {
      const model::PropId p =
          pool_[f].op == logic::Op::Atom ? model_.find_prop(pool_.atom_name(f)) : model::PropId();
      if (p.valid()) {
        props_.push_back(p);
      }
    }
  }

  model::ComponentId component_on(model::StackId stack) const {
    return witness_.stacks.is_empty(stack) ? model_.initial_component()
                                           : model_.box(witness_.stacks.top(stack)).callee;
  }

  void bind_stacks() {
    for (std::size_t i = 0; i < document_.stacks.size(); ++i) {
      if (i == 0) {
        stacks_.push_back(model::StackTable::kEmpty);
        continue;
      }
      const model::StackId below = stacks_[document_.stacks[i].below];
      const model::BoxId box = names_.box(component_on(below), document_.stacks[i].box);
      if (!box.valid()) {
        throw BindingFault{fmt::format("stack {}: procedure '{}' has no call '{}'", i,
                                       model_.component_name(component_on(below)),
                                       document_.stacks[i].box)};
      }
      stacks_.push_back(witness_.stacks.push(below, box));
    }
  }

  void bind_states() {
    for (std::size_t i = 0; i < document_.states.size(); ++i) {
      const witness::WitnessDocument::StateEntry& entry = document_.states[i];
      const model::ComponentId c = names_.component(entry.procedure);
      if (!c.valid()) {
        throw BindingFault{fmt::format("state {}: there is no procedure '{}'", i, entry.procedure)};
      }
      const model::NodeId node = names_.node(c, entry.node);
      if (!node.valid()) {
        throw BindingFault{fmt::format("state {}: procedure '{}' has no node '{}'", i,
                                       entry.procedure, entry.node)};
      }
      if (entry.stack >= stacks_.size()) {
        throw BindingFault{fmt::format("state {}: there is no stack {}", i, entry.stack)};
      }
      compare(i, entry, node);
      states_.push_back(index_.intern({stacks_[entry.stack], node}));
    }
  }

  void compare(std::size_t i, const witness::WitnessDocument::StateEntry& entry,
               model::NodeId node) const {
    std::set<std::string_view> labels;
    for (const model::PropId p : props_) {
      const auto nodes = model_.nodes_with(p);
      if (std::binary_search(nodes.begin(), nodes.end(), node)) {
        labels.insert(model_.prop_name(p));
      }
    }
    if (labels != std::set<std::string_view>(entry.labels.begin(), entry.labels.end())) {
      throw BindingFault{fmt::format("state {}: the labels of {} are {{{}}}, not {{{}}}", i,
                                     model_.describe(node), fmt::join(labels, ", "),
                                     fmt::join(entry.labels, ", "))};
    }
    const std::optional<model::NodePosition> position = model_.position(node);
    if (entry.file != (position ? model_.string(position->file) : std::string_view()) ||
        entry.line != (position ? position->line : 0)) {
      throw BindingFault{
          fmt::format("state {}: the source position of {} is another", i, model_.describe(node))};
    }
  }

  void bind_evidence(std::size_t i) {
    const witness::WitnessDocument::EvidenceEntry& entry = document_.evidence[i];
    witness::Evidence evidence;
    evidence.kind = entry.kind;
    evidence.ending = entry.ending;
    if (entry.formula >= formulas_.size()) {
      throw BindingFault{fmt::format("evidence {}: there is no formula {}", i, entry.formula)};
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
    evidence.joins = witness::EvidenceId(entry.joins);
    evidence.join_at = entry.join_at;
    compare_growth(i, entry, evidence);
    witness_.evidence.push_back(std::move(evidence));
  }

  void compare_growth(std::size_t i, const witness::WitnessDocument::EvidenceEntry& entry,
                      const witness::Evidence& evidence) const {
    const model::StackTable& stacks = witness_.stacks;
    std::vector<std::string_view> grown;
    if (evidence.ending == witness::Evidence::Ending::Loop &&
        evidence.loop < evidence.path.size()) {
      const std::uint32_t base = stacks.depth(witness_.states[evidence.path[evidence.loop]].stack);
      for (model::StackId s = witness_.states[evidence.path.back()].stack; stacks.depth(s) > base;
           s = stacks.below(s)) {
        grown.push_back(model_.box_name(stacks.top(s)));
      }
    }
    if (!std::equal(grown.rbegin(), grown.rend(), entry.grown.begin(), entry.grown.end())) {
      throw BindingFault{
          fmt::format("evidence {}: the stack grows by other calls than it says", i)};
    }
  }

  model::StateId state(std::size_t evidence, std::uint32_t s) const {
    if (s >= states_.size()) {
      throw BindingFault{fmt::format("evidence {}: there is no state {}", evidence, s)};
    }
    return states_[s];
  }

  const witness::WitnessDocument& document_;
  const model::Rsm& model_;
  logic::FormulaPool& pool_;
  Names names_;
  witness::Witness witness_;
  model::StateIndex index_;
  std::vector<logic::FormulaId> formulas_;
  std::vector<model::PropId> props_;
  std::vector<model::StackId> stacks_;
  std::vector<model::StateId> states_;
};

}  // namespace

BoundWitness bind_witness(const witness::WitnessDocument& document, const model::Rsm& model,
                          logic::FormulaPool& pool) {
  try {
    return {Binder(document, model, pool).bind(), {}};
  } catch (const BindingFault& fault) {
    return {{}, fault.what};
  }
}

}  // namespace nestor::check
