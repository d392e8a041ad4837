#include "base/json_tree.h"

#include "base/balance.h"

#include <gtest/gtest.h>

#include <string>

namespace nestor::base {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    const JsonTree tree = JsonTree::parse(Input::from_text("f.json", text));
    tree.text("a");
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(JsonTree, TellsWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal_of("{\"a\":\"b\"}"), "");
  EXPECT_EQ(refusal_of("{\"a\":\n\"b\""),
            "f.json:2:4: error: the file ends in the middle of its JSON");
  EXPECT_EQ(refusal_of(""), "f.json:1:1: error: the file ends in the middle of its JSON");
  EXPECT_NE(refusal_of("{\"a\":\nb}").find("f.json:2:1: error: no JSON"), std::string::npos);
  EXPECT_EQ(refusal_of("{}"), "f.json: error: 'a' is missing");
  EXPECT_EQ(refusal_of("[]"), "f.json: error: expected an object with 'a'");
  EXPECT_EQ(refusal_of("{\"a\":1}"), "f.json: error: expected a text");
}

TEST(JsonTree, IsNotAsDeepAsTheStack) {
  std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_EQ(refusal_of(deep), "f.json: error: expected an object with 'a'");
}

TEST(JsonTree, BytesAreKept) {
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all.push_back(static_cast<char>(i));
  }
  EXPECT_EQ(bytes_of_text(text_of_bytes(all), "f"), all);
  EXPECT_EQ(text_of_bytes("plain"), "plain");
  EXPECT_THROW(bytes_of_text("\xe2\x82\xac", "f"), Error);
}

TEST(Balance, GivesTheDearestFirst) {
  std::vector<double> loads(2);
  const std::vector<double> costs = {1, 1, 3, 1};
  EXPECT_EQ(balanced(costs, loads), (std::vector<std::size_t>{1, 1, 0, 1}));
  EXPECT_EQ(loads, (std::vector<double>{3, 3}));
}

}  // namespace
}  // namespace nestor::base
