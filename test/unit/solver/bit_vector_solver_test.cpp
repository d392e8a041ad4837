#include "solver/bit_vector_solver.h"

#include "base/random.h"

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

TEST_F(BitVectorSolverTest, NumbersAreGuessed) {
  const BitVectorId x = solver_.unknown(32);
  const BitVectorId wide = solver_.extend(x, 64, true);
  const auto is_not = [&](std::int64_t number) {
    return solver_.negation(
        solver_.compare(Order::Equal, false, wide, solver_.constant(number, 64)));
  };
  const BitVectorId is_small =
      solver_.compare(Order::LessEqual, false, wide, solver_.constant(-3, 64));
  EXPECT_TRUE(solver_.is_surely_satisfiable({is_not(1), is_small, is_not(-3)}));
  const BitVectorId is_large = solver_.compare(Order::Less, false, solver_.constant(7, 64), wide);
  EXPECT_FALSE(solver_.is_surely_satisfiable({is_small, is_large}));
}

/// What is guessed is so: Z3 never says otherwise. Both have to be met often.
TEST_F(BitVectorSolverTest, WhatIsGuessedIsSo) {
  base::Random random(1);
  int guessed = 0;
  int impossible = 0;
  for (int round = 0; round < 100; ++round) {
    solver_.clear();
    std::vector<BitVectorId> terms = {solver_.unknown(8), solver_.unknown(8), solver_.unknown(4)};
    std::vector<BitVectorId> conditions;
    const auto any = [&] { return terms[random.below(terms.size())]; };
    const auto any_of = [&](unsigned bits) {
      const BitVectorId term = any();
      const unsigned has = solver_.bits_of(term);
      return has < bits   ? solver_.extend(term, bits, random.chance(0.5))
             : has > bits ? solver_.truncate(term, bits)
                          : term;
    };
    for (int i = 0; i < 12; ++i) {
      const unsigned bits = random.chance(0.5) ? 8 : random.chance(0.5) ? 4 : 1;
      switch (random.below(4)) {
        case 0:
          terms.push_back(solver_.constant(static_cast<std::int64_t>(random.below(20)) - 10, bits));
          break;
        case 1:
          terms.push_back(
              solver_.apply(static_cast<Operation>(random.below(5)), any_of(bits), any_of(bits)));
          break;
        case 2:
          terms.push_back(solver_.compare(static_cast<Order>(random.below(3)), random.chance(0.5),
                                          any_of(bits), any_of(bits)));
          break;
        default:
          terms.push_back(solver_.negation(any_of(1)));
      }
      if (solver_.bits_of(terms.back()) == 1 && random.chance(0.6)) {
        conditions.push_back(terms.back());
      }
    }
    if (!conditions.empty() && random.chance(0.3)) {
      solver_.assert_always(conditions.back());
      conditions.pop_back();
    }
    const bool is_sure = solver_.is_surely_satisfiable(conditions);
    const Satisfiability answer = solver_.check(conditions);
    guessed += is_sure ? 1 : 0;
    impossible += answer == Satisfiability::Unsatisfiable ? 1 : 0;
    EXPECT_TRUE(!is_sure || answer == Satisfiability::Satisfiable) << "round " << round;
  }
  EXPECT_GT(guessed, 15);
  EXPECT_GT(impossible, 15);
}

}  // namespace
}  // namespace nestor::solver
