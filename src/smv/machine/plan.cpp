#include "smv/machine/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace nestor::smv {

namespace {

/// Splits a & b & c into its parts, without recursion.
std::vector<TermId> conjuncts(const TermPool& terms, TermId t) {
  std::vector<TermId> parts;
  std::vector<TermId> open{t};
  while (!open.empty()) {
    const TermId top = open.back();
    open.pop_back();
    if (terms[top].op == Op::And) {
      const std::span<const TermId> sides = terms.operands(top);
      open.push_back(sides[1]);
      open.push_back(sides[0]);
    } else {
      parts.push_back(top);
    }
  }
  return parts;
}

class Planner {
 public:
  Planner(const base::Input& input, const FlatModel& model, Compiler& compiler,
          std::int64_t process)
      : input_(input),
        model_(model),
        compiler_(compiler),
        process_(process),
        sources_(model.variables.size()) {}

  Plan make() {
    find_sources();
    find_conditions();
    Plan plan;
    plan.process = process_;
    if (process_ >= 0) {
      for (const Constraint& fairness : model_.fairness) {
        plan.fairness.push_back(compiler_.value(fairness.condition, now()));
      }
      choose_inputs(plan);
    }
    order(plan);
    return plan;
  }

 private:
  struct Source {
    PlanStep::Kind kind = PlanStep::Kind::Any;
    TermId value;
    Reading reading;
    Place at = 0;
    bool placed = false;
  };
  struct Condition {
    TermId term;
    Reading reading;
    Place at = 0;
    std::vector<VariableId> needs;
    bool placed = false;
  };

  bool initial() const { return process_ < 0; }
  Reading now() const { return {false, process_}; }
  Reading in_new_state() const { return {true, process_}; }

  [[noreturn]] void fail(const std::string& message, Place at) const {
    throw base::Error(base::Error::Kind::Input, message, input_.locate(at));
  }

  void find_sources() {
    using Kind = AssignSyntax::Kind;
    for (const VariableId v : model_.variables.ids()) {
      const Variable& variable = model_.variables[v];
      if (!initial() && variable.kind == VariableKind::Frozen) {
        sources_[v].kind = PlanStep::Kind::Keep;
      }
    }
    for (const Assignment& assignment : model_.assignments) {
      Source& source = sources_[assignment.variable];
      if (assignment.kind == Kind::Always ||
          assignment.kind == (initial() ? Kind::Init : Kind::Next)) {
        const bool mine = initial() || assignment.kind == Kind::Always ||
                          static_cast<std::int64_t>(assignment.process) == process_;
        if (!mine) {  // another process assigns it: it keeps its value while this one runs
          if (source.kind == PlanStep::Kind::Any) {
            source.kind = PlanStep::Kind::Keep;
          }
          continue;
        }
        if (source.kind == PlanStep::Kind::Assign) {
          fail(fmt::format("'{}' is assigned twice", model_.variables[assignment.variable].name),
               assignment.at);
        }
        const bool from_new = initial() || assignment.kind == Kind::Always;
        source = {PlanStep::Kind::Assign, assignment.value, from_new ? in_new_state() : now(),
                  assignment.at};
      }
    }
  }

  void find_conditions() {
    const auto add = [&](const std::vector<Constraint>& constraints, Reading reading) {
      for (const Constraint& constraint : constraints) {
        for (const TermId part : conjuncts(model_.terms, constraint.condition)) {
          if (!defines(part, reading, constraint.at)) {
            conditions_.push_back({part, reading, constraint.at, needs(part, reading), false});
          }
        }
      }
    };
    if (initial()) {
      add(model_.init, in_new_state());
    } else {
      add(model_.trans, now());
    }
    add(model_.invar, in_new_state());
  }

  /// The variables of the new state that a term reads.
  std::vector<VariableId> needs(TermId t, Reading reading) const {
    std::vector<VariableId> found;
    std::unordered_set<std::uint32_t> seen{t.value()};
    std::vector<TermId> open{t};
    while (!open.empty()) {
      const TermId top = open.back();
      open.pop_back();
      const Term& term = model_.terms[top];
      if (term.op == Op::Next || (term.op == Op::Variable && reading.variables_are_next)) {
        found.emplace_back(static_cast<std::size_t>(term.value));
      }
      for (const TermId operand : model_.terms.operands(top)) {
        if (seen.insert(operand.value()).second) {
          open.push_back(operand);
        }
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// `next(x) = e` among the constraints gives x its value, if nothing else does: much faster than
  /// trying all of its values.
  bool defines(TermId part, Reading reading, Place at) {
    if (model_.terms[part].op != Op::Equal) {
      return false;
    }
    const std::span<const TermId> sides = model_.terms.operands(part);
    for (const std::size_t i : {0U, 1U}) {
      const Term& left = model_.terms[sides[i]];
      const bool is_new =
          left.op == Op::Next || (left.op == Op::Variable && reading.variables_are_next);
      if (!is_new) {
        continue;
      }
      const VariableId v(static_cast<std::size_t>(left.value));
      Source& source = sources_[v];
      const TermId value = sides[1 - i];
      // Only from the current state, so that definitions cannot wait for each other in a circle.
      if (source.kind == PlanStep::Kind::Any && needs(value, reading).empty()) {
        source = {PlanStep::Kind::Define, value, reading, at};
        return true;
      }
    }
    return false;
  }

  void choose_inputs(Plan& plan) {
    for (const VariableId v : model_.variables.ids()) {
      if (model_.variables[v].kind == VariableKind::Input) {
        plan.steps.push_back({PlanStep::Kind::Any, false, true, v, 0, model_.variables[v].at});
        sources_[v].placed = true;
      }
    }
    if (!model_.fairness.empty()) {
      plan.steps.push_back({PlanStep::Kind::Marks, false, false, {}, 0, 0});
    }
  }

  void order(Plan& plan) {
    // Conditions that read the current state only come first; then variables as they become ready,
    // those that can have any value last.
    place_conditions(plan);
    std::vector<std::vector<VariableId>> waits(model_.variables.size());
    std::vector<VariableId> assigned;
    std::vector<VariableId> free;
    for (const VariableId v : model_.variables.ids()) {
      const Source& source = sources_[v];
      if (model_.variables[v].kind == VariableKind::Input) {
        continue;
      }
      if (source.kind == PlanStep::Kind::Any) {
        free.push_back(v);
      } else {
        assigned.push_back(v);
        if (source.value.valid()) {
          waits[v.value()] = needs(source.value, source.reading);
        }
      }
    }
    place_assigned(plan, assigned, waits);
    for (const VariableId v : free) {
      place(plan, v, true);
      place_assigned(plan, assigned, waits);
    }
    for (const VariableId v : assigned) {
      if (!sources_[v].placed) {
        fail(fmt::format("the value of '{}' depends on itself", model_.variables[v].name),
             sources_[v].at);
      }
    }
  }

  void place_assigned(Plan& plan, const std::vector<VariableId>& assigned,
                      const std::vector<std::vector<VariableId>>& waits) {
    for (bool progress = true; progress;) {
      progress = false;
      for (const VariableId v : assigned) {
        const std::vector<VariableId>& needed = waits[v.value()];
        if (!sources_[v].placed && std::all_of(needed.begin(), needed.end(),
                                               [&](VariableId n) { return sources_[n].placed; })) {
          place(plan, v, needed.empty());
          progress = true;
        }
      }
    }
  }

  void place(Plan& plan, VariableId v, bool fixed) {
    Source& source = sources_[v];
    source.placed = true;
    PlanStep step{source.kind, fixed, false,
                  v,           0,     source.value.valid() ? source.at : model_.variables[v].at};
    if (source.value.valid()) {
      step.entry = compiler_.values(source.value, source.reading);
    }
    plan.steps.push_back(step);
    place_conditions(plan);
  }

  void place_conditions(Plan& plan) {
    for (Condition& condition : conditions_) {
      if (!condition.placed && std::all_of(condition.needs.begin(), condition.needs.end(),
                                           [&](VariableId v) { return sources_[v].placed; })) {
        condition.placed = true;
        plan.steps.push_back({PlanStep::Kind::Check,
                              false,
                              false,
                              {},
                              compiler_.value(condition.term, condition.reading),
                              condition.at});
      }
    }
  }

  const base::Input& input_;
  const FlatModel& model_;
  Compiler& compiler_;
  std::int64_t process_;
  base::IdVector<VariableId, Source> sources_;
  std::vector<Condition> conditions_;
};

/// Rules that hold for all processes together.
void check_assignments(const base::Input& input, const FlatModel& model) {
  using Kind = AssignSyntax::Kind;
  base::IdVector<VariableId, std::uint8_t> kinds(model.variables.size(), 0);
  for (const Assignment& assignment : model.assignments) {
    std::uint8_t& seen = kinds[assignment.variable];
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(assignment.kind));
    const auto always = static_cast<std::uint8_t>(1U << static_cast<unsigned>(Kind::Always));
    const bool twice = (seen & bit) != 0 && assignment.kind != Kind::Next;
    const bool mixed = (bit == always && seen != 0) || (bit != always && (seen & always) != 0);
    if (twice || mixed) {
      throw base::Error(
          base::Error::Kind::Input,
          fmt::format("'{}' is assigned twice", model.variables[assignment.variable].name),
          input.locate(assignment.at));
    }
    seen |= bit;
  }
}

}  // namespace

Plan plan_initial(const base::Input& input, const FlatModel& model, Compiler& compiler) {
  check_assignments(input, model);
  return Planner(input, model, compiler, -1).make();
}

Plan plan_step(const base::Input& input, const FlatModel& model, Compiler& compiler,
               std::size_t process) {
  return Planner(input, model, compiler, static_cast<std::int64_t>(process)).make();
}

}  // namespace nestor::smv
