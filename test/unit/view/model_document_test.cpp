#include "view/model_document.h"

#include "view/layout.h"
#include "view/state_component.h"

#include <gtest/gtest.h>

#include <nestor/check.h>
#include <set>

namespace nestor::view {
namespace {

/// main calls f twice; f calls itself.
Model two_procedures() {
  ModelBuilder builder;
  builder.component("main").node({.name = "start", .is_entry = true, .labels = {"p"}});
  builder.node({.name = "end", .is_exit = true, .file = "main.c", .line = 3});
  builder.box("one", "f").box("two", "f");
  builder.transition("start", {"one", "in"}).transition({"one", "out"}, {"two", "in"});
  builder.transition({"two", "out"}, "end").transition("start", "end");
  builder.component("f").node({.name = "in", .is_entry = true});
  builder.node({.name = "out", .is_exit = true}).box("again", "f");
  builder.transition("in", "out").transition("in", {"again", "in"});
  builder.transition({"again", "out"}, "out");
  builder.initial_component("main");
  return builder.finish();
}

/// A line of so many states.
Model line(std::size_t length) {
  ModelBuilder builder;
  builder.component("main");
  for (std::size_t i = 0; i < length; ++i) {
    builder.node({.name = "n" + std::to_string(i),
                  .is_entry = i == 0,
                  .labels = {i + 1 == length ? "end" : "on"}});
  }
  for (std::size_t i = 0; i + 1 < length; ++i) {
    builder.transition("n" + std::to_string(i), "n" + std::to_string(i + 1));
  }
  builder.initial_component("main");
  return builder.finish();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ModelDocumentTest, HasProceduresWithBoxesBehindTheirNodes) {
  const std::string found = model_document(two_procedures(), {});
  EXPECT_TRUE(has(found, R"({"nodes":4,"initial":0,)")) << found;
  EXPECT_TRUE(has(found, R"({"name":"main","component":1,"size":2,"callees":[1],)")) << found;
  EXPECT_TRUE(has(
      found,
      R"("nodes":[{"name":"start","entry":true,"labels":[0]},{"name":"end","exit":true,"file":0,"line":3}],)"))
      << found;
  EXPECT_TRUE(has(
      found,
      R"("boxes":[{"name":"one","callee":1},{"name":"two","callee":1}],"edges":[0,1,0,2,2,3,3,1])"))
      << found;
  EXPECT_TRUE(has(found, R"({"name":"f","component":0,)")) << found;
  EXPECT_EQ(has(found, "\"layout\""), can_lay_out());
}

TEST(ModelDocumentTest, OfALargeProcedureHasWhatIsLookedAt) {
  Session session(line(10'000));
  const std::size_t question = session.ask("EF end");
  LookedAt looked_at;
  looked_at.add(*session.witness(question));
  // All states are on the path, and more than fit: the first ones do.
  const std::string all = model_document(session.model(), looked_at);
  EXPECT_TRUE(has(all, "\"size\":10000"));
  EXPECT_TRUE(has(all, "\"n3999\"")) << "so many fit";
  EXPECT_FALSE(has(all, "\"n4000\""));
  // Nothing is looked at: what is near the entry.
  const std::string near = model_document(session.model(), {});
  EXPECT_TRUE(has(near, "\"n0\""));
  EXPECT_FALSE(has(near, "\"n9999\""));
}

TEST(ModelDocumentTest, HasNothingOfStatesThatWereNotExplored) {
  const Model model = Model::parse("MODULE main\nVAR\n  x : boolean;\n", "smv");
  EXPECT_EQ(model_document(model, {}), "");
}

TEST(StateComponentTest, HasAllStatesOfASmallModel) {
  Model model = Model::parse(
      "MODULE main\nVAR\n  x : 0..9;\nASSIGN\n  init(x) := {0, 5};\n  next(x) := {x, (x + 1) mod "
      "10};\n",
      "smv");
  model.explore({}, std::vector<std::string>{"x = 3"});
  const Component found = state_component(model, "main", {});
  const Component wanted = model.components().front();
  ASSERT_EQ(found.nodes.size(), 10U);
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    EXPECT_EQ(found.nodes[i].name, wanted.nodes[i].name);
    EXPECT_EQ(found.nodes[i].labels, wanted.nodes[i].labels);
    EXPECT_EQ(found.nodes[i].is_entry, wanted.nodes[i].is_entry);
  }
  const auto steps = [](const Component& component) {
    std::set<std::string> texts;
    for (const Component::Transition& transition : component.transitions) {
      texts.insert(transition.from.node + " -> " + transition.to.node);
    }
    return texts;
  };
  EXPECT_EQ(steps(found), steps(wanted));
}

TEST(StateComponentTest, OfALargeModelHasThePaths) {
  // Each of 3721 states has 61 successors: more transitions than a page has.
  Session session(
      Model::parse("MODULE main\nVAR\n  x : 0..60;\n  y : 0..60;\nASSIGN\n"
                   "  init(x) := 0;\n  init(y) := 0;\n  next(x) := (x + 1) mod 61;\n",
                   "smv"));
  const Answer<Witness> witness = session.witness(session.ask("EF (x = 60 & y = 7)"));
  ASSERT_TRUE(witness);
  LookedAt looked_at;
  looked_at.add(*witness);
  const Component found = state_component(session.model(), "main", looked_at);
  EXPECT_GT(found.nodes.size(), 100U);
  EXPECT_LT(found.nodes.size(), 3721U);
  std::set<std::string> names;
  for (const Component::Node& node : found.nodes) {
    names.insert(node.name);
  }
  for (const Witness::Step& step : witness->steps()) {
    EXPECT_TRUE(names.contains(step.node)) << step.node;
  }
}

TEST(LayoutTest, PutsLayersBelowEachOther) {
  const std::optional<Layout> found = lay_out({{60, 40, 40}, {{0, 1}, {1, 2}, {2, 2}}});
  if (!can_lay_out()) {
    EXPECT_FALSE(found);
    GTEST_SKIP() << "built without Graphviz";
  }
  ASSERT_TRUE(found);
  ASSERT_EQ(found->nodes.size(), 3U);
  EXPECT_LT(found->nodes[0].y, found->nodes[1].y);
  EXPECT_LT(found->nodes[1].y, found->nodes[2].y);
  EXPECT_GE(found->width, 60);
  for (const std::vector<Layout::Point>& curve : found->curves) {
    ASSERT_GE(curve.size(), 4U);
    EXPECT_EQ(curve.size() % 3, 1U);  // Bézier curves, end to end
    for (const Layout::Point& point : curve) {
      EXPECT_TRUE(point.x >= -1 && point.x <= found->width + 1 && point.y >= -1 &&
                  point.y <= found->height + 1);
    }
  }
}

}  // namespace
}  // namespace nestor::view
