#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <unordered_map>
#include <vector>

namespace nestor {

/// Values of formulas without temporal operators, by the labels of a node.
class Labels {
 public:
  Labels(const Rsm& model, const FormulaPool& pool) : model_(model), pool_(pool) {}

  bool is_propositional(FormulaId formula) { return !prepared(formula).is_temporal; }
  /// Of a propositional formula at a plain node.
  bool value(FormulaId formula, NodeId plain);

 private:
  struct Prepared {
    std::vector<FormulaId> parts;  // operands first
    std::vector<PropId> props;     // of the atoms among them
    bool is_temporal = false;
    std::vector<char> values;  // room for one evaluation
  };

  Prepared& prepared(FormulaId formula);

  const Rsm& model_;
  const FormulaPool& pool_;
  std::unordered_map<FormulaId, Prepared> prepared_;
};

}  // namespace nestor
