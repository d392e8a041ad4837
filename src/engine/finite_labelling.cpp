#include "engine/finite_labelling.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine {

explain::Labelling finite_labelling(const model::Rsm& model, const logic::FormulaPool& pool,
                                    logic::FormulaId normal, std::vector<base::BitSet> values) {
  assert(model.box_count() == 0);
  explain::Labelling labelling;
  labelling.add_instance(model, model.initial_component());
  labelling.subformulas = logic::subformulas(pool, normal);
  labelling.values = std::move(values);
  assert(labelling.values.size() == labelling.subformulas.size());
  const std::span<const model::NodeId> exits = model.exits(model.initial_component());
  for (const logic::FormulaId f : labelling.subformulas) {
    const logic::Op op = pool[f].op;
    base::BitSet& context =
        labelling.contexts.emplace_back(logic::is_existential(op) ? labelling.exit_rows : 0);
    if (op == logic::Op::EG) {
      context.set_all();
    } else if (op == logic::Op::EX) {
      const auto operand = std::ranges::lower_bound(labelling.subformulas, pool[f].left);
      const base::BitSet& next =
          labelling.values[static_cast<std::size_t>(operand - labelling.subformulas.begin())];
      for (std::size_t x = 0; x < exits.size(); ++x) {
        if (next.test(labelling.node_row(model, explain::Labelling::kRoot, exits[x]))) {
          context.set(labelling.exit_row(explain::Labelling::kRoot, x));
        }
      }
    }
  }
  return labelling;
}

}  // namespace nestor::engine
