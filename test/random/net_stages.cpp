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
  bool in_parts = false;
};
constexpr std::array kStages = {
    Stages{"rewriting", {false, false, false, false}},
    Stages{"state equation", {true, false, false, false}},
    Stages{"reductions", {false, true, false, false}},
    Stages{"stubborn sets", {false, false, true, false}},
    Stages{"decision diagrams", {false, false, false, true}},
    Stages{"without stubborn", {true, true, false, false}},
    Stages{"in parts", {false, false, false, false}, true},
    Stages{"all", {true, true, true, true}, true},
};

struct Counts {
  std::size_t nets = 0;
  std::size_t formulas = 0;
  std::map<std::string, std::size_t> decided;  // without a search, by stage
  std::size_t by_sets = 0;
  std::size_t taken_apart = 0;
};

/// The verdict by sets of markings; if the search says something else, none.
engine::Verdict with_sets(const logic::SmallerQuestion& question, engine::Verdict found,
                          Counts& counts) {
  base::Limits limits;
  limits.steps = 20'000'000;
  engine::Verdict verdict = engine::Verdict::Unknown;
  try {
    verdict = question.by_sets(limits) ? engine::Verdict::Holds : engine::Verdict::Fails;
  } catch (const base::LimitReached&) {  // a reduced net may be unbounded
    return found;
  }
  ++counts.by_sets;
  return verdict == found ? verdict : engine::Verdict::Unknown;
}

engine::Verdict verdict_of(const logic::SmallerQuestion& question, engine::Env& env,
                           Counts& counts) {
  if (question.value) {
    return *question.value ? engine::Verdict::Holds : engine::Verdict::Fails;
  }
  if (!question.parts.empty()) {
    const auto final = question.needs_all ? engine::Verdict::Fails : engine::Verdict::Holds;
    for (const logic::SmallerQuestion& part : question.parts) {
      const engine::Verdict found = verdict_of(part, env, counts);
      if (found == final || found == engine::Verdict::Unknown) {
        return found;
      }
    }
    return question.needs_all ? engine::Verdict::Holds : engine::Verdict::Fails;
  }
  if (question.states == nullptr) {
    return engine::Verdict::Unknown;
  }
  const std::vector<logic::FormulaId> smaller{question.formula};
  const engine::Verdict found =
      engine::find_engine("local")
          .make()
          ->check_on_the_fly({*question.states, model::DeadEnds::Keep, *question.pool, smaller},
                             env)[0]
          .verdict;
  return question.by_sets ? with_sets(question, found, counts) : found;
}

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
    env.seed = k + 1;  // the order of searches
    const std::vector<logic::FormulaId> formulas{formula};
    const engine::Verdict right =
        engine::finite_engine().make()->check({*model, pool, formulas}, env)[0].verdict;
    for (const Stages& stages : kStages) {
      const auto simplifier = net::make_net_simplifier(states, stages.which);
      const logic::SmallerQuestion question = stages.in_parts
                                                  ? simplifier->in_parts(pool, formula, {})
                                                  : simplifier->simplify(pool, formula, {});
      counts.decided[stages.name] += question.value ? 1 : 0;
      counts.taken_apart += question.parts.empty() ? 0 : 1;
      const engine::Verdict found = verdict_of(question, env, counts);
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
  fmt::print("  {} taken apart, {} decided by sets of markings as well\n", counts.taken_apart,
             counts.by_sets);
  for (const auto& [stage, count] : counts.decided) {
    fmt::print("  {}: {} decided without a search\n", stage, count);
  }
  return failures == 0 && counts.nets > options.count / 4 && counts.by_sets > counts.nets &&
                 counts.taken_apart > counts.nets / 4
             ? 0
             : 1;
}
