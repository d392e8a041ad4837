// Puts a module and all its instances together: declares what each name means, then collects
// assignments, constraints and specifications.

#include "format/smv/scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace nestor::smv {

namespace {

constexpr std::size_t kMostInstances = 100'000;
constexpr std::size_t kDeepestInstance = 500;
constexpr std::int64_t kLongestArray = 1 << 16;
constexpr std::size_t kMostVariables = 1 << 20;
constexpr unsigned kWidestWithExit = 61;

}  // namespace

Flattener::Flattener(const Input& input, const FileSyntax& file, std::size_t module, bool recursive)
    : input_(input),
      file_(file),
      module_(module),
      resolver_(input, file, scopes_, (model_.recursive = recursive, model_)) {
  for (const ModuleSyntax& m : file.modules) {
    modules_.emplace(m.name, &m);
  }
}

void Flattener::fail(const std::string& message, Place at, Error::Kind kind) const {
  throw Error(kind, message, input_.locate(at));
}

void Flattener::run() {
  const ModuleSyntax& outermost = file_.modules[module_];
  model_.module = outermost.name;
  model_.at = outermost.at;
  model_.processes.emplace_back(outermost.name);
  if (!outermost.parameters.empty()) {
    fail(fmt::format("module '{}' is the outermost one and has parameters, expected none",
                     outermost.name),
         outermost.at);
  }
  add_instance(outermost, InstanceId(), {}, outermost.at);
  // Instances are appended as they are met; the loop goes on until none is new.
  for (std::size_t i = 0; i < scopes_.instances.size(); ++i) {
    for (const ModuleSyntax* part : scopes_.instances[InstanceId(i)].parts) {
      for (const VariableSyntax& variable : part->variables) {
        declare_constants(variable.type);
      }
      for (const std::string_view constant : part->constants) {
        model_.symbols.intern(constant);
      }
    }
    declare(InstanceId(i));
  }
  for (const InstanceId id : scopes_.instances.ids()) {
    declare_definitions(id);
  }
  for (const InstanceId id : scopes_.instances.ids()) {
    collect(id);
  }
  collect_labels();
}

std::string Flattener::full_name(InstanceId scope, std::string_view name) const {
  const std::string& prefix = scopes_.instances[scope].name;
  return prefix.empty() ? std::string(name) : fmt::format("{}.{}", prefix, name);
}

const ModuleSyntax* Flattener::find_module(std::string_view name) const {
  const auto place = modules_.find(name);
  return place == modules_.end() ? nullptr : place->second;
}

/// The module and, before it, what it inherits by ISA.
std::vector<const ModuleSyntax*> Flattener::with_inherited(const ModuleSyntax& module) const {
  std::vector<const ModuleSyntax*> parts{&module};
  std::set<const ModuleSyntax*> seen{&module};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const ModuleSyntax::Inherited& inherited : parts[i]->inherited) {
      const ModuleSyntax* part = find_module(inherited.module);
      if (part == nullptr) {
        fail(fmt::format("there is no module '{}'", inherited.module), inherited.at);
      }
      if (!seen.insert(part).second) {
        fail(fmt::format("module '{}' is inherited twice", inherited.module), inherited.at);
      }
      parts.push_back(part);
    }
  }
  return parts;
}

InstanceId Flattener::add_instance(const ModuleSyntax& module, InstanceId parent, std::string name,
                                   Place at) {
  for (InstanceId ancestor = parent; ancestor.valid();
       ancestor = scopes_.instances[ancestor].parent) {
    if (scopes_.instances[ancestor].module == &module) {
      fail(fmt::format("module '{}' has an instance of itself", module.name), at);
    }
  }
  Instance instance;
  instance.module = &module;
  instance.parts = with_inherited(module);
  instance.parent = parent;
  instance.name = std::move(name);
  if (parent.valid()) {
    instance.process = scopes_.instances[parent].process;
    instance.depth = scopes_.instances[parent].depth + 1;
  }
  if (scopes_.instances.size() >= kMostInstances || instance.depth > kDeepestInstance) {
    fail(fmt::format("the model has more than {} instances of modules, or instances more than {} "
                     "deep",
                     kMostInstances, kDeepestInstance),
         at, Error::Kind::Unsupported);
  }
  return scopes_.instances.push_back(std::move(instance));
}

void Flattener::declare_constants(const TypeSyntax& type) {
  const TypeSyntax* inner = &type;
  while (inner->kind == TypeSyntax::Kind::Array) {
    inner = &inner->element.front();
  }
  if (inner->kind != TypeSyntax::Kind::Enumeration) {
    return;
  }
  for (const ExprId value : inner->values) {
    if (file_[value].kind == Syntax::Name && !(model_.recursive && file_[value].text == "EXIT")) {
      model_.symbols.intern(file_[value].text);
    }
  }
}

void Flattener::add_name(InstanceId scope, std::string_view name, Meaning meaning, Place at) {
  if (!scopes_.instances[scope].names.emplace(name, meaning).second) {
    fail(fmt::format("'{}' is declared twice in module '{}'", name,
                     scopes_.instances[scope].module->name),
         at);
  }
}

void Flattener::declare(InstanceId id) {
  const std::vector<const ModuleSyntax*> parts = scopes_.instances[id].parts;
  for (const ModuleSyntax* part : parts) {
    if (part != parts.front() && !part->parameters.empty()) {
      fail(fmt::format("module '{}' is inherited and has parameters, expected none", part->name),
           part->at);
    }
    declare_variables(id, *part);
  }
}

void Flattener::declare_variables(InstanceId id, const ModuleSyntax& part) {
  for (const VariableSyntax& variable : part.variables) {
    const Meaning meaning =
        declare_type(id, variable.type, variable.kind, full_name(id, variable.name), variable.at);
    add_name(id, variable.name, meaning, variable.at);
  }
}

Meaning Flattener::declare_type(InstanceId scope, const TypeSyntax& type, VariableKind kind,
                                const std::string& name, Place at) {
  if (type.kind == TypeSyntax::Kind::Instance) {
    if (kind != VariableKind::State) {
      fail("an instance of a module can only stand in VAR", type.at);
    }
    return declare_instance(scope, type, name);
  }
  if (type.kind == TypeSyntax::Kind::Array) {
    return declare_array(scope, type, kind, name, at);
  }
  if (model_.variables.size() >= kMostVariables) {
    fail(fmt::format("the model has more than {} variables", kMostVariables), at,
         Error::Kind::Unsupported);
  }
  Variable variable;
  variable.name = name;
  variable.kind = kind;
  variable.at = at;
  set_type(variable, type, scope);
  return {Meaning::Kind::Variable, model_.variables.push_back(std::move(variable)).value()};
}

Meaning Flattener::declare_array(InstanceId scope, const TypeSyntax& type, VariableKind kind,
                                 const std::string& name, Place at) {
  TermBuilder& build = resolver_.build();
  const std::int64_t low = build.constant_number(resolver_.term(type.low, scope),
                                                 "a constant number as lower bound", type.at);
  const std::int64_t high = build.constant_number(resolver_.term(type.high, scope),
                                                  "a constant number as upper bound", type.at);
  if (high < low || high - low >= kLongestArray) {
    fail(fmt::format("the array has the bounds {}..{}, expected 1 to {} elements", low, high,
                     kLongestArray),
         type.at);
  }
  Array array{low, {}};
  for (std::int64_t i = low; i <= high; ++i) {
    if (type.element.front().kind == TypeSyntax::Kind::Instance) {
      fail("arrays of instances of modules are not supported", type.at, Error::Kind::Unsupported);
    }
    array.elements.push_back(
        declare_type(scope, type.element.front(), kind, fmt::format("{}[{}]", name, i), at));
  }
  scopes_.arrays.push_back(std::move(array));
  return {Meaning::Kind::Array, static_cast<std::uint32_t>(scopes_.arrays.size() - 1)};
}

Meaning Flattener::declare_instance(InstanceId scope, const TypeSyntax& type,
                                    const std::string& name) {
  const ModuleSyntax* module = find_module(type.module);
  if (module == nullptr) {
    fail(fmt::format("there is no module '{}'", type.module), type.at);
  }
  if (module->parameters.size() != type.values.size()) {
    fail(fmt::format("module '{}' gets {} parameter{}, expected {}", module->name,
                     type.values.size(), type.values.size() == 1 ? "" : "s",
                     module->parameters.size()),
         type.at);
  }
  const InstanceId id = add_instance(*module, scope, name, type.at);
  if (type.process) {
    scopes_.instances[id].process = model_.processes.size();
    scopes_.instances[id].is_process = true;
    model_.processes.push_back(name);
  }
  for (std::size_t i = 0; i < type.values.size(); ++i) {
    Definition definition;
    definition.value = type.values[i];
    definition.scope = scope;
    definition.name = module->parameters[i];
    definition.at = file_[type.values[i]].at;
    definition.is_parameter = true;
    scopes_.definitions.push_back(definition);
    add_name(
        id, module->parameters[i],
        {Meaning::Kind::Definition, static_cast<std::uint32_t>(scopes_.definitions.size() - 1)},
        module->at);
  }
  return {Meaning::Kind::Instance, id.value()};
}

void Flattener::set_type(Variable& variable, const TypeSyntax& type, InstanceId scope) {
  TermBuilder& build = resolver_.build();
  switch (type.kind) {
    case TypeSyntax::Kind::Boolean:
      variable.type = kBoolean;
      variable.domain = Domain(0, 2);
      return;
    case TypeSyntax::Kind::Range: {
      const std::int64_t low = build.constant_number(resolver_.term(type.low, scope),
                                                     "a constant number as lower bound", type.at);
      const std::int64_t high = build.constant_number(resolver_.term(type.high, scope),
                                                      "a constant number as upper bound", type.at);
      if (low > high) {
        fail(fmt::format("the range {}..{} is empty", low, high), type.at);
      }
      variable.type = kNumber;
      variable.domain = Domain(low, static_cast<std::uint64_t>(high - low) + 1);
      return;
    }
    case TypeSyntax::Kind::Word: {
      const std::int64_t width = build.constant_number(resolver_.term(type.low, scope),
                                                       "a constant number of bits", type.at);
      if (width < 1 || width > 64) {
        fail(fmt::format("a word of {} bits is not supported, expected 1 to 64", width), type.at,
             Error::Kind::Unsupported);
      }
      if (model_.recursive && width > kWidestWithExit) {
        fail(fmt::format("a word of {} bits is not supported in a recursive module, expected 1 to "
                         "{}",
                         width, kWidestWithExit),
             type.at, Error::Kind::Unsupported);
      }
      variable.type = {Type::Kind::Word, type.is_signed, static_cast<std::uint8_t>(width)};
      const std::uint64_t count = width == 64 ? 0 : std::uint64_t{1} << width;
      variable.domain = Domain(
          type.is_signed
              ? extended(static_cast<std::int64_t>(std::uint64_t{1} << (width - 1)), variable.type)
              : 0,
          count);
      return;
    }
    default:
      break;
  }
  std::vector<std::int64_t> values;
  variable.type = kNumber;
  for (const ExprId element : type.values) {
    const Expr& expr = file_[element];
    std::int64_t value = 0;
    if (expr.kind == Syntax::Name) {
      if (model_.recursive && expr.text == "EXIT") {
        fail("EXIT is a value of every variable, expected no EXIT in the type", expr.at);
      }
      value = model_.symbols.find(expr.text);
      variable.type = kSymbolic;
    } else {
      value = build.constant_number(resolver_.term(element, scope),
                                    "a symbolic constant or a number", expr.at);
    }
    values.push_back(value);
  }
  std::vector<std::int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    fail(fmt::format("'{}' stands twice in the enumeration",
                     model_.symbols.print(*twice, kSymbolic)),
         type.at);
  }
  variable.domain = Domain(std::move(values));
}

void Flattener::declare_definitions(InstanceId id) {
  const std::vector<const ModuleSyntax*> parts = scopes_.instances[id].parts;
  for (const ModuleSyntax* part : parts) {
    for (const DefineSyntax& define : part->defines) {
      const Expr& name = file_[define.name];
      Definition definition;
      definition.value = define.value;
      definition.scope = id;
      definition.name = name.text;
      definition.at = name.at;
      InstanceId target = id;
      if (name.kind == Syntax::Dot) {  // of a name in another instance
        const Meaning m = resolver_.owner(define.name, id);
        target = InstanceId(m.index);
      } else if (name.kind != Syntax::Name) {
        fail("only a name can be defined", name.at);
      }
      scopes_.definitions.push_back(definition);
      add_name(
          target, name.text,
          {Meaning::Kind::Definition, static_cast<std::uint32_t>(scopes_.definitions.size() - 1)},
          name.at);
    }
    for (const ArrayDefineSyntax& define : part->array_defines) {
      Array array;
      for (const ExprId value : define.values) {
        Definition definition;
        definition.value = value;
        definition.scope = id;
        definition.name = define.name;
        definition.at = file_[value].at;
        scopes_.definitions.push_back(definition);
        array.elements.push_back({Meaning::Kind::Definition,
                                  static_cast<std::uint32_t>(scopes_.definitions.size() - 1)});
      }
      scopes_.arrays.push_back(std::move(array));
      add_name(id, define.name,
               {Meaning::Kind::Array, static_cast<std::uint32_t>(scopes_.arrays.size() - 1)},
               define.at);
    }
  }
}

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
    const TermId value = resolver_.term(assign.value, id);
    const Type type = model_.terms[value].type;
    const bool both_plain =
        (type.kind == Type::Kind::Number || type.kind == Type::Kind::Symbolic) &&
        (variable.type.kind == Type::Kind::Number || variable.type.kind == Type::Kind::Symbolic);
    if (type != variable.type && !both_plain && type != kExitType) {
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
    const TermId condition = resolver_.term(expression, id);
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
