// What can be told of a formula without the contexts that are not known yet: bounds of the values
// of its steps, as the ternary strategies of [DWF24] (summary.cpp) begin with. Where contexts
// become many, few of them matter for the verdict, and often none does.
//
// An instance stands for all stacks that lead to it, whatever further contexts they have. For a
// step f, `least` has the nodes where f holds for all those stacks, `most` those where it does not
// fail for all: solved with the least values of its operands and no exit in the context, and with
// the greatest ones and every exit there. EX, EU and EG are monotone in both, so what lies between
// is what is not known (docs/summary.md, bounds).

#include "engine/summary/batch_checker.h"
#include "engine/summary/bits.h"
#include "engine/summary/solver.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

/// The bounds of a Boolean combination of propositions, treated steps and bounded ones.
template <class Word>
typename BatchChecker<Word>::Between BatchChecker<Word>::evaluate_between(
    std::uint32_t step, const Level& level, const std::map<std::uint32_t, Between>& bounds) {
  const Instances<Word>& at = *level.instances;
  if (const auto known = bounds.find(step); known != bounds.end()) {
    return known->second;
  }
  const std::vector<std::uint32_t> closure = plan_.boolean_closure(step);
  for (std::uint32_t k = 0; k < closure.size(); ++k) {
    place_[closure[k]] = k;
  }
  guard_.reserve(2 * at.plain_row_count() * sizeof(Word));
  Between result{std::vector<Word>(at.plain_row_count()), std::vector<Word>(at.plain_row_count())};
  struct Both {
    Word least;
    Word most;
  };
  std::vector<Both> here(closure.size());
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    const Word formulas = at[i].formulas;
    const std::size_t first_atom = components_[level.component_instance[i]].first_plain;
    const std::size_t count = model_.component(at[i].component).plain_nodes().size();
    for (std::size_t r = 0; r < count; ++r) {
      guard_.tick(closure.size());
      const std::size_t row = at[i].first_plain + r;
      for (std::uint32_t k = 0; k < closure.size(); ++k) {
        const Step& s = steps_[closure[k]];
        switch (s.op) {
          case logic::Op::True:
            here[k] = {formulas, formulas};
            break;
          case logic::Op::Atom: {
            const Word value = atoms_[s.slot][first_atom + r] & formulas;
            here[k] = {value, value};
            break;
          }
          case logic::Op::Not: {
            const Both& left = here[place_[s.left]];
            here[k] = {without(formulas, left.most), without(formulas, left.least)};
            break;
          }
          case logic::Op::Or: {
            const Both& left = here[place_[s.left]];
            const Both& right = here[place_[s.right]];
            here[k] = {left.least | right.least, left.most | right.most};
            break;
          }
          default: {
            const auto between = bounds.find(closure[k]);
            here[k] = between == bounds.end()
                          ? Both{level.values.at(closure[k])[row], level.values.at(closure[k])[row]}
                          : Both{between->second.least[row], between->second.most[row]};
          }
        }
      }
      result.least[row] = here.back().least;
      result.most[row] = here.back().most;
    }
  }
  return result;
}

/// The bounds of an existential step, from those of its operands: two solutions.
template <class Word>
std::array<Solution<Word>, 2> BatchChecker<Word>::solve_between(
    std::uint32_t step, Level& level, const std::map<std::uint32_t, Between>& bounds) {
  const Step& s = steps_[step];
  guard_.reserve(level.instances->bytes_to_sort());
  level.instances->sort(flow_);
  Solver<Word> solver(model_, flow_, *level.instances, batch_.width, jobs_, guard_);
  const bool is_EF = plan_.is_EF(step);
  const Between left = is_EF ? Between() : evaluate_between(s.left, level, bounds);
  switch (s.op) {
    case logic::Op::EX:
      return {solver.solve_EX(left.least), solver.solve_EX(left.most)};
    case logic::Op::EG:
      return {solver.solve_EG(left.least), solver.solve_EG(left.most)};
    default: {
      assert(s.op == logic::Op::EU);
      const Between right = evaluate_between(s.right, level, bounds);
      return {solver.solve_EU(is_EF ? nullptr : &left.least, right.least),
              solver.solve_EU(is_EF ? nullptr : &left.most, right.most)};
    }
  }
}

/// Decides an outermost step at the initial nodes by the bounds of the steps that are not treated
/// at this level. False, and nothing is decided, if they leave it open for some formula.
template <class Word>
bool BatchChecker<Word>::decide_by_bounds(std::size_t outermost, const Word& formulas,
                                          Level& level) {
  const Plan::Outermost& wanted = plan_.outermost()[outermost];
  const Instances<Word>& at = *level.instances;
  std::map<std::uint32_t, Between> bounds;
  for (const std::uint32_t step : wanted.needed) {
    if (level.values.contains(step)) {
      continue;
    }
    const std::array<Solution<Word>, 2> solved = solve_between(step, level, bounds);
    guard_.reserve(2 * at.plain_row_count() * sizeof(Word));
    Between values{std::vector<Word>(at.plain_row_count()),
                   std::vector<Word>(at.plain_row_count())};
    for (std::uint32_t i = 0; i < at.size(); ++i) {
      const std::vector<std::uint64_t> none(flow_.exit_words(at[i].component));
      const std::vector<std::uint64_t> all = every_exit(at[i].component);
      for (const model::NodeId n : model_.component(at[i].component).plain_nodes()) {
        guard_.tick();
        if (flow_.is_live(n)) {
          const std::size_t row = at.plain_row(i, n);
          values.least[row] = solved[0].under_context(flow_, at, i, n, none) & at[i].formulas;
          values.most[row] = solved[1].under_context(flow_, at, i, n, all) & at[i].formulas;
          assert(!without(values.least[row], values.most[row]).any());
        }
      }
    }
    bounds.emplace(step, std::move(values));
  }
  const std::array<Solution<Word>, 2> solved = solve_between(wanted.step, level, bounds);
  std::vector<Known> known;
  for (const model::NodeId n : model_.initial_nodes()) {
    const Word least = value_at_root(solved[0], at, n) & formulas;
    const Word most = value_at_root(solved[1], at, n) & formulas;
    if (!(least == most)) {
      return false;
    }
    known.push_back({least, without(formulas, least)});
  }
  decided_[wanted.step] = std::move(known);
  return true;
}

template <class Word>
std::vector<std::uint64_t> BatchChecker<Word>::every_exit(model::ComponentId component) const {
  std::vector<std::uint64_t> every(flow_.exit_words(component));
  for (std::size_t x = 0; x < model_.exits(component).size(); ++x) {
    every[x / 64] |= std::uint64_t{1} << (x % 64);
  }
  return every;
}

template bool BatchChecker<FewBits>::decide_by_bounds(std::size_t, const FewBits&, Level&);
template bool BatchChecker<WordBits>::decide_by_bounds(std::size_t, const WordBits&, Level&);
template bool BatchChecker<WideBits>::decide_by_bounds(std::size_t, const WideBits&, Level&);
template std::vector<std::uint64_t> BatchChecker<FewBits>::every_exit(model::ComponentId) const;
template std::vector<std::uint64_t> BatchChecker<WordBits>::every_exit(model::ComponentId) const;
template std::vector<std::uint64_t> BatchChecker<WideBits>::every_exit(model::ComponentId) const;

}  // namespace nestor::engine::summary
