#pragma once

#include "solver/bit_vector_solver.h"

#include <cstdint>
#include <vector>

namespace nestor::solver {

/// Terms that are written down before a solver has them: most conditions of paths are fulfilled by
/// numbers that are easily guessed.
class RecordedTerms {
 public:
  using Operation = BitVectorSolver::Operation;
  using Order = BitVectorSolver::Order;

  enum class Kind : std::uint8_t { Constant, Unknown, Apply, Compare, Negate, Extend, Truncate };

  struct Term {
    Kind kind = Kind::Unknown;
    std::uint8_t bits = 64;
    Operation operation = Operation::Add;  ///< of Apply
    Order order = Order::Equal;            ///< of Compare
    bool flag = false;                     ///< of Compare: without a sign; of Extend: with one
    bool has_unknown = false;              ///< some part is not known
    BitVectorId left = BitVectorId();
    BitVectorId right = BitVectorId();
    std::int64_t number = 0;  ///< of Constant
  };

  BitVectorId add(Term term);
  const Term& operator[](BitVectorId id) const { return terms_[id.value()]; }
  std::size_t size() const { return terms_.size(); }
  void clear() { terms_.clear(); }

  /// Numbers were found with which all of these, of one bit each, are 1. False says nothing.
  bool can_be_true(const std::vector<BitVectorId>& conditions);

 private:
  static constexpr int kMostRounds = 4;
  static constexpr int kDeepest = 64;

  std::int64_t at(BitVectorId id) const { return values_[id.value()]; }
  bool is_open(BitVectorId id) const { return terms_[id.value()].has_unknown; }
  void evaluate();
  std::int64_t computed(const Term& term) const;
  bool make(BitVectorId id, std::int64_t wanted, int depth);
  bool make_applied(const Term& term, std::int64_t wanted, int depth);
  bool make_compared(const Term& term, bool wanted, int depth);

  std::vector<Term> terms_;
  std::vector<std::int64_t> values_;    // by term, read with a sign; 1 bit: 0 or 1
  std::vector<std::int64_t> assigned_;  // to terms that are not known
  bool goes_down_ = false;              // what is to be another number becomes smaller
};

}  // namespace nestor::solver
