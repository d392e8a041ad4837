#pragma once

#include "logic/formula.h"
#include "logic/formula_source.h"
#include "logic/lexer.h"

#include <span>
#include <string>

namespace nestor {

/// Reads one formula from `tokens`, whose last one is End or Invalid; in the latter case `problem`
/// is what is wrong with it. Throws Error (Input).
FormulaId parse_tokens(FormulaPool& pool, const FormulaSource& source,
                       std::span<const Token> tokens, const std::string& problem);

}  // namespace nestor
