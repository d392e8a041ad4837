#include "program/pruned_model.h"

// What a path of a model is in the program.

namespace nestor::program {

ModelSteps::ModelSteps(const Program& program, const SlicedModel& model, bool is_whole,
                       model::PropId site)
    : program_(program), model_(model), is_whole_(is_whole), is_site_(model.model.node_count(), 0) {
  if (site.valid()) {
    for (const model::NodeId node : model.model.nodes_with(site)) {
      is_site_[node.value()] = 1;
    }
  }
}

/// Not the start of several roots, nor where a call never comes back.
bool ModelSteps::is_point(const SlicedModel::Origin& origin) const {
  return origin.component.function.valid() &&
         origin.point < program_.functions[origin.component.function].points.size();
}

void ModelSteps::visit(model::NodeId node, std::vector<TraceStep>& steps) const {
  const SlicedModel::Origin origin = model_.origin(node);
  if (is_point(origin)) {
    TraceStep step;
    step.function = origin.component.function;
    step.point = origin.point;
    step.is_site = is_site_[node.value()] != 0;
    steps.push_back(step);
  }
}

void ModelSteps::begin(model::NodeId first, std::vector<TraceStep>& steps) const {
  TraceStep step;
  step.kind = TraceStep::Kind::Enter;
  step.callee = model_.origin(first).component.function;
  if (step.callee.valid()) {
    steps.push_back(step);
    visit(first, steps);
  }
}

void ModelSteps::enter(model::NodeId from, model::NodeId entry,
                       std::vector<TraceStep>& steps) const {
  const SlicedModel::Origin caller = model_.origin(from);
  TraceStep step;
  step.kind = TraceStep::Kind::Enter;
  step.callee = model_.origin(entry).component.function;
  if (is_point(caller)) {
    step.function = caller.component.function;
    step.point = caller.point;
  }
  steps.push_back(step);
  visit(entry, steps);
}

void ModelSteps::go(model::NodeId from, model::NodeId to, std::vector<TraceStep>& steps) {
  const SlicedModel::Origin origin = model_.origin(from);
  if (is_point(origin) &&
      !program_.functions[origin.component.function].points[origin.point].targets.empty()) {
    TraceStep step;
    step.kind = TraceStep::Kind::PassOver;
    step.function = origin.component.function;
    step.point = origin.point;
    steps.push_back(step);
  }
  pass_unseen(from, to, steps);
  visit(to, steps);
}

void ModelSteps::come_back(model::NodeId call, model::NodeId exit, model::NodeId to,
                           std::vector<TraceStep>& steps) {
  const SlicedModel::Origin origin = model_.origin(call);
  TraceStep step;
  step.kind = TraceStep::Kind::ComeBack;
  step.callee = model_.origin(exit).component.function;
  if (is_point(origin)) {
    step.function = origin.component.function;
    step.point = origin.point;
  }
  steps.push_back(step);
  pass_unseen(call, to, steps);
  visit(to, steps);
}

void ModelSteps::pass_unseen(model::NodeId from, model::NodeId to, std::vector<TraceStep>& steps) {
  const SlicedModel::Origin origin = model_.origin(from);
  const SlicedModel::Origin next = model_.origin(to);
  if (!is_point(origin) || !is_point(next)) {
    return;
  }
  const FunctionId f = origin.component.function;
  const std::uint32_t component = model_.model.component_of(from).value();
  std::unique_ptr<UnseenWays>& ways = ways_[{component, origin.point, next.point}];
  if (ways == nullptr) {
    const Function& function = program_.functions[f];
    std::unique_ptr<PointFlow>& flow = flows_[f];
    if (flow == nullptr) {
      flow = std::make_unique<PointFlow>(function);
    }
    std::vector<std::uint8_t>& shown = shown_[component];
    if (shown.empty()) {
      shown.assign(function.points.size(), 0);
      for (const std::uint32_t point : model_.points[component]) {
        if (point < shown.size()) {
          shown[point] = 1;
        }
      }
    }
    ways = std::make_unique<UnseenWays>(
        flow->between(origin.point, next.point, is_whole_ ? &shown : nullptr));
  }
  if (ways->is_unknown || !ways->items.empty()) {
    TraceStep step;
    step.kind = TraceStep::Kind::Unseen;
    step.function = f;
    step.point = origin.point;
    step.to = next.point;
    step.ways = ways.get();
    steps.push_back(step);
  }
}

std::vector<TraceStep> ModelSteps::of_path(const model::StackTable& stacks,
                                           std::span<const model::State> path) {
  std::vector<TraceStep> steps;
  std::vector<model::NodeId> last;  // by depth: the node that was visited last
  for (std::size_t i = 0; i < path.size(); ++i) {
    const model::NodeId node = path[i].node;
    const std::uint32_t depth = stacks.depth(path[i].stack);
    if (i == 0) {
      last.assign(depth + 1, node);
      begin(node, steps);
      continue;
    }
    const std::uint32_t before = stacks.depth(path[i - 1].stack);
    if (path[i] == path[i - 1]) {
      continue;  // at the end of the program
    }
    if (depth > before) {
      enter(path[i - 1].node, node, steps);
    } else if (depth < before) {
      come_back(last[depth], path[i - 1].node, node, steps);
    } else {
      go(path[i - 1].node, node, steps);
    }
    last.resize(depth + 1);
    last[depth] = node;
  }
  return steps;
}

}  // namespace nestor::program
