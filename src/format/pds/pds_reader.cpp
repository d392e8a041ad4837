// PuMoC's pushdown systems, line by line, in one pass.

#include "format/pds/pds_reader.h"

#include "format/pds/atoms.h"
#include "format/pds/to_rsm.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace nestor {

namespace {

constexpr std::string_view kDelimiters = "<>(),\"";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

struct NameTable {
  bool in_name[256];

  constexpr NameTable() : in_name() {
    for (std::size_t c = 0; c < 256; ++c) {
      in_name[c] = c > ' ' && c != 127;
    }
    for (const char c : kDelimiters) {
      in_name[static_cast<unsigned char>(c)] = false;
    }
  }
};
constexpr NameTable kNames;

class Reader {
 public:
  explicit Reader(const Input& input)
      : input_(input), begin_(input.text().data()), at_(begin_), end_(begin_ + input.size()) {
    if (input.size() > std::numeric_limits<Offset>::max()) {
      throw Error(Error::Kind::Unsupported, "files must be smaller than 4 GiB",
                  {input.name(), 0, 0});
    }
  }

  PushdownSystem read() {
    while (at_ < end_) {
      skip_blanks();
      line_end_ = std::find(at_, end_, '\n');
      read_line();
      at_ = line_end_ < end_ ? line_end_ + 1 : end_;
    }
    if (system_.initial_heads().empty()) {
      fail("no initial configuration, expected a line '(state <symbol>)'", end_);
    }
    atoms_.apply(system_,
                 [this](const std::string& message, Offset at) { fail(message, begin_ + at); });
    return std::move(system_);
  }

 private:
  [[noreturn]] void fail(const std::string& message, const char* at) const {
    throw Error(Error::Kind::Input, message, input_.locate(static_cast<std::size_t>(at - begin_)));
  }
  [[noreturn]] void expected(std::string_view what) const {
    if (at_ == line_end_) {
      fail(fmt::format("expected {} before end of line", what), at_);
    }
    const char* word_end = at_ + 1;
    while (word_end < line_end_ && kNames.in_name[static_cast<unsigned char>(*at_)] &&
           kNames.in_name[static_cast<unsigned char>(*word_end)]) {
      ++word_end;
    }
    constexpr std::size_t kMostShown = 80;
    const std::string_view word(at_, static_cast<std::size_t>(word_end - at_));
    const bool printable = static_cast<unsigned char>(*at_) >= ' ' && *at_ != 127;
    fail(printable ? fmt::format("expected {}, found '{}'", what, word.substr(0, kMostShown))
                   : fmt::format("expected {}, found character {:#04x}", what,
                                 static_cast<unsigned char>(*at_)),
         at_);
  }

  Offset offset() const { return static_cast<Offset>(at_ - begin_); }
  void skip_blanks() {
    while (at_ < end_ && is_blank(*at_)) {
      ++at_;
    }
  }
  bool at_character(char c) const { return at_ < line_end_ && *at_ == c; }
  bool take(char c) {
    skip_blanks();
    if (!at_character(c)) {
      return false;
    }
    ++at_;
    return true;
  }
  void demand(char c, std::string_view what) {
    if (!take(c)) {
      expected(what);
    }
  }
  bool at_name() const {
    return at_ < line_end_ && kNames.in_name[static_cast<unsigned char>(*at_)];
  }
  std::string_view name(std::string_view what) {
    skip_blanks();
    const char* first = at_;
    while (at_name()) {
      ++at_;
    }
    if (at_ == first) {
      expected(what);
    }
    return {first, static_cast<std::size_t>(at_ - first)};
  }
  void demand_end(std::string_view instead) {
    skip_blanks();
    if (at_ != line_end_) {
      expected(instead);
    }
  }

  void read_line() {
    if (at_ == line_end_) {
      return;
    }
    if (*at_ == '#') {
      read_comment();
    } else if (*at_ == '(') {
      read_initial();
    } else if (at_atoms()) {
      read_atoms();
    } else {
      read_rule();
    }
  }

  /// Comments may say how the ATOMS lines are meant.
  void read_comment() {
    std::string_view text(at_, static_cast<std::size_t>(line_end_ - at_));
    while (!text.empty() && is_blank(text.back())) {
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
    const ControlId control = system_.control(name("a control state"));
    skip_blanks();
    const bool bracketed = take('<');
    const SymbolId symbol = system_.symbol(name("a stack symbol"));
    skip_blanks();
    if (at_name()) {
      throw Error(Error::Kind::Unsupported,
                  "an initial configuration with more than one stack symbol",
                  input_.locate(offset()));
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
    if (static_cast<std::size_t>(line_end_ - at_) <= kKeyword.size()) {
      return false;
    }
    for (std::size_t i = 0; i < kKeyword.size(); ++i) {
      if ((at_[i] & ~0x20) != kKeyword[i]) {
        return false;
      }
    }
    // A control state may have this name too; only rules have arrows.
    return is_blank(at_[kKeyword.size()]) &&
           std::string_view(at_, static_cast<std::size_t>(line_end_ - at_)).find("-->") ==
               std::string_view::npos;
  }

  void read_atoms() {
    at_ += 5;
    atoms_.line(atom());
    skip_blanks();
    if (at_ == line_end_) {
      return;
    }
    do {
      atoms_.item(atom());
    } while (take(','));
    demand_end("',' or end of line");
  }

  Atoms::Item atom() {
    skip_blanks();
    Atoms::Item item;
    item.at = offset();
    if (at_character('"')) {
      const char* close = std::find(at_ + 1, line_end_, '"');
      if (close == line_end_) {
        fail("expected '\"' before end of line", line_end_);
      }
      item.name = system_.intern({at_ + 1, static_cast<std::size_t>(close - at_ - 1)});
      item.quoted = true;
      at_ = close + 1;
      return item;
    }
    if (!at_character('<')) {
      item.name = system_.intern(name("a proposition, control state or stack symbol"));
    }
    if (at_character('<')) {  // no blank before it: `state<symbol>`
      ++at_;
      item.symbol = system_.intern(name("a stack symbol"));
      demand('>', "'>' after the stack symbol");
    }
    return item;
  }

  void read_rule() {
    PushdownRule rule;
    rule.head.control = system_.control(name("a rule, '(' or ATOMS"));
    demand('<', "'<' after the control state");
    rule.head.symbol = system_.symbol(name("a stack symbol"));
    demand('>', "'>': a rule reads one stack symbol");
    skip_blanks();
    if (std::string_view(at_, static_cast<std::size_t>(line_end_ - at_)).substr(0, 3) != "-->") {
      expected("'-->'");
    }
    at_ += 3;
    rule.target = system_.control(name("a control state"));
    demand('<', "'<' after the control state");
    skip_blanks();
    if (at_name()) {
      rule.first = system_.symbol(name("a stack symbol"));
      skip_blanks();
      if (at_name()) {
        rule.second = system_.symbol(name("a stack symbol"));
        skip_blanks();
        if (at_name()) {
          throw Error(Error::Kind::Unsupported, "a rule that writes more than two stack symbols",
                      input_.locate(offset()));
        }
      }
    }
    demand('>', "a stack symbol or '>'");
    demand_end("end of line after the rule");
    system_.rule(rule);
  }

  const Input& input_;
  const char* begin_;
  const char* at_;
  const char* end_;
  const char* line_end_ = nullptr;
  PushdownSystem system_;
  Atoms atoms_;
};

}  // namespace

PushdownSystem parse_pds(const Input& input) {
  return Reader(input).read();
}

std::vector<std::string> read_pds_propositions(const Input& input) {
  return propositions_of(parse_pds(input));
}

Rsm read_pds(const Input& input, DeadEnds dead_ends) {
  return to_rsm(parse_pds(input), input.name(), dead_ends);
}

}  // namespace nestor
