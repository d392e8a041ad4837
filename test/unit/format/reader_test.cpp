#include "read_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace nestor::format {
namespace {

// Two components; `main` calls `f` through box `b`.
constexpr std::string_view kModel = R"({
  "initial_component": "main", "initial_node": "s",
  "components": [
    {"name": "main",
     "nodes": [{"name": "s", "labels": ["p", "q"], "is_entry": true, "is_exit": false},
               {"name": "t", "labels": ["q"], "is_entry": false, "is_exit": true}],
     "boxes": [{"name": "b", "component": "f", "call_nodes": ["in"], "return_nodes": ["x", "y"]}],
     "transitions": [
       {"source": {"type": "node", "name": "s"},
        "targets": [{"type": "box_node", "box_name": "b", "node_name": "in"},
                    {"type": "node", "name": "t"}]},
       {"source": {"type": "box_node", "box_name": "b", "node_name": "y"},
        "targets": [{"type": "node", "name": "t"}]}]},
    {"name": "f",
     "nodes": [{"name": "in", "labels": [], "is_entry": true, "is_exit": false},
               {"name": "x", "labels": ["r"], "is_entry": false, "is_exit": true},
               {"name": "y", "labels": [], "is_entry": false, "is_exit": true}],
     "boxes": [],
     "transitions": [{"source": {"type": "node", "name": "in"},
                      "targets": [{"type": "node", "name": "y"}]}]}]})";

// The same model, every object's keys the other way round, with blanks, unknown keys and escapes.
constexpr std::string_view kReversed = R"(
 { "comment" : { "deep" : [ { } , [ [ 1e5 ] , null ] ] } ,
  "components": [
    {"transitions": [
       {"targets": [{"node_name": "in", "box_name": "b", "type": "box_node"},
                    {"name": "t", "type": "node"}],
        "source": {"name": "s", "type": "node"}},
       {"targets": [{"name": "\u0074", "type": "node"}],
        "source": {"node_name": "y", "box_name": "b", "type": "box_node"}}],
     "boxes": [{"return_nodes": ["x", "y"], "call_nodes": ["in"], "component": "f", "name": "b"}],
     "nodes": [{"is_exit": false, "is_entry": true, "labels": ["p", "q"], "name": "s", "type": "node"},
               {"is_exit": true, "formulas": {}, "is_entry": false, "labels": ["q"], "n\u0061me": "t"}],
     "name": "main", "version": 3},
    {"transitions": [{"targets": [{"name": "y", "type": "node"}],
                      "source": {"name": "in", "type": "node", "since": true}}],
     "boxes": [ ],
     "nodes": [{"is_exit": false, "is_entry": true, "labels": [], "name": "in"},
               {"is_exit": true, "is_entry": false, "labels": ["r"], "name": "x"},
               {"is_exit": true, "is_entry": false, "labels": [ ], "name": "y"}],
     "name": "f"}],
  "initial_node": "s", "initial_component": "ma\u0069n" }
)";

TEST(RsmJsonReader, ReadsEveryPart) {
  const model::Rsm model = read_text(kModel);
  EXPECT_EQ(model.component_count(), 2U);
  EXPECT_EQ(model.plain_node_count(), 5U);
  EXPECT_EQ(model.node_count(), 8U);  // and one call node, two return nodes
  EXPECT_EQ(model.box_count(), 1U);
  EXPECT_EQ(model.transition_count(), 4U);
  EXPECT_EQ(after(model, "main.s"), (std::vector<std::string>{"main.b.in", "main.t"}));
  EXPECT_EQ(after(model, "main.b.y"), (std::vector<std::string>{"main.t"}));
  EXPECT_EQ(after(model, "f.in"), (std::vector<std::string>{"f.y"}));
  EXPECT_TRUE(model.is_entry(node(model, "main.s")));
  EXPECT_FALSE(model.is_exit(node(model, "main.s")));
  EXPECT_TRUE(model.is_exit(node(model, "f.x")));
  ASSERT_EQ(model.prop_count(), 3U);
  const auto q = model.nodes_with(model.find_prop("q"));
  EXPECT_EQ((std::vector<model::NodeId>(q.begin(), q.end())),
            (std::vector<model::NodeId>{node(model, "main.s"), node(model, "main.t")}));
  ASSERT_EQ(model.initial_nodes().size(), 1U);
  EXPECT_EQ(model.initial_nodes().front(), node(model, "main.s"));
  EXPECT_TRUE(model.initial_nodes_named());
}

TEST(RsmJsonReader, OrderOfKeysBlanksEscapesAndUnknownKeysDoNotMatter) {
  EXPECT_EQ(write_rsm_json(read_text(kReversed)), write_rsm_json(read_text(kModel)));
}

TEST(RsmJsonReader, UnescapesNamesAndLabels) {
  const model::Rsm model =
      read_text(R"({"initial_component": "\"c\"", "components": [{"name": "\u0022c\"",
    "nodes": [{"name": "a\nb\u0000", "labels": ["\ud834\udd1e\/"], "is_entry": true,
    "is_exit": true}], "boxes": [], "transitions": []}]})");
  EXPECT_EQ(model.component_name(model::ComponentId(0)), "\"c\"");
  EXPECT_EQ(model.node_name(model::NodeId(0)), std::string_view("a\nb\0", 4));
  EXPECT_TRUE(model.find_prop("\xf0\x9d\x84\x9e/").valid());
}

std::string with_head(std::string_view head) {
  return fmt::format(R"({{"initial_component": "c"{}, "components": [{{"name": "c", "nodes": [
    {{"name": "i", "labels": [], "is_entry": true, "is_exit": false}},
    {{"name": "j", "labels": [], "is_entry": false, "is_exit": true}},
    {{"name": "k", "labels": [], "is_entry": true, "is_exit": false}}],
    "boxes": [], "transitions": []}}]}})",
                     head);
}

std::vector<std::string> initial(const model::Rsm& model) {
  std::vector<std::string> names;
  for (const model::NodeId n : model.initial_nodes()) {
    names.emplace_back(model.node_name(n));
  }
  return names;
}

TEST(RsmJsonReader, InitialNodes) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(initial(read_text(with_head(""))), (Names{"i", "k"}));
  EXPECT_FALSE(read_text(with_head("")).initial_nodes_named());
  EXPECT_EQ(initial(read_text(with_head(R"(, "initial_node": "j")"))), (Names{"j"}));
  EXPECT_EQ(initial(read_text(with_head(R"(, "initial_nodes": ["k", "j"])"))), (Names{"k", "j"}));
  EXPECT_EQ(initial(read_text(with_head(R"(, "initial_nodes": ["k", "j"], "initial_node": "k")"))),
            (Names{"k", "j"}));
}

TEST(RsmJsonReader, Positions) {
  const model::Rsm model =
      read_text(R"({"initial_component": "c", "components": [{"name": "c", "nodes": [
    {"name": "i", "labels": [], "is_entry": true, "is_exit": false},
    {"line": 4294967295, "name": "j", "labels": [], "is_entry": false, "is_exit": true, "file": "a.c"},
    {"name": "k", "labels": [], "is_entry": true, "is_exit": false, "file": "b.c"}],
    "boxes": [], "transitions": []}]})");
  EXPECT_FALSE(model.position(node(model, "c.i")));
  const auto j = model.position(node(model, "c.j"));
  ASSERT_TRUE(j);
  EXPECT_EQ(model.string(j->file), "a.c");
  EXPECT_EQ(j->line, 4294967295U);
  const auto k = model.position(node(model, "c.k"));
  ASSERT_TRUE(k);
  EXPECT_EQ(model.string(k->file), "b.c");
  EXPECT_EQ(k->line, 0U);
}

TEST(RsmJsonReader, EveryCutOfAFileIsRefusedAtItsEndOrInItsLastString) {
  for (std::size_t size = 0; size + 1 < kModel.size(); ++size) {
    const std::string_view cut = kModel.substr(0, size);
    try {
      read_text(cut);
      FAIL() << "accepted the first " << size << " bytes";
    } catch (const base::Error& error) {
      const base::Input input = base::Input::from_text("test.rsm", cut);
      const std::size_t word = cut.find_last_of(" \n[{:,\"") + 1;
      const bool at_end =
          base::to_string(error.location()) == base::to_string(input.locate(size)) ||
          base::to_string(error.location()) == base::to_string(input.locate(word));
      const bool in_string = error.message() == "string without a closing quote";
      EXPECT_TRUE(at_end || in_string) << size << ": " << error.what();
    }
  }
}

TEST(RsmJsonReader, EveryBrokenByteIsRefusedOrHarmless) {
  // Whatever one byte becomes, the reader answers; that it does not crash is the test.
  std::size_t refused = 0;
  for (std::size_t at = 0; at < kModel.size(); ++at) {
    for (const char byte : {'\0', '"', '\\', '}', '\xff', '7', ' '}) {
      std::string text(kModel);
      text[at] = byte;
      refused += refusal(text).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, kModel.size());
}

TEST(RsmJsonReader, DeepNestingInASkippedValueIsFine) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(refusal(with_head(", \"extra\": " + deep)), "");
}

}  // namespace
}  // namespace nestor::format
