#include "driver/probe/strong_components.h"

#include "base/strong_components.h"
#include "engine/finite/finite_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace nestor::driver {

namespace {

constexpr std::size_t kMostSizes = 20;

struct StrongComponent {
  std::size_t size = 0;
  model::NodeId first;   // the state of the smallest number
  bool is_left = false;  // a transition leads to another one
  bool is_loop = false;  // holds a cycle
};

std::vector<StrongComponent> find_strong_components(const engine::finite::FiniteGraph& graph) {
  const auto next = [&](std::uint32_t s, std::uint32_t& i) {
    const auto successors = graph.successors(model::NodeId(s));
    return i < successors.size() ? successors[i++].value() : base::StrongComponents::kNone;
  };
  base::StrongComponentSearch search(graph.size(), next, [] {});
  for (const model::NodeId s : graph.initial()) {
    search.search_from(s.value());
  }
  const base::StrongComponents found = search.take();
  std::vector<StrongComponent> components(found.count);
  for (const model::NodeId s : graph.states()) {
    const std::uint32_t number = found.of[s.value()];
    if (number == base::StrongComponents::kNone) {
      continue;
    }
    StrongComponent& component = components[number];
    if (component.size++ == 0) {
      component.first = s;
    }
    for (const model::NodeId t : graph.successors(s)) {
      (found.of[t.value()] == number ? component.is_loop : component.is_left) = true;
    }
  }
  return components;
}

}  // namespace

std::string strong_components_text(const model::Rsm& model) {
  const engine::finite::FiniteGraph graph(model);
  const std::vector<StrongComponent> all = find_strong_components(graph);
  std::map<std::size_t, std::size_t, std::greater<>> counts;
  std::vector<StrongComponent> terminal;
  for (const StrongComponent& component : all) {
    ++counts[component.size];
    if (!component.is_left) {
      terminal.push_back(component);
    }
  }
  std::string text =
      fmt::format("{} strongly connected component{}\n", all.size(), all.size() == 1 ? "" : "s");
  for (const auto& [size, count] : counts) {
    text += fmt::format("{:>8} of {} state{}\n", count, size, size == 1 ? "" : "s");
  }
  text += fmt::format("{} cannot be left:\n", terminal.size());
  std::ranges::sort(terminal, {}, &StrongComponent::first);
  for (std::size_t i = 0; i < std::min(terminal.size(), kMostSizes); ++i) {
    text += fmt::format("{:>3} {}: {}\n", i + 1,
                        !terminal[i].is_loop ? "a dead end"
                                             : fmt::format("{} state{}", terminal[i].size,
                                                           terminal[i].size == 1 ? "" : "s"),
                        model.describe(graph.node(terminal[i].first)));
  }
  if (terminal.size() > kMostSizes) {
    text += fmt::format("    and {} more\n", terminal.size() - kMostSizes);
  }
  return text;
}

}  // namespace nestor::driver
