#include "program/slice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nestor::program {
namespace {

/// Builds programs point by point: `a -> b` in the order of the calls.
class Draft {
 public:
  FunctionId function(std::string_view name) {
    Function function;
    function.name = program.strings.intern(name);
    function.source_name = function.name;
    function.add_ends();
    return program.functions.push_back(function);
  }
  std::uint32_t step(FunctionId f, std::string_view call = {}) {
    Point point;
    if (!call.empty()) {
      point.callee = program.strings.intern(call);
    }
    program.functions[f].points.push_back(point);
    return static_cast<std::uint32_t>(program.functions[f].points.size() - 1);
  }
  std::uint32_t call(FunctionId f, FunctionId target) {
    const std::uint32_t point = step(f);
    program.functions[f].points[point].kind = PointKind::Call;
    program.functions[f].points[point].targets = {target};
    return point;
  }
  void go(FunctionId f, std::uint32_t from, std::uint32_t to) {
    program.functions[f].points[from].next.push_back(to);
  }

  Program program;
};

/// Labels the calls of one name, enters everything.
class CallLabels final : public SliceLabels {
 public:
  CallLabels(const Program& program, std::string name)
      : program_(program), name_(std::move(name)) {}
  void of(const ComponentKey& key, std::uint32_t p,
          std::vector<std::string>& labels) const override {
    const Point& point = program_.functions[key.function].points[p];
    if (program_.text(point.callee) == name_) {
      labels.push_back(name_);
    }
  }
  bool enters(const ComponentKey&, const Point&, FunctionId, ComponentKey&) const override {
    return true;
  }

 private:
  const Program& program_;
  std::string name_;
};

TEST(Outcomes, NoReturnIsInferredThroughCalls) {
  Draft draft;
  const FunctionId main = draft.function("main");
  const FunctionId die = draft.function("die");
  const FunctionId both = draft.function("both");
  const std::uint32_t to_die = draft.call(both, die);
  const std::uint32_t fine = draft.step(both);
  draft.go(both, Function::kEntry, to_die);
  draft.go(both, Function::kEntry, fine);
  draft.go(both, to_die, Function::kReturn);  // what the source says, but die does not come back
  draft.go(both, fine, Function::kReturn);
  draft.go(die, Function::kEntry, Function::kHalt);
  const std::uint32_t first = draft.call(main, both);
  const std::uint32_t second = draft.call(main, die);
  draft.go(main, Function::kEntry, first);
  draft.go(main, first, second);
  draft.go(main, second, Function::kReturn);
  infer_outcomes(draft.program);
  EXPECT_EQ(draft.program.functions[die].outcomes, (Outcomes{false, false, false, true}));
  EXPECT_EQ(draft.program.functions[both].outcomes, (Outcomes{true, false, false, true}));
  EXPECT_EQ(draft.program.functions[main].outcomes, (Outcomes{false, false, false, true}));
}

TEST(Outcomes, RecursionWithoutAnEndHasNone) {
  Draft draft;
  const FunctionId f = draft.function("f");
  const std::uint32_t again = draft.call(f, f);
  draft.go(f, Function::kEntry, again);
  draft.go(f, again, Function::kReturn);
  infer_outcomes(draft.program);
  EXPECT_EQ(draft.program.functions[f].outcomes, Outcomes{});
}

TEST(Slice, KeepsWhatHappensAndNothingElse) {
  Draft draft;
  const FunctionId main = draft.function("main");
  const FunctionId quiet = draft.function("quiet");
  const FunctionId loud = draft.function("loud");
  draft.go(quiet, Function::kEntry, Function::kReturn);
  const std::uint32_t event = draft.step(loud, "event");
  draft.go(loud, Function::kEntry, event);
  draft.go(loud, event, Function::kReturn);
  // Two silent steps, a call of each.
  const std::uint32_t a = draft.step(main);
  const std::uint32_t b = draft.call(main, quiet);
  const std::uint32_t c = draft.call(main, loud);
  const std::uint32_t d = draft.step(main);
  draft.go(main, Function::kEntry, a);
  draft.go(main, a, b);
  draft.go(main, b, c);
  draft.go(main, c, d);
  draft.go(main, d, Function::kReturn);
  infer_outcomes(draft.program);
  const SlicedModel sliced = slice(draft.program, {{main, {}}}, CallLabels(draft.program, "event"));
  ASSERT_EQ(sliced.model.component_count(), 2U);  // not `quiet`
  EXPECT_EQ(sliced.model.box_count(), 1U);
  EXPECT_EQ(sliced.model.plain_node_count(), 3U + 3U);  // entry, call, return; entry, event, return
  const model::PropId prop = sliced.model.find_prop("event");
  ASSERT_TRUE(prop.valid());
  ASSERT_EQ(sliced.model.nodes_with(prop).size(), 1U);
  const SlicedModel::Origin origin = sliced.origin(sliced.model.nodes_with(prop)[0]);
  EXPECT_EQ(origin.component.function, loud);
  EXPECT_EQ(origin.point, event);
}

TEST(Slice, ASilentLoopStaysALoop) {
  Draft draft;
  const FunctionId main = draft.function("main");
  const std::uint32_t a = draft.step(main);
  const std::uint32_t b = draft.step(main);
  draft.go(main, Function::kEntry, a);
  draft.go(main, a, b);
  draft.go(main, b, a);
  draft.go(main, b, Function::kReturn);
  infer_outcomes(draft.program);
  const model::Rsm model = slice(draft.program, {{main, {}}}, CallLabels(draft.program, "x")).model;
  bool loops = false;
  for (const model::NodeId n : model.nodes()) {
    const std::span<const model::NodeId> next = model.successors(n);
    loops |= std::find(next.begin(), next.end(), n) != next.end();
  }
  EXPECT_TRUE(loops);
}

TEST(Slice, ACallThatNeverComesBackIsNoDeadEnd) {
  Draft draft;
  const FunctionId main = draft.function("main");
  const FunctionId spin = draft.function("spin");
  const std::uint32_t loop = draft.step(spin);
  draft.go(spin, Function::kEntry, loop);
  draft.go(spin, loop, loop);
  const std::uint32_t call = draft.call(main, spin);
  draft.go(main, Function::kEntry, call);
  draft.go(main, call, Function::kReturn);
  infer_outcomes(draft.program);
  const model::Rsm model = slice(draft.program, {{main, {}}}, CallLabels(draft.program, "x")).model;
  for (const model::NodeId n : model.nodes()) {
    EXPECT_FALSE(model.is_dead_end(n)) << model.describe(n);
  }
}

TEST(Slice, SeveralRootsStartInAComponentOfTheirOwn) {
  Draft draft;
  const FunctionId f = draft.function("f");
  const FunctionId g = draft.function("g");
  const std::uint32_t event = draft.step(g, "event");
  draft.go(f, Function::kEntry, Function::kReturn);
  draft.go(g, Function::kEntry, event);
  draft.go(g, event, Function::kReturn);
  infer_outcomes(draft.program);
  const SlicedModel sliced =
      slice(draft.program, {{f, {}}, {g, {}}}, CallLabels(draft.program, "event"));
  EXPECT_EQ(sliced.model.component_name(sliced.model.initial_component()), "<program>");
  EXPECT_EQ(sliced.model.component_count(), 3U);
  EXPECT_FALSE(sliced.origin(sliced.model.initial_nodes()[0]).component.function.valid());
}

}  // namespace
}  // namespace nestor::program
