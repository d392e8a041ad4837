// Layouts by Graphviz's program `dot`, as a library:
//   E. Gansner, E. Koutsofios, S. North, K.-P. Vo: A technique for drawing directed graphs. IEEE
//   Transactions on Software Engineering 19(3), 1993.

#include "view/graphviz_layout.h"

#include <cmath>
#include <graphviz/gvc.h>
#include <memory>
#include <mutex>
#include <string>

namespace nestor::view {

namespace {

constexpr double kPointsAnInch = 72;

/// Graphviz has global state, so one thread at a time is in it, and one context serves all.
class Graphviz {
 public:
  Graphviz() : context_(gvContext()) { agseterr(AGMAX); }  // which says nothing on stderr
  Graphviz(const Graphviz&) = delete;
  Graphviz& operator=(const Graphviz&) = delete;
  ~Graphviz() { gvFreeContext(context_); }

  std::optional<Layout> lay_out(const LayoutGraph& graph);

 private:
  GVC_t* context_;
};

/// Graphviz takes texts that it may write to, and does not.
void set(void* object, std::string name, std::string value) {
  std::string none;
  agsafeset(object, name.data(), value.data(), none.data());
}

Layout::Point point(const pointf& p, double height) {
  return {static_cast<int>(std::lround(p.x)), static_cast<int>(std::lround(height - p.y))};
}

std::vector<Layout::Point> curve(Agedge_t* edge, double height) {
  std::vector<Layout::Point> points;
  const splines* lines = ED_spl(edge);
  for (int i = 0; lines != nullptr && i < lines->size; ++i) {
    const bezier& piece = lines->list[i];
    for (int k = 0; k < piece.size; ++k) {
      points.push_back(point(piece.list[k], height));
    }
  }
  return points;
}

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

std::optional<Layout> Graphviz::lay_out(const LayoutGraph& graph) {
  std::string name = "procedure";
  const std::unique_ptr<Agraph_t, CloseGraph> drawn(agopen(name.data(), Agdirected, nullptr));
  // The limits keep the time bounded by the size of the graph, within reason.
  set(drawn.get(), "nslimit", "4");
  set(drawn.get(), "nslimit1", "4");
  set(drawn.get(), "ranksep", "0.35");
  set(drawn.get(), "nodesep", "0.2");
  std::vector<Agnode_t*> nodes;
  for (const std::uint32_t width : graph.widths) {
    Agnode_t* node = agnode(drawn.get(), nullptr, 1);
    // Names are drawn by the page, so that no font is looked for here.
    set(node, "label", "");
    set(node, "shape", "box");
    set(node, "fixedsize", "true");
    set(node, "width", std::to_string(width / kPointsAnInch));
    set(node, "height", std::to_string(kNodeHeight / kPointsAnInch));
    nodes.push_back(node);
  }
  std::vector<Agedge_t*> edges;
  for (const LayoutGraph::Edge& edge : graph.edges) {
    edges.push_back(agedge(drawn.get(), nodes[edge.from], nodes[edge.to], nullptr, 1));
    set(edges.back(), "arrowhead", "none");  // the page draws it
  }
  if (gvLayout(context_, drawn.get(), "dot") != 0) {
    return std::nullopt;
  }
  Layout layout;
  const double height = GD_bb(drawn.get()).UR.y;
  layout.width = static_cast<int>(std::ceil(GD_bb(drawn.get()).UR.x));
  layout.height = static_cast<int>(std::ceil(height));
  for (Agnode_t* node : nodes) {
    layout.nodes.push_back(point(ND_coord(node), height));
  }
  for (Agedge_t* edge : edges) {
    layout.curves.push_back(curve(edge, height));
  }
  gvFreeLayout(context_, drawn.get());
  return layout;
}

}  // namespace

std::optional<Layout> lay_out_by_graphviz(const LayoutGraph& graph) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static Graphviz graphviz;
  return graphviz.lay_out(graph);
}

}  // namespace nestor::view
