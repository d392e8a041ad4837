#include "program/explored_callees.h"

#include "program/externals.h"
#include "program/program_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nestor::program {
namespace {

/// Shows what happens to the handle, and notes it.
class Events final : public HandleEvents {
 public:
  explicit Events(const Program& program) : program_(program) {}

  bool has(FunctionId function, bool, std::uint32_t point, const Happenings& what) const override {
    return !names_of(function, point, what).empty();
  }
  void of(FunctionId function, bool, std::uint32_t point, const Happenings& what,
          std::vector<std::string>& labels) const override {
    const std::vector<std::string> names = names_of(function, point, what);
    labels.insert(labels.end(), names.begin(), names.end());
    for (const std::string& name : names) {
      ++shown[std::to_string(function.value()) + ":" + std::to_string(point) + " " + name];
    }
  }
  bool is_event(const Point& call) const override { return program_.text(call.callee) == "free"; }
  bool sees_only_handle() const override { return true; }

  mutable std::map<std::string, int> shown;  // with how many nodes show it

 private:
  std::vector<std::string> names_of(FunctionId function, std::uint32_t point,
                                    const Happenings& what) const {
    std::vector<std::string> names;
    if (what.arguments != 0 && is_event(program_.functions[function].points[point])) {
      names.emplace_back("free");
    }
    if (what.is_lost) {
      names.emplace_back("lost");
    }
    return names;
  }

  const Program& program_;
};

/// Random functions of one parameter that test it, release it, store it, pass it on to each other,
/// and give back numbers that their callers test.
class RandomFunctions {
 public:
  RandomFunctions(unsigned seed, int length) : random_(seed) {
    const int count = 3 + pick(4);
    for (int i = 0; i < count; ++i) {
      Function function;
      function.name = program.strings.intern("f" + std::to_string(i));
      function.source_name = function.name;
      function.add_ends();
      Value parameter;
      parameter.kind = Value::Kind::Parameter;
      parameter.bits = 64;
      function.parameters.emplace_back();
      function.values.push_back(parameter);
      program.functions.push_back(function);
    }
    for (const FunctionId f : program.functions.ids()) {
      const std::uint32_t last = body(f, Function::kEntry, 2 + pick(length));
      program.functions[f].points[last].next.push_back(Function::kReturn);
    }
    infer_outcomes(program);
    infer_divergence(program);
  }

  Program program;

 private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  std::uint32_t act(FunctionId f, std::uint32_t from, const Action& action) {
    Function& function = program.functions[f];
    const auto p = static_cast<std::uint32_t>(function.points.size());
    Point point;
    point.action = static_cast<std::uint32_t>(function.actions.size());
    point.place.line = p;
    function.actions.push_back(action);
    function.points.push_back(point);
    function.points[from].next.push_back(p);
    return p;
  }

  std::uint32_t call(FunctionId f, std::uint32_t from) {
    Action action;
    action.kind = Action::Kind::Call;
    action.arguments = {ValueId(0)};
    Value bound;
    bound.kind = Value::Kind::Bound;
    bound.bits = 32;
    action.result = program.functions[f].values.push_back(bound);
    const std::uint32_t p = act(f, from, action);
    Point& point = program.functions[f].points[p];
    const int which = pick(6);
    point.callee = program.strings.intern(which == 0 ? "free" : which == 1 ? "strlen" : "own");
    if (which > 1) {
      point.kind = PointKind::Call;
      point.targets = {
          FunctionId(static_cast<std::size_t>(pick(static_cast<int>(program.functions.size()))))};
    }
    return which > 1 ? fork(f, p, action.result) : p;
  }

  /// Two ways by what the value is, and one again.
  std::uint32_t fork(FunctionId f, std::uint32_t from, ValueId value) {
    std::vector<std::uint32_t> sides;
    for (const Relation relation : {Relation::Equal, Relation::NotEqual}) {
      Action action;
      action.kind = Action::Kind::Assume;
      action.value = value;
      action.relation = relation;
      std::uint32_t p = act(f, from, action);
      if (pick(3) == 0) {
        Action release;
        release.kind = Action::Kind::Call;
        release.arguments = {ValueId(0)};
        p = act(f, p, release);
        program.functions[f].points[p].callee = program.strings.intern("free");
      }
      if (pick(3) == 0) {
        Action give;
        give.kind = Action::Kind::Return;
        Value number;
        number.kind = Value::Kind::Constant;
        number.bits = 32;
        number.number = pick(2);
        give.value = program.functions[f].values.push_back(number);
        p = act(f, p, give);
        program.functions[f].points[p].next.push_back(Function::kReturn);
      } else {
        sides.push_back(p);
      }
    }
    const auto join = static_cast<std::uint32_t>(program.functions[f].points.size());
    program.functions[f].points.emplace_back();
    for (const std::uint32_t side : sides) {
      program.functions[f].points[side].next.push_back(join);
    }
    if (sides.empty()) {
      program.functions[f].points[from].next.push_back(join);
    }
    return join;
  }

  std::uint32_t body(FunctionId f, std::uint32_t from, int length) {
    for (; length > 0; --length) {
      from = pick(3) == 0 ? fork(f, from, ValueId(0)) : call(f, from);
    }
    return from;
  }

  std::mt19937 random_;
};

struct Found {
  bool is_too_large = false;
  bool outlives_root = false;
  std::size_t nodes = 0;
  std::set<FunctionId> releasing;
  std::map<std::string, int> shown;
  std::multiset<std::vector<std::uint32_t>> points;

  friend bool operator==(const Found&, const Found&) = default;
};

Found found(ProgramIndex& index, const Tracking& tracking, States how, ExploredCallees* callees) {
  const Events events(index.program());
  const ExploredModel model =
      explore(index, tracking.origin->function, tracking, events, Reduction::Events, how, callees);
  Found found;
  found.is_too_large = model.is_too_large;
  found.outlives_root = model.outlives_root;
  found.nodes = model.is_too_large ? 0 : model.sliced.model.node_count();
  found.releasing = model.releasing;
  found.shown = events.shown;
  for (std::vector<std::uint32_t> points : model.sliced.points) {
    std::sort(points.begin(), points.end());
    found.points.insert(std::move(points));
  }
  return found;
}

TEST(ExploredCallees, WhatIsKeptIsWhatWouldBeFound) {
  const Externals externals = builtin_externals();
  std::size_t seen = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const RandomFunctions random(seed, seed % 15 == 0 ? 60 : 5);
    for (const bool is_loss : {false, true}) {
      for (const States how : {States::All, States::Merged}) {
        if (how == States::Merged && !is_loss) {
          continue;
        }
        ExploredCallees callees;
        ProgramIndex shared(random.program, externals);
        for (const FunctionId f : random.program.functions.ids()) {
          Tracking tracking;
          tracking.origin = HandleOrigin{.function = f};
          tracking.ends_with_release = is_loss;
          ProgramIndex alone(random.program, externals);
          const Found expected = found(alone, tracking, how, nullptr);
          const Found actual = found(shared, tracking, how, &callees);
          EXPECT_TRUE(actual == expected)
              << "seed " << seed << ", function " << f.value() << ", loss " << is_loss
              << ", merged " << (how == States::Merged) << ", nodes " << actual.nodes << " for "
              << expected.nodes;
          seen += expected.shown.size();
        }
      }
    }
  }
  EXPECT_GT(seen, 1000U);  // else the functions do too little to tell anything
}

}  // namespace
}  // namespace nestor::program
