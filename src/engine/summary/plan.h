#pragma once

#include "engine/summary/shape.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::summary {

/// What the steps of a shape need of each other, whatever the model.
class Plan {
 public:
  /// An existential step under no other.
  struct Outermost {
    std::uint32_t step = 0;
    std::vector<std::uint32_t> needed;  ///< the existential steps below it, ascending
    std::vector<std::uint32_t> roots;   ///< positions of the roots that it stands in
  };

  explicit Plan(const Shape& shape);

  const std::vector<Step>& steps() const { return shape_.steps; }
  const std::vector<std::uint32_t>& roots() const { return shape_.roots; }
  /// What the roots are made of by Boolean operators alone, ascending.
  const std::vector<std::uint32_t>& outside() const { return outside_; }
  /// In an order that puts those with equal beginnings of `needed` next to each other.
  const std::vector<Outermost>& outermost() const { return outermost_; }

  /// `step` and what it is made of by Boolean operators alone, ascending.
  std::vector<std::uint32_t> boolean_closure(std::uint32_t step) const;
  /// No existential step stands below the operands.
  bool has_propositional_operands(std::uint32_t existential) const;
  bool is_EF(std::uint32_t step) const {
    const Step& s = steps()[step];
    return s.op == logic::Op::EU && steps()[s.left].op == logic::Op::True;
  }
  /// The last step that reads the values of an existential step.
  std::uint32_t last_user(std::uint32_t existential) const { return last_user_[existential]; }
  /// How many outermost steps are or need an existential step.
  std::uint32_t use_count(std::uint32_t existential) const { return use_count_[existential]; }

 private:
  std::vector<std::uint32_t> closure_of(std::vector<std::uint32_t> stack) const;
  std::vector<std::uint32_t> existential_below(std::uint32_t step) const;
  std::vector<std::uint32_t> needed_by(std::uint32_t outermost) const;

  const Shape& shape_;
  mutable std::vector<std::uint32_t> visited_;  // by step: the last visit of closure_of()
  mutable std::uint32_t visit_ = 0;
  std::vector<bool> propositional_;  // by step: no existential step at or below it
  std::vector<std::uint32_t> last_user_;
  std::vector<std::uint32_t> use_count_;
  std::vector<std::uint32_t> outside_;
  std::vector<Outermost> outermost_;
};

}  // namespace nestor::engine::summary
