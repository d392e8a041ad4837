#include "driver/probe/configuration.h"

#include "model/state.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor {

namespace {

State intern(StackTable& stacks, const Configuration& state) {
  State found{StackTable::kEmpty, state.node};
  for (const BoxId b : state.stack) {
    found.stack = stacks.push(found.stack, b);
  }
  return found;
}

}  // namespace

std::vector<Configuration> initial_configurations(const Rsm& model) {
  std::vector<Configuration> found;
  for (const NodeId n : model.initial_nodes()) {
    found.push_back({{}, n});
  }
  return found;
}

std::vector<Configuration> successors(const Rsm& model, const Configuration& state) {
  StackTable stacks;
  std::vector<Configuration> once;
  for (const Move& move : moves(model, stacks, intern(stacks, state))) {
    Configuration next{stacks.boxes(move.to.stack), move.to.node};
    if (std::ranges::find(once, next) == once.end()) {
      once.push_back(std::move(next));
    }
  }
  return once;
}

std::string describe(const Rsm& model, const Configuration& state) {
  std::string text;
  for (const BoxId b : state.stack) {
    text += fmt::format("{}.{}/", model.component_name(model.box(b).owner), model.box_name(b));
  }
  return text + model.describe(state.node);
}

}  // namespace nestor
