#include "net/prod_unfold.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace nestor::net {

namespace {

using Tuple = ProdNet::Tuple;

constexpr std::size_t kMost = 500'000;  // places, and transitions

/// Finds tuples and bindings in turn: a tuple that is new may let transitions fire under new
/// bindings, whose outputs may be new. Each new tuple is matched with each input pattern, and the
/// other patterns with every tuple known by then; so no binding is missed.
class Unfolder {
 public:
  Unfolder(const ProdNet& net, const base::Input& input) : net_(net), input_(input) {
    result_.places.resize(net.places.size());
    result_.transitions.resize(net.transitions.size());
    known_.resize(net.transitions.size());
  }

  UnfoldedNet unfold() {
    for (std::size_t p = 0; p < net_.places.size(); ++p) {
      for (const auto& [tuple, count] : net_.places[p].marking) {
        result_.net.place(place(p, tuple, net_.places[p].at)).tokens =
            static_cast<std::uint32_t>(count);
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
          if (net_.transitions[t].inputs[i].place == found.place) {
            match(t, i, found);
          }
        }
      }
    }
    return std::move(result_);
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

  [[noreturn]] void fail(std::size_t at, const std::string& message,
                         base::Error::Kind kind = base::Error::Kind::Input) const {
    throw base::Error(kind, message, input_.locate(at));
  }

  /// The unfolded place of a tuple, a new one if it was never seen.
  PlaceId place(std::size_t p, const Tuple& tuple, std::size_t at) {
    const auto [entry, is_new] = result_.places[p].try_emplace(tuple);
    if (is_new) {
      if (result_.net.place_count() >= kMost) {
        fail(at, fmt::format("more than {} different tuples", kMost),
             base::Error::Kind::Unsupported);
      }
      entry->second = result_.net.add_place(net_.places[p].name + to_text(tuple), 0);
      found_.push_back({p, tuple});
    }
    return entry->second;
  }

  /// Binds what the tuple binds. False if the two do not agree.
  static bool bind(const ProdNet::Pattern& pattern, const Tuple& tuple, ProdBinding& binding) {
    if (tuple.size() != pattern.fields.size()) {
      return false;
    }
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const ProdExpression& field = pattern.fields[i];
      if (field.is_variable() && !binding[field.variable()]) {
        binding[field.variable()] = tuple[i];
      } else if (is_bound(field, binding) && evaluate(field, binding) != tuple[i]) {
        return false;
      }
    }
    return true;
  }

  /// Every binding of transition `t` with `found` for input pattern `fixed`.
  void match(std::size_t t, std::size_t fixed, const Found& found) {
    const ProdNet::Transition& transition = net_.transitions[t];
    Choice start{0, ProdBinding(transition.variables.size())};
    if (!bind(transition.inputs[fixed], found.tuple, start.binding)) {
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
      for (const auto& [tuple, id] : result_.places[pattern.place]) {
        Choice next{choice.pattern + 1, choice.binding};
        if (bind(pattern, tuple, next.binding)) {
          open.push_back(std::move(next));
        }
      }
    }
  }

  std::int64_t value(const ProdExpression& expression, const ProdBinding& binding,
                     const ProdNet::Transition& transition) const {
    if (const auto result = evaluate(expression, binding)) {
      return *result;
    }
    for (const ProdExpression::Step& step : expression.steps) {
      if (step.code == ProdExpression::Code::Variable &&
          !binding[static_cast<std::size_t>(step.value)]) {
        fail(expression.at,
             fmt::format("variable '{}' gets no value: no input of '{}' has it as a field alone",
                         transition.variables[static_cast<std::size_t>(step.value)],
                         transition.name));
      }
    }
    fail(expression.at, fmt::format("no value: a division by zero or a number too large, in "
                                    "transition '{}'",
                                    transition.name));
  }

  Tuple tuple_of(const ProdNet::Pattern& pattern, const ProdBinding& binding,
                 const ProdNet::Transition& transition) const {
    Tuple tuple;
    for (const ProdExpression& field : pattern.fields) {
      tuple.push_back(value(field, binding, transition));
    }
    return tuple;
  }

  /// Tuples for all inputs are chosen: computes the rest and adds the transition if it may fire.
  void complete(std::size_t t, ProdBinding binding) {
    const ProdNet::Transition& transition = net_.transitions[t];
    // A field that was no variable alone may have been passed over while it had no value.
    for (const ProdNet::Pattern& pattern : transition.inputs) {
      if (!result_.places[pattern.place].contains(tuple_of(pattern, binding, transition))) {
        return;
      }
    }
    for (const ProdNet::Assignment& assignment : transition.comp) {
      binding[assignment.variable] = value(assignment.value, binding, transition);
    }
    for (const ProdExpression& gate : transition.gates) {
      if (value(gate, binding, transition) == 0) {
        return;
      }
    }
    if (!known_[t].insert(binding).second) {
      return;
    }
    add(t, binding);
  }

  void add(std::size_t t, const ProdBinding& binding) {
    const ProdNet::Transition& transition = net_.transitions[t];
    if (result_.net.transition_count() >= kMost) {
      fail(transition.at, fmt::format("more than {} bindings of transitions", kMost),
           base::Error::Kind::Unsupported);
    }
    Tuple values;
    for (const auto& variable : binding) {
      values.push_back(variable.value_or(0));
    }
    const TransitionId id = result_.net.add_transition(transition.name + to_text(values));
    result_.transitions[t].push_back(id);
    for (const bool input : {true, false}) {
      for (const ProdNet::Pattern& pattern : input ? transition.inputs : transition.outputs) {
        const Tuple tuple = tuple_of(pattern, binding, transition);
        const ProdNet::Place& where = net_.places[pattern.place];
        if (!input && is_outside(where, tuple)) {
          result_.net.forbid(
              id,
              fmt::format("transition '{}' puts {} into place '{}', outside of "
                          "its bounds",
                          result_.net.transition(id).name, to_text(tuple), where.name),
              input_.locate(pattern.at));
          continue;
        }
        const PlaceId p = place(pattern.place, tuple, pattern.at);
        const auto count = static_cast<std::uint32_t>(pattern.count);
        if (!(input ? result_.net.add_input(id, p, count) : result_.net.add_output(id, p, count))) {
          fail(pattern.at, "more tokens than can be counted");
        }
      }
    }
  }

  static bool is_outside(const ProdNet::Place& place, const Tuple& tuple) {
    for (std::size_t i = 0; i < place.lo.size(); ++i) {
      if (tuple[i] < place.lo[i] || tuple[i] > place.hi[i]) {
        return true;
      }
    }
    return false;
  }

  const ProdNet& net_;
  const base::Input& input_;
  UnfoldedNet result_;
  std::vector<Found> found_;  // every tuple, in the order found
  std::size_t next_ = 0;      // the first that is not matched yet
  std::vector<std::set<ProdBinding>> known_;
};

}  // namespace

UnfoldedNet unfold(const ProdNet& net, const base::Input& input) {
  return Unfolder(net, input).unfold();
}

std::string to_text(const ProdNet::Tuple& tuple) {
  return tuple.empty() ? std::string() : fmt::format("<{}>", fmt::join(tuple, ","));
}

}  // namespace nestor::net
