// Models that are legal but unusual, and what becomes of dead ends.

#include "read_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace nestor::format {
namespace {

using Names = std::vector<std::string>;

std::string node_text(std::string_view name, bool entry, bool exit) {
  return fmt::format(R"({{"name": "{}", "labels": ["at_{}"], "is_entry": {}, "is_exit": {}}})",
                     name, name, entry, exit);
}

std::string component_text(std::string_view name, std::string_view nodes,
                           std::string_view boxes = "", std::string_view transitions = "") {
  return fmt::format(R"({{"name": "{}", "nodes": [{}], "boxes": [{}], "transitions": [{}]}})", name,
                     nodes, boxes, transitions);
}

std::string model_text(std::string_view components) {
  return fmt::format("{{\"initial_component\": \"main\", \"components\": [\n{}]}}", components);
}

std::string edge(std::string_view from, std::string_view to) {
  return fmt::format(R"({{"source": {{"type": "node", "name": "{}"}}, )"
                     R"("targets": [{{"type": "node", "name": "{}"}}]}})",
                     from, to);
}

TEST(OddModels, EntryThatIsExit) {
  const model::Rsm model =
      read_text(model_text(component_text("main", node_text("s", true, true))));
  const model::NodeId s = node(model, "main.s");
  EXPECT_TRUE(model.is_entry(s));
  EXPECT_TRUE(model.is_exit(s));
  EXPECT_FALSE(model.is_dead_end(s));
}

TEST(OddModels, TransitionIntoAnEntryAndExitThatGoesOn) {
  const model::Rsm model = read_text(model_text(
      component_text("main", node_text("s", true, false) + "," + node_text("x", false, true), "",
                     edge("s", "x") + "," + edge("x", "s"))));
  EXPECT_EQ(after(model, "main.x"), (Names{"main.s"}));
  EXPECT_EQ(after(model, "main.s"), (Names{"main.x"}));
}

TEST(OddModels, CallNodeAsSourceWithoutTargets) {
  const std::string box =
      R"({"name": "b", "component": "main", "call_nodes": ["s"], "return_nodes": []})";
  const std::string source =
      R"({"source": {"type": "box_node", "box_name": "b", "node_name": "s"}, "targets": []})";
  const model::Rsm model =
      read_text(model_text(component_text("main", node_text("s", true, false), box, source)));
  EXPECT_EQ(model.transition_count(), 0U);
}

TEST(OddModels, TargetsOfOneSourceAccumulateAndDuplicatesStay) {
  const model::Rsm model = read_text(model_text(component_text(
      "main", node_text("s", true, false) + "," + node_text("x", false, true), "",
      edge("s", "x") + "," + edge("x", "x") + "," + edge("s", "s") + "," + edge("s", "x"))));
  EXPECT_EQ(after(model, "main.s"), (Names{"main.x", "main.s", "main.x"}));
}

TEST(OddModels, UnreachableComponentStays) {
  const model::Rsm model = read_text(model_text(
      component_text("main", node_text("s", true, true)) + "," +
      component_text("lonely", node_text("s", false, false)) + "," + component_text("empty", "")));
  EXPECT_EQ(model.component_count(), 3U);
  EXPECT_TRUE(model.component(model::ComponentId(2)).nodes().empty());
}

TEST(OddModels, BoxMayListSomeOfTheEntriesAndExitsOnly) {
  const std::string g =
      component_text("g", node_text("i", true, false) + "," + node_text("j", true, false) + "," +
                              node_text("x", false, true));
  const std::string box =
      R"({"name": "b", "component": "g", "call_nodes": ["j"], "return_nodes": []})";
  const std::string call =
      R"({"source": {"type": "node", "name": "s"}, )"
      R"("targets": [{"type": "box_node", "box_name": "b", "node_name": "j"}]})";
  const model::Rsm model = read_text(
      model_text(component_text("main", node_text("s", true, false), box, call) + "," + g));
  EXPECT_EQ(after(model, "main.s"), (Names{"main.b.j"}));
  EXPECT_TRUE(model.is_dead_end(node(model, "main.b.x")));
}

// s → d; d is a dead end, and so is the return node (b, x).
std::string with_dead_ends() {
  const std::string g = component_text(
      "g", node_text("i", true, false) + "," + node_text("x", false, true), "", edge("i", "x"));
  const std::string box =
      R"({"name": "b", "component": "g", "call_nodes": ["i"], "return_nodes": ["x"]})";
  return model_text(
      component_text("main", node_text("s", true, false) + ",\n" + node_text("d", false, false),
                     "\n" + box, edge("s", "d")) +
      "," + g);
}

TEST(DeadEndsOption, KeepLeavesThem) {
  const model::Rsm model = read_text(with_dead_ends());
  EXPECT_TRUE(model.is_dead_end(node(model, "main.d")));
  EXPECT_TRUE(model.is_dead_end(node(model, "main.b.x")));
  EXPECT_FALSE(model.is_dead_end(node(model, "g.x")));  // goes on where its caller does
}

TEST(DeadEndsOption, LoopLeavesNoneAndAddsNothingElse) {
  const model::Rsm model = read_text(with_dead_ends(), model::DeadEnds::Loop);
  for (const model::NodeId n : model.nodes()) {
    EXPECT_FALSE(model.is_dead_end(n)) << model.describe(n);
  }
  EXPECT_EQ(after(model, "main.d"), (Names{"main.d"}));
  EXPECT_EQ(after(model, "main.s"), (Names{"main.d"}));
  ASSERT_EQ(after(model, "main.b.x").size(), 1U);
  const std::string loop = after(model, "main.b.x").front();
  EXPECT_EQ(after(model, loop), (Names{loop}));
  const auto at_x = model.nodes_with(model.find_prop("at_x"));  // the exit and the loop behind it
  EXPECT_EQ((std::vector<model::NodeId>(at_x.begin(), at_x.end())),
            (std::vector<model::NodeId>{node(model, loop), node(model, "g.x")}));
}

TEST(DeadEndsOption, ErrorNamesTheFirst) {
  // `d` stands alone on the third line, its name in column 10; the box on the fourth.
  EXPECT_EQ(refusal(with_dead_ends(), model::DeadEnds::Error),
            "test.rsm:3:10: error: 'main.d' has no successors");
  std::string text = with_dead_ends();
  const std::string none = node_text("d", false, false);
  text.replace(text.find(none), none.size(), node_text("d", false, true));
  EXPECT_EQ(refusal(text, model::DeadEnds::Error),
            "test.rsm:4:10: error: 'main.b.x' has no successors");
}

}  // namespace
}  // namespace nestor::format
