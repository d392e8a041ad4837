#pragma once

#include "logic/formula.h"

#include <cstdint>
#include <random>
#include <vector>

namespace nestor::test {

/// A word of letters, each a set of atoms by number: finite, or with a loop.
struct Word {
  static constexpr std::size_t kNoLoop = static_cast<std::size_t>(-1);
  std::vector<std::uint32_t> letters;
  std::size_t loop = kNoLoop;  ///< where it goes on behind the last letter
};

enum class Truth : std::uint8_t { False, Undefined, True };

/// The value of a path formula over the atoms `a`, `b`, … at the beginning of a word, by
/// docs/semantics.md read literally: connectives by their tables, each operator at each place.
Truth value(const logic::FormulaPool& pool, logic::FormulaId path, const Word& word);

/// A path formula with about `size` operators over `atoms` atoms.
logic::FormulaId random_path_formula(logic::FormulaPool& pool, std::mt19937_64& random, int size,
                                     std::uint32_t atoms, bool with_past);

}  // namespace nestor::test
