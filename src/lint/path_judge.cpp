#include "lint/path_judge.h"

#include "lint/names.h"

#include <fmt/format.h>

namespace nestor::lint {

using Answer = program::TraceVerdict::Answer;

PathJudge::PathJudge(program::ProgramIndex& index, solver::BitVectorSolver& solver,
                     const program::SlicedModel& model, bool is_whole, const std::string& site,
                     const program::TraceQuestion& question)
    : index_(index),
      solver_(solver),
      model_(model),
      steps_(index.program(), model, is_whole, model.model.find_prop(site)),
      effects_(index),
      question_(question) {}

/// From the beginning to the end of each.
std::vector<std::vector<model::State>> PathJudge::paths_of(const witness::Witness& witness) const {
  struct Part {
    witness::EvidenceId evidence;
    std::vector<model::State> before;
  };
  std::vector<std::vector<model::State>> paths;
  std::vector<Part> work;
  if (!witness.roots.empty()) {
    work.push_back({witness.roots.front(), {}});
  }
  while (!work.empty()) {
    Part part = std::move(work.back());
    work.pop_back();
    const witness::Evidence& evidence = witness.evidence[part.evidence];
    for (std::size_t i = 0; i < evidence.path.size(); ++i) {
      model::State state = witness.states[evidence.path[i]];
      if (!originals_.empty()) {
        state.node = originals_[state.node.value()];
      }
      if (i > 0 || part.before.empty()) {
        part.before.push_back(state);
      }
    }
    if (evidence.parts.empty()) {
      paths.push_back(std::move(part.before));
      continue;
    }
    for (const witness::EvidenceId next : evidence.parts) {
      work.push_back({next, part.before});
    }
  }
  return paths;
}

Answer PathJudge::judge(const witness::Witness& witness) {
  values_.clear();
  Answer answer = Answer::Possible;
  std::vector<program::TraceVerdict::Found> found;
  for (const std::vector<model::State>& path : paths_of(witness)) {
    program::TraceVerdict verdict =
        program::judge(index_, solver_, effects_, steps_.of_path(witness.stacks, path), question_);
    if (verdict.answer == Answer::Impossible) {
      impossible_.push_back(std::move(verdict.reason.front()));
      return Answer::Impossible;
    }
    answer = verdict.answer == Answer::Unknown ? Answer::Unknown : answer;
    found = verdict.found.size() > found.size() ? std::move(verdict.found) : found;
  }
  tell(found);
  return answer;
}

void PathJudge::tell(const std::vector<program::TraceVerdict::Found>& found) {
  const program::Program& program = index_.program();
  for (const program::TraceVerdict::Found& one : found) {
    const std::string name =
        one.variable.valid()
            ? std::string(short_name(program.text(program.variables[one.variable].name)))
            : fmt::format("{}()", readable_name(program.text(one.function)));
    values_ += fmt::format("{}{} = {}", values_.empty() ? "" : ", ", name, one.number);
  }
}

std::optional<program::SlicedModel> PathJudge::pruned() {
  std::optional<program::PrunedModel> pruned =
      program::pruned(model_, steps_, impossible_, effects_);
  if (!pruned) {
    return std::nullopt;
  }
  originals_ = std::move(pruned->originals);
  return std::move(pruned->sliced);
}

}  // namespace nestor::lint
