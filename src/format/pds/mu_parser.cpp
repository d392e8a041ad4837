#include "format/pds/mu_parser.h"

#include "base/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace nestor::format {

namespace {

/// The larger binds tighter. Fixpoints reach as far to the right as they can.
int precedence(MuKind kind) {
  switch (kind) {
    case MuKind::Open:
      return 0;
    case MuKind::Mu:
    case MuKind::Nu:
      return 1;
    case MuKind::Implies:
      return 2;
    case MuKind::Or:
      return 3;
    case MuKind::And:
      return 4;
    default:
      return 5;
  }
}

bool is_binary(MuKind kind) {
  return kind == MuKind::And || kind == MuKind::Or || kind == MuKind::Implies;
}

constexpr base::CharacterSet kBlanks = base::CharacterSet::range(0, ' ');
constexpr base::CharacterSet kInNames = base::kLetters | base::kDigits |
                                        base::CharacterSet("_$#'") |
                                        base::CharacterSet::range(128, 255);
constexpr base::CharacterSet kModalities("[<~");

class Parser : private base::Scanner {
 public:
  Parser(const base::Input& input, std::string_view text) : base::Scanner(input, text) {}

  /// Operands first; the root is last.
  std::vector<MuNode> parse() {
    bool operand_next = true;
    for (skip_blanks(); !at_end(); skip_blanks()) {
      operand_next = operand_next ? read_operand() : read_operator();
    }
    if (operand_next) {
      fail("expected a formula before end of the mu property", position());
    }
    while (!operators_.empty()) {
      if (operators_.back().kind == MuKind::Open) {
        fail("expected ')' before end of the mu property", position());
      }
      reduce();
    }
    assert(operands_.size() == 1);
    return std::move(nodes_);
  }

  const std::optional<Unsupported>& unsupported() const { return unsupported_; }

 private:
  [[noreturn]] void expected(std::string_view what) const {
    fail(at_end() ? fmt::format("expected {} before end of the mu property", what)
                  : fmt::format("expected {}, found '{}'", what, peek()),
         position());
  }

  void skip_blanks() {
    while (take_while(kBlanks), at("//")) {
      skip_line();
    }
  }
  std::string_view name(std::string_view what) {
    if (!at(kInNames)) {
      expected(what);
    }
    return take_while(kInNames);
  }

  void operand(MuNode node) {
    nodes_.push_back(node);
    operands_.push_back(nodes_.size() - 1);
  }
  void push(MuKind kind, std::size_t at) {
    MuNode node;
    node.kind = kind;
    node.at = at;
    operators_.push_back(node);
  }

  /// Takes the topmost operator off the stack and applies it.
  void reduce() {
    MuNode node = operators_.back();
    operators_.pop_back();
    if (is_binary(node.kind)) {
      node.right = operands_.back();
      operands_.pop_back();
    }
    node.left = operands_.back();
    operands_.pop_back();
    if (node.kind == MuKind::Mu || node.kind == MuKind::Nu) {
      bound_.pop_back();
    }
    operand(node);
  }

  /// What may begin a formula. True if an operand must still follow.
  bool read_operand() {
    const std::size_t at = position();
    if (take("(")) {
      push(MuKind::Open, at);
    } else if (take("!")) {
      push(MuKind::Not, at);
    } else if (this->at(kModalities)) {
      read_modality();
    } else {
      return read_word(at);
    }
    return true;
  }

  void read_modality() {
    const std::size_t at = position();
    const bool backward = take("~");
    const bool box = take("[");
    if (!box && !take("<")) {
      expected("'[' or '<' after '~'");
    }
    const bool restricted = take('@') || take('\\');
    if (restricted) {
      while (skip_blanks(), this->at(kInNames)) {
        take_while(kInNames);
      }
    }
    skip_blanks();
    if (!take(box ? "]" : ">")) {
      expected(box ? "']'" : "'>'");
    }
    if ((backward || restricted) && !unsupported_) {
      unsupported_ = {fmt::format("the {}{}modality '{}'", backward ? "backward " : "",
                                  restricted ? "restricted " : "", since(at)),
                      at};
    }
    push(box ? MuKind::Box : MuKind::Diamond, at);
  }

  bool read_word(std::size_t at) {
    const std::string_view word = name("a formula");
    if (word == "mu" || word == "nu") {
      read_binder(word == "mu" ? MuKind::Mu : MuKind::Nu, at);
      return true;
    }
    MuNode node;
    node.at = at;
    node.name = word;
    node.kind = word == "tt" || word == "true"    ? MuKind::True
                : word == "ff" || word == "false" ? MuKind::False
                                                  : MuKind::Name;
    if (word[0] >= 'A' && word[0] <= 'Z') {
      node.kind = MuKind::Variable;
      const auto binder = std::find_if(bound_.rbegin(), bound_.rend(),
                                       [&](const MuNode& bound) { return bound.name == word; });
      if (binder == bound_.rend()) {
        fail(fmt::format("variable '{}' is bound by no mu or nu", word), at);
      }
      node.binder = binder->binder;
    }
    operand(node);
    return false;
  }

  void read_binder(MuKind kind, std::size_t at) {
    skip_blanks();
    const std::size_t variable_at = position();
    const std::string_view variable = name("a variable");
    if (variable[0] < 'A' || variable[0] > 'Z') {
      fail(fmt::format("variable '{}' does not begin with a capital letter", variable),
           variable_at);
    }
    skip_blanks();
    if (!take(".")) {
      expected("'.' after the variable");
    }
    push(kind, at);
    operators_.back().name = variable;
    operators_.back().binder = binders_++;
    bound_.push_back(operators_.back());
  }

  /// What may follow a formula. True if an operand must follow.
  bool read_operator() {
    const std::size_t at = position();
    if (take(")")) {
      while (!operators_.empty() && operators_.back().kind != MuKind::Open) {
        reduce();
      }
      if (operators_.empty()) {
        fail("')' without '('", at);
      }
      operators_.pop_back();
      return false;
    }
    const MuKind kind = take("&&") || take("&")   ? MuKind::And
                        : take("||") || take("|") ? MuKind::Or
                        : take("=>")              ? MuKind::Implies
                                                  : MuKind::Open;
    if (kind == MuKind::Open) {
      expected("'&', '|', '=>' or ')'");
    }
    while (!operators_.empty() && precedence(operators_.back().kind) >= precedence(kind)) {
      reduce();
    }
    push(kind, at);
    return true;
  }

  std::vector<MuNode> nodes_;
  std::vector<std::size_t> operands_;
  std::vector<MuNode> operators_;
  std::vector<MuNode> bound_;  // the fixpoints around the current place
  std::size_t binders_ = 0;
  std::optional<Unsupported> unsupported_;
};

}  // namespace

MuFormula parse_mu_formula(const base::Input& input, std::string_view text) {
  Parser parser(input, text);
  MuFormula formula;
  formula.nodes = parser.parse();
  formula.unsupported = parser.unsupported();
  return formula;
}

}  // namespace nestor::format
