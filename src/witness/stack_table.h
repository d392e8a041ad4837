#pragma once

#include "model/rsm.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nestor {

using StackId = Id<struct StackTag>;

/// Stacks of boxes, each stored as the stack below it and its top: equal stacks have equal ids, and
/// a path of n steps needs at most n of them however deep they are.
class StackTable {
 public:
  static constexpr StackId kEmpty{0};

  StackTable() { frames_.push_back({kEmpty, BoxId(), 0}); }

  StackId push(StackId below, BoxId box) {
    const std::uint64_t key = std::uint64_t{below.value()} << 32 | box.value();
    const auto [place, is_new] = ids_.try_emplace(key, StackId(frames_.size()));
    if (is_new) {
      frames_.push_back({below, box, frames_[below].depth + 1});
    }
    return place->second;
  }

  bool is_empty(StackId stack) const { return stack == kEmpty; }
  StackId below(StackId stack) const { return frames_[stack].below; }  ///< not of the empty stack
  BoxId top(StackId stack) const { return frames_[stack].box; }        ///< not of the empty stack
  std::uint32_t depth(StackId stack) const { return frames_[stack].depth; }
  std::size_t size() const { return frames_.size(); }
  IdRange<StackId> ids() const { return frames_.ids(); }

 private:
  struct Frame {
    StackId below;
    BoxId box;
    std::uint32_t depth = 0;
  };

  IdVector<StackId, Frame> frames_;  // the stack below has a smaller id
  std::unordered_map<std::uint64_t, StackId> ids_;
};

}  // namespace nestor
