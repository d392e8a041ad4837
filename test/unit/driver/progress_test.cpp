#include "driver/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <string>

namespace nestor::driver {
namespace {

// So long that the line's own clock never strikes: the test says when.
constexpr std::chrono::hours kNever{24};

struct Terminal {
  explicit Terminal(bool is_terminal) : streams{out, err, is_terminal} {}
  std::ostringstream out;
  std::ostringstream err;
  Streams streams;
};

TEST(ProgressLine, LongWorkShowsOnATerminalAndTheLineGoesAway) {
  Terminal terminal(true);
  {
    ProgressLine line(terminal.streams, kNever);
    line.report({Progress::Work::Deciding, 120, 1595});
    line.show();
    EXPECT_EQ(terminal.err.str(), "\r\033[Kchecked 120/1595 …");
  }
  EXPECT_EQ(terminal.err.str(), "\r\033[Kchecked 120/1595 …\r\033[K");
  EXPECT_EQ(terminal.out.str(), "");
}

TEST(ProgressLine, TellsStates) {
  Terminal terminal(true);
  ProgressLine line(terminal.streams, kNever);
  line.report({Progress::Work::Exploring, 7, 12});
  line.show();
  EXPECT_NE(terminal.err.str().find("12 states, 7 expanded, "), std::string::npos)
      << terminal.err.str();
}

TEST(ProgressLine, NothingWithoutATerminal) {
  Terminal terminal(false);
  {
    ProgressLine line(terminal.streams, kNever);
    line.report({Progress::Work::Deciding, 1, 2});
    line.show();
  }
  EXPECT_EQ(terminal.err.str(), "");
}

TEST(ProgressLine, NothingForShortWorkNorAfterItsEnd) {
  Terminal terminal(true);
  ProgressLine line(terminal.streams, kNever);
  line.report({Progress::Work::Deciding, 1, 2});
  line.clear();
  line.show();
  EXPECT_EQ(terminal.err.str(), "");
}

}  // namespace
}  // namespace nestor::driver
