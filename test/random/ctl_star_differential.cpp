// LTL and CTL* on random machines: the engine against paths with guessed values on the unfolded
// states. Its witnesses are replayed, as they are and after a way through JSON; where quantifiers
// nest, replaying asks the engine again, and without what it says nothing must be rejected.
//
//   ctl_star_differential [--pairs=N] [--seed=S]

#include "check/bind.h"
#include "check/replay.h"
#include "engine/registry.h"
#include "generate/random_rsm.h"
#include "logic/parser.h"
#include "logic/path_formula.h"
#include "logic/printer.h"
#include "path_oracle.h"
#include "path_words.h"
#include "run_options.h"
#include "witness/witness_document.h"
#include "witness/witness_writer.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

namespace nestor::test {
namespace {

constexpr std::size_t kMostOperators = 3;
constexpr std::size_t kMostStates = 24;

model::Rsm random_machine(std::uint64_t seed) {
  base::Random random(seed);
  std::mt19937_64 coin(seed);
  generate::RandomRsmOptions options;
  options.components = 1 + coin() % 3;
  options.boxes = coin() % 3;
  options.nodes = 2 + coin() % 3;
  options.exits = coin() % 2 == 0 ? 0.05 : 0.5;
  options.entries = coin() % 2 == 0 ? 0.05 : 0.5;
  options.density = 0.2;
  options.hierarchical = coin() % 3 != 0;
  options.entries_may_exit = coin() % 2 == 0;
  options.into_entries = coin() % 2 == 0;
  options.exits_go_on = coin() % 3 == 0;
  options.some_never_exit = coin() % 4 == 0;
  options.dead_ends = coin() % 2 == 0;
  options.forward = coin() % 3 == 0;
  return generate::random_rsm(options, random);
}

/// `formula` with the atom `c` replaced.
logic::FormulaId replaced(logic::FormulaPool& pool, logic::FormulaId formula, logic::FormulaId by) {
  std::map<logic::FormulaId, logic::FormulaId> made;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    const logic::Formula node = pool[f];
    const int operands = logic::operand_count(node.op);
    made[f] = node.op == logic::Op::Atom && pool.atom_name(f) == "c" ? by
              : operands == 0                                        ? f
              : operands == 1 ? pool.unary(node.op, made[node.left])
                              : pool.binary(node.op, made[node.left], made[node.right]);
  }
  return made[formula];
}

logic::FormulaId random_quantified(logic::FormulaPool& pool, std::mt19937_64& random) {
  for (;;) {
    const logic::FormulaId path =
        random_path_formula(pool, random, static_cast<int>(1 + random() % 5), 3, random() % 4 == 0);
    if (path_operator_count(pool, path) <= kMostOperators && !pool.is_state_formula(path)) {
      return path;
    }
  }
}

logic::FormulaId random_formula(logic::FormulaPool& pool, std::mt19937_64& random, bool nests) {
  logic::FormulaId path = random_quantified(pool, random);
  if (nests) {
    path = replaced(pool, path,
                    logic::quantified(pool, random() % 2 == 0, random_quantified(pool, random)));
  }
  // Not `quantified`: so that CTL's operators are also tried with their quantifiers apart.
  return random() % 2 == 0 ? logic::quantified(pool, random() % 2 == 0, path)
                           : pool.unary(random() % 2 == 0 ? logic::Op::A : logic::Op::E, path);
}

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

int run(const RunOptions& options) {
  std::size_t wrong = 0;
  std::size_t compared = 0;
  for (std::size_t i = 0; compared < options.count && wrong < 5; ++i) {
    const std::uint64_t seed = options.seed + i;
    std::mt19937_64 random(seed);
    logic::FormulaPool pool;
    const model::Rsm model = random_machine(seed);
    for (int k = 0; k < 4; ++k) {
      const logic::FormulaId formula = random_formula(pool, random, k == 0);
      const std::optional<bool> expected = holds_by_guessing(model, pool, formula, kMostStates);
      if (!expected) {
        continue;
      }
      ++compared;
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
  fmt::print("{} pairs, {} wrong\n", compared, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nestor::test

int main(int argc, char** argv) {
  return nestor::test::run(nestor::test::read_options(argc, argv, "--pairs", {20'000, 1, ""}));
}
