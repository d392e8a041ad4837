#include "api/formula_access.h"
#include "api/model_impl.h"
#include "base/limits.h"
#include "logic/normal_form.h"
#include "probe/evidence.h"
#include "probe/state_components.h"

#include <fmt/format.h>

#include <algorithm>
#include <nestor/state_graph.h>
#include <new>
#include <set>
#include <unordered_map>

namespace nestor {

namespace {

StateGraph::State state_of(const probe::Configuration& state) {
  StateGraph::State out;
  for (const model::BoxId b : state.stack) {
    out.calls.push_back(b.value());
  }
  out.node = state.node.value();
  return out;
}

std::vector<StateGraph::State> states_of(const std::vector<probe::Configuration>& states) {
  std::vector<StateGraph::State> out;
  out.reserve(states.size());
  for (const probe::Configuration& state : states) {
    out.push_back(state_of(state));
  }
  return out;
}

[[noreturn]] void refuse_state() {
  throw Error(Error::Kind::Usage, "this is no state of the model");
}

/// Each call must stand in the procedure that the one before it calls.
probe::Configuration configuration_of(const model::Rsm& model, const StateGraph::State& state) {
  probe::Configuration out;
  model::ComponentId component = model.initial_component();
  for (const std::uint32_t call : state.calls) {
    if (call >= model.box_count() || model.box(model::BoxId(call)).owner != component) {
      refuse_state();
    }
    out.stack.emplace_back(call);
    component = model.box(model::BoxId(call)).callee;
  }
  out.node = model::NodeId(state.node);
  const model::Component& last = model.component(component);
  if (out.node < last.first_node || out.node >= last.plain_end) {
    refuse_state();
  }
  return out;
}

/// Running out is an answer, not an error.
template <class T, class Find>
Answer<T> answered(Find find) {
  try {
    return {find(), {}};
  } catch (const base::LimitReached& limit) {
    return {std::nullopt, limit.reason};
  } catch (const std::bad_alloc&) {
    return {std::nullopt, "out of memory"};
  }
}

}  // namespace

struct StateGraph::Impl {
  Impl(Model about, Settings settings)
      : model(std::move(about)), session(std::move(settings)), oracle(session) {
    session.about(ModelAccess::subject(model));
  }

  const model::Rsm& machine() const { return session.subject().machine(); }
  void refuse_calls() const {
    if (machine().box_count() > 0) {
      throw Error(Error::Kind::Unsupported, "a recursive model may have infinitely many states");
    }
  }
  /// Sees to it that the model knows the formula's atoms. The normal form.
  logic::FormulaId normal_form(const Formula& formula) {
    if (FormulaAccess::root(formula) == nullptr) {
      throw Error(Error::Kind::Unsupported, "only formulas of CTL are asked of single states");
    }
    const auto [place, is_new] =
        known.try_emplace(FormulaAccess::root(formula), logic::FormulaId());
    if (is_new) {
      try {
        const std::size_t q = session.ask(FormulaAccess::into(session.pool(), formula).formula);
        place->second = logic::existential_normal_form(session.pool(), session.formula(q).formula);
      } catch (...) {
        known.erase(place);
        throw;
      }
    }
    return place->second;
  }

  Model model;
  session::Session session;
  probe::Oracle oracle;
  std::unordered_map<std::shared_ptr<const Formula::Node>, logic::FormulaId> known;
};

StateGraph::StateGraph(Model model, Settings settings) {
  if (!model.is_explored()) {
    model.explore(settings);
  }
  impl_ = std::make_unique<Impl>(std::move(model), std::move(settings));
}
StateGraph::StateGraph(StateGraph&&) noexcept = default;
StateGraph& StateGraph::operator=(StateGraph&&) noexcept = default;
StateGraph::~StateGraph() = default;

const Model& StateGraph::model() const {
  return impl_->model;
}

bool StateGraph::is_flat() const {
  return impl_->oracle.is_finite();
}

std::vector<StateGraph::State> StateGraph::initial() const {
  return states_of(probe::initial_configurations(impl_->machine()));
}

std::vector<StateGraph::State> StateGraph::successors(const State& state) const {
  const model::Rsm& machine = impl_->machine();
  return states_of(probe::successors(machine, configuration_of(machine, state)));
}

std::string StateGraph::describe(const State& state) const {
  const model::Rsm& machine = impl_->machine();
  return probe::describe(machine, configuration_of(machine, state));
}

std::vector<std::string> StateGraph::labels(const State& state) const {
  const model::Rsm& machine = impl_->machine();
  std::vector<std::string> names;
  for (const model::PropId p : machine.props_of(configuration_of(machine, state).node)) {
    names.emplace_back(machine.prop_name(p));
  }
  return names;
}

std::optional<std::string> StateGraph::part(const State& state, std::string_view name) const {
  const model::Rsm& machine = impl_->machine();
  return machine.part(configuration_of(machine, state).node, name);
}

std::string StateGraph::step(const State& from, const State& to) const {
  const model::Rsm& machine = impl_->machine();
  const std::optional<model::StepName> step =
      machine.step(configuration_of(machine, from).node, configuration_of(machine, to).node);
  return step ? model::to_text(*step) : std::string();
}

std::string StateGraph::change(const State& from, const State& to) const {
  const model::Rsm& machine = impl_->machine();
  return machine.change(configuration_of(machine, from).node, configuration_of(machine, to).node);
}

std::vector<StateGraph::State> StateGraph::predecessors(const State& state) const {
  impl_->refuse_calls();
  const model::Rsm& machine = impl_->machine();
  const probe::Configuration here = configuration_of(machine, state);
  std::vector<probe::Configuration> found;
  for (const model::NodeId n : machine.predecessors(here.node)) {
    if (found.empty() || found.back().node != n) {
      found.push_back({{}, n});
    }
  }
  // An exit of the outermost procedure stays where it is.
  if (machine.is_exit(here.node) && std::ranges::find(found, here) == found.end()) {
    found.push_back(here);
  }
  return states_of(found);
}

std::vector<StateGraph::State> StateGraph::reachable() const {
  impl_->refuse_calls();
  const model::Rsm& machine = impl_->machine();
  std::vector<probe::Configuration> found = probe::initial_configurations(machine);
  std::set<probe::Configuration> known(found.begin(), found.end());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const probe::Configuration& next : probe::successors(machine, found[i])) {
      if (known.insert(next).second) {
        found.push_back(next);
      }
    }
  }
  return states_of(found);
}

std::vector<StateGraph::StrongComponent> StateGraph::strong_components() const {
  impl_->refuse_calls();
  std::vector<StrongComponent> out;
  for (const probe::StateComponent& c : probe::state_components(impl_->machine())) {
    out.push_back({c.size, state_of({{}, c.first}), c.is_left, c.is_loop});
  }
  return out;
}

Result StateGraph::check(const Formula& formula, const State& state) {
  const logic::FormulaId asked = impl_->normal_form(formula);
  const probe::Configuration here = configuration_of(impl_->machine(), state);
  const Answer<bool> held = answered<bool>([&] { return impl_->oracle.holds(asked, here); });
  Result result;
  if (held.value) {
    result.verdict = *held.value ? Verdict::Holds : Verdict::Fails;
  } else {
    result.reason = held.reason;
  }
  return result;
}

Answer<StateGraph::Path> StateGraph::shortest_path(const State& from, const Formula& goal) {
  const logic::FormulaId asked = impl_->normal_form(goal);
  const probe::Configuration here = configuration_of(impl_->machine(), from);
  return answered<Path>([&] {
    return Path{states_of(
        probe::shortest_path(impl_->machine(), impl_->oracle, logic::FormulaId(), asked, here))};
  });
}

Answer<StateGraph::Path> StateGraph::explain(const Formula& formula, const State& state) {
  const logic::FormulaId asked = impl_->normal_form(formula);
  const probe::Configuration here = configuration_of(impl_->machine(), state);
  return answered<Path>([&] {
    probe::ShownPath shown =
        probe::find_evidence(impl_->machine(), impl_->session.pool(), impl_->oracle, asked, here);
    return Path{states_of(shown.path), std::move(shown.says)};
  });
}

}  // namespace nestor
