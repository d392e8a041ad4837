// Every engine of the registry: limits end a check, and only that check; formulas may be deep.

#include "counter_model.h"
#include "engine/registry.h"
#include "generate/random_program.h"
#include "logic/parser.h"
#include "model/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace nestor::engine {
namespace {

using Ref = model::ModelBuilder::Ref;

/// Nodes in a row, the last one a loop.
model::Rsm row_of_nodes(std::size_t length) {
  model::ModelBuilder builder("");
  builder.component("main");
  builder.node({.name = "n0", .is_entry = true});
  for (std::size_t i = 1; i < length; ++i) {
    builder.node({.name = fmt::format("n{}", i)});
    builder.transition(Ref::node(fmt::format("n{}", i - 1)), Ref::node(fmt::format("n{}", i)));
  }
  builder.transition(Ref::node(fmt::format("n{}", length - 1)),
                     Ref::node(fmt::format("n{}", length - 1)));
  builder.initial_component("main");
  return builder.finish();
}

class EveryEngine : public testing::TestWithParam<std::string_view> {
 protected:
  /// `reference` tabulates all sets of exits, so fewer do. `mu` has functions of the exits instead
  /// of contexts, and small ones here; for it the machine is long.
  static model::Rsm endless() {
    if (GetParam() == "mu") {
      return row_of_nodes(200'000);
    }
    return GetParam() == "reference" ? counter(10, 0) : counter(40, 10000);
  }

  std::vector<Result> check(const model::Rsm& model, const std::vector<std::string>& texts,
                            const base::Limits& limits) {
    std::vector<logic::FormulaId> formulas;
    formulas.reserve(texts.size());
    for (const std::string& text : texts) {
      formulas.push_back(logic::parse_formula(pool_, text, {}));
    }
    Env env;
    env.limits = limits;
    return find_engine(GetParam()).make()->check({model, pool_, formulas}, env);
  }

  /// What is true of the state after a return, for each of very many formulas: `mu` has functions
  /// of that and gives up.
  static Verdict deep_verdict() { return GetParam() == "mu" ? Verdict::Unknown : Verdict::Holds; }

  logic::FormulaPool pool_;
};

// True in every state: where no way leads to `good`, none does after a step. But to know it of a
// state one must know its context, and there are too many.
constexpr const char* kEndless = "AG (EF good | AX AG !good)";

/// A millisecond passes each time somebody looks.
std::chrono::steady_clock::time_point tick_of_the_clock() {
  static std::chrono::steady_clock::time_point shown;
  return shown += std::chrono::milliseconds(1);
}

TEST_P(EveryEngine, TimeEndsOneCheckAndNoOther) {
  base::Limits limits{0.3, {}};
  limits.now = tick_of_the_clock;
  const std::vector<Result> results =
      check(endless(), {"AX !good", kEndless, "EX EX true", "AX good"}, limits);
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Unknown);
  EXPECT_EQ(results[1].reason, "timeout after 0.3 s");
  EXPECT_EQ(results[2].verdict, Verdict::Holds);
  EXPECT_EQ(results[3].verdict, Verdict::Fails);
}

TEST_P(EveryEngine, StepsEndOneCheckAndNoOther) {
  base::Limits limits;
  limits.steps = 1'000'000;
  const std::vector<Result> results =
      check(endless(), {"AX !good", kEndless, "EX EX true", "AX good"}, limits);
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Unknown);
  EXPECT_EQ(results[1].reason, "more than 1000000 steps");
  EXPECT_EQ(results[2].verdict, Verdict::Holds);
  EXPECT_EQ(results[3].verdict, Verdict::Fails);
}

TEST_P(EveryEngine, ACancelledCheckEndsAtOnce) {
  const std::atomic<bool> cancelled = true;
  base::Limits limits;
  limits.cancelled = &cancelled;
  const std::vector<Result> results = check(counter(3, 0), {"AX !good", kEndless}, limits);
  EXPECT_EQ(results[0].reason, "cancelled");
  EXPECT_EQ(results[1].reason, "cancelled");
}

TEST_P(EveryEngine, MemoryEndsOneCheckAndNoOther) {
  const std::size_t megabytes = base::resident_bytes() / (std::size_t{1} << 20) + 30;
  const model::Rsm model = endless();
  const std::vector<Result> results =
      check(model, {kEndless, "AX !good", "EX EX true", "AX good"}, {{}, megabytes});
  EXPECT_EQ(results[0].verdict, Verdict::Unknown);
  EXPECT_EQ(results[0].reason, fmt::format("memory over {} MB", megabytes));
  EXPECT_EQ(results[1].verdict, Verdict::Holds);
  EXPECT_EQ(results[2].verdict, Verdict::Holds);
  EXPECT_EQ(results[3].verdict, Verdict::Fails);
  // What the check took is given back, so that it is there for the next one.
  EXPECT_LT(base::resident_bytes() / (std::size_t{1} << 20), megabytes);
}

// Large arrays are asked for before they are there. In a process of its own, whose peak is that of
// this check.
TEST_P(EveryEngine, MemoryIsHardlyOvershot) {
  if (GetParam() == "reference") {
    GTEST_SKIP() << "takes small models only";
  }
  static const model::Rsm model = [] {
    base::Random random(1);
    generate::RandomProgramOptions options;
    options.nodes = 1000000;
    return generate::random_program(options, random);
  }();
  base::release_free_memory();
  for (const std::size_t more : {3U, 9U, 15U, 21U}) {
    const pid_t child = fork();
    if (child == 0) {
      constexpr std::size_t kMegabyte = std::size_t{1} << 20;
      const std::size_t megabytes = base::resident_bytes() / kMegabyte + more;
      // Not to be decided near the initial state: no procedure has `none`, but each might.
      const std::vector<Result> results = check(model, {"AG (p -> EF none)"}, {{}, megabytes});
      const bool unknown = results[0].verdict == Verdict::Unknown;
      const bool kept = base::peak_resident_bytes() <= (megabytes + 4) * kMegabyte;
      std::_Exit(unknown && kept ? 0 : unknown ? 1 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0) << more << " MB more; 1: overshot, 2: decided";
  }
}

TEST_P(EveryEngine, ALimitThatIsNotReachedChangesNothing) {
  base::Limits limits{60, 100000};
  limits.now = tick_of_the_clock;
  limits.steps = 100'000'000;
  const std::vector<Result> results = check(counter(3, 0), {kEndless, "AG EF good"}, limits);
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Fails);  // not from `bad`
}

/// Two procedures that call each other or return, so that contexts differ; `end` is the last state.
model::Rsm small_recursion() {
  model::ModelBuilder builder("");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.node({.name = "end", .is_exit = true});
  builder.label("end");
  builder.box("call", "f");
  builder.transition(Ref::node("start"), Ref::box_node("call", "in"));
  builder.transition(Ref::box_node("call", "out"), Ref::node("end"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true});
  builder.box("again", "f");
  builder.transition(Ref::node("in"), Ref::box_node("again", "in"));
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.transition(Ref::box_node("again", "out"), Ref::node("out"));
  builder.initial_component("main");
  return builder.finish();
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i) {
    repeated += text;
  }
  return repeated;
}

constexpr std::size_t kMany = 100000;
/// Far more than any engine takes, and yet an end.
const base::Limits kEnough{.seconds = {}, .megabytes = {}, .states = {}, .steps = 20'000 * kMany};

TEST_P(EveryEngine, DeepBooleanFormulas) {
  // Where `end` is false each level negates the one inside, and their number is even.
  const std::string text = repeat("!(!end & ", kMany) + "true" + repeat(")", kMany);
  EXPECT_EQ(check(small_recursion(), {text}, kEnough)[0].verdict, Verdict::Holds);
}

TEST_P(EveryEngine, DeepUntil) {
  // E [true U E [true U … end]] is EF end, and that holds.
  const std::string text = repeat("E [true U ", kMany) + "end" + repeat("]", kMany);
  EXPECT_EQ(check(small_recursion(), {text}, kEnough)[0].verdict, deep_verdict());
}

TEST_P(EveryEngine, DeepAlternation) {
  // AG EF end holds in every state, for f can always return; AG of that as well, and so on.
  const std::string text = repeat("AG EF ", kMany / 2) + "end";
  EXPECT_EQ(check(small_recursion(), {text}, kEnough)[0].verdict, deep_verdict());
}

TEST_P(EveryEngine, ManyQuantifiersSideBySide) {
  std::string text = "end";
  for (std::size_t i = 0; i < kMany / 2; ++i) {
    text += fmt::format(" | EX x{}", i);  // propositions that no node has
  }
  EXPECT_EQ(check(small_recursion(), {text}, kEnough)[0].verdict, Verdict::Fails);
}

/// A loop of three nodes of which one has `p`, in a procedure of its own that never returns.
model::Rsm loop_of_three() {
  model::ModelBuilder builder("");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.box("call", "loop");
  builder.transition(Ref::node("start"), Ref::box_node("call", "n0"));
  builder.component("loop");
  builder.node({.name = "n0", .is_entry = true});
  builder.node({.name = "n1"});
  builder.node({.name = "n2"});
  builder.label("p");
  builder.transition(Ref::node("n0"), Ref::node("n1"));
  builder.transition(Ref::node("n1"), Ref::node("n2"));
  builder.transition(Ref::node("n2"), Ref::node("n0"));
  builder.initial_component("main");
  return builder.finish();
}

TEST_P(EveryEngine, DeepNext) {
  // 1 step to n0, 2 to n1, 3 to n2, and again after each 3: 99 999 is a multiple of 3.
  const model::Rsm model = loop_of_three();
  const std::vector<Result> results =
      check(model, {repeat("EX ", kMany - 1) + "p", repeat("AX ", kMany) + "p"}, kEnough);
  EXPECT_EQ(results[0].verdict, Verdict::Holds);
  EXPECT_EQ(results[1].verdict, Verdict::Fails);
}

/// The engines for models with boxes; finite_test.cpp has the others.
std::vector<std::string_view> engines() {
  const model::Rsm model = small_recursion();
  const model::Rsm exits = counter(10, 0);
  logic::FormulaPool pool;
  std::vector<std::string_view> ids;
  for (const EngineInfo& info : engine_registry()) {
    // Both kinds of models below: with recursion, and with many exits.
    if (info.make()->cannot_handle({model, pool, {}}).empty() &&
        info.make()->cannot_handle({exits, pool, {}}).empty()) {
      ids.push_back(info.id);
    }
  }
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryEngine, testing::ValuesIn(engines()),
                         [](const auto& engine) {
                           std::string name(engine.param);  // a test's name has no dashes
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace nestor::engine
