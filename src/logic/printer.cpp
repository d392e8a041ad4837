#include "logic/printer.h"

#include "logic/lexer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>
#include <vector>

namespace nestor::logic {

namespace {

/// Something still to be written: a formula, or a fixed text if the formula is not valid.
struct Piece {
  FormulaId formula;
  std::string_view text;
};

bool is_boolean_binary(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Iff || op == Op::Implies;
}

std::string_view infix(Op op) {
  switch (op) {
    case Op::And:
      return " & ";
    case Op::Or:
      return " | ";
    case Op::Xor:
      return " xor ";
    case Op::Iff:
      return " <-> ";
    case Op::Implies:
      return " -> ";
    case Op::EU:
    case Op::AU:
    case Op::U:
      return " U ";
    case Op::EW:
    case Op::AW:
    case Op::W:
      return " W ";
    case Op::S:
      return " S ";
    case Op::T:
      return " T ";
    default:
      assert(op == Op::ER || op == Op::AR || op == Op::R);
      return " R ";
  }
}

std::string_view prefix(Op op) {
  switch (op) {
    case Op::Not:
      return "!";
    case Op::EX:
      return "EX ";
    case Op::EF:
      return "EF ";
    case Op::EG:
      return "EG ";
    case Op::AX:
      return "AX ";
    case Op::AF:
      return "AF ";
    case Op::E:
      return "E (";
    case Op::A:
      return "A (";
    case Op::X:
      return "X ";
    case Op::F:
      return "F ";
    case Op::G:
      return "G ";
    case Op::Y:
      return "Y ";
    case Op::Z:
      return "Z ";
    case Op::O:
      return "O ";
    case Op::H:
      return "H ";
    default:
      assert(op == Op::AG);
      return "AG ";
  }
}

bool is_universal(Op op) {
  return op == Op::AU || op == Op::AW || op == Op::AR;
}

/// Whether the operand `inner` of the boolean operator `outer` needs parentheses. Different
/// operators next to each other get them even where precedence would do, for the reader, except
/// that `&`, `|` and `xor` go bare below the arrows.
bool needs_parentheses(Op outer, Op inner, bool is_left) {
  if (!is_boolean_binary(inner)) {
    return false;
  }
  if (inner == outer) {
    return is_left == (outer == Op::Implies);  // the side it does not associate to
  }
  const bool is_arrow = outer == Op::Implies || outer == Op::Iff;
  return !is_arrow || inner == Op::Implies || inner == Op::Iff;
}

/// True if the name, written as it is, is read as an atom of a dialect with this name, whatever of
/// a formula follows.
bool reads_as_atom(AtomDialects dialects, std::string_view name) {
  constexpr std::array<std::string_view, 9> kFollowers = {
      "", ")", "]", " & p", " | p", " -> p", " <-> p", " U p", " xor p"};
  if (dialects.empty() || name_length(name) == name.size()) {
    return false;
  }
  return std::ranges::all_of(kFollowers, [&](std::string_view follower) {
    const std::string text = std::string(name) + std::string(follower);
    for (const AtomDialect dialect : dialects) {
      const AtomScan scan = dialect(text, name_length(text));
      if (scan.length > 0 || !scan.problem.empty()) {  // the first that takes it
        return scan.problem.empty() && scan.length == name.size() && scan.name == name;
      }
    }
    return false;
  });
}

class Printer {
 public:
  explicit Printer(const FormulaPool& pool) : pool_(pool) {}

  std::string print(FormulaId root) {
    is_ctl_ = pool_.is_ctl(root);
    push(root);
    while (!pieces_.empty()) {
      const Piece piece = pieces_.back();
      pieces_.pop_back();
      if (piece.formula.valid()) {
        print_one(piece.formula);
      } else {
        text_ += piece.text;
      }
    }
    return std::move(text_);
  }

 private:
  // Last pushed is first written.
  void push(std::string_view text) { pieces_.push_back({FormulaId(), text}); }
  void push(FormulaId formula) { pieces_.push_back({formula, {}}); }
  void push(FormulaId formula, bool in_parentheses) {
    if (in_parentheses) {
      push(")");
    }
    push(formula);
    if (in_parentheses) {
      push("(");
    }
  }

  void print_one(FormulaId id) {
    const Formula& formula = pool_[id];
    switch (operand_count(formula.op)) {
      case 0:
        text_ += formula.op == Op::Atom   ? atom(pool_.atom_name(id))
                 : formula.op == Op::True ? "true"
                                          : "false";
        return;
      case 1:
        text_ += prefix(formula.op);
        if (formula.op == Op::E || formula.op == Op::A) {
          push(")");
          push(formula.left);
          return;
        }
        push(formula.left, is_boolean_binary(pool_[formula.left].op));
        return;
      default:
        print_binary(formula);
    }
  }

  /// The letters of LTL's operators that CTL has not are plain names there.
  std::string atom(std::string_view name) const {
    constexpr std::string_view kLetters = "YZOHSTV";
    const bool is_letter =
        name.size() == 1 && kLetters.find(name.front()) != std::string_view::npos;
    if (is_letter && !is_ctl_) {
      return '"' + std::string(name) + '"';
    }
    return reads_as_atom(pool_.dialects(), name) ? std::string(name) : quote_if_needed(name);
  }

  void print_binary(const Formula& formula) {
    if (is_boolean_binary(formula.op)) {
      push(formula.right, needs_parentheses(formula.op, pool_[formula.right].op, false));
      push(infix(formula.op));
      push(formula.left, needs_parentheses(formula.op, pool_[formula.left].op, true));
      return;
    }
    // Between path formulas the operator stands in parentheses of its own.
    const bool has_quantifier = !is_path_operator(formula.op);
    text_ += !has_quantifier ? "(" : is_universal(formula.op) ? "A [" : "E [";
    push(has_quantifier ? "]" : ")");
    push(formula.right, !has_quantifier && is_boolean_binary(pool_[formula.right].op));
    push(infix(formula.op));
    push(formula.left, !has_quantifier && is_boolean_binary(pool_[formula.left].op));
  }

  const FormulaPool& pool_;
  bool is_ctl_ = true;  // the formula that is printed
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::string to_string(const FormulaPool& pool, FormulaId formula) {
  return Printer(pool).print(formula);
}

}  // namespace nestor::logic
