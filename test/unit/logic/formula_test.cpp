#include "logic/formula.h"

#include <gtest/gtest.h>

#include <string>

namespace nestor::logic {
namespace {

TEST(FormulaPool, EqualFormulasHaveEqualIds) {
  FormulaPool pool;
  const FormulaId p = pool.atom("p");
  const FormulaId q = pool.atom("q");
  EXPECT_NE(p, q);
  EXPECT_EQ(p, pool.atom("p"));
  EXPECT_EQ(pool.binary(Op::And, p, q), pool.binary(Op::And, p, q));
  EXPECT_NE(pool.binary(Op::And, p, q), pool.binary(Op::And, q, p));
  EXPECT_NE(pool.binary(Op::And, p, q), pool.binary(Op::Or, p, q));
  EXPECT_NE(pool.unary(Op::EX, p), pool.unary(Op::AX, p));
  EXPECT_NE(pool.constant(true), pool.constant(false));
  EXPECT_EQ(pool.constant(false), pool.constant(false));
}

TEST(FormulaPool, KeepsWhatItWasGiven) {
  FormulaPool pool;
  const FormulaId p = pool.atom("p");
  const FormulaId q = pool.atom("q");
  const FormulaId until = pool.binary(Op::EU, p, q);
  EXPECT_EQ(pool[until].op, Op::EU);
  EXPECT_EQ(pool[until].left, p);
  EXPECT_EQ(pool[until].right, q);
  EXPECT_EQ(pool.atom_name(q), "q");
}

TEST(FormulaPool, StaysConsistentWhileItGrows) {
  FormulaPool pool;
  constexpr std::size_t kCount = 10000;
  std::vector<FormulaId> ids;
  for (std::size_t i = 0; i < kCount; ++i) {
    ids.push_back(pool.unary(Op::EF, pool.atom("p" + std::to_string(i))));
  }
  EXPECT_EQ(pool.size(), 2 * kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const FormulaId atom = pool.atom("p" + std::to_string(i));
    ASSERT_EQ(pool.unary(Op::EF, atom), ids[i]);
    ASSERT_EQ(pool[ids[i]].left, atom);
  }
  EXPECT_EQ(pool.size(), 2 * kCount);
}

TEST(Subformulas, AreEachThereOnceOperandsFirst) {
  FormulaPool pool;
  const FormulaId p = pool.atom("p");
  pool.atom("not part of it");
  const FormulaId q = pool.atom("q");
  const FormulaId next = pool.unary(Op::EX, p);
  const FormulaId both = pool.binary(Op::And, next, next);
  const FormulaId root = pool.binary(Op::AU, both, pool.binary(Op::Or, q, next));
  const std::vector<FormulaId> expected{p, q, next, both, pool.binary(Op::Or, q, next), root};
  EXPECT_EQ(subformulas(pool, root), expected);
  EXPECT_EQ(subformulas(pool, p), std::vector<FormulaId>{p});
}

TEST(Subformulas, OfASharedFormulaAreFewEvenIfItsTreeIsHuge) {
  FormulaPool pool;
  FormulaId formula = pool.atom("p");
  for (int i = 0; i < 100; ++i) {  // as a tree: 2^100 leaves
    formula = pool.binary(Op::Or, formula, pool.unary(Op::Not, formula));
  }
  EXPECT_EQ(subformulas(pool, formula).size(), 201U);
}

}  // namespace
}  // namespace nestor::logic
