#include "automata/automaton.h"

#include "automata/positive_form.h"
#include "automata/reduction.h"
#include "automata/tableau.h"
#include "logic/printer.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace nestor::automata {

std::size_t Automaton::transition_count() const {
  std::size_t count = 0;
  for (const AutomatonState& state : states) {
    count += state.transitions.size();
  }
  return count;
}

Automaton make_automaton(logic::FormulaPool& pool, logic::FormulaId path, bool negated,
                         base::LimitGuard& guard) {
  Automaton automaton = tableau(pool, positive_form(pool, path, negated), guard);
  reduce(automaton, guard);
  return automaton;
}

Automaton with_one_set(const Automaton& automaton) {
  Automaton result;
  result.letters = automaton.letters;
  result.mark_count = 1;
  // A state and how many sets have been seen since the last accepting transition, in their order.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;
  const auto number_of = [&](std::uint32_t state, std::uint32_t level) {
    const auto [place, is_new] =
        numbers.try_emplace({state, level}, static_cast<std::uint32_t>(result.states.size()));
    if (is_new) {
      result.states.push_back({{}, automaton.states[state].endings});
      open.emplace_back(state, level);
    }
    return place->second;
  };
  number_of(Automaton::kInitial, 0);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto [state, level] = open[i];
    for (const Transition& t : automaton.states[state].transitions) {
      const auto advance = [&](std::uint32_t from) {
        while (from < automaton.mark_count && ((t.marks >> from) & 1) != 0) {
          ++from;
        }
        return from;
      };
      std::uint32_t next = advance(level);
      const bool accepts = next == automaton.mark_count;
      if (accepts) {
        next = advance(0) % std::max(automaton.mark_count, 1U);
      }
      const std::uint32_t target = number_of(t.target, next);
      result.states[i].transitions.push_back({t.cube, accepts ? 1U : 0U, target});
    }
  }
  return result;
}

std::string to_string(const Automaton& automaton, const logic::FormulaPool& pool) {
  const auto cube_text = [&](const Cube& cube) {
    std::string text;
    for (std::size_t i = 0; i < automaton.letters.size(); ++i) {
      const bool is_positive = ((cube.positive >> i) & 1) != 0;
      if (is_positive || ((cube.negative >> i) & 1) != 0) {
        text += fmt::format("{}{}({})", text.empty() ? "" : " & ", is_positive ? "" : "!",
                            logic::to_string(pool, automaton.letters[i]));
      }
    }
    return text.empty() ? std::string("true") : text;
  };
  std::string text;
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    for (const Transition& t : automaton.states[s].transitions) {
      text += fmt::format("{} -> {}  {}  {{{:b}}}\n", s, t.target, cube_text(t.cube), t.marks);
    }
    for (const Cube& cube : automaton.states[s].endings) {
      text += fmt::format("{} ends  {}\n", s, cube_text(cube));
    }
  }
  return text;
}

}  // namespace nestor::automata
