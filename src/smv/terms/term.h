#pragma once

#include "base/id.h"
#include "smv/terms/value.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nestor::smv {

using TermId = base::Id<struct TermTag>;
using VariableId = base::Id<struct VariableTag>;

enum class Op : std::uint8_t {
  Constant,     ///< value
  ConstantSet,  ///< value: index of the set
  Variable,     ///< value: index of the variable; its value now
  Next,         ///< its value in the next state
  Running,      ///< value: index of the process
  Not,
  And,
  Or,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Negate,
  Plus,
  Minus,
  Times,
  Divide,
  Mod,
  Max,
  Min,
  BitNot,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,   ///< value: the width of the amount, if that is a wide word
  ShiftRight,  ///< likewise
  Concat,      ///< value: the width of the second operand
  BitSelect,   ///< value: the lowest bit; the type has the width
  Convert,     ///< the same number or bits as another type
  Count,       ///< how many of the operands are true
  Select,      ///< index, elements; value: the index of the first element
  InSet,       ///< value: index of the set
  Case,        ///< condition, value, condition, value, …
  Union,       ///< any of the operands
};

/// An expression with names resolved, types checked and constants folded. Operands have smaller
/// ids; equal terms have equal ids.
struct Term {
  Op op = Op::Constant;
  Type type;
  bool several = false;      ///< may have several values at once: a set, or made of sets
  bool reads_next = false;   ///< mentions the next state
  bool reads_input = false;  ///< mentions an input variable or which process runs
  bool can_fail = false;     ///< may have no value, as a division may
  std::int64_t value = 0;
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
  std::uint32_t at = 0;  ///< where in the file it was met first
};

/// Why a term has no value where it should have one.
enum class Failure : std::uint8_t {
  None,
  DivisionByZero,
  Overflow,
  IndexOutOfBounds,
  IsExit,
  NoNumber
};

struct Outcome {
  std::int64_t value = 0;
  Failure failure = Failure::None;
};

/// The value of an operator with one or two operands (`b` is not used then). `type` is the type of
/// the result, `operand` that of the first operand.
Outcome apply(Op op, Type type, Type operand, std::int64_t a, std::int64_t b, std::int64_t extra);

/// True if an operand or the result is a wide word, so that apply_wide() has the value.
/// Comparisons by `=` need it not.
bool is_wide_operation(Op op, Type type, Type operand, std::int64_t extra);
Outcome apply_wide(WideWords& words, Op op, Type type, Type operand, std::int64_t a, std::int64_t b,
                   std::int64_t extra);

std::string_view to_string(Failure failure);

/// All terms of a model, hash-consed.
class TermPool {
 public:
  TermId intern(const Term& term, std::span<const TermId> operands);
  const Term& operator[](TermId t) const { return terms_[t]; }
  std::span<const TermId> operands(TermId t) const {
    return {operands_.data() + terms_[t].first_operand, terms_[t].operand_count};
  }
  std::size_t size() const { return terms_.size(); }

  /// Sorted, without duplicates.
  std::uint32_t add_set(std::vector<std::int64_t> values);
  std::span<const std::int64_t> set(std::int64_t index) const {
    const auto i = static_cast<std::size_t>(index);
    return {set_values_.data() + set_begins_[i], set_begins_[i + 1] - set_begins_[i]};
  }

 private:
  void grow();
  std::size_t hash(const Term& term, std::span<const TermId> operands) const;
  bool equal(TermId t, const Term& term, std::span<const TermId> operands) const;

  base::IdVector<TermId, Term> terms_;
  std::vector<TermId> operands_;
  std::vector<TermId> slots_;
  std::vector<std::int64_t> set_values_;  // of all sets, one after the other
  std::vector<std::size_t> set_begins_{0};
};

}  // namespace nestor::smv
