#include "net/read_net_formula.h"

#include <map>
#include <utility>

namespace nestor::net {

namespace {

using Op = NetFormulas::Op;

constexpr std::size_t kMostNodes = 300'000;
// Sums of so large factors times tokens, which have 32 bits, do not overflow.
constexpr std::int64_t kMostFactors = std::int64_t{1} << 28;

/// A formula and its negation.
struct Both {
  NetNodeId yes;
  NetNodeId no;
};

class Reader {
 public:
  Reader(const NetStates& states, const logic::FormulaPool& pool, NetFormulas& formulas,
         base::LimitGuard& guard)
      : states_(states), pool_(pool), formulas_(formulas), guard_(guard) {}

  std::optional<NetNodeId> read(logic::FormulaId formula) {
    for (const logic::FormulaId f : logic::subformulas(pool_, formula)) {
      const logic::Formula& node = pool_[f];
      const int operands = logic::operand_count(node.op);
      const std::optional<Both> made =
          node.op == logic::Op::Atom
              ? atom(pool_.atom_name(f))
              : std::optional(operation(node.op, operands > 0 ? made_.at(node.left) : Both(),
                                        operands > 1 ? made_.at(node.right) : Both()));
      if (!made || formulas_.size() > kMostNodes) {
        return std::nullopt;
      }
      made_[f] = *made;
    }
    return made_.at(formula).yes;
  }

 private:
  Both operation(logic::Op op, Both f, Both g) {
    const auto both = [&](NetNodeId a, NetNodeId b) { return formulas_.both({a, b}); };
    const auto either = [&](NetNodeId a, NetNodeId b) { return formulas_.either({a, b}); };
    const auto until = [&](Op o, NetNodeId a, NetNodeId b) { return formulas_.until(o, a, b); };
    const NetNodeId yes = formulas_.constant(true);
    const NetNodeId no = formulas_.constant(false);
    switch (op) {
      case logic::Op::True:
        return {yes, no};
      case logic::Op::False:
        return {no, yes};
      case logic::Op::Not:
        return {f.no, f.yes};
      case logic::Op::And:
        return {both(f.yes, g.yes), either(f.no, g.no)};
      case logic::Op::Or:
        return {either(f.yes, g.yes), both(f.no, g.no)};
      case logic::Op::Implies:
        return {either(f.no, g.yes), both(f.yes, g.no)};
      case logic::Op::Iff:
        return {either(both(f.yes, g.yes), both(f.no, g.no)),
                either(both(f.yes, g.no), both(f.no, g.yes))};
      case logic::Op::Xor:
        return {either(both(f.yes, g.no), both(f.no, g.yes)),
                either(both(f.yes, g.yes), both(f.no, g.no))};
      case logic::Op::EX:
        return {formulas_.next(Op::EX, f.yes), formulas_.next(Op::AX, f.no)};
      case logic::Op::AX:
        return {formulas_.next(Op::AX, f.yes), formulas_.next(Op::EX, f.no)};
      case logic::Op::EF:
        return {until(Op::EU, yes, f.yes), until(Op::AW, f.no, no)};
      case logic::Op::AF:
        return {until(Op::AU, yes, f.yes), until(Op::EW, f.no, no)};
      case logic::Op::EG:
        return {until(Op::EW, f.yes, no), until(Op::AU, yes, f.no)};
      case logic::Op::AG:
        return {until(Op::AW, f.yes, no), until(Op::EU, yes, f.no)};
      case logic::Op::EU:  // ¬E φ U ψ = A ¬ψ W (¬φ ∧ ¬ψ), and so on
        return {until(Op::EU, f.yes, g.yes), until(Op::AW, g.no, both(f.no, g.no))};
      case logic::Op::AU:
        return {until(Op::AU, f.yes, g.yes), until(Op::EW, g.no, both(f.no, g.no))};
      case logic::Op::EW:
        return {until(Op::EW, f.yes, g.yes), until(Op::AU, g.no, both(f.no, g.no))};
      case logic::Op::AW:
        return {until(Op::AW, f.yes, g.yes), until(Op::EU, g.no, both(f.no, g.no))};
      case logic::Op::ER:  // E φ R ψ = E ψ W (φ ∧ ψ), ¬E φ R ψ = A ¬φ U ¬ψ
        return {until(Op::EW, g.yes, both(f.yes, g.yes)), until(Op::AU, f.no, g.no)};
      case logic::Op::AR:
        return {until(Op::AW, g.yes, both(f.yes, g.yes)), until(Op::EU, f.no, g.no)};
      default:  // an atom, and what is not CTL
        break;
    }
    return {};
  }

  std::optional<Both> atom(std::string_view name) {
    const std::optional<NetStates::Meaning> meaning = states_.meaning(name);
    if (!meaning) {
      return std::nullopt;
    }
    switch (meaning->kind) {
      case NetStates::Meaning::Kind::Deadlock:
        return Both{formulas_.dead(true), formulas_.dead(false)};
      case NetStates::Meaning::Kind::Fireable:
        return fireable(meaning->transitions);
      case NetStates::Meaning::Kind::Comparison:
        return comparison(*meaning);
      case NetStates::Meaning::Kind::Predicate:
        break;
    }
    return std::nullopt;
  }

  std::optional<Both> fireable(const std::vector<TransitionId>& transitions) {
    std::vector<NetNodeId> some;
    std::vector<NetNodeId> none;
    for (const TransitionId t : transitions) {
      std::vector<NetNodeId> enabled;
      std::vector<NetNodeId> disabled;
      for (const PetriNet::Arc& arc : states_.net().transition(t).inputs) {
        guard_.tick(4);  // a look into the tables of formulas each
        const AtMostZero enough{{{arc.place, -1}}, arc.weight};
        enabled.push_back(formulas_.atom(enough));
        disabled.push_back(formulas_.atom(negated(enough)));
      }
      some.push_back(formulas_.both(enabled));
      none.push_back(formulas_.either(disabled));
      if (formulas_.size() > kMostNodes) {
        return std::nullopt;
      }
    }
    return Both{formulas_.either(some), formulas_.both(none)};
  }

  std::optional<Both> comparison(const NetStates::Meaning& meaning) {
    std::vector<AtMostZero::Term> terms;
    std::int64_t factors = 0;
    for (const NetStates::Term& term : meaning.terms) {
      factors += term.factor < 0 ? -term.factor : term.factor;
      if (factors > kMostFactors) {
        return std::nullopt;
      }
      terms.push_back({term.place, term.factor});
    }
    const AtMostZero at_most = at_most_zero(terms, meaning.constant);
    const AtMostZero less = at_most_zero(terms, meaning.constant + 1);
    const auto both = [&](const AtMostZero& a) {
      return Both{formulas_.atom(a), formulas_.atom(negated(a))};
    };
    switch (meaning.comparison) {
      case NetAtom::Comparison::Less:
        return both(less);
      case NetAtom::Comparison::LessEqual:
        return both(at_most);
      case NetAtom::Comparison::GreaterEqual:
        return both(negated(less));
      case NetAtom::Comparison::Greater:
        return both(negated(at_most));
      case NetAtom::Comparison::Equal:
      case NetAtom::Comparison::NotEqual:
        break;
    }
    const NetNodeId equal =
        formulas_.both({formulas_.atom(at_most), formulas_.atom(negated(less))});
    const NetNodeId other =
        formulas_.either({formulas_.atom(less), formulas_.atom(negated(at_most))});
    return meaning.comparison == NetAtom::Comparison::Equal ? Both{equal, other}
                                                            : Both{other, equal};
  }

  const NetStates& states_;
  const logic::FormulaPool& pool_;
  NetFormulas& formulas_;
  base::LimitGuard& guard_;
  std::map<logic::FormulaId, Both> made_;
};

}  // namespace

std::optional<NetNodeId> read_net_formula(const NetStates& states, const logic::FormulaPool& pool,
                                          logic::FormulaId formula, NetFormulas& formulas,
                                          base::LimitGuard& guard) {
  return pool.is_ctl(formula) ? Reader(states, pool, formulas, guard).read(formula) : std::nullopt;
}

}  // namespace nestor::net
