// What the names of a module mean: variables and their types, arrays, instances, definitions.

#include "smv/names/scopes.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace {

constexpr std::int64_t kLongestArray = 1 << 16;
constexpr std::size_t kMostVariables = 1 << 20;
constexpr unsigned kWidestWithExit = 61;

}  // namespace

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
         base::Error::Kind::Unsupported);
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
      fail("arrays of instances of modules are not supported", type.at,
           base::Error::Kind::Unsupported);
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
      variable.type = build.word_type(width, type.is_signed, type.at);
      if (model_.recursive && width > kWidestWithExit) {
        fail(fmt::format("a word of {} bits is not supported in a recursive module, expected 1 to "
                         "{}",
                         width, kWidestWithExit),
             type.at, base::Error::Kind::Unsupported);
      }
      if (is_wide(variable.type)) {
        variable.domain = Domain(0, 0);
        return;
      }
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
      if (name.kind == Syntax::Dot && resolver_.is_declared(define.name, id)) {
        // of a name in another instance
        const Meaning m = resolver_.owner(define.name, id);
        target = InstanceId(m.index);
      } else if (name.kind == Syntax::Dot) {  // a name with dots in it
        definition.name = scopes_.dotted_names.emplace_back(resolver_.joined(define.name));
      } else if (name.kind != Syntax::Name) {
        fail("only a name can be defined", name.at);
      }
      scopes_.definitions.push_back(definition);
      add_name(
          target, definition.name,
          {Meaning::Kind::Definition, static_cast<std::uint32_t>(scopes_.definitions.size() - 1)},
          name.at);
    }
    for (const ArrayDefineSyntax& define : part->array_defines) {
      add_name(id, define.name, define_array(id, define, define.value), define.at);
    }
  }
}

/// Recursion over the dimensions, which the parser limits.
Meaning Flattener::define_array(InstanceId id, const ArrayDefineSyntax& define,
                                const ArrayValueSyntax& value) {
  if (value.value.valid()) {
    Definition definition;
    definition.value = value.value;
    definition.scope = id;
    definition.name = define.name;
    definition.at = file_[value.value].at;
    scopes_.definitions.push_back(definition);
    return {Meaning::Kind::Definition, static_cast<std::uint32_t>(scopes_.definitions.size() - 1)};
  }
  Array array;
  for (const ArrayValueSyntax& element : value.elements) {
    array.elements.push_back(define_array(id, define, element));
  }
  scopes_.arrays.push_back(std::move(array));
  return {Meaning::Kind::Array, static_cast<std::uint32_t>(scopes_.arrays.size() - 1)};
}

}  // namespace nestor::smv
