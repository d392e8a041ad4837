#pragma once

#include "lint/warning.h"

#include <cstddef>
#include <string>
#include <vector>

namespace nestor::lint {

/// What rules say of a program.
struct LintResult {
  std::vector<Warning> warnings;     ///< sorted by place
  std::vector<std::string> unknown;  ///< rules that could not be decided, with the reason
  std::vector<std::string> notes;    ///< what was left out of the warnings
};

/// What one run found, before faults that were found several times become one. A run that shares
/// the work with others has a part of it; put together, the parts are what one run finds.
struct Findings {
  /// A rule that could not be decided.
  struct Unknown {
    std::size_t rule = 0;  ///< its number
    std::size_t unit = 0;  ///< as Warning::unit
    std::string text;
  };
  /// What was left out of the warnings of a rule.
  struct LeftOut {
    std::size_t too_large = 0;  ///< models that were given up
    std::size_t paths = 0;      ///< that would have taken too long to find
    std::size_t of_pairs = 0;   ///< things that are too many to look at any two of them
  };
  /// How long a unit of work took, in processor time.
  struct Cost {
    std::string rule;
    std::string unit;
    double seconds = 0;
  };

  std::vector<Warning> warnings;  ///< in no order
  std::vector<Unknown> unknown;
  std::vector<LeftOut> left_out;  ///< by number of the rule
  std::vector<Cost> costs;        ///< if the work is shared
};

/// Adds another part; both are of the same rules.
void add(Findings& findings, Findings part);
/// Brings them into order and drops what is told by another warning.
LintResult conclusion(Findings findings, const std::vector<const Rule*>& rules);

}  // namespace nestor::lint
