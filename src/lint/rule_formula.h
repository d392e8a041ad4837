#pragma once

#include "lint/rule.h"
#include "logic/formula.h"
#include "program/slice.h"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::lint {

/// The formula of a rule, of which each site and variable gets a copy with atoms of its own.
class RuleFormula {
 public:
  using Rename = std::function<std::string(std::string_view)>;

  RuleFormula(const std::string& text, const base::SourceLocation& at);

  bool names(std::string_view atom) const;
  /// It is this formula, spaces and parentheses aside.
  bool is(std::string_view text) const;
  /// How far the models that it is checked on may be reduced.
  program::Reduction reduction() const { return reduction_; }
  /// If it is AG (site -> AX AG !x): the atoms, any of which is x. Else none.
  std::vector<std::string> forbidden_after_site() const;
  /// What holds for more paths holds for fewer.
  bool is_universal() const;
  /// A stronger formula that is: parts that ask for some path count as false.
  RuleFormula universal_part() const;
  /// Whether it holds in every model that has none but these atoms.
  bool holds_with(const std::set<std::string, std::less<>>& atoms) const;
  /// A copy in `pool` with its atoms renamed.
  logic::FormulaId renamed(logic::FormulaPool& pool, const Rename& rename) const;

 private:
  RuleFormula() = default;
  void find_reduction();

  logic::FormulaPool pool_;
  logic::FormulaId formula_;
  program::Reduction reduction_ = program::Reduction::Nothing;
};

/// Renames nothing.
inline std::string unchanged(std::string_view atom) {
  return std::string(atom);
}

}  // namespace nestor::lint
