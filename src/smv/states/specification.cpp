#include "smv/states/specification.h"

#include "logic/path_formula.h"
#include "smv/states/bounded_formula.h"
#include "smv/states/psl_formula.h"

#include <fmt/format.h>

#include <variant>
#include <vector>

namespace nestor::smv {

namespace {

struct Connective {
  Syntax syntax;
  nestor::logic::Op op;
};
constexpr Connective kConnectives[] = {
    {Syntax::Not, nestor::logic::Op::Not},  {Syntax::And, nestor::logic::Op::And},
    {Syntax::Or, nestor::logic::Op::Or},    {Syntax::Xor, nestor::logic::Op::Xor},
    {Syntax::Xnor, nestor::logic::Op::Iff}, {Syntax::Implies, nestor::logic::Op::Implies},
    {Syntax::Iff, nestor::logic::Op::Iff},  {Syntax::EX, nestor::logic::Op::EX},
    {Syntax::EF, nestor::logic::Op::EF},    {Syntax::EG, nestor::logic::Op::EG},
    {Syntax::AX, nestor::logic::Op::AX},    {Syntax::AF, nestor::logic::Op::AF},
    {Syntax::AG, nestor::logic::Op::AG},    {Syntax::EU, nestor::logic::Op::EU},
    {Syntax::AU, nestor::logic::Op::AU},
};

const Connective* connective(Syntax kind) {
  for (const Connective& c : kConnectives) {
    if (c.syntax == kind) {
      return &c;
    }
  }
  return nullptr;
}

std::string_view infix(Syntax kind) {
  switch (kind) {
    case Syntax::And:
      return " & ";
    case Syntax::Or:
      return " | ";
    case Syntax::Xor:
      return " xor ";
    case Syntax::Xnor:
      return " xnor ";
    case Syntax::Implies:
      return " -> ";
    case Syntax::Iff:
      return " <-> ";
    case Syntax::Equal:
      return " = ";
    case Syntax::NotEqual:
      return " != ";
    case Syntax::Less:
      return " < ";
    case Syntax::LessEqual:
      return " <= ";
    case Syntax::Greater:
      return " > ";
    case Syntax::GreaterEqual:
      return " >= ";
    case Syntax::Plus:
      return " + ";
    case Syntax::Minus:
      return " - ";
    case Syntax::Times:
      return " * ";
    case Syntax::Divide:
      return " / ";
    case Syntax::Mod:
      return " mod ";
    case Syntax::ShiftLeft:
      return " << ";
    case Syntax::ShiftRight:
      return " >> ";
    case Syntax::Concat:
      return " :: ";
    case Syntax::Union:
      return " union ";
    case Syntax::In:
      return " in ";
    case Syntax::Range:
      return "..";
    default:
      return "";
  }
}

/// Prints by a list of pieces that are still to be printed, so without recursion.
class ExpressionPrinter {
 public:
  ExpressionPrinter(const FileSyntax& file, const Symbols& symbols, const std::string& instance)
      : file_(file), symbols_(symbols), instance_(instance) {}

  std::string print(ExprId expression) {
    open_.emplace_back(expression);
    while (!open_.empty()) {
      const Piece piece = open_.back();
      open_.pop_back();
      if (const auto* text = std::get_if<std::string>(&piece)) {
        text_ += *text;
      } else {
        expand(std::get<ExprId>(piece));
      }
    }
    return std::move(text_);
  }

 private:
  using Piece = std::variant<std::string, ExprId>;

  /// To be printed next, the first piece first.
  void next(std::vector<Piece> pieces) {
    open_.insert(open_.end(), pieces.rbegin(), pieces.rend());
  }

  void operand(std::vector<Piece>& pieces, ExprId e) const {
    const Syntax kind = file_[e].kind;
    const bool compound = !infix(kind).empty() || kind == Syntax::Not || kind == Syntax::Negate;
    if (compound) {
      pieces.insert(pieces.end(), {"(", e, ")"});
    } else {
      pieces.emplace_back(e);
    }
  }

  void list(std::vector<Piece>& pieces, std::span<const ExprId> elements) const {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      pieces.emplace_back(i == 0 ? "" : ", ");
      pieces.emplace_back(elements[i]);
    }
  }

  void expand(ExprId e) {
    const Expr& expr = file_[e];
    const std::span<const ExprId> children = file_.children_of(e);
    std::vector<Piece> pieces;
    switch (expr.kind) {
      case Syntax::Name:
        text_ += instance_.empty() || symbols_.find(expr.text) != 0 || expr.text == "EXIT"
                     ? std::string(expr.text)
                     : fmt::format("{}.{}", instance_, expr.text);
        return;
      case Syntax::Self:
        text_ += instance_.empty() ? "self" : instance_;
        return;
      case Syntax::Number:
        text_ += fmt::format("{}", expr.value);
        return;
      case Syntax::Boolean:
        text_ += expr.value != 0 ? "TRUE" : "FALSE";
        return;
      case Syntax::Literal:
        text_ += expr.text;
        return;
      case Syntax::Dot:
        pieces = {children[0], fmt::format(".{}", expr.text)};
        break;
      case Syntax::Index:
        pieces = {children[0], "[", children[1], "]"};
        break;
      case Syntax::BitSelect:
        pieces = {children[0], "[", children[1], ":", children[2], "]"};
        break;
      case Syntax::Not:
      case Syntax::Negate:
        pieces.emplace_back(expr.kind == Syntax::Not ? "!" : "-");
        operand(pieces, children[0]);
        break;
      case Syntax::Set:
        pieces.emplace_back("{");
        list(pieces, children);
        pieces.emplace_back("}");
        break;
      case Syntax::Function:
      case Syntax::Next:
        pieces.emplace_back(expr.kind == Syntax::Next ? "next(" : fmt::format("{}(", expr.text));
        list(pieces, children);
        pieces.emplace_back(")");
        break;
      case Syntax::Case:
        pieces.emplace_back("case ");
        for (std::size_t i = 0; i < children.size(); i += 2) {
          pieces.insert(pieces.end(), {children[i], " : ", children[i + 1], "; "});
        }
        pieces.emplace_back("esac");
        break;
      default:
        operand(pieces, children[0]);
        pieces.emplace_back(std::string(infix(expr.kind)));
        operand(pieces, children[1]);
        break;
    }
    next(std::move(pieces));
  }

  const FileSyntax& file_;
  const Symbols& symbols_;
  const std::string& instance_;
  std::vector<Piece> open_;
  std::string text_;
};

bool is_bounded(Syntax kind) {
  return kind >= Syntax::EBF && kind <= Syntax::ABU;
}

/// How many of its children are numbers, before the formulas.
std::size_t bounds_before_operands(const Expr& expr) {
  const bool has_bounds = expr.kind == Syntax::Psl || is_bounded(expr.kind) ||
                          (expr.kind == Syntax::Path && expr.child_count == 3);
  return has_bounds ? 2 : 0;
}

constexpr std::int64_t kLargestBound = 10'000;

/// The first bounded operator below `root` whose bounds are too large; not valid if there is none.
ExprId find_too_large(const FileSyntax& file, const FlatSpec& spec, const MakeBound& make_bound) {
  std::vector<ExprId> open{spec.syntax->formula};
  while (!open.empty()) {
    const ExprId e = open.back();
    open.pop_back();
    const std::span<const ExprId> children = file.children_of(e);
    if (is_bounded(file[e].kind) && make_bound(children[1], spec) > kLargestBound) {
      return e;
    }
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  return ExprId();
}

/// An invariant is a condition.
void refuse_temporal(const File& file, ExprId root) {
  std::vector<ExprId> open{root};
  while (!open.empty()) {
    const ExprId e = open.back();
    open.pop_back();
    if (file.syntax[e].kind >= Syntax::EX) {
      throw base::Error(base::Error::Kind::Input,
                        "a temporal operator stands in INVARSPEC, expected a condition",
                        file.input.locate(file.syntax[e].at));
    }
    const std::span<const ExprId> children = file.syntax.children_of(e);
    open.insert(open.end(), children.rbegin(), children.rend());
  }
}

logic::FormulaId build_formula(const File& file, const FlatSpec& spec, ExprId root,
                               logic::FormulaPool& pool, const MakeAtom& make_atom,
                               const MakeBound& make_bound) {
  struct Visit {
    ExprId expression;
    bool operands_done = false;
  };
  std::vector<Visit> open{{root, false}};
  std::vector<logic::FormulaId> results;
  while (!open.empty()) {
    const Visit visit = open.back();
    open.pop_back();
    const Expr& expr = file.syntax[visit.expression];
    if (expr.kind == Syntax::Boolean) {
      results.push_back(pool.constant(expr.value != 0));
      continue;
    }
    const Connective* c = connective(expr.kind);
    if (c == nullptr && expr.kind != Syntax::Path && expr.kind != Syntax::Psl &&
        !is_bounded(expr.kind)) {
      results.push_back(make_atom(visit.expression, spec));
      continue;
    }
    const std::span<const ExprId> children = file.syntax.children_of(visit.expression);
    const std::span<const ExprId> bounds = children.first(bounds_before_operands(expr));
    if (!visit.operands_done) {
      open.push_back({visit.expression, true});
      for (std::size_t i = children.size(); i-- > bounds.size();) {
        open.push_back({children[i], false});
      }
      continue;
    }
    const std::size_t count = children.size() - bounds.size();
    const auto first = results.end() - static_cast<std::ptrdiff_t>(count);
    const std::vector<logic::FormulaId> operands(first, results.end());
    results.erase(first, results.end());
    const logic::FormulaId right = count == 2 ? operands[1] : logic::FormulaId();
    const auto number = [&](std::size_t i) { return file.syntax[bounds[i]].value; };
    if (expr.kind == Syntax::Psl) {
      results.push_back(psl_formula(pool, expr.psl, number(0), number(1), operands));
    } else if (is_bounded(expr.kind)) {
      results.push_back(bounded_formula(pool, expr.kind, make_bound(bounds[0], spec),
                                        make_bound(bounds[1], spec), operands[0], right));
    } else if (!bounds.empty()) {
      results.push_back(nestor::logic::bounded(pool,
                                               nestor::logic::path_operator(expr.text.front()),
                                               static_cast<std::uint32_t>(number(0)),
                                               static_cast<std::uint32_t>(number(1)), operands[0]));
    } else {
      const nestor::logic::Op op =
          c == nullptr ? nestor::logic::path_operator(expr.text.front()) : c->op;
      results.push_back(nestor::logic::temporal(pool, op, operands[0], right));
    }
  }
  return results.back();
}

}  // namespace

std::string print_expression(const FileSyntax& file, const Symbols& symbols, ExprId expression,
                             const std::string& instance) {
  return ExpressionPrinter(file, symbols, instance).print(expression);
}

MakeBound bounds_of(const File& file, Resolver& resolver) {
  return [&file, &resolver](ExprId bound, const FlatSpec& spec) {
    const Place at = file.syntax[bound].at;
    const std::int64_t value = resolver.build().constant_number(resolver.term(bound, spec.instance),
                                                                "a constant number as bound", at);
    if (value < 0) {
      resolver.build().fail(fmt::format("the bound is {}, expected none below 0", value), at);
    }
    return value;
  };
}

logic::ModelProperty make_property(const File& file, const FlatSpec& spec, logic::FormulaPool& pool,
                                   const MakeAtom& make_atom, const MakeBound& make_bound) {
  const SpecSyntax& syntax = *spec.syntax;
  logic::ModelProperty property;
  property.formula.name = std::string(syntax.name);
  property.formula.text = syntax.text;
  property.formula.location = file.locate(syntax.at);
  if (syntax.kind != SpecSyntax::Kind::Ctl) {
    property.formula.text = fmt::format("{} {}", syntax.keyword, syntax.text);
  }
  if (!spec.instance_name.empty()) {
    property.formula.text += fmt::format(" IN {}", spec.instance_name);
  }
  const auto unsupported = [&](std::string_view what, Place at) {
    property.unsupported = fmt::format("unsupported: {}, line {}", what, file.locate(at).line);
  };
  if (syntax.kind == SpecSyntax::Kind::Unsupported) {
    unsupported(syntax.refused, syntax.at);
    return property;
  }
  if (syntax.goal.valid()) {
    const logic::FormulaId from = make_atom(syntax.formula, spec);
    const logic::FormulaId to = make_atom(syntax.goal, spec);
    property.distance = {std::string(pool.atom_name(from)), std::string(pool.atom_name(to)),
                         syntax.kind == SpecSyntax::Kind::Longest};
    property.formula.formula = pool.binary(nestor::logic::Op::Or, from, to);
    return property;
  }
  if (syntax.kind == SpecSyntax::Kind::Invariant) {
    refuse_temporal(file, syntax.formula);
  }
  if (const ExprId e = find_too_large(file.syntax, spec, make_bound); e.valid()) {
    unsupported(fmt::format("a bound above {}", kLargestBound), file.syntax[e].at);
    return property;
  }
  logic::FormulaId formula;
  try {
    formula = build_formula(file, spec, syntax.formula, pool, make_atom, make_bound);
  } catch (const base::Error& error) {
    // NuSMV lets inputs stand there, which is no fault of the file. Recursive ones refuse them.
    if (!may_speak_of_steps(syntax) || error.kind() != base::Error::Kind::Unsupported) {
      throw;
    }
    unsupported("inputs in a recursive file", syntax.at);
    return property;
  }
  if (syntax.kind == SpecSyntax::Kind::Invariant) {
    formula = pool.unary(nestor::logic::Op::AG, formula);
    property.all_paths = true;
  }
  property.formula.formula = nestor::logic::of_all_paths(pool, formula);
  return property;
}

}  // namespace nestor::smv
