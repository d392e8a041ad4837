#include "smv/value_atom.h"

#include "../logic/read_atom.h"
#include "base/error.h"

#include <gtest/gtest.h>

namespace nestor::smv {
namespace {

std::string read_atom(std::string_view text) {
  return logic::read_atom(value_atom_dialect, text);
}

TEST(ValueAtom, HasOneSpelling) {
  EXPECT_EQ(read_atom("state = busy"), "state = busy");
  EXPECT_EQ(read_atom("state==busy"), "state = busy");
  EXPECT_EQ(read_atom("\"state = busy\""), "state = busy");
  EXPECT_EQ(read_atom("a[0].count   <=\t-3"), "a[0].count <= -3");
  EXPECT_EQ(read_atom("x!=007"), "x != 007");
  EXPECT_EQ(read_atom("flag = TRUE"), "flag = TRUE");
  EXPECT_EQ(read_atom("x < 3"), "x < 3");
  EXPECT_EQ(read_atom("x <-3"), "x < -3");
  EXPECT_EQ(read_atom("x >= y"), "x >= y");
}

TEST(ValueAtom, EndsWhereTheFormulaGoesOn) {
  EXPECT_EQ(read_atom("x = 1 -> y = 2"), "x = 1 -> y = 2 [x = 1; y = 2]");
  EXPECT_EQ(read_atom("x = 1 <-> y"), "x = 1 <-> y [x = 1; y]");
  EXPECT_EQ(read_atom("x <-> y"), "x <-> y [x; y]");
  EXPECT_EQ(read_atom("x --> y = a --> z"), "x -> y = a -> z [x; y = a; z]");
  EXPECT_EQ(read_atom("E [x = 1 U y > 0]"), "E [x = 1 U y > 0] [x = 1; y > 0]");
  EXPECT_EQ(read_atom("AG !x = 1"), "AG !x = 1 [x = 1]");
  EXPECT_EQ(read_atom("A x = 1 U q"), "A [x = 1 U q] [x = 1; q]");
  EXPECT_EQ(read_atom("x = 1 -- a comment"), "x = 1");
}

TEST(ValueAtom, NeedsBothSides) {
  for (const char* text :
       {"x =", "x = & y", "= 3", "x = (y)", "true = 3", "x = 1 = 2", "x < - 3"}) {
    EXPECT_THROW(read_atom(text), base::Error) << text;
  }
}

TEST(ValueAtom, APathOperatorIsNoVariableWhereOneIsNeeded) {
  EXPECT_EQ(read_atom("E X x = 1"), "EX x = 1 [x = 1]");
  EXPECT_EQ(read_atom("A G X = 1"), "AG X = 1 [X = 1]");
}

}  // namespace
}  // namespace nestor::smv
