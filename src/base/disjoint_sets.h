#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace nestor::base {

/// A partition of 0 … n-1 that becomes coarser.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t root_of(std::size_t item) {
    while (parent_[item] != item) {
      item = parent_[item] = parent_[parent_[item]];
    }
    return item;
  }
  void unite(std::size_t one, std::size_t other) { parent_[root_of(other)] = root_of(one); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace nestor::base
