#pragma once

#include "lint/rule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nestor::lint {

/// One step of the path that proves a warning.
struct PathStep {
  enum class Kind : std::uint8_t { Event, Branch, Call, Return };

  Kind kind = Kind::Event;
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;
  std::uint32_t depth = 0;     ///< calls that are open
  bool is_true = false;        ///< of Branch: what it tests is true
  bool is_loop_start = false;  ///< what follows repeats forever
};

/// A place where a rule does not hold.
struct Warning {
  const Rule* rule = nullptr;
  std::string file;  ///< relative to where nestor runs, if it lies below
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;
  std::string subject;           ///< the variable or called function that it is about
  program::VariableId variable;  ///< if it is a variable
  std::string message;
  std::vector<PathStep> path;
  /// Where what is told begins and ends: the same for a fault that is seen from several functions.
  /// Empty if it is told wherever it is found.
  std::string fault;
  std::size_t unit = 0;        ///< when one run finds it: by number of the rule, then of this
  bool is_suppressed = false;  ///< the source says that it is not to be told
  std::string source_line;     ///< the text of its line; empty if it cannot be read
  std::string fingerprint;     ///< the same for the same warning after unrelated changes
};

}  // namespace nestor::lint
