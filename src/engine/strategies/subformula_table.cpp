#include "engine/strategies/subformula_table.h"

#include "base/error.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::strategies {

SubformulaTable::SubformulaTable(const logic::FormulaPool& pool, logic::FormulaId formula)
    : pool_(pool) {
  const std::vector<logic::FormulaId> ids = logic::subformulas(pool, formula);
  const auto place_of = [&ids](logic::FormulaId id) {
    const auto found = std::lower_bound(ids.begin(), ids.end(), id);
    assert(found != ids.end() && *found == id);
    return SubId(static_cast<std::size_t>(found - ids.begin()));
  };

  subformulas_.reserve(ids.size());
  for (const logic::FormulaId id : ids) {
    const logic::Formula& here = pool[id];
    Subformula sub{.op = here.op, .left = {}, .right = {}, .existential = {}, .formula = id};
    const int operands = logic::operand_count(here.op);
    if (operands > 0) {
      sub.left = place_of(here.left);
    }
    if (operands > 1) {
      sub.right = place_of(here.right);
    }
    if (logic::is_existential(here.op)) {
      sub.existential = existential_.push_back(SubId(subformulas_.size()));
    } else {
      NESTOR_CHECK(here.op == logic::Op::True || here.op == logic::Op::Atom ||
                   here.op == logic::Op::Not ||
                   here.op == logic::Op::Or);  // existential normal form
    }
    subformulas_.push_back(sub);
  }

  parents_ = base::CompressedRows<SubId, SubId>(size());
  const auto for_each_operand = [this](auto visit) {
    for (const SubId f : this->ids()) {
      const Subformula& sub = subformulas_[f];
      if (sub.left.valid()) {
        visit(sub.left, f);
      }
      if (sub.right.valid() && sub.right != sub.left) {
        visit(sub.right, f);
      }
    }
  };
  for_each_operand([this](SubId operand, SubId) { parents_.count(operand); });
  parents_.finish_counting();
  for_each_operand([this](SubId operand, SubId parent) { parents_.add(operand, parent); });
}

}  // namespace nestor::engine::strategies
