#include "driver/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <semaphore>
#include <sstream>
#include <string>

namespace nestor {
namespace {

/// Text in memory; `flushed` counts how often it was flushed.
class Flushed : public std::stringbuf {
 public:
  std::counting_semaphore<> flushed{0};

 protected:
  int sync() override {
    flushed.release();
    return 0;
  }
};

constexpr ProgressPace kAtOnce{std::chrono::milliseconds(0), std::chrono::milliseconds(1)};
constexpr ProgressPace kNever{std::chrono::hours(1000), std::chrono::hours(1000)};

/// What is shown of work that goes on until `lines` lines are there. The first of them may have
/// been made up before 120 formulas were done.
std::string shown(bool terminal, const ProgressPace& pace, int lines) {
  std::ostringstream out;
  Flushed text;
  std::ostream err(&text);
  const Streams streams{out, err, terminal};
  {
    Progress progress(streams, 1595, pace);
    progress.done(120);
    while (text.flushed.try_acquire()) {  // lines of before
    }
    for (int i = 0; i < lines; ++i) {
      text.flushed.acquire();
    }
  }
  EXPECT_EQ(out.str(), "");
  return text.str();
}

TEST(Progress, LongWorkShowsOnATerminalAndTheLineGoesAway) {
  const std::string text = shown(true, kAtOnce, 2);
  EXPECT_NE(text.find("checked 120/1595 …"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K");
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Progress, NothingWithoutATerminal) {
  EXPECT_EQ(shown(false, kAtOnce, 0), "");
}

TEST(Progress, NothingForShortWork) {
  EXPECT_EQ(shown(true, kNever, 0), "");
}

}  // namespace
}  // namespace nestor
