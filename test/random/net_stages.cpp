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
#include "reducible_net.h"
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
    options.propositions.push_back(test::random_atom(net, random));
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
    const logic::FormulaId formula = test::wrapped(
        pool, generate::random_formula(pool, options, random), options.propositions, random);
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

}  // namespace

int main(int argc, char** argv) {
  const test::RunOptions options = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  Counts counts;
  const std::size_t failures =
      test::failures_on_nets(options, [&](const net::PetriNet& net, base::Random& random) {
        return problem_of(net, random, counts);
      });
  fmt::print("{} nets, {} formulas, {} failures\n", counts.nets, counts.formulas, failures);
  for (const auto& [stage, count] : counts.decided) {
    fmt::print("  {}: {} decided without a search\n", stage, count);
  }
  return failures == 0 && counts.nets > options.count / 4 ? 0 : 1;
}
