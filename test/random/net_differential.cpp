// Random nets, place/transition and predicate/transition, against a plain interpretation of what a
// firing does: the same markings, the same transitions, and the same verdicts by every engine.
// Place/transition nets in any form that their states can have. Predicate/transition nets twice:
// unfolded, and bound in each marking. Mistakes of a net that can happen (a division by zero,
// tuples out of bounds) must be found by binding, and be known to the unfolding.
//
//   net_differential [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "base/random.h"
#include "bounded_graph.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "net/net_states.h"
#include "net/prod_states.h"
#include "net/prod_unfold.h"
#include "run_options.h"
#include "small_nets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <set>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kMostStates = 300;
constexpr std::size_t kFormulas = 3;

/// A net as the test understands it: a marking counts named things.
using Marking = std::map<std::string, std::int64_t>;
struct PlainNet {
  Marking initial;
  std::function<std::set<Marking>(const Marking&)> fire;
};

/// A firing that is a mistake of the net.
struct Mistake {};

struct PlainGraph {
  std::vector<Marking> markings;
  test::BoundedGraph graph;
};

/// None if there are too many markings.
std::optional<PlainGraph> explore_plainly(const PlainNet& net) {
  PlainGraph result;
  std::map<Marking, std::size_t> numbers = {{net.initial, 0}};
  result.markings = {net.initial};
  for (std::size_t i = 0; i < result.markings.size(); ++i) {
    std::vector<std::size_t> next;
    for (const Marking& after : net.fire(Marking(result.markings[i]))) {
      const auto [place, is_new] = numbers.try_emplace(after, numbers.size());
      if (is_new) {
        result.markings.push_back(after);
      }
      next.push_back(place->second);
    }
    result.graph.successors.push_back(next);
    if (result.markings.size() > kMostStates) {
      return std::nullopt;
    }
  }
  result.graph.initial = 1;
  result.graph.unknown.assign(result.markings.size(), false);
  return result;
}

std::int64_t tokens(const Marking& marking, const std::string& name) {
  const auto found = marking.find(name);
  return found == marking.end() ? 0 : found->second;
}

/// Adds, and drops what has become zero, so that equal markings are equal.
void add(Marking& marking, const std::string& name, std::int64_t count) {
  if ((marking[name] += count) == 0) {
    marking.erase(name);
  }
}

PlainNet plain(const net::PetriNet& net) {
  PlainNet result;
  for (const net::PlaceId p : net.places()) {
    if (net.place(p).tokens > 0) {
      result.initial[net.place(p).name] = net.place(p).tokens;
    }
  }
  result.fire = [&net](const Marking& marking) {
    std::set<Marking> after;
    for (const net::TransitionId t : net.transitions()) {
      const auto& transition = net.transition(t);
      Marking next = marking;
      bool enabled = true;
      for (const net::PetriNet::Arc& arc : transition.inputs) {
        const std::string& name = net.place(arc.place).name;
        enabled = enabled && tokens(marking, name) >= arc.weight;
        add(next, name, -static_cast<std::int64_t>(arc.weight));
      }
      for (const net::PetriNet::Arc& arc : transition.outputs) {
        add(next, net.place(arc.place).name, arc.weight);
      }
      if (enabled) {
        after.insert(next);
      }
    }
    return after;
  };
  return result;
}

constexpr std::int64_t kValues = test::kProdValues;

/// The marking after a firing with these values; nothing if it cannot fire. Throws Mistake if
/// nothing but a mistake of the net keeps it from firing.
std::optional<Marking> fire_plainly(const net::ProdNet& net,
                                    const net::ProdNet::Transition& transition,
                                    net::ProdBinding binding, Marking marking) {
  bool mistaken = false;
  const auto value = [&](const net::ProdExpression& expression) {
    const std::optional<std::int64_t> result = net::evaluate(expression, binding);
    mistaken = mistaken || !result;
    return result;
  };
  /// Adds `sign` times what the pattern says, unless that is a mistake.
  const auto move = [&](const net::ProdNet::Pattern& pattern, std::int64_t sign) {
    const net::ProdNet::Place& place = net.places[pattern.place];
    const std::optional<std::int64_t> count = value(pattern.count);
    std::string fields;
    bool is_whole = count.has_value();
    bool is_inside = true;
    for (std::size_t i = 0; i < pattern.fields.size(); ++i) {
      const std::optional<std::int64_t> field = value(pattern.fields[i]);
      is_whole = is_whole && field;
      is_inside = is_inside &&
                  (!field || place.lo.empty() || (*field >= place.lo[i] && *field <= place.hi[i]));
      fields += fmt::format("{}{}", fields.empty() ? "" : ",", field.value_or(0));
    }
    mistaken =
        mistaken || (is_whole && *count < 0) || (is_whole && sign > 0 && *count > 0 && !is_inside);
    if (is_whole && *count > 0) {
      add(marking, fields.empty() ? place.name : fmt::format("{}<{}>", place.name, fields),
          sign * *count);
    }
  };
  for (const net::ProdNet::Assignment& assignment : transition.comp) {
    binding[assignment.variable] = value(assignment.value);
  }
  for (const net::ProdNet::Pattern& pattern : transition.inputs) {
    move(pattern, -1);
  }
  if (std::ranges::any_of(marking, [](const auto& p) { return p.second < 0; })) {
    return std::nullopt;
  }
  for (const net::ProdExpression& gate : transition.gates) {
    if (value(gate) == 0) {
      return std::nullopt;
    }
  }
  for (const net::ProdNet::Pattern& pattern : transition.outputs) {
    move(pattern, 1);
  }
  if (mistaken) {
    throw Mistake();
  }
  return marking;
}

PlainNet plain(const net::ProdNet& net) {
  PlainNet result;
  for (const net::ProdNet::Place& place : net.places) {
    for (const auto& [tuple, count] : place.marking) {
      result.initial[tuple.empty() ? place.name
                                   : fmt::format("{}<{}>", place.name, fmt::join(tuple, ","))] =
          count;
    }
  }
  result.fire = [&net](const Marking& marking) {
    std::set<Marking> after;
    for (const net::ProdNet::Transition& transition : net.transitions) {
      const auto index = [&](std::string_view name) {
        const auto& names = transition.variables;
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      };
      for (std::int64_t both = 0; both < kValues * kValues; ++both) {
        net::ProdBinding binding(transition.variables.size());
        binding[index("x")] = both / kValues;
        binding[index("y")] = both % kValues;
        if (std::optional<Marking> next = fire_plainly(net, transition, binding, marking)) {
          after.insert(std::move(*next));
        }
      }
    }
    return after;
  };
  return result;
}

struct Counts {
  std::size_t nets = 0;
  std::size_t unfolded = 0;
  std::size_t mistakes = 0;
  std::size_t unbounded = 0;
  std::size_t compact = 0;
  std::size_t failures = 0;
};

/// `tokens(place) > k`, and what it means in a marking.
struct Atom {
  std::string text;
  std::string place;
  std::int64_t more_than = 0;
};

std::vector<Atom> random_atoms(const PlainGraph& graph, base::Random& random) {
  std::vector<Atom> atoms;
  for (int i = 0; i < 3; ++i) {
    const Marking& marking = graph.markings[random.below(graph.markings.size())];
    Atom atom;
    atom.place =
        marking.empty()
            ? std::string()
            : std::next(marking.begin(), static_cast<long>(random.below(marking.size())))->first;
    if (atom.place.empty()) {
      continue;
    }
    atom.more_than = static_cast<std::int64_t>(random.below(2));
    atom.text = fmt::format(
        "tokens({}) > {}",
        atom.place.find('<') == std::string::npos ? atom.place : fmt::format("\"{}\"", atom.place),
        atom.more_than);
    atoms.push_back(atom);
  }
  atoms.push_back({"deadlock", "", 0});
  return atoms;
}

std::string compare_verdicts(const std::shared_ptr<model::SuccessorFunction>& states,
                             const PlainGraph& graph, base::Random& random) {
  const std::vector<Atom> atoms = random_atoms(graph, random);
  generate::RandomFormulaOptions options;
  options.propositions.clear();
  for (const Atom& atom : atoms) {
    options.propositions.push_back(atom.text);
  }
  const auto carries = [&](std::size_t state, std::string_view prop) {
    const auto atom = std::ranges::find(atoms, prop, &Atom::text);
    return prop == "deadlock" ? graph.graph.successors[state].empty()
                              : tokens(graph.markings[state], atom->place) > atom->more_than;
  };
  const model::Rsm model = model::explore(states, options.propositions, {});
  if (model.node_count() != graph.markings.size()) {
    return fmt::format("{} states, expected {}", model.node_count(), graph.markings.size());
  }
  std::size_t transitions = 0;
  for (const auto& next : graph.graph.successors) {
    transitions += next.size();
  }
  if (model.transition_count() != transitions) {
    return fmt::format("{} transitions, expected {}", model.transition_count(), transitions);
  }
  logic::FormulaPool pool;
  for (std::size_t f = 0; f < kFormulas; ++f) {
    options.quantifier_depth = random.between(1, 3);
    const logic::FormulaId formula = generate::random_formula(pool, options, random);
    const std::vector<logic::FormulaId> formulas{formula};
    const engine::Verdict right = test::check_graph(
        graph.graph, pool, logic::existential_normal_form(pool, formula), carries);
    for (const engine::EngineInfo& info : engine::engine_registry()) {
      const std::unique_ptr<engine::Engine> engine = info.make();
      engine::Env env;
      std::vector<engine::Result> results = engine->check({model, pool, formulas}, env);
      if (engine->decides_on_the_fly(pool, formulas)) {
        results.push_back(
            engine->check_on_the_fly({*states, model::DeadEnds::Keep, pool, formulas}, env)[0]);
      }
      for (const engine::Result& result : results) {
        if (result.verdict != right) {
          return fmt::format("{}: {} says {}, expected {}", logic::to_string(pool, formula),
                             info.id, engine::to_string(result.verdict), engine::to_string(right));
        }
      }
    }
  }
  return {};
}

std::string problem_of(const std::shared_ptr<model::SuccessorFunction>& states, const PlainNet& net,
                       base::Random& random, Counts& counts) {
  std::optional<PlainGraph> graph;
  try {
    graph = explore_plainly(net);
  } catch (const Mistake&) {
    ++counts.mistakes;
    try {
      model::explore(states, {}, {});
    } catch (const base::Error&) {
      return {};
    } catch (const base::LimitReached&) {
      return {};  // unbounded, and that was noticed first
    }
    return "explored in spite of a mistake";
  }
  if (graph) {
    ++counts.nets;
    return compare_verdicts(states, *graph, random);
  }
  try {  // large or unbounded: it must end one way or the other
    model::ExploreOptions options;
    options.limits.states = 20'000;
    model::explore(states, {}, options);
  } catch (const base::LimitReached& limit) {
    counts.unbounded += limit.reason.starts_with("unbounded") ? 1 : 0;
  }
  return {};
}

/// States as they are, or in another form.
std::shared_ptr<net::NetStates> in_some_form(const net::PetriNet& petri, base::Random& random,
                                             Counts& counts) {
  auto states = std::make_shared<net::NetStates>(petri);
  const std::uint64_t form = random.below(4);
  base::LimitGuard guard({});
  if (form < 3 && states->prepare_form(form, guard)) {
    const std::size_t bits = states->state_bits();
    states->become_wider();
    counts.compact += states->state_bits() < bits ? 1 : 0;
  }
  return states;
}

std::string problem_of_unfolding(const std::shared_ptr<const net::ProdModel>& prod,
                                 base::Random& random, Counts& counts) {
  std::shared_ptr<net::NetStates> states;
  try {
    base::LimitGuard guard({});
    states = net::unfolded_states(prod, 2'000, guard);
  } catch (const base::LimitReached&) {
    return {};
  }
  ++counts.unfolded;
  const std::string problem = problem_of(states, plain(prod->net()), random, counts);
  return problem.empty() ? "" : "unfolded: " + problem;
}

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  fmt::print("seed {}, {} cases\n", seed, cases);
  Counts counts;
  for (std::size_t k = 0; k < cases && counts.failures < 3; ++k) {
    base::Random random(seed + k);
    std::string problem;
    std::string net;
    if (random.chance(0.5)) {
      const net::PetriNet petri = test::random_petri_net(random);
      net = "a place/transition net";
      problem = problem_of(in_some_form(petri, random, counts), plain(petri), random, counts);
    } else {
      net = test::random_prod_net(random);
      const base::Input input = base::Input::from_text("random.net", net);
      const auto prod = std::make_shared<const net::ProdModel>(input);
      base::Random again = random;
      problem =
          problem_of(std::make_shared<net::ProdStates>(prod), plain(prod->net()), random, counts);
      if (problem.empty()) {
        problem = problem_of_unfolding(prod, again, counts);
      }
    }
    if (!problem.empty()) {
      fmt::print("seed {}: {}\n{}\n", seed + k, problem, net);
      ++counts.failures;
    }
  }
  fmt::print(
      "{} nets compared, {} without implied places, {} unfolded, {} with mistakes, {} said to be "
      "unbounded, {} failures\n",
      counts.nets, counts.compact, counts.unfolded, counts.mistakes, counts.unbounded,
      counts.failures);
  return counts.failures == 0 && counts.nets > cases / 4 && counts.unfolded > cases / 4 &&
                 counts.mistakes > cases / 100 && counts.compact > cases / 100
             ? 0
             : 1;
}
