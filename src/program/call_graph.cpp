#include "program/call_graph.h"

namespace nestor::program {

Callers callers_in(const Program& program) {
  Callers callers(program.functions.size());
  for (const FunctionId f : program.functions.ids()) {
    for (const Point& point : program.functions[f].points) {
      for (const FunctionId target : point.targets) {
        callers[target.value()].push_back(f);
      }
    }
  }
  return callers;
}

std::vector<std::uint8_t> functions_reaching(const Callers& callers,
                                             const std::vector<FunctionId>& targets) {
  std::vector<std::uint8_t> reaching(callers.size(), 0);
  std::vector<FunctionId> work = targets;
  for (const FunctionId f : targets) {
    reaching[f.value()] = 1;
  }
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const FunctionId caller : callers[f.value()]) {
      if (reaching[caller.value()] == 0) {
        reaching[caller.value()] = 1;
        work.push_back(caller);
      }
    }
  }
  return reaching;
}

bool calls_itself(const Program& program, FunctionId function) {
  std::vector<std::uint8_t> seen(program.functions.size(), 0);
  std::vector<FunctionId> work = {function};
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const Point& point : program.functions[f].points) {
      for (const FunctionId target : point.targets) {
        if (target == function) {
          return true;
        }
        if (seen[target.value()] == 0) {
          seen[target.value()] = 1;
          work.push_back(target);
        }
      }
    }
  }
  return false;
}

}  // namespace nestor::program
