#include "logic/value_atom.h"

#include "base/error.h"
#include "logic/parser.h"
#include "logic/printer.h"

#include <gtest/gtest.h>

namespace nestor {
namespace {

/// The atom as the parser names it; whatever else the formula is, as it is printed.
std::string read(std::string_view text) {
  FormulaPool pool;
  const FormulaId f = parse_formula(pool, text, {});
  return pool[f].op == Op::Atom ? std::string(pool.atom_name(f)) : to_string(pool, f);
}

TEST(ValueAtom, HasOneSpelling) {
  EXPECT_EQ(read("state = busy"), "state = busy");
  EXPECT_EQ(read("state==busy"), "state = busy");
  EXPECT_EQ(read("\"state = busy\""), "state = busy");
  EXPECT_EQ(read("a[0].count   <=\t-3"), "a[0].count <= -3");
  EXPECT_EQ(read("x!=007"), "x != 007");
  EXPECT_EQ(read("flag = TRUE"), "flag = TRUE");
  EXPECT_EQ(read("x < 3"), "x < 3");
  EXPECT_EQ(read("x <-3"), "x < -3");
  EXPECT_EQ(read("x >= y"), "x >= y");
}

TEST(ValueAtom, EndsWhereTheFormulaGoesOn) {
  EXPECT_EQ(read("x = 1 -> y = 2"), "\"x = 1\" -> \"y = 2\"");
  EXPECT_EQ(read("x = 1 <-> y"), "\"x = 1\" <-> y");
  EXPECT_EQ(read("x <-> y"), "x <-> y");
  EXPECT_EQ(read("x --> y = a --> z"), "x -> \"y = a\" -> z");
  EXPECT_EQ(read("E [x = 1 U y > 0]"), "E [\"x = 1\" U \"y > 0\"]");
  EXPECT_EQ(read("AG !x = 1"), "AG !\"x = 1\"");
  EXPECT_EQ(read("A x = 1 U q"), "A [\"x = 1\" U q]");
  EXPECT_EQ(read("x = 1 -- a comment"), "x = 1");
}

TEST(ValueAtom, NeedsBothSides) {
  for (const char* text :
       {"x =", "x = & y", "= 3", "x = (y)", "true = 3", "x = 1 = 2", "x < - 3"}) {
    EXPECT_THROW(read(text), Error) << text;
  }
}

TEST(ValueAtom, APathOperatorIsNoVariableWhereOneIsNeeded) {
  EXPECT_EQ(read("E X x = 1"), "EX \"x = 1\"");
  EXPECT_EQ(read("A G X = 1"), "AG \"X = 1\"");
}

}  // namespace
}  // namespace nestor
