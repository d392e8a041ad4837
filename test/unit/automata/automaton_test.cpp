#include "automata/automaton.h"

#include "logic/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace nestor::automata {
namespace {

Automaton automaton_of(logic::FormulaPool& pool, std::string_view text) {
  // `E (…)`: that of the path formula itself.
  const logic::FormulaId formula =
      logic::parse_formula(pool, fmt::format("E ({} | X false)", text), {});
  base::LimitGuard guard({});
  return make_automaton(pool, pool[formula].left, false, guard);
}

TEST(Automaton, OfOneEventualityHasOneStateForItAndOneBehind) {
  logic::FormulaPool pool;
  const Automaton automaton = automaton_of(pool, "F p");
  EXPECT_EQ(automaton.states.size(), 2U);
  EXPECT_EQ(automaton.mark_count, 1U);
}

TEST(Automaton, OfManyRepetitionsHasOneState) {
  logic::FormulaPool pool;
  const Automaton automaton = automaton_of(pool, "G F p & G F q & G F r");
  EXPECT_EQ(automaton.states.size(), 1U);
  EXPECT_EQ(automaton.mark_count, 3U);
  EXPECT_EQ(with_one_set(automaton).states.size(), 3U);
}

TEST(Automaton, OfWhatCannotBeAcceptsNothing) {
  logic::FormulaPool pool;
  const Automaton automaton = automaton_of(pool, "G p & F !p");
  EXPECT_EQ(automaton.states.size(), 1U);
  EXPECT_TRUE(automaton.states[0].transitions.empty());
  EXPECT_TRUE(automaton.states[0].endings.empty());
}

TEST(Automaton, EndsWordsWhereNothingIsStillToCome) {
  logic::FormulaPool pool;
  EXPECT_FALSE(automaton_of(pool, "G p").states[0].endings.empty());
  EXPECT_TRUE(automaton_of(pool, "X p").states[0].endings.empty());
  EXPECT_FALSE(automaton_of(pool, "F p").states[0].endings.empty());  // with p itself
}

/// The table of docs/ltl.md: `formula` | states | transitions.
TEST(Automaton, IsAsLargeAsThePageSays) {
  std::ifstream page(std::string(NESTOR_SOURCE_DIR) + "/docs/ltl.md");
  std::size_t rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `", 0) != 0) {
      continue;
    }
    const std::size_t end = line.find("` |");
    ASSERT_NE(end, std::string::npos) << line;
    std::string formula = line.substr(3, end - 3);
    for (std::size_t bar; (bar = formula.find("\\|")) != std::string::npos;) {
      formula.erase(bar, 1);
    }
    logic::FormulaPool pool;
    const Automaton automaton = automaton_of(pool, formula);
    EXPECT_EQ(line.substr(end + 1), fmt::format(" | {} | {} | {} |", automaton.states.size(),
                                                automaton.transition_count(), automaton.mark_count))
        << formula;
    ++rows;
  }
  EXPECT_GE(rows, 20U);
}

}  // namespace
}  // namespace nestor::automata
