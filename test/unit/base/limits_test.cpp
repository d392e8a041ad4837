#include "base/limits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <vector>

namespace nestor::base {
namespace {

using namespace std::chrono_literals;

/// What the clock of these tests shows.
std::chrono::steady_clock::time_point shown;

Limits by_test_clock() {
  shown = {};
  Limits limits;
  limits.now = [] { return shown; };
  return limits;
}

/// After how many of at most `most` ticks a limit is reached, and what it says; nothing: never.
struct Reached {
  std::uint64_t ticks = 0;
  std::string reason;
};
std::optional<Reached> reached(LimitGuard& guard, std::uint64_t most = 100'000) {
  for (std::uint64_t i = 1; i <= most; ++i) {
    try {
      guard.tick();
    } catch (const LimitReached& limit) {
      return Reached{i, limit.reason};
    }
  }
  return std::nullopt;
}

TEST(LimitGuard, WithoutLimitsNeverStops) {
  LimitGuard guard({});
  EXPECT_FALSE(reached(guard));
}

TEST(LimitGuard, StopsWhenTheTimeIsOver) {
  Limits limits = by_test_clock();
  limits.seconds = 0.02;
  LimitGuard guard(limits);
  shown += 20ms;
  EXPECT_FALSE(reached(guard));
  shown += 1ms;
  const std::optional<Reached> end = reached(guard);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->reason, "timeout after 0.02 s");
  EXPECT_LE(end->ticks, 4096U);
}

TEST(LimitGuard, StopsWhenMemoryIsOver) {
  Limits limits = by_test_clock();  // whatever the clock shows
  limits.megabytes = 1;             // any process is larger
  LimitGuard guard(limits);
  const std::optional<Reached> end = reached(guard);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->reason, "memory over 1 MB");
  EXPECT_LE(end->ticks, 4096U);
}

TEST(LimitGuard, LooksAtOnceAfterMuchWork) {
  Limits limits = by_test_clock();
  limits.seconds = 0.001;
  LimitGuard guard(limits);
  shown += 5ms;
  EXPECT_THROW(guard.tick(1000000), LimitReached);
}

TEST(LimitGuard, AllowsExactlyItsSteps) {
  for (const std::uint64_t steps : {0U, 1U, 2U, 4095U, 4096U, 4097U, 8192U, 50'000U}) {
    Limits limits;
    limits.steps = steps;
    LimitGuard guard(limits);
    const std::optional<Reached> end = reached(guard);
    ASSERT_TRUE(end) << steps;
    EXPECT_EQ(end->ticks, steps + 1);
    EXPECT_EQ(end->reason, fmt::format("more than {} steps", steps));
    EXPECT_THROW(guard.tick(), LimitReached) << "once more";
  }
}

TEST(LimitGuard, CountsPiecesOfWorkAsManySteps) {
  for (const std::size_t piece : {1U, 3U, 64U, 4095U, 4096U, 10'000U}) {
    Limits limits;
    limits.steps = 7 * piece;
    LimitGuard guard(limits);
    for (int i = 0; i < 7; ++i) {
      EXPECT_NO_THROW(guard.tick(piece)) << piece;
    }
    EXPECT_EQ(guard.steps(), 7 * piece);
    EXPECT_NO_THROW(guard.tick(0));
    EXPECT_THROW(guard.tick(1), LimitReached) << piece;
  }
  LimitGuard free({});
  free.tick(12'345);
  free.tick();
  EXPECT_EQ(free.steps(), 12'346U);
}

TEST(LimitGuard, StopsWhenItIsCancelled) {
  std::atomic<bool> cancelled = false;
  Limits limits;
  limits.cancelled = &cancelled;
  LimitGuard guard(limits);
  EXPECT_FALSE(reached(guard));
  cancelled = true;
  const std::optional<Reached> end = reached(guard);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->reason, "cancelled");
  EXPECT_LE(end->ticks, 4096U);
  EXPECT_THROW(LimitGuard again(limits), LimitReached);
}

TEST(ResidentBytes, GrowsWithWhatIsUsed) {
  const std::size_t before = resident_bytes();
  ASSERT_GT(before, 0U);
  const std::vector<char> block(std::size_t{32} << 20, 'x');
  EXPECT_GT(resident_bytes(), before + (std::size_t{16} << 20));
  EXPECT_GE(peak_resident_bytes(), before);
  EXPECT_EQ(block.back(), 'x');
}

}  // namespace
}  // namespace nestor::base
