#include "base/scanner.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>

namespace nestor::base {

SourceLocation locate(std::string_view text, std::size_t offset, const SourceLocation& start) {
  const std::string_view before = text.substr(0, offset);
  std::uint32_t newlines = 0;  // by find(), which looks at many bytes at once
  for (std::size_t i = 0; (i = before.find('\n', i)) != std::string_view::npos; ++i) {
    ++newlines;
  }
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t first_column = newlines == 0 ? std::max(start.column, 1U) : 1;
  return {start.file, std::max(start.line, 1U) + newlines,
          static_cast<std::uint32_t>(first_column + before.size() - line_begin)};
}

std::optional<std::int64_t> Scanner::take_number(std::int64_t most) {
  assert(at(kDigits));
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(at_, end_, value);
  if (problem != std::errc() || value > most) {
    return std::nullopt;
  }
  at_ = end;
  return value;
}

void Scanner::skip_line() {
  at_ = std::find(at_, end_, '\n');
}

bool Scanner::skip_past(std::string_view text) {
  const std::size_t found = rest().find(text);
  if (found == std::string_view::npos) {
    return false;
  }
  skip(found + text.size());
  return true;
}

SourceLocation Scanner::locate(std::size_t position) const {
  return nestor::base::locate({begin_, static_cast<std::size_t>(end_ - begin_)}, position, start_);
}

void Scanner::fail(const std::string& message, std::size_t position, Error::Kind kind) const {
  throw Error(kind, message, locate(position));
}

void Scanner::require_offsets() const {
  if (static_cast<std::size_t>(end_ - begin_) > std::numeric_limits<Offset>::max()) {
    throw Error(Error::Kind::Unsupported, "files must be smaller than 4 GiB", {start_.file, 0, 0});
  }
}

}  // namespace nestor::base
