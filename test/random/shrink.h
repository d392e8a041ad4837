#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <functional>

namespace nestor::test {

struct Shrunk {
  Rsm model;
  FormulaId formula;
};

/// Drops components, boxes, nodes, transitions and labels and cuts the formula down, as long as
/// `fails` stays true of what is left.
Shrunk shrink(Rsm model, FormulaPool& pool, FormulaId formula,
              const std::function<bool(const Rsm&, FormulaId)>& fails);

}  // namespace nestor::test
