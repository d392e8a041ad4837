#include "base/strong_components.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace nestor::base {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

auto next_in(const Graph& graph) {
  return [&graph](std::uint32_t v, std::uint32_t& i) {
    return i < graph[v].size() ? graph[v][i++] : StrongComponents::kNone;
  };
}

StrongComponents components_of(const Graph& graph) {
  return strong_components(graph.size(), next_in(graph), [] {});
}

/// By definition: reaches[v][w].
std::vector<std::vector<bool>> closure(const Graph& graph) {
  std::vector<std::vector<bool>> reaches(graph.size(), std::vector<bool>(graph.size()));
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    std::vector<std::uint32_t> open{v};
    reaches[v][v] = true;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t to : graph[at]) {
        if (!reaches[v][to]) {
          reaches[v][to] = true;
          open.push_back(to);
        }
      }
    }
  }
  return reaches;
}

TEST(StrongComponents, AreNumberedBottomUp) {
  // 0 → 1 ⇄ 2 → 3, 3 → 3
  const StrongComponents found = components_of({{1}, {2}, {1, 3}, {3}});
  EXPECT_EQ(found.count, 3U);
  EXPECT_EQ(found.of, (std::vector<std::uint32_t>{2, 1, 1, 0}));
}

TEST(StrongComponents, LeaveOutWhatIsNotSearched) {
  const Graph graph{{1}, {}, {0}};
  StrongComponentSearch search(graph.size(), next_in(graph), [] {});
  search.search_from(0);
  const StrongComponents found = search.take();
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.of[2], StrongComponents::kNone);
}

TEST(StrongComponents, AgreeWithTheDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    Graph graph(random.between(1, 12));
    const std::size_t edges = random.between(0, 2 * graph.size());
    for (std::size_t e = 0; e < edges; ++e) {
      graph[random.below(graph.size())].push_back(
          static_cast<std::uint32_t>(random.below(graph.size())));
    }
    const StrongComponents found = components_of(graph);
    const std::vector<std::vector<bool>> reaches = closure(graph);
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
      for (std::uint32_t w = 0; w < graph.size(); ++w) {
        EXPECT_EQ(found.of[v] == found.of[w], reaches[v][w] && reaches[w][v]) << "seed " << seed;
        if (reaches[v][w]) {
          EXPECT_LE(found.of[w], found.of[v]) << "seed " << seed;
        }
      }
    }
  }
}

TEST(StrongComponents, TickOnceForEachStep) {
  std::size_t steps = 0;
  const Graph graph{{1}, {0}};
  strong_components(graph.size(), next_in(graph), [&steps] { ++steps; });
  EXPECT_EQ(steps, 4U);  // two edges, and two vertices without more
}

}  // namespace
}  // namespace nestor::base
