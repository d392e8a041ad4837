#include "logic/printer.h"

#include "logic/parser.h"
#include "random_formula.h"

#include <gtest/gtest.h>

namespace nestor::logic {
namespace {

struct Spelling {
  const char* input;
  const char* output;
};

class Prints : public testing::TestWithParam<Spelling> {};

TEST_P(Prints, InOneCanonicalSpelling) {
  FormulaPool pool;
  const FormulaId formula = parse_formula(pool, GetParam().input, {});
  EXPECT_EQ(to_string(pool, formula), GetParam().output) << GetParam().input;
}

INSTANTIATE_TEST_SUITE_P(
    Operators, Prints,
    testing::Values(Spelling{"TRUE", "true"}, Spelling{"FALSE", "false"}, Spelling{"not p", "!p"},
                    Spelling{"p and q", "p & q"}, Spelling{"p || q", "p | q"},
                    Spelling{"p --> q", "p -> q"}, Spelling{"p xnor q", "p <-> q"},
                    Spelling{"p xor q", "p xor q"}, Spelling{"E X p", "EX p"},
                    Spelling{"E F p", "EF p"}, Spelling{"E G p", "EG p"}, Spelling{"A X p", "AX p"},
                    Spelling{"A F p", "AF p"}, Spelling{"A G p", "AG p"},
                    Spelling{"E p U q", "E [p U q]"}, Spelling{"E (p R q)", "E [p R q]"},
                    Spelling{"E[p W q]", "E [p W q]"}, Spelling{"A p U q", "A [p U q]"},
                    Spelling{"A (p R q)", "A [p R q]"}, Spelling{"A[p W q]", "A [p W q]"}));

INSTANTIATE_TEST_SUITE_P(Paths, Prints,
                         testing::Values(Spelling{"G F p", "A (G F p)"},
                                         Spelling{"E X X p", "E (X X p)"},
                                         Spelling{"(p & q) U (r S s)", "A (((p & q) U (r S s)))"},
                                         Spelling{"F (p & G q)", "A (F (p & G q))"},
                                         Spelling{"E ((p U q) & X \"S\")", "E ((p U q) & X \"S\")"},
                                         Spelling{"AG \"S\"", "AG S"}));

INSTANTIATE_TEST_SUITE_P(
    Parentheses, Prints,
    testing::Values(Spelling{"((p))", "p"}, Spelling{"!(p & q)", "!(p & q)"},
                    Spelling{"!(EX (p))", "!EX p"}, Spelling{"AG (p -> EF q)", "AG (p -> EF q)"},
                    Spelling{"(p & q) & r", "p & q & r"}, Spelling{"p & (q & r)", "p & (q & r)"},
                    Spelling{"p -> (q -> r)", "p -> q -> r"},
                    Spelling{"(p -> q) -> r", "(p -> q) -> r"},
                    Spelling{"p & q | r", "(p & q) | r"}, Spelling{"p & (q | r)", "p & (q | r)"},
                    Spelling{"p | q xor r", "(p | q) xor r"},
                    Spelling{"(p & q) -> (q | r)", "p & q -> q | r"},
                    Spelling{"(p <-> q) -> r", "(p <-> q) -> r"},
                    Spelling{"p <-> (q <-> r)", "p <-> (q <-> r)"},
                    Spelling{"E ((p & q) U (q -> r))", "E [p & q U q -> r]"},
                    Spelling{"(E (p U q)) & r", "E [p U q] & r"}));

INSTANTIATE_TEST_SUITE_P(
    Names, Prints,
    testing::Values(Spelling{"\"plain\"", "plain"}, Spelling{"x[i].y$", "x[i].y$"},
                    Spelling{"\"two words\"", "\"two words\""}, Spelling{"\"A\"", "\"A\""},
                    Spelling{"\"A[p]\"", "\"A[p]\""}, Spelling{"\"xnor\"", "\"xnor\""},
                    Spelling{"X", "\"X\""}, Spelling{"X2", "X2"}, Spelling{"\"\"", "\"\""},
                    Spelling{R"("say \"hi\" \\o")", R"("say \"hi\" \\o")"},
                    Spelling{R"("a\x0A")", R"("a\x0a")"}, Spelling{"\"a[]\"", "\"a[]\""},
                    Spelling{"\"2x\"", "\"2x\""}, Spelling{"\"größe\"", "\"größe\""}));

/// The defining property of the printer: what it prints is read back as the same formula.
void check_round_trip(std::span<const std::string_view> names, unsigned seeds) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    FormulaPool pool;
    const FormulaId formula =
        test::random_formula(pool, random, 1 + static_cast<int>(seed % 25), names);
    const std::string text = to_string(pool, formula);
    ASSERT_EQ(parse_formula(pool, text, {}), formula) << text;
    // As a line of a file it is read alike.
    const std::vector<NamedFormula> lines = parse_formula_file(pool, text, "props.ctl");
    ASSERT_EQ(lines.size(), 1U) << text;
    ASSERT_EQ(lines.front().formula, formula) << text;
    ASSERT_EQ(lines.front().text, text);
  }
}

TEST(Printer, RoundTripsRandomFormulas) {
  constexpr std::string_view kNames[] = {"p", "q", "state.x", "a[3]"};
  check_round_trip(kNames, 4000);
}

TEST(Printer, RoundTripsOddNames) {
  using namespace std::string_view_literals;
  constexpr std::string_view kNames[] = {
      "A"sv,     "E"sv,         "X"sv,     "F"sv,     "G"sv,    "U"sv,      "R"sv,     "W"sv,
      "EX"sv,    "AG"sv,        "not"sv,   "and"sv,   "xor"sv,  "true"sv,   "FALSE"sv, ""sv,
      " "sv,     "\""sv,        "\\"sv,    "\\\""sv,  "a\nb"sv, "\t\r"sv,   "\0"sv,    "\x7f"sv,
      "é"sv,     "\xff"sv,      "1"sv,     "."sv,     "a[]"sv,  "a[b"sv,    "A[b]"sv,  "X[1]"sv,
      "a[ 1]"sv, "a--b"sv,      "#"sv,     "// no"sv, ":="sv,   "a := b"sv, "(p)"sv,   "p U q"sv,
      "$"sv,     "x[1][y].z"sv, "\\x41"sv, "a'b"sv,   "EU"sv,   "U2"sv};
  check_round_trip(kNames, 4000);
}

TEST(Printer, NeedsNoStackForDeepFormulas) {
  constexpr int kDepth = 100000;
  FormulaPool pool;
  const FormulaId p = pool.atom("p");
  const FormulaId q = pool.atom("q");
  FormulaId formula = p;
  for (int i = 0; i < kDepth; ++i) {
    switch (i % 6) {
      case 0:
        formula = pool.unary(Op::EX, formula);
        break;
      case 1:
        formula = pool.binary(Op::Implies, formula, q);
        break;
      case 2:
        formula = pool.binary(Op::Implies, q, formula);
        break;
      case 3:
        formula = pool.binary(Op::EU, formula, p);
        break;
      case 4:
        formula = pool.binary(Op::AR, p, formula);
        break;
      default:
        formula = pool.unary(Op::Not, formula);
    }
  }
  EXPECT_EQ(parse_formula(pool, to_string(pool, formula), {}), formula);
}

}  // namespace
}  // namespace nestor::logic
