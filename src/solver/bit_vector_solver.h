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
/// is Z3, where Nestor was built with it and it is installed; else every answer is Unknown. Effort
/// is counted in Z3's own steps, not in time, so that an answer does not depend on what else the
/// machine does.
class BitVectorSolver {
 public:
  BitVectorSolver() = default;
  virtual ~BitVectorSolver() = default;
  BitVectorSolver(const BitVectorSolver&) = delete;
  BitVectorSolver& operator=(const BitVectorSolver&) = delete;

  /// There is a solver.
  static bool is_available();
  static std::unique_ptr<BitVectorSolver> make();

  /// Forgets all terms and conditions.
  virtual void clear() = 0;

  enum class Operation : std::uint8_t { Add, Subtract, And, Or, ExclusiveOr };
  enum class Order : std::uint8_t { Equal, Less, LessEqual };

  virtual BitVectorId constant(std::int64_t number, unsigned bits) = 0;
  virtual BitVectorId unknown(unsigned bits) = 0;
  /// Of operands with the same number of bits.
  virtual BitVectorId apply(Operation operation, BitVectorId left, BitVectorId right) = 0;
  /// A number of one bit.
  virtual BitVectorId compare(Order order, bool is_unsigned, BitVectorId left,
                              BitVectorId right) = 0;
  virtual BitVectorId negation(BitVectorId condition) = 0;  ///< of one bit, as what follows
  virtual BitVectorId either(BitVectorId left, BitVectorId right) = 0;
  virtual BitVectorId extend(BitVectorId term, unsigned bits, bool has_sign) = 0;
  virtual BitVectorId truncate(BitVectorId term, unsigned bits) = 0;
  virtual unsigned bits_of(BitVectorId term) const = 0;

  /// From now on this is true.
  virtual void assert_always(BitVectorId condition) = 0;
  /// All of `conditions` can be true besides, as was found out without much effort. False says
  /// nothing; no value() is known then.
  virtual bool is_surely_satisfiable(const std::vector<BitVectorId>& conditions) = 0;
  /// All of `conditions` are true besides.
  virtual Satisfiability check(const std::vector<BitVectorId>& conditions) = 0;
  /// After Unsatisfiable: which of them, by number, cannot be true together; none can be left out,
  /// as far as that is found out within the limit.
  virtual std::vector<std::size_t> core() = 0;
  /// After Satisfiable: what the term is then, read with a sign.
  virtual std::optional<std::int64_t> value(BitVectorId term) = 0;
};

}  // namespace nestor::solver
