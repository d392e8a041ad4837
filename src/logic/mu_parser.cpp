#include "base/scanner.h"
#include "logic/mu_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace nestor::logic {

namespace {

constexpr base::CharacterSet kLineBreaks("\r\n");
constexpr base::CharacterSet kBlanks = base::CharacterSet::range(0, ' ');
constexpr base::CharacterSet kInNames = base::kLetters | base::kDigits |
                                        base::CharacterSet("_$#'") |
                                        base::CharacterSet::range(128, 255);
constexpr base::CharacterSet kModalities("[<~");

bool is_backward(MuOp op) {
  return op == MuOp::BackDiamond || op == MuOp::BackBox;
}
bool is_box(MuOp op) {
  return op == MuOp::Box || op == MuOp::BackBox;
}

/// The larger binds tighter. Fixpoints reach as far to the right as they can.
int precedence(MuOp op) {
  switch (op) {
    case MuOp::Mu:
    case MuOp::Nu:
      return 1;
    case MuOp::Implies:
      return 2;
    case MuOp::Or:
      return 3;
    case MuOp::And:
      return 4;
    default:
      return 5;
  }
}

class Parser : private base::Scanner {
 public:
  Parser(const base::Input& input, std::string_view text) : base::Scanner(input, text) {}

  MuFormula parse() {
    bool operand_next = true;
    for (skip_blanks(); !at_end(); skip_blanks()) {
      operand_next = operand_next ? read_operand() : read_operator();
    }
    if (operand_next) {
      fail("expected a formula before end of the mu property", position());
    }
    while (!operators_.empty()) {
      if (operators_.back().is_open) {
        fail("expected ')' before end of the mu property", position());
      }
      reduce();
    }
    assert(operands_.size() == 1);
    refuse_negated_variables();
    return std::move(formula_);
  }

 private:
  /// What waits for its right operand.
  struct Operator {
    MuNode node;
    bool is_open = false;  // '(', no operator
    // Of restricted modalities: the node that transitions must begin in.
    std::optional<std::size_t> source = {};
  };

  [[noreturn]] void expected(std::string_view what) const {
    fail(at_end()          ? fmt::format("expected {} before end of the mu property", what)
         : at(kLineBreaks) ? fmt::format("expected {} before end of line", what)
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

  std::size_t add(MuOp op, std::size_t left, std::size_t right = 0) {
    return formula_.add({.op = op, .left = left, .right = right});
  }
  void operand(std::size_t node) { operands_.push_back(node); }
  std::size_t take_operand() {
    const std::size_t node = operands_.back();
    operands_.pop_back();
    return node;
  }
  void push(MuOp op) { operators_.push_back({.node = {.op = op}}); }

  /// Takes the topmost operator off the stack and applies it.
  void reduce() {
    Operator top = std::move(operators_.back());
    operators_.pop_back();
    if (top.source) {
      operand(restricted(top.node.op, *top.source, take_operand()));
      return;
    }
    if (is_binary(top.node.op)) {
      top.node.right = take_operand();
    }
    top.node.left = take_operand();
    if (is_fixpoint(top.node.op)) {
      bound_.pop_back();
    }
    operand(formula_.add(std::move(top.node)));
  }

  /// A modality that looks only at transitions whose source satisfies `source`: the state itself,
  /// or for a backward one the predecessor.
  std::size_t restricted(MuOp op, std::size_t source, std::size_t body) {
    const MuOp combine = is_box(op) ? MuOp::Implies : MuOp::And;
    if (is_backward(op)) {
      return add(op, add(combine, source, body));
    }
    return add(combine, source, add(op, body));
  }

  /// What may begin a formula. True if an operand must still follow.
  bool read_operand() {
    const std::size_t at = position();
    if (take("(")) {
      operators_.push_back({.node = {}, .is_open = true});
    } else if (take("!")) {
      push(MuOp::Not);
    } else if (this->at(kModalities)) {
      read_modality();
    } else {
      return read_word(at);
    }
    return true;
  }

  void read_modality() {
    const bool backward = take("~");
    const bool box = take("[");
    if (!box && !take("<")) {
      expected("'[' or '<' after '~'");
    }
    const bool only = take('@');
    std::optional<std::size_t> source;
    if (only || take('\\')) {
      source = read_names();
      source = only ? source : add(MuOp::Not, *source);
    }
    skip_blanks();
    if (!take(box ? "]" : ">")) {
      expected(box ? "']'" : "'>'");
    }
    push(backward ? (box ? MuOp::BackBox : MuOp::BackDiamond) : (box ? MuOp::Box : MuOp::Diamond));
    operators_.back().source = source;
  }

  /// One of the propositions that follow, at least one.
  std::size_t read_names() {
    skip_blanks();
    std::size_t any = atom(name("a proposition"));
    for (skip_blanks(); at(kInNames); skip_blanks()) {
      any = add(MuOp::Or, any, atom(name("a proposition")));
    }
    return any;
  }

  std::size_t atom(std::string_view text) {
    return formula_.add({.op = MuOp::Atom, .name = std::string(text)});
  }

  bool read_word(std::size_t at) {
    const std::string_view word = name("a formula");
    if (word == "mu" || word == "nu") {
      read_binder(word == "mu" ? MuOp::Mu : MuOp::Nu);
      return true;
    }
    if (word == "tt" || word == "true" || word == "ff" || word == "false") {
      operand(formula_.add({.op = word[0] == 't' ? MuOp::True : MuOp::False}));
    } else if (word[0] >= 'A' && word[0] <= 'Z') {
      const auto binder = std::find_if(bound_.rbegin(), bound_.rend(),
                                       [&](const MuNode& bound) { return bound.name == word; });
      if (binder == bound_.rend()) {
        fail(fmt::format("variable '{}' is bound by no mu or nu", word), at);
      }
      operand(formula_.add(
          {.op = MuOp::Variable, .name = std::string(word), .binder = binder->binder}));
      variables_.push_back({operands_.back(), at});
    } else {
      operand(atom(word));
    }
    return false;
  }

  void read_binder(MuOp op) {
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
    push(op);
    operators_.back().node.name = variable;
    operators_.back().node.binder = binders_++;
    bound_.push_back(operators_.back().node);
  }

  /// What may follow a formula. True if an operand must follow.
  bool read_operator() {
    const std::size_t at = position();
    if (take(")")) {
      while (!operators_.empty() && !operators_.back().is_open) {
        reduce();
      }
      if (operators_.empty()) {
        fail("')' without '('", at);
      }
      operators_.pop_back();
      return false;
    }
    std::optional<MuOp> op;
    if (take("&&") || take("&")) {
      op = MuOp::And;
    } else if (take("||") || take("|")) {
      op = MuOp::Or;
    } else if (take("=>")) {
      op = MuOp::Implies;
    } else {
      expected("'&', '|', '=>' or ')'");
    }
    while (!operators_.empty() && !operators_.back().is_open &&
           precedence(operators_.back().node.op) >= precedence(*op)) {
      reduce();
    }
    push(*op);
    return true;
  }

  /// Fixpoints of what is not monotone need not exist.
  void refuse_negated_variables() const {
    std::vector<bool> negated(formula_.nodes.size());  // below an odd number of negations
    std::vector<bool> of_binder(binders_);
    for (std::size_t i = formula_.nodes.size(); i-- > 0;) {
      const MuNode& node = formula_.nodes[i];
      if (has_operand(node.op)) {
        negated[node.left] = negated[i] != (node.op == MuOp::Not || node.op == MuOp::Implies);
      }
      if (is_binary(node.op)) {
        negated[node.right] = negated[i];
      }
      if (is_fixpoint(node.op)) {
        of_binder[node.binder] = negated[i];
      }
    }
    for (const auto& [node, at] : variables_) {
      if (negated[node] != of_binder[formula_.nodes[node].binder]) {
        fail(fmt::format("variable '{}' occurs negated in its fixpoint, expected an even number "
                         "of negations",
                         formula_.nodes[node].name),
             at);
      }
    }
  }
  static bool has_operand(MuOp op) {
    return op != MuOp::True && op != MuOp::False && op != MuOp::Atom && op != MuOp::Variable;
  }

  struct Occurrence {
    std::size_t node;
    std::size_t at;  // in the input
  };

  MuFormula formula_;
  std::vector<std::size_t> operands_;
  std::vector<Operator> operators_;
  std::vector<MuNode> bound_;  // the fixpoints around the current place
  std::size_t binders_ = 0;
  std::vector<Occurrence> variables_;
};

}  // namespace

MuFormula parse_mu_formula(const base::Input& input, std::string_view text) {
  return Parser(input, text).parse();
}

std::vector<std::string> propositions_of(const MuFormula& formula) {
  std::vector<std::string> names;
  for (const MuNode& node : formula.nodes) {
    if (node.op == MuOp::Atom) {
      names.push_back(node.name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace nestor::logic
