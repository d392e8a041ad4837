#include "program/state_join.h"

#include <gtest/gtest.h>

namespace nestor::program {
namespace {

constexpr std::uint32_t kFlag = 1;
constexpr std::uint32_t kHolder = 2;

Slot local(std::uint32_t id) {
  return {Slot::Kind::Variable, id, 0};
}

/// The handle lies in one local, a number in another.
SymbolicState alive(std::int64_t flag) {
  SymbolicState state;
  state.phase = SymbolicState::Phase::Alive;
  Symbol handle;
  handle.is_handle = true;
  handle.numbers = NumberSet::except(0);
  state.bind(local(kFlag), Datum::of_number(flag), VariableId(kFlag));
  state.bind(local(kHolder), Datum::of_symbol(state.add_symbol(handle)), VariableId(kHolder));
  state.normalise();
  return state;
}

TEST(StateJoin, StatesThatAgreeOnTheHandleHaveOneShape) {
  EXPECT_EQ(shape_of(alive(0)), shape_of(alive(1)));
  SymbolicState other = alive(0);
  other.bind(local(3), other.find(local(kHolder))->datum, VariableId(3));
  EXPECT_NE(shape_of(alive(0)), shape_of(other));
  SymbolicState lost = alive(0);
  lost.erase(local(kHolder));
  lost.normalise();
  EXPECT_NE(shape_of(alive(0)), shape_of(lost));
}

TEST(StateJoin, WhatBothKnowIsKept) {
  const SymbolicState both = joined(alive(0), alive(3), false);
  const Binding* flag = both.find(local(kFlag));
  ASSERT_NE(flag, nullptr);
  ASSERT_EQ(flag->datum.kind, Datum::Kind::Symbol);
  EXPECT_EQ(both.symbols[flag->datum.id].numbers, NumberSet::only(0).join(NumberSet::only(3)));
  const Binding* holder = both.find(local(kHolder));
  ASSERT_NE(holder, nullptr);
  EXPECT_TRUE(holder->datum.is_symbol(*both.handle()));
}

TEST(StateJoin, NumbersComeToAnEnd) {
  // What can be anything, and is met once, says nothing.
  EXPECT_EQ(joined(alive(0), alive(3), true).find(local(kFlag)), nullptr);
  EXPECT_EQ(joined(alive(3), alive(3), true), alive(3));
}

TEST(StateJoin, EqualPlacesStayEqualOnlyIfTheyAreInBoth) {
  SymbolicState equal = alive(0);
  Symbol symbol;
  symbol.numbers = NumberSet::range(1, 5);
  const Datum datum = Datum::of_symbol(equal.add_symbol(symbol));
  equal.bind(local(4), datum, VariableId(4));
  equal.bind(local(5), datum, VariableId(5));
  SymbolicState apart = alive(0);
  apart.bind(local(4), Datum::of_symbol(apart.add_symbol(symbol)), VariableId(4));
  apart.bind(local(5), Datum::of_symbol(apart.add_symbol(symbol)), VariableId(5));
  equal.normalise();
  apart.normalise();
  const SymbolicState same = joined(equal, equal, false);
  EXPECT_EQ(same, equal);
  const SymbolicState both = joined(equal, apart, false);
  EXPECT_NE(both.find(local(4))->datum, both.find(local(5))->datum);
  EXPECT_EQ(both, joined(apart, equal, false));
}

}  // namespace
}  // namespace nestor::program
