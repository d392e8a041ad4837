#pragma once

#include "base/input.h"
#include "witness/witness.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nestor::witness {

/// A witness as it stands in a file: names and numbers, not yet compared with any model.
struct WitnessDocument {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct FormulaEntry {
    logic::Op op = logic::Op::True;
    std::string name;             ///< of an atom
    std::uint32_t left = kNone;   ///< an earlier entry
    std::uint32_t right = kNone;  ///< likewise
  };
  struct StackEntry {
    std::uint32_t below = 0;  ///< an earlier entry
    std::string box;          ///< empty for the first entry, the empty stack
  };
  struct StateEntry {
    std::uint32_t stack = 0;
    std::string procedure;
    std::string node;
    std::vector<std::string> labels;
    std::string file;        ///< empty: not given
    std::uint32_t line = 0;  ///< 0: not given
  };
  struct EvidenceEntry {
    std::uint32_t formula = 0;
    std::uint32_t state = 0;
    bool holds = true;
    Evidence::Kind kind = Evidence::Kind::Fact;
    Evidence::Ending ending = Evidence::Ending::Here;
    std::vector<std::uint32_t> path;
    std::vector<model::Step> steps;
    std::vector<std::uint32_t> parts;
    std::vector<std::uint32_t> along;
    std::uint32_t loop = 0;
    std::vector<std::string> grown;
    std::uint32_t joins = 0;
    std::uint32_t join_at = 0;
  };

  std::string formula;              ///< as the user wrote it
  base::SourceLocation formula_at;  ///< of its first character
  bool holds = true;
  std::string engine;
  std::uint32_t fairness = 0;          ///< not given: 0
  std::vector<FormulaEntry> formulas;  ///< the last one is the formula
  std::vector<StackEntry> stacks;
  std::vector<StateEntry> states;
  std::vector<EvidenceEntry> evidence;
  std::vector<std::uint32_t> roots;
};

/// Reads a file with one witness, or what `nestor check --json --witness` prints: then all
/// witnesses in it. Throws Error (Input) with the place of what is not as
/// share/nestor/schema says.
std::vector<WitnessDocument> read_witnesses(const base::Input& input);

}  // namespace nestor::witness
