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

/// True if a specification of this kind may speak of steps: of inputs, `next` and `running`.
inline bool may_speak_of_steps(const SpecSyntax& spec) {
  return spec.kind == SpecSyntax::Kind::Ltl || spec.kind == SpecSyntax::Kind::Invariant;
}

/// A bound of a bounded operator: a constant number, not negative.
using MakeBound = std::function<std::int64_t(ExprId bound, const FlatSpec& spec)>;
/// The one of a module whose names `resolver` knows.
MakeBound bounds_of(const File& file, Resolver& resolver);

/// A specification as a property: CTL over atoms, or why it is not supported. Throws Error.
logic::ModelProperty make_property(const File& file, const FlatSpec& spec, logic::FormulaPool& pool,
                                   const MakeAtom& make_atom, const MakeBound& make_bound);

}  // namespace nestor::smv
