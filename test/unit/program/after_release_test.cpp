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
  std::uint32_t write(FunctionId f, std::uint32_t from, VariableId location, ValueId value) {
    Action action;
    action.kind = Action::Kind::Write;
    action.value = value;
    return act(f, from, action, location);
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

  bool may_follow(FunctionId f, bool is_deref = false) {
    infer_outcomes(program_);
    ProgramIndex index(program_, externals_);
    const auto freed = [&](const Point& point) -> std::optional<unsigned> {
      return program_.text(point.callee) == "free" ? std::optional(0U) : std::nullopt;
    };
    AfterRelease::Question question{freed, freed, is_deref, false};
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

TEST_F(AfterReleaseTest, RecursionIsLeftToTheModel) {
  const FunctionId f = function();
  end(f, call(f, Function::kEntry, f, parameter_));
  EXPECT_TRUE(may_follow(f));
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
