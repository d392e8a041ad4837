#include "smv/writer.h"

#include "base/error.h"
#include "smv/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>

namespace nestor::smv {

namespace smv {

namespace {

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && letter(text.front()) && !is_reserved(text) && text != "EXIT" &&
         text != "self" && std::ranges::all_of(text, [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || c == '$' || c == '#';
         });
}

/// `state = s1` is how a state of a module written here is called when it is read.
std::string_view value_in(std::string_view name) {
  constexpr std::string_view kVariable = "state = ";
  return name.starts_with(kVariable) ? name.substr(kVariable.size()) : name;
}

[[noreturn]] void refuse(const std::string& what) {
  throw base::Error(base::Error::Kind::Unsupported,
                    fmt::format("{}, which SMV cannot express", what));
}

class Writer {
 public:
  explicit Writer(const model::Rsm& model) : model_(model) {
    for (std::size_t p = 0; p < model.prop_count(); ++p) {
      labels_.insert(std::string(model.prop_name(model::PropId(p))));
    }
  }

  std::string write() {
    check_model();
    name_modules();
    const model::ComponentId initial = model_.initial_component();
    write_module(initial, initial_name_, true);
    std::vector<model::ComponentId> called = reachable();
    for (const model::ComponentId c : called) {
      write_module(c, modules_[c], false);
    }
    return fmt::to_string(out_);
  }

 private:
  void check_model() const {
    for (const model::ComponentId c : model_.components()) {
      const std::string name(model_.component_name(c));
      if (c != model_.initial_component() && model_.entries(c).size() > 1) {
        refuse(fmt::format("component '{}' has several entries", name));
      }
      if (model_.exits(c).size() > 1) {
        refuse(fmt::format("component '{}' has several exits", name));
      }
      for (const model::NodeId exit : model_.exits(c)) {
        if (!model_.successors(exit).empty()) {
          refuse(fmt::format("exit '{}' of component '{}' goes on", model_.node_name(exit), name));
        }
      }
    }
    if (model_.box_count() > 0 && model_.initial_nodes().size() > 1) {
      refuse("a model with calls has several initial nodes");
    }
    for (const model::BoxId b : model_.boxes()) {
      const model::Box& box = model_.box(b);
      // The initial component may have several entries, but not if it is called too.
      if (model_.entries(box.callee).size() > 1) {
        refuse(
            fmt::format("component '{}' has several entries", model_.component_name(box.callee)));
      }
      for (const model::NodeId n : box.return_nodes()) {
        for (const model::NodeId next : model_.successors(n)) {
          if (model_.kind(next) == model::NodeKind::Call) {
            refuse(fmt::format("{} leads to a call", model_.describe(n)));
          }
        }
      }
    }
    for (const std::string& label : labels_) {
      if (!is_name(label)) {
        refuse(fmt::format("the proposition '{}' is no name of SMV", label));
      }
    }
  }

  /// The components that are called, from the initial one on.
  std::vector<model::ComponentId> reachable() const {
    std::vector<model::ComponentId> order;
    base::IdVector<model::ComponentId, std::uint8_t> seen(model_.component_count(), 0);
    std::vector<model::ComponentId> open{model_.initial_component()};
    while (!open.empty()) {
      const model::ComponentId c = open.back();
      open.pop_back();
      for (const model::BoxId box : model_.component(c).boxes()) {
        const model::ComponentId callee = model_.box(box).callee;
        if (seen[callee] == 0) {
          seen[callee] = 1;
          order.push_back(callee);
          open.push_back(callee);
        }
      }
    }
    return order;
  }

  std::string unused(std::string_view wanted, std::string_view prefix,
                     std::unordered_set<std::string>& used) const {
    std::string name = is_name(wanted) ? std::string(wanted) : std::string(prefix);
    for (std::size_t i = 1; !used.insert(name).second; ++i) {
      name = fmt::format("{}{}", is_name(wanted) ? wanted : prefix, i);
    }
    return name;
  }

  void name_modules() {
    std::unordered_set<std::string> used;
    const model::ComponentId initial = model_.initial_component();
    // Without calls the file is one of NuSMV, whose outermost module is `main`.
    initial_name_ =
        model_.box_count() == 0 ? "main" : unused(model_.component_name(initial), "module", used);
    used.insert(initial_name_);
    for (const model::ComponentId c : model_.components()) {
      modules_.push_back(unused(model_.component_name(c), "module", used));
    }
  }

  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  /// The exit of a module is the value EXIT. That of the initial one loops on itself instead: in
  /// SMV, what comes after the end of the initial module has no labels.
  void write_module(model::ComponentId c, const std::string& name, bool initial) {
    const model::Component& component = model_.component(c);
    names_.clear();
    std::unordered_set<std::string> used(labels_.begin(), labels_.end());
    used.insert({"state", "EXIT"});
    std::vector<std::string> values;
    for (const model::NodeId n : component.plain_nodes()) {
      const bool exit = model_.is_exit(n) && !initial;
      names_.push_back(exit ? "EXIT" : unused(value_in(model_.node_name(n)), "s", used));
      if (!exit) {
        values.push_back(names_.back());
      }
    }
    for (const model::BoxId box : component.boxes()) {
      names_.push_back(unused(model_.box_name(box), "call", used));
      values.push_back(names_.back());
    }
    if (values.empty()) {
      values.push_back(unused("", "s", used));  // an empty procedure: no value but EXIT
    }
    put("MODULE {}\nVAR\n  state : {{{}}};\n", name, fmt::join(values, ", "));
    write_labels(component, initial);
    write_calls(component);
    write_steps(component, initial);
    put("\n");
  }

  const std::string& name_of(const model::Component& component, model::NodeId n) const {
    if (model_.kind(n) == model::NodeKind::Plain) {
      return names_[n - component.first_node];
    }
    return names_[component.plain_nodes().size() + (model_.box_of(n) - component.first_box)];
  }

  /// Every proposition is defined at least in the initial module, so that formulas can name it.
  void write_labels(const model::Component& component, bool initial) {
    const char* section = "DEFINE\n";
    for (const std::string& label : labels_) {
      std::vector<std::string> with;
      for (const model::NodeId n : model_.nodes_with(model_.find_prop(label))) {
        if (component.plain_nodes().contains(n)) {
          with.push_back(name_of(component, n));
        }
      }
      if (!with.empty()) {
        put("{}  {} := state in {{{}}};\n", section, label, fmt::join(with, ", "));
        section = "";
      } else if (initial) {
        put("{}  {} := FALSE;\n", section, label);
        section = "";
      }
    }
  }

  void write_calls(const model::Component& component) {
    std::vector<std::pair<model::ComponentId, std::vector<std::string>>> calls;
    for (const model::BoxId b : component.boxes()) {
      const model::ComponentId callee = model_.box(b).callee;
      auto place = std::ranges::find(calls, callee, &decltype(calls)::value_type::first);
      if (place == calls.end()) {
        place = calls.insert(calls.end(), {callee, {}});
      }
      place->second.push_back(name_of(component, model_.box(b).first_call));
    }
    const char* section = "CALL\n";
    for (const auto& [callee, states] : calls) {
      put("{}  {} := state in {{{}}};\n", section, modules_[callee], fmt::join(states, ", "));
      section = "";
    }
  }

  std::vector<std::string> targets(const model::Component& component, model::NodeId n) const {
    std::set<std::string> distinct;
    for (const model::NodeId next : model_.successors(n)) {
      distinct.insert(name_of(component, next));
    }
    return {distinct.begin(), distinct.end()};
  }

  void write_steps(const model::Component& component, bool initial) {
    std::vector<std::string> first;
    if (initial) {
      for (const model::NodeId n : model_.initial_nodes()) {
        first.push_back(name_of(component, n));
      }
    } else {
      first.push_back(
          name_of(component, model_.entries(model_.component_of(component.first_node)).front()));
    }
    put("ASSIGN\n  init(state) := {{{}}};\n  next(state) := case\n", fmt::join(first, ", "));
    std::vector<std::string> dead;
    const auto step = [&](const std::string& name, std::vector<std::string> to) {
      if (to.empty()) {
        dead.push_back(name);
      } else {
        put("    state = {} : {{{}}};\n", name, fmt::join(to, ", "));
      }
    };
    for (const model::NodeId n : component.plain_nodes()) {
      const bool exit = model_.is_exit(n);
      if (!exit) {
        step(name_of(component, n), targets(component, n));
      } else if (initial) {
        step(name_of(component, n), {name_of(component, n)});
      }
    }
    for (const model::BoxId b : component.boxes()) {
      const model::Box& box = model_.box(b);
      step(name_of(component, box.first_call), box.return_nodes().empty()
                                                   ? std::vector<std::string>()
                                                   : targets(component, box.first_return));
    }
    put("    TRUE : state;\n  esac;\n");
    if (!dead.empty()) {  // the only way to say that a state has no successor
      put("TRANS !(state in {{{}}});\n", fmt::join(dead, ", "));
    }
  }

  const model::Rsm& model_;
  fmt::memory_buffer out_;
  std::set<std::string> labels_;
  std::string initial_name_;
  base::IdVector<model::ComponentId, std::string> modules_;
  std::vector<std::string> names_;  // of the component at hand: plain nodes, then boxes
};

}  // namespace

}  // namespace smv

std::string write_smv(const model::Rsm& model) {
  return smv::Writer(model).write();
}

}  // namespace nestor::smv
