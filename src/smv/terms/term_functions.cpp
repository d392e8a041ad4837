// The functions of the language: conversions, constants of word types, count, max, min, abs.

#include "smv/terms/term_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace nestor::smv {

namespace {

struct Signature {
  std::string_view name;
  std::size_t arguments;  // 0: any number
};
constexpr Signature kSignatures[] = {{"toint", 1},    {"bool", 1},   {"word1", 1},  {"signed", 1},
                                     {"unsigned", 1}, {"extend", 2}, {"resize", 2}, {"count", 0},
                                     {"max", 2},      {"min", 2},    {"abs", 1},    {"uwconst", 2},
                                     {"swconst", 2},  {"sizeof", 1}};

}  // namespace

/// `0[us]?[bodh][width]_digits`, without width: as many bits as the digits have.
TermId TermBuilder::literal(std::string_view text, Place at) {
  const std::string_view whole = text;
  const bool negative = text.front() == '-';
  if (negative) {
    text.remove_prefix(1);
  }
  const auto refuse = [&]() {
    fail(fmt::format("'{}' is no number and no constant of a word type, such as 0ud8_255", whole),
         at);
  };
  std::size_t i = 1;
  Type type{Type::Kind::Word, false, 0};
  if (i < text.size() && (text[i] == 'u' || text[i] == 's')) {
    type.is_signed = text[i] == 's';
    ++i;
  }
  const std::string_view bases = "bodh";
  const std::size_t which = i < text.size() ? bases.find(text[i]) : std::string_view::npos;
  const std::size_t underscore = text.find('_');
  if (text[0] != '0' || which == std::string_view::npos || underscore == std::string_view::npos) {
    refuse();
  }
  constexpr int kBases[] = {2, 8, 10, 16};
  constexpr int kBits[] = {1, 3, 0, 4};
  std::string digits;
  for (const char c : text.substr(underscore)) {
    if (c != '_') {
      digits += c;
    }
  }
  const bool are_digits = std::ranges::all_of(digits, [&](char c) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : kBases[which];
    return digit < kBases[which];
  });
  if (digits.empty() || !are_digits) {
    refuse();
  }
  std::uint64_t width = digits.size() * static_cast<std::size_t>(kBits[which]);
  if (const std::string_view given = text.substr(i + 1, underscore - i - 1); !given.empty()) {
    const auto read = std::from_chars(given.data(), given.data() + given.size(), width);
    if (read.ec != std::errc() || read.ptr != given.data() + given.size()) {
      refuse();
    }
  }
  if (width == 0 || width > kWidestWord) {
    fail(fmt::format("'{}' has {} bits, expected 1 to {}", text, width, kWidestWord), at,
         base::Error::Kind::Unsupported);
  }
  type.width = static_cast<std::uint16_t>(width);
  // A signed decimal number is a number; other bases, and unsigned words, are patterns of bits.
  const bool number = type.is_signed && kBases[which] == 10;
  const std::optional<WideWord> value =
      WideWord::from_digits(width, digits, static_cast<unsigned>(kBases[which]));
  // The smallest signed number is the only one that is negative whatever its sign.
  const bool fits = value && (!number || !value->is_negative() || (negative && -*value == *value));
  if (!fits) {
    fail(fmt::format("'{}' does not fit into {} bits", whole, width), at);
  }
  const WideWord bits = negative ? -*value : *value;
  return constant(is_wide(type) ? symbols_.wide().number_of(bits)
                                : extended(static_cast<std::int64_t>(bits.limbs()[0]), type),
                  type, at);
}

TermId TermBuilder::function(std::string_view name, const std::vector<TermId>& arguments,
                             Place at) {
  for (const Signature& signature : kSignatures) {
    if (signature.name == name && signature.arguments != 0 &&
        signature.arguments != arguments.size()) {
      fail(fmt::format("'{}' has {} argument{}, expected {}", name, arguments.size(),
                       arguments.size() == 1 ? "" : "s", signature.arguments),
           at);
    }
  }
  const TermId first = arguments.front();
  const Type type = terms_[first].type;
  if (name == "uwconst" || name == "swconst") {
    return word_constant(name, arguments, at);
  }
  if (name == "extend" || name == "resize") {
    return widened(name, arguments, at);
  }
  if (name == "count") {
    for (const TermId t : arguments) {
      expect_condition(t, "an argument of 'count'", at);
    }
    return make(Op::Count, kNumber, arguments, at);
  }
  if (name == "max" || name == "min") {
    if (!is_plain(type) || !is_plain(terms_[arguments[1]].type)) {
      fail(fmt::format("'{}' expects two numbers", name), at);
    }
    return make(name == "max" ? Op::Max : Op::Min, kNumber, arguments, at);
  }
  if (name == "abs") {
    return make(Op::Max, kNumber, {first, operation(Syntax::Negate, {first}, at)}, at);
  }
  if (name == "toint") {
    return is_plain(type) ? first : make(Op::Convert, kNumber, {first}, at);
  }
  if (name == "bool") {
    if (type.kind == Type::Kind::Word && type.width != 1) {
      fail(fmt::format("'bool' of a {}, expected a number or a word[1]", to_string(type)), at);
    }
    return type == kBoolean ? first : make(Op::Convert, kBoolean, {first}, at);
  }
  if (name == "word1") {
    if (type != kBoolean) {
      fail(fmt::format("'word1' of a {}, expected a boolean", to_string(type)), at);
    }
    return make(Op::Convert, {Type::Kind::Word, false, 1}, {first}, at);
  }
  expect_word(first, fmt::format("the argument of '{}'", name), at);
  if (name == "sizeof") {
    return constant(type.width, kNumber, at);
  }
  return make(Op::Convert, {Type::Kind::Word, name == "signed", type.width}, {first}, at);
}

TermId TermBuilder::word_constant(std::string_view name, const std::vector<TermId>& arguments,
                                  Place at) {
  const std::int64_t value = constant_number(arguments[0], "a constant number", at);
  const std::int64_t width = constant_number(arguments[1], "a constant width", at);
  const Type type = word_type(width, name == "swconst", at);
  if (is_wide(type)) {
    if (value < 0 && !type.is_signed) {
      fail(fmt::format("{} does not fit into {} bits", value, width), at);
    }
    return constant(symbols_.wide().number_of(WideWord(type.width, value, true)), type, at);
  }
  if (extended(value, type) != value) {
    fail(fmt::format("{} does not fit into {} bits", value, width), at);
  }
  return constant(value, type, at);
}

/// extend(w, n) has n bits more, resize(w, n) has n bits; both keep the number where it fits.
TermId TermBuilder::widened(std::string_view name, const std::vector<TermId>& arguments, Place at) {
  expect_word(arguments[0], fmt::format("the first argument of '{}'", name), at);
  const Type type = terms_[arguments[0]].type;
  const std::int64_t amount = constant_number(arguments[1], "a constant number of bits", at);
  const std::int64_t width = name == "extend" ? type.width + amount : amount;
  if (amount < 0) {
    fail(fmt::format("'{}' by {} bits, expected none below 0", name, amount), at);
  }
  const Type wanted = word_type(width, type.is_signed, at);
  if (type.is_signed && width < type.width) {  // the sign bit and the lowest bits
    const Type bit{Type::Kind::Word, false, 1};
    TermId kept = make(Op::BitSelect, bit, {arguments[0]}, at, type.width - 1);
    if (width > 1) {
      const Type rest = word_type(width - 1, false, at);
      kept = make(Op::Concat, word_type(width, false, at),
                  {kept, make(Op::BitSelect, rest, {arguments[0]}, at, 0)}, at, width - 1);
    }
    return make(Op::Convert, wanted, {kept}, at);
  }
  return make(Op::Convert, wanted, {arguments[0]}, at);
}

}  // namespace nestor::smv
