#include <gtest/gtest.h>

#include <algorithm>
#include <nestor/nestor.h>
#include <set>

namespace nestor {
namespace {

// a leads to b, which loops, and to c, which is a dead end.
constexpr const char* kDeadEnd = R"(MODULE main
VAR x : {a, b, c};
INIT x = a
TRANS (x = a & (next(x) = b | next(x) = c)) | (x = b & next(x) = b)
)";

TEST(StateGraph, WalksThroughCalls) {
  StateGraph graph(Model::read(NESTOR_SOURCE_DIR "/examples/dataflow.rsm"));
  EXPECT_FALSE(graph.is_flat());
  StateGraph::State here = graph.initial().front();
  const Formula used = Formula::parse("use_i");
  const auto path = graph.shortest_path(here, used);
  ASSERT_TRUE(path);
  ASSERT_GT(path->states.size(), 1U);
  for (std::size_t i = 0; i + 1 < path->states.size(); ++i) {
    const auto next = graph.successors(path->states[i]);
    EXPECT_NE(std::ranges::find(next, path->states[i + 1]), next.end());
    EXPECT_EQ(graph.check(used, path->states[i]).verdict, Verdict::Fails);
  }
  here = path->states.back();
  EXPECT_EQ(graph.describe(here), "main.call_b/b.b_23_5");
  EXPECT_EQ(here.calls.size(), 1U);
  const std::vector<std::string> labels = graph.labels(here);
  EXPECT_NE(std::ranges::find(labels, "use_i"), labels.end());
  EXPECT_THROW(graph.reachable(), Error);
  EXPECT_THROW(graph.predecessors(here), Error);
  EXPECT_THROW(graph.strong_components(), Error);
}

TEST(StateGraph, RefusesWhatIsNoState) {
  StateGraph graph(Model::read(NESTOR_SOURCE_DIR "/examples/dataflow.rsm"));
  EXPECT_THROW(graph.describe({{}, 1'000'000}), Error);
  EXPECT_THROW(graph.successors({{1'000'000}, 0}), Error);
  StateGraph::State twice = graph.initial().front();
  const auto inside = graph.shortest_path(twice, Formula::atom("use_i"));
  twice = inside->states.back();
  twice.calls.push_back(twice.calls.front());  // `b` does not have that box
  EXPECT_THROW(graph.labels(twice), Error);
}

TEST(StateGraph, RefusesOtherLogics) {
  StateGraph graph(Model::parse(kDeadEnd, "smv"));
  const StateGraph::State here = graph.initial().front();
  EXPECT_THROW(graph.check(Formula::parse_mu("nu X. mu Y. <>(p & X | Y)"), here), Error);
  EXPECT_THROW(graph.check(Formula::parse("A (F G \"x = b\")"), here), Error);
}

// Whatever they mean when the model is checked: who walks sees paths end.
TEST(StateGraph, PathsEndInDeadEnds) {
  StateGraph graph(Model::parse(kDeadEnd, "smv"));
  ASSERT_TRUE(graph.is_flat());
  const auto all = graph.reachable();
  ASSERT_EQ(all.size(), 3U);
  const auto end = std::ranges::find_if(
      all, [&](const StateGraph::State& s) { return graph.successors(s).empty(); });
  ASSERT_NE(end, all.end());
  const auto holds = [&](const char* text, const StateGraph::State& state) {
    return graph.check(Formula::parse(text), state).verdict == Verdict::Holds;
  };
  EXPECT_FALSE(holds("EX true", *end));
  EXPECT_FALSE(holds("EX x = c", *end));
  EXPECT_TRUE(holds("EG x = c", *end));
  EXPECT_TRUE(holds("EG !(x = b)", all.front()));
  const auto shown = graph.explain(Formula::parse("EG !(x = b)"), all.front());
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->states, (std::vector{all.front(), *end}));
  EXPECT_EQ(graph.predecessors(*end), std::vector{all.front()});
  const auto components = graph.strong_components();
  EXPECT_EQ(components.size(), 3U);
  EXPECT_EQ(std::ranges::count_if(components, [](const auto& c) { return !c.is_left; }), 2);
  EXPECT_EQ(std::ranges::count_if(components, [](const auto& c) { return c.is_loop; }), 1);
}

TEST(StateGraph, LimitsAreNoErrors) {
  Settings settings;
  settings.limits.steps = 1;
  StateGraph graph(Model::read(NESTOR_SOURCE_DIR "/examples/dataflow.rsm"), settings);
  const Result result = graph.check(Formula::parse("AG EF end"), graph.initial().front());
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_FALSE(result.reason.empty());
}

// What dead ends mean belongs to the model: what a session is told must not be ignored.
TEST(DeadEnds, AreSaidWhenTheModelIsMade) {
  const auto decided = [](const Model& model) {
    return decide(model, Formula::parse("EG !(x = b)")).verdict;
  };
  EXPECT_EQ(decided(Model::parse(kDeadEnd, "smv")), Verdict::Fails);
  const Model keeping = Model::parse(kDeadEnd, "smv", "keep", {.dead_ends = DeadEnds::Keep});
  EXPECT_EQ(decided(keeping), Verdict::Holds);
  EXPECT_THROW(Session(keeping, {.dead_ends = DeadEnds::Infinite}), Error);
  EXPECT_NO_THROW(Session(keeping, {.dead_ends = DeadEnds::Keep}));
  for (const DeadEnds meaning : {DeadEnds::Keep, DeadEnds::Infinite}) {
    ModelBuilder builder;
    builder.component("main").node({"a", true}).node({"b"}).node({"c"});
    builder.transition("a", "b").transition("b", "b").transition("a", "c");
    const Model built = builder.initial_component("main").finish(meaning);
    EXPECT_EQ(decide(built, Formula::parse("EX EX true")).verdict, Verdict::Holds);
    EXPECT_EQ(decide(built, Formula::parse("AX EX true")).verdict,
              meaning == DeadEnds::Keep ? Verdict::Fails : Verdict::Holds);
  }
}

TEST(Generate, IsDeterministicAndRefusesSizes) {
  EXPECT_EQ(random_rsm({}, 7).write(), random_rsm({}, 7).write());
  EXPECT_NE(random_rsm({}, 7).write(), random_rsm({}, 8).write());
  EXPECT_THROW(random_rsm({.components = 0}, 1), Error);
  EXPECT_THROW(random_program({.nodes = 0}, 1), Error);
  EXPECT_THROW(random_pushdown({.controls = 100'000'000, .symbols = 100}, 1), Error);
  EXPECT_THROW(random_formulas(0, {}, 1), Error);
  Model system = Model::parse(random_pushdown({}, 3), "pds");
  EXPECT_GT(system.sizes().nodes, 0U);
  std::set<std::string> texts;
  for (const Formula& formula : random_formulas(20, {}, 5)) {
    texts.insert(formula.to_string());
    EXPECT_EQ(Formula::parse(formula.to_string()), formula);
  }
  EXPECT_GT(texts.size(), 10U);
}

TEST(Generate, UseDef) {
  const auto formulas =
      use_def_formulas({.path = NESTOR_SOURCE_DIR "/test/fuzz/corpus/pdmu/program.pdmu"});
  ASSERT_FALSE(formulas.empty());
  for (const Formula& formula : formulas) {
    EXPECT_EQ(formula.op(), "AG");
    EXPECT_EQ(formula.operands()[0].op(), "implies");
  }
}

}  // namespace
}  // namespace nestor
