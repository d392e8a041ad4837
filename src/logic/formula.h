#pragma once

#include "base/id.h"
#include "base/string_pool.h"
#include "logic/atom_dialect.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace nestor::logic {

using FormulaId = base::Id<struct FormulaTag>;

/// What a formula's outermost operator is. Binary operators have a left and a right operand, unary
/// ones only a left.
enum class Op : std::uint8_t {
  True,
  False,
  Atom,
  Not,
  And,
  Or,
  Implies,
  Iff,
  Xor,
  EX,
  EF,
  EG,
  EU,
  EW,
  ER,
  AX,
  AF,
  AG,
  AU,
  AW,
  AR,
};

/// 0, 1 or 2.
int operand_count(Op op);

struct Formula {
  Op op = Op::True;
  FormulaId left;       ///< of operators with an operand
  FormulaId right;      ///< of binary operators
  base::StringId atom;  ///< of Op::Atom

  friend bool operator==(const Formula&, const Formula&) = default;
};

/// All formulas of a run, hash-consed: equal formulas have equal ids. Operands have smaller ids
/// than the formulas they stand in, so a loop over ascending ids meets them bottom-up and no
/// algorithm on formulas needs recursion.
class FormulaPool {
 public:
  /// Texts that are read into the pool may have atoms of these dialects beside names. The span must
  /// outlive the pool.
  explicit FormulaPool(AtomDialects dialects = {}) : dialects_(dialects) {}

  AtomDialects dialects() const { return dialects_; }

  FormulaId constant(bool value);
  FormulaId atom(std::string_view proposition);
  FormulaId unary(Op op, FormulaId operand);
  FormulaId binary(Op op, FormulaId left, FormulaId right);

  const Formula& operator[](FormulaId id) const { return formulas_[id]; }
  std::string_view atom_name(FormulaId id) const { return atoms_[formulas_[id].atom]; }
  std::size_t size() const { return formulas_.size(); }

 private:
  FormulaId intern(const Formula& formula);
  void grow();

  base::IdVector<FormulaId, Formula> formulas_;
  std::vector<FormulaId> slots_;  ///< hash table, open addressing, a power of two of them
  base::StringPool atoms_;
  AtomDialects dialects_;
};

/// `root` and everything below it, ascending, so operands come first.
std::vector<FormulaId> subformulas(const FormulaPool& pool, FormulaId root);

}  // namespace nestor::logic
