#include "program/number_set.h"

#include <algorithm>

namespace nestor::program {

NumberSet NumberSet::range(std::int64_t low, std::int64_t high) {
  NumberSet set;
  if (low <= high) {
    set.add({low, high});
  }
  return set;
}

/// Ranges come in order; one that goes on where the last ended is the same. Where there is no room,
/// the two with the smallest gap become one.
void NumberSet::add(Range range) {
  if (count_ > 0 && ranges_[count_ - 1].high + 1 == range.low) {
    ranges_[count_ - 1].high = range.high;
    return;
  }
  if (count_ < kMost) {
    ranges_[count_++] = range;
    return;
  }
  const auto gap = [](const Range& a, const Range& b) {
    return static_cast<std::uint64_t>(b.low) - static_cast<std::uint64_t>(a.high);
  };
  std::size_t best = kMost - 1;
  std::uint64_t smallest = gap(ranges_[kMost - 1], range);
  for (std::size_t i = 0; i + 1 < kMost; ++i) {
    if (gap(ranges_[i], ranges_[i + 1]) < smallest) {
      smallest = gap(ranges_[i], ranges_[i + 1]);
      best = i;
    }
  }
  if (best == kMost - 1) {
    ranges_[kMost - 1].high = range.high;
    return;
  }
  ranges_[best].high = ranges_[best + 1].high;
  std::move(ranges_.begin() + static_cast<std::ptrdiff_t>(best) + 2, ranges_.end(),
            ranges_.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  ranges_[kMost - 1] = range;
}

bool NumberSet::contains(std::int64_t number) const {
  return std::any_of(begin(), end(), [&](const Range& range) {
    return range.low <= number && number <= range.high;
  });
}

std::optional<std::int64_t> NumberSet::single() const {
  return count_ == 1 && ranges_[0].low == ranges_[0].high ? std::optional(ranges_[0].low)
                                                          : std::nullopt;
}

NumberSet NumberSet::meet(const NumberSet& other) const {
  NumberSet result;
  for (const Range& a : *this) {
    for (const Range& b : other) {
      const Range both{std::max(a.low, b.low), std::min(a.high, b.high)};
      if (both.low <= both.high) {
        result.add(both);
      }
    }
  }
  return result;
}

NumberSet NumberSet::join(const NumberSet& other) const {
  std::array<Range, 2 * kMost> ranges;
  Range* const last = std::merge(begin(), end(), other.begin(), other.end(), ranges.data(),
                                 [](const Range& a, const Range& b) { return a.low < b.low; });
  NumberSet result;
  for (const Range* range = ranges.data(); range != last;) {
    Range whole = *range++;
    for (; range != last && range->low <= whole.high; ++range) {
      whole.high = std::max(whole.high, range->high);
    }
    result.add(whole);
  }
  return result;
}

NumberSet NumberSet::where(Relation relation, std::int64_t number) const {
  switch (relation) {
    case Relation::Equal:
      return meet(only(number));
    case Relation::NotEqual: {
      NumberSet others;
      if (number != kLowest) {
        others.add({kLowest, number - 1});
      }
      if (number != kHighest) {
        others.add({number + 1, kHighest});
      }
      return meet(others);
    }
    case Relation::Less:
      return number == kLowest ? NumberSet() : meet(range(kLowest, number - 1));
    case Relation::LessEqual:
      return meet(range(kLowest, number));
    case Relation::Greater:
      return number == kHighest ? NumberSet() : meet(range(number + 1, kHighest));
    case Relation::GreaterEqual:
      return meet(range(number, kHighest));
  }
  return *this;
}

NumberSet NumberSet::where_unsigned(Relation relation, std::int64_t number) const {
  if (relation == Relation::Equal || relation == Relation::NotEqual) {
    return where(relation, number);
  }
  if (relation == Relation::Less || relation == Relation::LessEqual) {
    // Those with the highest bit are larger than those without.
    const NumberSet below = where(relation, number);
    if (number >= 0) {
      return below.where(Relation::GreaterEqual, 0);
    }
    NumberSet result = below;  // negative ones below, and all that are not negative
    for (const Range& range : where(Relation::GreaterEqual, 0)) {
      result.add(range);
    }
    return result;
  }
  if (number >= 0) {
    NumberSet result = where(Relation::Less, 0);
    for (const Range& range : where(relation, number).where(Relation::GreaterEqual, 0)) {
      result.add(range);
    }
    return result;
  }
  return where(relation, number).where(Relation::Less, 0);
}

bool holds(std::int64_t left, Relation relation, std::int64_t right) {
  return !NumberSet::only(left).where(relation, right).is_empty();
}

Relation negated(Relation relation) {
  switch (relation) {
    case Relation::Equal:
      return Relation::NotEqual;
    case Relation::NotEqual:
      return Relation::Equal;
    case Relation::Less:
      return Relation::GreaterEqual;
    case Relation::LessEqual:
      return Relation::Greater;
    case Relation::Greater:
      return Relation::LessEqual;
    case Relation::GreaterEqual:
      return Relation::Less;
  }
  return relation;
}

Relation swapped(Relation relation) {
  switch (relation) {
    case Relation::Less:
      return Relation::Greater;
    case Relation::LessEqual:
      return Relation::GreaterEqual;
    case Relation::Greater:
      return Relation::Less;
    case Relation::GreaterEqual:
      return Relation::LessEqual;
    default:
      return relation;
  }
}

}  // namespace nestor::program
