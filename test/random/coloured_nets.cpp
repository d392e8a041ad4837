// Random symmetric nets: unfolded with the bindings that tokens may bring against all bindings, the
// same markings; with colours merged that make no difference, the same verdicts.
//
//   coloured_nets [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "base/random.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "net/colour_flow.h"
#include "net/symmetric_net.h"
#include "run_options.h"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file
using Kind = net::ColourTerm::Kind;

constexpr std::size_t kMostStates = 1500;
constexpr std::size_t kFormulas = 8;

class RandomColours {
 public:
  explicit RandomColours(base::Random& random) : random_(random) {}

  net::SymmetricNet make() {
    add_sorts();
    for (std::uint64_t p = random_.between(2, 5); p > 0; --p) {
      net::SymmetricNet::Place place;
      place.id = fmt::format("p{}", net_.places.size());
      place.sort = &net_.sorts.at(random_.chance(0.3) ? "CD" : random_.chance(0.6) ? "C" : "D");
      for (std::uint64_t tokens = random_.below(4); tokens > 0; --tokens) {
        net::Colour colour;
        for (const net::Sort* part : place.sort->simple()) {
          colour.push_back(static_cast<std::uint32_t>(random_.below(part->names.size())));
        }
        ++place.marking[colour];
      }
      net_.places.push_back(std::move(place));
    }
    for (std::uint64_t t = random_.between(1, 4); t > 0; --t) {
      add_transition();
    }
    return std::move(net_);
  }

 private:
  void add_sorts() {
    net_.sorts["C"].names = {"a", "b", "c"};
    net_.sorts["D"].names = {"d", "e"};
    net_.sorts["CD"].parts = {&net_.sorts.at("C"), &net_.sorts.at("D")};
    for (const auto& [id, sort] : {std::pair("x", "C"), {"y", "C"}, {"z", "D"}, {"w", "D"}}) {
      net_.variables.push_back({id, &net_.sorts.at(sort)});
    }
  }

  net::ColourTerm single(const net::Sort* sort) {
    net::ColourTerm term;
    term.sort = sort;
    const bool is_c = sort == &net_.sorts.at("C");
    if (random_.chance(0.15)) {
      term.kind = Kind::Constant;
      term.number = static_cast<std::uint32_t>(random_.below(sort->names.size()));
      return term;
    }
    term.kind = Kind::Variable;
    term.number = static_cast<std::uint32_t>((is_c ? 0 : 2) + random_.below(2));
    if (random_.chance(0.1)) {
      net::ColourTerm step;
      step.kind = Kind::Step;
      step.sort = sort;
      step.number = 1;
      step.operands.push_back(term);
      return step;
    }
    return term;
  }

  net::ColourTerm all(const net::Sort* sort) {
    net::ColourTerm term;
    term.kind = Kind::All;
    term.sort = sort;
    return term;
  }

  net::ColourTerm colour(const net::Sort* sort) {
    if (sort->parts.empty()) {
      return random_.chance(0.05) ? all(sort) : single(sort);
    }
    net::ColourTerm tuple;
    tuple.kind = Kind::Tuple;
    tuple.sort = sort;
    for (const net::Sort* part : sort->parts) {
      tuple.operands.push_back(random_.chance(0.07) ? all(part) : single(part));
    }
    return tuple;
  }

  net::ColourTerm inscription(const net::Sort* sort) {
    net::ColourTerm term;
    term.sort = sort;
    switch (random_.below(10)) {
      case 0:
        term.kind = Kind::Times;
        term.number = 2;
        term.operands.push_back(colour(sort));
        return term;
      case 1:
        term.kind = Kind::Sum;
        term.operands = {colour(sort), colour(sort)};
        return term;
      case 2:
        term.kind = Kind::Difference;
        term.operands = {all(sort), colour(sort)};
        return random_.chance(0.4) && term.operands[1].kind != Kind::Tuple ? term : colour(sort);
      default:
        return colour(sort);
    }
  }

  void add_transition() {
    net::SymmetricNet::Transition transition;
    transition.id = fmt::format("t{}", net_.transitions.size());
    for (auto* arcs : {&transition.inputs, &transition.outputs}) {
      for (std::uint64_t a = random_.between(arcs == &transition.inputs ? 1 : 0, 2); a > 0; --a) {
        const std::size_t place = random_.below(net_.places.size());
        arcs->push_back({place, inscription(net_.places[place].sort)});
      }
    }
    if (random_.chance(0.25)) {
      net::ColourTerm guard;
      guard.kind = random_.chance(0.5) ? Kind::Equal : Kind::NotEqual;
      const net::Sort* sort = &net_.sorts.at(random_.chance(0.7) ? "C" : "D");
      guard.operands = {single(sort), single(sort)};
      transition.guards.push_back(std::move(guard));
    }
    net_.transitions.push_back(std::move(transition));
  }

  base::Random& random_;
  net::SymmetricNet net_;
};

std::optional<model::Rsm> explored(const net::SymmetricNet& net, net::Unfolding how,
                                   const std::vector<std::string>& atoms) {
  model::ExploreOptions options;
  options.limits.states = kMostStates;
  try {
    return model::explore(net::unfold(net, {}, how), atoms, options);
  } catch (const base::LimitReached&) {
    return std::nullopt;
  }
}

std::set<std::string> names_of(const model::Rsm& model) {
  std::set<std::string> names;
  for (std::size_t n = 0; n < model.node_count(); ++n) {
    names.insert(model.made_names()->fresh(model::NodeId(n)));
  }
  return names;
}

struct Counts {
  std::size_t nets = 0;
  std::size_t merged = 0;
  std::size_t fewer = 0;  // markings than without merging
  std::size_t formulas = 0;
};

std::string problem_of(const net::SymmetricNet& net, base::Random& random, Counts& counts) {
  generate::RandomFormulaOptions options;
  options.propositions.clear();
  for (int i = 0; i < 4; ++i) {
    options.propositions.push_back(
        random.chance(0.3) ? fmt::format("fireable(t{})", random.below(net.transitions.size()))
        : random.chance(0.1)
            ? "deadlock"
            : fmt::format("tokens(p{}) > {}", random.below(net.places.size()), random.below(4)));
  }
  const auto plain = explored(net, net::Unfolding::Plain, options.propositions);
  const auto reachable = explored(net, net::Unfolding::Reachable, options.propositions);
  if (plain.has_value() != reachable.has_value() ||
      (plain && names_of(*plain) != names_of(*reachable))) {
    return "other markings with the bindings that tokens may bring";
  }
  const auto merged = explored(net, net::Unfolding::Merged, options.propositions);
  if (!plain || !merged) {
    return plain ? "more markings if colours are merged" : "";
  }
  ++counts.nets;
  counts.merged += net::ColourFlow(net).merges_something() ? 1 : 0;
  counts.fewer += merged->node_count() < plain->node_count() ? 1 : 0;
  logic::FormulaPool pool;
  engine::Env env;
  for (std::size_t k = 0; k < kFormulas; ++k) {
    options.quantifier_depth = random.between(1, 3);
    const std::vector<logic::FormulaId> formula{generate::random_formula(pool, options, random)};
    ++counts.formulas;
    const auto verdict = [&](const model::Rsm& model) {
      return engine::finite_engine().make()->check({model, pool, formula}, env)[0].verdict;
    };
    if (verdict(*plain) != verdict(*merged)) {
      return fmt::format("{}: {}, if colours are merged {}", logic::to_string(pool, formula[0]),
                         engine::to_string(verdict(*plain)), engine::to_string(verdict(*merged)));
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  fmt::print("seed {}, {} cases\n", seed, cases);
  Counts counts;
  std::size_t failures = 0;
  for (std::size_t k = 0; k < cases && failures < 3; ++k) {
    base::Random random(seed + k);
    const net::SymmetricNet net = RandomColours(random).make();
    std::string problem;
    try {
      problem = problem_of(net, random, counts);
    } catch (const base::Error&) {
      continue;  // an arc with fewer than no tokens
    }
    if (!problem.empty()) {
      fmt::print("seed {}: {}\n", seed + k, problem);
      ++failures;
    }
  }
  fmt::print(
      "{} nets, {} with colours to merge, {} with fewer markings then, {} formulas, {} failures\n",
      counts.nets, counts.merged, counts.fewer, counts.formulas, failures);
  return failures == 0 && counts.fewer > cases / 50 ? 0 : 1;
}
