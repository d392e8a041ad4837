#include "net/prod_unfold.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace nestor::net {

namespace {

using Tuple = ProdNet::Tuple;

/// Finds tuples and bindings in turn: a tuple that is new may let transitions fire under new
/// bindings, whose outputs may be new. Each new tuple is matched with each input pattern, and the
/// other patterns with every tuple known by then; so no binding is missed.
class Unfolder {
 public:
  Unfolder(const ProdModel& model, std::size_t most, base::LimitGuard& guard)
      : model_(model), net_(model.net()), most_(most), guard_(guard) {
    result_.places.resize(net_.places.size());
    result_.transitions.resize(net_.transitions.size());
    known_.resize(net_.transitions.size());
  }

  UnfoldedNet unfold() {
    for (std::size_t p = 0; p < net_.places.size(); ++p) {
      for (const auto& [tuple, count] : net_.places[p].marking) {
        result_.net.place(place(p, tuple)).tokens = static_cast<std::uint32_t>(count);
      }
    }
    for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
      if (net_.transitions[t].inputs.empty()) {
        complete(t, ProdBinding(net_.transitions[t].variables.size()));
      }
    }
    while (next_ < found_.size()) {
      const Found found = found_[next_++];
      for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
        for (std::size_t i = 0; i < net_.transitions[t].inputs.size(); ++i) {
          guard_.tick();
          if (net_.transitions[t].inputs[i].place == found.place) {
            match(t, i, found);
          }
        }
      }
    }
    return in_order();
  }

 private:
  struct Found {
    std::size_t place = 0;
    Tuple tuple;
  };
  /// A choice of tuples for the patterns before `pattern`.
  struct Choice {
    std::size_t pattern = 0;
    ProdBinding binding;
  };

  /// The unfolded place of a tuple, a new one if it was never seen.
  PlaceId place(std::size_t p, const Tuple& tuple) {
    const auto [entry, is_new] = result_.places[p].try_emplace(tuple);
    if (is_new) {
      if (result_.net.place_count() >= most_) {
        throw base::LimitReached{fmt::format("more than {} different tuples", most_)};
      }
      entry->second = result_.net.add_place(model_.names().text(p, tuple), 0);
      found_.push_back({p, tuple});
    }
    return entry->second;
  }

  static bool is_computed(const ProdNet::Transition& transition, std::size_t variable) {
    return std::ranges::any_of(transition.comp, [&](const ProdNet::Assignment& assignment) {
      return assignment.variable == variable;
    });
  }

  /// Binds what the tuple binds. False if the two do not agree.
  static bool bind(const ProdNet::Transition& transition, const ProdNet::Pattern& pattern,
                   const Tuple& tuple, ProdBinding& binding) {
    if (tuple.size() != pattern.fields.size()) {
      return false;
    }
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const ProdExpression& field = pattern.fields[i];
      if (field.is_variable() && !binding[field.variable()]) {
        if (!is_computed(transition, field.variable())) {
          binding[field.variable()] = tuple[i];
        }
      } else if (is_bound(field, binding)) {
        const auto value = evaluate(field, binding);
        if (value && *value != tuple[i]) {
          return false;
        }
      }
    }
    return true;
  }

  /// Every binding of transition `t` with `found` for input pattern `fixed`.
  void match(std::size_t t, std::size_t fixed, const Found& found) {
    const ProdNet::Transition& transition = net_.transitions[t];
    Choice start{0, ProdBinding(transition.variables.size())};
    if (transition.inputs[fixed].count.is_number() &&
        !bind(transition, transition.inputs[fixed], found.tuple, start.binding)) {
      return;
    }
    std::vector<Choice> open = {start};
    while (!open.empty()) {
      Choice choice = std::move(open.back());
      open.pop_back();
      if (choice.pattern == fixed) {
        ++choice.pattern;
      }
      if (choice.pattern == transition.inputs.size()) {
        complete(t, std::move(choice.binding));
        continue;
      }
      const ProdNet::Pattern& pattern = transition.inputs[choice.pattern];
      if (!pattern.count.is_number()) {  // may be zero: binds nothing
        ++choice.pattern;
        open.push_back(std::move(choice));
        continue;
      }
      for (const auto& [tuple, id] : result_.places[pattern.place]) {
        guard_.tick();
        Choice next{choice.pattern + 1, choice.binding};
        if (bind(transition, pattern, tuple, next.binding)) {
          open.push_back(std::move(next));
        }
      }
    }
  }

  /// Nothing if a field has no value.
  static std::optional<Tuple> tuple_of(const ProdNet::Pattern& pattern,
                                       const ProdBinding& binding) {
    Tuple tuple;
    for (const ProdExpression& field : pattern.fields) {
      const auto value = evaluate(field, binding);
      if (!value) {
        return std::nullopt;
      }
      tuple.push_back(*value);
    }
    return tuple;
  }

  /// Tuples for all inputs are chosen: computes the rest and adds the transition if it may fire.
  void complete(std::size_t t, ProdBinding binding) {
    const ProdNet::Transition& transition = net_.transitions[t];
    for (const ProdNet::Assignment& assignment : transition.comp) {
      binding[assignment.variable] = evaluate(assignment.value, binding);
    }
    for (const ProdNet::Pattern& pattern : transition.inputs) {
      const std::optional<Tuple> tuple = tuple_of(pattern, binding);
      if (tuple && evaluate(pattern.count, binding).value_or(0) > 0 &&
          !result_.places[pattern.place].contains(*tuple)) {
        return;
      }
    }
    if (std::ranges::any_of(transition.gates, [&](const ProdExpression& gate) {
          return evaluate(gate, binding) == 0;
        })) {
      return;
    }
    if (known_[t].insert(binding).second) {
      add(t, binding);
    }
  }

  /// What has no value, or a wrong one, makes the transition a mistake of the net.
  void add(std::size_t t, const ProdBinding& binding) {
    const ProdNet::Transition& transition = net_.transitions[t];
    if (result_.net.transition_count() >= most_) {
      throw base::LimitReached{fmt::format("more than {} bindings of transitions", most_)};
    }
    result_.steps.push_back(model_.names().step_name(t, binding));
    const TransitionId id = result_.net.add_transition(to_text(result_.steps.back()));
    result_.transitions[t].push_back(id);
    bool is_right = std::ranges::all_of(transition.gates, [&](const ProdExpression& gate) {
      return evaluate(gate, binding).has_value();
    });
    for (const ProdNet::Assignment& assignment : transition.comp) {
      is_right = is_right && evaluate(assignment.value, binding).has_value();
    }
    for (const bool input : {true, false}) {
      for (const ProdNet::Pattern& pattern : input ? transition.inputs : transition.outputs) {
        is_right = add_arc(id, pattern, binding, input) && is_right;
      }
    }
    if (!is_right) {
      result_.net.forbid(
          id, fmt::format("transition '{}' has no right effect", result_.net.transition(id).name),
          {});
    }
  }

  /// False if there is something wrong with it.
  bool add_arc(TransitionId id, const ProdNet::Pattern& pattern, const ProdBinding& binding,
               bool input) {
    const std::optional<Tuple> tuple = tuple_of(pattern, binding);
    const auto count = evaluate(pattern.count, binding);
    if (!tuple || !count || *count < 0 || *count > PetriNet::kMostTokens) {
      return false;
    }
    if (*count == 0) {
      return true;
    }
    if (!input && is_outside(net_.places[pattern.place], *tuple)) {
      return false;
    }
    const PlaceId p = place(pattern.place, *tuple);
    const auto weight = static_cast<std::uint32_t>(*count);
    return input ? result_.net.add_input(id, p, weight) : result_.net.add_output(id, p, weight);
  }

  /// The same net with its places in the order of their tuples.
  UnfoldedNet in_order() {
    UnfoldedNet sorted;
    base::IdVector<PlaceId, PlaceId> now(result_.net.place_count());
    for (const auto& tuples : result_.places) {
      auto& places = sorted.places.emplace_back();
      for (const auto& [tuple, old] : tuples) {
        const PetriNet::Place& place = result_.net.place(old);
        now[old] = sorted.net.add_place(place.name, place.tokens);
        places.emplace_hint(places.end(), tuple, now[old]);
      }
    }
    for (const TransitionId t : result_.net.transitions()) {
      const PetriNet::Transition& transition = result_.net.transition(t);
      const TransitionId id = sorted.net.add_transition(transition.name);
      bool fits = true;
      for (const PetriNet::Arc& arc : transition.inputs) {
        fits = sorted.net.add_input(id, now[arc.place], arc.weight) && fits;
      }
      for (const PetriNet::Arc& arc : transition.outputs) {
        fits = sorted.net.add_output(id, now[arc.place], arc.weight) && fits;
      }
      NESTOR_CHECK(fits);
      if (!transition.forbidden.empty()) {
        sorted.net.forbid(id, transition.forbidden, transition.at);
      }
    }
    sorted.transitions = std::move(result_.transitions);
    sorted.steps = std::move(result_.steps);
    return sorted;
  }

  static bool is_outside(const ProdNet::Place& place, const Tuple& tuple) {
    for (std::size_t i = 0; i < place.lo.size(); ++i) {
      if (tuple[i] < place.lo[i] || tuple[i] > place.hi[i]) {
        return true;
      }
    }
    return false;
  }

  const ProdModel& model_;
  const ProdNet& net_;
  std::size_t most_;
  base::LimitGuard& guard_;
  UnfoldedNet result_;
  std::vector<Found> found_;  // every tuple, in the order found
  std::size_t next_ = 0;      // the first that is not matched yet
  std::vector<std::set<ProdBinding>> known_;
};

}  // namespace

UnfoldedNet unfold(const ProdModel& model, std::size_t most, base::LimitGuard& guard) {
  return Unfolder(model, most, guard).unfold();
}

std::shared_ptr<NetStates> unfolded_states(const std::shared_ptr<const ProdModel>& model,
                                           std::size_t most, base::LimitGuard& guard) {
  UnfoldedNet unfolded = unfold(*model, most, guard);
  auto states = std::make_shared<NetStates>(std::move(unfolded.net));
  for (std::size_t t = 0; t < model->net().transitions.size(); ++t) {
    states->name_transitions(model->net().transitions[t].name, std::move(unfolded.transitions[t]));
  }
  states->name_steps_with([steps = std::move(unfolded.steps)](TransitionId t) { return steps[t]; });
  // A tuple that never comes to lie in a place has no place of its own, and no tokens.
  states->find_places_with([model, places = std::move(unfolded.places)](
                               std::string_view text) -> std::optional<std::vector<PlaceId>> {
    const std::optional<ProdNames::Named> named = model->names().find_place(text);
    if (!named) {
      return std::nullopt;
    }
    std::vector<PlaceId> result;
    const auto& tuples = places[named->place];
    if (!named->tuple) {
      for (const auto& [tuple, place] : tuples) {
        result.push_back(place);
      }
    } else if (const auto place = tuples.find(*named->tuple); place != tuples.end()) {
      result.push_back(place->second);
    }
    return result;
  });
  return states;
}

}  // namespace nestor::net
