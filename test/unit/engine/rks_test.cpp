// The running examples of the thesis on recursive Kripke structures (docs/engines.md): figure 3.7
// with tables 3.1 to 3.3 and 5.1.

#include "engine/registry.h"
#include "logic/parser.h"
#include "model/builder.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace nestor::engine {
namespace {

/// A calls B, and B calls A: x1 leads to the call x2 and past it to x3, the exit. Labels are at the
/// first or at the last location.
model::Rsm mutual_recursion(bool labels_at_exits) {
  using Ref = model::ModelBuilder::Ref;
  model::ModelBuilder builder("figure 3.7");
  for (const char* name : {"A", "B"}) {
    const bool is_a = name[0] == 'A';
    const char* label = is_a ? "q" : "p";
    builder.component(name);
    builder.node({.name = "x1", .is_entry = true});
    if (!labels_at_exits) {
      builder.label(label);
    }
    builder.node({.name = "x3", .is_exit = true});
    if (labels_at_exits) {
      builder.label(label);
    }
    builder.box("x2", is_a ? "B" : "A");
    builder.transition(Ref::node("x1"), Ref::node("x3"));
    builder.transition(Ref::node("x1"), Ref::box_node("x2", "x1"));
    builder.transition(Ref::box_node("x2", "x3"), Ref::node("x3"));
  }
  builder.initial_component("A");
  return builder.finish();
}

Result decide(std::string_view engine, const model::Rsm& model, const std::string& text) {
  logic::FormulaPool pool;
  const logic::FormulaId formula = logic::parse_formula(pool, text, {});
  Env env;
  const std::unique_ptr<Engine> decider = find_engine(engine).make();
  const Task task{model, pool, {&formula, 1}};
  EXPECT_EQ(decider->cannot_handle(task), "");
  return decider->check(task, env).front();
}

constexpr const char* kOnce = "EF p";
constexpr const char* kTwice = "EF (q & EF p)";
constexpr const char* kThrice = "EF (p & EF (q & EF p))";
constexpr const char* kFiveTimes = "EF (p & EF (q & EF (p & EF (q & EF p))))";

class Rks : public testing::TestWithParam<const char*> {};

TEST_P(Rks, LooksDeepEnoughIntoTheRecursion) {
  for (const bool at_exits : {false, true}) {
    const model::Rsm model = mutual_recursion(at_exits);
    for (const char* formula : {kOnce, kTwice, kThrice, kFiveTimes}) {
      EXPECT_EQ(decide(GetParam(), model, formula).verdict, Verdict::Holds) << formula;
    }
    EXPECT_EQ(decide(GetParam(), model, "AG p").verdict, Verdict::Fails);
    // The recursion may go on for ever, or end at the initial exit, which loops.
    EXPECT_EQ(decide(GetParam(), model, "EG (p | q)").verdict,
              at_exits ? Verdict::Fails : Verdict::Holds);
    EXPECT_EQ(decide(GetParam(), model, "AF !(p | q)").verdict,
              at_exits ? Verdict::Holds : Verdict::Fails);
  }
}

TEST_P(Rks, RefusesSeveralExits) {
  model::ModelBuilder builder("two exits");
  builder.component("A");
  builder.node({.name = "a", .is_entry = true, .is_exit = true});
  builder.node({.name = "b", .is_exit = true});
  builder.initial_component("A");
  const model::Rsm model = builder.finish();
  logic::FormulaPool pool;
  const logic::FormulaId formula = pool.constant(true);
  EXPECT_NE(find_engine(GetParam()).make()->cannot_handle({model, pool, {&formula, 1}}), "");
}

INSTANTIATE_TEST_SUITE_P(All, Rks, testing::Values("rks", "rks-incremental", "rks-split"));

TEST(RksContexts, AreThoseOfTheThesis) {
  const model::Rsm at_entries = mutual_recursion(false);
  const model::Rsm at_exits = mutual_recursion(true);
  const auto contexts = [](const model::Rsm& model, const char* formula) {
    return decide("rks", model, formula).contexts;
  };
  // Table 3.1: (A, f), (A, t), (B, f), (B, t); table 3.2: as many again for the outer formula.
  EXPECT_EQ(contexts(at_entries, kOnce), 4U);
  EXPECT_EQ(contexts(at_entries, kTwice), 8U);
  EXPECT_EQ(contexts(at_entries, kThrice), 12U);
  // Table 3.3 has four for the innermost formula, table 5.1 ten for the outermost of three.
  EXPECT_EQ(contexts(at_exits, kOnce), 4U);
  EXPECT_EQ(contexts(at_exits, kThrice) - contexts(at_exits, kTwice), 10U);
}

TEST(RksContexts, AreFewerIncrementally) {
  // The entry of A is labelled: nothing else has to be looked at.
  const model::Rsm model = mutual_recursion(false);
  EXPECT_EQ(decide("rks-incremental", model, "EF q").contexts, 1U);
  EXPECT_EQ(decide("rks", model, "EF q").contexts, 4U);
}

/// f0 calls f1, which calls f2, and so on; the last one has p at its exit.
model::Rsm chain_of_procedures(std::size_t length) {
  using Ref = model::ModelBuilder::Ref;
  model::ModelBuilder builder("chain");
  for (std::size_t i = 0; i < length; ++i) {
    const bool is_last = i + 1 == length;
    builder.component("f" + std::to_string(i));
    builder.node({.name = "e", .is_entry = true});
    builder.node({.name = "x", .is_exit = true});
    if (is_last) {
      builder.label("p");
      builder.transition(Ref::node("e"), Ref::node("x"));
    } else {
      builder.box("b", "f" + std::to_string(i + 1));
      builder.transition(Ref::node("e"), Ref::box_node("b", "e"));
      builder.transition(Ref::box_node("b", "x"), Ref::node("x"));
    }
  }
  builder.initial_component("f0");
  return builder.finish();
}

/// One procedure that makes as many calls, one after the other, with a node between two of them or
/// with none, or one of them.
enum class Calls { Between, InARow, Alternatives };

model::Rsm many_calls(std::size_t count, Calls how) {
  using Ref = model::ModelBuilder::Ref;
  model::ModelBuilder builder("many calls");
  builder.component("main");
  builder.node({.name = "e", .is_entry = true});
  builder.node({.name = "x", .is_exit = true});
  builder.label("p");
  std::deque<std::string> names;  // a Ref has a view of its name
  Ref last = Ref::node("e");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& box = names.emplace_back("b" + std::to_string(i));
    builder.box(box, "g");
    builder.transition(last, Ref::box_node(box, "e"));
    if (how == Calls::Alternatives) {
      builder.transition(Ref::box_node(box, "x"), Ref::node("x"));
      continue;
    }
    last = Ref::box_node(box, "x");
    if (how == Calls::Between) {
      const std::string& node = names.emplace_back("n" + std::to_string(i));
      builder.node({.name = node});
      builder.transition(last, Ref::node(node));
      last = Ref::node(node);
    }
  }
  builder.transition(last, Ref::node("x"));
  builder.component("g");
  builder.node({.name = "e", .is_entry = true});
  builder.node({.name = "x", .is_exit = true});
  builder.transition(Ref::node("e"), Ref::node("x"));
  builder.initial_component("main");
  return builder.finish();
}

// Section 5.4: who calls what has changed is checked again, and only from there. So the work grows
// with the model; a sweep over everything in each round would take a thousand steps a procedure.
TEST_P(Rks, NeedsStepsInProportionToTheModel) {
  constexpr std::size_t kSize = 2000;
  constexpr std::size_t kStepsEach = 60;
  std::vector<model::Rsm> models;
  models.push_back(chain_of_procedures(kSize));
  for (const Calls how : {Calls::Between, Calls::InARow, Calls::Alternatives}) {
    models.push_back(many_calls(kSize, how));
  }
  for (const model::Rsm& model : models) {
    for (const char* text : {"EF p", "EF q", "EG !p", "AF p", "EF (p & EX true)"}) {
      logic::FormulaPool pool;
      const logic::FormulaId formula = logic::parse_formula(pool, text, {});
      Env env;
      env.limits.steps = kStepsEach * kSize;
      const Result result =
          find_engine(GetParam()).make()->check({model, pool, {&formula, 1}}, env).front();
      const bool holds = std::string_view(text) != "EF q" && std::string_view(text) != "EG !p";
      EXPECT_EQ(result.verdict, holds ? Verdict::Holds : Verdict::Fails)
          << text << ": " << result.reason;
    }
  }
}

std::string nested_next(std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += "EX ";
  }
  return text + "true";  // the initial exit loops, so there is always a next state
}

// Formulas with more operators than an engine can handle are not decided; those beside them are.
TEST(RksLimits, AreThoseOfOneFormula) {
  const model::Rsm model = mutual_recursion(false);
  const auto check = [&](const char* engine, std::size_t times) {
    logic::FormulaPool pool;
    const std::vector<logic::FormulaId> formulas = {
        logic::parse_formula(pool, nested_next(times), {}), logic::parse_formula(pool, kOnce, {})};
    Env env;
    return find_engine(engine).make()->check({model, pool, formulas}, env);
  };
  const std::vector<Result> many = check("rks", 10'001);
  EXPECT_EQ(many[0].verdict, Verdict::Unknown);
  EXPECT_EQ(many[0].reason, "the formula has 10001 temporal operators, rks handles at most 10000");
  EXPECT_EQ(many[1].verdict, Verdict::Holds);
  const std::vector<Result> deep = check("rks-incremental", 1001);
  EXPECT_EQ(deep[0].verdict, Verdict::Unknown);
  EXPECT_EQ(deep[0].reason,
            "the formula nests 1001 operators, rks-incremental handles at most 1000");
  EXPECT_EQ(deep[1].verdict, Verdict::Holds);
  EXPECT_EQ(check("rks-incremental", 1000)[0].verdict, Verdict::Holds);
  EXPECT_EQ(check("rks-split", 1500)[0].verdict, Verdict::Holds);
}

}  // namespace
}  // namespace nestor::engine
