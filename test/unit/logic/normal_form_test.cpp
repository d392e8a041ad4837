// Existential normal form is tested by its meaning: a small evaluator computes the fixpoint of
// every surface operator directly, one equation an operator, on random graphs with dead ends, and
// must find a formula true where its normal form is.

#include "logic/normal_form.h"

#include "logic/parser.h"
#include "logic/printer.h"
#include "random_formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace nestor::logic {
namespace {

constexpr std::string_view kNames[] = {"p", "q", "r"};

using States = std::vector<bool>;

struct Graph {
  std::vector<std::vector<std::size_t>> successors;
  std::map<std::string, States, std::less<>> labels;

  std::size_t size() const { return successors.size(); }
};

Graph random_graph(std::mt19937& random) {
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  Graph graph;
  graph.successors.resize(1 + below(6));
  for (auto& successors : graph.successors) {
    for (std::size_t i = below(4); i > 0; --i) {  // a quarter are dead ends
      successors.push_back(below(graph.size()));
    }
  }
  for (const std::string_view name : kNames) {
    States& states = graph.labels[std::string(name)];
    for (std::size_t s = 0; s < graph.size(); ++s) {
      states.push_back(below(2) == 0);
    }
  }
  return graph;
}

/// Where `op` holds, given where its operands hold and, for the recursive operators, where it was
/// found to hold so far (`z`).
bool equation(Op op, bool f, bool g, const States& f_states, const States& z,
              const std::vector<std::size_t>& successors) {
  const auto some = [&](const States& in) {
    return std::any_of(successors.begin(), successors.end(), [&](std::size_t t) { return in[t]; });
  };
  const auto all = [&](const States& in) {
    return std::all_of(successors.begin(), successors.end(), [&](std::size_t t) { return in[t]; });
  };
  const bool stuck = successors.empty();
  switch (op) {
    case Op::True:
      return true;
    case Op::False:
    case Op::Atom:
      return false;
    case Op::Not:
      return !f;
    case Op::And:
      return f && g;
    case Op::Or:
      return f || g;
    case Op::Implies:
      return !f || g;
    case Op::Iff:
      return f == g;
    case Op::Xor:
      return f != g;
    case Op::EX:
      return some(f_states);
    case Op::AX:
      return all(f_states);
    case Op::EF:
      return f || some(z);
    case Op::AF:
      return f || (!stuck && all(z));
    case Op::EG:
      return f && (stuck || some(z));
    case Op::AG:
      return f && all(z);
    case Op::EU:
      return g || (f && some(z));
    case Op::AU:
      return g || (f && !stuck && all(z));
    case Op::EW:
      return g || (f && (stuck || some(z)));
    case Op::AW:
      return g || (f && all(z));
    case Op::ER:
      return g && (f || stuck || some(z));
    case Op::AR:
      return g && (f || all(z));
    default:  // not CTL
      return false;
  }
}

bool is_greatest_fixpoint(Op op) {
  return op == Op::EG || op == Op::AG || op == Op::EW || op == Op::AW || op == Op::ER ||
         op == Op::AR;
}

States evaluate(const FormulaPool& pool, FormulaId root, const Graph& graph) {
  std::map<FormulaId, States> found;
  for (const FormulaId id : subformulas(pool, root)) {
    const Formula& formula = pool[id];
    if (formula.op == Op::Atom) {
      found[id] = graph.labels.find(pool.atom_name(id))->second;
      continue;
    }
    const int operands = operand_count(formula.op);
    const States nowhere(graph.size());
    const States f = operands >= 1 ? found.at(formula.left) : nowhere;
    const States g = operands == 2 ? found.at(formula.right) : nowhere;
    States z(graph.size(), is_greatest_fixpoint(formula.op));
    for (States last; last != z;) {
      last = z;
      for (std::size_t s = 0; s < graph.size(); ++s) {
        z[s] = equation(formula.op, f[s], g[s], f, last, graph.successors[s]);
      }
    }
    found[id] = z;
  }
  return found.at(root);
}

void expect_same_meaning(const std::string& left, const std::string& right) {
  FormulaPool pool;
  const FormulaId one = parse_formula(pool, left, {});
  const FormulaId other = parse_formula(pool, right, {});
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = random_graph(random);
    ASSERT_EQ(evaluate(pool, one, graph), evaluate(pool, other, graph))
        << left << " and " << right << ", seed " << seed;
  }
}

/// First that the test's evaluator is right where a mistake in it is likely: in dead ends, by hand.
TEST(Evaluator, KnowsDeadEnds) {
  Graph graph;
  graph.successors = {{1}, {}};  // 0 -> 1, and 1 is a dead end
  graph.labels["p"] = {true, true};
  graph.labels["q"] = {false, false};
  graph.labels["r"] = {false, true};
  FormulaPool pool;
  const auto states = [&](const char* text) {
    return evaluate(pool, parse_formula(pool, text, {}), graph);
  };
  EXPECT_EQ(states("EX true"), (States{true, false}));
  EXPECT_EQ(states("AX false"), (States{false, true}));
  EXPECT_EQ(states("EG p"), (States{true, true}));
  EXPECT_EQ(states("EG r"), (States{false, true}));
  EXPECT_EQ(states("AG p"), (States{true, true}));
  EXPECT_EQ(states("EF r"), (States{true, true}));
  EXPECT_EQ(states("AF q"), (States{false, false}));
  EXPECT_EQ(states("AF r"), (States{true, true}));
  EXPECT_EQ(states("A [p U q]"), (States{false, false}));
  EXPECT_EQ(states("A [p W q]"), (States{true, true}));
  EXPECT_EQ(states("E [p W q]"), (States{true, true}));
  EXPECT_EQ(states("E [q R p]"), (States{true, true}));
  EXPECT_EQ(states("A [r R p]"), (States{true, true}));
}

TEST(NormalForm, UsesLawsThatHoldInDeadEnds) {
  expect_same_meaning("AX p", "!EX !p");
  expect_same_meaning("EF p", "E [true U p]");
  expect_same_meaning("AF p", "!EG !p");
  expect_same_meaning("AG p", "!E [true U !p]");
  expect_same_meaning("A [p U q]", "!(E [!q U !(p | q)] | EG !q)");
  expect_same_meaning("E [p W q]", "E [p U q] | EG p");
  expect_same_meaning("A [p W q]", "!E [!q U !(p | q)]");
  expect_same_meaning("E [p R q]", "E [q U p & q] | EG q");
  expect_same_meaning("A [p R q]", "!E [!p U !q]");
  expect_same_meaning("EG true", "true");
  expect_same_meaning("EX false", "false");
}

struct Rule {
  const char* formula;
  const char* normal_form;
};

class Becomes : public testing::TestWithParam<Rule> {};

TEST_P(Becomes, InNormalForm) {
  FormulaPool pool;
  const FormulaId formula = parse_formula(pool, GetParam().formula, {});
  EXPECT_EQ(to_string(pool, existential_normal_form(pool, formula)), GetParam().normal_form)
      << GetParam().formula;
}

INSTANTIATE_TEST_SUITE_P(
    Laws, Becomes,
    testing::Values(Rule{"p", "p"}, Rule{"true", "true"}, Rule{"false", "!true"}, Rule{"!!p", "p"},
                    Rule{"!!!p", "!p"}, Rule{"p & q", "!(!p | !q)"}, Rule{"!p & !q", "!(p | q)"},
                    Rule{"p -> q", "!p | q"}, Rule{"p <-> q", "!(!p | !q) | !(p | q)"},
                    Rule{"p xor q", "!(!(p | q) | !(!p | !q))"}, Rule{"EX p", "EX p"},
                    Rule{"EG p", "EG p"}, Rule{"E [p U q]", "E [p U q]"},
                    Rule{"EF p", "E [true U p]"}, Rule{"AX p", "!EX !p"}, Rule{"AF p", "!EG !p"},
                    Rule{"AG p", "!E [true U !p]"}, Rule{"AG !p", "!E [true U p]"},
                    Rule{"A [p U q]", "!(E [!q U !(p | q)] | EG !q)"},
                    Rule{"A [p W q]", "!E [!q U !(p | q)]"}, Rule{"A [p R q]", "!E [!p U !q]"},
                    Rule{"E [p W q]", "E [p U q] | EG p"},
                    Rule{"E [p R q]", "E [q U !(!p | !q)] | EG q"},
                    Rule{"AG (p -> EF q)", "!E [true U !(!p | E [true U q])]"}));

INSTANTIATE_TEST_SUITE_P(Constants, Becomes,
                         testing::Values(Rule{"p | true", "true"}, Rule{"true | p", "true"},
                                         Rule{"p | false", "p"}, Rule{"false | p", "p"},
                                         Rule{"p | p", "p"}, Rule{"p | !p", "true"},
                                         Rule{"!p | p", "true"}, Rule{"p & false", "!true"},
                                         Rule{"p & true", "p"}, Rule{"EX false", "!true"},
                                         Rule{"EX true", "EX true"}, Rule{"EG true", "true"},
                                         Rule{"EG false", "!true"}, Rule{"E [p U true]", "true"},
                                         Rule{"E [p U false]", "!true"}, Rule{"E [false U q]", "q"},
                                         Rule{"E [p U p]", "p"}, Rule{"AF true", "true"},
                                         Rule{"AX true", "true"}, Rule{"AX false", "!EX true"}));

bool is_in_normal_form(const FormulaPool& pool, FormulaId root) {
  for (const FormulaId id : subformulas(pool, root)) {
    const Formula& formula = pool[id];
    const bool is_allowed = formula.op == Op::True || formula.op == Op::Atom ||
                            formula.op == Op::Not || formula.op == Op::Or ||
                            is_existential(formula.op);
    if (!is_allowed || (formula.op == Op::Not && pool[formula.left].op == Op::Not)) {
      return false;
    }
  }
  return true;
}

TEST(NormalForm, MeansTheSameOnRandomGraphs) {
  for (unsigned seed = 1; seed <= 5000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    FormulaPool pool;
    const FormulaId formula =
        test::random_formula(pool, random, 1 + static_cast<int>(seed % 12), kNames);
    const FormulaId normal = existential_normal_form(pool, formula);
    ASSERT_TRUE(is_in_normal_form(pool, normal)) << to_string(pool, formula);
    ASSERT_EQ(existential_normal_form(pool, normal), normal) << to_string(pool, formula);
    for (int i = 0; i < 3; ++i) {
      const Graph graph = random_graph(random);
      ASSERT_EQ(evaluate(pool, formula, graph), evaluate(pool, normal, graph))
          << to_string(pool, formula) << " became " << to_string(pool, normal);
    }
  }
}

TEST(NormalForm, IsLinearInTheDag) {
  // Each level uses its operand several times: as trees, they have more than 2^10000 leaves.
  FormulaPool pool;
  FormulaId formula = pool.atom("p");
  for (int i = 0; i < 10000; ++i) {
    formula = pool.binary(i % 2 == 0 ? Op::AU : Op::Iff, formula,
                          pool.binary(Op::Xor, formula, pool.atom("q")));
  }
  const FormulaId normal = existential_normal_form(pool, formula);
  EXPECT_LE(subformulas(pool, normal).size(), 10000U * 20U);
  EXPECT_TRUE(is_in_normal_form(pool, normal));
}

}  // namespace
}  // namespace nestor::logic
