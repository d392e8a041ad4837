#pragma once

#include "logic/parser.h"
#include "logic/property.h"

#include <nestor/formula.h>
#include <span>
#include <vector>

namespace nestor {

/// One operator. Operands may be shared, so formulas are graphs, as in logic::FormulaPool.
struct Formula::Node {
  Node(logic::Op node_op, std::shared_ptr<const Node> node_left,
       std::shared_ptr<const Node> node_right, std::string node_atom)
      : op(node_op),
        left(std::move(node_left)),
        right(std::move(node_right)),
        atom(std::move(node_atom)) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  /// Not by recursion: formulas may be deep.
  ~Node();

  logic::Op op;
  mutable std::shared_ptr<const Node> left;  // taken away only when this ends
  mutable std::shared_ptr<const Node> right;
  std::string atom;
};

/// A property whose formula is left out.
struct Formula::Extra {
  logic::ModelProperty property;
};

/// Between the library's formulas and those of a pool.
class FormulaAccess {
 public:
  static Formula of(const logic::FormulaPool& pool, const logic::NamedFormula& named);
  static std::vector<Formula> of(const logic::FormulaPool& pool,
                                 std::span<const logic::ModelProperty> properties);
  /// Its `formula` is not valid if it is unsupported or of the mu-calculus.
  static logic::ModelProperty into(logic::FormulaPool& pool, const Formula& formula);
  static bool is_property(const Formula& formula) { return formula.extra_ != nullptr; }
  static Formula make(std::shared_ptr<const Formula::Node> root) {
    return Formula(std::move(root));
  }
  static Formula make(std::shared_ptr<const Formula::Node> root, const logic::NamedFormula& named);
  static const std::shared_ptr<const Formula::Node>& root(const Formula& formula) {
    return formula.root_;
  }
};

}  // namespace nestor
