#include "driver/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <ostream>
#include <sstream>
#include <string>

namespace nestor {
namespace {

/// Tells when something has been written and flushed. Whoever waits for it needs no clock.
class Screen final : public std::stringbuf {
 public:
  void wait() { flushed_.get_future().wait(); }

 private:
  int sync() override {
    if (!once_.test_and_set()) {
      flushed_.set_value();
    }
    return 0;
  }

  std::promise<void> flushed_;
  std::atomic_flag once_;
};

TEST(Progress, LongWorkShowsOnATerminalAndTheLineGoesAway) {
  std::ostringstream out;
  Screen screen;
  std::ostream err(&screen);
  {
    const Streams streams{out, err, true};
    Progress progress(streams, 1595);
    progress.done(120);
    screen.wait();
  }
  EXPECT_EQ(out.str(), "");
  const std::string text = screen.str();
  EXPECT_NE(text.find("checked 120/1595 …"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K");
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Progress, NothingWithoutATerminalOrForShortWork) {
  for (const bool terminal : {false, true}) {
    std::ostringstream out;
    std::ostringstream err;
    {
      const Streams streams{out, err, terminal};
      Progress progress(streams, 1595);
      progress.done(120);
    }
    EXPECT_EQ(out.str() + err.str(), "");
  }
}

}  // namespace
}  // namespace nestor
