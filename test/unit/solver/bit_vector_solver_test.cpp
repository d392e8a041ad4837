#include "solver/bit_vector_solver.h"

#include <gtest/gtest.h>

#include <vector>

namespace nestor::solver {
namespace {

using Operation = BitVectorSolver::Operation;
using Order = BitVectorSolver::Order;

class BitVectorSolverTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!BitVectorSolver::is_available()) {
      GTEST_SKIP() << "built without Z3";
    }
  }

  std::unique_ptr<BitVectorSolver> owned_ = BitVectorSolver::make();
  BitVectorSolver& solver_ = *owned_;
};

TEST_F(BitVectorSolverTest, NumbersWrapAround) {
  const BitVectorId x = solver_.unknown(32);
  const BitVectorId y = solver_.unknown(32);
  const BitVectorId next = solver_.apply(Operation::Add, x, solver_.constant(1, 32));
  const BitVectorId is_next = solver_.compare(Order::Equal, false, next, y);
  const BitVectorId is_more = solver_.compare(Order::Less, true, x, y);
  ASSERT_EQ(solver_.check({is_next, solver_.negation(is_more)}), Satisfiability::Satisfiable);
  EXPECT_EQ(solver_.value(x), -1);
  EXPECT_EQ(solver_.value(y), 0);
}

TEST_F(BitVectorSolverTest, TheCoreHasNothingElse) {
  const BitVectorId x = solver_.unknown(8);
  const BitVectorId other = solver_.unknown(8);
  const std::vector<BitVectorId> conditions = {
      solver_.compare(Order::Equal, false, other, solver_.constant(3, 8)),
      solver_.compare(Order::Less, false, x, solver_.constant(2, 8)),
      solver_.compare(Order::Less, false, other, x),
      solver_.compare(Order::LessEqual, false, solver_.constant(5, 8), x)};
  ASSERT_EQ(solver_.check(conditions), Satisfiability::Unsatisfiable);
  const std::vector<std::size_t> core = solver_.core();
  EXPECT_EQ(core.size(), 2U);
  EXPECT_EQ(solver_.check({conditions[core[0]], conditions[core[1]]}),
            Satisfiability::Unsatisfiable);
}

TEST_F(BitVectorSolverTest, WhatIsAlwaysTrueCounts) {
  const BitVectorId x = solver_.unknown(16);
  const BitVectorId is_four = solver_.compare(Order::Equal, false, x, solver_.constant(4, 16));
  const BitVectorId wide = solver_.extend(x, 64, true);
  solver_.assert_always(solver_.compare(Order::Less, false, wide, solver_.constant(0, 64)));
  EXPECT_EQ(solver_.check({is_four}), Satisfiability::Unsatisfiable);
  solver_.clear();
  const BitVectorId y = solver_.unknown(16);
  EXPECT_EQ(solver_.check({solver_.compare(Order::Equal, false, y, solver_.constant(4, 16))}),
            Satisfiability::Satisfiable);
}

TEST_F(BitVectorSolverTest, SignsAreKeptOrNot) {
  const BitVectorId x = solver_.constant(-1, 8);
  const BitVectorId with = solver_.extend(x, 32, true);
  const BitVectorId without = solver_.extend(x, 32, false);
  EXPECT_EQ(solver_.check({solver_.compare(Order::Equal, false, with, solver_.constant(-1, 32)),
                           solver_.compare(Order::Equal, false, without, solver_.constant(255, 32)),
                           solver_.compare(Order::Equal, false, solver_.truncate(without, 8), x)}),
            Satisfiability::Satisfiable);
  EXPECT_EQ(solver_.check({solver_.compare(Order::Equal, false, with, without)}),
            Satisfiability::Unsatisfiable);
}

}  // namespace
}  // namespace nestor::solver
