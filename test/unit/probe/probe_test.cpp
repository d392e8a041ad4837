#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_rsm.h"
#include "logic/normal_form.h"
#include "logic/printer.h"
#include "probe/configuration.h"
#include "probe/evidence.h"
#include "probe/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace nestor::probe {
namespace {

model::Rsm random_model(base::Random& random) {
  generate::RandomRsmOptions options;
  options.components = random.between(1, 3);
  options.nodes = random.between(2, 5);
  options.boxes = random.between(0, 2);
  options.exits = 0.3;
  options.entries = 0.3;
  options.density = 0.25;
  options.exits_go_on = random.chance(0.3);
  options.entries_may_exit = random.chance(0.3);
  options.dead_ends = random.chance(0.5);
  options.any_initial_nodes = random.chance(0.5);
  return generate::random_rsm(options, random);
}

// What the oracle says of a state must agree with what it says of the successors, whatever the
// stack; and in the initial states with `reference`.
TEST(Probe, OracleFollowsTheSemantics) {
  std::size_t deep = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    base::Random random(seed);
    const model::Rsm model = random_model(random);
    session::Session session;
    session.about(session::Subject::borrowed(model));
    logic::FormulaPool& pool = session.pool();
    generate::RandomFormulaOptions options;
    options.quantifier_depth = 2;
    const logic::FormulaId inner =
        logic::existential_normal_form(pool, generate::random_formula(pool, options, random));
    const logic::FormulaId next =
        logic::existential_normal_form(pool, pool.unary(logic::Op::EX, inner));
    const logic::FormulaId globally =
        logic::existential_normal_form(pool, pool.unary(logic::Op::EG, inner));
    Oracle oracle(session);
    engine::Env env;
    const std::vector<logic::FormulaId> formulas = {inner};
    const engine::Verdict verdict =
        engine::find_engine("reference").make()->check({model, pool, formulas}, env)[0].verdict;
    const std::vector<Configuration> initial = initial_configurations(model);
    ASSERT_EQ(std::ranges::all_of(initial,
                                  [&](const Configuration& s) { return oracle.holds(inner, s); }),
              verdict == engine::Verdict::Holds)
        << "seed " << seed;
    Configuration state = initial[random.below(initial.size())];
    for (int step = 0; step < 6; ++step) {
      const std::vector<Configuration> after = successors(model, state);
      const auto some = [&](logic::FormulaId f) {
        return std::ranges::any_of(after,
                                   [&](const Configuration& s) { return oracle.holds(f, s); });
      };
      ASSERT_EQ(oracle.holds(next, state), next == inner ? oracle.holds(inner, state) : some(inner))
          << "seed " << seed << ": " << logic::to_string(pool, next);
      if (pool[globally].op == logic::Op::EG) {
        ASSERT_EQ(oracle.holds(globally, state),
                  oracle.holds(inner, state) && (after.empty() || some(globally)))
            << "seed " << seed << ": " << logic::to_string(pool, globally);
      }
      deep += state.stack.size() >= 2 ? 1 : 0;
      if (after.empty()) {
        break;
      }
      state = after[random.below(after.size())];
    }
  }
  EXPECT_GT(deep, 50U);
}

// Paths are paths of the model, from the state on, and show what they are said to.
TEST(Probe, EvidenceShowsTheFormula) {
  std::size_t shown = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    base::Random random(seed);
    const model::Rsm model = random_model(random);
    session::Session session;
    session.about(session::Subject::borrowed(model));
    logic::FormulaPool& pool = session.pool();
    const logic::FormulaId left = pool.atom("b");
    const logic::FormulaId right = pool.atom("a");
    const logic::FormulaId until = pool.binary(logic::Op::EU, left, right);
    const logic::FormulaId globally = pool.unary(logic::Op::EG, left);
    Oracle oracle(session);
    const Configuration state = initial_configurations(model).front();
    for (const logic::FormulaId f : {until, globally}) {
      const ShownPath evidence = find_evidence(model, pool, oracle, f, state);
      ASSERT_FALSE(evidence.path.empty());
      ASSERT_EQ(evidence.path.front(), state);
      for (std::size_t i = 0; i + 1 < evidence.path.size(); ++i) {
        const auto next = successors(model, evidence.path[i]);
        ASSERT_NE(std::ranges::find(next, evidence.path[i + 1]), next.end()) << "seed " << seed;
        ASSERT_TRUE(oracle.holds(left, evidence.path[i])) << "seed " << seed;
      }
      if (oracle.holds(f, state)) {
        ASSERT_TRUE(oracle.holds(f == until ? right : left, evidence.path.back()));
        shown += evidence.path.size() > 2 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(shown, 20U);
}

}  // namespace
}  // namespace nestor::probe
