#pragma once

#include "base/id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace nestor::solver {

using BitVectorId = base::Id<struct BitVectorTag>;  ///< of one solver

enum class Satisfiability : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

/// Whether numbers of so many bits can be such that all of some conditions are true. What decides
/// is Z3, where Nestor was built with it; else every answer is Unknown. Effort is counted in Z3's
/// own steps, not in time, so that an answer does not depend on what else the machine does.
class BitVectorSolver {
 public:
  BitVectorSolver();
  ~BitVectorSolver();
  BitVectorSolver(const BitVectorSolver&) = delete;
  BitVectorSolver& operator=(const BitVectorSolver&) = delete;

  /// Nestor was built with a solver.
  static bool is_available();

  /// Forgets all terms and conditions.
  void clear();

  enum class Operation : std::uint8_t { Add, Subtract, And, Or, ExclusiveOr };
  enum class Order : std::uint8_t { Equal, Less, LessEqual };

  BitVectorId constant(std::int64_t number, unsigned bits);
  BitVectorId unknown(unsigned bits);
  /// Of operands with the same number of bits.
  BitVectorId apply(Operation operation, BitVectorId left, BitVectorId right);
  /// A number of one bit.
  BitVectorId compare(Order order, bool is_unsigned, BitVectorId left, BitVectorId right);
  BitVectorId negation(BitVectorId condition);  ///< of one bit, as what follows
  BitVectorId either(BitVectorId left, BitVectorId right);
  BitVectorId extend(BitVectorId term, unsigned bits, bool has_sign);
  BitVectorId truncate(BitVectorId term, unsigned bits);
  unsigned bits_of(BitVectorId term) const;

  /// From now on this is true.
  void assert_always(BitVectorId condition);
  /// All of `conditions` are true besides.
  Satisfiability check(const std::vector<BitVectorId>& conditions);
  /// After Unsatisfiable: which of them, by number, cannot be true together; none can be left out,
  /// as far as that is found out within the limit.
  std::vector<std::size_t> core();
  /// After Satisfiable: what the term is then, read with a sign.
  std::optional<std::int64_t> value(BitVectorId term);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace nestor::solver
