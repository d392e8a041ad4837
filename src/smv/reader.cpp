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
  if (options.properties != nullptr) {
    const MakeAtom make_atom = [&](ExprId condition, const FlatSpec& spec) {
      const TermId term = states->resolve_condition(condition, spec.instance);
      const std::string name =
          print_expression(file->syntax, states->model().symbols, condition, spec.instance_name);
      states->add_proposition(name, term);
      return options.properties->atom(name);
    };
    for (const FlatSpec& spec : states->model().specs) {
      result.properties.push_back(make_property(*file, spec, *options.properties, make_atom));
    }
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
