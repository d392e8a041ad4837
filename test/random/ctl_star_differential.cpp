// LTL and CTL* on random machines: the engine against paths with guessed values on the unfolded
// states. Its witnesses are replayed, as they are and after a way through JSON; where quantifiers
// nest, replaying asks the engine again, and without what it says nothing must be rejected. Where
// calls end, the same formula is also decided on the finite graph that inlining them gives.
//
//   ctl_star_differential [--pairs=N] [--seed=S]

#include "check/bind.h"
#include "check/replay.h"
#include "draft.h"
#include "engine/registry.h"
#include "logic/infinite_paths.h"
#include "logic/parser.h"
#include "logic/printer.h"
#include "path_case.h"
#include "path_oracle.h"
#include "run_options.h"
#include "unfolding.h"
#include "witness/witness_document.h"
#include "witness/witness_writer.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace nestor::test {
namespace {

constexpr std::size_t kMostStates = 24;
constexpr std::size_t kMostInlined = 500;

class Decider : public check::Decider {
 public:
  std::vector<check::Decision> decide(const model::Rsm& model, logic::FormulaPool& pool,
                                      std::span<const logic::FormulaId> formulas) override {
    engine::Env env;
    std::vector<check::Decision> decisions;
    for (const engine::Result& result :
         engine::path_engine().make()->check({model, pool, formulas}, env)) {
      decisions.push_back({result.verdict == engine::Verdict::Holds
                               ? check::Decision::Answer::Holds
                               : check::Decision::Answer::Fails,
                           ""});
    }
    return decisions;
  }
};

/// What is wrong with the witness of the verdict.
std::string witness_fault(const model::Rsm& model, logic::FormulaPool& pool,
                          logic::FormulaId formula, bool holds) {
  engine::Env env;
  const std::optional<witness::Witness> witness =
      engine::path_engine().make()->explain({model, pool, formula, holds}, env);
  if (!witness) {
    return "there is none";
  }
  Decider decider;
  const check::Replay alone = check::replay(model, pool, formula, *witness, nullptr);
  const check::Replay whole = check::replay(model, pool, formula, *witness, &decider);
  if (alone.outcome == check::Replay::Outcome::Rejected || !whole.accepted()) {
    return whole.accepted() ? alone.reason : whole.reason;
  }
  // The quantifier of `A (G p)` may stand apart only in trees that nobody can write.
  const std::string text = logic::to_string(pool, formula);
  if (logic::parse_formula(pool, text, {"", 1, 1}) != formula) {
    return "";
  }
  const check::BoundWitness bound = check::bind_witness(
      witness::read_witnesses(
          base::Input::from_text("witness", witness::witness_json(model, pool, *witness, text)))
          .at(0),
      model, pool);
  return bound.fault.empty() ? check::replay(model, pool, formula, bound.witness, &decider).reason
                             : bound.fault;
}

/// The same with infinite paths only; false if that is wrong.
bool compare_infinite(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                      std::size_t& compared) {
  const std::optional<bool> expected = holds_by_guessing(model, pool, formula, kMostStates, true);
  if (!expected) {
    return true;
  }
  ++compared;
  const logic::FormulaId translated = logic::on_infinite_paths(pool, formula);
  engine::Env env;
  return engine::path_engine().make()->check({model, pool, {&translated, 1}}, env)[0].verdict ==
         (*expected ? engine::Verdict::Holds : engine::Verdict::Fails);
}

/// A machine whose calls end, all states (stack, node) as nodes of one component; nothing if there
/// are too many.
std::optional<model::Rsm> inlined(const model::Rsm& model) {
  const Explored<UnfoldedState> all = unfold(model, kMostInlined);
  if (std::ranges::find(all.graph.unknown, true) != all.graph.unknown.end()) {
    return std::nullopt;
  }
  Draft draft;
  Draft::Component& main = draft.components.emplace_back();
  main.name = "main";
  for (std::size_t s = 0; s < all.states.size(); ++s) {
    Draft::Node& node = main.nodes.emplace_back();
    node.name = fmt::format("s{}", s);
    node.is_entry = s < all.graph.initial;
    for (const model::PropId p : model.props_of(all.states[s].node)) {
      node.labels.emplace_back(model.prop_name(p));
    }
    for (const std::size_t next : all.graph.successors[s]) {
      main.transitions.push_back({{Draft::kNoBox, s}, {Draft::kNoBox, next}});
    }
  }
  for (std::size_t s = 0; s < all.graph.initial; ++s) {
    draft.initial_nodes.push_back(s);
  }
  return build(draft);
}

int run(const RunOptions& options) {
  std::size_t on_inlined = 0;
  std::size_t wrong = 0;
  std::size_t infinite = 0;
  std::size_t compared = 0;
  for (std::size_t i = 0; compared < options.count && wrong < 5; ++i) {
    const std::uint64_t seed = options.seed + i;
    std::mt19937_64 random(seed);
    logic::FormulaPool pool;
    const model::Rsm model = random_path_machine(seed);
    const std::optional<model::Rsm> graph =
        model.box_count() > 0 ? inlined(model) : std::optional<model::Rsm>();
    for (int k = 0; k < 4; ++k) {
      const logic::FormulaId formula = random_path_question(pool, random, k == 0);
      if (graph) {
        ++on_inlined;
        engine::Env first;
        engine::Env second;
        const std::unique_ptr<engine::Engine> engine = engine::path_engine().make();
        if (engine->check({model, pool, {&formula, 1}}, first)[0].verdict !=
            engine->check({*graph, pool, {&formula, 1}}, second)[0].verdict) {
          ++wrong;
          fmt::print("seed {}, formula {}: {} differs where calls are inlined\n", seed, k,
                     logic::to_string(pool, formula));
        }
      }
      const std::optional<bool> expected = holds_by_guessing(model, pool, formula, kMostStates);
      if (!expected) {
        continue;
      }
      ++compared;
      if (!compare_infinite(model, pool, formula, infinite)) {
        ++wrong;
        fmt::print("seed {}, formula {}: {} on infinite paths, wrong\n", seed, k,
                   logic::to_string(pool, formula));
      }
      engine::Env env;
      const engine::Verdict found =
          engine::path_engine().make()->check({model, pool, {&formula, 1}}, env)[0].verdict;
      if (found != (*expected ? engine::Verdict::Holds : engine::Verdict::Fails)) {
        ++wrong;
        fmt::print("seed {}, formula {}: {} {}, expected {}\n", seed, k, engine::to_string(found),
                   logic::to_string(pool, formula), *expected ? "holds" : "fails");
      } else if (const std::string fault = witness_fault(model, pool, formula, *expected);
                 !fault.empty()) {
        ++wrong;
        fmt::print("seed {}, formula {}: witness of {}: {}\n", seed, k,
                   logic::to_string(pool, formula), fault);
      }
    }
  }
  fmt::print("{} pairs, {} with infinite paths only, {} with calls inlined, {} wrong\n", compared,
             infinite, on_inlined, wrong);
  return wrong == 0 && infinite > compared / 4 && on_inlined > compared / 4 ? 0 : 1;
}

}  // namespace
}  // namespace nestor::test

int main(int argc, char** argv) {
  return nestor::test::run(nestor::test::read_options(argc, argv, "--pairs", {20'000, 1, ""}));
}
