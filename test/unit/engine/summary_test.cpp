// The default engine: batches, jobs, large components, limits. That its verdicts are right is
// shown by test/random; here what it must not depend on.

#include "counter_model.h"
#include "engine/registry.h"
#include "generate/random_formula.h"
#include "generate/random_program.h"
#include "generate/random_rsm.h"
#include "logic/parser.h"
#include "model/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

namespace nestor::engine {
namespace {

using Ref = model::ModelBuilder::Ref;

// Most of these models are small enough for the search near the initial states to answer all.
constexpr const char* kEngine = "summary-whole";

std::vector<Result> check(std::string_view engine, const model::Rsm& model,
                          logic::FormulaPool& pool, const std::vector<logic::FormulaId>& formulas,
                          Env env = {}) {
  return find_engine(engine).make()->check({model, pool, formulas}, env);
}

Verdict check_text(const model::Rsm& model, const std::string& text,
                   std::string_view engine = kEngine) {
  logic::FormulaPool pool;
  return check(engine, model, pool, {logic::parse_formula(pool, text, {})})[0].verdict;
}

/// A recursive model whose nodes carry l0, …, l39 here and there.
model::Rsm labelled_model(std::uint64_t seed) {
  base::Random random(seed);
  generate::RandomRsmOptions options;
  options.components = 6;
  options.boxes = 3;
  options.nodes = 8;
  options.exits = 0.3;
  options.entries_may_exit = true;
  options.dead_ends = true;
  options.labels.clear();
  for (int i = 0; i < 40; ++i) {
    options.labels.push_back({fmt::format("l{}", i), 0.1});
  }
  return generate::random_rsm(options, random);
}

class BatchSize : public testing::TestWithParam<std::size_t> {};

TEST_P(BatchSize, GivesWhatSingleRunsGive) {
  const model::Rsm model = labelled_model(7);
  for (const char* shape : {"AG ({} -> EF {})", "AF EG (!{} | EX {})", "E [!{} U AX {}]"}) {
    logic::FormulaPool pool;
    std::vector<logic::FormulaId> formulas;
    for (std::size_t i = 0; i < GetParam(); ++i) {
      const std::string p = fmt::format("l{}", i % 40);
      const std::string q = fmt::format("l{}", (i / 40 + i + 1) % 40);
      formulas.push_back(logic::parse_formula(pool, fmt::format(fmt::runtime(shape), p, q), {}));
    }
    const std::vector<Result> together = check(kEngine, model, pool, formulas);
    std::size_t holding = 0;
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const Result alone = check(kEngine, model, pool, {formulas[i]})[0];
      ASSERT_EQ(together[i].verdict, alone.verdict) << shape << ' ' << i;
      ASSERT_EQ(together[i].contexts, alone.contexts) << shape << ' ' << i;
      holding += alone.verdict == Verdict::Holds ? 1U : 0U;
    }
    if (formulas.size() > 60) {  // else the comparison would say little
      EXPECT_GT(holding, 0U) << shape;
      EXPECT_LT(holding, formulas.size()) << shape;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BatchSize,
                         testing::Values(1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1000));

TEST(Summary, MixedShapesInOneRunGiveWhatSingleRunsGive) {
  const model::Rsm model = labelled_model(8);
  logic::FormulaPool pool;
  base::Random random(8);
  generate::RandomFormulaOptions options;
  options.propositions = {"l0", "l1", "l2", "l3"};
  std::vector<logic::FormulaId> formulas;
  for (int i = 0; i < 300; ++i) {
    options.quantifier_depth = random.below(4);
    formulas.push_back(generate::random_formula(pool, options, random));
  }
  const std::vector<Result> together = check(kEngine, model, pool, formulas);
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    EXPECT_EQ(together[i].verdict, check(kEngine, model, pool, {formulas[i]})[0].verdict) << i;
  }
}

TEST(Summary, FormulasWithCommonSubformulasGoTogether) {
  const model::Rsm model = labelled_model(8);
  logic::FormulaPool pool;
  const auto batches = [&](const std::vector<const char*>& texts) {
    std::vector<logic::FormulaId> formulas;
    formulas.reserve(texts.size());
    for (const char* text : texts) {
      formulas.push_back(logic::parse_formula(pool, text, {}));
    }
    base::Statistics statistics;
    Env env;
    env.statistics = &statistics;
    const std::vector<Result> together = check(kEngine, model, pool, formulas, env);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const Result alone = check(kEngine, model, pool, {formulas[i]})[0];
      EXPECT_EQ(together[i].verdict, alone.verdict) << texts[i];
      EXPECT_EQ(together[i].contexts, alone.contexts) << texts[i];
    }
    return statistics.counters().at("engine.summary.batches");
  };
  EXPECT_EQ(batches({"AG EG l1", "AF EG l1", "E [l2 U EG l1 & EX l3]", "EG l1"}), 1U);
  EXPECT_EQ(batches({"AG EG l1", "AF EG l2", "EX l3"}), 3U);     // nothing in common
  EXPECT_EQ(batches({"AG EG l1", "AG EG l2", "AF EG l1"}), 2U);  // a pair and one alone
  // Pairs side by side, in whatever order.
  EXPECT_EQ(batches({"AG EG l1", "AF EG l1", "AG EG l2", "AF EG l3", "AG EG l3", "AF EG l2"}), 1U);
  // What all have in common does not keep formulas of one shape apart.
  EXPECT_EQ(batches({"AG (l1 | EG l0)", "AG (l2 | EG l0)", "AG (l3 | EG l0)", "EG l0"}), 2U);
}

TEST(Summary, JobsChangeNothing) {
  const model::Rsm model = labelled_model(9);
  logic::FormulaPool pool;
  std::vector<logic::FormulaId> formulas;
  for (int i = 0; i < 700; ++i) {
    formulas.push_back(
        logic::parse_formula(pool, fmt::format("AG (l{} -> EF l{})", i % 40, (i / 17) % 40), {}));
    formulas.push_back(
        logic::parse_formula(pool, fmt::format("E [l{} U EG l{}]", i % 40, (i / 17) % 40), {}));
  }
  Env env;
  const std::vector<Result> one = check(kEngine, model, pool, formulas, env);
  for (const unsigned jobs : {2U, 8U}) {
    env.jobs = jobs;
    const std::vector<Result> many = check(kEngine, model, pool, formulas, env);
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      ASSERT_EQ(one[i].verdict, many[i].verdict) << jobs << ' ' << i;
      ASSERT_EQ(one[i].contexts, many[i].contexts) << jobs << ' ' << i;
    }
  }
}

/// main calls p0, each p_i calls p_(i+1) and the last one p0 again: one cycle of calls. Each may
/// also return; only the last one carries `last`, only main's end carries `end`.
model::Rsm ring_of_calls(std::size_t procedures) {
  model::ModelBuilder builder("");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true});
  builder.label("end");
  builder.box("call", "p0");
  builder.transition(Ref::node("start"), Ref::box_node("call", "in"));
  builder.transition(Ref::box_node("call", "out"), Ref::node("end"));
  for (std::size_t p = 0; p < procedures; ++p) {
    builder.component(fmt::format("p{}", p));
    builder.node({.name = "in", .is_entry = true});
    builder.node({.name = "middle"});
    if (p + 1 == procedures) {
      builder.label("last");
    }
    builder.node({.name = "out", .is_exit = true});
    builder.box("call", fmt::format("p{}", (p + 1) % procedures));
    builder.transition(Ref::node("in"), Ref::node("middle"));
    builder.transition(Ref::node("middle"), Ref::box_node("call", "in"));
    builder.transition(Ref::node("middle"), Ref::node("out"));
    builder.transition(Ref::box_node("call", "out"), Ref::node("out"));
  }
  builder.initial_component("main");
  return builder.finish();
}

TEST(Summary, OneGiantStronglyConnectedComponent) {
  const model::Rsm model = ring_of_calls(20000);
  EXPECT_EQ(check_text(model, "EF last"), Verdict::Holds);
  EXPECT_EQ(check_text(model, "AG EF end"), Verdict::Holds);  // every call can return
  EXPECT_EQ(check_text(model, "AF end"), Verdict::Fails);     // or go on calling
  EXPECT_EQ(check_text(model, "EG !end"), Verdict::Holds);
  EXPECT_EQ(check_text(model, "AG (last -> EF last)"), Verdict::Holds);
  EXPECT_EQ(check_text(model, "AG AF end"), Verdict::Fails);
  EXPECT_EQ(check_text(model, "E [!last U end]"), Verdict::Holds);
  EXPECT_EQ(check_text(model, "A [!end U last]"), Verdict::Fails);
  EXPECT_EQ(check_text(model, "AG (end -> AX end)"), Verdict::Holds);
}

TEST(Summary, AgreesWithLazyOnProgramsWithRecursion) {
  base::Random random(3);
  generate::RandomProgramOptions options;
  options.nodes = 3000;
  options.recursion = 0.5;
  const model::Rsm model = generate::random_program(options, random);
  for (const char* text : {"EF p", "AG (p -> EF q)", "AG (p -> AF q)", "A [p U q]", "EG !p",
                           "E [!p U q & EX p]", "AG EF (p & AX !q)"}) {
    EXPECT_EQ(check_text(model, text), check_text(model, text, "lazy")) << text;
  }
}

/// main calls f, whose `count` exits lead to different nodes of main: exit i to a node with the
/// label r<i>, from which main ends if i is even and loops forever if it is odd.
model::Rsm many_exits(std::size_t count) {
  model::ModelBuilder builder("");
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  for (std::size_t i = 0; i < count; ++i) {
    builder.node({.name = fmt::format("x{}", i), .is_exit = true});
    builder.transition(Ref::node("in"), Ref::node(fmt::format("x{}", i)));
  }
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true});
  builder.label("end");
  builder.box("b", "f");
  builder.transition(Ref::node("start"), Ref::box_node("b", "in"));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string node = fmt::format("n{}", i);
    builder.node({.name = node});
    builder.label(fmt::format("r{}", i));
    builder.transition(Ref::box_node("b", fmt::format("x{}", i)), Ref::node(node));
    builder.transition(Ref::node(node), Ref::node(i % 2 == 0 ? "end" : node));
  }
  builder.initial_component("main");
  return builder.finish();
}

TEST(Summary, FiveHundredExits) {
  const model::Rsm model = many_exits(500);
  EXPECT_EQ(check_text(model, "EF r499"), Verdict::Holds);
  EXPECT_EQ(check_text(model, "EF EG r499"), Verdict::Holds);  // odd: loops
  EXPECT_EQ(check_text(model, "EF EG r498"), Verdict::Fails);  // even: goes on to the end
  EXPECT_EQ(check_text(model, "AG (r498 -> AF end)"), Verdict::Holds);
  EXPECT_EQ(check_text(model, "AG (r499 -> EF end)"), Verdict::Fails);
  EXPECT_EQ(check_text(model, "EX EX EX r8"), Verdict::Holds);  // start, in, exit, node
  EXPECT_EQ(check_text(model, "EX EX r8"), Verdict::Fails);
  EXPECT_EQ(check_text(model, "EX EX EX EX r8"), Verdict::Fails);  // by then it is at the end
  EXPECT_EQ(check_text(model, "E [!end U r498 & EX end]"), Verdict::Holds);
  EXPECT_EQ(check_text(model, "AX AX AX EF EX end"), Verdict::Fails);
}

/// Sets of exits are held in 16 bits, in words of 64, or in several of them.
TEST(Summary, TheLastOfManyExits) {
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 63U, 64U, 65U, 128U, 129U}) {
    const model::Rsm model = many_exits(count);
    const std::string last = fmt::format("r{}", count - 1);
    const Verdict loops = count % 2 == 0 ? Verdict::Holds : Verdict::Fails;
    const Verdict ends = count % 2 == 0 ? Verdict::Fails : Verdict::Holds;
    const auto verdict = [&](const std::string& text) {
      return check_text(model, text, "summary-whole");
    };
    EXPECT_EQ(verdict("EF " + last), Verdict::Holds) << count;
    EXPECT_EQ(verdict("EF EG " + last), loops) << count;
    EXPECT_EQ(verdict("EF E [!end U " + last + " & EX end]"), ends) << count;
    EXPECT_EQ(verdict("AG (" + last + " -> EF end)"), ends) << count;
    EXPECT_EQ(verdict("EX EX EX " + last), Verdict::Holds) << count;
    // The callee's entry has a way to where `last` holds, and without that node it has not.
    EXPECT_EQ(verdict("EX E [!end U " + last + "]"), Verdict::Holds) << count;
    EXPECT_EQ(verdict("EX EG (!end & !" + last + ")"), count >= 3 ? Verdict::Holds : Verdict::Fails)
        << count;
  }
}

TEST(Summary, FormulasNestedEightDeepAgreeWithReference) {
  std::size_t holding = 0;
  constexpr int kPairs = 400;
  for (int k = 0; k < kPairs; ++k) {
    base::Random random(static_cast<std::uint64_t>(5000 + k));
    generate::RandomRsmOptions options;
    options.components = 2;
    options.nodes = 4;
    options.entries = 0.4;
    options.exits = 0.4;
    options.entries_may_exit = true;
    options.into_entries = true;
    options.dead_ends = k % 2 == 0;
    const model::Rsm model = generate::random_rsm(options, random);
    logic::FormulaPool pool;
    generate::RandomFormulaOptions formula;
    formula.quantifier_depth = 8;
    const logic::FormulaId f = generate::random_formula(pool, formula, random);
    const Verdict verdict = check(kEngine, model, pool, {f})[0].verdict;
    ASSERT_EQ(verdict, check("reference", model, pool, {f})[0].verdict) << k;
    holding += verdict == Verdict::Holds ? 1U : 0U;
  }
  EXPECT_GT(holding, kPairs / 10U);
  EXPECT_LT(holding, kPairs * 9U / 10U);
}

TEST(Summary, FormulasOfAHundredThousandOperatorsAreChecked) {
  const model::Rsm model = ring_of_calls(2);
  std::string nested;
  std::string wide = "end";
  for (int i = 0; i < 100000; ++i) {
    nested += "EX ";
    wide += " | EX end";
  }
  // Every path of the needed length exists; at the end of main it stays there.
  EXPECT_EQ(check_text(model, nested + "true"), Verdict::Holds);
  EXPECT_EQ(check_text(model, wide), Verdict::Fails);
  std::string distinct = "end";
  for (int i = 0; i < 20000; ++i) {
    distinct += fmt::format(" | EX x{}", i);
  }
  EXPECT_EQ(check_text(model, distinct), Verdict::Fails);
}

TEST(Summary, ExponentiallyManyContextsEndInUnknown) {
  const model::Rsm model = counter(40, 0);
  logic::FormulaPool pool;
  const std::vector<logic::FormulaId> formulas{
      logic::parse_formula(pool, "AG (EF good | EX EF good)", {}),
      logic::parse_formula(pool, "EF good", {})};
  Env env;
  env.limits.steps = 1'000'000;
  const std::vector<Result> counted = check(kEngine, model, pool, formulas, env);
  EXPECT_EQ(counted[0].verdict, Verdict::Unknown);
  EXPECT_EQ(counted[0].reason, "more than 1000000 steps");
  EXPECT_EQ(counted[1].verdict, Verdict::Holds);  // the others are still answered

  env.limits = {};
  env.limits.megabytes = base::resident_bytes() / (std::size_t{1} << 20) + 50;
  const std::vector<Result> bounded = check(kEngine, model, pool, formulas, env);
  EXPECT_EQ(bounded[0].verdict, Verdict::Unknown);
  EXPECT_NE(bounded[0].reason.find("memory"), std::string::npos);
  EXPECT_EQ(bounded[1].verdict, Verdict::Holds);
}

/// main calls f twice; p holds between the calls, so after the first only: two contexts for EF p.
model::Rsm called_twice() {
  model::ModelBuilder builder("");
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "between"});
  builder.label("p");
  builder.node({.name = "end", .is_exit = true});
  builder.box("first", "f");
  builder.box("second", "f");
  builder.transition(Ref::node("start"), Ref::box_node("first", "in"));
  builder.transition(Ref::box_node("first", "out"), Ref::node("between"));
  builder.transition(Ref::node("between"), Ref::box_node("second", "in"));
  builder.transition(Ref::box_node("second", "out"), Ref::node("end"));
  builder.initial_component("main");
  return builder.finish();
}

TEST(Summary, ContextsAreThoseTheFormulaNeeds) {
  // No operand needs a context: only the initial one.
  logic::FormulaPool pool;
  const model::Rsm model = many_exits(4);
  const auto contexts = [&](const char* text) {
    return check(kEngine, model, pool, {logic::parse_formula(pool, text, {})})[0].contexts;
  };
  EXPECT_EQ(contexts("EF end"), 1U);
  EXPECT_EQ(contexts("EG !end"), 1U);
  EXPECT_EQ(contexts("AG EF end"), 1U);  // f is called once, so in one context
  const model::Rsm twice = called_twice();
  EXPECT_EQ(check(kEngine, twice, pool, {logic::parse_formula(pool, "AG EF p", {})})[0].contexts,
            2U);
  EXPECT_EQ(check(kEngine, twice, pool, {logic::parse_formula(pool, "AG EF q", {})})[0].contexts,
            1U);
}

// ---- the early end ----

/// The answers of the default engine, and how many of them it found near the initial states.
std::pair<std::vector<Result>, std::size_t> check_early(const model::Rsm& model,
                                                        const std::vector<const char*>& texts) {
  logic::FormulaPool pool;
  std::vector<logic::FormulaId> formulas;
  formulas.reserve(texts.size());
  for (const char* text : texts) {
    formulas.push_back(logic::parse_formula(pool, text, {}));
  }
  base::Statistics statistics;
  Env env;
  env.statistics = &statistics;
  env.limits.steps = 2'000'000;
  std::vector<Result> results = check("summary", model, pool, formulas, env);
  return {std::move(results), statistics.counters().at("engine.summary.decided_early")};
}

TEST(Summary, EndsEarlyWhereTheInitialNodesAreDecided) {
  // The first operand has too many contexts for any engine; it cannot matter any more.
  const auto [results, early] =
      check_early(counter(22, 0), {"AX !good & EF good", "AG (EF good | AX AG !good)",
                                   "AG (EF good | AX AG !good) & AX good", "EX EX true"});
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Unknown);
  EXPECT_EQ(results[2].verdict, Verdict::Fails);
  EXPECT_EQ(results[3].verdict, Verdict::Holds);
  EXPECT_EQ(early, 3U);
}

TEST(Summary, EndsEarlyInAPartOfABatch) {
  // One shape: the two that need the whole model, for they ask for what is not there, stay.
  base::Random random(3);
  generate::RandomProgramOptions options;
  options.nodes = 20000;
  const model::Rsm program = generate::random_program(options, random);
  const auto [results, early] = check_early(program, {"EF p", "EF none", "EF q", "EF nothing"});
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Fails);
  EXPECT_EQ(results[2].verdict, Verdict::Holds);
  EXPECT_EQ(results[3].verdict, Verdict::Fails);
  EXPECT_EQ(early, 2U);
}

TEST(Summary, ANodeWithMoreSuccessorsThanThePrefixIsNotExpanded) {
  model::ModelBuilder builder("");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.label("p");
  for (int i = 0; i < 100000; ++i) {
    builder.node({.name = fmt::format("n{}", i)});
    builder.transition(Ref::node("start"), Ref::node(fmt::format("n{}", i)));
  }
  builder.label("q");  // the last one
  builder.initial_component("main");
  const auto [results, early] = check_early(builder.finish(), {"EX q", "p & EF p", "AX q"});
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Holds);
  EXPECT_EQ(results[2].verdict, Verdict::Fails);
  EXPECT_EQ(early, 1U);
}

}  // namespace
}  // namespace nestor::engine
