#pragma once

#include "model/rsm.h"

#include <cstdint>
#include <vector>

namespace nestor::model {

/// Fairness constraints on the paths of a machine without boxes (docs/semantics.md): a path is fair
/// if it is infinite and takes, for each constraint, steps that satisfy it again and again. A
/// constraint on states is one on the steps that leave them.
struct Fairness {
  std::uint32_t constraints = 0;     ///< at most 32; 0: every path counts
  std::vector<std::uint32_t> marks;  ///< by transition: bit i if it satisfies constraint i

  /// The marks of the transitions that leave `n`, in the order of its successors.
  std::span<const std::uint32_t> marks_of(const Rsm& model, NodeId n) const {
    const std::span<const NodeId> successors = model.successors(n);
    const auto first =
        static_cast<std::size_t>(successors.data() - model.successors(NodeId(0)).data());
    return std::span(marks).subspan(first, successors.size());
  }
};

}  // namespace nestor::model
