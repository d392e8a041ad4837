#pragma once

#include "logic/formula.h"
#include "logic/parser.h"
#include "model/successor_function.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::session {

/// Every atom of the pool once.
std::vector<std::string> atoms_of(const logic::FormulaPool& pool);
/// Every atom of the formula once, or of the formulas.
std::vector<std::string> atoms_of(const logic::FormulaPool& pool, logic::FormulaId formula);
std::vector<std::string> atoms_of(const logic::FormulaPool& pool,
                                  std::vector<logic::FormulaId> formulas);

/// True if the atom speaks of steps of the model (model::StepPropositions).
bool is_of_steps(model::SuccessorFunction& model, std::string_view atom);

bool has_atoms_of_steps(model::SuccessorFunction& model, const logic::FormulaPool& pool,
                        logic::FormulaId formula);

/// Throws Error (Input), with the place in the formula, for an atom that makes no sense in the
/// model: it speaks of a place that the net does not have, say. An atom of steps makes sense in a
/// formula about all paths without further quantifiers.
void refuse_senseless_atoms(model::SuccessorFunction& model, const logic::FormulaPool& pool,
                            const logic::NamedFormula& formula);

}  // namespace nestor::session
