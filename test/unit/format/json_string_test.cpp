#include "base/json.h"

#include <gtest/gtest.h>

namespace nestor {
namespace {

std::string json(std::string_view text) {
  fmt::memory_buffer out;
  append_json_string(out, text);
  return fmt::to_string(out);
}

TEST(JsonString, LeavesPlainTextAlone) {
  EXPECT_EQ(json(""), R"("")");
  EXPECT_EQ(json("main/x"), R"("main/x")");
  EXPECT_EQ(json("größe €\x7f"), "\"größe €\x7f\"");
}

TEST(JsonString, EscapesWhatJsonDemands) {
  EXPECT_EQ(json("\""), R"("\"")");
  EXPECT_EQ(json("a\\b"), R"("a\\b")");
  EXPECT_EQ(json("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json(std::string_view("x\0y\x1f", 4)), R"("x\u0000y\u001f")");
}

}  // namespace
}  // namespace nestor
