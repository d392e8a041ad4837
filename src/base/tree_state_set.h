#pragma once

#include "base/bit_layout.h"
#include "base/packed_state_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nestor::base {

/// A state that was taken out of a set: a view of what the set has, or a copy of its own. A range
/// of words, so a StateView can be made of it, for as long as it lives.
class TakenState {
 public:
  explicit TakenState(StateView inside) : size_(inside.size()), inside_(inside.data()) {}
  static TakenState copy_of(std::size_t words) { return TakenState(words); }
  TakenState(TakenState&&) noexcept = default;
  TakenState& operator=(TakenState&&) = delete;

  const std::uint32_t* begin() const { return data(); }
  const std::uint32_t* end() const { return data() + size_; }
  StateBuffer buffer() { return {large_.empty() ? small_.data() : large_.data(), size_}; }

 private:
  static constexpr std::size_t kSmall = 24;

  explicit TakenState(std::size_t words) : size_(words), large_(words > kSmall ? words : 0) {}
  const std::uint32_t* data() const {
    return inside_ != nullptr ? inside_ : large_.empty() ? small_.data() : large_.data();
  }

  std::size_t size_;
  const std::uint32_t* inside_ = nullptr;
  std::array<std::uint32_t, kSmall> small_;  // written only if it is a copy
  std::vector<std::uint32_t> large_;
};

/// A set of states like PackedStateSet, in which wide states share their parts: a state is a tree
/// of pairs, each pair is there once, and what a state takes is the two words of its root, their
/// index, and whatever of it no other state has. After
///   A. Laarman, J. van de Pol, M. Weber: Parallel recursive state compression for free.  SPIN
///   2011.
/// Narrow states are kept as they are, and so are all as long as the set is told to be flat, which
/// takes up to twice the memory and a fraction of the time.
class TreeStateSet {
 public:
  enum class Shape : std::uint8_t { Flat, Tree };

  static constexpr std::uint32_t kMostStates = PackedStateSet::kMostStates;
  static constexpr std::uint32_t kAbsent = PackedStateSet::kAbsent;
  using Inserted = PackedStateSet::Inserted;

  explicit TreeStateSet(std::size_t words_per_state, Shape shape = Shape::Tree);
  Shape shape() const { return is_flat() ? Shape::Flat : Shape::Tree; }
  /// Whether states of this width can share parts.
  static bool can_be_tree(std::size_t words_per_state) { return words_per_state >= kLeastWords; }

  /// As those of PackedStateSet.
  Inserted insert(StateView state) { return is_flat() ? roots_.insert(state) : insert_tree(state); }
  std::uint32_t find(StateView state) { return is_flat() ? roots_.find(state) : find_tree(state); }
  std::uint32_t size() const { return roots_.size(); }
  void drop_index() {
    roots_.drop_index();
    pairs_.drop_index();
  }
  std::size_t bytes_to_grow() const {
    return roots_.bytes_to_grow() + (is_flat() ? 0 : pairs_.bytes_to_grow());
  }
  std::size_t memory_bytes() const { return roots_.memory_bytes() + pairs_.memory_bytes(); }
  /// Words of states, or of what states are made of.
  std::size_t content_words() const {
    return is_flat() ? words_ * size() : 2 * (std::size_t{roots_.size()} + pairs_.size());
  }

  TakenState operator[](std::uint32_t number) const;
  /// The states that are put in next are much like this one.
  void expect_near(std::uint32_t number);

 private:
  // Narrower states take no more than a root.
  static constexpr std::size_t kLeastWords = 3;

  bool is_flat() const { return levels_.empty(); }
  Inserted insert_tree(StateView state);
  std::uint32_t find_tree(StateView state);
  template <class Pair>
  bool climb(StateView state, Pair pair);

  std::size_t words_;
  /// Of the tree, words first: where each level begins among `values`, and where the last one, of
  /// two values, ends.
  std::vector<std::size_t> levels_;
  PackedStateSet roots_;               // pairs; of narrow states, the states
  PackedStateSet pairs_;               // that are not roots
  std::vector<std::uint32_t> near_;    // the values of a state that is in the set, if not empty
  std::vector<std::uint32_t> values_;  // of the state that is looked at
};

}  // namespace nestor::base
