#include "base/json_syntax.h"

#include <gtest/gtest.h>

namespace nestor::base {
namespace {

TEST(JsonSyntax, AcceptsWhatRfc8259Allows) {
  for (const char* text : {"{}", "[]", " [ ] ", "null", "true", "false", "0", "-0", "-0.0e-0",
                           "1E+2", "10.25", R"("")", R"({"a": {"b": [1, [], {}, "x"]}, "a": null})",
                           "\t\r\n1\n", R"("\"\\\/\b\f\n\r\t\u00e9")", R"("\ud834\udd1e")",
                           "\"\x7f\xc3\xa9\"", "123456789012345678901234567890", "1e999"}) {
    EXPECT_FALSE(find_syntax_error(text)) << text;
  }
}

TEST(JsonSyntax, RefusesTheRestAtItsPlace) {
  struct Case {
    std::string_view text;
    std::size_t at;
  };
  for (const Case& c : {Case{"", 0},
                        {"[1,]", 3},
                        {"[,1]", 1},
                        {"{,}", 1},
                        {"{\"a\"}", 4},
                        {"{\"a\":1,}", 7},
                        {"{1:2}", 1},
                        {"[1 2]", 3},
                        {"[1}", 2},
                        {"{]", 1},
                        {"1 1", 2},
                        {"01", 0},
                        {"-", 0},
                        {"+1", 0},
                        {".5", 0},
                        {"1.", 0},
                        {"1e", 0},
                        {"1e+", 0},
                        {"0x1", 0},
                        {"nul", 0},
                        {"nulls", 0},
                        {"NaN", 0},
                        {"\"", 0},
                        {"\"\\\"", 0},
                        {"\"a\tb\"", 2},
                        {"\"\\x\"", 1},
                        {"\"\\u12g4\"", 1},
                        {"\"\\ud834\"", 1},
                        {"\"\\ud834\\u0041\"", 1},
                        {"\"\\udd1e\"", 1},
                        {"\"\xff\"", 1},
                        {"\"\xc0\x80\"", 1},
                        {"\"\xed\xa0\x80\"", 1},
                        {"\"\xc3\xa9\x80\"", 3},
                        {" \xbf", 1},
                        {"[\"ok\", \"\xe2\x82\"]", 8}}) {
    const auto error = find_syntax_error(c.text);
    ASSERT_TRUE(error) << c.text;
    EXPECT_EQ(error->at, c.at) << c.text << ": " << error->message;
  }
}

TEST(JsonSyntax, HasNoLimitOfNesting) {
  const std::size_t depth = 1'000'000;
  std::string text(depth, '[');
  EXPECT_EQ(find_syntax_error(text)->at, depth);
  text.append(depth, ']');
  EXPECT_FALSE(find_syntax_error(text));
}

}  // namespace
}  // namespace nestor::base
