#pragma once

#include "base/input.h"
#include "logic/formula.h"
#include "logic/property.h"

#include <string_view>

namespace nestor::format {

/// Reads PDSolver's modal mu-calculus from `text`, a part of the input, and translates it to CTL
/// where it is the image of a formula of CTL:
///
///     ! & | =>  tt ff  names  <>p []p      as in CTL (EX, AX)
///     mu X. f, nu X. f                     where X occurs as <>X only, or as []X only, or in the
///                                          operand of one modality, below ! & | => alone
///
/// Anything else is kept as it is. Throws Error (Input) with the place if the text is no formula.
logic::ModelProperty translate_mu_property(const base::Input& input, std::string_view text,
                                           logic::FormulaPool& pool);

}  // namespace nestor::format
