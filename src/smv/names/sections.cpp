// What the sections of a module say: assignments, constraints, specifications, calls; and the
// labels that formulas can name.

#include "smv/names/scopes.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

void Flattener::collect(InstanceId id) {
  const std::vector<const ModuleSyntax*> parts = scopes_.instances[id].parts;
  for (const ModuleSyntax* part : parts) {
    collect_assignments(id, *part);
    collect_constraints(part->init, id, "INIT", model_.init);
    collect_constraints(part->trans, id, "TRANS", model_.trans);
    collect_constraints(part->invar, id, "INVAR", model_.invar);
    collect_constraints(part->fairness, id, "FAIRNESS", model_.fairness);
    model_.refused.insert(model_.refused.end(), part->refused.begin(), part->refused.end());
    for (const SpecSyntax& spec : part->specs) {
      model_.specs.push_back({&spec, id, scopes_.instances[id].name});
    }
    for (const DefineSyntax& call : part->calls) {
      const Expr& name = file_[call.name];
      if (name.kind != Syntax::Name || find_module(name.text) == nullptr) {
        fail(fmt::format("there is no module '{}' to call", resolver_.quoted(call.name)), name.at);
      }
      if (id.value() != 0) {
        fail(fmt::format("CALL stands in an instance of module '{}', expected it only in a module "
                         "that is no instance",
                         part->name),
             name.at);
      }
      const TermId condition = resolver_.term(call.value, id);
      resolver_.build().expect_condition(condition, "the condition of the call",
                                         file_[call.value].at);
      if (model_.terms[condition].reads_next || model_.terms[condition].reads_input) {
        fail("a call depends on the state, not on 'next', inputs or 'running'",
             file_[call.value].at);
      }
      model_.calls.push_back({name.text, condition, name.at});
    }
  }
}

void Flattener::collect_assignments(InstanceId id, const ModuleSyntax& part) {
  for (const AssignSyntax& assign : part.assigns) {
    const Place at = file_[assign.variable].at;
    const Meaning m = resolver_.target(assign.variable, id);
    if (m.kind != Meaning::Kind::Variable) {
      fail(fmt::format("'{}' is no variable, expected one on the left of ':='",
                       resolver_.quoted(assign.variable)),
           at);
    }
    const Variable& variable = model_.variables[VariableId(m.index)];
    if (variable.kind == VariableKind::Input ||
        (variable.kind == VariableKind::Frozen && assign.kind != AssignSyntax::Kind::Init)) {
      fail(fmt::format(
               "'{}' is {}, which cannot be assigned", variable.name,
               variable.kind == VariableKind::Input ? "an input variable" : "a frozen variable"),
           at);
    }
    TermId value = resolver_.term(assign.value, id);
    if (variable.type == kBoolean) {
      value = resolver_.build().as_boolean(value);
    } else if (variable.type == kNumber) {
      value = resolver_.build().as_number(value);
    }
    const Type type = model_.terms[value].type;
    if (type != variable.type && !(is_plain(type) && is_plain(variable.type)) &&
        type != kExitType) {
      fail(fmt::format("'{}' is a {} and gets a {}", variable.name, to_string(variable.type),
                       to_string(type)),
           file_[assign.value].at);
    }
    if (model_.terms[value].reads_next && assign.kind != AssignSyntax::Kind::Next) {
      fail("'next' can only stand in 'next(…) := …' and TRANS", file_[assign.value].at);
    }
    if (model_.terms[value].reads_input && assign.kind != AssignSyntax::Kind::Next) {
      fail("input variables and 'running' can only stand in 'next(…) := …', TRANS and FAIRNESS",
           file_[assign.value].at);
    }
    model_.assignments.push_back(
        {assign.kind, VariableId(m.index), scopes_.instances[id].process, value, at});
  }
}

void Flattener::collect_constraints(const std::vector<ExprId>& from, InstanceId id,
                                    std::string_view keyword, std::vector<Constraint>& to) {
  for (const ExprId expression : from) {
    const Place at = file_[expression].at;
    const TermId condition = resolver_.build().as_boolean(resolver_.term(expression, id));
    resolver_.build().expect_condition(condition, fmt::format("the condition of {}", keyword), at);
    if (model_.terms[condition].reads_next && keyword != "TRANS") {
      fail(fmt::format("'next' cannot stand in {}", keyword), at);
    }
    if (model_.terms[condition].reads_input && keyword != "TRANS" && keyword != "FAIRNESS") {
      fail(fmt::format("input variables and 'running' cannot stand in {}", keyword), at);
    }
    to.push_back({condition, at});
  }
}

/// The booleans that formulas can name: definitions and variables of every instance.
void Flattener::collect_labels() {
  for (const InstanceId id : scopes_.instances.ids()) {
    std::vector<std::pair<std::string_view, Meaning>> names(scopes_.instances[id].names.begin(),
                                                            scopes_.instances[id].names.end());
    std::sort(names.begin(), names.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [name, meaning] : names) {
      LabelTerm label{full_name(id, name), {}, 0, false};
      if (meaning.kind == Meaning::Kind::Definition &&
          !scopes_.definitions[meaning.index].is_parameter) {
        const Definition& definition = scopes_.definitions[meaning.index];
        label.at = definition.at;
        label.is_define = true;
        label.condition = definition.state[0] == Definition::State::Done
                              ? definition.term[0]
                              : resolver_.define_term(meaning);
      } else if (meaning.kind == Meaning::Kind::Variable) {
        const VariableId v(meaning.index);
        label.at = model_.variables[v].at;
        label.condition =
            resolver_.build().variable(Op::Variable, v, model_.variables[v].type,
                                       model_.variables[v].kind == VariableKind::Input, label.at);
      } else {
        continue;
      }
      const Term& term = model_.terms[label.condition];
      if (term.type == kBoolean && !term.several && !term.reads_next && !term.reads_input) {
        model_.labels.push_back(std::move(label));
      }
    }
  }
}

}  // namespace nestor::smv
