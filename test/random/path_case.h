#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <random>

namespace nestor::test {

/// A small machine, of one component or several, with or without recursion.
model::Rsm random_path_machine(std::uint64_t seed);

/// A formula of CTL* about it, with few path operators; `nests`: with a quantifier inside another.
logic::FormulaId random_path_question(logic::FormulaPool& pool, std::mt19937_64& random,
                                      bool nests);

}  // namespace nestor::test
