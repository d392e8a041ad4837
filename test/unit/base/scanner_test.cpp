#include "base/scanner.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace nestor::base {
namespace {

constexpr CharacterSet kBlanks(" \t\n");

TEST(CharacterSet, HoldsBytes) {
  constexpr CharacterSet kSet = (kLetters | CharacterSet::range(128, 255)) - CharacterSet("xyz");
  static_assert(kSet.contains('a') && !kSet.contains('x') && !kSet.contains('0'));
  EXPECT_TRUE(kSet.contains('\xff'));
  EXPECT_TRUE(kSet.contains('\x80'));
  EXPECT_FALSE(kSet.contains('\x7f'));
  EXPECT_FALSE(kSet.contains('\0'));
}

TEST(Scanner, ReadsForward) {
  Scanner scanner("ab12 <= <-");
  EXPECT_EQ(scanner.take_while(kLetters), "ab");
  EXPECT_EQ(scanner.take_while(kLetters), "");
  EXPECT_EQ(scanner.position(), 2U);
  EXPECT_TRUE(scanner.at(kDigits));
  EXPECT_EQ(scanner.take_number(12), 12);
  EXPECT_EQ(scanner.since(1), "b12");
  scanner.take_while(kBlanks);
  constexpr std::array<std::string_view, 2> kSymbols = {"<=", "<"};
  EXPECT_EQ(scanner.take_symbol(kSymbols), "<=");
  EXPECT_EQ(scanner.take_symbol(kSymbols), "");
  EXPECT_FALSE(scanner.take('<'));
  EXPECT_TRUE(scanner.take(' '));
  EXPECT_FALSE(scanner.take("<="));
  EXPECT_EQ(scanner.take_symbol(kSymbols), "<");
  EXPECT_EQ(scanner.rest(), "-");
  EXPECT_EQ(scanner.peek(), '-');
  EXPECT_EQ(scanner.peek(1), '\0');
  scanner.move_to(0);
  EXPECT_TRUE(scanner.at("ab1"));
}

TEST(Scanner, EndsWhereTheTextEnds) {
  const std::string_view text = "ab12";
  Scanner scanner(text.substr(0, 1));
  EXPECT_EQ(scanner.take_while(kLetters), "a");
  EXPECT_TRUE(scanner.at_end());
  EXPECT_FALSE(scanner.at('b'));
  EXPECT_FALSE(scanner.at(kLetters));
  EXPECT_EQ(scanner.peek(), '\0');
  EXPECT_TRUE(scanner.at(""));
  scanner.skip_line();
  EXPECT_EQ(scanner.position(), 1U);
  Scanner number(text.substr(2, 1));
  EXPECT_EQ(number.take_number(99), 1);
}

TEST(Scanner, LeavesNumbersThatAreTooLarge) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Scanner scanner("9223372036854775807");
  EXPECT_EQ(scanner.take_number(kMost - 1), std::nullopt);
  EXPECT_EQ(scanner.position(), 0U);
  EXPECT_EQ(scanner.take_number(kMost), kMost);
  EXPECT_EQ(Scanner("9223372036854775808").take_number(kMost), std::nullopt);
  EXPECT_EQ(Scanner("000000000000000000000000000007").take_number(7), 7);
}

TEST(Scanner, SkipsComments) {
  Scanner scanner("# one\n/* two */x");
  scanner.skip_line();
  EXPECT_TRUE(scanner.take("\n/*"));
  EXPECT_TRUE(scanner.skip_past("*/"));
  EXPECT_EQ(scanner.rest(), "x");
  EXPECT_FALSE(scanner.skip_past("*/"));
  EXPECT_EQ(scanner.rest(), "x");
}

std::string message(const Scanner& scanner, std::size_t position) {
  try {
    scanner.fail("no", position);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::Input);
    return error.what();
  }
}

TEST(Scanner, SaysWhere) {
  const Input input = Input::from_text("f", "ab\n\ncd");
  EXPECT_EQ(message(Scanner(input), 0), "f:1:1: error: no");
  EXPECT_EQ(message(Scanner(input), 2), "f:1:3: error: no");
  EXPECT_EQ(message(Scanner(input), 3), "f:2:1: error: no");
  EXPECT_EQ(message(Scanner(input), 6), "f:3:3: error: no");
  EXPECT_EQ(to_string(input.locate(6)), "f:3:3");
}

TEST(Scanner, CountsFromWhereTheTextStands) {
  const Scanner scanner("ab\ncd", {"f", 7, 14});
  EXPECT_EQ(message(scanner, 1), "f:7:15: error: no");
  EXPECT_EQ(message(scanner, 4), "f:8:2: error: no");
  EXPECT_EQ(message(Scanner("ab"), 1), ":1:2: error: no");
}

TEST(Scanner, ReadsAPart) {
  const Input input = Input::from_text("f", "ab\ncd ef");
  Scanner scanner(input, input.text().substr(3, 2));
  EXPECT_EQ(scanner.take_while(kLetters), "cd");
  EXPECT_TRUE(scanner.at_end());
  EXPECT_EQ(scanner.position(), 5U);
  EXPECT_EQ(message(scanner, scanner.position()), "f:2:3: error: no");
}

}  // namespace
}  // namespace nestor::base
