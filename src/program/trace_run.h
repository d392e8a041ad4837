#pragma once

#include "program/trace.h"
#include "solver/bit_vector_solver.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nestor::program {

/// Steps of a path, by their numbers.
class StepSet {
 public:
  void insert(std::uint32_t step) {
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), step);
    if (at == steps_.end() || *at != step) {
      steps_.insert(at, step);
    }
  }
  void unite(const StepSet& other) {
    std::vector<std::uint32_t> both;
    std::set_union(steps_.begin(), steps_.end(), other.steps_.begin(), other.steps_.end(),
                   std::back_inserter(both));
    steps_ = std::move(both);
  }
  void clear() { steps_.clear(); }
  auto begin() const { return steps_.begin(); }
  auto end() const { return steps_.end(); }

 private:
  std::vector<std::uint32_t> steps_;  // sorted
};

/// What must be true for the steps of a path to happen one after the other, as terms over what is
/// not known: how it began, what functions outside give, what unseen steps may have changed.
///
/// Nothing is left out that could make the path possible: what a step may change, and how is not
/// known, is a new unknown after it (docs/c-programs.md argues why that is enough).
class TraceRun {
 public:
  TraceRun(ProgramIndex& index, const TraceEffects& effects, solver::BitVectorSolver& solver)
      : index_(index), program_(index.program()), effects_(effects), solver_(solver) {}

  /// A branch that is taken.
  struct Condition {
    solver::BitVectorId term;
    std::uint32_t step = 0;
    StepSet support;        ///< the steps that it was computed by
    bool is_plain = false;  ///< one value and a constant: the branch's text tells all
    std::vector<std::uint32_t> unknowns = {};  ///< that have a name, as numbers in unknowns()
  };
  /// What the path found: an argument, what lay in a variable, what a function outside gave.
  struct Unknown {
    solver::BitVectorId term;
    VariableId variable;           ///< of a parameter, or that was read
    base::StringId function = {};  ///< that gave it, if no variable
    bool is_pointer = false;
  };

  /// Of sites: the call fails.
  void sites_fail() { sites_fail_ = true; }
  /// Runs the steps for which `counts` has 1; all if it is null. Others change nothing.
  void run(const std::vector<TraceStep>& steps, const std::vector<std::uint8_t>* counts);
  const std::vector<Condition>& conditions() const { return conditions_; }
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  /// What the call at a step is given as that argument is what another step is given or follows,
  /// for all that is known: the same number, or the same part of one variable or of what the same
  /// pointer led to. With `is_part` any part will do.
  bool meet_same(std::uint32_t step, unsigned argument, std::uint32_t other, bool is_part) const;

 private:
  static constexpr unsigned kWidest = 64;
  /// Numbers that are wider, or of no known size, are followed as pointers are: not at all.
  static unsigned width_of(std::uint8_t bits) {
    return bits == 0 || bits > kWidest ? kWidest : bits;
  }

  /// Where in memory: a part of a variable of one call of its function, or of what an unknown
  /// pointer leads to.
  struct Place {
    bool is_variable = false;
    std::uint32_t id = 0;     ///< of the variable, or the term of the pointer
    std::uint32_t frame = 0;  ///< of a local
    std::int64_t offset = 0;
    std::uint8_t bits = 0;

    bool has_base_of(const Place& other) const {
      return is_variable == other.is_variable && id == other.id && frame == other.frame;
    }
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Known {
    solver::BitVectorId term;
    std::optional<Place> leads_to = {};  ///< of a pointer, `bits` is of no meaning
    bool is_inside = false;              ///< it leads somewhere there
    StepSet support = {};
    std::uint32_t unknown = UINT32_MAX;  ///< number in unknowns_
  };
  struct Frame {
    FunctionId function;
    std::uint32_t number = 0;
    std::uint32_t last = Function::kEntry;  ///< the point that was visited last
    std::map<ValueId, Known> bound = {};
    std::map<std::int64_t, Known> parameters = {};
    std::optional<Known> result = {};
    std::vector<ValueId> chosen = {};  ///< by the points just before: all at once, or not
  };

  void step(const TraceStep& step, bool counts);
  void enter(const TraceStep& step, bool counts);
  void come_back(const TraceStep& step, bool counts);
  void perform(std::uint32_t p, bool is_site);
  void blur(std::uint32_t p);
  void forget_all();
  void read(std::uint32_t p, const Action& action);
  void write(std::uint32_t p, const Action& action);
  void choose(const Action& action);
  void assume(const Action& action);
  void call_outside(const Point& point, const Action& action, bool is_site);
  void pass_over(const Point& point, const Action* action);
  void note_met(std::uint32_t p);
  void assume_sizes(const Point& point, const Action& action);
  void run_through(FunctionId straight, const Action& call);
  void change_by(const Point& point, bool is_call);
  void change_at(const Known& address, std::uint8_t bits);
  template <typename Goes>
  void forget_places(Goes goes) {
    for (auto at = memory_.begin(); at != memory_.end();) {
      at = goes(at->first) ? memory_.erase(at) : std::next(at);
    }
  }
  bool is_named(const Place& place) const {
    return place.is_variable && effects_.is_exact(VariableId(place.id));
  }

  using Seen = std::map<ValueId, Known>;
  Known evaluate(ValueId value, Seen& seen, int depth);
  Known evaluate(ValueId value) {
    Seen seen;
    return evaluate(value, seen, 0);
  }
  Known combined(const Value& term, Seen& seen, int depth);
  solver::BitVectorId compared(Relation relation, bool is_unsigned, solver::BitVectorId left,
                               solver::BitVectorId right);
  /// The pointer was there before the call, so that it leads to none of its locals.
  bool is_older(const Place& pointee, const Place& variable) const {
    return pointee.id < older_than_.size() && variable.frame >= older_than_[pointee.id];
  }
  Known fresh(unsigned bits);
  Known named(unsigned bits, VariableId variable, base::StringId function = {});
  solver::BitVectorId fitted(const Known& known, unsigned bits);
  Known address_of(VariableId variable);
  void bind(ValueId result, Known known);
  void restrict_to(const ResultClass& one, const ResultClass* other, solver::BitVectorId term);
  solver::BitVectorId is_in(const ResultClass& one, solver::BitVectorId term);
  Frame& frame() { return frames_.back(); }
  const Function& function() const { return program_.functions[frames_.back().function]; }

  ProgramIndex& index_;
  const Program& program_;
  const TraceEffects& effects_;
  solver::BitVectorSolver& solver_;
  bool sites_fail_ = false;
  std::vector<Frame> frames_;
  std::uint32_t frame_count_ = 0;
  std::map<Place, Known> memory_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, solver::BitVectorId> addresses_;
  std::vector<Condition> conditions_;
  std::vector<Unknown> unknowns_;
  std::map<std::uint32_t, std::vector<Known>> met_;  // by step: arguments, or what is followed
  std::vector<std::uint32_t> older_than_;  // by unknown pointer: the call after which it came
  std::uint32_t pointers_ = 0;             // of which only this is known: they have been numbered
  std::uint32_t now_ = 0;                  // the number of the step
};

}  // namespace nestor::program
