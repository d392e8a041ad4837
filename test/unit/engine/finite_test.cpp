#include "engine/finite/dfs.h"
#include "engine/finite/memory_table.h"
#include "engine/finite/subformula_sequence.h"
#include "engine/registry.h"
#include "logic/parser.h"
#include "model/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace nestor::engine {
namespace {

using Type = finite::Subformula::Type;

finite::SubformulaSequence sequence(logic::FormulaPool& pool, std::string_view text) {
  return {pool, logic::parse_formula(pool, text, {})};
}

TEST(SubformulaSequence, KeepsUniversalUntil) {
  for (const std::string_view text : {"A [p U q]", "A [q U p]", "A [!p U q]", "A [p U !q]",
                                      "A [p U AG q]", "A [EX p U A [q U p]]"}) {
    logic::FormulaPool pool;
    const finite::SubformulaSequence sub = sequence(pool, text);
    EXPECT_EQ(sub[sub.top()].type, Type::AU) << text;
  }
  logic::FormulaPool pool;
  const finite::SubformulaSequence sub = sequence(pool, "A [p U q]");
  ASSERT_EQ(sub.length(), 3U);
  EXPECT_EQ(pool.atom_name(sub[sub[2].left].atom), "p");
  EXPECT_EQ(pool.atom_name(sub[sub[2].right].atom), "q");
}

// One operator each, so that all but the dualities is left to the algorithms.
TEST(SubformulaSequence, RewritesToItsOwnOperators) {
  const auto only_temporal = [](std::string_view text) {
    logic::FormulaPool pool;
    const finite::SubformulaSequence sub = sequence(pool, text);
    std::vector<Type> types;
    for (std::uint32_t i = 0; i < sub.length(); ++i) {
      if (sub[i].type == Type::EX || sub[i].type == Type::AU || sub[i].type == Type::EU) {
        types.push_back(sub[i].type);
      }
    }
    return types;
  };
  for (const std::string_view text : {"AF p", "EG p", "A [p U q]", "E [p W q]", "E [p R q]"}) {
    EXPECT_EQ(only_temporal(text), std::vector{Type::AU}) << text;
  }
  for (const std::string_view text : {"EF p", "AG p", "E [p U q]", "A [p W q]", "A [p R q]"}) {
    EXPECT_EQ(only_temporal(text), std::vector{Type::EU}) << text;
  }
  for (const std::string_view text :
       {"EF (p & false)", "A [p U (q -> q)]", "EX false", "AG true"}) {
    EXPECT_TRUE(only_temporal(text).empty()) << text;
  }
}

TEST(SubformulaSequence, ReadsGloballyAsUntil) {
  logic::FormulaPool pool;
  const finite::SubformulaSequence sub = sequence(pool, "EG !p");  // !A [true U p]
  ASSERT_EQ(sub[sub.top()].type, Type::Negation);
  const finite::Subformula& until = sub[sub[sub.top()].left];
  ASSERT_EQ(until.type, Type::AU);
  EXPECT_EQ(sub[until.left].type, Type::True);
  EXPECT_EQ(sub[until.right].type, Type::Atom);
  for (std::uint32_t i = 0; i < sub.length(); ++i) {
    EXPECT_TRUE(sub[i].left < i || sub[i].type == Type::True || sub[i].type == Type::Atom);
  }
}

// The tables of [Hel97], section 4.5, worked out by hand for |S| = 1000 (10 bits), |R| = 3000
// (12 bits), |F| = 5.
TEST(MemoryTable, IsTheReports) {
  const finite::ProblemSize size{1000, 3000, 5};
  const std::uint64_t adjacency = 3000 * 10 + 1000 * 12;
  const finite::MemoryBits naive = finite::memory_bits("naive", size);
  EXPECT_EQ(naive.bitmaps, 5000U);
  EXPECT_EQ(naive.dfs_numbers, 0U);
  EXPECT_EQ(naive.search_stacks, 0U);
  EXPECT_EQ(naive.relations, adjacency);
  const finite::MemoryBits emc = finite::memory_bits("emc", size);
  EXPECT_EQ(emc.bitmaps, 6000U);
  EXPECT_EQ(emc.dfs_numbers, 0U);
  EXPECT_EQ(emc.search_stacks, 10000U);
  EXPECT_EQ(emc.relations, 2 * adjacency);
  const finite::MemoryBits almc = finite::memory_bits("almc", size);
  EXPECT_EQ(almc.bitmaps, 10000U);
  EXPECT_EQ(almc.dfs_numbers, 10000U);
  EXPECT_EQ(almc.search_stacks, 50000U);
  EXPECT_EQ(almc.relations, adjacency);
  const finite::MemoryBits dfs = finite::memory_bits("dfs", size);
  EXPECT_EQ(dfs.bitmaps, 7000U);
  EXPECT_EQ(dfs.dfs_numbers, 10000U);
  EXPECT_EQ(dfs.search_stacks, 20000U);
  EXPECT_EQ(dfs.relations, adjacency);
  EXPECT_EQ(dfs.total(), 37000 + adjacency);
}

/// A chain of states that ends in a loop on the last one, `p` everywhere but there.
model::Rsm chain(int length) {
  model::ModelBuilder builder("chain");
  builder.component("main");
  for (int i = 0; i < length; ++i) {
    const std::string name = fmt::format("s{}", i);
    builder.node({.name = name, .is_entry = i == 0});
    builder.label(i + 1 < length ? "p" : "q");
  }
  for (int i = 0; i < length; ++i) {
    const std::string from = fmt::format("s{}", i);
    const std::string to = fmt::format("s{}", std::min(i + 1, length - 1));
    builder.transition(model::ModelBuilder::Ref::node(from), model::ModelBuilder::Ref::node(to));
  }
  builder.initial_component("main");
  return builder.finish();
}

// Depth grows with the model here: nothing may use the C++ stack for it. And what the stacks hold
// stays within the report's worst case.
TEST(FiniteEngines, GoAsDeepAsTheModel) {
  constexpr int kStates = 300000;
  const model::Rsm model = chain(kStates);
  for (const std::string_view id : {"emc", "almc", "dfs"}) {
    logic::FormulaPool pool;
    base::Statistics statistics;
    Env env;
    env.statistics = &statistics;
    const std::vector<logic::FormulaId> formulas = {logic::parse_formula(pool, "A [p U q]", {}),
                                                    logic::parse_formula(pool, "E [p U AX q]", {}),
                                                    logic::parse_formula(pool, "EG p", {})};
    const auto results = find_engine(id).make()->check({model, pool, formulas}, env);
    EXPECT_EQ(results[0].verdict, Verdict::Holds) << id;
    EXPECT_EQ(results[1].verdict, Verdict::Holds) << id;
    EXPECT_EQ(results[2].verdict, Verdict::Fails) << id;
    const auto& counters = statistics.counters();
    EXPECT_GT(counters.at("finite.peak_stack"), 0U) << id;
    EXPECT_LE(counters.at("finite.peak_stack") * 19, counters.at("finite.bits.search_stacks"))
        << id;  // 19 bits a state
  }
}

TEST(FiniteEngines, StopAtTheirLimits) {
  const model::Rsm model = chain(20000);
  logic::FormulaPool pool;
  Env env;
  env.limits.steps = 10;
  const std::vector<logic::FormulaId> formulas = {logic::parse_formula(pool, "AG EF q", {})};
  for (const std::string_view id : {"naive", "emc", "almc", "dfs"}) {
    const Result result = find_engine(id).make()->check({model, pool, formulas}, env)[0];
    EXPECT_EQ(result.verdict, Verdict::Unknown) << id;
    EXPECT_EQ(result.reason, "more than 10 steps") << id;
  }
}

// The formula is deep; nothing may use the C++ stack for that either.
TEST(FiniteEngines, GoAsDeepAsTheFormula) {
  const model::Rsm model = chain(3);
  logic::FormulaPool pool;
  logic::FormulaId deep = pool.atom("p");
  for (int i = 0; i < 30000; ++i) {
    deep = pool.unary(i % 2 == 0 ? logic::Op::EX : logic::Op::AF, pool.unary(logic::Op::Not, deep));
  }
  const std::vector<logic::FormulaId> formulas = {deep};
  Env plain;
  const Verdict expected =
      find_engine("naive").make()->check({model, pool, formulas}, plain)[0].verdict;
  for (const std::string_view id : {"emc", "almc", "dfs"}) {
    Env env;
    EXPECT_EQ(find_engine(id).make()->check({model, pool, formulas}, env)[0].verdict, expected);
  }
}

TEST(FiniteEngines, LeaveBoxesToOthers) {
  model::ModelBuilder builder("boxes");
  builder.component("main");
  builder.node({.name = "n", .is_entry = true, .is_exit = true});
  builder.box("b", "main");
  builder.initial_component("main");
  const model::Rsm model = builder.finish();
  logic::FormulaPool pool;
  const std::vector<logic::FormulaId> formulas = {pool.constant(true)};
  for (const std::string_view id : {"naive", "emc", "almc", "dfs"}) {
    EXPECT_EQ(find_engine(id).make()->cannot_handle({model, pool, formulas}),
              "this engine decides finite models only, and this one has 1 box");
  }
}

TEST(Dfs, FindsTheCounterexampleOnItsStack) {
  const model::Rsm model = chain(4);
  logic::FormulaPool pool;
  const finite::SubformulaSequence sub = sequence(pool, "A [true U AG p]");
  const finite::FiniteGraph graph(model);
  base::LimitGuard guard({});
  finite::DfsChecker checker(graph, pool, sub, guard);
  checker.evaluate(sub.length());
  // s0 s1 s2 s3 and the loop at s3
  const finite::Subformula& until = sub[sub.top()];
  EXPECT_EQ(checker.path(finite::DfsChecker::Search::Counterexample, checker.labeled(until.left),
                         checker.labeled(until.right), model::NodeId(0)),
            (std::vector{model::NodeId(0), model::NodeId(1), model::NodeId(2), model::NodeId(3),
                         model::NodeId(3)}));
}

}  // namespace
}  // namespace nestor::engine
