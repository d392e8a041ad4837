#include "logic/parser.h"

#include "logic/formula_source.h"
#include "logic/lexer.h"
#include "logic/token_parser.h"

#include <fmt/format.h>

#include <unordered_map>

namespace nestor::logic {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

class FormulaFileParser {
 public:
  FormulaFileParser(FormulaPool& pool, std::string_view text, const std::string& file)
      : pool_(pool),
        source_{text, {file, 1, 1}, "end of line"},
        lexer_(text, Lexer::Newline::EndsFormula, pool.dialects()) {}

  std::vector<NamedFormula> parse() {
    while (!lexer_.at_end()) {
      ++line_;
      lexer_.read_formula();
      if (lexer_.tokens().front().kind != TokenKind::End) {
        read_line();
      }
    }
    return std::move(formulas_);
  }

 private:
  void read_line() {
    const std::vector<Token>& tokens = lexer_.tokens();
    NamedFormula entry;
    std::size_t first = 0;
    if (tokens.size() > 1 && tokens[1].kind == TokenKind::Assign) {
      entry.name = read_name(tokens[0]);
      first = 2;
    } else if (tokens[0].kind == TokenKind::Assign) {
      source_.fail(tokens[0].begin, "expected a name before ':='");
    }
    entry.formula = parse_tokens(pool_, source_, lexer_, first);
    const std::size_t begin = tokens[first].begin;
    entry.text = source_.text.substr(begin, tokens.back().end - begin);
    entry.location = {source_.start.file, line_, column_of(begin)};
    formulas_.push_back(std::move(entry));
  }

  std::string read_name(const Token& token) {
    const std::string_view text = source_.text.substr(token.begin, token.end - token.begin);
    if (token.kind != TokenKind::Name && token.kind != TokenKind::Quoted) {
      source_.fail(token.begin,
                   fmt::format("expected a name before ':=', found {}", describe(source_, token)));
    }
    std::string name = token.kind == TokenKind::Quoted ? unquote(text) : std::string(text);
    if (name.empty()) {
      source_.fail(token.begin, "the name of a formula cannot be empty");
    }
    const auto [place, is_new] = lines_of_names_.try_emplace(name, line_);
    if (!is_new) {
      source_.fail(token.begin, fmt::format("duplicate formula name '{}', first used on line {}",
                                            name, place->second));
    }
    return name;
  }

  /// Looks back to the start of the line only, unlike locate().
  std::uint32_t column_of(std::size_t offset) const {
    const std::size_t newline =
        offset == 0 ? std::string_view::npos : source_.text.rfind('\n', offset - 1);
    return static_cast<std::uint32_t>(offset - (newline + 1) + 1);
  }

  FormulaPool& pool_;
  FormulaSource source_;
  Lexer lexer_;
  std::uint32_t line_ = 0;
  std::vector<NamedFormula> formulas_;
  std::unordered_map<std::string, std::uint32_t> lines_of_names_;
};

}  // namespace

FormulaId parse_formula(FormulaPool& pool, std::string_view text,
                        const base::SourceLocation& where) {
  const FormulaSource source{text, where, "end of formula"};
  Lexer lexer(text, Lexer::Newline::Blank, pool.dialects());
  lexer.read_formula();
  return parse_tokens(pool, source, lexer);
}

std::vector<NamedFormula> parse_formula_file(FormulaPool& pool, std::string_view text,
                                             const std::string& file) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  return FormulaFileParser(pool, text, file).parse();
}

}  // namespace nestor::logic
