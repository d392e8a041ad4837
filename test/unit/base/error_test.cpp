#include "base/error.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace nestor::base {
namespace {

TEST(Error, SaysWhereAndWhat) {
  const Error error(Error::Kind::Input, "expected ')'", {"p.ctl", 7, 14});
  EXPECT_STREQ(error.what(), "p.ctl:7:14: error: expected ')'");
  EXPECT_EQ(error.message(), "expected ')'");
}

TEST(Error, LeavesOutWhatIsUnknown) {
  EXPECT_STREQ(Error(Error::Kind::Input, "m", {"f", 3, 0}).what(), "f:3: error: m");
  EXPECT_STREQ(Error(Error::Kind::Input, "m", {"f", 0, 0}).what(), "f: error: m");
  EXPECT_STREQ(Error(Error::Kind::Usage, "m").what(), "error: m");
}

TEST(Check, ThrowsOnlyIfTheConditionIsFalse) {
  EXPECT_NO_THROW(NESTOR_CHECK(1 + 1 == 2));
  EXPECT_THROW(NESTOR_CHECK(1 + 1 == 3), std::logic_error);
}

}  // namespace
}  // namespace nestor::base
