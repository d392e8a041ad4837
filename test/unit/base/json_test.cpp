#include "base/json.h"

#include "base/json_writer.h"

#include <gtest/gtest.h>

namespace nestor::base {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonString, QuotesPlainText) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("main/x"), R"("main/x")");
}

TEST(JsonString, EscapesWhatJsonReserves) {
  EXPECT_EQ(json_string("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json_string(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
}

TEST(JsonString, KeepsUtf8) {
  for (const char* text : {"größe €", "→", "𝔸", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
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
  std::string out = "{";
  append_json_string(out, "k");
  EXPECT_EQ(out, "{\"k\"");
}

void write_sample(JsonWriter& json) {
  json.begin_object().member("name", "a\"b").member("count", 7U).member("is", true);
  json.line(1).begin_array("list").line(2).value("x").value(2U).line().end_array();
  json.begin_object("empty").end_object().key("time").seconds(0.25);
  json.key("more").json("[1]").end_object();
}

TEST(JsonWriter, BreaksLinesWhereItIsTold) {
  std::string out;
  JsonWriter json(out);
  write_sample(json);
  EXPECT_EQ(out,
            "{\"name\":\"a\\\"b\",\"count\":7,\"is\":true,\n"
            " \"list\":[\n  \"x\",2\n],\"empty\":{},\"time\":0.250000,\"more\":[1]}");
}

TEST(JsonWriter, PutsSpacesBehindSeparators) {
  std::string out;
  JsonWriter json(out, JsonWriter::Spaces::BehindSeparators);
  write_sample(json);
  EXPECT_EQ(out,
            "{\"name\": \"a\\\"b\", \"count\": 7, \"is\": true,\n"
            " \"list\": [\n  \"x\", 2\n], \"empty\": {}, \"time\": 0.250000, \"more\": [1]}");
}

}  // namespace
}  // namespace nestor::base
