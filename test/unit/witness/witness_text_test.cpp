#include "witness/witness_text.h"

#include "logic/parser.h"
#include "model/builder.h"
#include "witness/witness_dot.h"

#include <gtest/gtest.h>

#include <string>

namespace nestor::witness {
namespace {

using Ref = model::ModelBuilder::Ref;

constexpr std::size_t kSteps = 50;

/// main calls parse and then goes on for a while; parse takes some steps and, if `eventful`, one of
/// them carries p.
model::Rsm make_model(bool eventful) {
  model::ModelBuilder builder("model");
  builder.component("main");
  builder.node({.name = "a\"b", .is_entry = true});
  for (std::size_t i = 0; i <= kSteps; ++i) {
    builder.node({.name = "m" + std::to_string(i)});
  }
  builder.label("p");
  builder.box("call", "parse");
  builder.transition(Ref::node("a\"b"), Ref::box_node("call", "p0"));
  builder.transition(Ref::box_node("call", "p4"), Ref::node("m0"));
  for (std::size_t i = 0; i < kSteps; ++i) {
    builder.transition(Ref::node("m" + std::to_string(i)), Ref::node("m" + std::to_string(i + 1)));
  }
  builder.component("parse");
  for (std::size_t i = 0; i < 5; ++i) {
    builder.node({.name = "p" + std::to_string(i), .is_entry = i == 0, .is_exit = i == 4});
    if (eventful && i == 2) {
      builder.label("p");
    }
    if (i > 0) {
      builder.transition(Ref::node("p" + std::to_string(i - 1)),
                         Ref::node("p" + std::to_string(i)));
    }
  }
  builder.initial_component("main");
  return builder.finish();
}

/// The path to the last node of main.
Witness make_witness(const model::Rsm& model, logic::FormulaPool& pool) {
  Witness witness;
  witness.formula = logic::parse_formula(pool, "EF p", {});
  Evidence path;
  path.kind = Evidence::Kind::Until;
  path.claim = {witness.formula, true};
  const model::Component& main = model.component(model::ComponentId(0));
  const model::StackId inside = witness.stacks.push(model::StackTable::kEmpty, main.first_box);
  const auto add = [&](model::StackId stack, model::NodeId n) {
    path.path.push_back(witness.states.push_back({stack, n}));
  };
  add(model::StackTable::kEmpty, main.first_node);
  path.state = path.path.front();
  for (const model::NodeId n : model.component(model::ComponentId(1)).plain_nodes()) {
    path.steps.push_back(path.steps.empty() ? model::Step::Call : model::Step::Local);
    add(inside, n);
  }
  for (std::size_t i = 1; i < main.plain_nodes().size(); ++i) {
    path.steps.push_back(i == 1 ? model::Step::Return : model::Step::Local);
    add(model::StackTable::kEmpty, main.first_node + i);
  }
  witness.roots = {witness.evidence.push_back(path)};
  return witness;
}

bool has_line(const std::string& text, const std::string& line) {
  return text.find(line + "\n") != std::string::npos;
}

TEST(WitnessText, FoldsACallInWhichNothingHappens) {
  const model::Rsm model = make_model(false);
  logic::FormulaPool pool;
  const std::string text = witness_text(model, pool, make_witness(model, pool));
  EXPECT_TRUE(has_line(text, "              … 5 steps inside parse() …")) << text;
  EXPECT_EQ(text.find("parse.p2"), std::string::npos) << text;
  EXPECT_TRUE(has_line(text, "         6  return to main.m0")) << text;
  EXPECT_TRUE(has_line(text, "        56  main.m50  {p}")) << text;
}

TEST(WitnessText, ShowsACallInWhichALabelChanges) {
  const model::Rsm model = make_model(true);
  logic::FormulaPool pool;
  const std::string text = witness_text(model, pool, make_witness(model, pool));
  EXPECT_TRUE(has_line(text, "         1    call parse.p0")) << text;
  EXPECT_TRUE(has_line(text, "         3    parse.p2  {p}")) << text;
}

TEST(WitnessText, ShowsAShortPathInFull) {
  const model::Rsm model = make_model(false);
  logic::FormulaPool pool;
  Witness witness = make_witness(model, pool);
  Evidence& path = witness.evidence[witness.roots.front()];
  path.path.resize(8);
  path.steps.resize(7);
  const std::string text = witness_text(model, pool, witness);
  EXPECT_TRUE(has_line(text, "         1    call parse.p0")) << text;
  EXPECT_TRUE(has_line(text, "         5    parse.p4")) << text;
  EXPECT_TRUE(has_line(text, "         7  main.m1")) << text;
}

TEST(WitnessDot, QuotesNamesAndClustersProcedures) {
  const model::Rsm model = make_model(false);
  logic::FormulaPool pool;
  const std::string text = witness_dot(model, make_witness(model, pool), "a \"title\\");
  EXPECT_NE(text.find("label=\"a \\\"title\\\\\";"), std::string::npos) << text;
  EXPECT_NE(text.find("[label=\"a\\\"b\",peripheries=2];"), std::string::npos) << text;
  EXPECT_NE(text.find("label=\"parse\";"), std::string::npos) << text;
}

}  // namespace
}  // namespace nestor::witness
