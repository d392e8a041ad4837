#include "program/refutation.h"

#include <algorithm>
#include <span>

namespace nestor::program {

namespace {

constexpr std::size_t kMostSteps = 4'000;  // of a path that is looked at
constexpr std::size_t kMostFound = 4;      // values that are told

std::vector<solver::BitVectorId> terms_of(const TraceRun& run) {
  std::vector<solver::BitVectorId> terms;
  for (const TraceRun::Condition& condition : run.conditions()) {
    terms.push_back(condition.term);
  }
  return terms;
}

/// Some value is worth to be told.
bool is_told(const TraceRun& run, const TraceRun::Condition& condition, std::uint32_t unknown) {
  return !condition.is_plain && !run.unknowns()[unknown].is_pointer;
}

bool tells_values(const TraceRun& run) {
  return std::any_of(run.conditions().begin(), run.conditions().end(), [&](const auto& condition) {
    return std::any_of(condition.unknowns.begin(), condition.unknowns.end(),
                       [&](std::uint32_t unknown) { return is_told(run, condition, unknown); });
  });
}

std::vector<TraceVerdict::Found> found_values(const TraceRun& run,
                                              solver::BitVectorSolver& solver) {
  std::vector<TraceVerdict::Found> found;
  std::set<std::uint32_t> told;
  for (const TraceRun::Condition& condition : run.conditions()) {
    for (const std::uint32_t number : condition.unknowns) {
      const TraceRun::Unknown& unknown = run.unknowns()[number];
      if (!is_told(run, condition, number) || found.size() == kMostFound ||
          !told.insert(number).second) {
        continue;
      }
      if (const std::optional<std::int64_t> value = solver.value(unknown.term)) {
        found.push_back({unknown.variable, unknown.function, *value});
      }
    }
  }
  return found;
}

/// The steps with these numbers, and between them those that touch the same places, if that is
/// impossible by itself.
std::optional<ImpossibleTrace> impossible_alone(const TraceEffects& effects,
                                                const std::vector<TraceStep>& steps,
                                                std::span<const std::uint32_t> needed,
                                                TraceRun& run, solver::BitVectorSolver& solver) {
  Footprint footprint;
  for (const std::uint32_t i : needed) {
    effects.add(steps[i], footprint);
  }
  std::vector<std::uint8_t> counts(steps.size(), 0);
  std::vector<TraceStep> impossible;
  for (std::uint32_t i = needed.front(); i <= needed.back(); ++i) {
    if (std::binary_search(needed.begin(), needed.end(), i) ||
        effects.disturbs(steps[i], footprint)) {
      counts[i] = 1;
      impossible.push_back(steps[i]);
    }
  }
  run.run(steps, &counts);
  const std::vector<solver::BitVectorId> conditions = terms_of(run);
  if (solver.is_surely_satisfiable(conditions) ||
      solver.check(conditions) != solver::Satisfiability::Unsatisfiable) {
    return std::nullopt;
  }
  return ImpossibleTrace(std::move(impossible), std::move(footprint));
}

/// Where a path goes from a site to the same thing being done to something else, for all that is
/// known, no way from that site to that step shows a fault.
bool add_other_thing(const TraceRun& run, const std::vector<TraceStep>& steps,
                     const TraceQuestion& question, TraceVerdict& verdict) {
  const auto is_call = [](const TraceStep& step) { return step.kind == TraceStep::Kind::Visit; };
  const auto last = std::find_if(steps.rbegin(), steps.rend(), is_call);
  const auto site =
      std::find_if(steps.begin(), steps.end(), [](const TraceStep& step) { return step.is_site; });
  if (site == steps.end() || last == steps.rend()) {
    return false;
  }
  const auto from = static_cast<std::uint32_t>(site - steps.begin());
  const auto to = static_cast<std::uint32_t>(steps.rend() - last - 1);
  if (from >= to || run.meet_same(from, *question.same_argument, to, question.same_is_part)) {
    return false;
  }
  verdict.answer = TraceVerdict::Answer::Impossible;
  verdict.reason.emplace_back(std::vector<TraceStep>{steps[from], steps[to]}, Footprint());
  return true;
}

}  // namespace

TraceVerdict judge(ProgramIndex& index, solver::BitVectorSolver& solver,
                   const TraceEffects& effects, const std::vector<TraceStep>& steps,
                   const TraceQuestion& question) {
  TraceVerdict verdict;
  if (steps.size() > kMostSteps) {
    return verdict;
  }
  TraceRun run(index, effects, solver);
  if (question.sites_fail) {
    run.sites_fail();
  }
  run.run(steps, nullptr);
  if (question.same_argument && add_other_thing(run, steps, question, verdict)) {
    return verdict;
  }
  if (!question.asks_solver || !solver::BitVectorSolver::is_available()) {
    verdict.answer = TraceVerdict::Answer::Possible;
    return verdict;
  }
  const std::vector<solver::BitVectorId> conditions = terms_of(run);
  if (!tells_values(run) && solver.is_surely_satisfiable(conditions)) {
    verdict.answer = TraceVerdict::Answer::Possible;
    return verdict;
  }
  switch (solver.check(conditions)) {
    case solver::Satisfiability::Satisfiable:
      verdict.answer = TraceVerdict::Answer::Possible;
      verdict.found = found_values(run, solver);
      return verdict;
    case solver::Satisfiability::Unknown:
      return verdict;
    case solver::Satisfiability::Unsatisfiable:
      break;
  }
  std::set<std::uint32_t> needed;
  for (const std::size_t i : solver.core()) {
    const TraceRun::Condition& condition = run.conditions()[i];
    needed.insert(condition.support.begin(), condition.support.end());
  }
  // How what they compute began may not matter: the fewer steps at the end do, the more paths go.
  const std::vector<std::uint32_t> all(needed.begin(), needed.end());
  std::size_t least = 0;
  std::size_t most = all.size();
  while (least < most) {
    const std::size_t middle = (least + most) / 2;
    std::optional<ImpossibleTrace> found =
        impossible_alone(effects, steps, std::span(all).subspan(middle), run, solver);
    if (found) {
      verdict.answer = TraceVerdict::Answer::Impossible;
      verdict.reason.clear();
      verdict.reason.push_back(std::move(*found));
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return verdict;
}

}  // namespace nestor::program
