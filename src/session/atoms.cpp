#include "session/atoms.h"

#include "base/error.h"
#include "base/input.h"
#include "logic/path_formula.h"
#include "model/step_propositions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace nestor::session {

namespace {

/// Of a formula whose text is not the file's, as in XML: where `part` stands alone between two
/// tags, from the formula's line on. The location without a column if that is not found any more.
base::SourceLocation locate_between_tags(base::SourceLocation location, std::string_view part) {
  try {
    const base::Input file = base::Input::read(location.file);
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < location.line && begin < file.size(); ++line) {
      begin = std::min(file.text().find('\n', begin), file.size() - 1) + 1;
    }
    const std::size_t found = file.text().find(fmt::format(">{}<", part), begin);
    return found == std::string_view::npos ? location : file.locate(found + 1);
  } catch (const base::Error&) {
    return location;
  }
}

/// Where `part` stands in the formula: the first place where it is a word of its own, the formula's
/// first character if it is written differently there.
base::SourceLocation locate(const logic::NamedFormula& formula, std::string_view part) {
  if (formula.location.column == 0 && formula.location.line != 0) {
    return locate_between_tags(formula.location, part);
  }
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

/// `A` before a path formula in which no other quantifier stands, or no quantifier at all.
bool is_about_all_paths(const logic::FormulaPool& pool, logic::FormulaId formula) {
  const logic::Op op = pool[formula].op;
  return (op == logic::Op::A || (op >= logic::Op::AX && op <= logic::Op::AR) ||
          !logic::is_quantified(op)) &&
         logic::quantified_below(pool, formula).empty();
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

std::vector<std::string> atoms_of(const logic::FormulaPool& pool,
                                  std::vector<logic::FormulaId> formulas) {
  std::vector<std::string> atoms;
  std::vector<bool> met(pool.size(), false);
  while (!formulas.empty()) {
    const logic::FormulaId id = formulas.back();
    formulas.pop_back();
    if (met[id.value()]) {
      continue;
    }
    met[id.value()] = true;
    const logic::Formula& f = pool[id];
    if (f.op == logic::Op::Atom) {
      atoms.emplace_back(pool.atom_name(id));
    }
    if (logic::operand_count(f.op) >= 1) {
      formulas.push_back(f.left);
    }
    if (logic::operand_count(f.op) == 2) {
      formulas.push_back(f.right);
    }
  }
  return atoms;
}

bool is_of_steps(model::SuccessorFunction& model, std::string_view atom) {
  auto* steps = dynamic_cast<model::StepPropositions*>(&model);
  return steps != nullptr && steps->is_of_steps(atom);
}

bool has_atoms_of_steps(model::SuccessorFunction& model, const logic::FormulaPool& pool,
                        logic::FormulaId formula) {
  auto* steps = dynamic_cast<model::StepPropositions*>(&model);
  return steps != nullptr &&
         std::ranges::any_of(logic::subformulas(pool, formula), [&](logic::FormulaId f) {
           return pool[f].op == logic::Op::Atom && steps->is_of_steps(pool.atom_name(f));
         });
}

void refuse_senseless_atoms(model::SuccessorFunction& model, const logic::FormulaPool& pool,
                            const logic::NamedFormula& formula) {
  if (!formula.formula.valid()) {
    return;
  }
  for (const logic::FormulaId f : logic::subformulas(pool, formula.formula)) {
    if (pool[f].op != logic::Op::Atom) {
      continue;
    }
    const model::SuccessorFunction::Proposition found = model.find_proposition(pool.atom_name(f));
    if (!found.problem.empty() &&
        !(is_about_all_paths(pool, formula.formula) && is_of_steps(model, pool.atom_name(f)))) {
      throw base::Error(base::Error::Kind::Input, found.problem, locate(formula, found.at));
    }
  }
}

}  // namespace nestor::session
