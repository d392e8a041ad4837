#pragma once

#include "logic/parser.h"
#include "logic/property.h"

#include <mutex>
#include <nestor/formula.h>
#include <span>
#include <unordered_map>
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

/// What was read together. Formulas are taken out as nodes only when somebody looks into them: most
/// are only asked.
struct Formula::Text {
  Text(logic::FormulaPool all, std::size_t count) : pool(std::move(all)), formulas(count) {}
  std::shared_ptr<const Node> node(std::uint32_t number) const;

  const logic::FormulaPool pool;
  const std::size_t formulas;  // that are not parts of others

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const Node>> made_;  // by formula of the pool
};

/// Between the library's formulas and those of a pool.
class FormulaAccess {
 public:
  /// What of texts has been put into one pool.
  class Known {
    friend class FormulaAccess;
    struct OfText {
      std::shared_ptr<const Formula::Text> text;
      std::vector<logic::FormulaId> formulas;  // by formula of the text's pool
    };
    std::unordered_map<const Formula::Text*, OfText> texts_;
  };

  static std::vector<Formula> of(logic::FormulaPool pool,
                                 const std::vector<logic::NamedFormula>& formulas);
  static std::vector<Formula> of(logic::FormulaPool pool,
                                 std::span<const logic::ModelProperty> properties);
  static Formula of(logic::FormulaPool pool, const logic::NamedFormula& named) {
    return of(std::move(pool), std::vector{named}).front();
  }
  /// Its `formula` is not valid if it is unsupported or of the mu-calculus.
  static logic::ModelProperty into(logic::FormulaPool& pool, const Formula& formula) {
    Known known;
    return into(pool, formula, known);
  }
  /// The same for many formulas and one pool.
  static logic::ModelProperty into(logic::FormulaPool& pool, const Formula& formula, Known& known);
  /// Not valid if there is no formula.
  static logic::FormulaId id_in(logic::FormulaPool& pool, const Formula& formula, Known& known);
  static bool is_property(const Formula& formula) { return formula.extra_ != nullptr; }
  static std::shared_ptr<const Formula::Node> root(const Formula& formula) {
    return formula.root();
  }

 private:
  static Formula make(const std::shared_ptr<const Formula::Text>& text,
                      const logic::NamedFormula& named);
};

}  // namespace nestor
