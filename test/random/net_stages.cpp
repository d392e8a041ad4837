// Random nets and formulas: every stage that makes a question about a net smaller, alone and all
// together, against exploring and labelling.
//
//   net_stages [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "base/random.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "net/net_simplifier.h"
#include "net/net_states.h"
#include "run_options.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kMostStates = 2000;
constexpr std::size_t kFormulas = 8;

struct Stages {
  const char* name;
  net::NetStages which;
};
constexpr std::array kStages = {
    Stages{"rewriting", {false, false, false}},      Stages{"state equation", {true, false, false}},
    Stages{"reductions", {false, true, false}},      Stages{"stubborn sets", {false, false, true}},
    Stages{"without stubborn", {true, true, false}}, Stages{"all", {true, true, true}},
};

/// Chains and rings of places, with some arcs that join them: so there is something to reduce.
/// Safe, bounded, unbounded, with dead ends: as it comes.
net::PetriNet random_net(base::Random& random) {
  net::PetriNet net;
  const std::uint64_t places = random.between(2, 9);
  const bool safe = random.chance(0.4);
  for (std::uint64_t p = 0; p < places; ++p) {
    const std::uint64_t tokens = random.chance(0.6) ? 0 : random.between(1, safe ? 1 : 3);
    net.add_place(fmt::format("p{}", p), static_cast<std::uint32_t>(tokens));
  }
  const auto place = [&] { return net::PlaceId(random.below(places)); };
  const auto weight = [&] { return static_cast<std::uint32_t>(random.chance(0.85) ? 1 : 2); };
  for (std::uint64_t t = random.between(1, 10); t > 0; --t) {
    const net::TransitionId id = net.add_transition(fmt::format("t{}", t));
    if (random.chance(0.6)) {
      (void)net.add_input(id, place(), 1);
      (void)net.add_output(id, place(), 1);
    }
    for (std::uint64_t a = random.below(3); a > 0; --a) {
      (void)net.add_input(id, place(), weight());
    }
    for (std::uint64_t a = random.below(3); a > 0; --a) {
      (void)net.add_output(id, place(), weight());
    }
    if (random.chance(0.2)) {  // only looks at it
      const net::PlaceId p = place();
      (void)net.add_input(id, p, 1);
      (void)net.add_output(id, p, 1);
    }
  }
  return net;
}

std::string random_atom(const net::PetriNet& net, base::Random& random) {
  const auto place = [&] { return fmt::format("tokens(p{})", random.below(net.place_count())); };
  switch (random.below(6)) {
    case 0:
      return fmt::format("fireable(t{})", random.between(1, net.transition_count()));
    case 1:
      return random.chance(0.3) ? "deadlock" : fmt::format("{} = {}", place(), random.below(3));
    case 2:
      return fmt::format("{} <= {}", place(), place());
    case 3:
      return fmt::format("{} + {} != 2*{} + {}", place(), place(), place(), random.below(3));
    default:
      return fmt::format("{} > {}", place(), random.below(3));
  }
}

/// Most random formulas are decided by the initial marking: further operators outside of them.
logic::FormulaId wrapped(logic::FormulaPool& pool, logic::FormulaId f,
                         const std::vector<std::string>& atoms, base::Random& random) {
  const auto atom = [&] { return pool.atom(atoms[random.below(atoms.size())]); };
  switch (random.below(8)) {
    case 0:
      return pool.unary(logic::Op::EF, pool.binary(logic::Op::And, f, atom()));
    case 1:
      return pool.unary(logic::Op::AG, pool.binary(logic::Op::Or, f, atom()));
    case 2:
      return pool.unary(logic::Op::AF, pool.binary(logic::Op::And, f, atom()));
    case 3:
      return pool.unary(logic::Op::EX, pool.unary(logic::Op::AX, f));
    case 4:  // for stubborn sets
      return pool.unary(logic::Op::EF, pool.binary(logic::Op::And, atom(), atom()));
    case 5:
      return pool.unary(logic::Op::AG, pool.binary(logic::Op::Or, atom(), atom()));
    case 6:
      return pool.unary(logic::Op::AG, pool.unary(logic::Op::EF, f));
    default:
      return f;
  }
}

struct Counts {
  std::size_t nets = 0;
  std::size_t formulas = 0;
  std::map<std::string, std::size_t> decided;  // without a search, by stage
};

std::string problem_of(const net::PetriNet& net, base::Random& random, Counts& counts) {
  const auto states = std::make_shared<net::NetStates>(net);
  generate::RandomFormulaOptions options;
  options.propositions.clear();
  for (int i = 0; i < 4; ++i) {
    options.propositions.push_back(random_atom(net, random));
  }
  model::ExploreOptions how;
  how.limits.states = kMostStates;
  std::optional<model::Rsm> model;
  try {
    model.emplace(model::explore(states, options.propositions, how));
  } catch (const base::LimitReached&) {
    return {};
  }
  ++counts.nets;
  logic::FormulaPool pool;
  engine::Env env;
  env.limits.states = 20 * kMostStates;  // a part of a net may be unbounded where the net is not
  for (std::size_t k = 0; k < kFormulas; ++k) {
    options.quantifier_depth = random.between(1, 3);
    const logic::FormulaId formula = wrapped(pool, generate::random_formula(pool, options, random),
                                             options.propositions, random);
    ++counts.formulas;
    const std::vector<logic::FormulaId> formulas{formula};
    const engine::Verdict right =
        engine::finite_engine().make()->check({*model, pool, formulas}, env)[0].verdict;
    for (const Stages& stages : kStages) {
      const auto simplifier = net::make_net_simplifier(states, stages.which);
      const logic::SmallerQuestion question = simplifier->simplify(pool, formula, {});
      engine::Verdict found = engine::Verdict::Unknown;
      if (question.value) {
        found = *question.value ? engine::Verdict::Holds : engine::Verdict::Fails;
        ++counts.decided[stages.name];
      } else if (question.states != nullptr) {
        const std::vector<logic::FormulaId> smaller{question.formula};
        found = engine::find_engine("local")
                    .make()
                    ->check_on_the_fly(
                        {*question.states, model::DeadEnds::Keep, *question.pool, smaller}, env)[0]
                    .verdict;
      }
      if (found != right) {
        return fmt::format("{}: {} ({}) says {}, expected {}", logic::to_string(pool, formula),
                           stages.name, question.how, engine::to_string(found),
                           engine::to_string(right));
      }
    }
  }
  return {};
}

std::string to_text(const net::PetriNet& net) {
  std::string text;
  for (const net::PlaceId p : net.places()) {
    text += fmt::format("{}: {}\n", net.place(p).name, net.place(p).tokens);
  }
  for (const net::TransitionId t : net.transitions()) {
    text += net.transition(t).name + ":";
    for (const auto& arc : net.transition(t).inputs) {
      text += fmt::format(" {}*{}", arc.weight, net.place(arc.place).name);
    }
    text += " ->";
    for (const auto& arc : net.transition(t).outputs) {
      text += fmt::format(" {}*{}", arc.weight, net.place(arc.place).name);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  fmt::print("seed {}, {} cases\n", seed, cases);
  Counts counts;
  std::size_t failures = 0;
  for (std::size_t k = 0; k < cases && failures < 3; ++k) {
    base::Random random(seed + k);
    const net::PetriNet net = random_net(random);
    const std::string problem = problem_of(net, random, counts);
    if (!problem.empty()) {
      fmt::print("seed {}: {}\n{}\n", seed + k, problem, to_text(net));
      ++failures;
    }
  }
  fmt::print("{} nets, {} formulas, {} failures\n", counts.nets, counts.formulas, failures);
  for (const auto& [stage, count] : counts.decided) {
    fmt::print("  {}: {} decided without a search\n", stage, count);
  }
  return failures == 0 && counts.nets > cases / 4 ? 0 : 1;
}
