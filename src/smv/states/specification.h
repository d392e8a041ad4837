#pragma once

#include "logic/formula.h"
#include "logic/property.h"
#include "smv/states/states.h"

#include <functional>
#include <string>

namespace nestor::smv {

/// The expression as text that means the same in the outermost module: names get the prefix
/// `instance`.
std::string print_expression(const FileSyntax& file, const Symbols& symbols, ExprId expression,
                             const std::string& instance);

/// How a condition becomes an atom: its text, and the term if the module knows one.
using MakeAtom = std::function<logic::FormulaId(ExprId condition, const FlatSpec& spec)>;

/// A specification as a property: CTL over atoms, or why it is not supported. Throws Error.
logic::ModelProperty make_property(const File& file, const FlatSpec& spec, logic::FormulaPool& pool,
                                   const MakeAtom& make_atom);

}  // namespace nestor::smv
