#include "program/semantics.h"

#include <algorithm>

// How what is known enters a function of the program and comes back from it.

namespace nestor::program {

namespace {

constexpr int kDeepestMaker = 4;  // functions that make the handle for others

using Phase = SymbolicState::Phase;

}  // namespace

bool Semantics::is_origin(FunctionId function, std::uint32_t point, bool is_outermost) const {
  if (!tracking_.origin) {
    return false;
  }
  if (is_outermost) {
    return tracking_.origin->function == function && tracking_.origin->point == point &&
           point != Function::kEntry;
  }
  if (tracking_.makers == nullptr) {
    return false;
  }
  const auto found = tracking_.makers->find(function);
  return found != tracking_.makers->end() && found->second.count(point) != 0;
}

bool Semantics::matters(FunctionId function, std::uint32_t point, FunctionId target,
                        const SymbolicState& before, bool is_outermost) const {
  const Action* action = program_.functions[function].action_of(point);
  if (action == nullptr) {
    return false;
  }
  if (before.phase == Phase::Chosen || before.phase == Phase::Waiting) {
    return is_origin(function, point, is_outermost) && tracking_.makers != nullptr &&
           tracking_.makers->count(target) != 0 && before.phase == Phase::Chosen;
  }
  if (before.phase != Phase::Alive || program_.functions[function].points[point].is_alternative) {
    return false;  // which of the targets it is decides what becomes of the handle
  }
  if (!tracking_.ends_with_release && index_.counts_down(target)) {
    return false;  // how many still hold it is not followed
  }
  if (std::any_of(before.bindings.begin(), before.bindings.end(), [&](const Binding& binding) {
        return binding.slot.kind == Slot::Kind::Variable &&
               program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global &&
               leads_to_handle(binding.datum, before) &&
               (tracking_.ends_with_release
                    ? !index_.borrows_from(
                          target, binding.location,
                          holds_handle(binding.datum, before) ? Reach::Itself : Reach::Everything)
                    : index_.may_touch(target, binding.location));
      })) {
    return true;
  }
  for (std::size_t i = 0; i < action->arguments.size(); ++i) {
    const std::optional<Datum> datum = evaluate(function, action->arguments[i], before);
    if (leads_to_handle(datum, before) &&
        !(tracking_.ends_with_release &&
          index_.borrows(target, i,
                         holds_handle(datum, before) ? Reach::Itself : Reach::Everything))) {
      return true;
    }
  }
  return false;
}

HandleSeeds Semantics::seeds_of_root(FunctionId root) const {
  HandleSeeds seeds;
  seeds.only_loss = tracking_.ends_with_release;
  const HandleOrigin& origin = *tracking_.origin;
  if (origin.member.valid()) {
    seeds.locations.insert(origin.member);
  }
  if (origin.point == Function::kEntry) {
    seeds.parameters.insert(origin.parameter);
    return seeds;
  }
  const Function& in = program_.functions[root];
  seeds.points.insert(origin.point);
  const Action* action = in.action_of(origin.point);
  const VariableId location = location_of(in.points[origin.point]);
  const bool is_call = action != nullptr && action->kind == Action::Kind::Call;
  if (!is_call && location.valid()) {
    seeds.locations.insert(location);
    seeds.stays_there = tracking_.ends_with_release && !origin.member.valid();
  }
  if (is_call) {
    add_addressed(in, *action, seeds.locations);
    for (const FunctionId target : in.points[origin.point].targets) {
      add_stored(target, seeds);
    }
  }
  return seeds;
}

/// It may be made where an argument points to.
void Semantics::add_addressed(const Function& in, const Action& call,
                              std::set<VariableId>& locations) {
  for (const ValueId argument : call.arguments) {
    for (ValueId at = argument; at.valid(); at = in.values[at].left) {
      if (in.values[at].kind == Value::Kind::Address && in.values[at].variable.valid()) {
        locations.insert(in.values[at].variable);
      }
    }
  }
}

/// Where a function that makes the handle may leave it: what it writes, less its own locals.
void Semantics::add_stored(FunctionId maker, HandleSeeds& seeds) const {
  if (tracking_.makers == nullptr) {
    return;
  }
  std::set<FunctionId> seen = {maker};
  std::vector<FunctionId> level = {maker};
  for (int depth = kDeepestMaker; depth > 0 && !level.empty(); --depth) {
    std::vector<FunctionId> below;
    for (const FunctionId function : level) {
      const auto making = tracking_.makers->find(function);
      if (making == tracking_.makers->end()) {
        continue;
      }
      for (const VariableId location : index_.handles_stored_by(function)) {
        const VariableKind kind = program_.variables[location].kind;
        seeds.stores_behind_arguments |= kind != VariableKind::Global;
        if (kind != VariableKind::Memory) {
          seeds.locations.insert(location);
        }
      }
      for (const std::uint32_t p : making->second) {
        for (const FunctionId target : program_.functions[function].points[p].targets) {
          if (seen.insert(target).second) {
            below.push_back(target);
          }
        }
      }
    }
    level = std::move(below);
  }
}

HandleSeeds Semantics::seeds_of_call(FunctionId function, std::uint32_t point, FunctionId target,
                                     const SymbolicState& before) const {
  HandleSeeds seeds;
  seeds.decides_caller = true;
  seeds.only_loss = tracking_.ends_with_release;
  const Action& action = *program_.functions[function].action_of(point);
  for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
    if (leads_to_handle(evaluate(function, action.arguments[i], before), before)) {
      seeds.parameters.insert(i);
    }
  }
  for (const Binding& binding : before.bindings) {
    if (binding.slot.kind == Slot::Kind::Variable && leads_to_handle(binding.datum, before) &&
        program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global) {
      seeds.locations.insert(binding.location);
    }
  }
  if (before.phase == Phase::Chosen && tracking_.makers != nullptr) {
    if (const auto found = tracking_.makers->find(target); found != tracking_.makers->end()) {
      seeds.points = found->second;
      const Function& maker = program_.functions[target];
      for (const std::uint32_t p : found->second) {
        if (const Action* making = maker.action_of(p)) {
          add_addressed(maker, *making, seeds.locations);
        }
        for (const FunctionId inner : maker.points[p].targets) {
          add_stored(inner, seeds);
        }
      }
    }
    for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
      seeds.parameters.insert(i);  // it may be stored where they lead to
    }
  }
  return seeds;
}

SymbolicState Semantics::enter(FunctionId function, std::uint32_t point, FunctionId target,
                               const Relevance& relevance, const SymbolicState& before,
                               std::vector<std::uint32_t>& symbols) const {
  const Action& action = *program_.functions[function].action_of(point);
  SymbolicState entry;
  entry.phase = before.phase == Phase::Chosen ? Phase::Waiting : before.phase;
  base::PooledVector<std::uint32_t> number(before.symbols.size(), kNowhere);
  symbols.clear();
  const auto meet = [&](std::uint32_t symbol) {
    if (number[symbol] == kNowhere) {
      number[symbol] = entry.add_symbol(before.symbols[symbol]);
      symbols.push_back(symbol);
    }
    return number[symbol];
  };
  const auto translated = [&](Datum datum) {
    if (datum.kind == Datum::Kind::Symbol) {
      datum.id = meet(datum.id);
    }
    return datum;
  };
  base::PooledVector<Datum> passed;
  for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
    const std::optional<Datum> datum = evaluate(function, action.arguments[i], before);
    if (!datum) {
      continue;
    }
    const bool is_followed = datum->kind == Datum::Kind::Address ||
                             leads_to_handle(datum, before) ||
                             (before.phase == Phase::Chosen && datum->kind == Datum::Kind::Symbol);
    if (!is_followed && !relevance.is_tested_parameter(i)) {
      continue;
    }
    entry.bind({Slot::Kind::Parameter, i, 0}, translated(*datum), {});
    passed.push_back(*datum);
  }
  // What the callee can find: through its arguments, and globals that it touches.
  for (const Binding& binding : before.bindings) {
    if (binding.slot.kind == Slot::Kind::Variable &&
        program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global &&
        index_.may_touch(target, binding.location)) {
      passed.push_back(binding.datum);
    }
  }
  const base::PooledVector<std::uint8_t> reached = before.reachable_symbols(passed);
  base::PooledSet<std::uint32_t> addressed;
  for (base::PooledVector<Datum> work = passed; !work.empty();) {
    const Datum datum = work.back();
    work.pop_back();
    if (datum.kind == Datum::Kind::Address && datum.id != kNowhere &&
        addressed.insert(datum.id).second) {
      for (const Binding& binding : before.bindings) {
        if (binding.slot.kind == Slot::Kind::Variable && binding.slot.id == datum.id) {
          work.push_back(binding.datum);
        }
      }
    }
  }
  for (const Binding& binding : before.bindings) {
    bool is_visible = false;
    if (binding.slot.kind == Slot::Kind::Pointee) {
      is_visible = reached[binding.slot.id] != 0;
    } else if (binding.slot.kind == Slot::Kind::Variable) {
      const Variable& variable = program_.variables[VariableId(binding.slot.id)];
      is_visible = variable.kind == VariableKind::Global
                       ? index_.may_touch(target, binding.location)
                       : addressed.count(binding.slot.id) != 0 && variable.owner != target;
    }
    if (is_visible) {
      Slot slot = binding.slot;
      if (slot.kind == Slot::Kind::Pointee) {
        slot.id = meet(slot.id);
      }
      entry.bind(slot, translated(binding.datum), binding.location);
    }
  }
  entry.entry_symbols = static_cast<std::uint32_t>(entry.symbols.size());
  return entry;
}

SymbolicState Semantics::leave(FunctionId function, std::uint32_t point, FunctionId target,
                               const SymbolicState& before, const SymbolicState& entry,
                               const std::vector<std::uint32_t>& symbols, const SymbolicState& end,
                               bool returns) {
  const Action& action = *program_.functions[function].action_of(point);
  SymbolicState state = before;
  // What the callee saw is as it left it.
  for (const Binding& binding : entry.bindings) {
    Slot slot = binding.slot;
    if (slot.kind == Slot::Kind::Parameter) {
      continue;
    }
    if (slot.kind == Slot::Kind::Pointee) {
      slot.id = symbols[slot.id];
    }
    state.erase(slot);
  }
  state.erase_if([&](const Binding& binding) {
    return binding.slot.kind == Slot::Kind::Variable &&
           program_.variables[VariableId(binding.slot.id)].kind == VariableKind::Global &&
           index_.may_touch(target, binding.location);
  });
  state.erase_if([&](const Binding& binding) { return may_rename(target, binding, state); });
  // What a function does to the locals of another call of itself is not followed.
  for (std::size_t i = 0; (tracking_.undefined || tracking_.null) && i < action.arguments.size();
       ++i) {
    const std::optional<Datum> passed = evaluate(function, action.arguments[i], before);
    if (passed && passed->kind == Datum::Kind::Address && passed->id != kNowhere &&
        program_.variables[VariableId(passed->id)].owner == target) {
      erase_pointee({Datum::Kind::Address, true, passed->id, 0}, state);
    }
  }
  base::PooledVector<std::uint32_t> number(end.symbols.size(), kNowhere);
  for (std::uint32_t i = 0; i < end.symbols.size(); ++i) {
    if (i < symbols.size()) {
      number[i] = symbols[i];
      const NumberSet before_it = state.symbols[symbols[i]].numbers;
      state.symbols[symbols[i]] = end.symbols[i];
      if (!index_.values().outcomes && !end.symbols[i].is_handle) {
        state.symbols[symbols[i]].numbers = before_it;
      }
    } else {
      number[i] = state.add_symbol(end.symbols[i]);
    }
  }
  const auto translated = [&](Datum datum) {
    if (datum.kind == Datum::Kind::Symbol) {
      datum.id = number[datum.id];
    }
    return datum;
  };
  for (const Binding& binding : end.bindings) {
    Slot slot = binding.slot;
    if (slot.kind == Slot::Kind::Result) {
      continue;
    }
    if (slot.kind == Slot::Kind::Pointee) {
      slot.id = number[slot.id];
    }
    // What the callee knows as what a pointer leads to has a name here.
    const bool is_named = slot.kind == Slot::Kind::Variable && binding.location.valid() &&
                          program_.variables[binding.location].kind == VariableKind::Memory;
    state.bind(slot, translated(binding.datum), is_named ? VariableId(slot.id) : binding.location);
  }
  if (action.result.valid()) {
    const Binding* result = end.find({Slot::Kind::Result, 0, 0});
    if (returns && result != nullptr &&
        (index_.values().outcomes || leads_to_handle(result->datum, end))) {
      state.bind(Slot::of_register(action.result), translated(result->datum), {});
    } else if (returns && index_.values().outcomes && relevance_->is_tested(action.result)) {
      // Whatever it has come from there, the function gives nothing else.
      Symbol symbol;
      symbol.numbers = index_.results_of(target);
      state.bind(Slot::of_register(action.result), Datum::of_symbol(state.add_symbol(symbol)), {});
    } else {
      state.erase(Slot::of_register(action.result));
    }
  }
  state.phase = end.phase;
  return state;
}

void Semantics::come_from_longjmp(FunctionId function, SymbolicState& state) const {
  const Function& in = program_.functions[function];
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* action = in.action_of(p);
    if (action != nullptr && action->kind == Action::Kind::Call && action->result.valid() &&
        program_.text(in.points[p].callee).ends_with("setjmp")) {
      Symbol symbol;
      symbol.numbers = NumberSet::except(0);
      state.bind(Slot::of_register(action->result), Datum::of_symbol(state.add_symbol(symbol)), {});
    }
  }
}

/// In the same structure: who is not given that leaves it as it leaves the handle.
bool Semantics::is_beside_handle(const Slot& slot, const SymbolicState& state) const {
  return tracking_.ends_with_release &&
         std::any_of(state.bindings.begin(), state.bindings.end(), [&](const Binding& other) {
           return other.slot.kind == slot.kind && other.slot.id == slot.id &&
                  holds_handle(other.datum, state);
         });
}

void Semantics::step_over(FunctionId function, std::uint32_t point, FunctionId target,
                          SymbolicState& state) {
  const Action* action = program_.functions[function].action_of(point);
  if (action == nullptr) {
    return;  // calls back, nothing is known of the arguments
  }
  base::PooledVector<Datum> passed;
  for (std::size_t i = 0; i < action->arguments.size(); ++i) {
    if (const std::optional<Datum> datum = evaluate(function, action->arguments[i], state)) {
      passed.push_back(*datum);
      if (!index_.borrows(target, i, Reach::Itself)) {
        share(datum, state);
      }
    }
  }
  const base::PooledVector<std::uint8_t> reached = state.reachable_symbols(passed);
  const std::optional<std::uint32_t> handle = state.handle();
  state.erase_if([&](const Binding& binding) {
    if (tracking_.ends_with_release && leads_to_handle(binding.datum, state)) {
      return false;  // who only looks at it leaves its names alone
    }
    if (may_rename(target, binding, state)) {
      return true;
    }
    if (binding.slot.kind == Slot::Kind::Pointee) {
      return (reached[binding.slot.id] != 0 ||
              (binding.location.valid() && index_.may_touch(target, binding.location) &&
               !is_beside_handle(binding.slot, state))) &&
             !(handle && binding.datum.is_symbol(*handle) && reached[binding.slot.id] == 0);
    }
    if (binding.slot.kind != Slot::Kind::Variable) {
      return false;
    }
    const Variable& variable = program_.variables[VariableId(binding.slot.id)];
    if (variable.kind == VariableKind::Global) {
      return index_.may_touch(target, binding.location);
    }
    return std::any_of(passed.begin(), passed.end(), [&](const Datum& datum) {
      return datum.kind == Datum::Kind::Address && datum.id == binding.slot.id;
    });
  });
  if (state.phase == Phase::Chosen && action->result.valid()) {
    // Whatever the function gives.
    state.phase = Phase::Alive;
    Symbol symbol;
    symbol.is_handle = !tracking_.origin->member.valid();
    symbol.numbers = program_.functions[function].values[action->result].bits == 64
                         ? NumberSet::except(0)
                         : NumberSet::range(0, NumberSet::kHighest);
    const Datum datum = Datum::of_symbol(state.add_symbol(symbol));
    state.bind(Slot::of_register(action->result), datum, {});
    if (!symbol.is_handle) {
      make_member(datum, state);
    }
  } else if (action->result.valid()) {
    const NumberSet& results = index_.results_of(target);
    if (relevance_->is_tested(action->result)) {
      Symbol symbol;
      symbol.numbers = index_.values().outcomes ? results : NumberSet::all();
      state.bind(Slot::of_register(action->result), Datum::of_symbol(state.add_symbol(symbol)), {});
    } else {
      state.erase(Slot::of_register(action->result));
    }
  }
}

}  // namespace nestor::program
