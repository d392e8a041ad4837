#include "model/explore.h"

#include "base/bit_layout.h"
#include "model/state_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace nestor::model {
namespace {

/// Two counters. A step adds one to the first below `first_end`, or to the second below
/// `second_end` and below the first. A field starts with one bit and is widened bit by bit.
class Counters final : public SuccessorFunction {
 public:
  Counters(std::uint32_t first_end, std::uint32_t second_end)
      : end_{first_end, second_end}, largest_{1, 1} {
    lay_out();
    take_wider();
  }

  std::size_t state_words() const override { return layout_.words(); }
  std::size_t state_bits() const override { return layout_.bits(); }
  void initial_states(StateSink& sink) override {
    const std::vector<std::uint32_t> zero(state_words());
    sink.add(zero);
    sink.add(zero);
  }
  bool successors(base::StateView state, StateSink& sink) override {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint32_t value = field_[i].get(state);
      if (value >= end_[i] || (i == 1 && value >= field_[0].get(state))) {
        continue;
      }
      if (value == field_[i].mask) {
        largest_[i] = largest_[i] * 2 + 1;
        lay_out();
        return false;
      }
      std::vector<std::uint32_t> next(state.begin(), state.end());
      field_[i].set(next, value + 1);
      sink.add(next);
      sink.add(next);  // doubles are harmless
    }
    return true;
  }
  std::size_t wider_words() const override { return wider_layout_.words(); }
  void widen(base::StateView before, base::StateBuffer wider) const override {
    for (std::size_t i = 0; i < 2; ++i) {
      wider_[i].set(wider, field_[i].get(before));
    }
  }
  bool strictly_covers(base::StateView above, base::StateView below) const override {
    // As in a net whose steps stay possible: only if no counter has an end.
    return end_[0] == kEndless && field_[0].get(above) > field_[0].get(below) &&
           field_[1].get(above) >= field_[1].get(below);
  }
  Proposition find_proposition(std::string_view atom) override {
    Proposition found;
    if (atom == "equal" || atom == "never") {
      found.number = atom == "equal" ? 0 : 1;
    }
    return found;
  }
  bool holds(std::uint32_t proposition, base::StateView state) const override {
    return proposition == 0 && field_[0].get(state) == field_[1].get(state);
  }
  std::vector<std::string> propositions() const override { return {"equal"}; }
  std::string describe(base::StateView state) const override {
    return fmt::format("{},{}", field_[0].get(state), field_[1].get(state));
  }

  static constexpr std::uint32_t kEndless = 0xffff'ffff;

 private:
  void lay_out() {
    wider_layout_ = base::BitLayout();
    wider_ = {wider_layout_.add(largest_[0]), wider_layout_.add(largest_[1])};
  }
  void take_wider() noexcept override {
    layout_ = wider_layout_;
    field_ = wider_;
  }

  std::array<std::uint32_t, 2> end_;
  std::array<std::uint32_t, 2> largest_;
  std::array<base::BitField, 2> field_;
  std::array<base::BitField, 2> wider_;
  base::BitLayout layout_;
  base::BitLayout wider_layout_;
};

std::vector<std::string> names(const Rsm& model, std::span<const NodeId> nodes) {
  std::vector<std::string> found;
  for (const NodeId n : nodes) {
    found.emplace_back(model.node_name(n));
  }
  std::ranges::sort(found);
  return found;
}
using Names = std::vector<std::string>;

TEST(Explore, FindsEveryStateOnceAndWidensOnTheWay) {
  const auto counters = std::make_shared<Counters>(100, 90);
  ExploreSizes sizes;
  ExploreOptions options;
  options.sizes = &sizes;
  const std::vector<std::string> props = {"equal", "never", "unknown"};
  const Rsm model = explore(counters, props, options);
  // second <= first <= 100, second <= 90
  std::size_t states = 0;
  for (int first = 0; first <= 100; ++first) {
    states += static_cast<std::size_t>(std::min(first, 90) + 1);
  }
  EXPECT_EQ(model.node_count(), states);
  EXPECT_EQ(sizes.states, states);
  EXPECT_EQ(sizes.transitions, model.transition_count());
  EXPECT_EQ(sizes.state_bits, 14U);
  EXPECT_EQ(counters->times_wider(), 12U);
  EXPECT_EQ(model.nodes_with(model.find_prop("equal")).size(), 91U);
  EXPECT_TRUE(model.find_prop("never").valid());
  EXPECT_EQ(model.nodes_with(model.find_prop("never")).size(), 0U);
  EXPECT_FALSE(model.find_prop("unknown").valid());

  EXPECT_EQ(names(model, model.initial_nodes()), (Names{"0,0"}));
  EXPECT_EQ(model.describe(NodeId(0)), "0,0");
  for (const NodeId n : model.nodes()) {
    const std::string name(model.node_name(n));
    const int first = std::stoi(name);
    const int second = std::stoi(name.substr(name.find(',') + 1));
    Names expected;
    if (first < 100) {
      expected.push_back(fmt::format("{},{}", first + 1, second));
    }
    if (second < 90 && second < first) {
      expected.push_back(fmt::format("{},{}", first, second + 1));
    }
    std::ranges::sort(expected);
    ASSERT_EQ(names(model, model.successors(n)), expected) << name;
    for (const NodeId m : model.successors(n)) {
      ASSERT_EQ(std::ranges::count(model.predecessors(m), n), 1);
    }
    ASSERT_EQ(model.is_dead_end(n), name == "100,90");
  }
}

TEST(Explore, TreatsDeadEndsAsTold) {
  ExploreOptions options;
  options.dead_ends = DeadEnds::Loop;
  const Rsm model = explore(std::make_shared<Counters>(1, 1), {}, options);
  ASSERT_EQ(model.node_count(), 3U);
  EXPECT_EQ(names(model, model.successors(NodeId(2))), (Names{"1,1"}));
  options.dead_ends = DeadEnds::Error;
  try {
    explore(std::make_shared<Counters>(1, 1), {}, options);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.message(), "'1,1' has no successors");
  }
}

std::string limit_reached(std::uint32_t end, const base::Limits& limits) {
  ExploreOptions options;
  options.limits = limits;
  try {
    explore(std::make_shared<Counters>(end, 0), {}, options);
  } catch (const base::LimitReached& limit) {
    return limit.reason;
  }
  return "none";
}

/// A ring of wide states. Its words are all of one state's number, or its binary digits, far apart.
class Ring final : public SuccessorFunction {
 public:
  Ring(std::uint32_t size, bool is_digits) : size_(size), is_digits_(is_digits) {}

  std::size_t state_words() const override { return kWords; }
  std::size_t state_bits() const override { return 32 * kWords; }
  void initial_states(StateSink& sink) override { sink.add(state(0)); }
  bool successors(base::StateView before, StateSink& sink) override {
    sink.add(state((number(before) + 1) % size_));
    return true;
  }
  std::vector<std::uint32_t> state(std::uint32_t number) const {
    std::vector<std::uint32_t> words(kWords, is_digits_ ? 7 : 0);
    for (std::uint32_t i = 0; i < kWords; ++i) {
      if (!is_digits_) {
        words[i] = number * kWords + i;
      } else if (i < kDigits * kApart && i % kApart == 0) {
        words[i] = number >> (i / kApart) & 1;
      }
    }
    return words;
  }
  Proposition find_proposition(std::string_view) override { return {}; }
  bool holds(std::uint32_t, base::StateView) const override { return false; }
  std::vector<std::string> propositions() const override { return {}; }
  std::string describe(base::StateView state) const override {
    return std::to_string(number(state));
  }

  static constexpr std::uint32_t kWords = 1'100;

 private:
  static constexpr std::uint32_t kDigits = 13;
  static constexpr std::uint32_t kApart = 80;

  std::uint32_t number(base::StateView state) const {
    std::uint32_t number = state[0] / kWords;
    for (std::uint32_t digit = 0; is_digits_ && digit < kDigits; ++digit) {
      number = (digit == 0 ? 0 : number) | state[digit * kApart] << digit;
    }
    return number;
  }

  std::uint32_t size_;
  bool is_digits_;
};

TEST(StateStore, SharesPartsOfManyWideStatesIfThatSavesMemory) {
  constexpr std::uint32_t kSize = 6'000;
  constexpr std::size_t kFlat = std::size_t{kSize} * Ring::kWords * sizeof(std::uint32_t);
  for (const bool is_digits : {true, false}) {
    Ring ring(kSize, is_digits);
    base::Limits limits;
    limits.megabytes = 1'024;  // of which a 64th is less than the states take
    base::LimitGuard guard({});
    StateStore store(ring, [](NodeId n) { return std::vector<NodeId>{n}; });
    ASSERT_EQ(store.initial(limits, guard), std::vector{NodeId(0)});
    for (std::uint32_t i = 0; i < kSize; ++i) {
      const std::span<const NodeId> next = store.expand(NodeId(i), limits, guard);
      ASSERT_EQ(next.size(), 1U);
      ASSERT_EQ(next.front(), NodeId((i + 1) % kSize)) << is_digits;
    }
    ASSERT_EQ(store.size(), kSize);
    for (std::uint32_t i = 0; i < kSize; ++i) {
      ASSERT_TRUE(std::ranges::equal(store[NodeId(i)], ring.state(i)));
    }
    if (is_digits) {
      EXPECT_LT(store.memory_bytes(), kFlat / 20);
    } else {
      EXPECT_GE(store.memory_bytes(), kFlat);
    }
  }
}

TEST(Explore, StopsAtItsLimits) {
  EXPECT_EQ(limit_reached(9, {.seconds = {}, .megabytes = {}, .states = 10}), "none");
  EXPECT_EQ(limit_reached(10, {.seconds = {}, .megabytes = {}, .states = 10}),
            "more than 10 states");
  EXPECT_EQ(
      limit_reached(100'000'000, {.seconds = {}, .megabytes = {}, .states = {}, .steps = 9999}),
      "more than 9999 steps");
}

TEST(Explore, NoticesInfinitelyManyStates) {
  EXPECT_EQ(limit_reached(Counters::kEndless, {}),
            "unbounded: 2,0 comes after 0,0 and strictly covers it");
}

}  // namespace
}  // namespace nestor::model
