#include "model/start_at.h"

#include "base/error.h"

#include <fmt/format.h>

#include <map>
#include <string>

namespace nestor::model {

std::optional<StartPlace> find_start_place(
    std::string_view text, const std::function<bool(std::string_view)>& is_component) {
  if (is_component(text)) {
    return StartPlace{text, {}};
  }
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    if (colon + 1 < text.size() && is_component(text.substr(0, colon))) {
      return StartPlace{text.substr(0, colon), text.substr(colon + 1)};
    }
  }
  return std::nullopt;
}

void refuse_start_place(std::string_view place, std::string_view model_name) {
  throw base::Error(base::Error::Kind::Input,
                    fmt::format("no component to start in is named as in '{}', expected "
                                "COMPONENT or COMPONENT:NODE",
                                place),
                    {std::string(model_name)});
}

void start_at(Rsm& model, std::string_view place, std::string_view name) {
  std::map<std::string_view, ComponentId> components;
  for (const ComponentId c : model.components()) {
    components.emplace(model.component_name(c), c);
  }
  const std::optional<StartPlace> start =
      find_start_place(place, [&](std::string_view text) { return components.contains(text); });
  if (!start) {
    refuse_start_place(place, name);
  }
  const ComponentId component = components.at(start->component);
  std::vector<NodeId> nodes;
  if (start->node.empty()) {
    nodes.assign(model.entries(component).begin(), model.entries(component).end());
  }
  for (const NodeId n : model.component(component).plain_nodes()) {
    if (!start->node.empty() && model.node_name(n) == start->node) {
      nodes.push_back(n);
    }
  }
  if (nodes.empty()) {
    throw base::Error(base::Error::Kind::Input,
                      start->node.empty()
                          ? fmt::format("component '{}' has no entry to start at, expected "
                                        "COMPONENT:NODE",
                                        start->component)
                          : fmt::format("component '{}' has no node '{}' to start at",
                                        start->component, start->node),
                      {std::string(name)});
  }
  model.initial_component_ = component;
  model.initial_nodes_ = std::move(nodes);
  model.initial_nodes_named_ = !start->node.empty();
  model.identity_ = Rsm::new_identity();
}

}  // namespace nestor::model
