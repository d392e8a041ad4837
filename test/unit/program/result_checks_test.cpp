#include "program/result_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace nestor::program {
namespace {

/// A function that calls `callee` and does something with the result.
class OneCall {
 public:
  explicit OneCall(std::string_view callee)
      : function_(program_.functions[program_.functions.push_back(Function())]) {
    function_.add_ends();
    result_ = add(Value::Kind::Bound);
    Action action;
    action.kind = Action::Kind::Call;
    action.result = result_;
    call_ = act(action);
    function_.points[call_].callee = program_.strings.intern(callee);
  }

  ValueId result() const { return result_; }
  ValueId add(Value::Kind kind, ValueId left = {}, ValueId right = {}) {
    Value term;
    term.kind = kind;
    term.bits = 32;
    term.left = left;
    term.right = right;
    return function_.values.push_back(term);
  }
  ValueId constant(std::int64_t number) {
    const ValueId value = add(Value::Kind::Constant);
    function_.values[value].number = number;
    return value;
  }
  /// A point behind the last one.
  std::uint32_t act(const Action& action) {
    const auto p = static_cast<std::uint32_t>(function_.points.size());
    function_.points[p == Function::kFirst ? Function::kEntry : p - 1].next.push_back(p);
    Point point;
    point.action = static_cast<std::uint32_t>(function_.actions.size());
    function_.actions.push_back(action);
    function_.points.push_back(point);
    return p;
  }
  std::uint32_t act(Action::Kind kind, ValueId value) {
    Action action;
    action.kind = kind;
    action.value = value;
    return act(action);
  }
  void pass(ValueId argument) {
    Action action;
    action.kind = Action::Kind::Call;
    action.arguments = {argument};
    act(action);
  }
  void compare(ValueId left, Relation relation, ValueId right, bool is_unsigned = false) {
    const ValueId term = add(Value::Kind::Compare, left, right);
    function_.values[term].relation = relation;
    function_.values[term].is_unsigned = is_unsigned;
    act(Action::Kind::Assume, term);
  }
  VariableId local(bool exact) {
    Variable variable;
    variable.exact = exact;
    variable.is_scalar = true;
    return program_.variables.push_back(variable);
  }
  void write(VariableId variable, ValueId value) {
    const std::uint32_t p = act(Action::Kind::Write, value);
    add_fact(p, FactKind::Def, variable);
  }
  ValueId read(VariableId variable) {
    Action action;
    action.kind = Action::Kind::Read;
    action.result = add(Value::Kind::Bound);
    add_fact(act(action), FactKind::Use, variable);
    return action.result;
  }
  bool is_misjudged() {
    static const Externals externals = builtin_externals();
    find_misjudged_results(program_, externals);
    const std::vector<base::StringId>& labels = function_.points[call_].labels;
    return std::find(labels.begin(), labels.end(), program_.strings.find("ret_misjudged")) !=
           labels.end();
  }

 private:
  void add_fact(std::uint32_t p, FactKind kind, VariableId variable) {
    Fact fact;
    fact.kind = kind;
    fact.variable = variable;
    function_.points[p].facts.push_back(fact);
  }

  Program program_;
  Function& function_;
  ValueId result_;
  std::uint32_t call_ = 0;
};

bool misjudges(std::string_view callee, Relation relation, std::int64_t number,
               bool is_unsigned = false) {
  OneCall one(callee);
  one.compare(one.result(), relation, one.constant(number), is_unsigned);
  return one.is_misjudged();
}

TEST(ResultChecks, AComparisonWithTheSameOutcomeForAllResultsTellsNothing) {
  EXPECT_TRUE(misjudges("pthread_create", Relation::Less, 0));
  EXPECT_TRUE(misjudges("pthread_create", Relation::Equal, -1));
  EXPECT_FALSE(misjudges("pthread_create", Relation::NotEqual, 0));
  EXPECT_FALSE(misjudges("pthread_create", Relation::Equal, 11));  // one of its failures
  EXPECT_TRUE(misjudges("setuid", Relation::Greater, 0));
  EXPECT_FALSE(misjudges("setuid", Relation::Less, 0));
  EXPECT_TRUE(misjudges("fgets", Relation::Less, 0, true));
  EXPECT_FALSE(misjudges("fgets", Relation::Equal, 0));
  EXPECT_TRUE(misjudges("fread", Relation::Less, 0, true));
  EXPECT_FALSE(misjudges("fread", Relation::Equal, 0));
  EXPECT_FALSE(misjudges("strlen", Relation::Less, 0));  // cannot fail
  EXPECT_FALSE(misjudges("unheard_of", Relation::Less, 0));
}

TEST(ResultChecks, ZeroTellsNothingWhereItIsASuccessLikeOthers) {
  EXPECT_TRUE(misjudges("puts", Relation::Equal, 0));
  EXPECT_TRUE(misjudges("fprintf", Relation::NotEqual, 0));
  EXPECT_FALSE(misjudges("puts", Relation::Equal, -1));
  EXPECT_FALSE(misjudges("puts", Relation::GreaterEqual, 0));
  EXPECT_FALSE(misjudges("scanf", Relation::Equal, 1));
  EXPECT_FALSE(misjudges("read", Relation::Equal, 0));  // the end of the file
  EXPECT_FALSE(misjudges("getc", Relation::Equal, 0));
  EXPECT_FALSE(misjudges("fork", Relation::Equal, 0));
}

TEST(ResultChecks, OneComparisonThatTellsIsEnough) {
  OneCall one("puts");
  one.compare(one.result(), Relation::Equal, one.constant(0));
  one.compare(one.result(), Relation::Less, one.constant(0));
  EXPECT_FALSE(one.is_misjudged());
}

TEST(ResultChecks, TheConstantMayComeFirst) {
  OneCall wrong("setuid");
  wrong.compare(wrong.constant(0), Relation::Less, wrong.result());
  EXPECT_TRUE(wrong.is_misjudged());
  OneCall right("setuid");
  right.compare(right.constant(0), Relation::Greater, right.result());
  EXPECT_FALSE(right.is_misjudged());
}

TEST(ResultChecks, ResultsAreFollowedThroughLocalsAndWiderNumbers) {
  for (const bool exact : {true, false}) {
    OneCall one("puts");
    const VariableId r = one.local(exact);
    one.write(r, one.result());
    one.compare(one.read(r), Relation::Equal, one.constant(0));
    one.write(r, one.constant(1));
    one.compare(one.read(r), Relation::Less, one.constant(0));  // of something else
    EXPECT_EQ(one.is_misjudged(), exact);
  }
  // size_t n = snprintf(…); if (n < 0)
  OneCall wide("snprintf");
  wide.compare(wide.add(Value::Kind::SignExtend, wide.result()), Relation::Less, wide.constant(0),
               true);
  EXPECT_TRUE(wide.is_misjudged());
}

TEST(ResultChecks, WhatGoesElsewhereMayBeComparedThere) {
  OneCall returned("puts");
  returned.compare(returned.result(), Relation::Equal, returned.constant(0));
  returned.act(Action::Kind::Return, returned.result());
  EXPECT_FALSE(returned.is_misjudged());
  OneCall added("puts");
  added.compare(added.result(), Relation::Equal, added.constant(0));
  added.add(Value::Kind::Add, added.result(), added.constant(1));
  EXPECT_FALSE(added.is_misjudged());
  // A pointer that is used was not looked at by that.
  OneCall passed("malloc");
  passed.compare(passed.result(), Relation::Less, passed.constant(0), true);
  passed.pass(passed.result());
  EXPECT_TRUE(passed.is_misjudged());
}

}  // namespace
}  // namespace nestor::program
