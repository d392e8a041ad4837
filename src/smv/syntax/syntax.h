#pragma once

#include "base/id.h"
#include "base/input.h"

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::smv {

using ExprId = base::Id<struct ExprTag>;
using Place = std::uint32_t;  ///< offset in the file

enum class Syntax : std::uint8_t {
  Name,       ///< text
  Self,       ///< `self`
  Number,     ///< value
  Boolean,    ///< value 0 or 1
  Literal,    ///< a constant of a word type, text
  Dot,        ///< base; text is the name after the dot
  Index,      ///< base, index
  BitSelect,  ///< base, high, low
  Not,
  Negate,
  And,
  Or,
  Xor,
  Xnor,
  Implies,
  Iff,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Plus,
  Minus,
  Times,
  Divide,
  Mod,
  ShiftLeft,
  ShiftRight,
  Concat,
  Union,
  In,
  Set,    ///< any number of elements
  Range,  ///< low, high
  Case,   ///< condition, value, condition, value, …; `c ? a : b` is one too
  Next,
  Function,  ///< text is the name; any number of arguments
  EX,
  EF,
  EG,
  AX,
  AF,
  AG,
  EU,
  AU,
  Path,  ///< an operator of LTL, text is its letter; bounds before the operand if it has some
  Psl,   ///< an operator of PSL, `psl` says which; two bounds, then its operands
  EBF,   ///< low, high, formula; the other bounded ones likewise
  EBG,
  ABF,
  ABG,
  EBU,  ///< low, high, left, right
  ABU,
};

/// The operators of PSL that LTL has not. `next` is NextA from 1 to 1, `next_event` NextEventA.
struct PslOperator {
  enum class Kind : std::uint8_t { NextA, NextE, NextEventA, NextEventE, Until, Before };
  Kind kind = Kind::NextA;
  bool strong = false;     ///< with `!`: what it waits for comes
  bool inclusive = false;  ///< with `_`: at the same time is right
};

/// An expression. Children have smaller ids than their parents, so a loop over ascending ids meets
/// them bottom-up, and nothing needs recursion however long a chain of operators is.
struct Expr {
  Syntax kind = Syntax::Name;
  PslOperator psl = {};  ///< of Psl
  Place at = 0;
  Place end = 0;  ///< one past its last byte, for quoting it
  std::string_view text = {};
  std::int64_t value = 0;
  std::uint32_t first_child = 0;
  std::uint32_t child_count = 0;
};

struct TypeSyntax {
  enum class Kind : std::uint8_t { Boolean, Range, Enumeration, Word, Array, Instance };
  Kind kind = Kind::Boolean;
  Place at = 0;
  ExprId low, high;                 ///< of Range, Array; `low` is the width of Word
  bool is_signed = false;           ///< of Word
  std::vector<ExprId> values;       ///< of Enumeration; the arguments of Instance
  std::vector<TypeSyntax> element;  ///< of Array: one
  std::string_view module;          ///< of Instance
  bool process = false;             ///< of Instance
};

enum class VariableKind : std::uint8_t { State, Input, Frozen };

struct VariableSyntax {
  VariableKind kind = VariableKind::State;
  std::string_view name;
  Place at = 0;
  TypeSyntax type;
};

/// `name := value` of DEFINE and CALL. The name of a DEFINE may have dots.
struct DefineSyntax {
  ExprId name;
  ExprId value;
};

/// An expression, or `[…, …]`.
struct ArrayValueSyntax {
  ExprId value;  ///< not valid: an array
  std::vector<ArrayValueSyntax> elements;
};

struct ArrayDefineSyntax {
  std::string_view name;
  Place at = 0;
  ArrayValueSyntax value;
};

struct AssignSyntax {
  enum class Kind : std::uint8_t { Init, Next, Always };
  Kind kind = Kind::Always;
  ExprId variable;
  ExprId value;
};

struct SpecSyntax {
  /// Ltl: PSL as well.
  enum class Kind : std::uint8_t { Ctl, Ltl, Invariant, Shortest, Longest, Unsupported };
  Kind kind = Kind::Ctl;
  std::string_view keyword;
  std::string_view name;  ///< of a named one
  std::string refused;    ///< of Unsupported: the operator that is the reason
  std::string text;       ///< as written, comments aside, blanks run together
  Place at = 0;
  ExprId formula;  ///< not of Unsupported; of Shortest and Longest: from where
  ExprId goal;     ///< of Shortest and Longest
};

/// A constraint that is not supported: what it says is not part of the model, so no verdict counts.
struct RefusedSyntax {
  std::string_view keyword;
  Place at = 0;
};

struct ModuleSyntax {
  std::string_view name;
  Place at = 0;
  std::vector<std::string_view> parameters;
  std::vector<VariableSyntax> variables;
  std::vector<DefineSyntax> defines;
  std::vector<ArrayDefineSyntax> array_defines;
  std::vector<std::string_view> constants;
  std::vector<DefineSyntax> calls;
  std::vector<AssignSyntax> assigns;
  std::vector<ExprId> init, trans, invar, fairness;
  std::vector<SpecSyntax> specs;
  std::vector<RefusedSyntax> refused;
  struct Inherited {
    std::string_view module;
    Place at = 0;
  };
  std::vector<Inherited> inherited;  ///< ISA
};

/// A file, read but not yet understood. Texts are views of the input.
struct FileSyntax {
  std::vector<ModuleSyntax> modules;
  std::vector<Expr> expressions;
  std::vector<ExprId> children;
  /// Sections that are skipped: they are no part of the model.
  std::vector<RefusedSyntax> skipped;
  /// Names that were declared with dots or brackets in them, as `p.q` or `a[0]`.
  std::deque<std::string> dotted_names;

  const Expr& operator[](ExprId e) const { return expressions[e.value()]; }
  std::span<const ExprId> children_of(ExprId e) const {
    const Expr& expr = expressions[e.value()];
    return {children.data() + expr.first_child, expr.child_count};
  }
};

/// Throws Error (Input, Unsupported) with file, line and column.
FileSyntax parse_file(const base::Input& input);

}  // namespace nestor::smv
