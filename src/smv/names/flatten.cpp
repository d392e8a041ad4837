// Puts a module and all its instances together: declares what each name means
// (declarations.cpp), then collects assignments, constraints and specifications (sections.cpp).

#include "smv/names/scopes.h"

#include <fmt/format.h>

#include <set>

namespace nestor::smv {

namespace {

constexpr std::size_t kMostInstances = 100'000;
constexpr std::size_t kDeepestInstance = 500;

}  // namespace

Flattener::Flattener(const base::Input& input, const FileSyntax& file, std::size_t module,
                     bool recursive)
    : input_(input),
      file_(file),
      module_(module),
      resolver_(input, file, scopes_, (model_.recursive = recursive, model_)) {
  for (const ModuleSyntax& m : file.modules) {
    modules_.emplace(m.name, &m);
  }
}

void Flattener::fail(const std::string& message, Place at, base::Error::Kind kind) const {
  throw base::Error(kind, message, input_.locate(at));
}

void Flattener::run() {
  const ModuleSyntax& outermost = file_.modules[module_];
  model_.module = outermost.name;
  model_.at = outermost.at;
  model_.processes.emplace_back(outermost.name);
  if (!outermost.parameters.empty()) {
    fail(fmt::format("module '{}' is {} and has parameters, expected none", outermost.name,
                     model_.recursive ? "no instance of another one" : "the outermost one"),
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
         at, base::Error::Kind::Unsupported);
  }
  return scopes_.instances.push_back(std::move(instance));
}

}  // namespace nestor::smv
