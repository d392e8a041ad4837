#include "engine/finite/subformula_sequence.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace nestor::engine::finite {

namespace {

using Type = Subformula::Type;
using Place = std::uint32_t;

/// Adds operators on operands that have their places already. What is trivially constant
/// disappears, as in logic/normal_form.cpp.
class SequenceBuilder {
 public:
  explicit SequenceBuilder(std::vector<Subformula>& items) : items_(items) {}

  Place place(logic::FormulaId formula, logic::Op op, Place f, Place g) {
    switch (op) {
      case logic::Op::True:
        return top();
      case logic::Op::False:
        return negation(top());
      case logic::Op::Atom:
        return add({Type::Atom, 0, 0, formula});
      case logic::Op::Not:
        return negation(f);
      case logic::Op::And:
        return conjunction(f, g);
      case logic::Op::Or:
        return disjunction(f, g);
      case logic::Op::Implies:
        return disjunction(negation(f), g);
      case logic::Op::Iff:
        return equivalence(f, g);
      case logic::Op::Xor:
        return negation(equivalence(f, g));
      case logic::Op::EX:
        return next(f);
      case logic::Op::EF:  // E [true U f]
        return until(Type::EU, top(), f);
      case logic::Op::EG:  // !A [true U !f]
        return negation(until(Type::AU, top(), negation(f)));
      case logic::Op::EU:
        return until(Type::EU, f, g);
      case logic::Op::EW:  // !A [!g U !(f | g)]
        return negation(until(Type::AU, negation(g), negation(disjunction(f, g))));
      case logic::Op::ER:  // !A [!f U !g]
        return negation(until(Type::AU, negation(f), negation(g)));
      case logic::Op::AX:  // !EX !f
        return negation(next(negation(f)));
      case logic::Op::AF:  // A [true U f]
        return until(Type::AU, top(), f);
      case logic::Op::AG:  // !E [true U !f]
        return negation(until(Type::EU, top(), negation(f)));
      case logic::Op::AU:
        return until(Type::AU, f, g);
      case logic::Op::AW:  // !E [!g U !(f | g)]
        return negation(until(Type::EU, negation(g), negation(disjunction(f, g))));
      case logic::Op::AR:  // !E [!f U !g]
        return negation(until(Type::EU, negation(f), negation(g)));
      default:
        break;
    }
    assert(false);  // not CTL
    return 0;
  }

 private:
  Place top() { return add({Type::True, 0, 0, {}}); }

  Place negation(Place f) {
    return items_[f].type == Type::Negation ? items_[f].left : add({Type::Negation, f, 0, {}});
  }

  Place disjunction(Place f, Place g) {
    if (is_true(f) || is_true(g) || negates(f, g) || negates(g, f)) {
      return top();
    }
    if (is_false(g) || f == g) {
      return f;
    }
    return is_false(f) ? g : add({Type::Disjunction, f, g, {}});
  }

  Place conjunction(Place f, Place g) { return negation(disjunction(negation(f), negation(g))); }

  Place equivalence(Place f, Place g) {  // (f & g) | !(f | g)
    return disjunction(conjunction(f, g), negation(disjunction(f, g)));
  }

  Place next(Place f) { return is_false(f) ? f : add({Type::EX, f, 0, {}}); }

  Place until(Type type, Place f, Place g) {
    const bool is_right = is_true(g) || is_false(g) || is_false(f) || f == g;
    return is_right ? g : add({type, f, g, {}});
  }

  bool is_true(Place f) const { return items_[f].type == Type::True; }
  bool negates(Place f, Place g) const {
    return items_[f].type == Type::Negation && items_[f].left == g;
  }
  bool is_false(Place f) const {
    return items_[f].type == Type::Negation && is_true(items_[f].left);
  }

  Place add(const Subformula& item) {
    assert(items_.empty() || (item.left < items_.size() && item.right < items_.size()));
    const auto [place, is_new] = known_.try_emplace(item, static_cast<Place>(items_.size()));
    if (is_new) {
      items_.push_back(item);
    }
    return place->second;
  }

  std::vector<Subformula>& items_;
  std::map<Subformula, Place> known_;
};

}  // namespace

SubformulaSequence::SubformulaSequence(const logic::FormulaPool& pool, logic::FormulaId formula) {
  const std::vector<logic::FormulaId> all = logic::subformulas(pool, formula);  // operands first
  const auto place_of = [&](logic::FormulaId f) {
    return places_[static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), f) -
                                            all.begin())];
  };
  SequenceBuilder builder(items_);
  for (const logic::FormulaId f : all) {
    const int operands = logic::operand_count(pool[f].op);
    const Place left = operands >= 1 ? place_of(pool[f].left) : 0;
    const Place right = operands == 2 ? place_of(pool[f].right) : 0;
    places_.push_back(builder.place(f, pool[f].op, left, right));
  }
}

}  // namespace nestor::engine::finite
