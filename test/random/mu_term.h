#pragma once

#include "base/random.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace nestor::test {

using StateSet = std::vector<bool>;

/// A finite transition system: what formulas of the mu-calculus mean is read off it as it is
/// defined.
struct LabelledGraph {
  std::vector<std::vector<std::size_t>> successors;
  std::vector<std::vector<std::size_t>> predecessors;
  std::vector<StateSet> carries;  ///< by proposition: a, b, c

  std::size_t size() const { return successors.size(); }
};

/// A random formula of the mu-calculus, as a tree of its own: shares nothing with the parser.
struct MuTerm {
  enum class Kind : unsigned char {
    True,
    False,
    Atom,
    Variable,
    Not,
    And,
    Or,
    Implies,
    Modality,
    Fixpoint
  };
  Kind kind = Kind::True;
  std::size_t number = 0;  // of atoms, variables and fixpoints
  bool box = false;        // of modalities
  bool backward = false;
  enum class Restriction : unsigned char { None, Only, Except } restriction = Restriction::None;
  std::vector<std::size_t> atoms = {};  // of the restriction
  bool greatest = false;                // of fixpoints
  std::unique_ptr<MuTerm> left = nullptr;
  std::unique_ptr<MuTerm> right = nullptr;
};

struct MuTermOptions {
  std::size_t depth = 5;
  bool backward = false;
};
std::unique_ptr<MuTerm> random_mu_term(base::Random& random, const MuTermOptions& options);

/// In the notation of PDSolver.
std::string to_text(const MuTerm& term);

/// The states that satisfy it: sets for subformulas, fixpoints by iteration from the bottom or the
/// top, nested ones anew each time.
StateSet states_of(const MuTerm& term, const LabelledGraph& graph);

}  // namespace nestor::test
