#include "smv/states/structure.h"

#include "model/placement.h"
#include "model/state_store.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace {

using Places = base::CompressedRows<model::PropId, model::NodeId>;

/// One value for each variable; the name alone if there is only one variable.
std::string state_name(const States& states, base::StateView state) {
  const std::vector<std::int64_t> values = states.unpack(state);
  std::string name;
  std::size_t count = 0;
  const FlatModel& model = states.model();
  for (const VariableId v : model.variables.ids()) {
    if (model.variables[v].kind != VariableKind::Input) {
      ++count;
      name += fmt::format("{}{}={}", name.empty() ? "" : ",", model.variables[v].name,
                          model.symbols.print(values[v.value()], model.variables[v].type));
    }
  }
  return count == 1 ? name.substr(name.find('=') + 1) : name;
}

class StructureExplorer {
 public:
  StructureExplorer(Structure& structure, const base::Limits& limits, base::LimitGuard& guard)
      : structure_(structure),
        states_(*structure.states),
        model_(states_.model()),
        limits_(limits),
        guard_(guard),
        store_(states_, [](model::NodeId n) { return std::vector<model::NodeId>{n}; }) {}

  void run(const std::map<std::string, TermId>& conditions) {
    find_states();
    place_labels();
    place_conditions(conditions);
    place_calls();
    check_calls_after_calls();
  }

 private:
  [[noreturn]] void fail(const std::string& message, Place at) const {
    throw base::Error(base::Error::Kind::Input, message, states_.file().locate(at));
  }

  void find_states() {
    const std::vector<model::NodeId> initial = store_.initial(limits_, guard_);
    if (initial.size() > 1) {
      fail(fmt::format("module '{}' has {} initial states, expected one; two are {} and {}",
                       model_.module, initial.size(), states_.describe(store_[initial[0]]),
                       states_.describe(store_[initial[1]])),
           model_.at);
    }
    for (std::size_t i = 0; i < store_.size(); ++i) {
      const model::NodeId n(i);
      structure_.names.push_back(state_name(states_, store_[n]));
      structure_.successors.emplace_back();
      if (states_.is_exit(store_[n])) {
        structure_.exit = n.value();
        continue;
      }
      const std::span<const model::NodeId> next = store_.expand(n, limits_, guard_);
      structure_.successors.back().assign(next.begin(), next.end());
    }
    for (std::uint32_t i = 0; i < store_.size(); ++i) {
      structure_.order.push_back(i);
    }
    std::ranges::sort(structure_.order, [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(store_[model::NodeId(a)],
                                                  store_[model::NodeId(b)]);
    });
  }

  void place_labels() {
    std::vector<const std::string*> names;
    std::vector<std::uint32_t> numbers;
    for (const LabelTerm& label : model_.labels) {
      if (label.is_define) {
        names.push_back(&label.name);
        numbers.push_back(states_.number_of(label.condition));
      }
    }
    structure_.labels.resize(store_.size());
    const Places places = model::place_propositions(store_, numbers, guard_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (const model::NodeId n : places[model::PropId(i)]) {
        structure_.labels[n.value()].push_back(*names[i]);
      }
    }
  }

  void place_conditions(const std::map<std::string, TermId>& conditions) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(conditions.size());
    for (const auto& [name, term] : conditions) {
      numbers.push_back(states_.number_of(term));
    }
    const Places places = model::place_propositions(store_, numbers, guard_);
    model::PropId next(0);
    for (const auto& [name, term] : conditions) {
      for (const model::NodeId n : places[next]) {
        structure_.conditions[n.value()].push_back(name);
      }
      ++next;
    }
  }

  void place_calls() {
    std::vector<std::uint32_t> numbers;
    for (const Call& call : model_.calls) {
      numbers.push_back(states_.number_of(call.condition));
    }
    structure_.calls.resize(store_.size(), nullptr);
    const Places places = model::place_propositions(store_, numbers, guard_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      for (const model::NodeId n : places[model::PropId(i)]) {
        const Call*& place = structure_.calls[n.value()];
        check_call(n.value(), model_.calls[i], place);
        place = &model_.calls[i];
      }
    }
  }

  void check_call(std::size_t state, const Call& call, const Call* other) const {
    const std::string& name = structure_.names[state];
    if (other != nullptr) {
      fail(fmt::format("state '{}' of module '{}' calls '{}' and '{}', expected one call", name,
                       model_.module, other->module, call.module),
           call.at);
    }
    if (state == 0) {
      fail(fmt::format("the initial state '{}' of module '{}' is a call", name, model_.module),
           call.at);
    }
    if (structure_.exit == state) {
      fail(fmt::format("the exit of module '{}' is a call", model_.module), call.at);
    }
    if (!structure_.labels[state].empty()) {
      fail(fmt::format("the call in state '{}' of module '{}' has the label '{}', expected none",
                       name, model_.module, structure_.labels[state].front()),
           call.at);
    }
  }

  void check_calls_after_calls() const {
    for (std::size_t i = 0; i < store_.size(); ++i) {
      for (const model::NodeId n : structure_.successors[i]) {
        if (structure_.calls[i] != nullptr && structure_.calls[n.value()] != nullptr) {
          fail(fmt::format("the call in state '{}' comes directly after the call in state '{}' of "
                           "module '{}'",
                           structure_.names[n.value()], structure_.names[i], model_.module),
               structure_.calls[n.value()]->at);
        }
      }
    }
  }

  Structure& structure_;
  States& states_;
  const FlatModel& model_;
  const base::Limits& limits_;
  base::LimitGuard& guard_;
  model::StateStore store_;
};

}  // namespace

void explore_structure(Structure& structure, const std::map<std::string, TermId>& conditions,
                       const base::Limits& limits, base::LimitGuard& guard) {
  StructureExplorer(structure, limits, guard).run(conditions);
}

}  // namespace nestor::smv
