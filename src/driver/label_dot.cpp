// nestor label --dot: a graph for Graphviz, a cluster an instance.

#include "driver/label_view.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace nestor::driver {

namespace {

std::string dot_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c == '\n' || c == '\0' ? ' ' : c;
  }
  return result + "\"";
}

class LabelDrawing {
 public:
  LabelDrawing(const Formula& formula, const LabelView& view) : view_(view) {
    out_ = fmt::format("digraph labelling {{\n  label={};\n  node [shape=box,style=filled];\n",
                       dot_quoted(formula.text()));
    for (const LabelView::Instance& instance : view.instances) {
      draw_nodes(instance);
    }
    for (const LabelView::Instance& instance : view.instances) {
      draw_edges(instance);
    }
    out_ += "}\n";
  }
  std::string take() { return std::move(out_); }

 private:
  void draw_nodes(const LabelView::Instance& instance) {
    fmt::format_to(std::back_inserter(out_), "  subgraph cluster_{} {{\n    label={};\n",
                   instance.number, dot_quoted(instance.component->name));
    for (const LabelView::Row& row : instance.rows) {
      const Component::Node& node = instance.component->nodes[row.node];
      rows_[{instance.number, node.name}] = row.row;
      fmt::format_to(
          std::back_inserter(out_), "    n{} [label={},fillcolor={}{}];\n", row.row,
          dot_quoted(node.name),
          view_.labelling.value(view_.labelling.size() - 1, row.row) ? "palegreen" : "lightcoral",
          node.is_entry || node.is_exit ? ",peripheries=2" : "");
    }
    out_ += "  }\n";
  }

  /// A call leads to the callee's entry, the callee's exit to what follows the return.
  void draw_edges(const LabelView::Instance& instance) {
    std::map<std::string_view, std::size_t> callee;  // by box
    for (std::size_t b = 0; b < instance.component->boxes.size(); ++b) {
      callee[instance.component->boxes[b].name] = instance.callees[b];
    }
    for (const Component::Transition& transition : instance.component->transitions) {
      const auto row_of = [&](const End& end) {
        return rows_.find({end.box.empty() ? instance.number : callee.at(end.box), end.node});
      };
      const auto from = row_of(transition.from);
      const auto to = row_of(transition.to);
      if (from == rows_.end() || to == rows_.end() ||
          !drawn_.insert({from->second, to->second}).second) {
        continue;
      }
      fmt::format_to(std::back_inserter(out_), "  n{} -> n{}{};\n", from->second, to->second,
                     !transition.from.box.empty() ? " [style=dashed]"
                     : !transition.to.box.empty() ? " [style=bold]"
                                                  : "");
    }
  }

  const LabelView& view_;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> rows_;  // by instance and node
  std::set<std::pair<std::size_t, std::size_t>> drawn_;
  std::string out_;
};

}  // namespace

std::string label_dot(const Formula& formula, const LabelView& view) {
  return LabelDrawing(formula, view).take();
}

}  // namespace nestor::driver
