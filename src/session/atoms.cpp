#include "session/atoms.h"

#include "base/error.h"
#include "explain/obligation.h"

#include <algorithm>
#include <string_view>

namespace nestor::session {

namespace {

/// Where `part` stands in the formula: the first place where it is a word of its own, the formula's
/// first character if it is written differently there.
base::SourceLocation locate(const logic::NamedFormula& formula, std::string_view part) {
  const std::string_view text = formula.text;
  const auto is_word = [&](std::size_t at) {
    const auto inside = [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return (at == 0 || !inside(text[at - 1])) &&
           (at + part.size() == text.size() || !inside(text[at + part.size()]));
  };
  base::SourceLocation location = formula.location;
  std::size_t found = text.find(part);
  while (found != std::string_view::npos && !is_word(found)) {
    found = text.find(part, found + 1);
  }
  if (found != std::string_view::npos && location.column != 0) {
    location.column += static_cast<std::uint32_t>(found);
  }
  return location;
}

}  // namespace

std::vector<std::string> atoms_of(const logic::FormulaPool& pool) {
  std::vector<std::string> atoms;
  for (const logic::FormulaId f :
       base::IdRange<logic::FormulaId>(logic::FormulaId(0), logic::FormulaId(pool.size()))) {
    if (pool[f].op == logic::Op::Atom) {
      atoms.emplace_back(pool.atom_name(f));
    }
  }
  return atoms;
}

std::vector<std::string> atoms_of(const logic::FormulaPool& pool, logic::FormulaId formula) {
  std::vector<std::string> atoms;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    if (pool[f].op == logic::Op::Atom) {
      atoms.emplace_back(pool.atom_name(f));
    }
  }
  return atoms;
}

bool is_state_formula(const logic::FormulaPool& pool, logic::FormulaId formula) {
  return std::ranges::none_of(logic::subformulas(pool, formula),
                              [&](logic::FormulaId f) { return explain::is_temporal(pool[f].op); });
}

void refuse_senseless_atoms(model::SuccessorFunction& model, const logic::FormulaPool& pool,
                            std::span<const logic::NamedFormula> formulas) {
  for (const logic::NamedFormula& formula : formulas) {
    if (!formula.formula.valid()) {
      continue;
    }
    for (const logic::FormulaId f : logic::subformulas(pool, formula.formula)) {
      if (pool[f].op != logic::Op::Atom) {
        continue;
      }
      const model::SuccessorFunction::Proposition found = model.find_proposition(pool.atom_name(f));
      if (!found.problem.empty()) {
        throw base::Error(base::Error::Kind::Input, found.problem, locate(formula, found.at));
      }
    }
  }
}

}  // namespace nestor::session
