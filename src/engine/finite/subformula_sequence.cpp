#include "engine/finite/subformula_sequence.h"

#include <cassert>
#include <optional>
#include <utility>

namespace nestor {

namespace {

using Type = Subformula::Type;

/// The operands of A(φ U ψ).
struct Until {
  FormulaId left;
  FormulaId right;
};

bool negates(const FormulaPool& pool, FormulaId f, FormulaId g) {
  return (pool[f].op == Op::Not && pool[f].left == g) ||
         (pool[g].op == Op::Not && pool[g].left == f);
}

// match: E [!ψ U !(φ | ψ)] | EG !ψ   result: φ, ψ
std::optional<Until> negated_until(const FormulaPool& pool, FormulaId until, FormulaId globally) {
  if (pool[until].op != Op::EU || pool[globally].op != Op::EG ||
      pool[until].left != pool[globally].left) {
    return std::nullopt;
  }
  const FormulaId not_right = pool[until].left;
  const Formula& neither = pool[pool[until].right];
  if (neither.op != Op::Not || pool[neither.left].op != Op::Or) {
    return std::nullopt;
  }
  const Formula& either = pool[neither.left];
  if (negates(pool, not_right, either.right)) {
    return Until{either.left, either.right};
  }
  if (negates(pool, not_right, either.left)) {
    return Until{either.right, either.left};
  }
  return std::nullopt;
}

std::optional<Until> negated_until(const FormulaPool& pool, FormulaId f) {
  if (pool[f].op != Op::Or) {
    return std::nullopt;
  }
  const auto found = negated_until(pool, pool[f].left, pool[f].right);
  return found ? found : negated_until(pool, pool[f].right, pool[f].left);
}

}  // namespace

class SubformulaSequence::Builder {
 public:
  Builder(const FormulaPool& pool, Extent extent, std::vector<Subformula>& items,
          std::map<FormulaId, std::uint32_t>& places)
      : pool_(pool), extent_(extent), items_(items), places_(places) {}

  /// Operands before the formulas they stand in, without recursion: a formula is taken up again
  /// when its operands are done.
  void build(FormulaId root) {
    std::vector<FormulaId> open = {root};
    while (!open.empty()) {
      const FormulaId f = open.back();
      if (places_.contains(f)) {
        open.pop_back();
        continue;
      }
      const std::size_t before = open.size();
      for (const FormulaId operand : operands(f)) {
        if (!places_.contains(operand)) {
          open.push_back(operand);
        }
      }
      if (open.size() == before) {
        places_[f] = place(f);
        open.pop_back();
      }
    }
  }

 private:
  std::vector<FormulaId> operands(FormulaId f) const {
    if (const auto until = negated_until(pool_, f)) {
      return extent_ == Extent::Needed
                 ? std::vector{until->left, until->right}
                 : std::vector{until->left, until->right, pool_[f].left, pool_[f].right};
    }
    switch (operand_count(pool_[f].op)) {
      case 0:
        return {};
      case 1:
        return {pool_[f].left};
      default:
        return {pool_[f].left, pool_[f].right};
    }
  }

  std::uint32_t place(FormulaId f) {
    if (const auto until = negated_until(pool_, f)) {
      return negation(add({Type::AU, places_[until->left], places_[until->right], {}}));
    }
    const Formula& formula = pool_[f];
    switch (formula.op) {
      case Op::True:
        return add({Type::True, 0, 0, {}});
      case Op::Atom:
        return add({Type::Atom, 0, 0, f});
      case Op::Not:
        return negation(places_[formula.left]);
      case Op::Or:
        return add({Type::Disjunction, places_[formula.left], places_[formula.right], {}});
      case Op::EX:
        return add({Type::EX, places_[formula.left], 0, {}});
      case Op::EU:
        return add({Type::EU, places_[formula.left], places_[formula.right], {}});
      default: {
        assert(formula.op == Op::EG);  // match: EG φ   result: !A [true U !φ]
        const std::uint32_t top = add({Type::True, 0, 0, {}});
        return negation(add({Type::AU, top, negation(places_[formula.left]), {}}));
      }
    }
  }

  std::uint32_t negation(std::uint32_t i) {
    return items_[i].type == Type::Negation ? items_[i].left : add({Type::Negation, i, 0, {}});
  }

  std::uint32_t add(const Subformula& item) {
    const auto [place, is_new] =
        known_.try_emplace(item, static_cast<std::uint32_t>(items_.size()));
    if (is_new) {
      items_.push_back(item);
    }
    return place->second;
  }

  const FormulaPool& pool_;
  Extent extent_;
  std::vector<Subformula>& items_;
  std::map<FormulaId, std::uint32_t>& places_;
  std::map<Subformula, std::uint32_t> known_;
};

SubformulaSequence::SubformulaSequence(const FormulaPool& pool, FormulaId formula, Extent extent) {
  Builder builder(pool, extent, items_, places_);
  builder.build(formula);
  top_ = places_.at(formula);
  if (extent == Extent::Needed) {
    // Double negations vanish, so the formula may stand before the end: ¬EG φ after EG φ, say.
    items_.resize(top_ + std::size_t{1});
    std::erase_if(places_, [&](const auto& entry) { return entry.second > top_; });
  }
}

std::vector<FormulaId> SubformulaSequence::formulas() const {
  std::vector<FormulaId> result;
  for (const auto& [formula, place] : places_) {
    result.push_back(formula);
  }
  return result;
}

}  // namespace nestor
