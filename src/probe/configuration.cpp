#include "probe/configuration.h"

#include "model/state.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::probe {

namespace {

model::State intern(model::StackTable& stacks, const Configuration& state) {
  model::State found{model::StackTable::kEmpty, state.node};
  for (const model::BoxId b : state.stack) {
    found.stack = stacks.push(found.stack, b);
  }
  return found;
}

}  // namespace

std::vector<Configuration> initial_configurations(const model::Rsm& model) {
  std::vector<Configuration> found;
  for (const model::NodeId n : model.initial_nodes()) {
    found.push_back({{}, n});
  }
  return found;
}

std::vector<Configuration> successors(const model::Rsm& model, const Configuration& state) {
  model::StackTable stacks;
  std::vector<Configuration> once;
  for (const model::Move& move : model::moves(model, stacks, intern(stacks, state))) {
    Configuration next{stacks.boxes(move.to.stack), move.to.node};
    if (std::ranges::find(once, next) == once.end()) {
      once.push_back(std::move(next));
    }
  }
  return once;
}

std::string describe(const model::Rsm& model, const Configuration& state) {
  std::string text;
  for (const model::BoxId b : state.stack) {
    text += fmt::format("{}.{}/", model.component_name(model.box(b).owner), model.box_name(b));
  }
  return text + model.describe(state.node);
}

}  // namespace nestor::probe
