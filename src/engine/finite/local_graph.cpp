#include "engine/finite/local_graph.h"

namespace nestor::engine::finite {

WholeGraph::WholeGraph(const FiniteGraph& graph, const logic::FormulaPool& pool,
                       const SubformulaSequence& sub)
    : graph_(graph), values_(sub.length()) {
  for (std::uint32_t i = 0; i < sub.length(); ++i) {
    if (sub[i].type == Subformula::Type::Atom) {
      values_[i] = base::BitSet(graph.size());
      for (const model::NodeId s : graph.states_with(pool.atom_name(sub[i].atom))) {
        values_[i].set(s.value());
      }
    }
  }
}

GrowingGraph::GrowingGraph(model::StateSpace& space, const logic::FormulaPool& pool,
                           const SubformulaSequence& sub, base::LimitGuard& guard)
    : space_(space), guard_(guard), numbers_(sub.length()) {
  for (std::uint32_t i = 0; i < sub.length(); ++i) {
    if (sub[i].type == Subformula::Type::Atom) {
      numbers_[i] = space.find_proposition(pool.atom_name(sub[i].atom));
    }
  }
}

}  // namespace nestor::engine::finite
