// Writing, reading and writing again gives the same text.

#include "read_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace nestor::format {
namespace {

void expect_round_trip(std::string_view text) {
  const model::Rsm first = read_text(text);
  const std::string written = write_rsm_json(first);
  const model::Rsm second = read_text(written);
  EXPECT_EQ(write_rsm_json(second), written);
  EXPECT_EQ(second.node_count(), first.node_count());
  EXPECT_EQ(second.box_count(), first.box_count());
  EXPECT_EQ(second.transition_count(), first.transition_count());
  EXPECT_EQ(second.prop_count(), first.prop_count());
  ASSERT_EQ(second.component_count(), first.component_count());
  for (const model::NodeId n : first.nodes()) {
    ASSERT_EQ(second.describe(n), first.describe(n));
    ASSERT_TRUE(std::ranges::equal(second.successors(n), first.successors(n)));
    ASSERT_EQ(second.is_entry(n), first.is_entry(n));
    ASSERT_EQ(second.is_exit(n), first.is_exit(n));
    ASSERT_EQ(second.position(n).has_value(), first.position(n).has_value());
    if (first.position(n)) {
      ASSERT_EQ(second.string(second.position(n)->file), first.string(first.position(n)->file));
      ASSERT_EQ(second.position(n)->line, first.position(n)->line);
    }
  }
  for (std::uint32_t i = 0; i < first.prop_count(); ++i) {
    ASSERT_EQ(second.prop_name(model::PropId(i)), first.prop_name(model::PropId(i)));
    ASSERT_TRUE(std::ranges::equal(second.nodes_with(model::PropId(i)),
                                   first.nodes_with(model::PropId(i))));
  }
  EXPECT_TRUE(std::ranges::equal(second.initial_nodes(), first.initial_nodes()));
}

// What the writer writes, to the byte.
constexpr std::string_view kWritten = R"({"initial_component": "main",
 "initial_node": "t",
 "initial_nodes": ["t", "s"],
 "components": [
{"name": "main",
 "nodes": [
  {"name": "s", "labels": ["p", "q \"\\\n"], "is_entry": true, "is_exit": false, "file": "a.c", "line": 3},
  {"name": "t", "labels": ["q \"\\\n"], "is_entry": false, "is_exit": true, "file": "b.c"}],
 "boxes": [
  {"name": "b", "component": "main", "call_nodes": ["s"], "return_nodes": ["t"]}],
 "transitions": [
  {"source": {"type": "node", "name": "s"}, "targets": [{"type": "box_node", "box_name": "b", "node_name": "s"}, {"type": "node", "name": "t"}]},
  {"source": {"type": "box_node", "box_name": "b", "node_name": "t"}, "targets": [{"type": "node", "name": "t"}]}]},
{"name": "empty",
 "nodes": [],
 "boxes": [],
 "transitions": []}
]}
)";

TEST(RoundTrip, WritesWhatItRead) {
  EXPECT_EQ(write_rsm_json(read_text(kWritten)), kWritten);
  expect_round_trip(kWritten);
}

TEST(RoundTrip, OldReadersFindAnInitialNodeWhereNoneIsNamed) {
  const std::string text = R"({"initial_component": "c", "components": [{"name": "c", "nodes": [
    {"name": "i", "labels": [], "is_entry": true, "is_exit": false},
    {"name": "k", "labels": [], "is_entry": true, "is_exit": false}],
    "boxes": [], "transitions": []}]})";
  EXPECT_TRUE(write_rsm_json(read_text(text))
                  .starts_with("{\"initial_component\": \"c\",\n \"initial_node\": \"i\",\n "
                               "\"initial_nodes\": [\"i\", \"k\"],\n"));
  expect_round_trip(text);
}

TEST(RoundTrip, StoredCorpus) {
  std::size_t models = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(NESTOR_SOURCE_DIR "/test/fuzz/corpus/rsm")) {
    const base::Input input = base::Input::read(file.path().string());
    if (refusal(input.text()).empty()) {
      SCOPED_TRACE(file.path().filename().string());
      expect_round_trip(input.text());
      ++models;
    }
  }
  EXPECT_GE(models, 5U);
}

TEST(RoundTrip, ModelsOfTheEnvironment) {
  const char* const folder = std::getenv("NESTOR_MODELS");
  if (folder == nullptr) {
    GTEST_SKIP() << "set NESTOR_MODELS to a folder with .rsm files";
  }
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() == ".rsm") {
      SCOPED_TRACE(file.path().filename().string());
      expect_round_trip(base::Input::read(file.path().string()).text());
    }
  }
}

}  // namespace
}  // namespace nestor::format
