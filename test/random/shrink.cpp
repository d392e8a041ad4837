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
  Shrinker(Rsm model, FormulaPool& pool, FormulaId formula,
           const std::function<bool(const Rsm&, FormulaId)>& fails)
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
  bool try_model(const Rebuild& what) {
    try {
      Rsm candidate = rebuild(model_, what);
      if (fails_(candidate, formula_)) {
        model_ = std::move(candidate);
        return true;
      }
    } catch (const Error&) {
      // Not well-formed without this piece.
    }
    return false;
  }

  bool drop_component() {
    for (const ComponentId c : model_.components()) {
      Rebuild what;
      what.keep_component = [c](ComponentId other) { return other != c; };
      if (c != model_.initial_component() && try_model(what)) {
        return true;
      }
    }
    return false;
  }
  bool drop_box() {
    for (const BoxId b : model_.boxes()) {
      Rebuild what;
      what.keep_box = [b](BoxId other) { return other != b; };
      if (try_model(what)) {
        return true;
      }
    }
    return false;
  }
  bool drop_node() {
    for (const NodeId n : model_.nodes()) {
      Rebuild what;
      what.keep_node = [n](NodeId other) { return other != n; };
      if (model_.kind(n) == NodeKind::Plain && try_model(what)) {
        return true;
      }
    }
    return false;
  }
  bool drop_transition() {
    for (const NodeId n : model_.nodes()) {
      for (std::size_t i = 0; i < model_.successors(n).size(); ++i) {
        Rebuild what;
        what.keep_transition = [n, i](NodeId from, std::size_t k) { return from != n || k != i; };
        if (try_model(what)) {
          return true;
        }
      }
    }
    return false;
  }
  bool drop_label() {
    for (std::uint32_t p = 0; p < model_.prop_count(); ++p) {
      for (const NodeId n : model_.nodes_with(PropId(p))) {
        Rebuild what;
        what.keep_label = [p, n](PropId q, NodeId m) { return q != PropId(p) || m != n; };
        if (try_model(what)) {
          return true;
        }
      }
    }
    return false;
  }

  FormulaId replaced(FormulaId from, FormulaId to) {
    std::map<FormulaId, FormulaId> image;
    for (const FormulaId f : subformulas(pool_, formula_)) {
      const Formula formula = pool_[f];
      const int operands = operand_count(formula.op);
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

  bool try_formula(FormulaId candidate) {
    if (subformulas(pool_, candidate).size() < subformulas(pool_, formula_).size() &&
        fails_(model_, candidate)) {
      formula_ = candidate;
      return true;
    }
    return false;
  }

  bool cut_formula() {
    for (const FormulaId f : subformulas(pool_, formula_)) {
      const Formula part = pool_[f];
      const int operands = operand_count(part.op);
      if ((operands >= 1 && try_formula(replaced(f, part.left))) ||
          (operands == 2 && try_formula(replaced(f, part.right))) ||
          (operands >= 1 && (try_formula(replaced(f, pool_.constant(true))) ||
                             try_formula(replaced(f, pool_.constant(false)))))) {
        return true;
      }
    }
    return false;
  }

  Rsm model_;
  FormulaPool& pool_;
  FormulaId formula_;
  const std::function<bool(const Rsm&, FormulaId)>& fails_;
};

}  // namespace

Shrunk shrink(Rsm model, FormulaPool& pool, FormulaId formula,
              const std::function<bool(const Rsm&, FormulaId)>& fails) {
  return Shrinker(std::move(model), pool, formula, fails).run();
}

}  // namespace nestor::test
