#include "net/net_atom.h"

#include "base/scanner.h"
#include "logic/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace nestor::net {

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

constexpr base::CharacterSet kBlanks(" \t\r");
constexpr base::CharacterSet kInTuples =
    base::kLetters | base::kDigits | base::CharacterSet("<., -_");

std::string_view without_blanks(std::string_view text) {
  base::Scanner scanner(text);
  scanner.take_while(kBlanks);
  return scanner.rest();
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

class AtomReader : private base::Scanner {
 public:
  explicit AtomReader(std::string_view text) : base::Scanner(text) {}

  NetAtomScan read() {
    if (starts_call(rest(), "fireable")) {
      call("fireable", scan_.atom.transitions);
    } else {
      sum(scan_.atom.left);
      comparison();
      sum(scan_.atom.right);
    }
    scan_.length = position();
    return std::move(scan_);
  }

 private:
  bool failed() const { return !scan_.problem.empty(); }
  /// Reading goes on, but only the first problem counts.
  void reject(std::string problem) {
    if (!failed()) {
      scan_.problem = std::move(problem);
      scan_.problem_at = position();
    }
  }
  std::string found() const {
    return at_end() || at('\n') ? "the end" : fmt::format("'{}'", peek());
  }
  void skip_blanks() { take_while(kBlanks); }

  void sum(std::vector<NetAtom::Term>& terms) {
    std::int64_t sign = 1;
    while (!failed()) {
      skip_blanks();
      terms.push_back(term());
      terms.back().factor *= sign;
      const std::size_t end = position();
      skip_blanks();
      if (!starts_sign(rest())) {
        move_to(end);
        return;
      }
      sign = at('-') ? -1 : 1;
      skip(1);
    }
  }

  NetAtom::Term term() {
    NetAtom::Term result;
    if (starts_call(rest(), "tokens")) {
      call("tokens", result.places);
      return result;
    }
    if (!at(base::kDigits)) {
      reject(fmt::format("expected a number or 'tokens(…)' before {}", found()));
      return result;
    }
    result.factor = number();
    const std::size_t end = position();
    skip_blanks();
    if (failed() || !take('*')) {
      move_to(end);
      return result;
    }
    skip_blanks();
    if (!starts_call(rest(), "tokens")) {
      reject(fmt::format("expected 'tokens(…)' behind '*', before {}", found()));
    } else {
      call("tokens", result.places);
    }
    return result;
  }

  std::int64_t number() {
    const std::optional<std::int64_t> value = take_number(kMostNetAtomNumber);
    if (!value) {
      reject(fmt::format("number too large, the largest is {}", kMostNetAtomNumber));
    }
    return value.value_or(0);
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
    reject(fmt::format("expected '<', '<=', '=', '!=', '>=' or '>' before {}", found()));
  }

  void call(std::string_view function, std::vector<std::string>& names) {
    skip(function.size());
    skip_blanks();
    take('(');
    do {
      skip_blanks();
      names.push_back(name());
      skip_blanks();
    } while (!failed() && take(','));
    if (failed() || !take(')')) {
      reject(fmt::format("expected ',' or ')' before {}", found()));
    }
  }

  /// A plain or quoted name, or a place with a tuple: `p<1,cs>`.
  std::string name() {
    const std::size_t begin = position();
    if (at('"')) {
      const std::size_t length = logic::quoted_length(rest());
      if (length == 0) {
        reject("quoted name that is not closed, or with an unknown escape");
        return {};
      }
      skip(length);
      return logic::unquote(since(begin));
    }
    const std::size_t length = logic::name_length(rest());
    if (length == 0) {
      reject(fmt::format("expected a name before {}; names of other characters go in double quotes",
                         found()));
      return {};
    }
    skip(length);
    std::string result(since(begin));
    if (at('<')) {
      const std::string_view tuple = take_while(kInTuples);
      if (!take('>')) {
        move_to(begin + length);
        reject("expected a tuple such as '<1,2>' behind the name");
        return {};
      }
      std::ranges::copy_if(tuple, std::back_inserter(result),
                           [](char c) { return c != ' ' && c != '.'; });
      result += '>';
    }
    return result;
  }

  NetAtomScan scan_;
};

/// `process<1,CS>`, which is read without quotes. Dots and blanks would be lost.
bool is_place_with_tuple(std::string_view name) {
  constexpr base::CharacterSet kInFields =
      base::kLetters | base::kDigits | base::CharacterSet(",-_");
  const std::size_t length = logic::name_length(name);
  base::Scanner scanner(name.substr(length));
  return length > 0 && scanner.take('<') && !scanner.take_while(kInFields).empty() &&
         scanner.rest() == ">";
}

/// The length of a place with a tuple, `process<1,CS>` or `process<.1,CS.>`, that `text` begins
/// with, its name of that length; 0 if it does not. In other languages `<` compares: there is a
/// comma, or nothing follows that could be compared.
std::size_t place_with_tuple(std::string_view text, std::size_t length) {
  constexpr base::CharacterSet kAround(" .");
  constexpr base::CharacterSet kInValues = base::kLetters | base::kDigits | base::CharacterSet("_");
  base::Scanner scanner(text.substr(length));
  if (length == 0 || !scanner.take('<')) {
    return 0;
  }
  bool has_comma = false;
  do {
    scanner.take_while(kAround);
    scanner.take('-');
    if (scanner.take_while(kInValues).empty()) {
      return 0;
    }
    scanner.take_while(kAround);
    has_comma = has_comma || scanner.at(',');
  } while (scanner.take(','));
  if (!scanner.take('>')) {
    return 0;
  }
  const bool is_compared = !scanner.at_end() && (scanner.at(kInValues) || scanner.at('(') ||
                                                 scanner.at('=') || scanner.at('"'));
  return has_comma || !is_compared ? length + scanner.position() : 0;
}

std::string text_of_call(std::string_view function, const std::vector<std::string>& names) {
  std::string text = fmt::format("{}(", function);
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += is_place_with_tuple(names[i]) ? names[i] : logic::quote_if_needed(names[i]);
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
  base::Scanner scanner(text);
  const bool number = !scanner.take_while(base::kDigits).empty();
  const std::string_view behind = without_blanks(scanner.rest());
  return number && (starts_comparison(behind) || starts_sign(behind) || behind.starts_with('*'));
}

NetAtomScan scan_atom(std::string_view text, std::size_t word) {
  if (starts_atom(text)) {
    return AtomReader(text).read();
  }
  NetAtomScan scan;
  scan.length = place_with_tuple(text, word);
  if (scan.length > 0) {
    scan.problem = fmt::format("a place is no atom; write 'tokens({}) >= 1' for a token there",
                               text.substr(0, scan.length));
  }
  return scan;
}

}  // namespace

bool compares(NetAtom::Comparison comparison, int sign) {
  switch (comparison) {
    case Comparison::Less:
      return sign < 0;
    case Comparison::LessEqual:
      return sign <= 0;
    case Comparison::Equal:
      return sign == 0;
    case Comparison::NotEqual:
      return sign != 0;
    case Comparison::GreaterEqual:
      return sign >= 0;
    case Comparison::Greater:
      return sign > 0;
  }
  return false;
}

NetAtomScan scan_net_atom(std::string_view text) {
  return scan_atom(text, logic::name_length(text));
}

std::string problem_of_scan(const NetAtomScan& scan, std::string_view text) {
  if (scan.length == 0 && scan.problem.empty()) {
    return fmt::format(
        "'{}' is no atom of a net; expected 'tokens(…)' in a comparison, 'fireable(…)' or "
        "'deadlock'",
        text);
  }
  if (!scan.problem.empty() || scan.length != text.size()) {
    return fmt::format("'{}' cannot be read: {}", text,
                       scan.problem.empty() ? "something follows" : scan.problem);
  }
  return {};
}

std::string to_text(const NetAtom& atom) {
  if (!atom.transitions.empty()) {
    return text_of_call("fireable", atom.transitions);
  }
  constexpr std::array<std::string_view, 6> kNames = {"<", "<=", "=", "!=", ">=", ">"};
  return fmt::format("{} {} {}", text_of_sum(atom.left),
                     kNames[static_cast<std::size_t>(atom.comparison)], text_of_sum(atom.right));
}

std::string at_least_atom(const std::string& place, std::uint32_t count) {
  NetAtom atom;
  atom.left = {{1, {place}}};
  atom.right = {{count, {}}};
  atom.comparison = Comparison::GreaterEqual;
  return to_text(atom);
}

std::string fireable_atom(const std::string& transition) {
  NetAtom atom;
  atom.transitions = {transition};
  return to_text(atom);
}

logic::AtomScan net_atom_dialect(std::string_view text, std::size_t word) {
  if (word > 0 && !logic::may_begin_term(text, word)) {
    return {};
  }
  NetAtomScan scan = scan_atom(text, word);
  const bool is_atom = scan.length > 0 && scan.problem.empty();
  return {scan.length, is_atom ? to_text(scan.atom) : "", std::move(scan.problem), scan.problem_at};
}

}  // namespace nestor::net
