#include "solver/bit_vector_solver.h"

#ifdef NESTOR_Z3_NAME
#include "solver/z3_solver.h"
#endif

namespace nestor::solver {

namespace {

/// Where there is no solver: terms are nothing, and no answer is known.
class AbsentSolver final : public BitVectorSolver {
 public:
  void clear() override {}
  BitVectorId constant(std::int64_t, unsigned) override { return BitVectorId(0); }
  BitVectorId unknown(unsigned) override { return BitVectorId(0); }
  BitVectorId apply(Operation, BitVectorId, BitVectorId) override { return BitVectorId(0); }
  BitVectorId compare(Order, bool, BitVectorId, BitVectorId) override { return BitVectorId(0); }
  BitVectorId negation(BitVectorId) override { return BitVectorId(0); }
  BitVectorId either(BitVectorId, BitVectorId) override { return BitVectorId(0); }
  BitVectorId extend(BitVectorId, unsigned, bool) override { return BitVectorId(0); }
  BitVectorId truncate(BitVectorId, unsigned) override { return BitVectorId(0); }
  unsigned bits_of(BitVectorId) const override { return 64; }
  void assert_always(BitVectorId) override {}
  bool is_surely_satisfiable(const std::vector<BitVectorId>&) override { return false; }
  Satisfiability check(const std::vector<BitVectorId>&) override { return Satisfiability::Unknown; }
  std::vector<std::size_t> core() override { return {}; }
  std::optional<std::int64_t> value(BitVectorId) override { return std::nullopt; }
};

}  // namespace

bool BitVectorSolver::is_available() {
#ifdef NESTOR_Z3_NAME
  return has_z3();
#else
  return false;
#endif
}

std::unique_ptr<BitVectorSolver> BitVectorSolver::make() {
#ifdef NESTOR_Z3_NAME
  if (has_z3()) {
    return make_z3_solver();
  }
#endif
  return std::make_unique<AbsentSolver>();
}

}  // namespace nestor::solver
