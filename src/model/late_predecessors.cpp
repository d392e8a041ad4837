#include "model/late_predecessors.h"

#include <utility>

namespace nestor::model {

void LatePredecessors::make(const Rows& successors) {
  const std::lock_guard lock(mutex_);
  if (is_made_.load(std::memory_order_relaxed)) {
    return;
  }
  const base::IdRange<NodeId> nodes(NodeId(0), NodeId(successors.row_count()));
  Rows rows(successors.row_count());
  for (const NodeId n : nodes) {
    for (const NodeId m : successors[n]) {
      rows.count(m);
    }
  }
  rows.finish_counting();
  for (const NodeId n : nodes) {
    for (const NodeId m : successors[n]) {
      rows.add(m, n);
    }
  }
  rows_ = std::move(rows);
  is_made_.store(true, std::memory_order_release);
}

}  // namespace nestor::model
