#pragma once

#include "engine/engine.h"

#include <cstdint>
#include <vector>

namespace nestor::summary {

/// A subformula of a shape. Operands come before the steps they stand in.
struct Step {
  Op op = Op::True;
  std::uint32_t left = 0;   ///< a step
  std::uint32_t right = 0;  ///< a step
  std::uint32_t slot = 0;   ///< of Op::Atom: which of the formula's propositions
};

/// What formulas are that differ only in the names of their propositions.
struct Shape {
  std::vector<Step> steps;  ///< the last one is the formula
  std::size_t slots = 0;
};

/// Formulas of one shape, to be checked together.
struct Batch {
  const Shape* shape = nullptr;
  std::vector<std::size_t> members;        ///< positions in the task
  std::vector<std::vector<PropId>> props;  ///< for each slot, for each member; may be invalid
};

/// The formulas of a task by shape, in the order of their first members, equal formulas once.
struct Batches {
  std::vector<std::unique_ptr<Shape>> shapes;
  std::vector<Batch> batches;
  std::vector<std::size_t> same_as;  ///< for each formula of the task, the first one equal to it
};

/// Batches have at most `most` members.
Batches make_batches(const Task& task, std::size_t most);

}  // namespace nestor::summary
