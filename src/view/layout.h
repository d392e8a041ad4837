#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace nestor::view {

/// What is to be drawn: nodes that are so wide, from 0 on, and edges between them.
struct LayoutGraph {
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;

    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  std::vector<std::uint32_t> widths;  ///< in points, a node each
  std::vector<Edge> edges;
};

/// Where it is drawn, in points; y grows downwards.
struct Layout {
  struct Point {
    int x = 0;
    int y = 0;
  };
  int width = 0;
  int height = 0;
  std::vector<Point> nodes;                ///< their middles
  std::vector<std::vector<Point>> curves;  ///< an edge each: Bézier curves, end to end
};

constexpr int kNodeHeight = 26;

/// False if Nestor was built without Graphviz, or its module is missing (view/libraries.h).
bool can_lay_out();
/// Top-down, by layers. Nothing if it cannot be done. Not for large graphs: takes more than linear
/// time. Any thread may call it.
std::optional<Layout> lay_out(const LayoutGraph& graph);

}  // namespace nestor::view
