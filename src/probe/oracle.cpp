#include "probe/oracle.h"

namespace nestor::probe {

const Oracle::Values& Oracle::values(logic::FormulaId formula) {
  const auto known = values_.find(formula);
  if (known != values_.end()) {
    return known->second;
  }
  if (session_.subject().fairness().constraints > 0) {
    throw base::LimitReached{"the model has fairness constraints"};
  }
  const session::Answer<explain::Labelling> labelling =
      session_.labelling(session_.ask(logic::ModelProperty{
          .formula = {formula, {}, {}, {}}, .unsupported = {}, .all_paths = true}));
  if (!labelling) {
    throw base::LimitReached{labelling.reason};
  }
  // Whoever asks for a formula will ask for its parts.
  for (std::size_t i = 0; i < labelling->subformulas.size(); ++i) {
    values_.try_emplace(labelling->subformulas[i], Values{labelling.value, i});
  }
  return values_.try_emplace(formula, Values{labelling.value, labelling->subformulas.size() - 1})
      .first->second;
}

bool Oracle::holds(logic::FormulaId formula, const Configuration& state) {
  const Values& found = values(formula);
  const explain::Labelling& labelling = *found.labelling;
  const model::Rsm& machine = session_.subject().machine();
  std::uint32_t instance = explain::Labelling::kRoot;
  for (const model::BoxId box : state.stack) {
    instance = labelling.callees[labelling.box_row(machine, instance, box)];
  }
  return labelling.values[found.place].test(labelling.node_row(machine, instance, state.node));
}

}  // namespace nestor::probe
