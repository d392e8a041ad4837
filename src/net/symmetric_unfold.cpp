// Variables get only values that tokens may bring there (ColourFlow), and guards are evaluated as
// soon as their variables have values, so that most bindings that cannot fire are never made; those
// that need a token which can never be there are dropped at the end.

#include "net/colour_flow.h"
#include "net/symmetric_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace nestor::net {

namespace {

constexpr std::size_t kMostBindings = 20'000'000;  // that are looked at
constexpr std::size_t kMostBindingArcs = 3'000'000;
constexpr std::uint32_t kAnyValue = ~std::uint32_t{0};

constexpr const char* kTooLarge = "the unfolded net is too large";

[[noreturn]] void too_large(const std::string& what) {
  throw base::LimitReached{fmt::format("{}: more than {}", kTooLarge, what)};
}

class SymmetricUnfolder {
 public:
  /// `flow`: null: every colour and every binding counts. `merges`: colours that make no difference
  /// are one.
  SymmetricUnfolder(const SymmetricNet& net, const base::Limits& limits, const ColourFlow* flow,
                    bool merges)
      : net_(net), guard_(limits), flow_(flow), merges_(merges) {}

  std::shared_ptr<NetStates> unfold() {
    number_places();
    for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
      bind(t);
    }
    return build();
  }

 private:
  struct Arc {
    std::uint32_t place = 0;
    std::uint32_t weight = 0;
  };
  struct Instance {
    std::size_t transition = 0;
    std::vector<Arc> inputs;
    std::vector<Arc> outputs;
    std::size_t first_value = 0;  // in values_
  };
  /// What the transitions of the unfolded net are: for steps that are shown.
  struct Origins {
    struct Step {
      std::size_t transition = 0;
      std::size_t first_value = 0;
    };
    std::vector<std::string> ids;                       // by transition
    std::vector<std::vector<std::uint32_t>> variables;  // by transition: those in it, in order
    std::vector<std::string> names;                     // of the variables
    std::vector<std::vector<std::string>> colours;      // by variable
    std::vector<std::uint32_t> values;
    std::vector<Step> steps;  // by transition of the unfolded net
  };

  void number_places() {
    for (std::size_t p = 0; p < net_.places.size(); ++p) {
      first_.push_back(colours_);
      std::size_t count = 1;
      for (const std::size_t size : sizes(p)) {
        count *= size;
        if (count > kMostColours) {
          too_large(fmt::format("{} places", kMostColours));
        }
      }
      colours_ += count;
      if (colours_ > kMostColours) {
        too_large(fmt::format("{} places", kMostColours));
      }
    }
  }

  bool is_merged(std::size_t place, std::size_t part) const {
    return merges_ && !flow_->matters(place, part);
  }

  /// By part of a place's colours: how many values are told apart.
  std::vector<std::size_t> sizes(std::size_t place) const {
    std::vector<std::size_t> sizes;
    for (const Sort* part : net_.places[place].sort->simple()) {
      sizes.push_back(is_merged(place, sizes.size()) ? 1 : part->names.size());
    }
    return sizes;
  }

  std::uint32_t number(std::size_t place, const Colour& colour) const {
    std::size_t number = 0;
    std::size_t i = 0;
    for (const std::size_t size : sizes(place)) {
      number = number * size + (size == 1 ? 0 : colour[i]);
      ++i;
    }
    return static_cast<std::uint32_t>(first_[place] + number);
  }

  std::string colour_text(std::size_t place, std::size_t number) const {
    std::string text;
    const std::vector<const Sort*> parts = net_.places[place].sort->simple();
    for (std::size_t i = parts.size(); i-- > 0;) {
      const std::size_t size = parts[i]->names.size();
      if (is_merged(place, i) && size > 1) {
        text = (text.empty() ? "*" : "*,") + text;
      } else {
        text = parts[i]->names[number % size] + (text.empty() ? "" : ",") + text;
        number /= size;
      }
    }
    return text == "dot" ? "" : fmt::format("<{}>", text);
  }

  /// All bindings of the variables that occur, one variable after the other.
  void bind(std::size_t t) {
    const SymmetricNet::Transition& transition = net_.transitions[t];
    std::set<std::uint32_t> used;
    std::vector<std::set<std::uint32_t>> needs;
    for (const ColourTerm& guard : transition.guards) {
      variables_in(guard, needs.emplace_back());
      used.insert(needs.back().begin(), needs.back().end());
    }
    for (const auto* arcs : {&transition.inputs, &transition.outputs}) {
      for (const SymmetricNet::Arc& arc : *arcs) {
        variables_in(arc.term, used);
      }
    }
    origins_.variables.emplace_back(used.begin(), used.end());
    // Variables that guards speak of first.
    std::vector<std::uint32_t> order(used.begin(), used.end());
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t v) {
      return std::ranges::count_if(needs, [v](const auto& need) { return need.contains(v); });
    });
    std::vector<std::vector<const ColourTerm*>> ready(order.size() + 1);
    for (std::size_t g = 0; g < needs.size(); ++g) {
      std::size_t last = 0;
      for (std::size_t i = 0; i < order.size(); ++i) {
        last = needs[g].contains(order[i]) ? i + 1 : last;
      }
      ready[last].push_back(&transition.guards[g]);
    }
    Binding binding(net_.variables.size(), 0);
    std::vector<std::uint32_t> next(order.size() + 1, 0);
    std::size_t level = 0;
    const auto is_open = [&](std::size_t at) {
      return std::ranges::all_of(ready[at],
                                 [&](const ColourTerm* g) { return holds(*g, binding); });
    };
    if (!is_open(0)) {
      return;
    }
    if (order.empty()) {
      add_instance(t, binding);
      return;
    }
    while (true) {
      if (next[level] == net_.variables[order[level]].sort->names.size()) {
        if (level == 0) {
          return;
        }
        next[level] = 0;
        --level;
        continue;
      }
      guard_.tick();
      if (++bindings_ > kMostBindings) {
        too_large(fmt::format("{} bindings", kMostBindings));
      }
      const std::uint32_t variable = order[level];
      binding[variable] = next[level]++;
      if (flow_ != nullptr && !flow_->values(t, variable)[binding[variable]]) {
        continue;
      }
      if (merges_ && !flow_->matters_to(t, variable)) {  // one value is as good as another
        next[level] = static_cast<std::uint32_t>(net_.variables[variable].sort->names.size());
      }
      if (!is_open(level + 1)) {
        continue;
      }
      if (level + 1 == order.size()) {
        add_instance(t, binding);
      } else {
        ++level;
        next[level] = 0;
      }
    }
  }

  void add_instance(std::size_t t, const Binding& binding) {
    Instance instance;
    instance.transition = t;
    instance.first_value = origins_.values.size();
    for (const std::uint32_t variable : origins_.variables[t]) {
      const bool is_any = merges_ && !flow_->matters_to(t, variable);
      origins_.values.push_back(is_any ? kAnyValue : binding[variable]);
    }
    guard_.tick(4);
    const SymmetricNet::Transition& transition = net_.transitions[t];
    for (const bool input : {true, false}) {
      std::vector<Arc>& arcs = input ? instance.inputs : instance.outputs;
      for (const SymmetricNet::Arc& arc : input ? transition.inputs : transition.outputs) {
        for (const auto& [colour, count] : bag(arc.term, binding)) {
          if (count < 0 || colour.size() != net_.places[arc.place].sort->simple().size() ||
              count > PetriNet::kMostTokens) {
            throw base::Error(base::Error::Kind::Unsupported,
                              fmt::format("an arc of transition '{}' takes or gives tokens that "
                                          "are not of the place's type",
                                          transition.id));
          }
          if (count > 0) {
            arcs.push_back({number(arc.place, colour), static_cast<std::uint32_t>(count)});
          }
        }
      }
    }
    arcs_ += instance.inputs.size() + instance.outputs.size();
    if (arcs_ > kMostBindingArcs) {
      too_large(fmt::format("{} arcs", kMostBindingArcs));
    }
    instances_.push_back(std::move(instance));
  }

  /// The instances that can get all tokens they take, if tokens are never used up.
  std::vector<bool> possible(const std::vector<std::uint32_t>& tokens) const {
    std::vector<std::vector<std::uint32_t>> takers(colours_);
    std::vector<std::size_t> missing;
    std::vector<std::uint32_t> fires;
    for (std::uint32_t i = 0; i < instances_.size(); ++i) {
      missing.push_back(instances_[i].inputs.size());
      for (const Arc& arc : instances_[i].inputs) {
        takers[arc.place].push_back(i);
      }
      if (missing[i] == 0) {
        fires.push_back(i);
      }
    }
    std::vector<bool> marked(colours_);
    const auto mark = [&](std::uint32_t p) {
      if (!marked[p]) {
        marked[p] = true;
        for (const std::uint32_t i : takers[p]) {
          if (--missing[i] == 0) {
            fires.push_back(i);
          }
        }
      }
    };
    for (std::uint32_t p = 0; p < colours_; ++p) {
      if (tokens[p] > 0) {
        mark(p);
      }
    }
    while (!fires.empty()) {
      const std::uint32_t i = fires.back();
      fires.pop_back();
      for (const Arc& arc : instances_[i].outputs) {
        mark(arc.place);
      }
    }
    std::vector<bool> result;
    for (const std::size_t m : missing) {
      result.push_back(m == 0);
    }
    return result;
  }

  std::shared_ptr<const Origins> take_origins() {
    for (const SymmetricNet::Transition& transition : net_.transitions) {
      origins_.ids.push_back(transition.id);
    }
    for (const SymmetricNet::Variable& variable : net_.variables) {
      origins_.names.push_back(variable.id);
      origins_.colours.push_back(variable.sort->names);
    }
    return std::make_shared<const Origins>(std::move(origins_));
  }

  std::shared_ptr<NetStates> build() {
    std::vector<std::uint32_t> tokens(colours_);
    for (std::size_t p = 0; p < net_.places.size(); ++p) {
      for (const auto& [colour, count] : net_.places[p].marking) {
        tokens[number(p, colour)] += static_cast<std::uint32_t>(count);
      }
    }
    const std::vector<bool> is_possible = possible(tokens);
    std::vector<bool> used(colours_);
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      for (const auto* arcs : {&instances_[i].inputs, &instances_[i].outputs}) {
        for (const Arc& arc : *arcs) {
          used[arc.place] = used[arc.place] || is_possible[i];
        }
      }
    }
    PetriNet net;
    std::vector<PlaceId> made(colours_);
    std::unordered_map<std::string, std::vector<PlaceId>> by_name;
    for (std::size_t p = 0; p < net_.places.size(); ++p) {
      const std::size_t end = p + 1 < first_.size() ? first_[p + 1] : colours_;
      std::vector<PlaceId>& all = by_name[net_.places[p].id];
      for (std::size_t c = first_[p]; c < end; ++c) {
        if (used[c] || tokens[c] > 0) {
          const std::string name = net_.places[p].id + colour_text(p, c - first_[p]);
          made[c] = net.add_place(name, tokens[c]);
          all.push_back(made[c]);
          if (name != net_.places[p].id) {
            by_name[name] = {made[c]};
          }
        }
      }
    }
    std::vector<std::vector<TransitionId>> of(net_.transitions.size());
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      if (!is_possible[i]) {
        continue;
      }
      const std::size_t t = instances_[i].transition;
      const TransitionId id =
          net.add_transition(fmt::format("{}#{}", net_.transitions[t].id, of[t].size()));
      of[t].push_back(id);
      origins_.steps.push_back({t, instances_[i].first_value});
      for (const Arc& arc : instances_[i].inputs) {
        (void)net.add_input(id, made[arc.place], arc.weight);
      }
      for (const Arc& arc : instances_[i].outputs) {
        (void)net.add_output(id, made[arc.place], arc.weight);
      }
    }
    auto states = std::make_shared<NetStates>(std::move(net));
    for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
      states->name_transitions(net_.transitions[t].id, std::move(of[t]));
    }
    states->name_steps_with([origins = take_origins()](TransitionId t) {
      const Origins::Step& step = origins->steps[t.value()];
      model::StepName name{origins->ids[step.transition]};
      std::size_t at = step.first_value;
      for (const std::uint32_t variable : origins->variables[step.transition]) {
        const std::uint32_t value = origins->values[at++];
        name.binding.push_back({origins->names[variable],
                                value == kAnyValue ? "*" : origins->colours[variable][value]});
      }
      return name;
    });
    const auto shared = std::make_shared<const decltype(by_name)>(std::move(by_name));
    states->find_places_with(
        [shared](std::string_view name) -> std::optional<std::vector<PlaceId>> {
          const auto found = shared->find(std::string(name));
          return found == shared->end() ? std::nullopt : std::optional(found->second);
        });
    return states;
  }

  const SymmetricNet& net_;
  base::LimitGuard guard_;
  const ColourFlow* flow_;
  bool merges_;
  std::vector<std::size_t> first_;  // by place: the number of its first colour
  std::size_t colours_ = 0;
  std::vector<Instance> instances_;
  Origins origins_;
  std::size_t bindings_ = 0;
  std::size_t arcs_ = 0;
};

}  // namespace

std::shared_ptr<NetStates> unfold(const SymmetricNet& net, const base::Limits& limits,
                                  Unfolding how) {
  if (how == Unfolding::Plain) {
    return SymmetricUnfolder(net, limits, nullptr, false).unfold();
  }
  const ColourFlow flow(net);
  return SymmetricUnfolder(net, limits, &flow, how == Unfolding::Merged).unfold();
}

std::shared_ptr<NetStates> unfold(const SymmetricNet& net, const base::Limits& limits) {
  const auto start = limits.now();
  const ColourFlow flow(net);
  try {
    return SymmetricUnfolder(net, limits, &flow, false).unfold();
  } catch (const base::LimitReached& limit) {
    if (!limit.reason.starts_with(kTooLarge) || !flow.merges_something()) {
      throw;
    }
  }
  base::Limits left = limits;
  if (left.seconds) {
    *left.seconds -= std::chrono::duration<double>(limits.now() - start).count();
  }
  try {
    return SymmetricUnfolder(net, left, &flow, true).unfold();
  } catch (const base::LimitReached& limit) {
    throw limit.reason.starts_with("timeout")
        ? base::LimitReached{fmt::format("timeout after {} s", *limits.seconds)}
        : limit;
  }
}

}  // namespace nestor::net
