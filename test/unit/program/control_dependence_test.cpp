#include "program/control_dependence.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace nestor::program {
namespace {

using Next = std::vector<std::vector<std::uint32_t>>;

/// By the words of Ferrante, Ottenstein and Warren: 3.1, definitions 1 and 3.
class ByDefinition {
 public:
  explicit ByDefinition(const Next& next) : next_(next) {}

  /// A path leads from `from` over at least one edge to an end, `without` this point.
  bool ends(std::uint32_t from, std::uint32_t without) const {
    return next_[from].empty() ||
           leads(
               from, [&](std::uint32_t p) { return p != without && next_[p].empty(); },
               [&](std::uint32_t p) { return p != without; });
  }

  /// `y` is on every path from `v` to an end, `v` itself not included.
  bool post_dominates(std::uint32_t y, std::uint32_t v) const { return !ends(v, y); }

  /// Some path leads from `x` to `y` with all between post-dominated by `y`, but `x` is not.
  bool depends(std::uint32_t y, std::uint32_t x) const {
    return !post_dominates(y, x) &&
           leads(
               x, [&](std::uint32_t p) { return p == y; },
               [&](std::uint32_t p) { return p != x && p != y && post_dominates(y, p); });
  }

 private:
  /// Over at least one edge to a point that is a `goal`, all between pass.
  template <class Goal, class Passes>
  bool leads(std::uint32_t from, const Goal& goal, const Passes& passes) const {
    std::vector<std::uint8_t> seen(next_.size(), 0);
    std::vector<std::uint32_t> work = {from};
    while (!work.empty()) {
      const std::uint32_t p = work.back();
      work.pop_back();
      for (const std::uint32_t to : next_[p]) {
        if (goal(to)) {
          return true;
        }
        if (seen[to] == 0 && passes(to)) {
          seen[to] = 1;
          work.push_back(to);
        }
      }
    }
    return false;
  }

  const Next& next_;
};

/// The halting point leads to itself, as in all functions, and is an end all the same.
Function function_of(const Next& next) {
  Function function;
  function.add_ends();
  for (std::uint32_t p = 0; p < next.size(); ++p) {
    if (p >= function.points.size()) {
      function.points.emplace_back();
    }
    if (p != Function::kHalt) {
      function.points[p].next = next[p];
    }
  }
  return function;
}

void expect_as_defined(const Next& next, const ControlDependence& control) {
  const ByDefinition defined(next);
  for (std::uint32_t y = 0; y < next.size(); ++y) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t x = 0; x < next.size(); ++x) {
      if (defined.depends(y, x)) {
        expected.push_back(x);
      }
    }
    EXPECT_EQ(control.branches_of(y), expected) << "of point " << y;
  }
}

TEST(ControlDependence, IsAsDefinedOnRandomGraphs) {
  base::Random random(1);
  int tried = 0;
  for (int i = 0; i < 3000; ++i) {
    Next next(Function::kFirst + random.between(1, 8));
    for (std::uint32_t p = 0; p < next.size(); ++p) {
      if (p == Function::kEntry || p >= Function::kFirst) {
        for (std::size_t edges = random.between(1, 3); edges > 0; --edges) {
          next[p].push_back(static_cast<std::uint32_t>(random.between(1, next.size() - 1)));
        }
      }
    }
    // The definition takes for granted that an end can be reached from everywhere.
    const ByDefinition defined(next);
    bool all_end = true;
    for (std::uint32_t p = 0; p < next.size(); ++p) {
      all_end = all_end && defined.ends(p, UINT32_MAX);
    }
    if (all_end) {
      ++tried;
      expect_as_defined(next, ControlDependence(function_of(next)));
    }
    if (HasFailure()) {
      return;
    }
  }
  EXPECT_GT(tried, 1000);
}

TEST(ControlDependence, AnExceptionIsAWayToGo) {
  // 5 calls; 6 comes if it returns, 7 after an exception, 8 in both cases
  Next next(9);
  next[Function::kEntry] = {5};
  next[5] = {6};
  next[6] = {8};
  next[7] = {8};
  next[8] = {Function::kReturn};
  Function function = function_of(next);
  function.points[5].unwind = 7;
  next[5].push_back(7);
  const ControlDependence control(function);
  EXPECT_EQ(control.branches_of(7), std::vector<std::uint32_t>{5});
  EXPECT_TRUE(control.branches_of(8).empty());
  expect_as_defined(next, control);
}

TEST(ControlDependence, ALoopThatNeverEndsDependsOnTheBranchIntoIt) {
  // 5 leads into 6, which leads to itself, or out
  Next next(7);
  next[Function::kEntry] = {5};
  next[5] = {6, Function::kReturn};
  next[6] = {6};
  const ControlDependence control(function_of(next));
  EXPECT_EQ(control.branches_of(6), std::vector<std::uint32_t>{5});
}

}  // namespace
}  // namespace nestor::program
