#include "probe/state_components.h"

#include "base/strong_components.h"
#include "engine/finite/finite_graph.h"

namespace nestor::probe {

std::vector<StateComponent> state_components(const model::Rsm& model) {
  const engine::finite::FiniteGraph graph(model);
  const auto next = [&](std::uint32_t s, std::uint32_t& i) {
    const auto successors = graph.successors(model::NodeId(s));
    return i < successors.size() ? successors[i++].value() : base::StrongComponents::kNone;
  };
  base::StrongComponentSearch search(graph.size(), next, [] {});
  for (const model::NodeId s : graph.initial()) {
    search.search_from(s.value());
  }
  const base::StrongComponents found = search.take();
  std::vector<StateComponent> components(found.count);
  for (const model::NodeId s : graph.states()) {
    const std::uint32_t number = found.of[s.value()];
    if (number == base::StrongComponents::kNone) {
      continue;
    }
    StateComponent& component = components[number];
    if (component.size++ == 0) {
      component.first = graph.node(s);
    }
    for (const model::NodeId t : graph.successors(s)) {
      (found.of[t.value()] == number ? component.is_loop : component.is_left) = true;
    }
  }
  return components;
}

}  // namespace nestor::probe
