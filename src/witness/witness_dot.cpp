#include "witness/witness_dot.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace nestor::witness {

namespace {

constexpr std::size_t kMostNumbers = 4;  // of the steps that take one transition

/// Graphviz gives the backslash a meaning of its own.
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

struct Edge {
  model::Step step = model::Step::Local;
  bool closes = false;  // a loop
  std::size_t count = 0;
  std::string numbers;
};

/// `: try(i=1)`, or nothing.
std::string step_text(const model::Rsm& model, model::NodeId from, model::NodeId to) {
  const std::optional<model::StepName> step = model.step(from, to);
  return step ? ": " + to_text(*step) : std::string();
}

const char* style(model::Step step) {
  switch (step) {
    case model::Step::Call:
      return ",style=bold";
    case model::Step::Return:
    case model::Step::ReturnCall:
      return ",style=dashed";
    default:
      return "";
  }
}

}  // namespace

std::string witness_dot(const model::Rsm& model, const Witness& witness, std::string_view title) {
  std::map<model::ComponentId, std::set<model::NodeId>> clusters;
  std::map<std::pair<model::NodeId, model::NodeId>, Edge> edges;
  const auto node_of = [&](model::StateId s) {
    const model::NodeId n = witness.states[s].node;
    clusters[model.component_of(n)].insert(n);
    return n;
  };
  std::set<model::NodeId> first;
  for (const EvidenceId root : witness.roots) {
    first.insert(node_of(witness.evidence[root].state));
  }
  for (const Evidence& evidence : witness.evidence) {
    for (std::size_t i = 0; i < evidence.steps.size(); ++i) {
      Edge& edge = edges[{node_of(evidence.path[i]), node_of(evidence.path[i + 1])}];
      edge.step = evidence.steps[i];
      edge.closes = edge.closes ||
                    (evidence.ending == Evidence::Ending::Loop && i + 1 == evidence.steps.size());
      if (++edge.count <= kMostNumbers) {
        edge.numbers += fmt::format("{}{}", edge.numbers.empty() ? "" : ", ", i + 1);
      }
    }
  }
  std::string out =
      fmt::format("digraph witness {{\n  label={};\n  node [shape=box];\n", dot_quoted(title));
  for (const auto& [component, nodes] : clusters) {
    fmt::format_to(std::back_inserter(out), "  subgraph cluster_{} {{\n    label={};\n",
                   component.value(), dot_quoted(model.component_name(component)));
    for (const model::NodeId n : nodes) {
      fmt::format_to(std::back_inserter(out), "    n{} [label={}{}];\n", n.value(),
                     dot_quoted(model.node_name(n)), first.count(n) > 0 ? ",peripheries=2" : "");
    }
    out += "  }\n";
  }
  for (const auto& [ends, edge] : edges) {
    fmt::format_to(std::back_inserter(out), "  n{} -> n{} [label={}{}{}];\n", ends.first.value(),
                   ends.second.value(),
                   dot_quoted(edge.numbers + (edge.count > kMostNumbers ? ", …" : "") +
                              step_text(model, ends.first, ends.second)),
                   style(edge.step), edge.closes ? ",color=red" : "");
  }
  return out + "}\n";
}

}  // namespace nestor::witness
