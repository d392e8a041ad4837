#pragma once

#include "base/input.h"
#include "net/prod_expression.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nestor::net {

/// A predicate/transition net as it stands in the file.
struct ProdNet {
  using Tuple = std::vector<std::int64_t>;

  /// So many tuples of this form. In a marking, a field may be a range `a..b`.
  struct Pattern {
    std::size_t place = 0;
    ProdExpression count = ProdExpression::number(1);  ///< if it is a number, at least 1
    std::vector<ProdExpression> fields;
    std::size_t at = 0;
  };
  struct Place {
    std::string name;
    std::size_t width = 0;  ///< fields of its tuples
    bool width_known = false;
    Tuple lo, hi;  ///< empty: no bounds
    std::map<Tuple, std::int64_t> marking;
    /// By field: the macros that stand for a value there somewhere in the file.
    std::vector<std::map<std::int64_t, std::string>> macros;
    std::size_t at = 0;
  };
  struct Assignment {
    std::size_t variable = 0;
    ProdExpression value;
  };
  struct Transition {
    std::string name;
    std::vector<std::string> variables;
    std::vector<Pattern> inputs;
    std::vector<Pattern> outputs;
    std::vector<Assignment> comp;  ///< computed in this order, before the gates
    std::vector<ProdExpression> gates;
    std::size_t at = 0;
  };

  std::vector<Place> places;
  std::vector<Transition> transitions;
};

/// Reads a net of PROD (docs/formats.md). Throws Error (Input, Unsupported) with file, line and
/// column.
ProdNet parse_prod(const base::Input& input);

}  // namespace nestor::net
