#include "explain/approximations.h"

#include <algorithm>

namespace nestor::explain {

namespace {

const base::BitSet& values_of(const Labelling& labelling, logic::FormulaId f) {
  const auto place = std::ranges::find(labelling.subformulas, f);
  return labelling.values[static_cast<std::size_t>(place - labelling.subformulas.begin())];
}

/// The X's of one formula, from X₁ on. Each round looks at the neighbours of what the last one
/// changed: together they cost as much as the graph is large, but for EG, which asks for all
/// successors of a state whenever one is lost.
class Rounds {
 public:
  Rounds(const model::Rsm& model, const logic::Formula& formula, const Labelling& labelling)
      : model_(model),
        phi_(values_of(labelling, formula.left)),
        first_(model.component(model.initial_component()).first_node) {
    result_.grows = formula.op == logic::Op::EU;
    result_.changed.assign(labelling.node_rows, 0);
    const base::BitSet& start = result_.grows ? values_of(labelling, formula.right) : phi_;  // X₁
    for (std::uint32_t row = 0; row < labelling.node_rows; ++row) {
      if (start.test(row) == result_.grows) {
        change(row, 1);
      }
    }
  }

  Approximations run() {
    std::uint32_t x = 1;
    for (std::vector<std::uint32_t> last = std::move(new_); !last.empty() || x == 1;) {
      ++x;
      new_.clear();
      for (const std::uint32_t row : last) {
        for (const model::NodeId before : model_.predecessors(first_ + row)) {
          ask(static_cast<std::uint32_t>(before - first_), x);
        }
      }
      last = std::move(new_);
    }
    result_.steps = x;
    return std::move(result_);
  }

 private:
  bool is_in(std::uint32_t row, std::uint32_t x) const {
    return result_.grows == (result_.changed[row] != 0 && result_.changed[row] <= x);
  }
  void change(std::uint32_t row, std::uint32_t x) {
    result_.changed[row] = x;
    new_.push_back(row);
  }
  /// Whether it is in X_x, if one of its successors may have changed in the X before.
  void ask(std::uint32_t row, std::uint32_t x) {
    if (result_.changed[row] != 0) {
      return;
    }
    if (result_.grows ? phi_.test(row) : !has_successor_in(row, x - 1)) {
      change(row, x);
    }
  }
  bool has_successor_in(std::uint32_t row, std::uint32_t x) const {
    const std::span<const model::NodeId> next = model_.successors(first_ + row);
    return ends(row) || std::ranges::any_of(next, [&](model::NodeId n) {
             return is_in(static_cast<std::uint32_t>(n - first_), x);
           });
  }
  /// A path may end there, or stay: the initial exit loops on itself.
  bool ends(std::uint32_t row) const {
    return model_.successors(first_ + row).empty() || model_.is_exit(first_ + row);
  }

  const model::Rsm& model_;
  const base::BitSet& phi_;
  model::NodeId first_;
  Approximations result_;
  std::vector<std::uint32_t> new_;  // rows that the X at hand has changed
};

}  // namespace

std::optional<Approximations> approximate(const model::Rsm& model, const logic::FormulaPool& pool,
                                          const Labelling& labelling, std::size_t number) {
  const logic::Formula& formula = pool[labelling.subformulas[number]];
  if (model.box_count() > 0 || labelling.instances.size() != 1 ||
      (formula.op != logic::Op::EG && formula.op != logic::Op::EU)) {
    return std::nullopt;
  }
  return Rounds(model, formula, labelling).run();
}

}  // namespace nestor::explain
