#pragma once

#include "solver/bit_vector_solver.h"

namespace nestor::solver {

/// Z3 is installed.
bool has_z3();
std::unique_ptr<BitVectorSolver> make_z3_solver();

}  // namespace nestor::solver
