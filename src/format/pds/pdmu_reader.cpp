// PDSolver's pushdown systems: sections in any order, statements that end with ';'.

#include "format/pds/pdmu_reader.h"

#include "base/scanner.h"
#include "format/pds/mu_calculus.h"
#include "format/pds/to_rsm.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace nestor::format {

namespace {

// Where the programs' translator begins, in files that do not say which configurations are of
// interest.
constexpr std::string_view kStartControl = "csinit";
constexpr std::string_view kBottomSymbol = "#";

constexpr std::string_view kRules = "Rules:";
constexpr std::string_view kPropositions = "Propositions:";
constexpr std::string_view kProperty = "Mu Property:";
constexpr std::string_view kConfigurations = "Interesting Configurations:";
constexpr std::string_view kOtherHeaders[] = {"Control States:", "Boolean Program:"};

constexpr std::string_view kOutsideNames = "<>[]()\"";

constexpr base::CharacterSet kBlanks = base::CharacterSet::range(0, ' ');
constexpr base::CharacterSet kInWords =
    base::CharacterSet::range(' ' + 1, 255) - base::CharacterSet(";");
constexpr base::CharacterSet kInNames = kInWords - base::CharacterSet(kOutsideNames);

/// A word, `;`, or the empty text at the end.
struct Word {
  std::string_view text;
  bool odd = false;  ///< has a character that names do not have
};

class PdmuReader : private base::Scanner {
 public:
  explicit PdmuReader(const base::Input& input) : base::Scanner(input) { require_offsets(); }

  model::PushdownSystem read() {
    advance();
    while (!word_.text.empty()) {
      read_section();
    }
    if (!has_rules_) {
      fail("no section 'Rules:'", position());
    }
    if (!has_propositions_) {
      fail("no section 'Propositions:'", position());
    }
    if (system_.initial_heads().empty()) {
      const model::ControlId start = system_.find_control(system_.intern(kStartControl));
      const model::SymbolId bottom = system_.find_symbol(system_.intern(kBottomSymbol));
      if (!start.valid() || !bottom.valid()) {
        fail(fmt::format("no initial configuration, expected rules for '{} {}' or a section '{}'",
                         kStartControl, kBottomSymbol, kConfigurations),
             position());
      }
      system_.initial({start, bottom});
    }
    return std::move(system_);
  }

  /// The text of the mu property; begins at the header's end. Empty view without data if none.
  std::string_view property() {
    constexpr std::string_view kFirstWord = kProperty.substr(0, kProperty.find(' '));
    while (skip_past(kFirstWord)) {
      const std::size_t after = position();
      move_to(after - kFirstWord.size());
      if (at_word()) {
        advance();
        if (take_header(kProperty)) {
          const std::size_t first = after_header_;
          skip_property();
          move_to(place());
          return since(first);
        }
      }
      move_to(after);
    }
    return {};
  }

 private:
  [[noreturn]] void expected(std::string_view what) const {
    fail(word_.text.empty()
             ? fmt::format("expected {} before end of file", what)
             : fmt::format("expected {}, found '{}'", what, word_.text.substr(0, 80)),
         place());
  }

  /// Where the current word begins.
  std::size_t place() const { return position_of(word_.text); }

  void advance() {
    while (take_while(kBlanks), at('/') && at("//")) {
      skip_line();
    }
    word_.text = take_while(kInNames);
    word_.odd = at(kInWords);
    if (word_.odd) {
      take_while(kInWords);
      word_.text = since(place());
    } else if (word_.text.empty() && take(';')) {
      word_.text = since(place());
    }
  }

  /// A word begins here: not in another one, nor in a comment.
  bool at_word() const {
    const std::string_view before = since(0);
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const auto may_follow = [&line](std::size_t i) {
      return i == 0 || !kInWords.contains(line[i - 1]);
    };
    for (std::size_t i = line.find("//"); i != std::string_view::npos; i = line.find("//", i + 1)) {
      if (may_follow(i)) {
        return false;
      }
    }
    return may_follow(line.size());
  }

  /// If a header of one or two words comes next, its last word is current then.
  bool reach_end_of(std::string_view header) {
    const std::size_t blank = header.find(' ');
    if (word_.text != header.substr(0, blank)) {
      return false;
    }
    if (blank == std::string_view::npos) {
      return true;
    }
    const std::size_t before = position();
    const Word first = word_;
    advance();
    if (word_.text == header.substr(blank + 1)) {
      return true;
    }
    move_to(before);
    word_ = first;
    return false;
  }

  /// Consumes a header if it comes next. The word after it is then current.
  bool take_header(std::string_view header) {
    if (!reach_end_of(header)) {
      return false;
    }
    after_header_ = position();
    advance();
    return true;
  }

  /// Cheap: most words of a file are no headers, and only headers end with a colon.
  bool at_header() {
    if (word_.text.size() < 2) {
      return false;
    }
    const char last = word_.text.back();
    if (last == ':') {
      return word_.text == kRules || word_.text == kPropositions;
    }
    const auto is_next = [this](std::string_view header) {
      const std::size_t before = position();
      const Word first = word_;
      const bool found = reach_end_of(header);
      move_to(before);
      word_ = first;
      return found;
    };
    return is_next(kProperty) || is_next(kConfigurations) ||
           std::any_of(std::begin(kOtherHeaders), std::end(kOtherHeaders), is_next);
  }

  void once(bool& seen, std::string_view header, std::size_t at) {
    if (seen) {
      fail(fmt::format("second section '{}'", header), at);
    }
    seen = true;
  }

  void read_section() {
    const std::size_t at = place();
    if (take_header(kRules)) {
      once(has_rules_, kRules, at);
      while (!word_.text.empty() && !at_header()) {
        read_rule();
      }
    } else if (take_header(kPropositions)) {
      once(has_propositions_, kPropositions, at);
      while (!word_.text.empty() && !at_header()) {
        read_propositions();
      }
    } else if (take_header(kConfigurations)) {
      once(has_configurations_, kConfigurations, at);
      while (!word_.text.empty() && !at_header()) {
        read_configuration();
      }
    } else if (take_header(kProperty)) {
      once(has_property_, kProperty, at);
      skip_property();
    } else {
      for (const std::string_view header : kOtherHeaders) {
        if (take_header(header)) {
          fail(fmt::format("section '{}': parity games and Boolean programs are not read", header),
               at, base::Error::Kind::Unsupported);
        }
      }
      expected("'Rules:', 'Propositions:', 'Interesting Configurations:' or 'Mu Property:'");
    }
  }

  /// Its own grammar may hold any word, so it ends only at another header.
  void skip_property() {
    while (!word_.text.empty() && !at_header()) {
      advance();
    }
  }

  std::string_view name(std::string_view what) {
    if (word_.text.empty() || word_.text == ";" || word_.text == "->") {
      expected(what);
    }
    if (word_.odd) {
      const std::size_t odd = word_.text.find_first_of(kOutsideNames);
      fail(fmt::format("'{}' in the name '{}'", word_.text[odd], word_.text.substr(0, 80)),
           place() + odd);
    }
    const std::string_view text = word_.text;
    advance();
    return text;
  }
  void demand(std::string_view text, std::string_view what) {
    if (word_.text != text) {
      expected(what);
    }
    advance();
  }
  bool at_statement_end() const { return word_.text == ";" || word_.text.empty(); }

  model::Head head() {
    model::Head head;
    head.control = system_.control(name("a control state"));
    head.symbol = system_.symbol(name("a stack symbol"));
    return head;
  }

  void read_rule() {
    model::PushdownRule rule;
    rule.head = head();
    demand("->", "'->' after the stack symbol");
    rule.target = system_.control(name("a control state"));
    if (word_.text == "_") {
      advance();
    } else {
      rule.first = system_.symbol(name("a stack symbol or '_'"));
      if (!at_statement_end()) {
        rule.second = system_.symbol(name("a stack symbol"));
      }
      if (!at_statement_end() && word_.text != "->") {
        fail("a rule that writes more than two stack symbols", place(),
             base::Error::Kind::Unsupported);
      }
    }
    demand(";", "';' after the rule");
    system_.rule(rule);
  }

  void read_propositions() {
    const model::Head at = head();
    while (!at_statement_end()) {
      system_.label(at, system_.intern(name("a proposition")));
    }
    demand(";", "';' after the propositions");
  }

  void read_configuration() {
    const model::Head at = head();
    if (!at_statement_end()) {
      fail("an initial configuration with more than one stack symbol", place(),
           base::Error::Kind::Unsupported);
    }
    demand(";", "';' after the configuration");
    system_.initial(at);
  }

  Word word_;
  std::size_t after_header_ = 0;
  bool has_rules_ = false;
  bool has_propositions_ = false;
  bool has_configurations_ = false;
  bool has_property_ = false;
  model::PushdownSystem system_;
};

}  // namespace

model::PushdownSystem parse_pdmu(const base::Input& input) {
  return PdmuReader(input).read();
}

std::vector<std::string> read_pdmu_propositions(const base::Input& input) {
  return model::propositions_of(parse_pdmu(input));
}

model::Rsm read_pdmu(const base::Input& input, model::DeadEnds dead_ends) {
  return to_rsm(parse_pdmu(input), input.name(), dead_ends);
}

std::vector<logic::ModelProperty> read_pdmu_properties(const base::Input& input,
                                                       logic::FormulaPool& pool) {
  const std::string_view text = PdmuReader(input).property();
  if (text.data() == nullptr) {
    return {};
  }
  return {translate_mu_property(input, text, pool)};
}

}  // namespace nestor::format
