#pragma once

#include "engine/engine.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace nestor::engine::summary {

/// A subformula of a shape. Operands come before the steps they stand in.
struct Step {
  logic::Op op = logic::Op::True;
  std::uint32_t left = 0;   ///< a step
  std::uint32_t right = 0;  ///< a step
  std::uint32_t slot = 0;   ///< of Op::Atom: which of the formula's propositions

  friend bool operator==(const Step&, const Step&) = default;
};

/// What formulas are that differ only in the names of their propositions; or several formulas with
/// common subformulas.
struct Shape {
  std::vector<Step> steps;
  std::vector<std::uint32_t> roots;  ///< the steps that are formulas
  std::size_t slots = 0;

  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Formulas to be checked together: side by side any number of formulas of one shape, or of
/// families of them.
struct Batch {
  std::shared_ptr<const Shape> shape;
  std::size_t width = 0;             ///< what is side by side, a bit for each
  std::vector<std::size_t> members;  ///< positions in the task, for each root `width` of them
  std::vector<std::vector<model::PropId>> props;  ///< for each slot `width` of them; may be invalid
};

/// The formulas of a task by shape, in the order of their first members, equal formulas once.
/// Formulas of different shapes that have existential subformulas in common form a family, whose
/// shape has a root for each; families of one shape go side by side like formulas. So whatever two
/// formulas of the task have in common is found once, or once for each batch that has it.
struct Batches {
  std::vector<Batch> batches;
  std::vector<std::size_t> same_as;  ///< for each formula of the task, the first one equal to it
};

/// Batches are at most `most` wide.
Batches make_batches(const Task& task, std::size_t most);

/// A batch of several formulas in two.
std::pair<Batch, Batch> halves_of(const Batch& batch);

}  // namespace nestor::engine::summary
