// INITIALIZE and CONTEXTUALIZE: Algorithms 3 and 2 of [DWF24]; context_machine.h has the symbols.
#include "engine/strategies/context_machine.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::strategies {

namespace {

bool has_label(const model::Rsm& model, model::NodeId plain, std::string_view proposition) {
  const model::PropId p = model.find_prop(proposition);
  if (!p.valid()) {
    return false;
  }
  const std::span<const model::NodeId> nodes = model.nodes_with(p);
  return std::binary_search(nodes.begin(), nodes.end(), plain);
}

}  // namespace

ContextMachine::ContextMachine(const model::Rsm& model, const SubformulaTable& table,
                               base::LimitGuard& guard, std::uint64_t& contexts)
    : model_(model), table_(table), guard_(guard), contexts_(contexts), agenda_(table.size()) {
  classify_nodes();
  // Alg. 3, line 3: A_0 := copy(A_1). The loop then adds a generic instance (lines 1, 2) for each
  // component that some box of an instance so far calls.
  add_instance(model.initial_component());
  base::IdVector<model::ComponentId, InstanceId> generic(model.component_count());
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    const InstanceId caller(i);
    for (const model::BoxId b : model.component(instances_[caller].base).boxes()) {
      const model::ComponentId called = model.box(b).callee;
      if (!generic[called].valid()) {
        generic[called] = add_instance(called);
      }
      link({caller, b}, generic[called]);
    }
  }
  initialize_root_context();
  for (const InstanceId i : instances()) {
    if (i != root() || !root_is_open_) {
      enter_in_index(i);
    }
  }
  contexts_ = 1;
}

void ContextMachine::classify_nodes() {
  guard_.reserve(model_.node_count() * sizeof(Role));
  roles_ = base::IdVector<model::NodeId, Role>(model_.node_count(), Role::Inner);
  for (const model::NodeId n : model_.nodes()) {
    const bool stops = model_.successors(n).empty();
    switch (model_.kind(n)) {
      case model::NodeKind::Plain:
        if (model_.is_exit(n)) {
          roles_[n] = stops ? Role::ClosedExit : Role::OpenExit;
        } else if (stops) {
          roles_[n] = Role::DeadEnd;
        }
        break;
      case model::NodeKind::Call:
        roles_[n] = Role::Call;
        break;
      case model::NodeKind::Return:
        if (!model_.successors(model_.origin(n)).empty()) {
          roles_[n] = Role::OpenReturn;
        } else if (stops) {
          roles_[n] = Role::DeadEnd;
        }
        break;
    }
  }
}

InstanceId ContextMachine::add_instance(model::ComponentId base) {
  const model::Component& component = model_.component(base);
  Instance in;
  in.base = base;
  in.first_node = component.first_node.value();
  in.width = static_cast<std::uint32_t>(component.nodes().size());
  in.exits = static_cast<std::uint32_t>(model_.exits(base).size());
  guard_.reserve(table_.size() * in.width * sizeof(Ternary));
  in.values.assign(table_.size() * in.width, Ternary::Unknown);
  in.gamma.assign(table_.existential().size() * in.exits, Ternary::Unknown);
  in.callee.resize(component.boxes().size());
  in.caller_place.resize(component.boxes().size());
  in.listed.assign(component.boxes().size(), 0);
  guard_.tick(in.values.size() / 8 + 1);
  alive_.emplace_back(instances_.size());
  return instances_.push_back(std::move(in));
}

// Alg. 3, lines 4 to 17, for the exits that are closed; the header says what holds for open ones.
void ContextMachine::initialize_root_context() {
  base::IdVector<SubId, Ternary> init(table_.size(), Ternary::Unknown);  // ∂_init at one exit
  for (const model::NodeId ex : model_.exits(instances_[root()].base)) {
    const bool open = roles_[ex] == Role::OpenExit;
    root_is_open_ = root_is_open_ || open;
    guard_.tick(table_.size());
    for (const SubId f : table_.ids()) {
      const Subformula& sub = table_[f];
      switch (sub.op) {
        case logic::Op::True:
          init[f] = Ternary::True;
          break;
        case logic::Op::Atom:  // lines 6, 7
          init[f] = has_label(model_, ex, table_.pool().atom_name(sub.formula)) ? Ternary::True
                                                                                : Ternary::False;
          break;
        case logic::Op::Not:  // lines 8, 9
          init[f] = complement(init[sub.left]);
          break;
        case logic::Op::Or:  // lines 10, 11
          init[f] = std::max(init[sub.left], init[sub.right]);
          break;
        case logic::Op::EG:  // lines 12 to 14
          init[f] = open ? Ternary::True : init[sub.left];
          break;
        case logic::Op::EX:  // lines 12 to 14
          init[f] = open ? Ternary::Unknown : init[sub.left];
          break;
        default:  // lines 15 to 17
          assert(sub.op == logic::Op::EU);
          init[f] = open ? Ternary::False : init[sub.right];
          break;
      }
      if (sub.existential.valid()) {
        gamma_slot({root(), ex}, f) = init[f];
      }
    }
  }
}

Ternary ContextMachine::context(State exit, SubId f) const {
  assert(roles_[exit.node] == Role::ClosedExit || roles_[exit.node] == Role::OpenExit);
  if (exit.instance == root() && roles_[exit.node] == Role::OpenExit &&
      table_[f].op == logic::Op::EX) {
    return value(exit, table_[f].left);
  }
  const Instance& in = instances_[exit.instance];
  return in
      .gamma[std::size_t{table_[f].existential.value()} * in.exits + model_.exit_index(exit.node)];
}

// The existential formulas, of those started, that may be unknown somewhere.
std::span<const SubId> ContextMachine::unsettled() const {
  const std::vector<SubId>& all = table_.existential();
  const auto end = std::lower_bound(all.begin(), all.end(), agenda_.end());
  return {all.data() + settled_,
          all.data() +
              std::max<std::ptrdiff_t>(end - all.begin(), static_cast<std::ptrdiff_t>(settled_))};
}

// Alg. 2, line 1. What is settled the callee's context has already, and what has not been started
// is unknown: with 10^5 formulas it would take long to look at all of them each time.
std::vector<Ternary> ContextMachine::induced_context(CallSite site) const {
  const model::Box& box = model_.box(site.box);
  std::vector<Ternary> gamma = instances_[callee_of(site)].gamma;
  assert(instances_[callee_of(site)].base == box.callee);
  std::size_t place = settled_ * box.return_nodes().size();
  for (const SubId f : unsettled()) {
    for (const model::NodeId n : box.return_nodes()) {
      gamma[place++] = value({site.instance, n}, f);
    }
  }
  return gamma;
}

bool ContextMachine::contextualize(CallSite site) {
  assert(alive(site.instance));
  const InstanceId old_callee = callee_of(site);
  const std::vector<Ternary> gamma_b = induced_context(site);  // line 1
  guard_.tick(gamma_b.size() / 64 + 1);
  if (same_context(gamma_b, instances_[old_callee].gamma)) {
    listed(site) = 0;
    return false;
  }
  InstanceId j = find_context(instances_[old_callee].base, gamma_b);  // line 3
  if (!j.valid()) {
    const bool sole_caller =
        instances_[old_callee].callers.size() == 1 && site.instance != old_callee;
    j = copy_instance(old_callee, gamma_b, sole_caller);  // lines 7 to 10
  }
  listed(site) = 0;   // only now: if the box calls its own instance, the copy's box is listed
  redirect(site, j);  // lines 5, 11
  assert(same_context(instances_[callee_of(site)].gamma, gamma_b));  // γ is induced by the box
  remove_if_unreachable(old_callee);                                 // line 12
  return true;
}

void ContextMachine::redirect(CallSite site, InstanceId callee) {
  assert(alive(site.instance) && alive(callee));
  if (callee_of(site) != callee) {
    unlink(site);
    link(site, callee);
    note_new_callee(site);
  }
}

ContextMachine::Found ContextMachine::with_context(InstanceId original,
                                                   const std::vector<model::NodeId>& exits, SubId f,
                                                   Ternary value_there) {
  std::vector<Ternary> gamma = instances_[original].gamma;
  const std::size_t row = std::size_t{table_[f].existential.value()} * instances_[original].exits;
  for (const model::NodeId ex : exits) {
    gamma[row + model_.exit_index(ex)] = value_there;
  }
  const InstanceId found = find_context(instances_[original].base, gamma);
  return found.valid() ? Found{found, false} : Found{copy_instance(original, gamma, false), true};
}

// The copy has the values of the original (line 10), which its richer context will refine, and the
// original's callees: `isomorphic` in the sense of section 5.3.
InstanceId ContextMachine::copy_instance(InstanceId from, const std::vector<Ternary>& gamma,
                                         bool sole_caller) {
  assert(from != root() && alive(from));
  assert(gamma.size() == instances_[from].gamma.size());
  ++contexts_;
  Instance in;
  {
    Instance& original = instances_[from];
    in.base = original.base;
    in.first_node = original.first_node;
    in.width = original.width;
    in.exits = original.exits;
    if (sole_caller) {
      in.values.swap(original.values);  // nobody will ask for them
    } else {
      in.values = original.values;
    }
    in.gamma = gamma;
    in.callee.resize(original.callee.size());
    in.caller_place.resize(original.callee.size());
    in.listed = original.listed;
  }
  guard_.tick(in.gamma.size() / 64 + (sole_caller ? 0 : in.values.size() / 64) + 1);
  alive_.emplace_back(instances_.size());
  const InstanceId copy = instances_.push_back(std::move(in));
  for (const model::BoxId b : model_.component(instances_[copy].base).boxes()) {
    link({copy, b}, callee_of({from, b}));
    if (listed({copy, b}) != 0) {
      contextualisable_.push_back({copy, b});
    }
  }
  enter_in_index(copy);
  most_made_ = std::max(most_made_, ++made_[instances_[copy].context_hash]);
  if (instances_[from].pending) {
    note_everything(copy);
  } else {
    note_new_context(copy, instances_[from].gamma);
  }
  return copy;
}

// What a new callee can change: the values at the states before the call. Those that stay unknown
// are noted as well, because a cycle through the call may have closed.
void ContextMachine::note_new_callee(CallSite site) {
  set_pending(site.instance);
  const std::span<const SubId> open = unsettled();
  for (const model::NodeId call : model_.box(site.box).call_nodes()) {
    for (const model::NodeId p : model_.predecessors(call)) {
      for (const SubId f : open) {
        if (!known(value({site.instance, p}, f))) {
          agenda_.add(f, {site.instance, p});
        }
      }
    }
  }
}

void ContextMachine::note_new_context(InstanceId instance, const std::vector<Ternary>& old_gamma) {
  set_pending(instance);
  const Instance& in = instances_[instance];
  const std::span<const model::NodeId> exits = model_.exits(in.base);
  std::size_t place = settled_ * exits.size();
  for (const SubId f : unsettled()) {
    for (const model::NodeId ex : exits) {
      if (in.gamma[place] != old_gamma[place] && !known(value({instance, ex}, f))) {
        agenda_.add(f, {instance, ex});
      }
      ++place;
    }
  }
}

// For the copy of an instance that refinement has not come to yet: what is on the agenda for the
// original concerns the copy as well.
void ContextMachine::note_everything(InstanceId instance) {
  note_new_context(instance,
                   std::vector<Ternary>(instances_[instance].gamma.size(), Ternary::Unknown));
  for (const model::BoxId b : model_.component(instances_[instance].base).boxes()) {
    note_new_callee({instance, b});
  }
}

void ContextMachine::set_pending(InstanceId instance) {
  if (!instances_[instance].pending) {
    instances_[instance].pending = true;
    pending_.push_back(instance);
  }
}

void ContextMachine::refined() {
  for (const InstanceId i : pending_) {
    instances_[i].pending = false;
  }
  pending_.clear();
}

void ContextMachine::set(State s, SubId f, Ternary value_now) {
  assert(!known(value(s, f)) && known(value_now));
  slot(s, f) = value_now;
  for (const SubId parent : table_.parents(f)) {
    if (parent >= agenda_.end()) {
      break;
    }
    if (table_[parent].op == logic::Op::EX) {
      for_each_predecessor(s, [this, parent](State p) { agenda_.add(parent, p); });
      if (s.instance == root() && roles_[s.node] == Role::OpenExit) {
        agenda_.add(parent, s);  // γ_0 is read from ∂ there
      }
    } else {
      agenda_.add(parent, s);
    }
  }
  if (table_[f].existential.valid() && model_.kind(s.node) == model::NodeKind::Return) {
    list_if_contextualisable(s, f);
  }
}

void ContextMachine::decide(State s, SubId f, Ternary value_now) {
  set(s, f, value_now);
  for_each_predecessor(s, [this, f](State p) { agenda_.add(f, p); });
}

std::span<Ternary> ContextMachine::row(InstanceId instance, SubId f) {
  Instance& in = instances_[instance];
  return {in.values.data() + std::size_t{f.value()} * in.width, in.width};
}

void ContextMachine::resolve_context(State exit, SubId f, Ternary resolved) {
  assert(exit.instance != root());
  Ternary& gamma = gamma_slot(exit, f);
  if (known(gamma)) {
    return;
  }
  remove_from_index(exit.instance);
  gamma = resolved;
  enter_in_index(exit.instance);
}

bool ContextMachine::resolve_everywhere(SubId f) {
  const Ternary resolved = table_[f].op == logic::Op::EG ? Ternary::True : Ternary::False;
  // Contexts first, so that return nodes that become known find them equal.
  for (const InstanceId i : alive_instances()) {
    if (i == root()) {
      continue;
    }
    guard_.tick();
    for (const model::NodeId ex : model_.exits(instances_[i].base)) {
      resolve_context({i, ex}, f, resolved);
    }
  }
  bool found = false;
  for (const InstanceId i : alive_instances()) {
    guard_.tick(instances_[i].width);
    for_each_state(i, [this, f, resolved, &found](State s) {
      if (!known(value(s, f))) {
        decide(s, f, resolved);
        found = true;
      }
    });
  }
  assert(table_.existential()[settled_] == f);
  ++settled_;
  return found;
}

std::span<const InstanceId> ContextMachine::alive_instances() {
  std::erase_if(alive_, [this](InstanceId i) { return !alive(i); });
  return alive_;
}

}  // namespace nestor::engine::strategies
