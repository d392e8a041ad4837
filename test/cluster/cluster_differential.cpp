// Random models explored and labelled by all processes of an MPI run together, against one process:
// the same states, transitions, verdicts, mistakes and limits. Place/transition nets,
// predicate/transition nets and graphs with fairness constraints.
//
//   mpirun -n N cluster_differential [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "base/random.h"
#include "cluster/communicator.h"
#include "cluster/evidence.h"
#include "cluster/exploration.h"
#include "cluster/labelling.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "model/explore.h"
#include "net/net_states.h"
#include "net/prod_states.h"
#include "node_states.h"
#include "run_options.h"
#include "small_nets.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <optional>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kMostStates = 2000;
constexpr std::size_t kMostWitnesses = 3;

struct Counts {
  std::size_t witnesses = 0;
  std::size_t models = 0;
  std::size_t fair = 0;
  std::size_t unbounded = 0;
  std::size_t limits = 0;
  std::size_t mistakes = 0;
};

/// What one question is about.
struct Case {
  std::string what;
  /// Each gives a model of its own: the widths of states belong to whoever explores.
  std::function<std::shared_ptr<model::SuccessorFunction>()> make;
  std::vector<std::string> atoms;
  std::shared_ptr<model::Rsm> machine = nullptr;  // of NodeStates
};

Case random_case(base::Random& random) {
  Case made;
  switch (random.below(3)) {
    case 0: {
      const net::PetriNet net = test::random_petri_net(random);
      made.what = "a place/transition net";
      made.make = [net] { return std::make_shared<net::NetStates>(net); };
      for (const net::PlaceId p : net.places()) {
        made.atoms.push_back(fmt::format("tokens({}) > {}", net.place(p).name, random.below(2)));
      }
      made.atoms.push_back("deadlock");
      break;
    }
    case 1: {
      made.what = test::random_prod_net(random);
      made.make = [text = made.what] {
        return std::make_shared<net::ProdStates>(
            std::make_shared<const net::ProdModel>(base::Input::from_text("random.net", text)));
      };
      made.atoms = {"tokens(\"a<0>\") > 0", "tokens(\"b<1,2>\") > 1", "tokens(c) > 1", "deadlock"};
      break;
    }
    default: {
      generate::RandomRsmOptions options;
      options.components = 1;
      options.boxes = 0;
      options.nodes = random.between(1, 60);
      options.density = (0.7 + 2.0 * static_cast<double>(random.below(100)) / 100) /
                        static_cast<double>(options.nodes);
      options.dead_ends = random.chance(0.6);
      options.any_initial_nodes = random.chance(0.5);
      const auto machine = std::make_shared<model::Rsm>(generate::random_rsm(options, random));
      const auto constraints = static_cast<std::uint32_t>(random.below(4));
      made.what = fmt::format("a graph with {} fairness constraints", constraints);
      made.make = [machine, constraints, seed = random.next()] {
        return std::make_shared<test::NodeStates>(*machine, constraints, seed);
      };
      made.machine = machine;
      made.atoms = {"a", "b", "c"};
      break;
    }
  }
  return made;
}

/// What came of exploring and labelling.
struct Outcome {
  std::string problem;  // a mistake of the model, or a limit
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::vector<bool> verdicts;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string to_text(const Outcome& outcome) {
  return fmt::format("'{}', {} states, {} transitions, verdicts {}", outcome.problem,
                     outcome.states, outcome.transitions, fmt::join(outcome.verdicts, " "));
}

Outcome alone(const Case& test_case, logic::FormulaPool& pool,
              const std::vector<logic::FormulaId>& formulas, model::DeadEnds dead_ends,
              std::uint64_t most) {
  Outcome outcome;
  try {
    const std::shared_ptr<model::SuccessorFunction> states = test_case.make();
    model::Fairness fairness;
    model::ExploreOptions options;
    options.dead_ends = dead_ends;
    options.limits.states = most;
    options.fairness = &fairness;
    const model::Rsm machine = model::explore(states, test_case.atoms, options);
    outcome.states = machine.node_count();
    outcome.transitions = machine.transition_count();
    engine::Env env;
    for (const engine::Result& result : engine::find_engine("labelling")
                                            .make()
                                            ->check({machine, pool, formulas, &fairness}, env)) {
      outcome.verdicts.push_back(result.verdict == engine::Verdict::Holds);
    }
  } catch (const base::Error& error) {
    outcome.problem = error.what();
  } catch (const base::LimitReached& limit) {
    outcome.problem = limit.reason;
  }
  return outcome;
}

Outcome together(cluster::Communicator& communicator, const Case& test_case,
                 logic::FormulaPool& pool, const std::vector<logic::FormulaId>& formulas,
                 model::DeadEnds dead_ends, std::uint64_t most, Counts& counts) {
  Outcome outcome;
  try {
    const std::shared_ptr<model::SuccessorFunction> states = test_case.make();
    cluster::GraphPart part(*states, communicator.size());
    cluster::ExploreHow how;
    how.dead_ends = dead_ends;
    how.limits.states = most;
    cluster::Exploration exploration(communicator, part, how);
    outcome.problem = exploration.go_on();
    if (!outcome.problem.empty()) {
      return outcome;
    }
    outcome.states = communicator.sum(part.states.size());
    base::LimitGuard guard({});
    const cluster::Predecessors predecessors(std::move(part.edges), part.states.size(),
                                             states->mark_count() > 0, guard);
    outcome.transitions = communicator.sum(predecessors.edge_count());
    const cluster::LabelledPart labelled{part.states, part.initial, part.out_degree, predecessors};
    cluster::Labelling labelling(communicator, labelled, pool, {});
    std::vector<logic::FormulaId> normal;
    for (const logic::FormulaId f : formulas) {
      normal.push_back(logic::existential_normal_form(pool, f));
    }
    labelling.run(normal, states->mark_count() > 0);
    for (const logic::FormulaId f : normal) {
      outcome.verdicts.push_back(labelling.holds(f));
    }
    // What it finds is replayed; a rejected witness is an internal error, which ends the test.
    for (std::size_t i = 0; i < std::min(formulas.size(), kMostWitnesses); ++i) {
      cluster::EvidenceFinder finder(communicator, labelled, labelling, pool, dead_ends, {});
      try {
        finder.find(formulas[i], outcome.verdicts[i]);
        ++counts.witnesses;
      } catch (const base::LimitReached& limit) {
        if (!limit.reason.starts_with("no fair path")) {
          outcome.problem = "no witness: " + limit.reason;
        }
      }
    }
  } catch (const base::Error& error) {
    outcome.problem = error.what();
  } catch (const base::LimitReached& limit) {
    outcome.problem = limit.reason;
  }
  return outcome;
}

/// Which one is found first, of several, may differ: the order of exploring does.
std::string kind_of(const std::string& problem) {
  for (const char* kind : {"unbounded", "more than", "has no successors"}) {
    if (problem.find(kind) != std::string::npos) {
      return kind;
    }
  }
  return problem.find("error:") != std::string::npos ? "mistake" : problem;
}

std::string compare(cluster::Communicator& communicator, base::Random& random, Counts& counts,
                    std::string& what) {
  const Case test_case = random_case(random);
  what = test_case.what;
  logic::FormulaPool pool;
  generate::RandomFormulaOptions options;
  options.propositions = test_case.atoms;
  std::vector<logic::FormulaId> formulas;
  for (std::uint64_t f = random.chance(0.1) ? 80 : random.between(1, 6); f > 0; --f) {
    options.quantifier_depth = random.between(1, 4);
    formulas.push_back(generate::random_formula(pool, options, random));
  }
  const model::DeadEnds dead_ends = random.chance(0.7)   ? model::DeadEnds::Keep
                                    : random.chance(0.7) ? model::DeadEnds::Loop
                                                         : model::DeadEnds::Error;
  const std::uint64_t most = random.chance(0.1) ? random.between(1, 50) : kMostStates;
  const Outcome right = alone(test_case, pool, formulas, dead_ends, most);
  const Outcome found = together(communicator, test_case, pool, formulas, dead_ends, most, counts);
  ++counts.models;
  counts.fair += test_case.make()->mark_count() > 0 ? 1 : 0;
  const std::string kind = kind_of(right.problem);
  counts.unbounded += kind == "unbounded" ? 1 : 0;
  counts.limits += kind == "more than" ? 1 : 0;
  counts.mistakes += kind == "mistake" || kind == "has no successors" ? 1 : 0;
  // A model with several reasons to give up may be given up for another one.
  if (!right.problem.empty() && !found.problem.empty()) {
    return {};
  }
  return right == found ? std::string()
                        : fmt::format("together {}\nalone {}", to_text(found), to_text(right));
}

int run(int argc, char** argv) {
  const auto [cases, seed, folder] = test::read_options(argc, argv, "--cases", {1000, 1, "."});
  cluster::Communicator communicator;
  Counts counts;
  std::size_t failures = 0;
  for (std::size_t k = 0; k < cases && failures < 3; ++k) {
    base::Random random(seed + k);
    std::string what;
    const std::string problem = compare(communicator, random, counts, what);
    if (!problem.empty()) {
      if (communicator.is_first()) {
        fmt::print("seed {}: {}\n{}\n", seed + k, problem, what);
      }
      ++failures;
    }
  }
  if (communicator.is_first()) {
    fmt::print(
        "{} processes: {} models, {} fair, {} witnesses, {} unbounded, {} beyond the limit, {} "
        "with mistakes, {} failures\n",
        communicator.size(), counts.models, counts.fair, counts.witnesses, counts.unbounded,
        counts.limits, counts.mistakes, failures);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  cluster::start_mpi(argc, argv);
  const int status = run(argc, argv);
  cluster::end_mpi();
  return status;
}
