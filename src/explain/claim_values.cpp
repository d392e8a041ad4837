#include "explain/claim_values.h"

#include "base/error.h"
#include "explain/obligation.h"
#include "logic/normal_form.h"

#include <algorithm>

namespace nestor::explain {

namespace {
constexpr std::size_t kNotLabelled = static_cast<std::size_t>(-1);
}  // namespace

ClaimValues::ClaimValues(logic::FormulaPool& pool, logic::FormulaId formula,
                         const Labelling& labelling)
    : formulas_(logic::subformulas(pool, formula)), labelling_(labelling) {
  const std::vector<logic::FormulaId> normal = logic::existential_normal_forms(pool, formula);
  const logic::FormulaId always = pool.constant(true);
  const logic::FormulaId never = pool.unary(logic::Op::Not, always);
  parts_.reserve(formulas_.size());
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    const logic::Formula& f = pool[formulas_[i]];
    Part part;
    const int operands = logic::operand_count(f.op);
    part.is_propositional = !is_temporal(f.op) && (operands < 1 || is_propositional(f.left)) &&
                            (operands < 2 || is_propositional(f.right));
    if (normal[i] == always || normal[i] == never) {
      part.constant = normal[i] == always;
    }
    part.negated = pool[normal[i]].op == logic::Op::Not;
    const logic::FormulaId core = part.negated ? pool[normal[i]].left : normal[i];
    const auto& known = labelling.subformulas;
    const auto place = std::find(known.begin(), known.end(), core);
    part.value =
        place == known.end() ? kNotLabelled : static_cast<std::size_t>(place - known.begin());
    for (const bool holds : {false, true}) {
      part.weight[holds ? 1 : 0] = weigh(pool, {formulas_[i], holds}, part);
    }
    parts_.push_back(part);
  }
}

ClaimValues::Weight ClaimValues::weigh(const logic::FormulaPool& pool, witness::Claim claim,
                                       const Part& part) const {
  if (part.constant || part.is_propositional) {
    return kLabels;
  }
  const Obligation needed = obligation(pool, claim, false);
  if (needed.kind == Obligation::Kind::All) {
    return kAllPaths;
  }
  const auto worst = [this](const std::vector<witness::Claim>& claims) {
    Weight weight = kLabels;
    for (const witness::Claim& c : claims) {
      weight = std::max(weight, this->weight(c));
    }
    return weight;
  };
  if (needed.kind == Obligation::Kind::Parts) {
    Weight best = kAllPaths;
    for (const std::vector<witness::Claim>& alternative : needed.alternatives) {
      best = std::min(best, worst(alternative));
    }
    return best;
  }
  const Weight along = needed.along.formula.valid() ? weight(needed.along) : kLabels;
  return std::max({kPaths, along, worst(needed.end)});
}

const ClaimValues::Part& ClaimValues::part(logic::FormulaId formula) const {
  const auto place = std::lower_bound(formulas_.begin(), formulas_.end(), formula);
  return parts_[static_cast<std::size_t>(place - formulas_.begin())];
}

bool ClaimValues::is_true(witness::Claim claim, std::size_t plain_row) const {
  if (!claim.formula.valid()) {
    return true;
  }
  const Part& found = part(claim.formula);
  if (found.constant) {
    return *found.constant == claim.holds;
  }
  NESTOR_CHECK(found.value != kNotLabelled);
  return (labelling_.values[found.value].test(plain_row) != found.negated) == claim.holds;
}

base::BitSet ClaimValues::rows(witness::Claim claim) const {
  base::BitSet result(labelling_.node_rows);
  if (!claim.formula.valid()) {
    result.set_all();
    return result;
  }
  const Part& found = part(claim.formula);
  if (!found.constant) {
    NESTOR_CHECK(found.value != kNotLabelled);
    result = labelling_.values[found.value];
    if (found.negated == claim.holds) {
      result.flip_all();
    }
  } else if (*found.constant == claim.holds) {
    result.set_all();
  }
  return result;
}

base::BitSet ClaimValues::rows_of_all(std::span<const witness::Claim> claims) const {
  base::BitSet result(labelling_.node_rows);
  result.set_all();
  for (const witness::Claim& claim : claims) {
    result &= rows(claim);
  }
  return result;
}

}  // namespace nestor::explain
