#include "lint/branch_text.h"

#include <gtest/gtest.h>

#include <string>

namespace nestor::lint {
namespace {

using program::Action;
using program::Relation;
using program::Value;
using program::ValueId;

/// A function that reads variables and branches on terms over them.
class BranchTexts : public testing::Test {
 protected:
  BranchTexts() { function.add_ends(); }

  program::VariableId variable(const std::string& name, program::VariableKind kind) {
    program::Variable made;
    made.name = program.strings.intern(name);
    made.kind = kind;
    made.is_scalar = true;
    return program.variables.push_back(made);
  }

  ValueId term(Value value) { return function.values.push_back(value); }
  ValueId made(Value::Kind kind, std::uint8_t bits) {
    Value value;
    value.kind = kind;
    value.bits = bits;
    return term(value);
  }
  ValueId null() {
    Value value;
    value.kind = Value::Kind::Constant;
    value.is_null = true;
    return term(value);
  }
  ValueId number(std::int64_t number, std::uint8_t bits = 32) {
    Value value;
    value.kind = Value::Kind::Constant;
    value.number = number;
    value.bits = bits;
    return term(value);
  }

  void act(Action action, program::VariableId location = {}, const std::string& callee = {}) {
    program::Point point;
    point.action = static_cast<std::uint32_t>(function.actions.size());
    if (location.valid()) {
      point.facts.push_back({.kind = program::FactKind::Use, .variable = location});
    }
    if (!callee.empty()) {
      point.callee = program.strings.intern(callee);
    }
    function.actions.push_back(std::move(action));
    function.points.push_back(std::move(point));
  }

  ValueId read(program::VariableId location, ValueId address = {}, std::uint8_t bits = 32) {
    Action action;
    action.kind = Action::Kind::Read;
    action.result = made(Value::Kind::Bound, bits);
    action.address = address;
    action.bits = bits;
    const ValueId result = action.result;
    act(std::move(action), location);
    return result;
  }

  ValueId call(const std::string& name) {
    Action action;
    action.kind = Action::Kind::Call;
    action.result = made(Value::Kind::Bound, 32);
    const ValueId result = action.result;
    act(std::move(action), {}, name);
    return result;
  }

  ValueId compare(ValueId left, Relation relation, ValueId right) {
    Value value;
    value.kind = Value::Kind::Compare;
    value.relation = relation;
    value.bits = 1;
    value.left = left;
    value.right = right;
    return term(value);
  }

  /// The text where `value` is true, or false.
  std::string told(ValueId value, bool is_true = true) {
    Action test;
    test.value = value;
    test.relation = is_true ? Relation::NotEqual : Relation::Equal;
    return told(std::move(test));
  }
  std::string told(Action test) {
    act(std::move(test));
    return BranchText(program, function).of(function.points.back());
  }

  program::Program program;
  program::Function function;
};

TEST_F(BranchTexts, NameVariablesAndCompareThem) {
  const program::VariableId fd = variable("run::fd", program::VariableKind::Local);
  const program::VariableId n = variable("n", program::VariableKind::Global);
  EXPECT_EQ(told(compare(read(fd), Relation::Less, number(0))), "'fd' is negative");
  EXPECT_EQ(told(compare(read(fd), Relation::Less, number(0)), false), "'fd' is not negative");
  EXPECT_EQ(told(compare(read(fd), Relation::Equal, number(-1)), false), "'fd' is not -1");
  EXPECT_EQ(told(compare(read(n), Relation::NotEqual, number(0))), "'n' is not 0");
  EXPECT_EQ(told(compare(number(3), Relation::Less, read(n))), "'n' is more than 3");
  EXPECT_EQ(told(compare(read(fd), Relation::LessEqual, read(n)), false), "'fd' is more than 'n'");
  EXPECT_EQ(told(compare(call("strcmp"), Relation::Equal, number(0))),
            "the result of 'strcmp' is 0");
}

TEST_F(BranchTexts, SayNullOfPointers) {
  const program::VariableId p = variable("run::p", program::VariableKind::Local);
  const program::VariableId field = variable("store.depth", program::VariableKind::Field);
  const program::VariableId memory = variable("*i8", program::VariableKind::Memory);
  const ValueId pointer = read(p, {}, 64);
  Value step;
  step.kind = Value::Kind::Step;
  step.left = pointer;
  step.number = 8;
  const ValueId part = term(step);
  EXPECT_EQ(told(compare(read(field, part), Relation::Equal, number(7))), "'p->depth' is 7");
  EXPECT_EQ(told(compare(read(memory, pointer, 8), Relation::Equal, number('/', 8))),
            "'*p' is '/'");
  EXPECT_EQ(told(compare(read(p, {}, 64), Relation::Equal, null())), "'p' is null");
  EXPECT_EQ(told(compare(read(p, {}, 64), Relation::Equal, null()), false), "'p' is not null");
}

TEST_F(BranchTexts, SayAtLeastWhichWay) {
  const ValueId unknown = made(Value::Kind::Unknown, 1);
  EXPECT_EQ(told(unknown), "taking the true branch");
  EXPECT_EQ(told(unknown, false), "taking the false branch");
  const program::VariableId mode = variable("run::mode", program::VariableKind::Local);
  Action one;
  one.relation = Relation::Equal;
  one.value = read(mode);
  one.number = 3;
  EXPECT_EQ(told(one), "'mode' is 3");
  one.is_else = true;
  EXPECT_EQ(told(one), "'mode' is none of the cases");
  one.value = made(Value::Kind::Unknown, 32);
  EXPECT_EQ(told(one), "taking the default case");
  one.is_else = false;
  EXPECT_EQ(told(one), "taking the case 3");
}

}  // namespace
}  // namespace nestor::lint
