#include "solver/bit_vector_solver.h"

// Where Nestor is built without Z3: terms are nothing, and no answer is known.

namespace nestor::solver {

struct BitVectorSolver::Parts {};

BitVectorSolver::BitVectorSolver() = default;
BitVectorSolver::~BitVectorSolver() = default;

bool BitVectorSolver::is_available() {
  return false;
}

void BitVectorSolver::clear() {}

BitVectorId BitVectorSolver::constant(std::int64_t, unsigned) {
  return BitVectorId(0);
}

BitVectorId BitVectorSolver::unknown(unsigned) {
  return BitVectorId(0);
}

BitVectorId BitVectorSolver::apply(Operation, BitVectorId, BitVectorId) {
  return BitVectorId(0);
}

BitVectorId BitVectorSolver::compare(Order, bool, BitVectorId, BitVectorId) {
  return BitVectorId(0);
}

BitVectorId BitVectorSolver::negation(BitVectorId) {
  return BitVectorId(0);
}

BitVectorId BitVectorSolver::either(BitVectorId, BitVectorId) {
  return BitVectorId(0);
}

BitVectorId BitVectorSolver::extend(BitVectorId, unsigned, bool) {
  return BitVectorId(0);
}

BitVectorId BitVectorSolver::truncate(BitVectorId, unsigned) {
  return BitVectorId(0);
}

unsigned BitVectorSolver::bits_of(BitVectorId) const {
  return 64;
}

void BitVectorSolver::assert_always(BitVectorId) {}

Satisfiability BitVectorSolver::check(const std::vector<BitVectorId>&) {
  return Satisfiability::Unknown;
}

std::vector<std::size_t> BitVectorSolver::core() {
  return {};
}

std::optional<std::int64_t> BitVectorSolver::value(BitVectorId) {
  return std::nullopt;
}

}  // namespace nestor::solver
