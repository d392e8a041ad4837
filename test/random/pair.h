#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace nestor::test {

/// A random model with formulas for it: several entries and exits, entries that are exits, exits
/// that go on, transitions into entries, dead ends, recursion, each in some of the models.
struct Case {
  model::Rsm model;
  std::vector<logic::FormulaId> formulas;
};
Case make_case(logic::FormulaPool& pool, std::uint64_t seed, std::size_t formulas);
/// The same with up to 300 formulas that differ only in the names of propositions, as programs are
/// checked in practice. An engine may treat them together.
Case make_batch(logic::FormulaPool& pool, std::uint64_t seed);

/// The formula with some propositions renamed, all at once.
logic::FormulaId with_names(logic::FormulaPool& pool, logic::FormulaId formula,
                            const std::map<std::string, std::string, std::less<>>& names);

/// What each engine may take for one of these formulas; it takes some thousand as a rule.
constexpr std::uint64_t kMostSteps = 200'000'000;

/// What is wrong with the answers for one model and formula; empty if all agree. Asks every engine
/// of the registry and the unfolding, and replays witnesses; `summary` must not need more contexts
/// than `eager`, nor must it without its early end.
std::string disagreement(const model::Rsm& model, logic::FormulaPool& pool,
                         logic::FormulaId formula);

/// Checks all formulas in one run of each engine against single runs of `reference`; returns the
/// position of the first formula for which something is wrong, or the size if nothing is.
std::size_t first_disagreement(const Case& random, logic::FormulaPool& pool);

}  // namespace nestor::test
