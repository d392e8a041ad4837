#include "driver/probe/oracle.h"

namespace nestor {

const Oracle::Values& Oracle::values(FormulaId formula) {
  const auto known = values_.find(formula);
  if (known != values_.end()) {
    return known->second;
  }
  const Answer<Labelling> labelling =
      session_.labelling(session_.ask(NamedFormula{formula, {}, {}, {}}));
  if (!labelling) {
    throw LimitReached{labelling.reason};
  }
  // Whoever asks for a formula will ask for its parts.
  for (std::size_t i = 0; i < labelling->subformulas.size(); ++i) {
    values_.try_emplace(labelling->subformulas[i], Values{labelling.value, i});
  }
  return values_.try_emplace(formula, Values{labelling.value, labelling->subformulas.size() - 1})
      .first->second;
}

bool Oracle::holds(FormulaId formula, const Configuration& state) {
  const Values& found = values(formula);
  const Labelling& labelling = *found.labelling;
  const Rsm& machine = session_.subject().machine();
  std::uint32_t instance = Labelling::kRoot;
  for (const BoxId box : state.stack) {
    instance = labelling.callees[labelling.box_row(machine, instance, box)];
  }
  return labelling.values[found.place].test(labelling.node_row(machine, instance, state.node));
}

}  // namespace nestor
