#pragma once

#include "base/limits.h"
#include "net/net_formula.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nestor::net {

/// Sets of markings as list decision diagrams (marking_sets.cpp): equal sets have equal numbers.
/// Places are levels here, from 0. Everything throws LimitReached; the sets that were there stay as
/// they were.
class MarkingSets {
 public:
  using Set = std::uint32_t;
  static constexpr Set kNone = 0;
  static constexpr Set kUnit = 1;       ///< one marking of no places: what follows the last level
  static constexpr Set kAll = ~Set{0};  ///< every marking; only where a parameter is named `within`

  /// The markings of a set with the fewest tokens in its first place.
  struct Node {
    std::uint32_t tokens = 0;
    Set below = kNone;  ///< their other places
    Set rest = kNone;   ///< the markings with more tokens there
  };

  MarkingSets();

  /// Who watches the limits from now on.
  void watch(base::LimitGuard& guard) {
    guard_ = &guard;
    rows_.clear();  // those of an operation that did not end
  }

  Set unite(Set a, Set b);
  Set intersect(Set a, Set b);
  Set subtract(Set a, Set b);
  /// The marking with these tokens, by level.
  Set single(std::span<const std::uint32_t> tokens);
  bool contains(Set set, std::span<const std::uint32_t> tokens) const;
  /// Those of a set of markings, from level 0 on, that satisfy a comparison; its places are levels,
  /// ascending.
  Set satisfying(Set set, const AtMostZero& comparison);

  Node operator[](Set set) const { return nodes_[set]; }
  /// What is below so many tokens; of kAll, kAll.
  Set below(Set within, std::uint32_t tokens) const;
  std::size_t size() const { return nodes_.size(); }

  // To make sets with other operations. A row: the tokens of one place, ascending, each with a set
  // for the places below. Rows are nested.
  std::size_t begin_row() const { return rows_.size(); }
  void add_to_row(std::uint32_t tokens, Set below) {
    if (below != kNone) {
      rows_.push_back({tokens, below, kNone});
    }
  }
  /// `rest`: markings with more tokens than any in the row.
  Set end_row(std::size_t first, Set rest = kNone);

  /// What was computed before, unless it was forgotten. Operations have numbers from
  /// kFirstOperation on.
  static constexpr std::uint32_t kFirstOperation = 3;
  std::optional<Set> known(std::uint32_t operation, Set a, Set b) const;
  Set remember(std::uint32_t operation, Set a, Set b, Set result);
  base::LimitGuard& guard() { return *guard_; }

 private:
  struct Known {
    std::uint32_t operation = ~std::uint32_t{0};
    Set a = kNone;
    Set b = kNone;
    Set result = kNone;
  };
  struct Sum {  // of a comparison: the markings of `set` that are left, with this sum above
    Set set = kNone;
    std::int64_t sum = 0;
    Set result = kNone;
  };
  class Filter;

  template <class Combine>
  std::pair<Set, Set> walk(Set a, Set b, Combine combine);
  Set find_or_add(const Node& node);
  void make_room();
  std::size_t slot(std::uint32_t operation, Set a, Set b) const;

  base::LimitGuard* guard_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<Set> table_;    // of nodes, open addressing; kNone is free
  std::vector<Known> known_;  // what is met with the same hash takes its place
  std::vector<Node> rows_;    // that are being made
};

}  // namespace nestor::net
