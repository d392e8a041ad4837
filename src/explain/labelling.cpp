#include "explain/labelling.h"

namespace nestor::explain {

std::uint32_t Labelling::add_instance(const model::Rsm& model, model::ComponentId component) {
  const model::Component& c = model.component(component);
  Instance instance;
  instance.component = component;
  instance.first_node = node_rows;
  instance.first_exit = exit_rows;
  instance.first_box = static_cast<std::uint32_t>(callees.size());
  node_rows += static_cast<std::uint32_t>(c.plain_nodes().size());
  exit_rows += static_cast<std::uint32_t>(model.exits(component).size());
  callees.resize(callees.size() + c.boxes().size());
  instances.push_back(instance);
  return static_cast<std::uint32_t>(instances.size() - 1);
}

std::size_t Labelling::memory_bytes() const {
  std::size_t bits = 0;
  for (const std::vector<base::BitSet>* sets : {&values, &contexts}) {
    for (const base::BitSet& set : *sets) {
      bits += set.size();
    }
  }
  return bits / 8 + callees.size() * sizeof(std::uint32_t) + instances.size() * sizeof(Instance);
}

}  // namespace nestor::explain
