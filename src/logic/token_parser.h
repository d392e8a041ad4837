#pragma once

#include "logic/formula.h"
#include "logic/formula_source.h"
#include "logic/lexer.h"

namespace nestor::logic {

/// Reads one formula from the lexer's tokens, from the one numbered `first` on. Throws Error
/// (Input).
FormulaId parse_tokens(FormulaPool& pool, const FormulaSource& source, const Lexer& lexer,
                       std::size_t first = 0);

}  // namespace nestor::logic
