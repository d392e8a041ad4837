#pragma once

#include "base/input.h"
#include "logic/formula.h"
#include "logic/property.h"

#include <string_view>

namespace nestor::format {

/// Reads PDSolver's modal mu-calculus from `text`, a part of the input, and translates it to CTL:
///
///     ! & | =>  tt ff  names  <>p []p      as in CTL (EX, AX)
///     mu X. f, nu X. f                     where X occurs as <>X only, or as []X only, and
///     positively
///
/// Anything else that the grammar knows is reported as not supported, with its place: backward
/// modalities, modalities restricted to propositions, other fixpoints. Throws Error (Input) with
/// the place if the text is no formula at all.
logic::ModelProperty translate_mu_property(const base::Input& input, std::string_view text,
                                           logic::FormulaPool& pool);

}  // namespace nestor::format
