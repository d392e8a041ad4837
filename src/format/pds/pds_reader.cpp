// PuMoC's pushdown systems, line by line, in one pass.

#include "format/pds/pds_reader.h"

#include "base/scanner.h"
#include "format/pds/atoms.h"
#include "format/pds/to_rsm.h"

#include <fmt/format.h>

#include <string>

namespace nestor::format {

namespace {

class PdsReader : private base::Scanner {
 public:
  explicit PdsReader(const base::Input& input) : base::Scanner(input) { require_offsets(); }

  model::PushdownSystem read() {
    for (; !at_end(); take('\n')) {
      skip_blanks();
      read_line();
    }
    if (system_.initial_heads().empty()) {
      fail("no initial configuration, expected a line '(state <symbol>)'", position());
    }
    atoms_.apply(system_,
                 [this](const std::string& message, base::Offset at) { fail(message, at); });
    return std::move(system_);
  }

 private:
  static constexpr base::CharacterSet kBlanks{" \t\r"};
  static constexpr base::CharacterSet kInNames =
      base::CharacterSet::range(' ' + 1, 255) - base::CharacterSet("<>(),\"\x7f");

  [[noreturn]] void expected(std::string_view what) {
    const std::size_t place = position();
    if (at_line_end()) {
      fail(fmt::format("expected {} before end of line", what), place);
    }
    constexpr std::size_t kMostShown = 80;
    const std::string_view word = at(kInNames) ? take_while(kInNames) : rest().substr(0, 1);
    const auto first = static_cast<unsigned char>(word.front());
    fail(first >= ' ' && first != 127
             ? fmt::format("expected {}, found '{}'", what, word.substr(0, kMostShown))
             : fmt::format("expected {}, found character {:#04x}", what, first),
         place);
  }

  void skip_blanks() { take_while(kBlanks); }
  bool at_line_end() const { return at_end() || at('\n'); }
  /// What is left of the line.
  std::string_view line() const { return rest().substr(0, rest().find('\n')); }
  void demand(char c, std::string_view what) {
    skip_blanks();
    if (!take(c)) {
      expected(what);
    }
  }
  std::string_view name(std::string_view what) {
    skip_blanks();
    if (!at(kInNames)) {
      expected(what);
    }
    return take_while(kInNames);
  }
  void demand_end(std::string_view instead) {
    skip_blanks();
    if (!at_line_end()) {
      expected(instead);
    }
  }

  void read_line() {
    if (at_line_end()) {
      return;
    }
    if (at('#')) {
      read_comment();
    } else if (at('(')) {
      read_initial();
    } else if (at_atoms()) {
      read_atoms();
    } else {
      read_rule();
    }
  }

  /// Comments may say how the ATOMS lines are meant.
  void read_comment() {
    std::string_view text = line();
    skip_line();
    while (kBlanks.contains(text.back())) {
      text.remove_suffix(1);
    }
    if (text == "# ATOMS: proposition first") {
      atoms_.set_order(Atoms::Order::PropositionFirst);
    } else if (text == "# ATOMS: state first") {
      atoms_.set_order(Atoms::Order::StateFirst);
    }
  }

  void read_initial() {
    demand('(', "'('");
    const model::ControlId control = system_.control(name("a control state"));
    skip_blanks();
    const bool bracketed = take('<');
    const model::SymbolId symbol = system_.symbol(name("a stack symbol"));
    skip_blanks();
    if (at(kInNames)) {
      fail("an initial configuration with more than one stack symbol", position(),
           base::Error::Kind::Unsupported);
    }
    if (bracketed) {
      demand('>', "'>' after the stack symbol");
    }
    demand(')', "')' after the initial configuration");
    demand_end("end of line after the initial configuration");
    system_.initial({control, symbol});
  }

  bool at_atoms() const {
    constexpr std::string_view kKeyword = "ATOMS";
    for (std::size_t i = 0; i < kKeyword.size(); ++i) {
      if ((peek(i) & ~0x20) != kKeyword[i]) {
        return false;
      }
    }
    // A control state may have this name too; only rules have arrows.
    return kBlanks.contains(peek(kKeyword.size())) && line().find("-->") == std::string_view::npos;
  }

  void read_atoms() {
    skip(5);
    atoms_.line(atom());
    skip_blanks();
    if (at_line_end()) {
      return;
    }
    do {
      atoms_.item(atom());
      skip_blanks();
    } while (take(','));
    demand_end("',' or end of line");
  }

  Atoms::Item atom() {
    skip_blanks();
    Atoms::Item item;
    item.at = static_cast<base::Offset>(position());
    if (take('"')) {
      const std::size_t length = line().find('"');
      if (length == std::string_view::npos) {
        fail("expected '\"' before end of line", position() + line().size());
      }
      item.name = system_.intern(line().substr(0, length));
      item.quoted = true;
      skip(length + 1);
      return item;
    }
    if (!at('<')) {
      item.name = system_.intern(name("a proposition, control state or stack symbol"));
    }
    if (take('<')) {  // no blank before it: `state<symbol>`
      item.symbol = system_.intern(name("a stack symbol"));
      demand('>', "'>' after the stack symbol");
    }
    return item;
  }

  void read_rule() {
    model::PushdownRule rule;
    rule.head.control = system_.control(name("a rule, '(' or ATOMS"));
    demand('<', "'<' after the control state");
    rule.head.symbol = system_.symbol(name("a stack symbol"));
    demand('>', "'>': a rule reads one stack symbol");
    skip_blanks();
    if (!take("-->")) {
      expected("'-->'");
    }
    rule.target = system_.control(name("a control state"));
    demand('<', "'<' after the control state");
    skip_blanks();
    if (at(kInNames)) {
      rule.first = system_.symbol(name("a stack symbol"));
      skip_blanks();
      if (at(kInNames)) {
        rule.second = system_.symbol(name("a stack symbol"));
        skip_blanks();
        if (at(kInNames)) {
          fail("a rule that writes more than two stack symbols", position(),
               base::Error::Kind::Unsupported);
        }
      }
    }
    demand('>', "a stack symbol or '>'");
    demand_end("end of line after the rule");
    system_.rule(rule);
  }

  model::PushdownSystem system_;
  Atoms atoms_;
};

}  // namespace

model::PushdownSystem parse_pds(const base::Input& input) {
  return PdsReader(input).read();
}

std::vector<std::string> read_pds_propositions(const base::Input& input) {
  return model::propositions_of(parse_pds(input));
}

model::Rsm read_pds(const base::Input& input, model::DeadEnds dead_ends) {
  return to_rsm(parse_pds(input), input.name(), dead_ends);
}

}  // namespace nestor::format
