#include "program/number_set.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace nestor::program {
namespace {

constexpr std::int64_t kFrom = -12;  // numbers of the tests
constexpr std::int64_t kTo = 12;
constexpr Relation kRelations[] = {Relation::Equal,     Relation::NotEqual, Relation::Less,
                                   Relation::LessEqual, Relation::Greater,  Relation::GreaterEqual};

template <class Number>
bool compares(Number left, Relation relation, Number right) {
  switch (relation) {
    case Relation::Equal:
      return left == right;
    case Relation::NotEqual:
      return left != right;
    case Relation::Less:
      return left < right;
    case Relation::LessEqual:
      return left <= right;
    case Relation::Greater:
      return left > right;
    default:
      return left >= right;
  }
}

std::set<std::int64_t> numbers_of(const NumberSet& set) {
  std::set<std::int64_t> result;
  for (std::int64_t number = kFrom; number <= kTo; ++number) {
    if (set.contains(number)) {
      result.insert(number);
    }
  }
  return result;
}

std::size_t ranges_of(const std::set<std::int64_t>& numbers) {
  std::size_t count = 0;
  for (const std::int64_t number : numbers) {
    count += numbers.count(number - 1) == 0 ? 1 : 0;
  }
  return count;
}

/// None of `expected` is missing, nothing else is there if there is room, ranges are in order and
/// apart.
void expect_holds(const NumberSet& set, const std::set<std::int64_t>& expected) {
  const std::set<std::int64_t> numbers = numbers_of(set);
  if (ranges_of(expected) <= 4) {
    EXPECT_EQ(numbers, expected);
  } else {
    for (const std::int64_t number : expected) {
      EXPECT_TRUE(set.contains(number)) << number;
    }
  }
  EXPECT_EQ(set.is_empty(), expected.empty());
  for (const NumberSet::Range* range = set.begin(); range != set.end(); ++range) {
    EXPECT_LE(range->low, range->high);
    if (range + 1 != set.end()) {
      EXPECT_LT(range->high + 1, range[1].low);
    }
  }
}

class RandomSets {
 public:
  NumberSet next() {
    NumberSet set = NumberSet::range(number(), number());
    if (set.is_empty()) {
      set = NumberSet::range(kFrom, kTo);
    }
    for (std::size_t holes = random_.below(4); holes > 0; --holes) {
      set = set.where(Relation::NotEqual, number());
    }
    return set;
  }
  std::int64_t number() {
    return kFrom + static_cast<std::int64_t>(random_.below(kTo - kFrom + 1));
  }

 private:
  base::Random random_{1};
};

TEST(NumberSet, WhereKeepsThoseThatCompareSo) {
  RandomSets sets;
  for (int i = 0; i < 3000; ++i) {
    const NumberSet set = sets.next();
    const std::int64_t number = sets.number();
    for (const Relation relation : kRelations) {
      std::set<std::int64_t> expected;
      std::set<std::int64_t> expected_unsigned;
      for (const std::int64_t one : numbers_of(set)) {
        EXPECT_EQ(holds(one, relation, number), compares(one, relation, number));
        if (compares(one, relation, number)) {
          expected.insert(one);
        }
        if (compares(static_cast<std::uint64_t>(one), relation,
                     static_cast<std::uint64_t>(number))) {
          expected_unsigned.insert(one);
        }
      }
      expect_holds(set.where(relation, number), expected);
      expect_holds(set.where_unsigned(relation, number), expected_unsigned);
    }
  }
}

TEST(NumberSet, MeetKeepsWhatIsInBoth) {
  RandomSets sets;
  for (int i = 0; i < 3000; ++i) {
    const NumberSet a = sets.next();
    const NumberSet b = sets.next();
    std::set<std::int64_t> expected;
    for (const std::int64_t number : numbers_of(a)) {
      if (b.contains(number)) {
        expected.insert(number);
      }
    }
    expect_holds(a.meet(b), expected);
  }
}

TEST(NumberSet, WhatNeedsMoreRangesTakesInTheSmallestGap) {
  NumberSet set = NumberSet::range(0, 100);
  for (const std::int64_t hole : {20, 40, 60, 61, 80}) {
    set = set.where(Relation::NotEqual, hole);
  }
  EXPECT_FALSE(set.contains(60));
  EXPECT_FALSE(set.contains(61));
  EXPECT_EQ(set.end() - set.begin(), 4);
}

TEST(NumberSet, TheEndsAreNumbersAsOthers) {
  const std::int64_t low = NumberSet::kLowest;
  const std::int64_t high = NumberSet::kHighest;
  const NumberSet all = NumberSet::all();
  EXPECT_TRUE(all.where(Relation::Less, low).is_empty());
  EXPECT_TRUE(all.where(Relation::Greater, high).is_empty());
  EXPECT_TRUE(all.where(Relation::LessEqual, high).is_all());
  EXPECT_TRUE(all.where(Relation::GreaterEqual, low).is_all());
  EXPECT_EQ(all.where(Relation::LessEqual, low).single(), low);
  EXPECT_EQ(NumberSet::except(low), NumberSet::range(low + 1, high));
  EXPECT_EQ(NumberSet::except(high), NumberSet::range(low, high - 1));
  // Without a sign, -1 is the highest and 0 the lowest.
  EXPECT_TRUE(all.where_unsigned(Relation::LessEqual, -1).is_all());
  EXPECT_TRUE(all.where_unsigned(Relation::GreaterEqual, 0).is_all());
  EXPECT_TRUE(all.where_unsigned(Relation::Less, 0).is_empty());
  EXPECT_TRUE(all.where_unsigned(Relation::Greater, -1).is_empty());
  EXPECT_EQ(all.where_unsigned(Relation::Greater, 0), NumberSet::except(0));
  EXPECT_EQ(all.where_unsigned(Relation::Less, low), NumberSet::range(0, high));
}

TEST(NumberSet, OnlyOneNumberIsSingle) {
  EXPECT_EQ(NumberSet::only(7).single(), 7);
  EXPECT_EQ(NumberSet::range(7, 8).single(), std::nullopt);
  EXPECT_EQ(NumberSet().single(), std::nullopt);
  EXPECT_EQ(NumberSet::range(7, 9).where(Relation::NotEqual, 8).single(), std::nullopt);
}

TEST(NumberSet, JoinHasWhatEitherHas) {
  const NumberSet both = NumberSet::range(1, 4).join(NumberSet::range(3, 9));
  EXPECT_EQ(both, NumberSet::range(1, 9));
  EXPECT_EQ(NumberSet::only(1).join(NumberSet::only(2)), NumberSet::range(1, 2));
  EXPECT_EQ(NumberSet::except(0).join(NumberSet::only(0)), NumberSet::all());
  EXPECT_EQ(NumberSet().join(NumberSet::only(7)), NumberSet::only(7));
  const NumberSet apart = NumberSet::only(-5).join(NumberSet::only(5));
  EXPECT_TRUE(apart.contains(-5) && apart.contains(5));
  EXPECT_FALSE(apart.contains(0));
}

TEST(NumberSet, RelationsAreNegatedAndSwapped) {
  for (const Relation relation : kRelations) {
    for (const std::int64_t left : {-1, 0, 1}) {
      EXPECT_NE(holds(left, relation, 0), holds(left, negated(relation), 0));
      EXPECT_EQ(holds(left, relation, 0), holds(0, swapped(relation), left));
    }
  }
}

}  // namespace
}  // namespace nestor::program
