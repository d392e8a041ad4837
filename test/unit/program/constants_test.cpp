#include "program/constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace nestor::program {
namespace {

/// Programs with constants, built point by point.
class ValueDraft {
 public:
  FunctionId function() {
    Function function;
    function.add_ends();
    return program.functions.push_back(function);
  }
  VariableId variable(VariableKind kind, bool exact) {
    Variable variable;
    variable.kind = kind;
    variable.exact = exact;
    return program.variables.push_back(variable);
  }
  ValueId value(FunctionId f, Value::Kind kind, std::int64_t number = 0) {
    Value term;
    term.kind = kind;
    term.number = number;
    term.bits = 32;
    return program.functions[f].values.push_back(term);
  }
  ValueId constant(FunctionId f, std::int64_t number) {
    return value(f, Value::Kind::Constant, number);
  }

  /// A point with the action, behind `from`.
  std::uint32_t act(FunctionId f, std::uint32_t from, const Action& action,
                    VariableId location = {}) {
    Function& function = program.functions[f];
    const auto p = static_cast<std::uint32_t>(function.points.size());
    function.points[from].next.push_back(p);
    Point point;
    point.action = static_cast<std::uint32_t>(function.actions.size());
    if (location.valid()) {
      Fact fact;
      fact.variable = location;
      point.facts.push_back(fact);
    }
    function.actions.push_back(action);
    function.points.push_back(point);
    return p;
  }
  std::uint32_t write(FunctionId f, std::uint32_t from, VariableId location, ValueId value) {
    Action action;
    action.kind = Action::Kind::Write;
    action.value = value;
    return act(f, from, action, location);
  }
  ValueId read(FunctionId f, std::uint32_t from, VariableId location) {
    Action action;
    action.kind = Action::Kind::Read;
    action.result = value(f, Value::Kind::Bound);
    last = act(f, from, action, location);
    return action.result;
  }
  std::uint32_t assume(FunctionId f, std::uint32_t from, ValueId value, Relation relation,
                       std::int64_t number) {
    Action action;
    action.kind = Action::Kind::Assume;
    action.value = value;
    action.relation = relation;
    action.number = number;
    return act(f, from, action);
  }
  std::uint32_t otherwise(FunctionId f, std::uint32_t from, ValueId value,
                          std::vector<std::int64_t> others) {
    Action action;
    action.kind = Action::Kind::Assume;
    action.value = value;
    action.is_else = true;
    action.others = std::move(others);
    return act(f, from, action);
  }
  void give_back(FunctionId f, std::uint32_t from, ValueId value) {
    Action action;
    action.kind = Action::Kind::Return;
    action.value = value;
    program.functions[f].points[act(f, from, action)].next = {Function::kReturn};
  }
  ValueId call(FunctionId f, std::uint32_t from, std::vector<FunctionId> targets) {
    Action action;
    action.kind = Action::Kind::Call;
    action.result = value(f, Value::Kind::Bound);
    last = act(f, from, action);
    program.functions[f].points[last].kind = PointKind::Call;
    program.functions[f].points[last].targets = std::move(targets);
    return action.result;
  }

  std::optional<std::int64_t> found(FunctionId f, ValueId value) const {
    return constant_of(program.functions[f], value);
  }
  const std::vector<std::uint32_t>& next(FunctionId f, std::uint32_t point) const {
    return program.functions[f].points[point].next;
  }

  Program program;
  std::uint32_t last = 0;  ///< the point of the last read or call
};

using Points = std::vector<std::uint32_t>;

/// What a variable that is written these numbers is read as.
std::optional<std::int64_t> read_after(VariableKind kind, bool exact,
                                       const std::vector<std::int64_t>& numbers) {
  ValueDraft draft;
  const FunctionId f = draft.function();
  const VariableId x = draft.variable(kind, exact);
  std::uint32_t at = Function::kEntry;
  for (const std::int64_t number : numbers) {
    at = draft.write(f, at, x, draft.constant(f, number));
  }
  const ValueId result = draft.read(f, at, x);
  propagate_constants(draft.program);
  return draft.found(f, result);
}

TEST(Constants, ALocalThatIsGivenOneConstantIsThat) {
  EXPECT_EQ(read_after(VariableKind::Local, true, {3}), 3);
  EXPECT_EQ(read_after(VariableKind::Local, true, {3, 3}), 3);
  EXPECT_EQ(read_after(VariableKind::Local, true, {3, 4}), std::nullopt);
  EXPECT_EQ(read_after(VariableKind::Local, true, {3, 4, 4}), std::nullopt);
  EXPECT_EQ(read_after(VariableKind::Local, true, {}), std::nullopt);
}

TEST(Constants, WhatOthersMayWriteIsNotFollowed) {
  EXPECT_EQ(read_after(VariableKind::Local, false, {3}), std::nullopt);
  EXPECT_EQ(read_after(VariableKind::Global, true, {3}), std::nullopt);
  EXPECT_EQ(read_after(VariableKind::Field, true, {3}), std::nullopt);
}

TEST(Constants, ALocalThatIsGivenAnythingIsNoConstant) {
  ValueDraft draft;
  const FunctionId f = draft.function();
  const VariableId x = draft.variable(VariableKind::Local, true);
  std::uint32_t at = draft.write(f, Function::kEntry, x, draft.value(f, Value::Kind::Parameter));
  at = draft.write(f, at, x, draft.constant(f, 3));
  const ValueId result = draft.read(f, at, x);
  propagate_constants(draft.program);
  EXPECT_EQ(draft.found(f, result), std::nullopt);
}

TEST(Constants, ABranchThatIsNeverTakenGoesWithWhatItWrites) {
  // x = 1; y = 2; if (x == 0) y = 3; read y
  ValueDraft draft;
  const FunctionId f = draft.function();
  const VariableId x = draft.variable(VariableKind::Local, true);
  const VariableId y = draft.variable(VariableKind::Local, true);
  std::uint32_t at = draft.write(f, Function::kEntry, x, draft.constant(f, 1));
  at = draft.write(f, at, y, draft.constant(f, 2));
  const ValueId tested = draft.read(f, at, x);
  const std::uint32_t branch = draft.last;
  const std::uint32_t never = draft.assume(f, branch, tested, Relation::Equal, 0);
  const std::uint32_t always = draft.assume(f, branch, tested, Relation::NotEqual, 0);
  const std::uint32_t written = draft.write(f, never, y, draft.constant(f, 3));
  const ValueId result = draft.read(f, always, y);
  draft.program.functions[f].points[written].next = {draft.last};
  propagate_constants(draft.program);
  EXPECT_EQ(draft.next(f, branch), Points{always});
  EXPECT_EQ(draft.found(f, result), 2);
}

TEST(Constants, ABranchOnSomethingUnknownStays) {
  ValueDraft draft;
  const FunctionId f = draft.function();
  const ValueId tested = draft.value(f, Value::Kind::Parameter);
  const std::uint32_t one = draft.assume(f, Function::kEntry, tested, Relation::Equal, 0);
  const std::uint32_t other = draft.assume(f, Function::kEntry, tested, Relation::NotEqual, 0);
  propagate_constants(draft.program);
  EXPECT_EQ(draft.next(f, Function::kEntry), (Points{one, other}));
}

TEST(Constants, OfASwitchOneCaseStays) {
  for (const std::int64_t number : {1, 2, 3}) {
    ValueDraft draft;
    const FunctionId f = draft.function();
    const ValueId tested = draft.constant(f, number);
    const Points cases = {draft.assume(f, Function::kEntry, tested, Relation::Equal, 1),
                          draft.assume(f, Function::kEntry, tested, Relation::Equal, 2),
                          draft.otherwise(f, Function::kEntry, tested, {1, 2})};
    propagate_constants(draft.program);
    EXPECT_EQ(draft.next(f, Function::kEntry), Points{cases[static_cast<std::size_t>(number) - 1]});
  }
}

TEST(Constants, AFunctionThatAlwaysReturnsOneConstantIsThat) {
  ValueDraft draft;
  const FunctionId main = draft.function();
  const FunctionId same = draft.function();
  const FunctionId differs = draft.function();
  const FunctionId through = draft.function();  // returns what `same` does
  const FunctionId never = draft.function();
  for (const FunctionId f : {same, differs}) {
    draft.give_back(f, Function::kEntry, draft.constant(f, 7));
    draft.give_back(f, Function::kEntry, draft.constant(f, f == same ? 7 : 8));
  }
  const ValueId result = draft.call(through, Function::kEntry, {same});
  draft.give_back(through, draft.last, result);
  const ValueId of_same = draft.call(main, Function::kEntry, {same});
  const ValueId of_differs = draft.call(main, draft.last, {differs});
  const ValueId of_through = draft.call(main, draft.last, {through});
  const ValueId of_never = draft.call(main, draft.last, {never});
  const ValueId of_two = draft.call(main, draft.last, {same, differs});
  const ValueId of_alternative = draft.call(main, draft.last, {same});
  draft.program.functions[main].points[draft.last].is_alternative = true;
  propagate_constants(draft.program);
  EXPECT_EQ(draft.found(main, of_same), 7);
  EXPECT_EQ(draft.found(main, of_differs), std::nullopt);
  EXPECT_EQ(draft.found(main, of_through), 7);
  EXPECT_EQ(draft.found(main, of_never), std::nullopt);
  EXPECT_EQ(draft.found(main, of_two), std::nullopt);
  EXPECT_EQ(draft.found(main, of_alternative), std::nullopt);
}

TEST(Constants, AReturnThatIsNeverReachedDoesNotCount) {
  ValueDraft draft;
  const FunctionId main = draft.function();
  const FunctionId f = draft.function();
  const ValueId off = draft.constant(f, 0);
  const std::uint32_t never = draft.assume(f, Function::kEntry, off, Relation::NotEqual, 0);
  const std::uint32_t always = draft.assume(f, Function::kEntry, off, Relation::Equal, 0);
  draft.give_back(f, never, draft.constant(f, -1));
  draft.give_back(f, always, draft.constant(f, 0));
  const ValueId result = draft.call(main, Function::kEntry, {f});
  propagate_constants(draft.program);
  EXPECT_EQ(draft.found(main, result), 0);
}

/// A term of these bits over two constants of `from` bits.
std::optional<std::int64_t> folded(Value::Kind kind, std::uint8_t bits, std::uint8_t from,
                                   std::int64_t left, std::int64_t right = 0) {
  ValueDraft draft;
  const FunctionId f = draft.function();
  Value term;
  term.kind = kind;
  term.bits = bits;
  term.left = draft.constant(f, left);
  term.right = draft.constant(f, right);
  base::IdVector<ValueId, Value>& values = draft.program.functions[f].values;
  values[term.left].bits = from;
  values[term.right].bits = from;
  return draft.found(f, values.push_back(term));
}

TEST(Constants, TermsOverConstantsAreCutToTheirBits) {
  using Kind = Value::Kind;
  EXPECT_EQ(folded(Kind::Add, 8, 8, 127, 1), -128);
  EXPECT_EQ(folded(Kind::Subtract, 8, 8, -128, 1), 127);
  EXPECT_EQ(folded(Kind::Add, 64, 64, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(folded(Kind::And, 8, 8, -1, 12), 12);
  EXPECT_EQ(folded(Kind::Or, 8, 8, -128, 1), -127);
  EXPECT_EQ(folded(Kind::ExclusiveOr, 1, 1, 1, 1), 0);
  EXPECT_EQ(folded(Kind::ExclusiveOr, 1, 1, 0, 1), 1);
  EXPECT_EQ(folded(Kind::ExclusiveOr, 32, 32, 5, -1), -6);
  EXPECT_EQ(folded(Kind::ZeroExtend, 32, 8, -1), 255);
  EXPECT_EQ(folded(Kind::ZeroExtend, 32, 1, 1), 1);
  EXPECT_EQ(folded(Kind::SignExtend, 32, 8, -1), -1);
  EXPECT_EQ(folded(Kind::Truncate, 8, 32, 255), -1);
  EXPECT_EQ(folded(Kind::Truncate, 1, 32, 3), 1);
  EXPECT_EQ(folded(Kind::Step, 64, 64, 3), std::nullopt);
}

}  // namespace
}  // namespace nestor::program
