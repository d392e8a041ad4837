// Recursive Kripke structures, after
//   [000] the thesis of docs/smv.md, sections 2.3 and 5.1.
//
//   thesis                      here
//   sub-structure S             a module, a component
//   location                    a state, a node
//   call c                      a state in which the condition of a CALL holds, a box
//   lin, lout                   the initial state; the state in which every variable is EXIT
//   virtual termination         the node `terminated` behind the exit of the initial component
//
// Deviation: the exit of the initial sub-structure is an ordinary node here with a step to
// `terminated`. The initial component is therefore a copy of the module if the module is called
// too.

#include "smv/states/recursive.h"

#include "model/start_at.h"
#include "smv/states/specification.h"
#include "smv/states/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace nestor::smv {

namespace {

class RecursiveReader {
 public:
  RecursiveReader(std::shared_ptr<File> file, const logic::ReadOptions& options)
      : file_(std::move(file)), options_(options), guard_(options.limits) {}

  logic::ReadModel run() {
    find_structures();
    collect_labels();
    logic::ReadModel result;
    if (options_.properties != nullptr) {
      make_properties(result);
    }
    try {
      for (const std::size_t m : order_) {
        explore_structure(structures_.at(m), conditions_[m], options_.limits, guard_);
      }
    } catch (const base::LimitReached& limit) {
      result.model = limit;
      return result;
    }
    result.starts_as_asked = true;
    for (const std::size_t initial : initial_modules_) {
      std::get<logic::ReadModel::Machines>(result.model).push_back(build(initial));
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& message, Place at) const {
    throw base::Error(base::Error::Kind::Input, message, file_->input.locate(at));
  }

  std::string_view name_of(std::size_t module) const { return file_->syntax.modules[module].name; }

  /// The modules that are no instances of others.
  void find_structures() {
    const std::vector<ModuleSyntax>& modules = file_->syntax.modules;
    std::set<std::string_view> instances;
    for (const ModuleSyntax& module : modules) {
      refuse_parameters(module);
      for (const VariableSyntax& variable : module.variables) {
        const TypeSyntax* type = &variable.type;
        while (type->kind == TypeSyntax::Kind::Array) {
          type = &type->element.front();
        }
        if (type->kind == TypeSyntax::Kind::Instance) {
          instances.insert(type->module);
        }
      }
      for (const ModuleSyntax::Inherited& inherited : module.inherited) {
        instances.insert(inherited.module);
      }
    }
    for (std::size_t m = 0; m < modules.size(); ++m) {
      if (!instances.contains(modules[m].name)) {
        order_.push_back(m);
        module_named_.emplace(modules[m].name, m);
        structures_[m].states = std::make_unique<States>(file_, m, true);
        check_structure(structures_[m].states->model());
      }
    }
    if (order_.empty()) {
      fail("every module is an instance of another one, expected one that is not", modules[0].at);
    }
    for (const std::size_t m : order_) {
      for (const Call& call : structures_[m].states->model().calls) {
        if (!module_named_.contains(call.module)) {
          fail(fmt::format("module '{}' is called and an instance too", call.module), call.at);
        }
      }
    }
    choose_initial_module();
  }

  /// `main`, or the first one, or the one that was asked for.
  void choose_initial_module() {
    const auto main = module_named_.find("main");
    std::size_t initial = main == module_named_.end() ? order_.front() : main->second;
    if (!options_.initial.empty()) {
      start_ = model::find_start_place(
          options_.initial, [&](std::string_view name) { return module_named_.contains(name); });
      if (!start_) {
        model::refuse_start_place(options_.initial, file_->input.name());
      }
      initial = module_named_.at(start_->component);
    }
    initial_modules_.push_back(initial);
  }

  /// A called module gets no values.
  void refuse_parameters(const ModuleSyntax& caller) const {
    for (const DefineSyntax& call : caller.calls) {
      const Expr& name = file_->syntax[call.name];
      for (const ModuleSyntax& module : file_->syntax.modules) {
        if (name.kind == Syntax::Name && module.name == name.text && !module.parameters.empty()) {
          fail(fmt::format("module '{}' is called and has parameters; a call passes no values, "
                           "expected a module without parameters",
                           module.name),
               name.at);
        }
      }
    }
  }

  void check_structure(const FlatModel& model) const {
    if (!model.fairness.empty()) {
      throw base::Error(base::Error::Kind::Unsupported,
                        "fairness is not supported in recursive modules",
                        file_->input.locate(model.fairness.front().at));
    }
    if (!model.refused.empty()) {
      throw base::Error(base::Error::Kind::Unsupported,
                        fmt::format("{} is not supported", model.refused.front().keyword),
                        file_->input.locate(model.refused.front().at));
    }
    if (model.processes.size() > 1) {
      throw base::Error(base::Error::Kind::Unsupported,
                        "processes are not supported in recursive modules",
                        file_->input.locate(model.at));
    }
  }

  /// Labels are shared: the same name in two modules is one proposition.
  void collect_labels() {
    for (const std::size_t m : order_) {
      for (const LabelTerm& label : structures_[m].states->model().labels) {
        if (label.is_define) {
          label_names_.insert(label.name);
        }
      }
    }
  }

  void make_properties(logic::ReadModel& result) {
    for (const std::size_t m : order_) {
      Structure& structure = structures_[m];
      const auto& specs = structure.states->model().specs;
      if (specs.empty()) {
        continue;
      }
      auto place = std::find(initial_modules_.begin(), initial_modules_.end(), m);
      if (place == initial_modules_.end()) {
        place = initial_modules_.insert(initial_modules_.end(), m);
      }
      for (const FlatSpec& spec : specs) {
        logic::ModelProperty property = make_property(
            *file_, spec, *options_.properties,
            [&](ExprId condition, const FlatSpec& of) { return make_atom(m, condition, of); },
            bounds_of(*file_, structure.states->resolver()));
        property.model = static_cast<std::size_t>(place - initial_modules_.begin());
        if (order_.size() > 1) {
          property.formula.text += fmt::format(" IN {}", name_of(m));
        }
        result.properties.push_back(std::move(property));
      }
    }
  }

  /// A label of any module, or a condition on the variables of this one.
  logic::FormulaId make_atom(std::size_t module, ExprId condition, const FlatSpec& spec) {
    States& states = *structures_[module].states;
    const std::string text =
        print_expression(file_->syntax, states.model().symbols, condition, spec.instance_name);
    if (label_names_.contains(text)) {
      return options_.properties->atom(text);
    }
    const TermId term = states.resolve_condition(condition, spec.instance);
    const std::string name = fmt::format("{}: {}", name_of(module), text);
    conditions_[module].emplace(name, term);
    return options_.properties->atom(name);
  }

  model::Rsm build(std::size_t initial) {
    // What can be called from the initial module, it included if it is called again.
    std::vector<std::size_t> called;
    std::set<std::size_t> seen;
    std::vector<std::size_t> open{initial};
    while (!open.empty()) {
      const Structure& structure = structures_.at(open.back());
      open.pop_back();
      for (const Call* call : structure.calls) {
        if (call != nullptr && seen.insert(module_named_.at(call->module)).second) {
          called.push_back(module_named_.at(call->module));
          open.push_back(called.back());
        }
      }
    }
    model::ModelBuilder builder(file_->input.name());
    const std::string name =
        seen.contains(initial) ? name_of_copy(initial) : std::string(name_of(initial));
    add_component(builder, initial, name, true);
    for (const std::size_t m : called) {
      add_component(builder, m, std::string(name_of(m)), false);
    }
    builder.initial_component(name);
    if (initial == initial_modules_.front() && start_ && !start_->node.empty()) {
      if (!std::ranges::count(structures_.at(initial).names, start_->node)) {
        throw base::Error(base::Error::Kind::Input,
                          fmt::format("component '{}' has no node '{}' to start at",
                                      start_->component, start_->node),
                          {file_->input.name()});
      }
      builder.initial_node(start_->node);
    }
    return builder.finish(options_.dead_ends);
  }

  std::string name_of_copy(std::size_t module) const {
    std::string name = fmt::format("{}_initial", name_of(module));
    while (module_named_.contains(name)) {
      name += '_';
    }
    return name;
  }

  void add_component(model::ModelBuilder& builder, std::size_t module, const std::string& name,
                     bool is_initial) {
    const Structure& structure = structures_.at(module);
    const bool terminates = is_initial && structure.exit != base::TreeStateSet::kAbsent;
    std::string terminated = "terminated";
    while (std::find(structure.names.begin(), structure.names.end(), terminated) !=
           structure.names.end()) {
      terminated += '_';
    }
    builder.component(name);
    for (const std::uint32_t i : structure.order) {
      if (structure.calls[i] != nullptr) {
        builder.box(structure.names[i], structure.calls[i]->module);
        continue;
      }
      builder.node({.name = structure.names[i],
                    .is_entry = i == 0,
                    .is_exit = i == structure.exit && !is_initial});
      for (const std::string& label : structure.labels[i]) {
        builder.label(label);
      }
      if (const auto place = structure.conditions.find(i); place != structure.conditions.end()) {
        for (const std::string& name : place->second) {
          builder.label(name);
        }
      }
    }
    if (terminates) {
      builder.node({.name = terminated});
    }
    for (const std::uint32_t i : structure.order) {
      add_transitions(builder, structure, i);
    }
    if (terminates) {
      builder.transition(model::ModelBuilder::Ref::node(structure.names[structure.exit]),
                         model::ModelBuilder::Ref::node(terminated));
      builder.transition(model::ModelBuilder::Ref::node(terminated),
                         model::ModelBuilder::Ref::node(terminated));
    }
  }

  void add_transitions(model::ModelBuilder& builder, const Structure& structure, std::size_t from) {
    using Ref = model::ModelBuilder::Ref;
    Ref source = Ref::node(structure.names[from]);
    if (const Call* call = structure.calls[from]; call != nullptr) {
      const Structure& callee = structures_.at(module_named_.at(call->module));
      if (callee.exit == base::TreeStateSet::kAbsent) {
        return;  // it never comes back
      }
      source = Ref::box_node(structure.names[from], callee.names[callee.exit]);
    }
    for (const model::NodeId to : structure.successors[from]) {
      const Call* call = structure.calls[to.value()];
      if (call == nullptr) {
        builder.transition(source, Ref::node(structure.names[to.value()]));
      } else {
        const Structure& callee = structures_.at(module_named_.at(call->module));
        builder.transition(source,
                           Ref::box_node(structure.names[to.value()], callee.names.front()));
      }
    }
  }

  std::shared_ptr<File> file_;
  const logic::ReadOptions& options_;
  base::LimitGuard guard_;
  std::vector<std::size_t> order_;               // modules, in the order of the file
  std::map<std::size_t, Structure> structures_;  // by module
  std::map<std::string_view, std::size_t> module_named_;
  std::vector<std::size_t> initial_modules_;  // of the models
  std::optional<model::StartPlace> start_;    // of the first one, if it was asked for
  std::set<std::string> label_names_;
  std::map<std::size_t, std::map<std::string, TermId>> conditions_;  // atoms of one module's specs
};

}  // namespace

logic::ReadModel read_recursive(const std::shared_ptr<File>& file,
                                const logic::ReadOptions& options) {
  return RecursiveReader(file, options).run();
}

}  // namespace nestor::smv
