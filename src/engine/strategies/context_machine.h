// Contextualised recursive state machines, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Sections 4.1 and 5.3, Algorithms 2 and 3.
//
//   paper            here                remark
//   A_i, i > k       Instance            a context of a component, not a copy of it (footnote 2)
//   base component   Instance::base
//   γ_i(ex, φ)       context(), gamma    exits × Subf∃(Φ)
//   ∂(n, φ)          value(), values     states × Subf(Φ)
//   Y(b)             callee_of()         the instance that a box of an instance calls
//   A_0, γ_0         root()              the initial component with the empty box stack
//   →₊               target(), for_each_predecessor()
//   C(A, Φ, γ, ∂)    contextualisable boxes: take_contextualisable()
//
// Deviations.
// - A call node has no values: by rule (call) it *is* the entry of the callee, so it is read there.
//   A procedure whose entry is its exit needs no special case: the call node is the entry, which is
//   the exit, whose value the context gives, which is the value of the return node.
// - An exit may have local successors (docs/semantics.md); call it and its return nodes *open*. An
//   open exit goes on locally or by returning, so γ says of it only what comes after the return:
//   γ(ex, EX φ) whether some successor of the return node has φ, γ(ex, EU) and γ(ex, EG) whether
//   some successor of the return node has the formula. Open return nodes carry exactly that, which
//   is what the general rules give when the left operand is taken as true and the right as false.
// - γ_0 at an open exit of the initial component: the self-loop adds φ1 at the exit itself for EX,
//   nothing for EU, and a way to go on forever for EG.
// - Dead ends (docs/semantics.md): EX is false there, EG φ is φ, E φ U ψ is ψ.
#pragma once

#include "base/inline.h"
#include "base/limits.h"
#include "engine/strategies/agenda.h"
#include "engine/strategies/subformula_table.h"
#include "engine/strategies/ternary_value.h"
#include "model/rsm.h"

#include <cassert>
#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestor::engine::strategies {

/// A box of an instance.
struct CallSite {
  InstanceId instance;
  model::BoxId box;

  friend bool operator==(CallSite, CallSite) = default;
};

/// How a node takes part in the evaluation of existential formulas.
enum class Role : std::uint8_t {
  Inner,       ///< plain node or return node with successors
  DeadEnd,     ///< plain node or return node where a path ends
  Call,        ///< no values of its own
  ClosedExit,  ///< its value is the context's
  OpenExit,    ///< local successors, and the context's value beside them
  OpenReturn,  ///< return node of an open exit
};

struct Instance {
  model::ComponentId base;
  bool alive = true;  ///< reachable from the root through Y
  std::uint32_t first_node = 0;
  std::uint32_t width = 0;                  ///< nodes of the component, call nodes included
  std::uint32_t exits = 0;                  ///< exits of the component
  std::vector<Ternary> values;              ///< ∂, one row of `width` a subformula
  std::vector<Ternary> gamma;               ///< γ, one row of `exits` an existential subformula
  std::vector<InstanceId> callee;           ///< Y, by position of the box in the component
  std::vector<std::uint32_t> caller_place;  ///< by box: its place in the callee's `callers`
  std::vector<std::uint8_t> listed;         ///< by box: already among the contextualisable boxes
  std::vector<CallSite> callers;            ///< the boxes that Y leads here from
  std::uint64_t context_hash = 0;           ///< of (base, gamma)
  bool pending = false;  ///< its context or callees are newer than the last refinement
};

class ContextMachine {
 public:
  /// INITIALIZE: a generic instance of each component that can be called, all of whose contexts are
  /// unknown, and the root. `contexts` counts the root and what contextualize() adds.
  ContextMachine(const model::Rsm& model, const SubformulaTable& table, base::LimitGuard& guard,
                 std::uint64_t& contexts);

  const model::Rsm& model() const { return model_; }
  const SubformulaTable& table() const { return table_; }
  Agenda& agenda() { return agenda_; }
  base::LimitGuard& guard() { return guard_; }

  InstanceId root() const { return InstanceId(0); }
  base::IdRange<InstanceId> instances() const { return instances_.ids(); }  ///< dead ones included
  /// The others, ascending. Adding instances makes the result invalid.
  std::span<const InstanceId> alive_instances();
  const Instance& instance(InstanceId i) const { return instances_[i]; }
  bool alive(InstanceId i) const { return instances_[i].alive; }
  Role role(model::NodeId n) const { return roles_[n]; }

  NESTOR_INLINE Ternary value(State s, SubId f) const {
    const Instance& in = instances_[s.instance];
    assert(s.node.value() - in.first_node < in.width);
    return in.values[std::size_t{f.value()} * in.width + (s.node.value() - in.first_node)];
  }
  /// γ(exit, f): what the callers say. Of the root: what its self-loop says.
  Ternary context(State exit, SubId f) const;
  InstanceId callee_of(CallSite site) const {
    const Instance& in = instances_[site.instance];
    return in.callee[site.box - model_.component(in.base).first_box];
  }
  /// The state that a transition within `instance` to `node` leads to: the callee's for a call.
  State target(InstanceId instance, model::NodeId node) const {
    if (roles_[node] != Role::Call) {
      return {instance, node};
    }
    return {callee_of({instance, model_.box_of(node)}), model_.origin(node)};
  }
  /// The states with a →₊ transition to `s`. `visit` must not change Y.
  template <class Visit>
  void for_each_predecessor(State s, Visit visit) const;
  /// Every state of the instance.
  template <class Visit>
  void for_each_state(InstanceId instance, Visit visit) const;
  /// The return node of `site` that stands for `exit`, a node of the callee.
  State return_of(CallSite site, model::NodeId exit) const {
    return {site.instance, model_.box(site.box).first_return + model_.exit_index(exit)};
  }

  /// Writes a value that was unknown and notes on the agenda which larger subformulas it concerns.
  void set(State s, SubId f, Ternary value);
  /// The same, and notes that `f` itself may be decided at the predecessors.
  void decide(State s, SubId f, Ternary value);
  /// One row of ∂, for the first evaluation of `f`, which overwrites it.
  std::span<Ternary> row(InstanceId instance, SubId f);

  /// Refinement has worked off the agenda.
  void refined();

  /// CONTEXTUALIZE: makes the callee's context equal to what the box's return nodes say. Takes the
  /// instance with that context if there is one. False if the context was right already.
  bool contextualize(CallSite site);
  struct Found {
    InstanceId instance;
    bool is_new = false;
  };
  /// An instance like `original` whose context has `value` for `f` at `exits`, made if there is
  /// none. A new one has no callers yet.
  Found with_context(InstanceId original, const std::vector<model::NodeId>& exits, SubId f,
                     Ternary value);
  /// Y(site) := callee. Leaves it to the caller to remove what has become unreachable.
  void redirect(CallSite site, InstanceId callee);
  /// REMOVEUNREACHABLECOMPONENTS, looking only at `instance` and what it reaches.
  void remove_if_unreachable(InstanceId instance);

  /// γ(exit, f) := value where it is unknown: resolution of global dependency cycles.
  void resolve_context(State exit, SubId f, Ternary value);
  /// Resolves `f` at every exit and state of every reachable instance; false if all are known.
  /// For strategies that resolve all existential formulas, in ascending order, and each only when
  /// no box is contextualisable: from then on `f` is the same at all return nodes and in the
  /// contexts that they lead to.
  bool resolve_everywhere(SubId f);

  /// All contextualisable boxes, in the order they became so. The list is empty afterwards.
  std::vector<CallSite> take_contextualisable();
  /// The same, but they may be listed again, as soon as something else becomes known at them.
  std::vector<CallSite> take_newly_contextualisable();
  /// Finds them all again, whatever has been taken.
  void list_all_contextualisable();
  /// How often the context has been made that was made most often. An instance with a context that
  /// is not known entirely may get a richer one by resolution, and then be missing.
  std::uint32_t most_made() const { return most_made_; }
  /// One of them, chosen at random; none if there are none.
  std::optional<CallSite> take_random_contextualisable(std::mt19937_64& random);

 private:
  void classify_nodes();
  InstanceId add_instance(model::ComponentId base);
  /// `sole_caller`: the only box that calls `from` is about to call the copy instead.
  InstanceId copy_instance(InstanceId from, const std::vector<Ternary>& gamma, bool sole_caller);
  std::span<const SubId> unsettled() const;
  void initialize_root_context();
  std::vector<Ternary> induced_context(CallSite site) const;
  static bool same_context(const std::vector<Ternary>& a, const std::vector<Ternary>& b);
  InstanceId find_context(model::ComponentId base, const std::vector<Ternary>& gamma) const;
  std::uint64_t hash_context(model::ComponentId base, const std::vector<Ternary>& gamma) const;
  void enter_in_index(InstanceId instance);
  void remove_from_index(InstanceId instance);

  void link(CallSite site, InstanceId callee);
  void unlink(CallSite site);
  void note_new_callee(CallSite site);
  void note_new_context(InstanceId instance, const std::vector<Ternary>& old_gamma);
  void note_everything(InstanceId instance);
  void set_pending(InstanceId instance);
  bool collect_unreachable_callers(InstanceId instance, std::vector<InstanceId>& found);
  void list_if_contextualisable(State return_node, SubId f);
  bool still_listed(CallSite site) const;

  Ternary& slot(State s, SubId f) {
    Instance& in = instances_[s.instance];
    return in.values[std::size_t{f.value()} * in.width + (s.node.value() - in.first_node)];
  }
  Ternary& gamma_slot(State exit, SubId f) {
    Instance& in = instances_[exit.instance];
    return in.gamma[std::size_t{table_[f].existential.value()} * in.exits +
                    model_.exit_index(exit.node)];
  }
  std::uint8_t& listed(CallSite site) {
    Instance& in = instances_[site.instance];
    return in.listed[site.box - model_.component(in.base).first_box];
  }

  const model::Rsm& model_;
  const SubformulaTable& table_;
  base::LimitGuard& guard_;
  std::uint64_t& contexts_;
  Agenda agenda_;
  base::IdVector<model::NodeId, Role> roles_;
  base::IdVector<InstanceId, Instance> instances_;
  std::unordered_multimap<std::uint64_t, InstanceId> index_;  // by context_hash
  std::unordered_map<std::uint64_t, std::uint32_t> made_;     // by context_hash
  std::uint32_t most_made_ = 0;
  std::vector<InstanceId> alive_;           // see alive_instances(); may name dead ones
  std::size_t settled_ = 0;                 // so many existential formulas have been resolved
  std::vector<CallSite> contextualisable_;  // may name boxes of dead instances
  std::vector<InstanceId> pending_;         // the instances with the flag
  base::IdVector<InstanceId, std::uint32_t> visited_;  // = visit_ if seen by the current search
  std::uint32_t visit_ = 0;
  bool root_is_open_ = false;  // has an open exit: γ_0 depends on ∂, so no box may call the root
};

template <class Visit>
void ContextMachine::for_each_predecessor(State s, Visit visit) const {
  for (const model::NodeId p : model_.predecessors(s.node)) {
    visit(State{s.instance, p});
  }
  if (!model_.is_entry(s.node)) {
    return;
  }
  const std::uint32_t entry = model_.entry_index(s.node);
  for (const CallSite& site : instances_[s.instance].callers) {
    for (const model::NodeId p : model_.predecessors(model_.box(site.box).first_call + entry)) {
      visit(State{site.instance, p});
    }
  }
}

template <class Visit>
void ContextMachine::for_each_state(InstanceId instance, Visit visit) const {
  const model::Component& component = model_.component(instances_[instance].base);
  for (const model::NodeId n : component.plain_nodes()) {
    visit(State{instance, n});
  }
  for (const model::BoxId b : component.boxes()) {
    for (const model::NodeId n : model_.box(b).return_nodes()) {
      visit(State{instance, n});
    }
  }
}

}  // namespace nestor::engine::strategies
