#include "driver/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <string>
#include <thread>

namespace nestor {
namespace {

std::string shown(bool terminal, std::chrono::milliseconds work) {
  std::ostringstream out;
  std::ostringstream err;
  const Streams streams{out, err, terminal};
  {
    Progress progress(streams, 1595);
    progress.done(120);
    std::this_thread::sleep_for(work);
  }
  EXPECT_EQ(out.str(), "");
  return err.str();
}

constexpr std::chrono::milliseconds kLong{1100};

TEST(Progress, LongWorkShowsOnATerminalAndTheLineGoesAway) {
  const std::string text = shown(true, kLong);
  EXPECT_NE(text.find("checked 120/1595 …"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K");
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Progress, NothingWithoutATerminal) {
  EXPECT_EQ(shown(false, kLong), "");
}

TEST(Progress, NothingForShortWork) {
  EXPECT_EQ(shown(true, std::chrono::milliseconds(10)), "");
}

}  // namespace
}  // namespace nestor
