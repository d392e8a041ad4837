#include "formula_laws.h"

#include "logic/parser.h"

#include <map>
#include <string>

namespace nestor::test {

namespace {

constexpr FormulaLaw kLaws[] = {
    // duality
    {"EX p", "!AX !p"},
    {"EF p", "!AG !p"},
    {"EG p", "!AF !p"},
    {"A [p U q]", "!E [!q U !p & !q] & AF q"},
    {"A [p U q]", "!E [!p R !q]"},
    {"E [p U q]", "!A [!p R !q]"},
    {"A [p W q]", "!E [!q U !p & !q]"},
    {"E [p W q]", "!A [!q U !p & !q]"},
    // one operator by another
    {"EF p", "E [true U p]"},
    {"AF p", "A [true U p]"},
    {"EG p", "E [p W false]"},
    {"AG p", "A [false R p]"},
    {"E [p W q]", "E [p U q] | EG p"},
    {"E [p R q]", "E [q U p & q] | EG q"},
    {"A [p R q]", "A [q W p & q]"},
    // unwinding; a state without successors satisfies AX false
    {"EF p", "p | EX EF p"},
    {"AF p", "p | AX AF p & EX true"},
    {"EG p", "p & (EX EG p | AX false)"},
    {"AG p", "p & AX AG p"},
    {"E [p U q]", "q | p & EX E [p U q]"},
    {"A [p U q]", "q | p & AX A [p U q] & EX true"},
    {"A [p W q]", "q | p & AX A [p W q]"},
    {"E [p R q]", "q & (p | EX E [p R q] | AX false)"},
    // distributing
    {"EX (p | q)", "EX p | EX q"},
    {"EF (p | q)", "EF p | EF q"},
    {"AX (p & q)", "AX p & AX q"},
    {"AG (p & q)", "AG p & AG q"},
    {"E [(p & q) U AG p]", "E [(p & q) U AG p] & (AG p | p & q)"},
    // doing it twice
    {"EF EF p", "EF p"},
    {"AG AG p", "AG p"},
    {"AF AF p", "AF p"},
    {"EG EG p", "EG p"},
    {"EF EX p", "EX EF p"},
    {"AG AX p", "AX AG p"},
    {"E [p U E [p U q]]", "E [p U q]"},
    {"A [p U A [p U q]]", "A [p U q]"},
    {"EG (p & EG p)", "EG p"},
    {"AG EF AG EF p", "AG EF p"},
    {"EF AG EF AG p", "EF AG p"},
    // one way only, written with <->
    {"AG p & EF q", "AG p & EF (p & q)"},
    {"AG p & EG q", "AG p & EG (p & q)"},
    {"AF p & EG q", "AF p & EG q & E [q U p & q]"},
};

/// `root` with `images` in the places of atoms.
logic::FormulaId substitute(logic::FormulaPool& pool, logic::FormulaId root,
                            const std::map<std::string, logic::FormulaId, std::less<>>& images) {
  std::map<logic::FormulaId, logic::FormulaId> image;
  for (const logic::FormulaId f : logic::subformulas(pool, root)) {
    const logic::Formula formula = pool[f];
    switch (logic::operand_count(formula.op)) {
      case 0:
        image[f] = formula.op == logic::Op::Atom ? images.find(pool.atom_name(f))->second : f;
        break;
      case 1:
        image[f] = pool.unary(formula.op, image[formula.left]);
        break;
      default:
        image[f] = pool.binary(formula.op, image[formula.left], image[formula.right]);
    }
  }
  return image[root];
}

}  // namespace

std::span<const FormulaLaw> formula_laws() {
  return kLaws;
}

logic::FormulaId instance_of(const FormulaLaw& law, logic::FormulaPool& pool, logic::FormulaId p,
                             logic::FormulaId q) {
  const std::string text =
      "AG ((" + std::string(law.left) + ") <-> (" + std::string(law.right) + "))";
  return substitute(pool, logic::parse_formula(pool, text, {}), {{"p", p}, {"q", q}});
}

}  // namespace nestor::test
