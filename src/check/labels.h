#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <unordered_map>
#include <vector>

namespace nestor::check {

/// Values of formulas without temporal operators, by the labels of a node.
class Labels {
 public:
  Labels(const model::Rsm& model, const logic::FormulaPool& pool) : model_(model), pool_(pool) {}

  bool is_propositional(logic::FormulaId formula) { return !prepared(formula).is_temporal; }
  /// Of a propositional formula at a plain node.
  bool value(logic::FormulaId formula, model::NodeId plain);

 private:
  struct Prepared {
    std::vector<logic::FormulaId> parts;  // operands first
    std::vector<model::PropId> props;     // of the atoms among them
    bool is_temporal = false;
    std::vector<char> values;  // room for one evaluation
  };

  Prepared& prepared(logic::FormulaId formula);

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  std::unordered_map<logic::FormulaId, Prepared> prepared_;
};

}  // namespace nestor::check
