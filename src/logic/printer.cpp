#include "logic/printer.h"

#include "logic/lexer.h"

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
      return " U ";
    case Op::EW:
    case Op::AW:
      return " W ";
    default:
      assert(op == Op::ER || op == Op::AR);
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

class Printer {
 public:
  explicit Printer(const FormulaPool& pool) : pool_(pool) {}

  std::string print(FormulaId root) {
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
        text_ += formula.op == Op::Atom   ? quote_if_needed(pool_.atom_name(id))
                 : formula.op == Op::True ? "true"
                                          : "false";
        return;
      case 1:
        text_ += prefix(formula.op);
        push(formula.left, is_boolean_binary(pool_[formula.left].op));
        return;
      default:
        print_binary(formula);
    }
  }

  void print_binary(const Formula& formula) {
    if (is_boolean_binary(formula.op)) {
      push(formula.right, needs_parentheses(formula.op, pool_[formula.right].op, false));
      push(infix(formula.op));
      push(formula.left, needs_parentheses(formula.op, pool_[formula.left].op, true));
      return;
    }
    text_ += is_universal(formula.op) ? "A [" : "E [";
    push("]");
    push(formula.right);
    push(infix(formula.op));
    push(formula.left);
  }

  const FormulaPool& pool_;
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::string to_string(const FormulaPool& pool, FormulaId formula) {
  return Printer(pool).print(formula);
}

}  // namespace nestor::logic
