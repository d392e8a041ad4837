#pragma once

#include "base/input.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::logic {

/// The operators of the modal mu-calculus. Modalities look at successors, those that look back at
/// predecessors.
enum class MuOp : std::uint8_t {
  True,
  False,
  Atom,
  Variable,
  Not,
  And,
  Or,
  Implies,
  Diamond,
  Box,
  BackDiamond,
  BackBox,
  Mu,
  Nu,
};

inline bool is_binary(MuOp op) {
  return op == MuOp::And || op == MuOp::Or || op == MuOp::Implies;
}
inline bool is_fixpoint(MuOp op) {
  return op == MuOp::Mu || op == MuOp::Nu;
}

struct MuNode {
  MuOp op = MuOp::True;
  std::size_t left = 0;   ///< of operators
  std::size_t right = 0;  ///< of binary ones
  std::string name = {};  ///< of atoms, variables and fixpoints
  /// Of variables and fixpoints: which fixpoint, counted from 0.
  std::size_t binder = 0;
};

/// A formula of the modal mu-calculus (docs/mu.md). Every variable is bound and occurs below an
/// even number of negations, counted from its fixpoint.
struct MuFormula {
  std::vector<MuNode> nodes;  ///< operands before operators, the root last

  /// Adds a node; the number that operators refer to it by.
  std::size_t add(MuNode node) {
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }
};

/// Reads `text`, a part of the input, by operator precedence with an explicit stack, so that no
/// depth of nesting exhausts the C++ stack. Modalities that are restricted to some propositions
/// become what they mean: `[@p]f` is read as `!p | []f`. Throws Error (Input) with the place.
MuFormula parse_mu_formula(const base::Input& input, std::string_view text);

/// The propositions in it, each once, sorted.
std::vector<std::string> propositions_of(const MuFormula& formula);

}  // namespace nestor::logic
