#include "driver/label_view.h"

#include <fmt/format.h>

#include <map>
#include <nestor/error.h>

namespace nestor::driver {

LabelView view_of(const Labelling& labelling, const std::vector<Component>& components,
                  const Options& options, std::size_t most_states) {
  std::map<std::string_view, const Component*> named;
  bool has_node = options.only_node.empty();
  for (const Component& component : components) {
    named.emplace(component.name, &component);
    for (const Component::Node& node : component.nodes) {
      has_node = has_node || node.name == options.only_node;
    }
  }
  if (!options.only_component.empty() && !named.contains(options.only_component)) {
    throw Error(Error::Kind::Usage,
                fmt::format("there is no component '{}'", options.only_component));
  }
  if (!has_node) {
    throw Error(Error::Kind::Usage, fmt::format("there is no node '{}'", options.only_node));
  }
  LabelView view{labelling, {}, 0};
  std::size_t shown = 0;
  const std::vector<Labelling::Instance> instances = labelling.instances();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Component& component = *named.at(instances[i].procedure);
    if (!options.only_component.empty() && component.name != options.only_component) {
      continue;
    }
    LabelView::Instance instance{i, &component, instances[i].callees, {}};
    for (std::size_t n = 0; n < instances[i].rows; ++n) {
      if (!options.only_node.empty() && component.nodes[n].name != options.only_node) {
        continue;
      }
      if (shown == most_states) {
        ++view.left_out;
        continue;
      }
      ++shown;
      instance.rows.push_back({instances[i].first_row + n, n});
    }
    if (!instance.rows.empty()) {
      view.instances.push_back(std::move(instance));
    }
  }
  return view;
}

}  // namespace nestor::driver
