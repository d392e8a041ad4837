#pragma once

#include "program/slice.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nestor::program {

/// A call from a point of one component to another component.
struct CallEdge {
  std::uint32_t point = 0;
  FunctionId target;
  std::uint32_t callee = 0;  ///< index of the component
};

/// A component before it is emitted: its labels, and whether anything happens in it.
struct Draft {
  ComponentKey key;
  bool labelled = false;
  bool kept = false;  ///< something can happen in it or in what it calls
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> labels;  ///< by point, ascending
  std::vector<CallEdge> calls;  ///< of targets that are entered, by point, ascending
};

/// The components that can be reached from the roots.
class SliceDrafts {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  SliceDrafts(const Program& program, const std::vector<ComponentKey>& roots,
              const SliceLabels& labels);

  const std::vector<Draft>& all() const { return drafts_; }
  const std::vector<std::uint32_t>& roots() const { return roots_; }  ///< indices
  const Draft& operator[](std::uint32_t index) const { return drafts_[index]; }
  /// The index of the component that `target` is at this point, if it is kept; else kNone.
  std::uint32_t entered(const Draft& draft, std::uint32_t point, FunctionId target) const;

 private:
  struct KeyHash {
    std::size_t operator()(const ComponentKey& key) const {
      return key.function.value() * std::size_t{0x9E3779B97F4A7C15} ^ key.handle.value() ^
             (key.is_outermost ? std::size_t{1} << 63 : 0);
    }
  };

  std::uint32_t draft_of(const ComponentKey& key);
  void discover(std::size_t index);
  void find_kept();

  const Program& program_;
  const SliceLabels& labels_;
  std::vector<std::uint32_t> roots_;
  std::vector<Draft> drafts_;
  std::unordered_map<ComponentKey, std::uint32_t, KeyHash> index_;
};

}  // namespace nestor::program
