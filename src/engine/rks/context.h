#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <cassert>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace nestor::engine::rks {

/// A call context θϕ: one bit for each temporal subformula of ϕ only (section 5.4), ascending: for
/// EG and EU, whether it holds in a successor of the return node; for EX ψ, whether ψ does. Bits of
/// propositions and Boolean operators would follow from these or be of no use. If ϕ itself is
/// temporal, its bit is the last one: η of the thesis.
class Context {
 public:
  std::size_t size() const { return bits_.size(); }
  bool operator[](std::size_t i) const { return bits_[i]; }
  void push(bool bit) { bits_.push_back(bit); }
  /// η.
  bool top() const {
    assert(!bits_.empty());
    return bits_.back();
  }
  /// As the thesis writes it: `tff`, the bit on top first.
  std::string text() const {
    std::string letters;
    for (std::size_t i = bits_.size(); i > 0; --i) {
      letters += bits_[i - 1] ? 't' : 'f';
    }
    return letters;
  }
  Context without_top() const {
    Context below = *this;
    below.bits_.pop_back();
    return below;
  }
  Context with_top(bool bit) const {
    Context whole = *this;
    whole.push(bit);
    return whole;
  }

  friend bool operator==(const Context&, const Context&) = default;

 private:
  friend struct ContextHash;
  std::vector<bool> bits_;
};

/// What a context pair is found by.
struct ContextKey {
  logic::FormulaId formula;
  model::ComponentId component;
  Context context;

  friend bool operator==(const ContextKey&, const ContextKey&) = default;
};

struct ContextHash {
  std::size_t operator()(const ContextKey& key) const {
    constexpr std::size_t kOdd = 0x9e3779b97f4a7c15;
    std::size_t hash = std::hash<std::vector<bool>>()(key.context.bits_);
    hash = (hash ^ key.formula.value()) * kOdd;
    return ((hash >> 32) ^ hash ^ key.component.value()) * kOdd;
  }
};

}  // namespace nestor::engine::rks
