#include "program/program.h"

#include <cassert>

namespace nestor {

namespace {

/// What a walk from the entry finds under what is known of the callees.
Outcomes walk(const Program& program, const Function& function, std::vector<std::uint8_t>& seen,
              std::vector<std::uint32_t>& stack) {
  seen.assign(function.points.size(), 0);
  stack.assign(1, Function::kEntry);
  seen[Function::kEntry] = 1;
  Outcomes found;
  const auto visit = [&](std::uint32_t point) {
    if (seen[point] == 0) {
      seen[point] = 1;
      stack.push_back(point);
    }
  };
  while (!stack.empty()) {
    const Point& point = function.points[stack.back()];
    stack.pop_back();
    found.returns |= point.kind == PointKind::Return;
    found.unwinds |= point.kind == PointKind::Unwind;
    found.longjmps |= point.kind == PointKind::Longjmp;
    found.halts |= point.kind == PointKind::Halt;
    bool goes_on = point.kind != PointKind::Call || point.repeats;
    for (const FunctionId target : point.targets) {
      const Outcomes& callee = program.functions[target].outcomes;
      goes_on |= callee.returns;
      found.halts |= callee.halts;
      if (callee.unwinds && point.unwind != UINT32_MAX) {
        visit(point.unwind);
      }
      if (callee.longjmps) {
        visit(function.longjmp_target);
      }
    }
    if (point.kind == PointKind::Step && point.unwind != UINT32_MAX) {
      visit(point.unwind);
    }
    if (goes_on) {
      for (const std::uint32_t next : point.next) {
        visit(next);
      }
    }
  }
  return found;
}

}  // namespace

void infer_outcomes(Program& program) {
  IdVector<FunctionId, std::vector<FunctionId>> callers(program.functions.size());
  std::vector<FunctionId> work;
  IdVector<FunctionId, std::uint8_t> queued(program.functions.size(), 1);
  for (const FunctionId f : program.functions.ids()) {
    program.functions[f].outcomes = {};
    work.push_back(f);
    for (const Point& point : program.functions[f].points) {
      for (const FunctionId target : point.targets) {
        if (callers[target].empty() || callers[target].back() != f) {
          callers[target].push_back(f);
        }
      }
    }
  }
  std::vector<std::uint8_t> seen;
  std::vector<std::uint32_t> stack;
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    queued[f] = 0;
    const Outcomes found = walk(program, program.functions[f], seen, stack);
    if (found != program.functions[f].outcomes) {
      program.functions[f].outcomes = found;
      for (const FunctionId caller : callers[f]) {
        if (queued[caller] == 0) {
          queued[caller] = 1;
          work.push_back(caller);
        }
      }
    }
  }
}

}  // namespace nestor
