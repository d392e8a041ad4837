// From the modal mu-calculus to CTL.
//
// Let f(Y) be the body of a fixpoint in which the variable X occurs as <>X only, written Y, and
// positively. f is monotone and Y occurs in no temporal operator, so f(Y) = f(ff) or (f(tt) and Y).
// With p = f(tt) and q = f(ff), and paths maximal (docs/semantics.md):
//
//   mu X. q | p & <>X   =  E [p U q]
//   mu X. q | p & []X   =  A [p U (q | p & !EX true)]      [] is true in a dead end
//   nu X. q | p & <>X   =  E [p U q] | EG (p & EX true)    <> is false in a dead end
//   nu X. q | p & []X   =  A [p W q]
//
// If X stands deeper in the operand of one modality, f(<>g(X)), and nowhere else, the fixpoint is
// rolled: mu X. f(<>g(X)) = f(<>mu X. g(f(<>X))), and so for nu and for []; with nu for mu and mu
// for nu within f if f negates its argument, and then g does, too. For instance
//
//   mu X. q | <>(p & X)  =  q | EX E [p U (p & q)]

#include "format/pds/mu_calculus.h"

#include "logic/mu_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace nestor::format {

namespace {

constexpr std::size_t kMostFixpoints = 1000;  // each costs a pass over its body

class Translator {
 public:
  explicit Translator(const std::vector<logic::MuNode>& nodes) : nodes_(nodes) {}

  /// In pool(); not valid if the formula is not the image of one of CTL.
  logic::FormulaId translate() {
    for (std::size_t i = 0; i < nodes_.size() && is_ctl_; ++i) {
      formulas_.push_back(translate(nodes_[i]));
    }
    return is_ctl_ ? formulas_.back() : logic::FormulaId();
  }
  const logic::FormulaPool& pool() const { return pool_; }

 private:
  logic::FormulaId not_ctl() {
    is_ctl_ = false;
    return pool_.constant(true);
  }

  logic::FormulaId translate(const logic::MuNode& node) {
    switch (node.op) {
      case logic::MuOp::True:
      case logic::MuOp::False:
        return pool_.constant(node.op == logic::MuOp::True);
      case logic::MuOp::Atom:
        return pool_.atom(node.name);
      case logic::MuOp::Variable:
        return bare(node);
      case logic::MuOp::Not:
        return negation(formulas_[node.left]);
      case logic::MuOp::And:
        return conjunction(formulas_[node.left], formulas_[node.right]);
      case logic::MuOp::Or:
        return disjunction(formulas_[node.left], formulas_[node.right]);
      case logic::MuOp::Implies:
        return disjunction(negation(formulas_[node.left]), formulas_[node.right]);
      case logic::MuOp::Diamond:
      case logic::MuOp::Box:
        return modality(node);
      case logic::MuOp::Mu:
      case logic::MuOp::Nu:
        return fixpoint(node);
      case logic::MuOp::BackDiamond:
      case logic::MuOp::BackBox:
        return not_ctl();
    }
    assert(false && "not a formula");
    return {};
  }

  // Names in files hold no control characters, so these atoms are no one's propositions.
  logic::FormulaId placeholder(std::size_t binder, std::string_view what) {
    return pool_.atom(fmt::format("\x01{}{}", binder, what));
  }
  logic::FormulaId bare(const logic::MuNode& node) { return placeholder(node.binder, ""); }

  logic::FormulaId modality(const logic::MuNode& node) {
    const bool box = node.op == logic::MuOp::Box;
    const logic::MuNode& operand = nodes_[node.left];
    if (operand.op == logic::MuOp::Variable) {
      return placeholder(operand.binder, box ? "[]" : "<>");
    }
    return pool_.unary(box ? logic::Op::AX : logic::Op::EX, formulas_[node.left]);
  }

  logic::FormulaId fixpoint(const logic::MuNode& node) {
    const logic::FormulaId body = formulas_[node.left];
    const logic::FormulaId variable = placeholder(node.binder, "");
    const logic::FormulaId modality = only_modality_with(body, variable);
    const Uses uses =
        uses_in(body, {placeholder(node.binder, "<>"), placeholder(node.binder, "[]"), variable});
    if (!modality.valid() || uses.diamond || uses.box) {
      return fixpoint(node.binder, node.op == logic::MuOp::Mu, body);
    }
    const logic::FormulaId next =
        placeholder(node.binder, pool_[modality].op == logic::Op::EX ? "<>" : "[]");
    const logic::FormulaId outer = replace(body, modality, next);
    const logic::FormulaId inner = replace(pool_[modality].left, variable, outer);
    const bool is_negated = occurs(body, modality, true);
    if (is_negated && occurs(body, modality, false)) {
      return not_ctl();
    }
    const bool is_least = (node.op == logic::MuOp::Mu) != is_negated;
    const logic::FormulaId rolled = fixpoint(node.binder, is_least, inner);
    return replace(outer, next, pool_.unary(pool_[modality].op, rolled));
  }

  /// The modality, below Boolean operators, in whose operand the variable stands, below such
  /// operators as well; not valid if there are several, or it stands elsewhere, too.
  logic::FormulaId only_modality_with(logic::FormulaId body, logic::FormulaId variable) const {
    logic::FormulaId found;
    for (const logic::FormulaId f : boolean_leaves(body)) {
      const std::vector<logic::FormulaId> all = logic::subformulas(pool_, f);
      if (std::ranges::find(all, variable) == all.end()) {
        continue;
      }
      const bool is_modality = pool_[f].op == logic::Op::EX || pool_[f].op == logic::Op::AX;
      if (found.valid() || !is_modality) {
        return {};
      }
      const std::vector<logic::FormulaId> leaves = boolean_leaves(pool_[f].left);
      if (std::ranges::any_of(leaves, [&](logic::FormulaId leaf) {
            const std::vector<logic::FormulaId> below = logic::subformulas(pool_, leaf);
            return leaf != variable && std::ranges::find(below, variable) != below.end();
          })) {
        return {};
      }
      found = f;
    }
    return found;
  }

  /// What Boolean operators connect, each once.
  std::vector<logic::FormulaId> boolean_leaves(logic::FormulaId root) const {
    std::set<logic::FormulaId> seen;
    std::vector<logic::FormulaId> leaves;
    std::vector<logic::FormulaId> open{root};
    while (!open.empty()) {
      const logic::FormulaId f = open.back();
      open.pop_back();
      if (!seen.insert(f).second) {
        continue;
      }
      if (!is_boolean(pool_[f].op)) {
        leaves.push_back(f);
        continue;
      }
      open.push_back(pool_[f].left);
      if (logic::operand_count(pool_[f].op) == 2) {
        open.push_back(pool_[f].right);
      }
    }
    return leaves;
  }

  /// Whether `what` stands in `body` below an even number of negations, or an odd one.
  bool occurs(logic::FormulaId body, logic::FormulaId what, bool is_odd) const {
    std::set<std::pair<logic::FormulaId, bool>> seen;
    std::vector<std::pair<logic::FormulaId, bool>> open{{body, false}};
    while (!open.empty()) {
      const auto [f, odd] = open.back();
      open.pop_back();
      if (!seen.emplace(f, odd).second || !is_boolean(pool_[f].op)) {
        continue;
      }
      open.emplace_back(pool_[f].left, odd != (pool_[f].op == logic::Op::Not));
      if (logic::operand_count(pool_[f].op) == 2) {
        open.emplace_back(pool_[f].right, odd);
      }
    }
    return seen.contains({what, is_odd});
  }

  logic::FormulaId fixpoint(std::size_t binder, bool is_least, logic::FormulaId body) {
    const logic::FormulaId diamond = placeholder(binder, "<>");
    const logic::FormulaId box = placeholder(binder, "[]");
    const Uses uses = uses_in(body, {diamond, box, placeholder(binder, "")});
    if (++fixpoints_ > kMostFixpoints || uses.bare || uses.in_temporal ||
        (uses.diamond && uses.box)) {
      return not_ctl();
    }
    const logic::FormulaId next = uses.box ? box : diamond;
    const logic::FormulaId q = replace(body, next, pool_.constant(false));
    const logic::FormulaId p = without(replace(body, next, pool_.constant(true)), q);
    if (!uses.box && !uses.diamond) {
      return body;
    }
    const logic::FormulaId goes_on = pool_.unary(logic::Op::EX, pool_.constant(true));
    if (is_least) {
      return uses.diamond ? until(p, q)
                          : pool_.binary(logic::Op::AU, p,
                                         disjunction(q, conjunction(p, negation(goes_on))));
    }
    if (uses.diamond) {
      return disjunction(until(p, q), pool_.unary(logic::Op::EG, conjunction(p, goes_on)));
    }
    return q == pool_.constant(false) ? pool_.unary(logic::Op::AG, p)
                                      : pool_.binary(logic::Op::AW, p, q);
  }

  /// match: q | p   result: p. Where q holds the fixpoints need no p.
  logic::FormulaId without(logic::FormulaId f, logic::FormulaId q) const {
    if (pool_[f].op == logic::Op::Or && pool_[f].left == q) {
      return pool_[f].right;
    }
    return pool_[f].op == logic::Op::Or && pool_[f].right == q ? pool_[f].left : f;
  }

  logic::FormulaId until(logic::FormulaId p, logic::FormulaId q) {
    if (q == pool_.constant(false)) {
      return q;
    }
    return p == pool_.constant(true) ? pool_.unary(logic::Op::EF, q)
                                     : pool_.binary(logic::Op::EU, p, q);
  }

  // ---- Boolean operators that know the constants ----

  logic::FormulaId negation(logic::FormulaId f) {
    if (f == pool_.constant(true) || f == pool_.constant(false)) {
      return pool_.constant(f != pool_.constant(true));
    }
    return pool_.unary(logic::Op::Not, f);
  }
  logic::FormulaId conjunction(logic::FormulaId f, logic::FormulaId g) {
    const logic::FormulaId no = pool_.constant(false);
    const logic::FormulaId yes = pool_.constant(true);
    return f == no || g == no ? no
           : f == yes         ? g
           : g == yes         ? f
                              : pool_.binary(logic::Op::And, f, g);
  }
  logic::FormulaId disjunction(logic::FormulaId f, logic::FormulaId g) {
    const logic::FormulaId no = pool_.constant(false);
    const logic::FormulaId yes = pool_.constant(true);
    return f == yes || g == yes ? yes
           : f == no            ? g
           : g == no            ? f
                                : pool_.binary(logic::Op::Or, f, g);
  }

  static bool is_boolean(logic::Op op) {
    return op == logic::Op::Not || op == logic::Op::And || op == logic::Op::Or;
  }

  // ---- occurrences of a variable ----

  struct Placeholders {
    logic::FormulaId diamond;
    logic::FormulaId box;
    logic::FormulaId bare;
  };
  struct Uses {
    bool diamond = false;
    bool box = false;
    bool bare = false;
    bool in_temporal = false;  // below a temporal operator of the body
  };

  Uses uses_in(logic::FormulaId body, const Placeholders& of) {
    constexpr std::uint8_t kOccurs = 1;
    constexpr std::uint8_t kTemporal = 2;
    Uses uses;
    std::vector<std::uint8_t> how(body.value() + std::size_t{1});
    how[body.value()] = kOccurs;
    for (std::size_t i = body.value() + std::size_t{1}; i-- > 0;) {
      const logic::FormulaId f(i);
      const logic::Formula& formula = pool_[f];
      if (how[i] == 0) {
        continue;
      }
      if (f == of.diamond || f == of.box || f == of.bare) {
        uses.diamond = uses.diamond || f == of.diamond;
        uses.box = uses.box || f == of.box;
        uses.bare = uses.bare || f == of.bare;
        uses.in_temporal = uses.in_temporal || (how[i] & kTemporal) != 0;
      }
      const std::uint8_t below = is_boolean(formula.op) ? how[i] : kTemporal;
      if (logic::operand_count(formula.op) > 0) {
        how[formula.left.value()] |= below;
      }
      if (logic::operand_count(formula.op) > 1) {
        how[formula.right.value()] |= below;
      }
    }
    return uses;
  }

  /// `body` with another formula for `what`, which occurs below Boolean operators only.
  logic::FormulaId replace(logic::FormulaId body, logic::FormulaId what, logic::FormulaId by) {
    std::vector<logic::FormulaId> now(body.value() + std::size_t{1});
    for (const logic::FormulaId f : logic::subformulas(pool_, body)) {
      const logic::Formula formula = pool_[f];
      const auto left = [&] { return now[formula.left.value()]; };
      const auto right = [&] { return now[formula.right.value()]; };
      now[f.value()] = f == what                      ? by
                       : formula.op == logic::Op::Not ? negation(left())
                       : formula.op == logic::Op::And ? conjunction(left(), right())
                       : formula.op == logic::Op::Or  ? disjunction(left(), right())
                                                      : f;
    }
    return now[body.value()];
  }

  const std::vector<logic::MuNode>& nodes_;
  logic::FormulaPool pool_;  // its own, because of the placeholders
  std::vector<logic::FormulaId> formulas_;
  std::size_t fixpoints_ = 0;
  bool is_ctl_ = true;
};

logic::FormulaId copy(const logic::FormulaPool& from, logic::FormulaId formula,
                      logic::FormulaPool& to) {
  std::vector<logic::FormulaId> now(formula.value() + std::size_t{1});
  for (const logic::FormulaId f : logic::subformulas(from, formula)) {
    const logic::Formula& part = from[f];
    if (part.op == logic::Op::Atom) {
      now[f.value()] = to.atom(from.atom_name(f));
    } else if (logic::operand_count(part.op) == 0) {
      now[f.value()] = to.constant(part.op == logic::Op::True);
    } else if (logic::operand_count(part.op) == 1) {
      now[f.value()] = to.unary(part.op, now[part.left.value()]);
    } else {
      now[f.value()] = to.binary(part.op, now[part.left.value()], now[part.right.value()]);
    }
  }
  return now[formula.value()];
}

/// On one line, without comments.
std::string on_one_line(std::string_view text) {
  std::string result;
  bool in_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    in_comment = text[i] != '\n' && (in_comment || text.substr(i, 2) == "//");
    if (in_comment || static_cast<unsigned char>(text[i]) <= ' ') {
      if (!result.empty() && result.back() != ' ') {
        result += ' ';
      }
    } else {
      result += text[i];
    }
  }
  while (!result.empty() && result.back() == ' ') {
    result.pop_back();
  }
  return result;
}

}  // namespace

logic::ModelProperty translate_mu_property(const base::Input& input, std::string_view text,
                                           logic::FormulaPool& pool) {
  auto parsed = std::make_shared<const logic::MuFormula>(logic::parse_mu_formula(input, text));
  logic::ModelProperty property;
  property.formula.name = "mu property";
  property.formula.text = on_one_line(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  property.formula.location =
      input.locate(static_cast<std::size_t>(text.data() - input.text().data()) + first);
  Translator translator(parsed->nodes);
  const logic::FormulaId formula = translator.translate();
  if (formula.valid()) {
    property.formula.formula = copy(translator.pool(), formula, pool);
  } else {
    property.mu = std::move(parsed);
  }
  return property;
}

}  // namespace nestor::format
