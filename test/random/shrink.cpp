#include "shrink.h"

#include "base/error.h"
#include "model/rebuild.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace nestor::test {

namespace {

class Shrinker {
 public:
  Shrinker(model::Rsm model, logic::FormulaPool& pool, logic::FormulaId formula,
           const std::function<bool(const model::Rsm&, logic::FormulaId)>& fails)
      : model_(std::move(model)), pool_(pool), formula_(formula), fails_(fails) {}

  Shrunk run() {
    bool smaller = true;
    while (smaller) {
      smaller = false;
      while (cut_formula() || drop_component() || drop_box() || drop_node() || drop_transition() ||
             drop_label()) {
        smaller = true;
      }
    }
    return {std::move(model_), formula_};
  }

 private:
  bool try_model(const model::Rebuild& what) {
    try {
      model::Rsm candidate = model::rebuild(model_, what);
      if (fails_(candidate, formula_)) {
        model_ = std::move(candidate);
        return true;
      }
    } catch (const base::Error&) {
      // Not well-formed without this piece.
    }
    return false;
  }

  bool drop_component() {
    for (const model::ComponentId c : model_.components()) {
      model::Rebuild what;
      what.keep_component = [c](model::ComponentId other) { return other != c; };
      if (c != model_.initial_component() && try_model(what)) {
        return true;
      }
    }
    return false;
  }
  bool drop_box() {
    for (const model::BoxId b : model_.boxes()) {
      model::Rebuild what;
      what.keep_box = [b](model::BoxId other) { return other != b; };
      if (try_model(what)) {
        return true;
      }
    }
    return false;
  }
  bool drop_node() {
    for (const model::NodeId n : model_.nodes()) {
      model::Rebuild what;
      what.keep_node = [n](model::NodeId other) { return other != n; };
      if (model_.kind(n) == model::NodeKind::Plain && try_model(what)) {
        return true;
      }
    }
    return false;
  }
  bool drop_transition() {
    for (const model::NodeId n : model_.nodes()) {
      for (std::size_t i = 0; i < model_.successors(n).size(); ++i) {
        model::Rebuild what;
        what.keep_transition = [n, i](model::NodeId from, std::size_t k) {
          return from != n || k != i;
        };
        if (try_model(what)) {
          return true;
        }
      }
    }
    return false;
  }
  bool drop_label() {
    for (std::uint32_t p = 0; p < model_.prop_count(); ++p) {
      for (const model::NodeId n : model_.nodes_with(model::PropId(p))) {
        model::Rebuild what;
        what.keep_label = [p, n](model::PropId q, model::NodeId m) {
          return q != model::PropId(p) || m != n;
        };
        if (try_model(what)) {
          return true;
        }
      }
    }
    return false;
  }

  logic::FormulaId replaced(logic::FormulaId from, logic::FormulaId to) {
    std::map<logic::FormulaId, logic::FormulaId> image;
    for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {
      const logic::Formula formula = pool_[f];
      const int operands = logic::operand_count(formula.op);
      if (f == from) {
        image[f] = to;
      } else if (operands == 0) {
        image[f] = f;
      } else if (operands == 1) {
        image[f] = pool_.unary(formula.op, image[formula.left]);
      } else {
        image[f] = pool_.binary(formula.op, image[formula.left], image[formula.right]);
      }
    }
    return image[formula_];
  }

  bool try_formula(logic::FormulaId candidate) {
    if (logic::subformulas(pool_, candidate).size() < logic::subformulas(pool_, formula_).size() &&
        fails_(model_, candidate)) {
      formula_ = candidate;
      return true;
    }
    return false;
  }

  bool cut_formula() {
    for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {
      const logic::Formula part = pool_[f];
      const int operands = logic::operand_count(part.op);
      if ((operands >= 1 && try_formula(replaced(f, part.left))) ||
          (operands == 2 && try_formula(replaced(f, part.right))) ||
          (operands >= 1 && (try_formula(replaced(f, pool_.constant(true))) ||
                             try_formula(replaced(f, pool_.constant(false)))))) {
        return true;
      }
    }
    return false;
  }

  model::Rsm model_;
  logic::FormulaPool& pool_;
  logic::FormulaId formula_;
  const std::function<bool(const model::Rsm&, logic::FormulaId)>& fails_;
};

}  // namespace

Shrunk shrink(model::Rsm model, logic::FormulaPool& pool, logic::FormulaId formula,
              const std::function<bool(const model::Rsm&, logic::FormulaId)>& fails) {
  return Shrinker(std::move(model), pool, formula, fails).run();
}

}  // namespace nestor::test
