#include "program/symbolic_state.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace nestor::program {

namespace {

constexpr std::size_t kMostConditions = 4;  // each of them may double the states

bool by_slot(const Binding& binding, const Slot& slot) {
  return binding.slot < slot;
}

std::size_t mixed(std::size_t hash, std::uint64_t more) {
  hash ^= more + 0x9E3779B97F4A7C15ULL + (hash << 6) + (hash >> 2);
  return hash;
}

}  // namespace

std::size_t hash_of(const SymbolicState& state) {
  std::size_t hash = static_cast<std::size_t>(state.phase);
  hash = mixed(hash, state.entry_symbols);
  for (const Symbol& symbol : state.symbols) {
    hash = mixed(hash, (symbol.is_object ? 2U : 0U) + (symbol.is_handle ? 1U : 0U));
    for (const NumberSet::Range& range : symbol.numbers) {
      hash = mixed(hash, static_cast<std::uint64_t>(range.low));
      hash = mixed(hash, static_cast<std::uint64_t>(range.high));
    }
  }
  for (const Binding& binding : state.bindings) {
    hash = mixed(hash, static_cast<std::uint64_t>(binding.slot.kind) << 32U | binding.slot.id);
    hash = mixed(hash, static_cast<std::uint64_t>(binding.slot.offset));
    hash = mixed(hash, static_cast<std::uint64_t>(binding.datum.kind) << 32U | binding.datum.id);
    hash = mixed(hash, static_cast<std::uint64_t>(binding.datum.number));
  }
  for (const Condition& condition : state.conditions) {
    hash = mixed(hash, condition.is_true ? 1 : 0);
    for (const Condition::Token& token : condition.term) {
      hash = mixed(hash, static_cast<std::uint64_t>(token.number));
    }
  }
  return hash;
}

const Binding* SymbolicState::find(const Slot& slot) const {
  const auto found = std::lower_bound(bindings.begin(), bindings.end(), slot, by_slot);
  return found != bindings.end() && found->slot == slot ? &*found : nullptr;
}

void SymbolicState::bind(const Slot& slot, const Datum& datum, VariableId location) {
  const auto found = std::lower_bound(bindings.begin(), bindings.end(), slot, by_slot);
  if (found != bindings.end() && found->slot == slot) {
    found->datum = datum;
    found->location = location;
  } else {
    bindings.insert(found, {slot, datum, location});
  }
}

void SymbolicState::erase(const Slot& slot) {
  const auto found = std::lower_bound(bindings.begin(), bindings.end(), slot, by_slot);
  if (found != bindings.end() && found->slot == slot) {
    bindings.erase(found);
  }
}

std::uint32_t SymbolicState::add_symbol(Symbol symbol) {
  symbols.push_back(symbol);
  return static_cast<std::uint32_t>(symbols.size() - 1);
}

bool SymbolicState::suppose(Condition condition) {
  for (const Condition& known : conditions) {
    if (known.term == condition.term) {
      return known.is_true == condition.is_true;
    }
  }
  if (conditions.size() < kMostConditions) {
    conditions.push_back(std::move(condition));
  }
  return true;
}

/// Conditions on what no place holds any more are not asked again.
void SymbolicState::drop_conditions() {
  if (conditions.empty()) {
    return;
  }
  base::PooledVector<std::uint8_t> is_held(symbols.size(), 0);
  for (const Binding& binding : bindings) {
    if (binding.datum.kind == Datum::Kind::Symbol) {
      is_held[binding.datum.id] = 1;
    }
  }
  std::erase_if(conditions, [&](const Condition& condition) {
    return std::any_of(condition.term.begin(), condition.term.end(), [&](const auto& token) {
      return token.is_symbol && is_held[static_cast<std::size_t>(token.number)] == 0;
    });
  });
}

std::optional<std::uint32_t> SymbolicState::handle() const {
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i].is_handle) {
      return i;
    }
  }
  return std::nullopt;
}

void SymbolicState::keep_handle() {
  if (const std::optional<std::uint32_t> kept = handle()) {
    symbols[*kept].is_handle = false;
    phase = Phase::Kept;
  }
}

base::PooledVector<std::uint8_t> SymbolicState::reachable_symbols(
    base::PooledVector<Datum> work) const {
  base::PooledVector<std::uint8_t> reached(symbols.size(), 0);
  base::PooledVector<std::uint32_t> variables;  // whose address was met
  while (!work.empty()) {
    const Datum datum = work.back();
    work.pop_back();
    const bool is_address = datum.kind == Datum::Kind::Address;
    if (datum.kind == Datum::Kind::Number || (is_address && datum.id == kNowhere)) {
      continue;
    }
    if (is_address) {
      if (std::find(variables.begin(), variables.end(), datum.id) != variables.end()) {
        continue;
      }
      variables.push_back(datum.id);
    } else {
      if (reached[datum.id] != 0) {
        continue;
      }
      reached[datum.id] = 1;
    }
    const Slot::Kind kind = is_address ? Slot::Kind::Variable : Slot::Kind::Pointee;
    for (const Binding& binding : bindings) {
      if (binding.slot.kind == kind && binding.slot.id == datum.id) {
        work.push_back(binding.datum);
      }
    }
  }
  return reached;
}

bool SymbolicState::leads_to(const Datum& datum, std::uint32_t symbol) const {
  if (datum.kind == Datum::Kind::Number ||
      (datum.kind == Datum::Kind::Address && datum.id == kNowhere)) {
    return false;
  }
  if (datum.is_symbol(symbol)) {
    return true;
  }
  // Mostly it points to nothing that is known.
  const Slot first{datum.kind == Datum::Kind::Address ? Slot::Kind::Variable : Slot::Kind::Pointee,
                   datum.id, std::numeric_limits<std::int64_t>::min()};
  const auto found = std::lower_bound(bindings.begin(), bindings.end(), first, by_slot);
  return found != bindings.end() && found->slot.kind == first.kind && found->slot.id == first.id &&
         reachable_symbols({datum})[symbol] != 0;
}

void SymbolicState::cut(std::uint32_t deepest) {
  if (!has_pointees()) {
    return;
  }
  base::PooledVector<std::uint32_t> depth(symbols.size(), kNowhere);
  for (std::uint32_t i = 0; i < entry_symbols; ++i) {
    depth[i] = 0;
  }
  for (const Binding& binding : bindings) {
    if (binding.slot.kind != Slot::Kind::Pointee && binding.datum.kind == Datum::Kind::Symbol) {
      depth[binding.datum.id] = 0;
    }
  }
  bool is_deeper = true;
  for (std::uint32_t level = 0; is_deeper; ++level) {
    is_deeper = false;
    for (const Binding& binding : bindings) {
      if (binding.slot.kind == Slot::Kind::Pointee && depth[binding.slot.id] == level &&
          binding.datum.kind == Datum::Kind::Symbol && depth[binding.datum.id] == kNowhere) {
        depth[binding.datum.id] = level + 1;
        is_deeper = true;
      }
    }
  }
  // What no named place leads to does not lie deep: whether that is lost is not told here.
  const auto is_below = [&](std::uint32_t symbol, std::uint32_t level) {
    return depth[symbol] != kNowhere && depth[symbol] >= level;
  };
  erase_if([&](const Binding& binding) {
    return binding.slot.kind == Slot::Kind::Pointee && is_below(binding.slot.id, deepest);
  });
  if (const std::optional<std::uint32_t> kept = handle(); kept && is_below(*kept, deepest + 1)) {
    symbols[*kept].is_handle = false;
    phase = Phase::Kept;
  }
}

void SymbolicState::normalise(bool ends_if_kept) {
  for (Binding& binding : bindings) {
    if (binding.datum.kind != Datum::Kind::Symbol || binding.datum.number != 0 ||
        binding.datum.is_inside || symbols[binding.datum.id].is_handle ||
        binding.datum.id < entry_symbols) {
      continue;
    }
    if (const std::optional<std::int64_t> only = symbols[binding.datum.id].numbers.single()) {
      binding.datum = Datum::of_number(*only);
    }
  }
  lose_unnamed(ends_if_kept);
  drop_conditions();
  drop_empty();
  renumber();
}

/// What cannot be found from a named place goes.
void SymbolicState::lose_unnamed(bool ends_if_kept) {
  const std::optional<std::uint32_t> found = handle();
  const bool may_be_lost = found && *found >= entry_symbols;
  if (!has_pointees()) {  // mostly: there are named places only
    if (may_be_lost && std::none_of(bindings.begin(), bindings.end(), [&](const Binding& binding) {
          return binding.datum.is_symbol(*found);
        })) {
      symbols[*found].is_handle = false;
      phase = Phase::Lost;
    }
    return;
  }
  base::PooledVector<Datum> named;
  for (std::uint32_t i = 0; i < entry_symbols; ++i) {
    named.push_back(Datum::of_symbol(i));
  }
  for (const Binding& binding : bindings) {
    if (binding.slot.kind != Slot::Kind::Pointee) {
      named.push_back(binding.datum);
    }
  }
  const base::PooledVector<std::uint8_t> reached = reachable_symbols(std::move(named));
  // What lies in something that was not made here is known to those who know that.
  const auto is_kept = [&] {
    return std::any_of(bindings.begin(), bindings.end(), [&](const Binding& binding) {
      return binding.slot.kind == Slot::Kind::Pointee && reached[binding.slot.id] == 0 &&
             !symbols[binding.slot.id].is_object && !symbols[binding.slot.id].is_handle &&
             leads_to(binding.datum, *found);
    });
  };
  const bool is_lost = may_be_lost && reached[*found] == 0;
  if (found && (is_lost || ends_if_kept)) {
    if (is_kept()) {
      symbols[*found].is_handle = false;
      phase = Phase::Kept;
    } else if (is_lost) {
      symbols[*found].is_handle = false;
      phase = Phase::Lost;
    }
  }
  erase_if([&](const Binding& binding) {
    return binding.slot.kind == Slot::Kind::Pointee && reached[binding.slot.id] == 0;
  });
}

/// A symbol that is met once, and can be anything, says nothing; nor then does what pointed to it.
void SymbolicState::drop_empty() {
  base::PooledVector<std::uint32_t> times;
  for (bool is_again = true; is_again;) {
    is_again = false;
    times.assign(symbols.size(), 0);
    for (const Binding& binding : bindings) {
      if (binding.datum.kind == Datum::Kind::Symbol) {
        ++times[binding.datum.id];
      }
      if (binding.slot.kind == Slot::Kind::Pointee) {
        ++times[binding.slot.id];
      }
    }
    for (const Condition& condition : conditions) {
      for (const Condition::Token& token : condition.term) {
        if (token.is_symbol) {
          ++times[static_cast<std::size_t>(token.number)];
        }
      }
    }
    erase_if([&](const Binding& binding) {
      const std::uint32_t id = binding.datum.id;
      const bool says_nothing = binding.datum.kind == Datum::Kind::Symbol && id >= entry_symbols &&
                                times[id] == 1 && symbols[id].numbers.is_all() &&
                                !symbols[id].is_handle && !symbols[id].is_object;
      is_again |= says_nothing && binding.slot.kind == Slot::Kind::Pointee;
      return says_nothing;
    });
  }
}

/// Slots of pointees are sorted by symbols that may get their numbers later: those of named places
/// first, then level by level.
void SymbolicState::renumber() {
  base::PooledVector<std::uint32_t> number(symbols.size(), kNowhere);
  base::PooledVector<Symbol> in_order;
  in_order.reserve(symbols.size());
  in_order.assign(symbols.begin(), symbols.begin() + entry_symbols);
  std::iota(number.begin(), number.begin() + entry_symbols, 0U);
  const auto meet = [&](std::uint32_t symbol) {
    if (number[symbol] == kNowhere) {
      number[symbol] = static_cast<std::uint32_t>(in_order.size());
      in_order.push_back(symbols[symbol]);
    }
    return number[symbol];
  };
  std::size_t named = 0;
  for (; named < bindings.size() && bindings[named].slot.kind != Slot::Kind::Pointee; ++named) {
    if (bindings[named].datum.kind == Datum::Kind::Symbol) {
      bindings[named].datum.id = meet(bindings[named].datum.id);
    }
  }
  if (named < bindings.size()) {
    base::PooledVector<Binding> pointees(bindings.begin() + static_cast<std::ptrdiff_t>(named),
                                         bindings.end());
    bindings.resize(named);
    base::PooledVector<std::uint8_t> done(pointees.size(), 0);
    for (std::uint32_t next = 0; next < in_order.size(); ++next) {
      for (std::size_t i = 0; i < pointees.size(); ++i) {
        if (done[i] == 0 && number[pointees[i].slot.id] == next) {
          done[i] = 1;
          Binding& binding = pointees[i];
          binding.slot.id = next;
          if (binding.datum.kind == Datum::Kind::Symbol) {
            binding.datum.id = meet(binding.datum.id);
          }
          bindings.push_back(binding);
        }
      }
    }
  }
  for (Condition& condition : conditions) {
    for (Condition::Token& token : condition.term) {
      if (token.is_symbol) {
        token.number = number[static_cast<std::size_t>(token.number)];
      }
    }
  }
  std::sort(conditions.begin(), conditions.end());
  symbols = std::move(in_order);
  assert(std::is_sorted(bindings.begin(), bindings.end(),
                        [](const Binding& a, const Binding& b) { return a.slot < b.slot; }));
}

StateId StateTable::intern(SymbolicState state) {
  const std::size_t hash = hash_of(state);
  const auto [first, last] = index_.equal_range(hash);
  for (auto i = first; i != last; ++i) {
    if (states_[i->second] == state) {
      return StateId(i->second);
    }
  }
  states_.push_back(std::move(state));
  index_.emplace(hash, static_cast<std::uint32_t>(states_.size() - 1));
  return StateId(states_.size() - 1);
}

}  // namespace nestor::program
