#pragma once

#include "program/pruned_model.h"
#include "witness/witness.h"

#include <optional>
#include <string>
#include <vector>

namespace nestor::lint {

/// Tells whether a run of the program can take the paths of a warning, and leaves those out of the
/// model that none can.
class PathJudge {
 public:
  /// `is_whole` as for ModelSteps; `site` is the label of what the warning is about.
  PathJudge(program::ProgramIndex& index, solver::BitVectorSolver& solver,
            const program::SlicedModel& model, bool is_whole, const std::string& site,
            const program::TraceQuestion& question);

  /// Of a witness about the model, or about what pruned() gave last. What shows a fault by two
  /// paths needs both.
  program::TraceVerdict::Answer judge(const witness::Witness& witness);
  /// If they are possible: "x = 1, y = 2"; empty if the steps of the path tell enough.
  const std::string& values() const { return values_; }
  /// The model without what has been found to be impossible; nothing if it becomes too large.
  std::optional<program::SlicedModel> pruned();

 private:
  std::vector<std::vector<model::State>> paths_of(const witness::Witness& witness) const;
  void tell(const std::vector<program::TraceVerdict::Found>& found);

  program::ProgramIndex& index_;
  solver::BitVectorSolver& solver_;
  const program::SlicedModel& model_;
  program::ModelSteps steps_;
  program::TraceEffects effects_;
  program::TraceQuestion question_;
  std::vector<program::ImpossibleTrace> impossible_;
  std::vector<model::NodeId> originals_;  // by node of the pruned model; empty before there is one
  std::string values_;
};

}  // namespace nestor::lint
