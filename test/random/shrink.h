#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <functional>

namespace nestor::test {

struct Shrunk {
  model::Rsm model;
  logic::FormulaId formula;
};

/// Drops components, boxes, nodes, transitions and labels and cuts the formula down, as long as
/// `fails` stays true of what is left.
Shrunk shrink(model::Rsm model, logic::FormulaPool& pool, logic::FormulaId formula,
              const std::function<bool(const model::Rsm&, logic::FormulaId)>& fails);

}  // namespace nestor::test
