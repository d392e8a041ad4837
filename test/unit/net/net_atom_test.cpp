#include "net/net_atom.h"

#include "../logic/read_atom.h"

#include <gtest/gtest.h>

namespace nestor::net {
namespace {

std::string read_atom(std::string_view text) {
  return logic::read_atom(net_atom_dialect, text);
}

TEST(NetAtom, HasOneSpelling) {
  EXPECT_EQ(read_atom("tokens(p1) + 2*tokens(p2) <= 3"), "tokens(p1) + 2*tokens(p2) <= 3");
  EXPECT_EQ(read_atom("tokens ( p1 )+2 * tokens(p2)<=3"), "tokens(p1) + 2*tokens(p2) <= 3");
  EXPECT_EQ(read_atom("3 >= tokens(a, b) - 1"), "3 >= tokens(a, b) - 1");
  EXPECT_EQ(read_atom("tokens(a) == tokens(b)"), "tokens(a) = tokens(b)");
  EXPECT_EQ(read_atom("1*tokens(a) != 007"), "tokens(a) != 7");
  EXPECT_EQ(read_atom("fireable( t1,t2 )"), "fireable(t1, t2)");
  EXPECT_EQ(read_atom("fireable(\"odd name\", \"plain\")"), "fireable(\"odd name\", plain)");
  EXPECT_EQ(read_atom("tokens(p<1, 2>) > 0"), "tokens(p<1,2>) > 0");
  EXPECT_EQ(read_atom("tokens(p<.1,cs.>) > 0"), "tokens(p<1,cs>) > 0");
}

TEST(NetAtom, EndsWhereTheFormulaGoesOn) {
  EXPECT_EQ(read_atom("tokens(p) <= 3 -> q"), "tokens(p) <= 3 -> q [tokens(p) <= 3; q]");
  EXPECT_EQ(read_atom("tokens(p) <= 3 --> q"), "tokens(p) <= 3 -> q [tokens(p) <= 3; q]");
  EXPECT_EQ(read_atom("tokens(p) <= 3 - 1 & q"), "tokens(p) <= 3 - 1 & q [tokens(p) <= 3 - 1; q]");
  EXPECT_EQ(read_atom("tokens(p) <= 3 <-> q"), "tokens(p) <= 3 <-> q [tokens(p) <= 3; q]");
  EXPECT_EQ(read_atom("E [tokens(p) <= 3 U 2 < tokens(q)]"),
            "E [tokens(p) <= 3 U 2 < tokens(q)] [tokens(p) <= 3; 2 < tokens(q)]");
  EXPECT_EQ(read_atom("A fireable(t) U q"), "A [fireable(t) U q] [fireable(t); q]");
  EXPECT_EQ(read_atom("tokens(p) = 1 -- a comment"), "tokens(p) = 1");
  EXPECT_EQ(read_atom("AG !(tokens(p) = 1)"), "AG !tokens(p) = 1 [tokens(p) = 1]");
}

// K. Heljanko's report writes a place with a tuple for "a token lies there".
TEST(NetAtom, APlaceIsNoAtom) {
  EXPECT_EQ(scan_net_atom("p<1,CS> & q").problem,
            "a place is no atom; write 'tokens(p<1,CS>) >= 1' for a token there");
  EXPECT_EQ(scan_net_atom("p<.1.>").problem,
            "a place is no atom; write 'tokens(p<.1.>) >= 1' for a token there");
  // What compares in other languages.
  for (const char* text :
       {"a<b", "a<b & c>d", "a<b -> c>d", "a < b", "a<b>c", "a<-1", "a<=b>", "a<>"}) {
    EXPECT_EQ(scan_net_atom(text).length, 0U) << text;
  }
}

TEST(NetAtom, LeavesNamesAlone) {
  EXPECT_EQ(read_atom("tokens"), "tokens");
  EXPECT_EQ(read_atom("fireable & tokens_left"), "fireable & tokens_left [fireable; tokens_left]");
}

TEST(NetAtom, ReadsWhatItWrites) {
  for (const std::string_view text :
       {"tokens(p) < 0", "2 = 2", "5*tokens(\"a \\\" b\", c) - tokens(d) + 7 >= 3*tokens(e)",
        "fireable(\"X-1\", t[3].a)", "tokens(p<1,-2,CS>) = 0", "tokens(\"p<1.5>\", \"p<\") = 0"}) {
    const NetAtomScan scan = scan_net_atom(text);
    EXPECT_EQ(scan.problem, "");
    EXPECT_EQ(scan.length, text.size());
    EXPECT_EQ(to_text(scan.atom), text);
  }
}

}  // namespace
}  // namespace nestor::net
