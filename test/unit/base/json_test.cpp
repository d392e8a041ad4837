#include "base/json.h"

#include <gtest/gtest.h>

namespace nestor {
namespace {

TEST(JsonString, QuotesPlainText) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("AG p"), R"("AG p")");
}

TEST(JsonString, EscapesWhatJsonReserves) {
  EXPECT_EQ(json_string("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_string("\n\t\r"), R"("\n\t\r")");
  EXPECT_EQ(json_string(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
}

TEST(JsonString, KeepsUtf8) {
  for (const char* text : {"ä", "→", "𝔸", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(json_string(text), '"' + std::string(text) + '"');
  }
}

TEST(JsonString, ReplacesWhatIsNotUtf8) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(json_string("a\xFFz"), "\"a" + replaced + "z\"");
  EXPECT_EQ(json_string("\xC3"), '"' + replaced + '"');                                // cut off
  EXPECT_EQ(json_string("\xC0\x80"), '"' + replaced + replaced + '"');                 // overlong
  EXPECT_EQ(json_string("\xED\xA0\x80"), '"' + replaced + replaced + replaced + '"');  // surrogate
  EXPECT_EQ(json_string("\xC3\"").back(), '"');
  EXPECT_EQ(json_string("\xC3\""), '"' + replaced + "\\\"\"");  // the quote is not swallowed
}

TEST(JsonString, AppendsToWhatIsThere) {
  fmt::memory_buffer out;
  out.push_back('{');
  append_json_string(out, "k");
  EXPECT_EQ(fmt::to_string(out), "{\"k\"");
}

}  // namespace
}  // namespace nestor
