// Automata of path formulas against the meaning of the formulas on random words, with loops and
// finite ones: a word is accepted if and only if the formula is true of it. Likewise the value that
// replaying a witness finds.

#include "automata/automaton.h"
#include "check/path_value.h"
#include "logic/printer.h"
#include "path_words.h"
#include "run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

namespace nestor::test {
namespace {

struct Edge {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t marks;
};

/// By the definition: a reachable part of the product in which every state has a way to an edge of
/// each acceptance set.
bool accepts(const automata::Automaton& automaton, const logic::FormulaPool& pool,
             const Word& word) {
  const std::size_t states = automaton.states.size();
  const std::size_t length = word.letters.size();
  std::vector<std::uint64_t> letters(length, 0);
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t l = 0; l < automaton.letters.size(); ++l) {
      Word here;
      here.letters = {word.letters[i]};
      if (value(pool, automaton.letters[l], here) == Truth::True) {
        letters[i] |= std::uint64_t{1} << l;
      }
    }
  }
  std::vector<bool> reached(states * length, false);
  std::vector<std::uint32_t> open{automata::Automaton::kInitial};
  reached[open[0]] = true;
  std::vector<Edge> edges;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const std::size_t place = at / states;
    const automata::AutomatonState& state = automaton.states[at % states];
    const bool is_last = place + 1 == length;
    if (is_last && word.loop == Word::kNoLoop) {
      if (std::ranges::any_of(state.endings,
                              [&](const automata::Cube& c) { return c.accepts(letters[place]); })) {
        return true;
      }
      continue;
    }
    const std::size_t next = is_last ? word.loop : place + 1;
    for (const automata::Transition& t : state.transitions) {
      if (t.cube.accepts(letters[place])) {
        const auto to = static_cast<std::uint32_t>(next * states + t.target);
        edges.push_back({at, to, t.marks});
        if (!reached[to]) {
          reached[to] = true;
          open.push_back(to);
        }
      }
    }
  }
  std::vector<bool> alive = reached;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t mark = 0; mark < std::max(automaton.mark_count, 1U); ++mark) {
      std::vector<bool> good(alive.size(), false);
      for (bool grew = true; grew;) {
        grew = false;
        for (const Edge& e : edges) {
          const bool is_marked = automaton.mark_count == 0 || ((e.marks >> mark) & 1) != 0;
          if (alive[e.from] && alive[e.to] && !good[e.from] && (is_marked || good[e.to])) {
            good[e.from] = true;
            grew = true;
          }
        }
      }
      if (good != alive) {
        alive = good;
        changed = true;
      }
    }
  }
  return std::ranges::find(alive, true) != alive.end();
}

Truth replayed(const logic::FormulaPool& pool, logic::FormulaId path, const Word& word) {
  check::Places places{word.letters.size(), {}};
  if (word.loop != Word::kNoLoop) {
    places.loop = word.loop;
  }
  const std::optional<bool> found =
      check::path_value(pool, path, places, [&](logic::FormulaId f, std::size_t place) {
        return pool[f].op == logic::Op::Atom
                   ? ((word.letters[place] >> (pool.atom_name(f)[0] - 'a')) & 1) != 0
                   : pool[f].op == logic::Op::True;
      });
  return !found ? Truth::Undefined : *found ? Truth::True : Truth::False;
}

bool compare(std::uint64_t seed, std::size_t words) {
  std::mt19937_64 random(seed);
  logic::FormulaPool pool;
  const auto atoms = static_cast<std::uint32_t>(1 + random() % 3);
  const logic::FormulaId path = random_path_formula(
      pool, random, static_cast<int>(1 + random() % 8), atoms, random() % 3 == 0);
  base::LimitGuard guard({});
  const automata::Automaton automata[] = {automata::make_automaton(pool, path, false, guard),
                                          automata::make_automaton(pool, path, true, guard)};
  const automata::Automaton one_set[] = {automata::with_one_set(automata[0]),
                                         automata::with_one_set(automata[1])};
  for (std::size_t w = 0; w < words; ++w) {
    Word word;
    word.letters.resize(1 + random() % 7);
    for (std::uint32_t& letter : word.letters) {
      letter = static_cast<std::uint32_t>(random() % (1U << atoms));
    }
    if (random() % 3 != 0) {
      word.loop = random() % word.letters.size();
    }
    const Truth truth = value(pool, path, word);
    if (replayed(pool, path, word) != truth) {
      fmt::print("seed {}, {}: replaying finds another value of word {}\n", seed,
                 logic::to_string(pool, path), w);
      return false;
    }
    for (int negated = 0; negated < 2; ++negated) {
      const bool expected = truth == (negated == 0 ? Truth::True : Truth::False);
      for (const automata::Automaton* automaton : {&automata[negated], &one_set[negated]}) {
        if (accepts(*automaton, pool, word) != expected) {
          fmt::print("seed {}, {}{}: the automaton {} word {}\n{}", seed,
                     negated != 0 ? "not " : "", logic::to_string(pool, path),
                     expected ? "refuses" : "accepts", w, automata::to_string(*automaton, pool));
          for (const std::uint32_t letter : word.letters) {
            fmt::print("{:b} ", letter);
          }
          fmt::print("loop {}\n", word.loop);
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace
}  // namespace nestor::test

int main(int argc, char** argv) {
  constexpr std::size_t kWords = 10;  // of one formula
  const nestor::test::RunOptions options =
      nestor::test::read_options(argc, argv, "--pairs", {100'000, 1, ""});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i * kWords < options.count && wrong < 5; ++i) {
    wrong += nestor::test::compare(options.seed + i, kWords) ? 0 : 1;
  }
  fmt::print("{} pairs of a formula and a word, {} formulas wrong\n", options.count, wrong);
  return wrong == 0 ? 0 : 1;
}
