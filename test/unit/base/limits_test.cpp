#include "base/limits.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace nestor {
namespace {

/// Ticks for at most `seconds`; the reason if a limit is reached.
std::string reason_within(const Limits& limits, double seconds) {
  LimitGuard guard(limits);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  try {
    while (std::chrono::steady_clock::now() < end) {
      guard.tick();
    }
  } catch (const LimitReached& limit) {
    return limit.reason;
  }
  return {};
}

TEST(LimitGuard, WithoutLimitsNeverStops) {
  EXPECT_EQ(reason_within({}, 0.05), "");
}

TEST(LimitGuard, StopsWhenTheTimeIsOver) {
  Limits limits;
  limits.seconds = 0.02;
  EXPECT_EQ(reason_within(limits, 10), "timeout after 0.02 s");
}

TEST(LimitGuard, DoesNotStopBeforeTheTimeIsOver) {
  Limits limits;
  limits.seconds = 100;
  EXPECT_EQ(reason_within(limits, 0.05), "");
}

TEST(LimitGuard, StopsWhenMemoryIsOver) {
  Limits limits;
  limits.megabytes = 1;  // any process is larger
  EXPECT_EQ(reason_within(limits, 10), "memory over 1 MB");
}

TEST(LimitGuard, LooksAtOnceAfterMuchWork) {
  Limits limits;
  limits.seconds = 0.001;
  LimitGuard guard(limits);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_THROW(guard.tick(1000000), LimitReached);
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
}  // namespace nestor
