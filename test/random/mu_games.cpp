// The engine of the mu-calculus on random machines and formulas, with nested fixpoints of both
// kinds, against the definition:
//
//   unfolded   machines whose calls end, with every kind of entry and exit: all states (stack,
//   node)
//              are found and the formula evaluated on the graph; also with backward modalities
//   bisimilar  recursive machines made of a finite graph, so that a state satisfies what its node
//              does in the graph, whatever the stack: calls and returns go on for ever, the answer
//              is exact
//   infinite   the first again, where only infinite paths count
//   laws       recursive machines and backward modalities: f implies []~<>f and ~[]<>f in every
//              state, and if it holds in every state it does in every predecessor
//
//   mu_games [--pairs=N] [--seed=S]

#include "base/random.h"
#include "bounded_graph.h"
#include "engine/mu/mu.h"
#include "engine/registry.h"
#include "format/pds/mu_calculus.h"
#include "generate/random_rsm.h"
#include "logic/infinite_paths.h"
#include "logic/mu_formula.h"
#include "logic/printer.h"
#include "model/builder.h"
#include "mu_term.h"
#include "run_options.h"
#include "unfolding.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kAtoms = 3;
constexpr std::size_t kMostStates = 400;
constexpr std::uint64_t kMostSteps = 50'000'000;
const std::vector<generate::LabelShare> kLabels = {{"a", 0.4}, {"b", 0.6}, {"c", 0.5}};

struct Tally {
  std::size_t unfolded = 0;
  std::size_t bisimilar = 0;
  std::size_t laws = 0;
  std::size_t infinite = 0;
  std::size_t images = 0;
  std::size_t held = 0;
  std::size_t recursive_calls = 0;
  std::size_t failures = 0;
};

engine::Verdict verdict_of(const model::Rsm& model, const std::string& text, bool only_infinite) {
  const base::Input input = base::Input::from_text("formula", text);
  const logic::MuFormula formula = logic::parse_mu_formula(input, input.text());
  engine::Env env;
  env.limits.steps = kMostSteps;
  return engine::mu::check_mu(model, only_infinite ? logic::on_infinite_paths(formula) : formula,
                              env)
      .verdict;
}

bool carries(const model::Rsm& model, model::NodeId node, std::size_t atom) {
  const model::PropId p = model.find_prop(std::string(1, static_cast<char>('a' + atom)));
  return p.valid() && std::ranges::binary_search(model.nodes_with(p), node);
}

void add_predecessors(test::LabelledGraph& graph) {
  graph.predecessors.resize(graph.size());
  for (std::size_t s = 0; s < graph.size(); ++s) {
    for (const std::size_t t : graph.successors[s]) {
      graph.predecessors[t].push_back(s);
    }
  }
}

/// Where the formula is the image of one of CTL, that says the same.
void check_image(const char* kind, const model::Rsm& model, const std::string& text, bool right,
                 std::uint64_t seed, Tally& tally, bool only_infinite) {
  const base::Input input = base::Input::from_text("formula", text);
  logic::FormulaPool pool;
  logic::FormulaId image = format::translate_mu_property(input, input.text(), pool).formula.formula;
  if (!image.valid()) {
    return;
  }
  ++tally.images;
  image = only_infinite ? logic::on_infinite_paths(pool, image) : image;
  engine::Env env;
  if (engine::default_engine().make()->check({model, pool, {&image, 1}}, env)[0].verdict !=
      (right ? engine::Verdict::Holds : engine::Verdict::Fails)) {
    fmt::print("{}, seed {}: {} is not {}\n", kind, seed, text, logic::to_string(pool, image));
    ++tally.failures;
  }
}

void compare(const char* kind, const model::Rsm& model, const std::string& text, bool right,
             std::uint64_t seed, Tally& tally, bool only_infinite = false) {
  check_image(kind, model, text, right, seed, tally, only_infinite);
  const engine::Verdict verdict = verdict_of(model, text, only_infinite);
  tally.held += right ? 1 : 0;
  if (verdict != (right ? engine::Verdict::Holds : engine::Verdict::Fails)) {
    fmt::print("{}, seed {}: {} but the definition says {}: {}\n", kind, seed,
               engine::to_string(verdict), right, text);
    ++tally.failures;
  }
}

generate::RandomRsmOptions random_options(base::Random& random) {
  generate::RandomRsmOptions options;
  options.components = random.between(1, 3);
  options.boxes = random.between(0, 2);
  options.nodes = random.between(2, 4);
  options.entries = random.chance(0.4) ? 0.5 : 0.1;
  options.exits = random.chance(0.5) ? 0.5 : 0.1;
  options.density = random.chance(0.5) ? 0.15 : 0.3;
  options.labels = kLabels;
  options.entries_may_exit = random.chance(0.4);
  options.into_entries = random.chance(0.4);
  options.exits_go_on = random.chance(0.4);
  options.some_never_exit = random.chance(0.2);
  options.dead_ends = random.chance(0.5);
  options.any_initial_nodes = random.chance(0.3);
  return options;
}

/// As if states from which every path ends were not there.
void compare_infinite(const model::Rsm& model, const test::MuTerm& term,
                      const test::LabelledGraph& graph, std::size_t initial, std::uint64_t seed,
                      Tally& tally) {
  std::vector<bool> counts(graph.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < graph.size(); ++s) {
      const bool goes_on =
          std::ranges::any_of(graph.successors[s], [&](std::size_t next) { return counts[next]; });
      changed = changed || (counts[s] && !goes_on);
      counts[s] = counts[s] && goes_on;
    }
  }
  test::LabelledGraph rest{graph.successors, {}, graph.carries};
  for (std::size_t s = 0; s < rest.size(); ++s) {
    std::erase_if(rest.successors[s],
                  [&](std::size_t next) { return !counts[s] || !counts[next]; });
  }
  add_predecessors(rest);
  const test::StateSet states = test::states_of(term, rest);
  bool right = true;
  for (std::size_t s = 0; s < initial; ++s) {
    right = right && (states[s] || !counts[s]);
  }
  compare("infinite", model, test::to_text(term), right, seed, tally, true);
  ++tally.infinite;
}

void compare_unfolded(base::Random& random, std::uint64_t seed, Tally& tally) {
  generate::RandomRsmOptions options = random_options(random);
  options.hierarchical = true;
  const model::Rsm model = generate::random_rsm(options, random);
  const test::Explored<test::UnfoldedState> all = test::unfold(model, kMostStates);
  if (std::ranges::find(all.graph.unknown, true) != all.graph.unknown.end()) {
    return;
  }
  test::LabelledGraph graph{all.graph.successors, {}, {}};
  add_predecessors(graph);
  for (std::size_t atom = 0; atom < kAtoms; ++atom) {
    graph.carries.emplace_back();
    for (const test::UnfoldedState& state : all.states) {
      graph.carries.back().push_back(carries(model, state.node, atom));
    }
  }
  for (const bool backward : {false, true}) {
    const auto term = test::random_mu_term(random, {random.between(3, 6), backward});
    const test::StateSet states = test::states_of(*term, graph);
    const bool right =
        std::all_of(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(all.graph.initial),
                    [](bool holds) { return holds; });
    compare("unfolded", model, test::to_text(*term), right, seed, tally);
    ++tally.unfolded;
    compare_infinite(model, *term, graph, all.graph.initial, seed, tally);
  }
}

/// A machine whose states are bisimilar to the nodes of a graph: every node belongs to one of its
/// components, and to go on to a node is a step there, if it is in the same component, or a call of
/// the node's component with the node as entry. Some nodes are exits and leave the choice of what
/// follows to the return; every return node offers all that follows.
class Bisimilar {
 public:
  Bisimilar(const test::LabelledGraph& graph, base::Random& random)
      : graph_(graph), random_(random) {
    components_ = random.between(1, std::min<std::size_t>(3, graph.size()));
    for (std::size_t n = 0; n < graph.size(); ++n) {
      component_of_.push_back(n < components_ ? n : random.below(components_));
      is_exit_.push_back(n != 0 && random.chance(0.5));
    }
  }

  model::Rsm build(std::size_t& calls) {
    model::ModelBuilder builder("");
    builder.component("main");  // whose exits would loop, so it has none
    builder.node({.name = "start", .is_entry = true});
    add_labels(builder, 0);
    add_boxes(builder, components_);
    add_steps(builder, components_, "start", 0);
    for (std::size_t c = 0; c < components_; ++c) {
      builder.component(name('c', c));
      for (std::size_t n = 0; n < graph_.size(); ++n) {
        if (component_of_[n] == c) {
          builder.node({.name = name('n', n), .is_entry = true, .is_exit = is_exit_[n]});
          add_labels(builder, n);
        }
      }
      add_boxes(builder, c);
      for (std::size_t n = 0; n < graph_.size(); ++n) {
        if (component_of_[n] == c) {
          add_steps(builder, c, name('n', n), n);
        }
      }
    }
    builder.initial_component("main");
    calls += calls_;
    return builder.finish();
  }

 private:
  using Ref = model::ModelBuilder::Ref;

  static std::string name(char kind, std::size_t number) {
    return fmt::format("{}{}", kind, number);
  }

  void add_labels(model::ModelBuilder& builder, std::size_t n) const {
    for (std::size_t atom = 0; atom < kAtoms; ++atom) {
      if (graph_.carries[atom][n]) {
        builder.label(std::string(1, static_cast<char>('a' + atom)));
      }
    }
  }

  /// A box of every component, in `owner`.
  void add_boxes(model::ModelBuilder& builder, std::size_t owner) {
    for (std::size_t c = 0; c < components_; ++c) {
      builder.box(name('b', c), name('c', c));
      for (std::size_t n = 0; n < graph_.size(); ++n) {
        if (is_exit_[n] && component_of_[n] == c) {
          add_returns(builder, owner, name('b', c), n);
        }
      }
    }
  }

  void add_target(model::ModelBuilder& builder, std::size_t owner, std::size_t m) {
    if (component_of_[m] == owner && random_.chance(0.6)) {
      builder.target(Ref::node(name('n', m)));
    } else {
      ++calls_;
      builder.target(Ref::box_node(name('b', component_of_[m]), name('n', m)));
    }
  }

  void add_returns(model::ModelBuilder& builder, std::size_t owner, const std::string& box,
                   std::size_t n) {
    builder.source(Ref::box_node(box, name('n', n)));
    for (const std::size_t m : graph_.successors[n]) {
      add_target(builder, owner, m);
    }
  }

  /// All that follows; of an exit, part of it, since returning offers all.
  void add_steps(model::ModelBuilder& builder, std::size_t owner, const std::string& from,
                 std::size_t n) {
    builder.source(Ref::node(from));
    for (const std::size_t m : graph_.successors[n]) {
      if (!is_exit_[n] || random_.chance(0.4)) {
        add_target(builder, owner, m);
      }
    }
  }

  const test::LabelledGraph& graph_;
  base::Random& random_;
  std::size_t components_;
  std::vector<std::size_t> component_of_;
  std::vector<bool> is_exit_;
  std::size_t calls_ = 0;
};

void compare_bisimilar(base::Random& random, std::uint64_t seed, Tally& tally) {
  test::LabelledGraph graph;
  const std::size_t size = random.between(1, 6);
  graph.successors.resize(size);
  graph.carries.resize(kAtoms);
  for (std::size_t n = 0; n < size; ++n) {
    for (std::size_t atom = 0; atom < kAtoms; ++atom) {
      graph.carries[atom].push_back(random.chance(kLabels[atom].share));
    }
    for (std::size_t m = 0; m < size; ++m) {
      if (random.chance(0.3)) {
        graph.successors[n].push_back(m);
      }
    }
  }
  const model::Rsm model = Bisimilar(graph, random).build(tally.recursive_calls);
  for (int i = 0; i < 2; ++i) {
    const auto term = test::random_mu_term(random, {random.between(3, 7), false});
    compare("bisimilar", model, test::to_text(*term), test::states_of(*term, graph)[0], seed,
            tally);
    ++tally.bisimilar;
  }
}

void check_laws(base::Random& random, std::uint64_t seed, Tally& tally) {
  generate::RandomRsmOptions options = random_options(random);
  const model::Rsm model = generate::random_rsm(options, random);
  const std::string f = random.chance(0.5)
                            ? std::string("(a | b)")
                            : "(" + test::to_text(*test::random_mu_term(random, {3, true})) + ")";
  std::vector<std::string> laws = {fmt::format("nu Y. []Y & ({0} => []~<>{0})", f),
                                   fmt::format("nu Y. []Y & ({0} => ~[]<>{0})", f)};
  if (model.initial_nodes().size() == 1) {  // else predecessors may belong to another beginning
    laws.push_back(fmt::format("(nu Y. {0} & []Y) => (nu Y. []Y & ~[]{0} & ~[]~[]{0})", f));
  }
  for (const std::string& law : laws) {
    compare("laws", model, law, true, seed, tally);
    ++tally.laws;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto [pairs, seed, folder] = test::read_options(argc, argv, "--pairs", {20000, 1, "."});
  Tally tally;
  for (std::size_t k = 0; tally.unfolded + tally.bisimilar < pairs && tally.failures < 3; ++k) {
    base::Random random(seed + k);
    compare_unfolded(random, seed + k, tally);
    compare_bisimilar(random, seed + k, tally);
    check_laws(random, seed + k, tally);
  }
  fmt::print(
      "seed {}: {} pairs unfolded, as many with infinite paths only, {} bisimilar with {} calls, "
      "{} laws; {} images of CTL; {} hold; {} failures\n",
      seed, tally.infinite, tally.bisimilar, tally.recursive_calls, tally.laws, tally.images,
      tally.held, tally.failures);
  return tally.failures == 0 ? 0 : 1;
}
