#include "base/json.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace nestor::base {

namespace {

bool continues(std::string_view text, std::size_t i, unsigned low, unsigned high) {
  return i < text.size() && static_cast<unsigned char>(text[i]) >= low &&
         static_cast<unsigned char>(text[i]) <= high;
}

/// Length of the UTF-8 sequence that starts at `i`; 0 if there is none. The ranges of the second
/// byte exclude overlong forms, surrogates and what lies beyond U+10FFFF (RFC 3629, section 4).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    return continues(text, i + 1, 0x80, 0xBF) ? 2 : 0;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return continues(text, i + 1, low, high) && continues(text, i + 2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(text, i + 1, low, high) && continues(text, i + 2, 0x80, 0xBF) &&
                   continues(text, i + 3, 0x80, 0xBF)
               ? 4
               : 0;
  }
  return 0;
}

/// The letter after the backslash in the short form of an escape; 0 if there is none.
char short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

constexpr std::array<bool, 256> kIsPlainAscii = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) {
    plain[c] = c != '"' && c != '\\';
  }
  return plain;
}();

/// Eight characters that need no escape, nor a look at what encodes them. False for some others
/// too.
bool are_plain(const char* characters) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::uint64_t all = 0;
  std::memcpy(&all, characters, sizeof(all));
  const std::uint64_t quotes = (all ^ (kOnes * '"')) - kOnes;  // the high bit says: it was zero
  const std::uint64_t backslashes = (all ^ (kOnes * '\\')) - kOnes;
  const std::uint64_t controls = all - kOnes * 0x20;
  return ((all | quotes | backslashes | controls) & (kOnes * 0x80)) == 0;
}

/// The length of the longest beginning that can be written as it is.
std::size_t plain_length(std::string_view text) {
  std::size_t length = 0;
  while (length + 8 <= text.size() && are_plain(text.data() + length)) {
    length += 8;
  }
  while (length < text.size() && kIsPlainAscii[static_cast<unsigned char>(text[length])]) {
    ++length;
  }
  return length;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  std::size_t i = plain_length(text);
  if (i == text.size()) {
    append_quoted(out, text);
    return;
  }
  out.push_back('"');
  std::size_t copied = 0;  // what lies before is written
  while (i < text.size()) {
    if (kIsPlainAscii[static_cast<unsigned char>(text[i])]) {
      ++i;
      continue;
    }
    const std::size_t length = utf8_length(text, i);
    if (length > 1) {
      i += length;
      continue;
    }
    out.append(text.substr(copied, i - copied));
    if (length == 0) {
      out.append(std::string_view("\xEF\xBF\xBD"));
    } else if (const char letter = short_escape(text[i]); letter != 0) {
      out.push_back('\\');
      out.push_back(letter);
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(text[i]));
    }
    copied = ++i;
  }
  out.append(text.substr(copied));
  out.push_back('"');
}

std::string six_decimals(double value) {
  return fmt::format("{:.6f}", value);
}

}  // namespace nestor::base
