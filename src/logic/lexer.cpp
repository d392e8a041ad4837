#include "logic/lexer.h"

#include <fmt/format.h>

#include <cassert>

namespace nestor::logic {

namespace {

constexpr base::CharacterSet kBlanks(" \t\r");
constexpr base::CharacterSet kControls =
    (base::CharacterSet::range(0, ' ' - 1) | base::CharacterSet("\x7f")) - kBlanks;
constexpr base::CharacterSet kEscapedInQuotes = kControls | base::CharacterSet("\t\r");
constexpr base::CharacterSet kBeginsName = base::kLetters | base::CharacterSet("_$");
constexpr base::CharacterSet kBehindTerms("(<>=!+-*");
constexpr base::CharacterSet kInNames = kBeginsName | base::kDigits | base::CharacterSet(".");

struct Word {
  std::string_view text;
  TokenKind kind;
  Op op;
};

constexpr Word kReservedWords[] = {
    {"A", TokenKind::ForAll, Op::True},    {"E", TokenKind::Exists, Op::True},
    {"AX", TokenKind::Unary, Op::AX},      {"EX", TokenKind::Unary, Op::EX},
    {"AF", TokenKind::Unary, Op::AF},      {"EF", TokenKind::Unary, Op::EF},
    {"AG", TokenKind::Unary, Op::AG},      {"EG", TokenKind::Unary, Op::EG},
    {"or", TokenKind::Binary, Op::Or},     {"and", TokenKind::Binary, Op::And},
    {"not", TokenKind::Unary, Op::Not},    {"xor", TokenKind::Binary, Op::Xor},
    {"xnor", TokenKind::Binary, Op::Iff},  {"true", TokenKind::True, Op::True},
    {"TRUE", TokenKind::True, Op::True},   {"false", TokenKind::False, Op::True},
    {"FALSE", TokenKind::False, Op::True},
};

constexpr std::size_t kLongestReservedWord = 5;

const Word* find_reserved(std::string_view text) {
  if (text.size() > kLongestReservedWord) {
    return nullptr;
  }
  for (const Word& word : kReservedWords) {
    if (word.text == text) {
      return &word;
    }
  }
  return nullptr;
}

// Longer symbols stand before their beginnings.
constexpr Word kSymbols[] = {
    {"<->", TokenKind::Binary, Op::Iff},
    {"-->", TokenKind::Binary, Op::Implies},
    {"->", TokenKind::Binary, Op::Implies},
    {"&&", TokenKind::Binary, Op::And},
    {"&", TokenKind::Binary, Op::And},
    {"||", TokenKind::Binary, Op::Or},
    {"|", TokenKind::Binary, Op::Or},
    {"!", TokenKind::Unary, Op::Not},
    {"~", TokenKind::Unary, Op::Not},
    {"(", TokenKind::LeftParenthesis, Op::True},
    {")", TokenKind::RightParenthesis, Op::True},
    {"[]", TokenKind::Unary, Op::G},  // as Spin and its relatives write LTL
    {"<>", TokenKind::Unary, Op::F},
    {"[", TokenKind::LeftBracket, Op::True},
    {"]", TokenKind::RightBracket, Op::True},
    {":=", TokenKind::Assign, Op::True},
};

/// The length of the index part, such as `[3]`, that `text` begins with; 0 if it is none.
std::size_t index_length(std::string_view text) {
  assert(text.front() == '[');
  std::size_t i = 1;
  while (i < text.size() && kInNames.contains(text[i])) {
    ++i;
  }
  return i > 1 && i < text.size() && text[i] == ']' ? i + 1 : 0;
}

/// The length of the word that `text` begins with, index parts included.
std::size_t word_length(std::string_view text) {
  if (text.empty() || !kBeginsName.contains(text.front())) {
    return 0;
  }
  std::size_t i = 1;
  for (;;) {
    while (i < text.size() && kInNames.contains(text[i])) {
      ++i;
    }
    // `A[p]` is a quantifier and its path, not an array.
    if (i == text.size() || text[i] != '[' || find_reserved(text.substr(0, i)) != nullptr) {
      return i;
    }
    const std::size_t index = index_length(text.substr(i));
    if (index == 0) {
      return i;
    }
    i += index;
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The length of the escape sequence that `text` begins with; 0 if it is none.
std::size_t escape_length(std::string_view text) {
  assert(text.front() == '\\');
  if (text.size() >= 2 && (text[1] == '"' || text[1] == '\\')) {
    return 2;
  }
  const bool is_hexadecimal =
      text.size() >= 4 && text[1] == 'x' && hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0;
  return is_hexadecimal ? 4 : 0;
}

}  // namespace

void Lexer::read_formula() {
  tokens_.clear();
  atoms_.clear();
  problem_.clear();
  while (!at_end() && problem_.empty()) {
    if (at(kBlanks)) {
      take_while(kBlanks);
    } else if (take('\n')) {
      if (newline_ == Newline::EndsFormula) {
        break;
      }
    } else if (at(kBeginsName)) {
      read_word();
    } else if (at('"')) {
      read_quoted();
    } else if (read_bounds() || read_symbol()) {  // `-->` before the comment `--`
      continue;
    } else if (at('#') || at("--") || at("//")) {
      skip_line();
    } else if (!read_atom(0)) {
      reject_character();
    }
  }
  if (problem_.empty()) {
    const std::size_t end = tokens_.empty() ? position() : tokens_.back().end;
    tokens_.push_back({TokenKind::End, Op::True, end, end});
  }
}

void Lexer::read_word() {
  const std::size_t length = word_length(rest());
  const Word* reserved = find_reserved(rest().substr(0, length));
  if (reserved != nullptr) {
    add(reserved->kind, reserved->op, length);
  } else if (!read_atom(length)) {
    add(TokenKind::Name, Op::True, length);
  }
}

void Lexer::read_quoted() {
  const std::string_view text = rest();
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') {
    const char c = text[i];
    const bool ends_line = c == '\n' || text.substr(i, 2) == "\r\n";
    if (ends_line) {
      break;
    }
    if (kEscapedInQuotes.contains(c)) {
      return reject(position() + i,
                    fmt::format("control character 0x{:02x} in a quoted name; write '\\x{:02x}'",
                                static_cast<unsigned char>(c), static_cast<unsigned char>(c)));
    }
    std::size_t length = 1;
    if (c == '\\') {
      length = escape_length(text.substr(i));
      if (length == 0) {
        return reject(position() + i,
                      R"(unknown escape in a quoted name; '\"', '\\' and '\xHH' are known)");
      }
    }
    i += length;
  }
  if (i >= text.size() || text[i] != '"') {
    return reject(position(), "quoted name without closing '\"'");
  }
  add(TokenKind::Quoted, Op::True, i + 1);
}

bool Lexer::read_atom(std::size_t word) {
  for (const AtomDialect dialect : dialects_) {
    AtomScan scan = dialect(rest(), word);
    if (!scan.problem.empty()) {
      reject(position() + scan.problem_at, std::move(scan.problem));
      return true;
    }
    if (scan.length > 0) {
      add(TokenKind::Atom, Op::True, scan.length);
      tokens_.back().atom = atoms_.size();
      atoms_.push_back(std::move(scan.name));
      return true;
    }
  }
  return false;
}

/// Elsewhere a number cannot follow a bracket, so what is no pair of bounds is read as if there
/// were none.
bool Lexer::read_bounds() {
  if (!at('[') || tokens_.empty() || tokens_.back().kind != TokenKind::Name ||
      tokens_.back().end - tokens_.back().begin != 1 ||
      std::string_view("FGOH").find(text_[tokens_.back().begin]) == std::string_view::npos) {
    return false;
  }
  const std::string_view text = rest();
  std::size_t i = 1;
  for (const char ending : {',', ']'}) {
    const auto skip_all = [&](const base::CharacterSet& set) {
      const std::size_t begin = i;
      while (i < text.size() && set.contains(text[i])) {
        ++i;
      }
      return i > begin;
    };
    skip_all(kBlanks);
    const bool has_digits = skip_all(base::kDigits);
    skip_all(kBlanks);
    if (!has_digits || i >= text.size() || text[i] != ending) {
      return false;
    }
    ++i;
  }
  add(TokenKind::Bounds, Op::True, i);
  return true;
}

bool Lexer::read_symbol() {
  for (const Word& symbol : kSymbols) {
    if (at(symbol.text)) {
      add(symbol.kind, symbol.op, symbol.text.size());
      return true;
    }
  }
  return false;
}

void Lexer::add(TokenKind kind, Op op, std::size_t length) {
  tokens_.push_back({kind, op, position(), position() + length});
  skip(length);
}

void Lexer::reject(std::size_t at, std::string problem) {
  tokens_.push_back({TokenKind::Invalid, Op::True, at, at});
  problem_ = std::move(problem);
}

void Lexer::reject_character() {
  const char c = peek();
  const auto byte = static_cast<unsigned char>(c);
  if (kControls.contains(c)) {
    reject(position(), fmt::format("control character 0x{:02x}", byte));
  } else if (byte >= 0x80) {
    reject(position(),
           fmt::format("unexpected byte 0x{:02x}; such names go in double quotes", byte));
  } else if (kInNames.contains(c)) {
    reject(position(),
           fmt::format("a name cannot start with '{}'; such names go in double quotes", c));
  } else {
    reject(position(),
           fmt::format("unexpected '{}'; names that contain it go in double quotes", c));
  }
}

std::size_t name_length(std::string_view text) {
  return word_length(text);
}

bool may_begin_term(std::string_view text, std::size_t word) {
  while (word < text.size() && kBlanks.contains(text[word])) {
    ++word;
  }
  return word < text.size() && kBehindTerms.contains(text[word]) &&
         !text.substr(word).starts_with("->");
}

std::size_t quoted_length(std::string_view text) {
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') {
    const std::size_t length = text[i] == '\\' ? escape_length(text.substr(i)) : 1;
    if (length == 0 || kControls.contains(text[i])) {
      return 0;
    }
    i += length;
  }
  return i < text.size() ? i + 1 : 0;
}

std::string unquote(std::string_view text) {
  assert(text.size() >= 2 && text.front() == '"' && text.back() == '"');
  const std::string_view inside = text.substr(1, text.size() - 2);
  std::string name;
  name.reserve(inside.size());
  for (std::size_t i = 0; i < inside.size();) {
    if (inside[i] != '\\') {
      name += inside[i++];
      continue;
    }
    const std::size_t length = escape_length(inside.substr(i));
    assert(length != 0);
    name += length == 2
                ? inside[i + 1]
                : static_cast<char>(hex_digit(inside[i + 2]) * 16 + hex_digit(inside[i + 3]));
    i += length;
  }
  return name;
}

std::string quote_if_needed(std::string_view name) {
  // The letters of the path operators are names in most places, but quoted they are in all.
  constexpr std::string_view kPathOperators = "XFGURW";
  const bool is_path_operator =
      name.size() == 1 && kPathOperators.find(name.front()) != std::string_view::npos;
  if (!name.empty() && word_length(name) == name.size() && find_reserved(name) == nullptr &&
      !is_path_operator) {
    return std::string(name);
  }
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (kEscapedInQuotes.contains(c)) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

}  // namespace nestor::logic
