#include "program/after_release.h"

#include "program/program_index.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace nestor::program {
namespace {

/// Functions whose first parameter is released, followed, stored and passed on, point by point.
class AfterReleaseTest : public ::testing::Test {
 protected:
  FunctionId function() {
    Function function;
    function.add_ends();
    function.parameters.emplace_back();
    Value parameter;
    parameter.kind = Value::Kind::Parameter;
    function.values.push_back(parameter);
    return program_.functions.push_back(function);
  }
  VariableId variable(VariableKind kind) {
    Variable variable;
    variable.kind = kind;
    variable.exact = kind == VariableKind::Local;
    return program_.variables.push_back(variable);
  }
  /// Behind `from`.
  std::uint32_t act(FunctionId f, std::uint32_t from, const Action& action,
                    VariableId location = {}) {
    Function& function = program_.functions[f];
    const auto p = static_cast<std::uint32_t>(function.points.size());
    Point point;
    point.action = static_cast<std::uint32_t>(function.actions.size());
    if (location.valid()) {
      Fact fact;
      fact.kind = action.kind == Action::Kind::Write ? FactKind::Def : FactKind::Use;
      fact.variable = location;
      point.facts.push_back(fact);
    }
    function.points[from].next.push_back(p);
    function.actions.push_back(action);
    function.points.push_back(point);
    return p;
  }
  std::uint32_t call(FunctionId f, std::uint32_t from, std::string_view name, ValueId argument) {
    Action action;
    action.kind = Action::Kind::Call;
    action.arguments = {argument};
    const std::uint32_t p = act(f, from, action);
    program_.functions[f].points[p].callee = program_.strings.intern(name);
    return p;
  }
  std::uint32_t call(FunctionId f, std::uint32_t from, FunctionId target, ValueId argument) {
    const std::uint32_t p = call(f, from, "own", argument);
    program_.functions[f].points[p].kind = PointKind::Call;
    program_.functions[f].points[p].targets = {target};
    return p;
  }
  std::uint32_t write(FunctionId f, std::uint32_t from, VariableId location, ValueId value,
                      ValueId address = {}) {
    Action action;
    action.kind = Action::Kind::Write;
    action.value = value;
    action.address = address;
    return act(f, from, action, location);
  }
  ValueId address_of(FunctionId f, VariableId variable) {
    Value address;
    address.kind = Value::Kind::Address;
    address.variable = variable;
    return program_.functions[f].values.push_back(address);
  }
  ValueId second_parameter(FunctionId f) {
    Value second;
    second.kind = Value::Kind::Parameter;
    second.number = 1;
    program_.functions[f].parameters.emplace_back();
    return program_.functions[f].values.push_back(second);
  }
  VariableId local_with_address() {
    const VariableId local = variable(VariableKind::Local);
    program_.variables[local].exact = false;
    return local;
  }
  ValueId read(FunctionId f, std::uint32_t& from, VariableId location, ValueId address = {}) {
    Action action;
    action.kind = Action::Kind::Read;
    action.address = address;
    Value bound;
    bound.kind = Value::Kind::Bound;
    action.result = program_.functions[f].values.push_back(bound);
    from = act(f, from, action, location);
    return action.result;
  }
  void end(FunctionId f, std::uint32_t from) {
    program_.functions[f].points[from].next.push_back(Function::kReturn);
  }

  using LookCloser = decltype(AfterRelease::Question::look_closer);

  bool may_follow(FunctionId f, bool is_deref = false, const LookCloser& look_closer = {}) {
    infer_outcomes(program_);
    ProgramIndex index(program_, externals_);
    const auto freed = [&](const Point& point) -> std::optional<unsigned> {
      return program_.text(point.callee) == "free" ? std::optional(0U) : std::nullopt;
    };
    AfterRelease::Question question{freed, freed, is_deref, false, look_closer};
    return AfterRelease(index, std::move(question)).may_follow({.function = f});
  }

  const ValueId parameter_{0};
  Program program_;
  Externals externals_;
};

TEST_F(AfterReleaseTest, NothingFollowsOneRelease) {
  const FunctionId f = function();
  end(f, call(f, Function::kEntry, "free", parameter_));
  EXPECT_FALSE(may_follow(f));
}

TEST_F(AfterReleaseTest, TwoReleasesFollowEachOther) {
  const FunctionId f = function();
  end(f, call(f, call(f, Function::kEntry, "free", parameter_), "free", parameter_));
  EXPECT_TRUE(may_follow(f));
}

TEST_F(AfterReleaseTest, AReleaseInALoopFollowsItself) {
  const FunctionId f = function();
  const std::uint32_t release = call(f, Function::kEntry, "free", parameter_);
  program_.functions[f].points[release].next.push_back(release);
  end(f, release);
  EXPECT_TRUE(may_follow(f));
}

TEST_F(AfterReleaseTest, ALocalThatGetsAnotherValueIsNotTheThing) {
  const VariableId local = variable(VariableKind::Local);
  for (const bool is_overwritten : {false, true}) {
    const FunctionId f = function();
    Value constant;
    constant.kind = Value::Kind::Constant;
    const ValueId other = program_.functions[f].values.push_back(constant);
    std::uint32_t at = write(f, Function::kEntry, local, parameter_);
    at = call(f, at, "free", parameter_);
    if (is_overwritten) {
      at = write(f, at, local, other);
    }
    const ValueId again = read(f, at, local);
    end(f, call(f, at, "free", again));
    EXPECT_EQ(may_follow(f), !is_overwritten);
  }
}

TEST_F(AfterReleaseTest, AFieldMayStillHoldIt) {
  const VariableId field = variable(VariableKind::Field);
  const VariableId another = variable(VariableKind::Field);
  for (const VariableId from : {field, another}) {
    const FunctionId f = function();
    std::uint32_t at = write(f, Function::kEntry, field, parameter_);
    at = call(f, at, "free", parameter_);
    const ValueId again = read(f, at, from);
    end(f, call(f, at, "free", again));
    EXPECT_EQ(may_follow(f), from == field);
  }
}

TEST_F(AfterReleaseTest, FollowingItCountsWhereItIsAskedFor) {
  const FunctionId f = function();
  std::uint32_t at = call(f, Function::kEntry, "free", parameter_);
  read(f, at, variable(VariableKind::Field), parameter_);
  end(f, at);
  EXPECT_FALSE(may_follow(f));
  EXPECT_TRUE(may_follow(f, true));
}

TEST_F(AfterReleaseTest, AFunctionThatIsCalledMayRelease) {
  const FunctionId releasing = function();
  end(releasing, call(releasing, Function::kEntry, "free", parameter_));
  const FunctionId looking = function();
  end(looking, call(looking, Function::kEntry, "puts", parameter_));
  for (const FunctionId first : {releasing, looking}) {
    const FunctionId f = function();
    end(f, call(f, call(f, Function::kEntry, first, parameter_), "free", parameter_));
    EXPECT_EQ(may_follow(f), first == releasing);
  }
}

TEST_F(AfterReleaseTest, RecursionDoesWhatItsFunctionsDo) {
  for (const bool is_released : {false, true}) {
    const FunctionId f = function();
    const std::uint32_t at =
        is_released ? call(f, Function::kEntry, "free", parameter_) : Function::kEntry;
    end(f, call(f, at, f, parameter_));
    EXPECT_EQ(may_follow(f), is_released);
  }
}

TEST_F(AfterReleaseTest, WhatIsFoundInRecursionIsPassedOnToWhoAskedBefore) {
  const FunctionId outer = function();
  const FunctionId inner = function();
  end(inner, call(inner, Function::kEntry, outer, parameter_));
  end(inner, call(inner, Function::kEntry, "free", parameter_));
  end(outer, call(outer, call(outer, Function::kEntry, inner, parameter_), inner, parameter_));
  EXPECT_TRUE(may_follow(outer));
  EXPECT_TRUE(may_follow(inner));
}

TEST_F(AfterReleaseTest, ACallComesToWhatLiesInALocalByItsAddressOnly) {
  const VariableId box = local_with_address();
  const VariableId pointer = local_with_address();
  const VariableId another = local_with_address();
  const FunctionId looking = function();
  for (const VariableId given : {box, pointer, another}) {
    const FunctionId f = function();
    const ValueId address = address_of(f, box);
    std::uint32_t at = write(f, Function::kEntry, box, parameter_, address);
    at = write(f, at, pointer, address, address_of(f, pointer));
    at = call(f, at, "free", parameter_);
    end(f, call(f, at, looking, address_of(f, given)));
    EXPECT_EQ(may_follow(f), given != another);
  }
}

TEST_F(AfterReleaseTest, ACallComesToWhatLiesInAFieldByPointersToIt) {
  const VariableId field = variable(VariableKind::Field);
  const VariableId link = variable(VariableKind::Field);
  const VariableId unrelated = variable(VariableKind::Field);
  const FunctionId looking = function();
  for (const VariableId read_from : {field, link, unrelated}) {
    const FunctionId f = function();
    const ValueId list = second_parameter(f);
    std::uint32_t at = Function::kEntry;
    const ValueId node = read(f, at, link, list);
    at = write(f, at, field, parameter_, node);
    const ValueId other = read(f, at, read_from, list);
    at = call(f, at, "free", parameter_);
    end(f, call(f, at, looking, other));
    EXPECT_EQ(may_follow(f), read_from == link);
    const FunctionId with_list = function();
    const ValueId all = second_parameter(with_list);
    at = Function::kEntry;
    at = write(with_list, at, field, parameter_, read(with_list, at, link, all));
    at = call(with_list, at, "free", parameter_);
    end(with_list, call(with_list, at, looking, all));
    EXPECT_TRUE(may_follow(with_list));
  }
}

TEST_F(AfterReleaseTest, WhereNoNameTellsWhatIsWrittenThePointersDo) {
  const VariableId field = variable(VariableKind::Field);
  const VariableId memory = variable(VariableKind::Memory);
  const FunctionId looking = function();
  for (const bool is_linked : {false, true}) {
    const FunctionId f = function();
    const ValueId list = second_parameter(f);
    std::uint32_t at = Function::kEntry;
    const ValueId node = read(f, at, variable(VariableKind::Global));
    at = write(f, at, field, parameter_, node);
    at = write(f, at, memory, is_linked ? node : list, list);
    at = call(f, at, "free", parameter_);
    end(f, call(f, at, looking, list));
    EXPECT_EQ(may_follow(f), is_linked);
  }
}

TEST_F(AfterReleaseTest, ACallComesToWhatLiesInAGlobalThatItTouches) {
  const VariableId global = variable(VariableKind::Global);
  for (const bool touches : {false, true}) {
    const FunctionId looking = function();
    std::uint32_t in_looking = Function::kEntry;
    if (touches) {
      read(looking, in_looking, global, address_of(looking, global));
    }
    end(looking, in_looking);
    const FunctionId f = function();
    Value constant;
    constant.kind = Value::Kind::Constant;
    const ValueId number = program_.functions[f].values.push_back(constant);
    std::uint32_t at = write(f, Function::kEntry, global, parameter_, address_of(f, global));
    at = call(f, at, "free", parameter_);
    end(f, call(f, at, looking, number));
    EXPECT_EQ(may_follow(f), touches);
  }
}

TEST_F(AfterReleaseTest, WhatIsOnlyInALocalIsNotLeftBehind) {
  const VariableId global = variable(VariableKind::Global);
  const VariableId box = local_with_address();
  for (const VariableId place : {box, global}) {
    const FunctionId keeping = function();
    end(keeping, write(keeping, Function::kEntry, place, parameter_, address_of(keeping, place)));
    const FunctionId looking = function();
    end(looking, Function::kEntry);
    const FunctionId f = function();
    Value constant;
    constant.kind = Value::Kind::Constant;
    const ValueId number = program_.functions[f].values.push_back(constant);
    std::uint32_t at = call(f, Function::kEntry, keeping, parameter_);
    at = call(f, at, "free", parameter_);
    end(f, call(f, at, looking, number));
    EXPECT_EQ(may_follow(f), place == global);
  }
}

TEST_F(AfterReleaseTest, ACloserLookCountsWhereTheWalkFindsBoth) {
  const FunctionId twice = function();
  end(twice, call(twice, call(twice, Function::kEntry, "free", parameter_), "free", parameter_));
  const FunctionId f = function();
  end(f, call(f, Function::kEntry, twice, parameter_));
  unsigned asked = 0;
  const LookCloser says_nothing = [&](const HandleOrigin& origin) {
    EXPECT_EQ(origin.function, twice);
    ++asked;
    return AfterRelease::Summary();
  };
  EXPECT_FALSE(may_follow(f, false, says_nothing));
  EXPECT_EQ(asked, 1U);
  EXPECT_TRUE(may_follow(f, false, [](const HandleOrigin&) { return std::nullopt; }));
}

TEST(EndsOf, ArePassedBackOverCalls) {
  Program program;
  Function function;
  function.add_ends();
  const FunctionId halting = program.functions.push_back(function);
  program.functions[halting].points[Function::kEntry].next = {Function::kHalt};
  const FunctionId f = program.functions.push_back(function);
  Point call;
  call.kind = PointKind::Call;
  call.targets = {halting};
  call.next = {Function::kReturn};
  program.functions[f].points.push_back(call);  // comes back never
  Point step;
  step.next = {Function::kReturn, Function::kFirst};
  program.functions[f].points.push_back(step);
  program.functions[f].points[Function::kEntry].next = {Function::kFirst + 1};
  infer_outcomes(program);
  const std::vector<std::uint8_t> ends = ends_of(program, program.functions[f]);
  constexpr std::uint8_t kReturns = 1U << Function::kReturn;
  constexpr std::uint8_t kHalts = 1U << Function::kHalt;
  EXPECT_EQ(ends[Function::kReturn], kReturns);
  EXPECT_EQ(ends[Function::kFirst], kHalts);
  EXPECT_EQ(ends[Function::kFirst + 1], kReturns | kHalts);
  EXPECT_EQ(ends[Function::kEntry], kReturns | kHalts);
}

}  // namespace
}  // namespace nestor::program
