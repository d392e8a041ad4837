#include "logic/parser.h"

#include "logic/lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace nestor::logic {
namespace {

const char* name_of(Op op) {
  constexpr const char* kNames[] = {"true", "false", "atom", "!",  "&",  "|",  "->", "<->", "xor",
                                    "EX",   "EF",    "EG",   "EU", "EW", "ER", "AX", "AF",  "AG",
                                    "AU",   "AW",    "AR",   "E",  "A",  "X",  "F",  "G",   "U",
                                    "W",    "R",     "Y",    "Z",  "O",  "H",  "S",  "T"};
  return kNames[static_cast<std::size_t>(op)];
}

/// Operator first, everything in parentheses, so that no rule of precedence is involved.
/// Recursive: for small formulas only.
std::string structure(const FormulaPool& pool, FormulaId id) {
  const Formula& formula = pool[id];
  if (formula.op == Op::Atom) {
    return std::string(pool.atom_name(id));
  }
  if (operand_count(formula.op) == 0) {
    return name_of(formula.op);
  }
  std::string text = std::string("(") + name_of(formula.op) + " " + structure(pool, formula.left);
  if (operand_count(formula.op) == 2) {
    text += " " + structure(pool, formula.right);
  }
  return text + ")";
}

std::string parsed(std::string_view text) {
  FormulaPool pool;
  try {
    return structure(pool, parse_formula(pool, text, {"f", 1, 1}));
  } catch (const base::Error& error) {
    return error.what();
  }
}

struct Reading {
  const char* input;
  const char* expected;
};

class Reads : public testing::TestWithParam<Reading> {};

TEST_P(Reads, As) {
  EXPECT_EQ(parsed(GetParam().input), GetParam().expected) << GetParam().input;
}

INSTANTIATE_TEST_SUITE_P(
    Spellings, Reads,
    testing::Values(
        Reading{"true", "true"}, Reading{"TRUE", "true"}, Reading{"false", "false"},
        Reading{"FALSE", "false"}, Reading{"True", "True"}, Reading{"!p", "(! p)"},
        Reading{"~p", "(! p)"}, Reading{"not p", "(! p)"}, Reading{"nota", "nota"},
        Reading{"p & q", "(& p q)"}, Reading{"p&&q", "(& p q)"}, Reading{"p and q", "(& p q)"},
        Reading{"p | q", "(| p q)"}, Reading{"p||q", "(| p q)"}, Reading{"p or q", "(| p q)"},
        Reading{"p xor q", "(xor p q)"}, Reading{"p xnor q", "(<-> p q)"},
        Reading{"p<->q", "(<-> p q)"}, Reading{"p->q", "(-> p q)"}, Reading{"p-->q", "(-> p q)"},
        Reading{"EX p", "(EX p)"}, Reading{"E X p", "(EX p)"}, Reading{"AX p", "(AX p)"},
        Reading{"A X p", "(AX p)"}, Reading{"EF p", "(EF p)"}, Reading{"E F p", "(EF p)"},
        Reading{"AF p", "(AF p)"}, Reading{"A F p", "(AF p)"}, Reading{"EG p", "(EG p)"},
        Reading{"E G p", "(EG p)"}, Reading{"AG p", "(AG p)"}, Reading{"A G p", "(AG p)"},
        Reading{"EX(p)", "(EX p)"}, Reading{"E (X p)", "(EX p)"}, Reading{"A[G p]", "(AG p)"},
        Reading{"E ((F (p)))", "(EF p)"}, Reading{"E p U q", "(EU p q)"},
        Reading{"E (p U q)", "(EU p q)"}, Reading{"E(p U q)", "(EU p q)"},
        Reading{"E [ p U q ]", "(EU p q)"}, Reading{"E[p U q]", "(EU p q)"},
        Reading{"E ((p U q))", "(EU p q)"}, Reading{"E [(p U q)]", "(EU p q)"},
        Reading{"A p U q", "(AU p q)"}, Reading{"A [ p U q ]", "(AU p q)"},
        Reading{"E p R q", "(ER p q)"}, Reading{"A(p R q)", "(AR p q)"},
        Reading{"E [p W q]", "(EW p q)"}, Reading{"A p W q", "(AW p q)"}));

// The first group is from the table of the RSMCheck dialect.
INSTANTIATE_TEST_SUITE_P(
    Precedence, Reads,
    testing::Values(
        Reading{"E X E G blue", "(EX (EG blue))"},
        Reading{"A X E blue U red", "(AX (EU blue red))"},
        Reading{"E X red or E X E ( blue U black )", "(| (EX red) (EX (EU blue black)))"},
        Reading{"E a U b and c", "(& (EU a b) c)"}, Reading{"E (a and b) U c", "(EU (& a b) c)"},
        Reading{"A G b --> E F a", "(-> (AG b) (EF a))"}, Reading{"not a and b", "(& (! a) b)"},
        Reading{"a and b and c", "(& (& a b) c)"},
        Reading{"A G ( p --> E F q )", "(AG (-> p (EF q)))"},

        Reading{"a | b & c", "(| a (& b c))"}, Reading{"a & b | c", "(| (& a b) c)"},
        Reading{"a xor b | c", "(| (xor a b) c)"}, Reading{"a | b xor c", "(xor (| a b) c)"},
        Reading{"a xor b & c", "(xor a (& b c))"}, Reading{"a <-> b | c", "(<-> a (| b c))"},
        Reading{"a <-> b <-> c", "(<-> (<-> a b) c)"}, Reading{"a xnor b | c", "(| (<-> a b) c)"},
        Reading{"a <-> b | c", "(<-> a (| b c))"}, Reading{"a -> b <-> c", "(-> a (<-> b c))"},
        Reading{"a <-> b -> c", "(-> (<-> a b) c)"}, Reading{"a -> b -> c", "(-> a (-> b c))"},
        Reading{"(a -> b) -> c", "(-> (-> a b) c)"},
        Reading{"a & b -> c | d -> e", "(-> (& a b) (-> (| c d) e))"},
        Reading{"!EX !p & q", "(& (! (EX (! p))) q)"}, Reading{"EF p & q", "(& (EF p) q)"}));

INSTANTIATE_TEST_SUITE_P(
    Paths, Reads,
    testing::Values(
        Reading{"E [p & q U r | s]", "(EU (& p q) (| r s))"},
        Reading{"E [p -> q U r -> s]", "(EU (-> p q) (-> r s))"},
        Reading{"E (a U b) & c", "(& (EU a b) c)"}, Reading{"E !a U !b", "(EU (! a) (! b))"},
        Reading{"!E a U b", "(! (EU a b))"}, Reading{"E ((a) U (b))", "(EU a b)"},
        Reading{"E ((a & b) | c U d)", "(EU (| (& a b) c) d)"},
        Reading{"E ((a & b) U c) | d", "(| (EU (& a b) c) d)"},
        Reading{"E E a U b U c", "(EU (EU a b) c)"}, Reading{"E EX p U q", "(EU (EX p) q)"},
        Reading{"E !E a U b U c", "(EU (! (EU a b)) c)"},
        Reading{"E a U E b U c", "(EU a (EU b c))"}, Reading{"E (E a U b) U c", "(EU (EU a b) c)"},
        Reading{"E [A [a U b] U A [c U d]]", "(EU (AU a b) (AU c d))"},
        Reading{"E (E X p U q)", "(EU (EX p) q)"}, Reading{"A [a W E (b R c)]", "(AW a (ER b c))"},
        Reading{"E ((X p))", "(EX p)"}, Reading{"A (G (p | q)) & r", "(& (AG (| p q)) r)"}));

INSTANTIATE_TEST_SUITE_P(
    Names, Reads,
    testing::Values(
        Reading{"_a.b$c", "_a.b$c"}, Reading{"$x", "$x"}, Reading{"arr[3]", "arr[3]"},
        Reading{"x[i].y & z", "(& x[i].y z)"}, Reading{"m[1][k]", "m[1][k]"},
        Reading{"\"any thing, <really>\"", "any thing, <really>"},
        Reading{R"("a \"b\" \\ c")", R"(a "b" \ c)"}, Reading{R"("\x41\x7a")", "Az"},
        Reading{"\"true\" & true", "(& true true)"}, Reading{"\"#\" & \"--\"", "(& # --)"},
        Reading{"EX1", "EX1"}, Reading{"A1", "A1"}, Reading{"X", "X"}, Reading{"U & R", "(& U R)"},
        Reading{"E (U U U)", "(EU U U)"}, Reading{"E U U U", "(EU U U)"},
        Reading{"E X X", "(EX X)"}, Reading{"E X U", "(EX U)"}, Reading{"E [X U Y]", "(EU X Y)"},
        Reading{"E X U p", "(EU X p)"}, Reading{"E (X & p U q)", "(EU (& X p) q)"},
        Reading{"E (p & X U q)", "(EU (& p X) q)"}, Reading{"A X[0] U q", "(AU X[0] q)"},
        Reading{"AG X", "(AG X)"}, Reading{"W -> F", "(-> W F)"}));

INSTANTIATE_TEST_SUITE_P(
    Errors, Reads,
    testing::Values(
        Reading{"", "f:1:1: error: expected a formula before end of formula"},
        Reading{"(p", "f:1:3: error: expected ')' before end of formula"},
        Reading{"p\n  & q r", "f:2:7: error: expected an operator before 'r'"},
        Reading{"EX [p]", "f:1:4: error: '[' can only stand behind 'A' or 'E'"},
        Reading{"E [(a U b)", "f:1:11: error: expected ']' before end of formula"},
        Reading{"E [a U b U c]",
                "f:1:10: error: second path operator 'U' behind one quantifier; write parentheses"},
        Reading{"a U b U c", "f:1:7: error: second path operator 'U'; write parentheses"},
        Reading{"p & q U r S s", "f:1:11: error: second path operator 'S'; write parentheses"},
        Reading{"F [3, 1] p", "f:1:3: error: the first bound is larger than the second"},
        Reading{"F [1, 10001] p", "f:1:11: error: bounds may be at most 10000"},
        Reading{"F [1] p", "f:1:3: error: expected an operator before '['"},
        Reading{"p U", "f:1:4: error: expected a formula before end of formula"},
        Reading{"p & []", "f:1:7: error: expected a formula before end of formula"},
        Reading{"<> & p", "f:1:4: error: expected a formula before '&'"},
        Reading{"p []q", "f:1:3: error: expected an operator before '[]'"},
        Reading{"[ ]p", "f:1:1: error: '[' can only stand behind 'A' or 'E'"},
        Reading{"A (p & q)",
                "f:1:10: error: expected 'U', 'R' or 'W' before end of formula; 'A' "
                "and 'E' need a path formula"},
        Reading{"X [p]", "f:1:3: error: expected an operator before '['"}));

// What stands under a quantifier and is one operator before state formulas is CTL, and so is a path
// formula of that kind that is asked of all paths.
INSTANTIATE_TEST_SUITE_P(
    PathFormulas, Reads,
    testing::Values(
        Reading{"F p", "(AF p)"}, Reading{"p U q", "(AU p q)"}, Reading{"p V q", "(AR p q)"},
        Reading{"G F p", "(A (G (F p)))"}, Reading{"E X X p", "(E (X (X p)))"},
        Reading{"E F G p & q", "(& (E (F (G p))) q)"}, Reading{"AG (p U q)", "(A (G (U p q)))"},
        Reading{"EX AF G p", "(EX (A (F (G p))))"},
        Reading{"p & q U r | s", "(A (| (& p (U q r)) s))"},
        Reading{"E (p & (q U r))", "(E (& p (U q r)))"},
        Reading{"E ((p U q) & r)", "(E (& (U p q) r))"},
        Reading{"E [F p & q U r]", "(E (U (& (F p) q) r))"},
        Reading{"E !(a U b)", "(E (! (U a b)))"}, Reading{"E (G p | q)", "(E (| (G p) q))"},
        Reading{"E [(a U b) U c]", "(E (U (U a b) c))"},
        Reading{"E (a U b) U c", "(AU (EU a b) c)"},
        Reading{"G (p -> O q)", "(A (G (-> p (O q))))"}, Reading{"G (p S q)", "(A (G (S p q)))"},
        Reading{"p T q", "(A (T p q))"}, Reading{"H Y Z p", "(A (H (Y (Z p))))"},
        Reading{"G X", "(AG X)"}, Reading{"AG Y & O", "(& (AG Y) O)"},
        Reading{"[](p -> <>q)", "(A (G (-> p (F q))))"}, Reading{"[] p", "(AG p)"},
        Reading{"E <>[]!p", "(E (F (G (! p))))"}, Reading{"<>p U []q", "(A (U (F p) (G q)))"},
        Reading{"F [1, 2] p", "(A (X (| p (X p))))"},
        Reading{"G[0,1] p", "(A (! (| (! p) (X (! p)))))"}, Reading{"O [1,1] p", "(A (Y p))"}));

TEST(ParseFormula, TakesNewlinesAndCommentsAsBlanks) {
  EXPECT_EQ(parsed("p -- one\n & // two\r\n q # three"), "(& p q)");
  EXPECT_EQ(parsed("p --> q --x"), "(-> p q)");
}

TEST(ParseFormula, CountsFromWhereTheTextStands) {
  FormulaPool pool;
  const auto message = [&](std::string_view text, const base::SourceLocation& where) {
    try {
      parse_formula(pool, text, where);
    } catch (const base::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("p q", {"m.smv", 7, 14}), "m.smv:7:16: error: expected an operator before 'q'");
  EXPECT_EQ(message("p\nq", {"m.smv", 7, 14}), "m.smv:8:1: error: expected an operator before 'q'");
  EXPECT_EQ(message("p q", {"formula", 0, 0}),
            "formula:1:3: error: expected an operator before 'q'");
}

/// `@digits`, and `on digits` for the same; leading zeros do not count.
AtomScan scan_numbered(std::string_view text, std::size_t /*word*/) {
  AtomScan scan;
  const std::size_t prefix = text.starts_with('@') ? 1 : text.starts_with("on ") ? 3 : 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", prefix), text.size());
  if (prefix == 0) {
    return scan;
  }
  if (end == prefix) {
    scan.problem = "expected digits";
    scan.problem_at = prefix;
    return scan;
  }
  const std::size_t first = std::min(text.find_first_not_of('0', prefix), end - 1);
  scan.length = end;
  scan.name = "@" + std::string(text.substr(first, end - first));
  return scan;
}

/// Must be asked for nothing that the parser itself knows, and told how long the name is.
AtomScan expect_no_other_beginning(std::string_view text, std::size_t word) {
  EXPECT_EQ(word, name_length(text)) << text;
  EXPECT_EQ(std::string_view("E\"&|:[]-").find(text.front()), std::string_view::npos) << text;
  return {};
}

TEST(AtomDialect, MakesAtoms) {
  const AtomDialect dialects[] = {expect_no_other_beginning, scan_numbered};
  FormulaPool pool(dialects);
  EXPECT_EQ(structure(pool, parse_formula(pool, "EF @007 & p", {})), "(& (EF @7) p)");
  EXPECT_EQ(parse_formula(pool, "on 7", {}), pool.atom("@7"));
  EXPECT_EQ(parse_formula(pool, "E [\"on 7\" U on 8] -- on 9", {}),
            pool.binary(Op::EU, pool.atom("on 7"), pool.atom("@8")));
  const std::vector<NamedFormula> formulas = parse_formula_file(pool, "@1\na := @2 | @1\n", "f");
  ASSERT_EQ(formulas.size(), 2U);
  EXPECT_EQ(formulas[0].formula, pool.atom("@1"));
  EXPECT_EQ(formulas[1].formula, pool.binary(Op::Or, pool.atom("@2"), pool.atom("@1")));
}

TEST(AtomDialect, SaysWhatIsWrongAndWhere) {
  const AtomDialect dialects[] = {scan_numbered};
  FormulaPool pool(dialects);
  const auto message = [&](std::string_view text) {
    try {
      parse_formula(pool, text, {"f", 1, 1});
    } catch (const base::Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("p &\n on x"), "f:2:5: error: expected digits");
  EXPECT_EQ(message("p q on x"), "f:1:3: error: expected an operator before 'q'");
  EXPECT_EQ(message("p @007"), "f:1:3: error: expected an operator before '@007'");
}

TEST(AtomDialect, IsUnknownUnlessItIsGiven) {
  EXPECT_EQ(parsed("p & @7"),
            "f:1:5: error: unexpected '@'; names that contain it go in double quotes");
}

TEST(ParseFormulaFile, ReadsOneFormulaALine) {
  FormulaPool pool;
  const std::vector<NamedFormula> formulas = parse_formula_file(pool,
                                                                "# props\r\n"
                                                                "\r\n"
                                                                "  AG p   -- always\r\n"
                                                                "no_leak := AG (p --> EF q)//x\n"
                                                                "\t\"odd name\":=EF \"#\"  \n"
                                                                "U := p",
                                                                "props.ctl");
  ASSERT_EQ(formulas.size(), 4U);
  EXPECT_EQ(formulas[0].name, "");
  EXPECT_EQ(formulas[0].text, "AG p");
  EXPECT_EQ(structure(pool, formulas[0].formula), "(AG p)");
  EXPECT_EQ(base::to_string(formulas[0].location), "props.ctl:3:3");
  EXPECT_EQ(formulas[1].name, "no_leak");
  EXPECT_EQ(formulas[1].text, "AG (p --> EF q)");
  EXPECT_EQ(structure(pool, formulas[1].formula), "(AG (-> p (EF q)))");
  EXPECT_EQ(base::to_string(formulas[1].location), "props.ctl:4:12");
  EXPECT_EQ(formulas[2].name, "odd name");
  EXPECT_EQ(formulas[2].text, "EF \"#\"");
  EXPECT_EQ(structure(pool, formulas[2].formula), "(EF #)");
  EXPECT_EQ(base::to_string(formulas[2].location), "props.ctl:5:14");
  EXPECT_EQ(formulas[3].name, "U");
  EXPECT_EQ(base::to_string(formulas[3].location), "props.ctl:6:6");
}

TEST(ParseFormulaFile, SkipsAByteOrderMark) {
  FormulaPool pool;
  const std::vector<NamedFormula> formulas = parse_formula_file(pool, "\xef\xbb\xbfp\n", "f");
  ASSERT_EQ(formulas.size(), 1U);
  EXPECT_EQ(formulas[0].text, "p");
  EXPECT_EQ(formulas[0].location.column, 1U);
}

TEST(ParseFormulaFile, MayBeEmpty) {
  FormulaPool pool;
  EXPECT_TRUE(parse_formula_file(pool, "", "f").empty());
  EXPECT_TRUE(parse_formula_file(pool, "\n \n// nothing", "f").empty());
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) {
    result += text;
  }
  return result;
}

constexpr int kDepth = 100000;

/// The number of `op` on the way down the left operands, or the right ones.
int chain_length(const FormulaPool& pool, FormulaId id, Op op, bool right = false) {
  int length = 0;
  for (; pool[id].op == op; ++length) {
    id = right ? pool[id].right : pool[id].left;
  }
  return length;
}

TEST(DeepFormula, OfParentheses) {
  FormulaPool pool;
  EXPECT_EQ(parse_formula(pool, repeated("(", kDepth) + "p" + repeated(")", kDepth), {}),
            pool.atom("p"));
  EXPECT_EQ(parse_formula(pool, "E " + repeated("(", kDepth) + "p U q" + repeated(")", kDepth), {}),
            pool.binary(Op::EU, pool.atom("p"), pool.atom("q")));
}

TEST(DeepFormula, OfUnaryOperators) {
  FormulaPool pool;
  const FormulaId negated = parse_formula(pool, repeated("!", kDepth) + "p", {});
  EXPECT_EQ(chain_length(pool, negated, Op::Not), kDepth);
  const FormulaId next = parse_formula(pool, repeated("EX ", kDepth) + "p", {});
  EXPECT_EQ(chain_length(pool, next, Op::EX), kDepth);
  const FormulaId split = parse_formula(pool, repeated("A X ", kDepth) + "p", {});
  EXPECT_EQ(chain_length(pool, split, Op::AX), kDepth);
}

TEST(DeepFormula, OfBinaryOperators) {
  FormulaPool pool;
  const FormulaId implied = parse_formula(pool, repeated("p -> ", kDepth) + "q", {});
  EXPECT_EQ(chain_length(pool, implied, Op::Implies, true), kDepth);
  const FormulaId all = parse_formula(pool, repeated("p & ", kDepth) + "q", {});
  EXPECT_EQ(chain_length(pool, all, Op::And), kDepth);
  const FormulaId until = parse_formula(pool, repeated("E p U ", kDepth) + "q", {});
  EXPECT_EQ(chain_length(pool, until, Op::EU, true), kDepth);
  const FormulaId bracketed =
      parse_formula(pool, repeated("A [", kDepth) + "p" + repeated(" W q]", kDepth), {});
  EXPECT_EQ(chain_length(pool, bracketed, Op::AW), kDepth);
}

}  // namespace
}  // namespace nestor::logic
