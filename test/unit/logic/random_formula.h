#pragma once

#include "logic/formula.h"

#include <random>
#include <span>
#include <string_view>

namespace nestor::test {

/// A formula with `joins` binary operators and some unary ones, over the atoms `names`.
logic::FormulaId random_formula(logic::FormulaPool& pool, std::mt19937& random, int joins,
                                std::span<const std::string_view> names);

}  // namespace nestor::test
