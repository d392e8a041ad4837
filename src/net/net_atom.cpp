#include "net/net_atom.h"

#include "logic/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nestor {

namespace {

using Comparison = NetAtom::Comparison;

struct Symbol {
  std::string_view text;
  Comparison comparison;
};

// Longer symbols stand before their beginnings.
constexpr std::array kSymbols = {
    Symbol{"<=", Comparison::LessEqual},    Symbol{"<", Comparison::Less},
    Symbol{">=", Comparison::GreaterEqual}, Symbol{">", Comparison::Greater},
    Symbol{"==", Comparison::Equal},        Symbol{"=", Comparison::Equal},
    Symbol{"!=", Comparison::NotEqual}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// `<` and `-` also begin other operators of formulas.
bool starts_comparison(std::string_view text) {
  return !text.starts_with("<->") &&
         std::ranges::any_of(kSymbols, [&](const Symbol& s) { return text.starts_with(s.text); });
}

bool starts_sign(std::string_view text) {
  return text.starts_with('+') ||
         (text.starts_with('-') && !text.starts_with("->") && !text.starts_with("--"));
}

bool starts_call(std::string_view text, std::string_view name) {
  return text.starts_with(name) && without_blanks(text.substr(name.size())).starts_with('(');
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  NetAtomScan scan() {
    if (starts_call(rest(), "fireable")) {
      call("fireable", scan_.atom.transitions);
    } else {
      sum(scan_.atom.left);
      comparison();
      sum(scan_.atom.right);
    }
    scan_.length = position_;
    return std::move(scan_);
  }

 private:
  std::string_view rest() const { return text_.substr(position_); }
  bool failed() const { return !scan_.problem.empty(); }
  void fail(std::string problem) {
    if (!failed()) {
      scan_.problem = std::move(problem);
      scan_.problem_at = position_;
    }
  }
  std::string found() const {
    return rest().empty() || rest().front() == '\n' ? "the end" : fmt::format("'{}'", rest()[0]);
  }
  void skip_blanks() { position_ = text_.size() - without_blanks(rest()).size(); }
  bool take(std::string_view symbol) {
    if (failed() || !rest().starts_with(symbol)) {
      return false;
    }
    position_ += symbol.size();
    return true;
  }

  void sum(std::vector<NetAtom::Term>& terms) {
    std::int64_t sign = 1;
    while (!failed()) {
      skip_blanks();
      terms.push_back(term());
      terms.back().factor *= sign;
      const std::size_t end = position_;
      skip_blanks();
      if (!starts_sign(rest())) {
        position_ = end;
        return;
      }
      sign = rest().front() == '-' ? -1 : 1;
      ++position_;
    }
  }

  NetAtom::Term term() {
    NetAtom::Term result;
    if (starts_call(rest(), "tokens")) {
      call("tokens", result.places);
      return result;
    }
    if (rest().empty() || !is_digit(rest().front())) {
      fail(fmt::format("expected a number or 'tokens(…)' before {}", found()));
      return result;
    }
    result.factor = number();
    const std::size_t end = position_;
    skip_blanks();
    if (!take("*")) {
      position_ = end;
      return result;
    }
    skip_blanks();
    if (!starts_call(rest(), "tokens")) {
      fail(fmt::format("expected 'tokens(…)' behind '*', before {}", found()));
    } else {
      call("tokens", result.places);
    }
    return result;
  }

  std::int64_t number() {
    const std::size_t begin = position_;
    std::int64_t value = 0;
    while (position_ < text_.size() && is_digit(text_[position_])) {
      value = std::min(value * 10 + (text_[position_++] - '0'), kMostNetAtomNumber + 1);
    }
    if (value > kMostNetAtomNumber) {
      position_ = begin;
      fail(fmt::format("number too large, the largest is {}", kMostNetAtomNumber));
    }
    return value;
  }

  void comparison() {
    if (failed()) {
      return;
    }
    skip_blanks();
    if (starts_comparison(rest())) {
      for (const Symbol& symbol : kSymbols) {
        if (take(symbol.text)) {
          scan_.atom.comparison = symbol.comparison;
          return;
        }
      }
    }
    fail(fmt::format("expected '<', '<=', '=', '!=', '>=' or '>' before {}", found()));
  }

  void call(std::string_view function, std::vector<std::string>& names) {
    position_ += function.size();
    skip_blanks();
    take("(");
    do {
      skip_blanks();
      names.push_back(name());
      skip_blanks();
    } while (take(","));
    if (!take(")")) {
      fail(fmt::format("expected ',' or ')' before {}", found()));
    }
  }

  /// A plain or quoted name, or a place with a tuple: `p<1,cs>`.
  std::string name() {
    if (rest().starts_with('"')) {
      const std::size_t length = quoted_length(rest());
      if (length == 0) {
        fail("quoted name that is not closed, or with an unknown escape");
        return {};
      }
      position_ += length;
      return unquote(text_.substr(position_ - length, length));
    }
    const std::size_t length = name_length(rest());
    if (length == 0) {
      fail(fmt::format("expected a name before {}; names of other characters go in double quotes",
                       found()));
      return {};
    }
    std::string result(rest().substr(0, length));
    position_ += length;
    if (rest().starts_with('<')) {
      const std::size_t end = rest().find_first_not_of(
          "<., -abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
      if (end == std::string_view::npos || rest()[end] != '>') {
        fail("expected a tuple such as '<1,2>' behind the name");
        return {};
      }
      for (const char c : rest().substr(0, end + 1)) {
        if (c != ' ' && c != '.') {
          result += c;
        }
      }
      position_ += end + 1;
    }
    return result;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  NetAtomScan scan_;
};

std::string text_of_call(std::string_view function, const std::vector<std::string>& names) {
  std::string text = fmt::format("{}(", function);
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += quote_if_needed(names[i]);
  }
  return text + ")";
}

std::string text_of_sum(const std::vector<NetAtom::Term>& terms) {
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const NetAtom::Term& term = terms[i];
    const std::int64_t size = term.factor < 0 ? -term.factor : term.factor;
    text += i == 0 ? "" : term.factor < 0 ? " - " : " + ";
    if (term.places.empty()) {
      text += fmt::format("{}", size);
    } else {
      text += (size == 1 ? "" : fmt::format("{}*", size)) + text_of_call("tokens", term.places);
    }
  }
  return text;
}

bool starts_atom(std::string_view text) {
  if (starts_call(text, "fireable") || starts_call(text, "tokens")) {
    return true;
  }
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    ++digits;
  }
  const std::string_view behind = without_blanks(text.substr(digits));
  return digits > 0 &&
         (starts_comparison(behind) || starts_sign(behind) || behind.starts_with('*'));
}

}  // namespace

NetAtomScan scan_net_atom(std::string_view text) {
  return starts_atom(text) ? Scanner(text).scan() : NetAtomScan();
}

std::string to_text(const NetAtom& atom) {
  if (!atom.transitions.empty()) {
    return text_of_call("fireable", atom.transitions);
  }
  constexpr std::array<std::string_view, 6> kNames = {"<", "<=", "=", "!=", ">=", ">"};
  return fmt::format("{} {} {}", text_of_sum(atom.left),
                     kNames[static_cast<std::size_t>(atom.comparison)], text_of_sum(atom.right));
}

AtomScan net_atom_dialect(std::string_view text) {
  NetAtomScan scan = scan_net_atom(text);
  const bool is_atom = scan.length > 0 && scan.problem.empty();
  return {scan.length, is_atom ? to_text(scan.atom) : "", std::move(scan.problem), scan.problem_at};
}

}  // namespace nestor
