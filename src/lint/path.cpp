#include "lint/path.h"

#include <fmt/format.h>

namespace nestor::lint {

namespace {

constexpr std::size_t kMostSteps = 10000;

std::string happening(const program::Program& program, const program::Function& function,
                      const program::Point& point) {
  switch (point.kind) {
    case program::PointKind::Entry:
      return fmt::format("'{}' begins", program.text(function.source_name));
    case program::PointKind::Return:
      return fmt::format("'{}' returns", program.text(function.source_name));
    case program::PointKind::Unwind:
      return fmt::format("an exception leaves '{}'", program.text(function.source_name));
    case program::PointKind::Longjmp:
      return fmt::format("longjmp leaves '{}'", program.text(function.source_name));
    case program::PointKind::Halt:
      return "the program ends";
    default:
      break;
  }
  if (point.callee.valid()) {
    return fmt::format("calls '{}'", program.text(point.callee));
  }
  for (const program::Fact& fact : point.facts) {
    const std::string_view name = program.text(program.variables[fact.variable].name);
    switch (fact.kind) {
      case program::FactKind::Def:
        return fmt::format("writes '{}'", name);
      case program::FactKind::Scope:
        return fmt::format("declares '{}'", name);
      case program::FactKind::Null:
        return fmt::format("finds '{}' null or negative", name);
      case program::FactKind::NonNull:
        return fmt::format("finds '{}' neither null nor negative", name);
      case program::FactKind::Use:
        return fmt::format("reads '{}'", name);
      default:
        break;
    }
  }
  return point.repeats ? "the function that was passed is called" : "";
}

}  // namespace

std::vector<PathStep> path_of(const program::Program& program, const program::SlicedModel& model,
                              const witness::Witness& witness) {
  std::vector<PathStep> path;
  model::State last;
  std::vector<witness::EvidenceId> work;
  if (!witness.roots.empty()) {
    work.push_back(witness.roots.front());
  }
  while (!work.empty() && path.size() < kMostSteps) {
    const witness::Evidence& evidence = witness.evidence[work.back()];
    work.pop_back();
    for (std::size_t i = 0; i < evidence.path.size(); ++i) {
      const model::State& state = witness.states[evidence.path[i]];
      const program::SlicedModel::Origin origin = model.origin(state.node);
      if (state == last || !origin.component.function.valid()) {
        continue;
      }
      last = state;
      const program::Function& function = program.functions[origin.component.function];
      if (origin.point >= function.points.size()) {
        continue;  // the point for calls that never come back
      }
      const program::Point& point = function.points[origin.point];
      PathStep step;
      step.message = happening(program, function, point);
      if (step.message.empty()) {
        continue;
      }
      step.file = program.text(point.place.file);
      step.line = point.place.line;
      step.column = point.place.column;
      step.depth = witness.stacks.depth(state.stack);
      step.is_loop_start = evidence.ending == witness::Evidence::Ending::Loop && i == evidence.loop;
      path.push_back(std::move(step));
    }
    work.insert(work.end(), evidence.parts.rbegin(), evidence.parts.rend());
  }
  return path;
}

}  // namespace nestor::lint
