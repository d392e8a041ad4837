#pragma once

#include "base/compressed_rows.h"
#include "model/node_names.h"

#include <atomic>
#include <cstddef>
#include <mutex>

namespace nestor::model {

/// The predecessors of a graph's nodes, made when they are asked for. Safe to use from several
/// threads.
class LatePredecessors {
 public:
  using Rows = base::CompressedRows<NodeId, NodeId>;

  /// Always of the same successors.
  const Rows& get(const Rows& successors) {
    if (!is_made_.load(std::memory_order_acquire)) {
      make(successors);
    }
    return rows_;
  }
  /// 0 as long as nobody has asked.
  std::size_t memory_bytes() const {
    return is_made_.load(std::memory_order_acquire) ? rows_.memory_bytes() : 0;
  }

 private:
  void make(const Rows& successors);

  std::mutex mutex_;
  std::atomic<bool> is_made_ = false;
  Rows rows_;
};

}  // namespace nestor::model
