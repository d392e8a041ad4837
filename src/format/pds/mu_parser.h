#pragma once

#include "base/input.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::format {

enum class MuKind : std::uint8_t {
  Name,
  Variable,
  True,
  False,
  Not,
  Diamond,
  Box,
  And,
  Or,
  Implies,
  Mu,
  Nu,
  Open,  // '(' on the operator stack
};

struct MuNode {
  MuKind kind = MuKind::True;
  std::size_t left = 0;    // of operators
  std::size_t right = 0;   // of binary ones
  std::string_view name;   // of names; of variables and fixpoints, the variable's
  std::size_t binder = 0;  // of variables and fixpoints: which fixpoint
  std::size_t at = 0;      // in the input
};

/// Something that the grammar knows and Nestor cannot check.
struct Unsupported {
  std::string what;
  std::size_t at = 0;  // in the input
};

/// A formula of PDSolver's mu-calculus as a tree.
struct MuFormula {
  std::vector<MuNode> nodes;               ///< operands before operators, the root last
  std::optional<Unsupported> unsupported;  ///< the first modality that is not
};

/// Reads `text`, a part of the input, by operator precedence with an explicit stack, so that no
/// depth of nesting exhausts the C++ stack. Throws Error (Input) with the place.
MuFormula parse_mu_formula(const base::Input& input, std::string_view text);

}  // namespace nestor::format
