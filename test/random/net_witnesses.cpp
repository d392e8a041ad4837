// Random nets and formulas: whatever is shown without exploring the net, with all reductions on, is
// evidence about the net as it is given. Each witness is replayed on the states that it names, and
// once more, as the file that `check --json` prints, on all markings.
//
//   net_witnesses [--cases=N] [--seed=S]
//
// Case k of a run has seed S + k, so --seed=K --cases=1 repeats one.

#include "base/input.h"
#include "check/bind.h"
#include "check/replay.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "logic/printer.h"
#include "model/excerpt.h"
#include "model/explore.h"
#include "net/net_simplifier.h"
#include "net/net_states.h"
#include "reducible_net.h"
#include "run_options.h"
#include "session/evidence_on_the_fly.h"
#include "session/excerpt_opinion.h"
#include "session/second_opinion.h"
#include "witness/witness_document.h"
#include "witness/witness_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace {

using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file

constexpr std::size_t kMostStates = 2000;
constexpr std::size_t kFormulas = 6;

struct Counts {
  std::size_t formulas = 0;
  std::size_t shown = 0;
  std::size_t with_paths = 0;
  std::size_t on_all_markings = 0;
  std::map<std::string, std::size_t> not_shown;  // by reason
};

std::optional<model::Rsm> explored(const net::PetriNet& net,
                                   const std::vector<std::string>& atoms) {
  model::ExploreOptions how;
  how.limits.states = kMostStates;
  try {
    return model::explore(std::make_shared<net::NetStates>(net), atoms, how);
  } catch (const base::LimitReached&) {
    return std::nullopt;
  }
}

/// Empty if the witness is accepted.
std::string fault_of(const session::EvidenceOnTheFly::Shown& shown, logic::FormulaPool& pool,
                     logic::FormulaId formula, const logic::Simplifier& simplifier,
                     const std::vector<std::string>& atoms, const model::Rsm* whole) {
  session::Settings settings;
  settings.limits.states = 20 * kMostStates;
  const std::string text = logic::to_string(pool, formula);
  const base::Input input = base::Input::from_text(
      "<witness>", witness::witness_json(*shown.machine, pool, shown.witness, text));
  const std::vector<witness::WitnessDocument> documents = witness::read_witnesses(input);
  const auto given = simplifier.given();
  std::set<std::string, std::less<>> named;
  for (const auto& state : documents.front().states) {
    named.emplace(state.node);
  }
  const model::Rsm excerpt = model::make_excerpt(
      given, [&](std::string_view name) { return named.contains(name); }, atoms, {});
  const check::BoundWitness part = check::bind_witness(documents.front(), excerpt, pool);
  if (!part.fault.empty()) {
    return "on its own states: " + part.fault;
  }
  session::ExcerptOpinion opinion(settings, simplifier, *given);
  check::Replay replayed = check::replay(excerpt, pool, formula, part.witness, &opinion);
  if (replayed.outcome == check::Replay::Outcome::Rejected ||
      (whole != nullptr && !replayed.accepted())) {
    return "on its own states: " + replayed.reason;
  }
  if (whole == nullptr) {
    return {};
  }
  const check::BoundWitness bound = check::bind_witness(documents.front(), *whole, pool);
  if (!bound.fault.empty()) {
    return "on all markings: " + bound.fault;
  }
  session::SecondOpinion second(settings, "local");
  replayed = check::replay(*whole, pool, formula, bound.witness, &second);
  return replayed.accepted() ? std::string() : "on all markings: " + replayed.reason;
}

std::string problem_of(const net::PetriNet& net, base::Random& random, Counts& counts) {
  const auto states = std::make_shared<net::NetStates>(net);
  const auto simplifier = net::make_net_simplifier(states);
  generate::RandomFormulaOptions options;
  options.propositions.clear();
  for (int i = 0; i < 4; ++i) {
    options.propositions.push_back(test::random_atom(net, random));
  }
  const std::optional<model::Rsm> whole = explored(net, options.propositions);
  logic::FormulaPool pool;
  engine::Env env;
  env.limits.states = 20 * kMostStates;
  for (std::size_t k = 0; k < kFormulas; ++k) {
    options.quantifier_depth = random.between(1, 3);
    const logic::FormulaId formula = test::wrapped(
        pool, generate::random_formula(pool, options, random), options.propositions, random);
    const std::vector<logic::FormulaId> formulas{formula};
    const engine::Verdict verdict =
        whole ? engine::finite_engine().make()->check({*whole, pool, formulas}, env)[0].verdict
              : engine::find_engine("local")
                    .make()
                    ->check_on_the_fly(
                        {*simplifier->given(), model::DeadEnds::Keep, pool, formulas}, env)[0]
                    .verdict;
    if (verdict == engine::Verdict::Unknown) {
      continue;
    }
    ++counts.formulas;
    std::string problem;
    try {
      const session::EvidenceOnTheFly::Shown shown =
          session::EvidenceOnTheFly(*simplifier, pool, env.limits)
              .show(formula, verdict == engine::Verdict::Holds);
      problem = fault_of(shown, pool, formula, *simplifier, options.propositions,
                         whole ? &*whole : nullptr);
      ++counts.shown;
      counts.with_paths += std::ranges::any_of(shown.witness.evidence,
                                               [](const auto& e) { return e.path.size() > 1; });
      counts.on_all_markings += whole ? 1 : 0;
    } catch (const base::LimitReached& limit) {
      ++counts.not_shown[limit.reason];
    }
    if (!problem.empty()) {
      return fmt::format("{}: {}: {}", logic::to_string(pool, formula), engine::to_string(verdict),
                         problem);
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
  fmt::print("{} formulas, {} shown, {} with paths, {} replayed on all markings, {} failures\n",
             counts.formulas, counts.shown, counts.with_paths, counts.on_all_markings, failures);
  for (const auto& [reason, count] : counts.not_shown) {
    fmt::print("  {}: {}\n", reason, count);
  }
  return failures == 0 && counts.shown * 10 > counts.formulas * 9 ? 0 : 1;
}
