#include "smv/reader.h"

#include "smv/states/recursive.h"
#include "smv/states/specification.h"
#include "smv/states/states.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace smv {

namespace {

bool declares_exit(const TypeSyntax& type, const FileSyntax& file) {
  const TypeSyntax* inner = &type;
  while (inner->kind == TypeSyntax::Kind::Array) {
    inner = &inner->element.front();
  }
  return inner->kind == TypeSyntax::Kind::Enumeration &&
         std::any_of(inner->values.begin(), inner->values.end(), [&](ExprId value) {
           return file[value].kind == Syntax::Name && file[value].text == "EXIT";
         });
}

/// A file with CALL, or with EXIT as something that it does not declare.
bool is_recursive(const FileSyntax& file) {
  bool declared = false;
  for (const ModuleSyntax& module : file.modules) {
    if (!module.calls.empty()) {
      return true;
    }
    for (const VariableSyntax& variable : module.variables) {
      declared |= variable.name == "EXIT" || declares_exit(variable.type, file);
    }
    declared |= std::find(module.constants.begin(), module.constants.end(), "EXIT") !=
                module.constants.end();
    for (const DefineSyntax& define : module.defines) {
      declared |= file[define.name].text == "EXIT";
    }
  }
  return !declared &&
         std::any_of(file.expressions.begin(), file.expressions.end(), [](const Expr& expr) {
           return expr.kind == Syntax::Name && expr.text == "EXIT";
         });
}

/// A model whose constraints are not all understood decides nothing but what heeds none.
void refuse_all(const File& file, const std::vector<RefusedSyntax>& refused,
                std::vector<logic::ModelProperty>& properties) {
  if (refused.empty()) {
    return;
  }
  for (logic::ModelProperty& property : properties) {
    if (property.all_paths) {
      continue;
    }
    property.formula.formula = logic::FormulaId();
    property.unsupported = fmt::format("unsupported: {}, line {}", refused.front().keyword,
                                       file.locate(refused.front().at).line);
  }
}

/// True also if the limits keep it from being found out: exploring will meet them again.
bool has_initial_state(States& states, const base::Limits& limits) {
  try {
    return states.has_initial_state(limits);
  } catch (const base::LimitReached&) {
    return true;
  }
}

/// A model without initial states satisfies everything, as in NuSMV: read as one whose only path
/// ends, so that no state counts.
void satisfy_all(logic::ReadModel& result, const logic::ReadOptions& options) {
  model::ModelBuilder builder("");
  builder.initial_component("main");
  builder.component("main");
  builder.node({.name = "none", .is_entry = true});
  logic::ReadModel::Machines machines;
  machines.push_back(builder.finish());
  result.model = std::move(machines);
  result.is_empty = true;
  for (logic::ModelProperty& property : result.properties) {
    if (property.formula.formula.valid()) {
      property.formula.formula = options.properties->constant(true);
    }
  }
  result.warnings.emplace_back("there is no initial state: every specification holds");
}

logic::ReadModel read_finite(const std::shared_ptr<File>& file, const logic::ReadOptions& options) {
  const std::vector<ModuleSyntax>& modules = file->syntax.modules;
  const auto main = std::find_if(modules.begin(), modules.end(),
                                 [](const ModuleSyntax& m) { return m.name == "main"; });
  if (main == modules.end()) {
    throw base::Error(base::Error::Kind::Input, "there is no module 'main'",
                      {file->input.name(), 0, 0});
  }
  const auto states =
      std::make_shared<States>(file, static_cast<std::size_t>(main - modules.begin()), false);
  logic::ReadModel result;
  result.model = states;
  result.dead_ends = model::DeadEnds::Infinite;  // as NuSMV has it
  if (options.properties != nullptr) {
    const MakeAtom make_atom = [&](ExprId condition, const FlatSpec& spec) {
      const TermId term = may_speak_of_steps(*spec.syntax)
                              ? states->resolve_step_condition(condition, spec.instance)
                              : states->resolve_condition(condition, spec.instance);
      const std::string name =
          print_expression(file->syntax, states->model().symbols, condition, spec.instance_name);
      states->add_proposition(name, term);
      return options.properties->atom(name);
    };
    for (const FlatSpec& spec : states->model().specs) {
      result.properties.push_back(make_property(*file, spec, *options.properties, make_atom,
                                                bounds_of(*file, states->resolver())));
    }
  }
  for (const RefusedSyntax& skipped : file->syntax.skipped) {
    result.warnings.push_back(fmt::format("{} in line {} is skipped: it is no part of the model",
                                          skipped.keyword, file->locate(skipped.at).line));
  }
  refuse_all(*file, states->model().refused, result.properties);
  if (!states->model().refused.empty()) {
    const RefusedSyntax& refused = states->model().refused.front();
    if (options.properties == nullptr) {
      throw base::Error(base::Error::Kind::Unsupported,
                        fmt::format("{} is not supported", refused.keyword),
                        file->input.locate(refused.at));
    }
  }
  if (options.dead_ends == model::DeadEnds::Infinite &&
      !has_initial_state(*states, options.limits)) {
    satisfy_all(result, options);
  }
  return result;
}

}  // namespace

}  // namespace smv

logic::ReadModel read_smv(const base::Input& input, const logic::ReadOptions& options) {
  const auto file = std::make_shared<File>(input);
  return smv::is_recursive(file->syntax) ? read_recursive(file, options)
                                         : smv::read_finite(file, options);
}

}  // namespace nestor::smv
