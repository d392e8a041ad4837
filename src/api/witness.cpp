#include "api/formula_access.h"
#include "api/session_impl.h"
#include "logic/printer.h"
#include "witness/witness_dot.h"
#include "witness/witness_names.h"
#include "witness/witness_text.h"
#include "witness/witness_writer.h"

#include <algorithm>

namespace nestor {

namespace {

const model::Rsm& machine_of(const Witness::Impl& impl) {
  return impl.session->session.witness_machine(impl.question);
}

std::vector<Witness::Step> path_of(const Witness::Impl& impl, const witness::Evidence& evidence) {
  const model::Rsm& machine = machine_of(impl);
  const witness::Witness& whole = *impl.witness;
  const std::vector<model::PropId> mentioned =
      witness::mentioned_props(machine, impl.session->session.pool(), whole.formula);
  std::vector<model::StateId> states = evidence.path;
  if (states.empty()) {
    states.push_back(evidence.state);
  }
  std::vector<Witness::Step> path;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const model::State& state = whole.states[states[i]];
    Witness::Step step;
    step.procedure = machine.component_name(machine.component_of(state.node));
    step.node = machine.node_name(state.node);
    step.depth = whole.stacks.depth(state.stack);
    for (const model::PropId p : mentioned) {
      if (witness::carries(machine, state.node, p)) {
        step.labels.emplace_back(machine.prop_name(p));
      }
    }
    if (const std::optional<model::NodePosition> position = machine.position(state.node)) {
      step.file = machine.string(position->file);
      step.line = position->line;
    }
    if (i > 0) {
      step.how = witness::kStepNames[static_cast<std::size_t>(evidence.steps[i - 1])];
      const model::NodeId before = whole.states[states[i - 1]].node;
      if (const std::optional<model::StepName> fired = machine.step(before, state.node)) {
        step.transition = fired->transition;
        for (const model::StepName::Value& value : fired->binding) {
          step.binding.push_back({value.variable, value.value});
        }
      }
      step.change = machine.change(before, state.node);
    }
    path.push_back(std::move(step));
  }
  return path;
}

std::vector<std::size_t> numbers(const std::vector<witness::EvidenceId>& ids) {
  std::vector<std::size_t> out;
  for (const witness::EvidenceId id : ids) {
    out.push_back(id.value());
  }
  return out;
}

}  // namespace

bool Witness::holds() const {
  return impl_->witness->holds;
}

const std::string& Witness::engine() const {
  return impl_->witness->engine;
}

std::size_t Witness::size() const {
  return impl_->witness->evidence.size();
}

Witness::Piece Witness::piece(std::size_t number) const {
  if (number >= size()) {
    throw Error(Error::Kind::Usage, "the witness has no such piece");
  }
  const witness::Evidence& evidence = impl_->witness->evidence[witness::EvidenceId(number)];
  Piece piece;
  piece.formula = logic::to_string(impl_->session->session.pool(), evidence.claim.formula);
  piece.holds = evidence.claim.holds;
  piece.kind = witness::kKindNames[static_cast<std::size_t>(evidence.kind)];
  piece.ending = witness::kEndingNames[static_cast<std::size_t>(evidence.ending)];
  piece.path = path_of(*impl_, evidence);
  piece.loop = evidence.loop;
  piece.parts = numbers(evidence.parts);
  piece.along = numbers(evidence.along);
  return piece;
}

std::vector<std::size_t> Witness::roots() const {
  return numbers(impl_->witness->roots);
}

std::vector<Witness::Step> Witness::steps() const {
  const witness::Witness& whole = *impl_->witness;
  std::vector<Step> steps;
  for (witness::EvidenceId at = whole.roots.front(); at.valid();) {
    const witness::Evidence& evidence = whole.evidence[at];
    std::vector<Step> path = path_of(*impl_, evidence);
    // The end of one path is the beginning of what goes on from there.
    steps.insert(steps.end(), path.begin() + (steps.empty() ? 0 : 1), path.end());
    // Parts speak of smaller formulas, so this ends. The one with a path goes on.
    const auto next =
        std::find_if(evidence.parts.begin(), evidence.parts.end(), [&](witness::EvidenceId part) {
          const witness::Evidence& e = whole.evidence[part];
          return e.path.size() > 1 || !e.parts.empty();
        });
    at = next == evidence.parts.end() ? witness::EvidenceId() : *next;
  }
  return steps;
}

std::string Witness::text(bool whole_states) const {
  return witness::witness_text(machine_of(*impl_), impl_->session->session.pool(), *impl_->witness,
                               whole_states);
}

std::string Witness::json() const {
  // Formulas of the model's file may be written in the file's own language, and where only infinite
  // paths count another formula is decided.
  const logic::FormulaPool& pool = impl_->session->session.pool();
  const Formula& formula = impl_->session->formulas[impl_->question];
  const bool is_as_written =
      !FormulaAccess::is_property(formula) &&
      impl_->witness->formula == impl_->session->session.formula(impl_->question).formula;
  return witness::witness_json(
      machine_of(*impl_), pool, *impl_->witness,
      is_as_written ? formula.text() : logic::to_string(pool, impl_->witness->formula));
}

std::string Witness::dot(std::string_view title) const {
  return witness::witness_dot(machine_of(*impl_), *impl_->witness, title);
}

}  // namespace nestor
