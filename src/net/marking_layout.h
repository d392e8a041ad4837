#pragma once

#include "base/bit_layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nestor::net {

/// So many of the tuple with this number.
struct TupleCount {
  std::uint32_t tuple = 0;
  std::uint32_t count = 0;  ///< at least 1
};
/// What lies in a place: a multiset, by the numbers of its tuples.
using Tokens = std::vector<TupleCount>;

/// What a place must have room for.
struct PlaceRoom {
  std::uint32_t tuples = 1;  ///< numbers below
  std::uint32_t kinds = 1;   ///< different tuples at a time
  std::uint32_t most = 1;    ///< of one tuple
};

/// How markings are packed into bits. A place is a list of numbers of tuples with their counts, or
/// a count for each tuple, whichever takes fewer bits.
class MarkingLayout {
 public:
  MarkingLayout() = default;
  explicit MarkingLayout(const std::vector<PlaceRoom>& rooms);

  std::size_t words() const { return layout_.words(); }
  std::size_t bits() const { return layout_.bits(); }

  void read(base::StateView state, std::size_t place, Tokens& tokens) const;
  /// False if the place has no room for them. Then the state must not be used.
  bool write(base::StateBuffer state, std::size_t place, const Tokens& tokens) const;
  /// True if the place is a count for each tuple, so that one of them can be changed alone.
  bool has_counts(std::size_t place) const { return !places_[place].is_list; }
  /// Of such a place. False if it has no room for so many of this tuple.
  bool set_count(base::StateBuffer state, std::size_t place, std::uint32_t tuple,
                 std::uint32_t count) const;
  /// Tokens of one tuple.
  std::uint32_t count(base::StateView state, std::size_t place, std::uint32_t tuple) const;
  /// All tokens of a place.
  std::uint64_t total(base::StateView state, std::size_t place) const;
  /// What the place has room for: as was asked, or more.
  const PlaceRoom& room(std::size_t place) const { return places_[place].room; }

 private:
  struct Place {
    PlaceRoom room;
    bool is_list = false;
    /// A list's numbers, plus 1 so that 0 is nothing; else none.
    std::vector<base::BitField> numbers;
    /// The counts: of a list's entries, less 1; else by number of the tuple.
    std::vector<base::BitField> counts;
    /// Counts of one bit that lie side by side, read together.
    struct Run {
      base::BitField bits;
      std::uint32_t first = 0;  // tuple
    };
    std::vector<Run> runs;
  };
  static void find_runs(Place& place);

  base::BitLayout layout_;
  std::vector<Place> places_;
};

}  // namespace nestor::net
