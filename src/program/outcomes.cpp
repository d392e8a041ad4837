#include "program/program.h"

#include <algorithm>

namespace nestor::program {

namespace {

/// Calls `visit` for each point that can come after `point` in the same function, under what is
/// known of the callees.
template <class Visit>
void for_each_next(const Program& program, const Function& function, const Point& point,
                   Visit visit) {
  bool goes_on = point.kind != PointKind::Call || point.repeats;
  for (const FunctionId target : point.targets) {
    const Outcomes& callee = program.functions[target].outcomes;
    goes_on |= callee.returns;
    if (callee.unwinds) {
      visit(unwind_target(point));
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

/// What a walk from the entry finds under what is known of the callees.
Outcomes walk(const Program& program, const Function& function, std::vector<std::uint8_t>& seen,
              std::vector<std::uint32_t>& stack) {
  seen.assign(function.points.size(), 0);
  stack.assign(1, Function::kEntry);
  seen[Function::kEntry] = 1;
  Outcomes found;
  while (!stack.empty()) {
    const Point& point = function.points[stack.back()];
    stack.pop_back();
    found.returns |= point.kind == PointKind::Return;
    found.unwinds |= point.kind == PointKind::Unwind;
    found.longjmps |= point.kind == PointKind::Longjmp;
    found.halts |= point.kind == PointKind::Halt;
    for (const FunctionId target : point.targets) {
      found.halts |= program.functions[target].outcomes.halts;
    }
    for_each_next(program, function, point, [&](std::uint32_t next) {
      if (seen[next] == 0) {
        seen[next] = 1;
        stack.push_back(next);
      }
    });
  }
  return found;
}

/// The points of a function that its entry reaches, and whether they lie on a cycle: those that
/// remain when points without predecessors among them are taken away, again and again.
struct Reached {
  std::vector<std::uint32_t> points;
  bool has_cycle = false;
};

Reached reached(const Program& program, const Function& function) {
  Reached result;
  std::vector<std::uint32_t> ways_in(function.points.size(), 0);
  std::vector<std::uint8_t> seen(function.points.size(), 0);
  result.points.push_back(Function::kEntry);
  seen[Function::kEntry] = 1;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const Point& point = function.points[result.points[i]];
    result.has_cycle |= point.repeats;  // calls back again and again
    for_each_next(program, function, point, [&](std::uint32_t next) {
      if (point.kind == PointKind::Halt) {
        return;
      }
      ++ways_in[next];
      if (seen[next] == 0) {
        seen[next] = 1;
        result.points.push_back(next);
      }
    });
  }
  std::vector<std::uint32_t> work;
  std::size_t taken = 0;
  if (ways_in[Function::kEntry] == 0) {
    work.push_back(Function::kEntry);
  }
  while (!work.empty()) {
    const Point& point = function.points[work.back()];
    work.pop_back();
    ++taken;
    for_each_next(program, function, point, [&](std::uint32_t next) {
      if (point.kind != PointKind::Halt && --ways_in[next] == 0) {
        work.push_back(next);
      }
    });
  }
  result.has_cycle |= taken < result.points.size();
  return result;
}

void find_outcomes(Program& program) {
  base::IdVector<FunctionId, std::vector<FunctionId>> callers(program.functions.size());
  std::vector<FunctionId> work;
  base::IdVector<FunctionId, std::uint8_t> queued(program.functions.size(), 1);
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

}  // namespace

void infer_outcomes(Program& program) {
  find_outcomes(program);
  for (bool changed = true; changed;) {
    changed = false;
    for (const OpenCall& call : program.open_calls) {
      Function& function = program.functions[call.function];
      std::vector<std::uint32_t>& next = function.points[call.choice].next;
      if (function.outcomes == Outcomes{} &&
          std::find(next.begin(), next.end(), call.after) == next.end()) {
        next.push_back(call.after);
        changed = true;
      }
    }
    if (changed) {
      find_outcomes(program);
    }
  }
}

std::vector<std::uint8_t> ends_of(const Program& program, const Function& function) {
  std::vector<std::uint8_t> ends(function.points.size(), 0);
  for (std::uint32_t end = Function::kReturn; end < Function::kFirst; ++end) {
    ends[end] = static_cast<std::uint8_t>(1U << end);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = function.points.size(); p-- > 0;) {
      const Point& point = function.points[p];
      std::uint8_t reached = ends[p];
      for_each_next(program, function, point, [&](std::uint32_t next) { reached |= ends[next]; });
      for (const FunctionId target : point.targets) {
        if (program.functions[target].outcomes.halts) {
          reached |= ends[Function::kHalt];
        }
      }
      changed |= reached != ends[p];
      ends[p] = reached;
    }
  }
  return ends;
}

/// A function surely ends if it has no cycle of its own and all that it calls surely ends; what is
/// left over can call ever deeper, or loop.
void infer_divergence(Program& program) {
  base::IdVector<FunctionId, std::vector<FunctionId>> callers(program.functions.size());
  base::IdVector<FunctionId, std::uint32_t> waiting_for(program.functions.size(), 0);
  std::vector<FunctionId> work;
  for (const FunctionId f : program.functions.ids()) {
    const Reached own = reached(program, program.functions[f]);
    for (const std::uint32_t p : own.points) {
      for (const FunctionId target : program.functions[f].points[p].targets) {
        callers[target].push_back(f);
        ++waiting_for[f];
      }
    }
    program.functions[f].may_diverge = true;
    if (own.has_cycle) {
      ++waiting_for[f];  // for what never comes
    } else if (waiting_for[f] == 0) {
      work.push_back(f);
    }
  }
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    program.functions[f].may_diverge = false;
    for (const FunctionId caller : callers[f]) {
      if (--waiting_for[caller] == 0) {
        work.push_back(caller);
      }
    }
  }
}

}  // namespace nestor::program
