#pragma once

#include "program/trace.h"
#include "program/trace_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nestor::program {

/// Steps that cannot happen one after the other, whatever comes before them, and whatever happens
/// in between that does not disturb what they compute.
class ImpossibleTrace {
 public:
  ImpossibleTrace(std::vector<TraceStep> steps, Footprint footprint)
      : steps_(std::move(steps)), footprint_(std::move(footprint)) {}

  /// How many of the steps have happened, now that `step` does.
  std::uint32_t after(std::uint32_t happened, const TraceStep& step,
                      const TraceEffects& effects) const {
    if (steps_[happened].is_fulfilled_by(step)) {
      return happened + 1;
    }
    if (happened == 0 || !effects.disturbs(step, footprint_)) {
      return happened;
    }
    return steps_.front().is_fulfilled_by(step) ? 1 : 0;
  }
  /// All of them.
  std::uint32_t size() const { return static_cast<std::uint32_t>(steps_.size()); }

 private:
  std::vector<TraceStep> steps_;
  Footprint footprint_;
};

/// Whether a path of a model is one of the program.
struct TraceVerdict {
  enum class Answer : std::uint8_t { Possible, Impossible, Unknown };

  Answer answer = Answer::Unknown;
  std::vector<ImpossibleTrace> reason;  ///< one, if it is impossible
  /// If it is possible: what the program may have found, where the branches' texts do not tell it.
  struct Found {
    VariableId variable;  ///< if it is not valid, `function` gave it
    base::StringId function;
    std::int64_t number = 0;
  };
  std::vector<Found> found;
};

/// What is asked of a path besides that it can be taken.
struct TraceQuestion {
  bool asks_solver = true;
  bool sites_fail = false;  ///< at sites calls fail
  /// The last step of the path is done to what the site is about, which is this argument of both.
  std::optional<unsigned> same_argument = {};
  bool same_is_part = false;  ///< or to a part of it
};

/// Asks a solver, whose effort is limited; without one, only what needs none.
///
/// The refinement by what is impossible is trace abstraction, after
///   [HHP09] M. Heizmann, J. Hoenicke, A. Podelski: Refinement of Trace Abstraction. SAS 2009.
///   [HHP10] the same: Nested Interpolants. POPL 2010.
///
/// Deviation: their automata are made from interpolants, so that each state has an assertion; here
/// a state counts how many steps of the unsatisfiable core have happened, with all steps between
/// them that touch the same places, and any step that may change such a place begins anew. That
/// excludes fewer paths at a time and needs a core only.
TraceVerdict judge(ProgramIndex& index, solver::BitVectorSolver& solver,
                   const TraceEffects& effects, const std::vector<TraceStep>& steps,
                   const TraceQuestion& question);

}  // namespace nestor::program
