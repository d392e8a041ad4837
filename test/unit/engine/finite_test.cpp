#include "engine/finite/dfs.h"
#include "engine/finite/memory_table.h"
#include "engine/finite/subformula_sequence.h"
#include "engine/registry.h"
#include "logic/parser.h"
#include "model/builder.h"
#include "model/explore.h"

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
  for (const std::string_view id : {"emc", "almc", "dfs", "dfs-terminal"}) {
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
  for (const std::string_view id : {"naive", "emc", "almc", "dfs", "dfs-terminal"}) {
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
  for (const std::string_view id : {"emc", "almc", "dfs", "dfs-terminal"}) {
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
  for (const std::string_view id : {"naive", "emc", "almc", "dfs", "dfs-terminal"}) {
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

// [Hel97], section 5: a chain has a component a state, so nothing is ever on a search path twice.
TEST(Dfs, TerminalComponentsFirstKeepTheStacksSmall) {
  const model::Rsm model = chain(1000);
  std::vector<std::uint64_t> peaks;
  for (const std::string_view id : {"dfs", "dfs-terminal"}) {
    logic::FormulaPool pool;
    base::Statistics statistics;
    Env env;
    env.statistics = &statistics;
    const std::vector<logic::FormulaId> formulas = {logic::parse_formula(pool, "AG EF q", {})};
    const auto results = find_engine(id).make()->check({model, pool, formulas}, env);
    EXPECT_EQ(results[0].verdict, Verdict::Holds) << id;
    peaks.push_back(statistics.counters().at("finite.peak_stack"));
  }
  EXPECT_GE(peaks[0], 1000U);
  EXPECT_LE(peaks[1], 4U);
}

/// 0 leads to 1 and 2; 1, 3, 5, … have no end; 2 leads to 4, which stays.
class OddAndEven final : public model::SuccessorFunction {
 public:
  std::size_t state_words() const override { return 1; }
  std::size_t state_bits() const override { return 32; }
  void initial_states(model::StateSink& sink) override { add(0, sink); }
  bool successors(base::StateView state, model::StateSink& sink) override {
    if (state[0] == 0) {
      add(1, sink);
    }
    add(state[0] == 4 ? 4 : state[0] + 2, sink);
    return true;
  }
  Proposition find_proposition(std::string_view atom) override {
    return {static_cast<std::uint32_t>(std::stoul(std::string(atom.substr(1)))), {}, {}};
  }
  bool holds(std::uint32_t proposition, base::StateView state) const override {
    return state[0] == proposition;
  }
  std::vector<std::string> propositions() const override { return {}; }
  std::string describe(base::StateView state) const override { return fmt::format("{}", state[0]); }

 private:
  static void add(std::uint32_t number, model::StateSink& sink) { sink.add(std::span(&number, 1)); }
};

Result on_the_fly(std::string_view text) {
  OddAndEven states;
  logic::FormulaPool pool;
  Env env;
  env.limits.states = 100;
  const std::vector<logic::FormulaId> formulas = {logic::parse_formula(pool, text, {})};
  const std::unique_ptr<Engine> engine = find_engine("dfs").make();
  EXPECT_TRUE(engine->decides_on_the_fly(pool, formulas)) << text;
  return engine->check_on_the_fly({states, model::DeadEnds::Keep, pool, formulas}, env)[0];
}

TEST(Dfs, FindsANearGoalAmongInfinitelyManyStates) {
  EXPECT_EQ(on_the_fly("EF n4").verdict, Verdict::Holds);
  EXPECT_EQ(on_the_fly("AG !n4").verdict, Verdict::Fails);
  EXPECT_EQ(on_the_fly("E [!n3 U n4]").verdict, Verdict::Holds);
  EXPECT_EQ(on_the_fly("E [n0 U n4]").verdict, Verdict::Fails);
  EXPECT_EQ(on_the_fly("EF (n4 & n3)").reason, "more than 100 states");
  EXPECT_EQ(on_the_fly("AF (n1 | n2)").verdict, Verdict::Holds);
  EXPECT_EQ(on_the_fly("AF (n3 | n2)").verdict, Verdict::Holds);
  EXPECT_EQ(on_the_fly("A [(n0 | n1) U (n3 | n4)]").verdict, Verdict::Fails);
  EXPECT_EQ(on_the_fly("EG !(n1 | n3)").verdict, Verdict::Holds);  // 0 2 4 4 4 …
  EXPECT_EQ(on_the_fly("EG (n0 | n2)").verdict, Verdict::Fails);
  logic::FormulaPool pool;
  for (const char* text : {"AG EF n4", "EX n1", "n0", "EF n4 | n1"}) {
    const std::vector<logic::FormulaId> formulas = {logic::parse_formula(pool, text, {})};
    EXPECT_FALSE(find_engine("dfs").make()->decides_on_the_fly(pool, formulas)) << text;
  }
}

// The report's argument for it, in bytes.
TEST(Dfs, NeedsNoPredecessors) {
  const auto bytes_with = [](std::string_view id) {
    /// 0 … 999 in a ring.
    class Ring final : public model::SuccessorFunction {
     public:
      std::size_t state_words() const override { return 1; }
      std::size_t state_bits() const override { return 10; }
      void initial_states(model::StateSink& sink) override { sink.add(std::vector{0U}); }
      bool successors(base::StateView state, model::StateSink& sink) override {
        sink.add(std::vector{(state[0] + 1) % 1000});
        return true;
      }
      Proposition find_proposition(std::string_view) override { return {0, {}, {}}; }
      bool holds(std::uint32_t, base::StateView state) const override { return state[0] == 999; }
      std::vector<std::string> propositions() const override { return {}; }
      std::string describe(base::StateView state) const override {
        return fmt::format("{}", state[0]);
      }
    };
    const model::Rsm model =
        model::explore(std::make_shared<Ring>(), std::vector<std::string>{"p"}, {});
    logic::FormulaPool pool;
    Env env;
    const std::vector<logic::FormulaId> formulas = {logic::parse_formula(pool, "AG EF p", {})};
    const std::size_t before = model.memory_bytes();
    EXPECT_EQ(find_engine(id).make()->check({model, pool, formulas}, env)[0].verdict,
              Verdict::Holds);
    return model.memory_bytes() - before;
  };
  EXPECT_EQ(bytes_with("dfs"), 0U);
  EXPECT_EQ(bytes_with("naive"), 0U);
  EXPECT_GE(bytes_with("emc"), 8000U);  // 1000 transitions and rows
}

}  // namespace
}  // namespace nestor::engine
