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
  // A quantifier before any path formula, and the operators of path formulas (LTL): what is not
  // CTL. Those of CTL, above, are a quantifier and one such operator before state formulas.
  E,
  A,
  X,
  F,
  G,
  U,
  W,
  R,
  Y,  ///< yesterday: there is a state before, and the operand is true there
  Z,  ///< the same or there is none
  O,  ///< once
  H,  ///< historically
  S,  ///< since
  T,  ///< triggered
};

/// 0, 1 or 2.
constexpr int operand_count(Op op) {
  switch (op) {
    case Op::True:
    case Op::False:
    case Op::Atom:
      return 0;
    case Op::Not:
    case Op::EX:
    case Op::EF:
    case Op::EG:
    case Op::AX:
    case Op::AF:
    case Op::AG:
    case Op::E:
    case Op::A:
    case Op::X:
    case Op::F:
    case Op::G:
    case Op::Y:
    case Op::Z:
    case Op::O:
    case Op::H:
      return 1;
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Iff:
    case Op::Xor:
    case Op::EU:
    case Op::EW:
    case Op::ER:
    case Op::AU:
    case Op::AW:
    case Op::AR:
    case Op::U:
    case Op::W:
    case Op::R:
    case Op::S:
    case Op::T:
      return 2;
  }
  return 0;
}
/// True for X F G U W R and the past operators.
inline bool is_path_operator(Op op) {
  return op >= Op::X;
}

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
  /// False if a path operator stands outside of all quantifiers: then it speaks of a path.
  bool is_state_formula(FormulaId id) const { return (traits_[id] & kPath) == 0; }
  /// True if every path operator is joined to its quantifier.
  bool is_ctl(FormulaId id) const { return (traits_[id] & kBeyondCtl) == 0; }
  /// True without any quantifier or path operator.
  bool is_propositional(FormulaId id) const { return (traits_[id] & kTemporal) == 0; }

 private:
  static constexpr std::uint8_t kPath = 1;
  static constexpr std::uint8_t kBeyondCtl = 2;
  static constexpr std::uint8_t kTemporal = 4;

  FormulaId intern(const Formula& formula);
  void grow();
  std::uint8_t traits_of(const Formula& formula) const;

  base::IdVector<FormulaId, Formula> formulas_;
  base::IdVector<FormulaId, std::uint8_t> traits_;
  std::vector<FormulaId> slots_;  ///< hash table, open addressing, a power of two of them
  base::StringPool atoms_;
  AtomDialects dialects_;
};

/// `root` and everything below it, ascending, so operands come first.
std::vector<FormulaId> subformulas(const FormulaPool& pool, FormulaId root);
/// The same, but not what is below state formulas: what a path formula says of its own path.
std::vector<FormulaId> path_subformulas(const FormulaPool& pool, FormulaId path);

}  // namespace nestor::logic
