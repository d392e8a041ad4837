#include "base/json.h"

namespace nestor {

namespace {

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

}  // namespace

void append_json_string(fmt::memory_buffer& out, std::string_view text) {
  out.push_back('"');
  std::size_t plain = 0;  // where the bytes begin that are still to be copied as they are
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') {
      continue;
    }
    out.append(text.data() + plain, text.data() + i);
    plain = i + 1;
    out.push_back('\\');
    if (const char letter = short_escape(c); letter != 0) {
      out.push_back(letter);
    } else {
      fmt::format_to(std::back_inserter(out), "u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text.data() + plain, text.data() + text.size());
  out.push_back('"');
}

}  // namespace nestor
