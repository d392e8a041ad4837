#include "program/symbolic_state.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace nestor::program {
namespace {

using Phase = SymbolicState::Phase;

Slot reg(std::uint32_t id) {
  return {Slot::Kind::Register, id, 0};
}
Slot pointee(std::uint32_t symbol, std::int64_t offset = 0) {
  return {Slot::Kind::Pointee, symbol, offset};
}

Symbol object() {
  Symbol symbol;
  symbol.numbers = NumberSet::except(0);
  symbol.is_object = true;
  return symbol;
}
Symbol not_null() {
  Symbol symbol;
  symbol.numbers = NumberSet::except(0);
  return symbol;
}
Symbol handle() {
  Symbol symbol = not_null();
  symbol.is_handle = true;
  return symbol;
}

/// Binds `slot` to a symbol.
void bind(SymbolicState& state, const Slot& slot, std::uint32_t symbol) {
  state.bind(slot, Datum::of_symbol(symbol), {});
}

SymbolicState normalised(SymbolicState state) {
  state.normalise();
  return state;
}

SymbolicState random_state(base::Random& random) {
  SymbolicState state;
  state.phase = Phase::Alive;
  const std::uint64_t count = random.between(1, 6);
  const std::uint64_t of_handle = random.below(count + 1);  // there may be none
  for (std::uint64_t i = 0; i < count; ++i) {
    Symbol symbol;
    switch (random.below(4)) {
      case 0:
        symbol = not_null();
        break;
      case 1:
        symbol = object();
        break;
      case 2:
        symbol.numbers = NumberSet::only(static_cast<std::int64_t>(random.below(2)));
        break;
      default:
        break;
    }
    state.add_symbol(i == of_handle ? handle() : symbol);
  }
  state.entry_symbols = static_cast<std::uint32_t>(random.below(std::min<std::uint64_t>(count, 3)));
  for (std::uint64_t i = random.between(1, 8); i > 0; --i) {
    const auto to = static_cast<std::uint32_t>(random.below(count));
    const auto offset = static_cast<std::int64_t>(8 * random.below(2));
    if (random.chance(0.4)) {
      bind(state, reg(static_cast<std::uint32_t>(random.below(4))), to);
    } else {
      bind(state, pointee(static_cast<std::uint32_t>(random.below(count)), offset), to);
    }
  }
  return state;
}

/// The same with other numbers for the symbols that the caller does not know.
SymbolicState renumbered(const SymbolicState& state, base::Random& random) {
  std::vector<std::uint32_t> number(state.symbols.size());
  for (std::uint32_t i = 0; i < number.size(); ++i) {
    number[i] = i;
  }
  for (std::size_t i = state.entry_symbols; i < number.size(); ++i) {
    std::swap(number[i], number[random.between(i, number.size() - 1)]);
  }
  SymbolicState result;
  result.phase = state.phase;
  result.entry_symbols = state.entry_symbols;
  result.symbols.resize(state.symbols.size());
  for (std::size_t i = 0; i < number.size(); ++i) {
    result.symbols[number[i]] = state.symbols[i];
  }
  for (Binding binding : state.bindings) {
    if (binding.slot.kind == Slot::Kind::Pointee) {
      binding.slot.id = number[binding.slot.id];
    }
    if (binding.datum.kind == Datum::Kind::Symbol) {
      binding.datum.id = number[binding.datum.id];
    }
    result.bind(binding.slot, binding.datum, binding.location);
  }
  return result;
}

/// Whether symbol `a` is less than symbol `b`.
Condition less(std::uint32_t a, std::uint32_t b, bool is_true) {
  return {{{false, 1}, {true, a}, {true, b}}, is_true};
}

TEST(SymbolicStateTest, AConditionTestedAgainComesOutTheSame) {
  SymbolicState state;
  bind(state, reg(0), state.add_symbol({}));
  bind(state, reg(1), state.add_symbol({}));
  EXPECT_TRUE(state.suppose(less(0, 1, true)));
  EXPECT_TRUE(state.suppose(less(0, 1, true)));
  EXPECT_FALSE(state.suppose(less(0, 1, false)));
  EXPECT_TRUE(state.suppose(less(1, 0, false)));  // another one
  state.normalise();
  EXPECT_EQ(state.symbols.size(), 2U) << "the condition speaks of them";
  EXPECT_FALSE(state.suppose(less(0, 1, false)));
}

TEST(SymbolicStateTest, AConditionGoesWithWhatItSpeaksOf) {
  SymbolicState state;
  bind(state, reg(0), state.add_symbol({}));
  bind(state, reg(1), state.add_symbol({}));
  EXPECT_TRUE(state.suppose(less(0, 1, true)));
  state.erase(reg(1));
  state.normalise();
  EXPECT_EQ(state, SymbolicState());
}

TEST(SymbolicState, NumbersOfSymbolsMeanNothing) {
  base::Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const SymbolicState state = random_state(random);
    const SymbolicState expected = normalised(state);
    ASSERT_EQ(normalised(renumbered(state, random)), expected) << "state " << i;
    StateTable table;
    EXPECT_EQ(table.intern(expected), table.intern(normalised(renumbered(state, random))));
    EXPECT_EQ(table.size(), 1U);
  }
}

TEST(SymbolicState, WhatIsNormalStaysAsItIs) {
  base::Random random(2);
  for (int i = 0; i < 5000; ++i) {
    const SymbolicState expected = normalised(random_state(random));
    ASSERT_EQ(normalised(expected), expected) << "state " << i;
  }
}

TEST(SymbolicState, WhatPointsToNothingKnownSaysNothing) {
  SymbolicState state;
  const std::uint32_t anything = state.add_symbol({});
  bind(state, reg(1), anything);
  bind(state, pointee(anything), state.add_symbol({}));
  EXPECT_TRUE(normalised(state).bindings.empty());
}

TEST(SymbolicState, AHandleAtANumberIsKept) {
  SymbolicState state;
  state.phase = Phase::Alive;
  Symbol number;
  number.numbers = NumberSet::only(4096);
  const std::uint32_t fixed = state.add_symbol(number);
  bind(state, reg(1), fixed);
  bind(state, pointee(fixed), state.add_symbol(handle()));
  EXPECT_EQ(normalised(state).phase, Phase::Kept);
}

TEST(SymbolicState, WhatSaysNothingGoes) {
  SymbolicState state;
  const std::uint32_t anything = state.add_symbol({});
  bind(state, reg(1), anything);
  EXPECT_TRUE(normalised(state).bindings.empty());
  EXPECT_TRUE(normalised(state).symbols.empty());
  bind(state, reg(2), anything);  // that they are equal is something
  EXPECT_EQ(normalised(state).bindings.size(), 2U);
}

TEST(SymbolicState, ASymbolThatCanBeOneNumberIsThatNumber) {
  SymbolicState state;
  Symbol five;
  five.numbers = NumberSet::only(5);
  bind(state, reg(1), state.add_symbol(five));
  SymbolicState number;
  number.bind(reg(1), Datum::of_number(5), {});
  EXPECT_EQ(normalised(state), normalised(number));
}

TEST(SymbolicState, SymbolsOfTheCallerKeepTheirNumbers) {
  SymbolicState state;
  state.add_symbol({});
  state.add_symbol(not_null());
  state.entry_symbols = 2;
  bind(state, reg(1), 1);
  const SymbolicState after = normalised(state);
  EXPECT_EQ(after.symbols, state.symbols);
  EXPECT_EQ(after.find(reg(1))->datum, Datum::of_symbol(1));
}

TEST(SymbolicState, AHandleIsAliveWhileSomethingLeadsToIt) {
  SymbolicState state;
  state.phase = Phase::Alive;
  const std::uint32_t made = state.add_symbol(object());
  const std::uint32_t it = state.add_symbol(handle());
  bind(state, reg(1), made);
  bind(state, pointee(made, 8), it);
  EXPECT_EQ(normalised(state).phase, Phase::Alive);
  EXPECT_TRUE(normalised(state).handle());
  state.erase(reg(1));
  EXPECT_EQ(normalised(state).phase, Phase::Lost);
  EXPECT_FALSE(normalised(state).handle());
}

TEST(SymbolicState, AHandleThatNothingHoldsIsLost) {
  SymbolicState state;
  state.phase = Phase::Alive;
  state.add_symbol(handle());
  EXPECT_EQ(normalised(state).phase, Phase::Lost);
  EXPECT_TRUE(normalised(state).symbols.empty());
}

TEST(SymbolicState, AHandleInWhatWasNotMadeHereIsKept) {
  SymbolicState state;
  state.phase = Phase::Alive;
  const std::uint32_t other = state.add_symbol(not_null());
  const std::uint32_t made = state.add_symbol(object());
  const std::uint32_t it = state.add_symbol(handle());
  bind(state, pointee(other), made);
  bind(state, pointee(made), it);
  EXPECT_EQ(normalised(state).phase, Phase::Kept);
  EXPECT_FALSE(normalised(state).handle());
}

/// A register leads to the handle over this many pointers.
SymbolicState chain(std::uint32_t pointers) {
  SymbolicState state;
  state.phase = Phase::Alive;
  std::uint32_t last = state.add_symbol(pointers == 0 ? handle() : object());
  bind(state, reg(1), last);
  for (std::uint32_t i = 1; i <= pointers; ++i) {
    const std::uint32_t next = state.add_symbol(i == pointers ? handle() : object());
    bind(state, pointee(last), next);
    last = next;
  }
  return state;
}

TEST(SymbolicState, CutLeavesOutWhatLiesDeeper) {
  for (std::uint32_t pointers = 0; pointers < 6; ++pointers) {
    for (std::uint32_t deepest = 0; deepest < 6; ++deepest) {
      SymbolicState state = chain(pointers);
      state.cut(deepest);
      EXPECT_EQ(state.bindings.size(), 1 + std::min(pointers, deepest));
      EXPECT_EQ(state.phase, pointers <= deepest ? Phase::Alive : Phase::Kept);
      EXPECT_EQ(state.handle().has_value(), pointers <= deepest);
      state.normalise();
      EXPECT_EQ(state.phase, pointers <= deepest ? Phase::Alive : Phase::Kept);
    }
  }
}

TEST(SymbolicState, CutCountsFromSymbolsOfTheCaller) {
  SymbolicState state = chain(2);
  state.erase(reg(1));
  state.entry_symbols = 1;
  state.cut(1);
  EXPECT_EQ(state.bindings.size(), 1U);
  EXPECT_EQ(state.phase, Phase::Kept);
}

TEST(SymbolicState, CutDoesNotKeepWhatIsLost) {
  SymbolicState state = chain(2);
  state.erase(reg(1));
  const std::uint32_t other = state.add_symbol(not_null());
  bind(state, reg(2), other);
  bind(state, pointee(other), state.add_symbol(not_null()));
  state.cut(3);
  state.normalise();
  EXPECT_EQ(state.phase, Phase::Lost);
  EXPECT_EQ(state.bindings.size(), 2U);
}

}  // namespace
}  // namespace nestor::program
