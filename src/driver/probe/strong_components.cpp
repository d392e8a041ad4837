#include "driver/probe/strong_components.h"

#include "engine/finite/finite_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace nestor {

namespace {

constexpr std::size_t kMostListed = 20;

struct StrongComponent {
  std::size_t size = 0;
  NodeId first;          // the state of the smallest number
  bool is_left = false;  // a transition leads to another one
  bool is_loop = false;  // holds a cycle
};

/// Tarjan's algorithm, without recursion.
class Finder {
 public:
  explicit Finder(const FiniteGraph& graph)
      : graph_(graph), number_(graph.size()), low_(graph.size()), component_(graph.size(), kNone) {}

  std::vector<StrongComponent> find() {
    for (const NodeId s : graph_.initial()) {
      if (number_[s] == 0) {
        search(s);
      }
    }
    for (const NodeId s : graph_.states()) {
      for (const NodeId t : graph_.successors(s)) {
        if (component_[s] != kNone) {
          StrongComponent& from = components_[component_[s]];
          (component_[s] == component_[t] ? from.is_loop : from.is_left) = true;
        }
      }
    }
    return std::move(components_);
  }

 private:
  struct Frame {
    NodeId s;
    std::size_t next = 0;
  };
  static constexpr std::uint32_t kNone = 0xffff'ffffU;

  void enter(NodeId s) {
    number_[s] = low_[s] = ++count_;
    open_.push_back(s);
    frames_.push_back({s, 0});
  }

  void search(NodeId root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      const NodeId s = top.s;
      const auto next = graph_.successors(s);
      if (top.next < next.size()) {
        const NodeId t = next[top.next++];
        if (number_[t] == 0) {
          enter(t);
        } else if (component_[t] == kNone) {
          low_[s] = std::min(low_[s], number_[t]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        low_[frames_.back().s] = std::min(low_[frames_.back().s], low_[s]);
      }
      if (low_[s] == number_[s]) {
        close(s);
      }
    }
  }

  void close(NodeId root) {
    StrongComponent component{0, root, false, false};
    NodeId t;
    do {
      t = open_.back();
      open_.pop_back();
      component_[t] = static_cast<std::uint32_t>(components_.size());
      component.first = std::min(component.first, t);
      ++component.size;
    } while (t != root);
    components_.push_back(component);
  }

  const FiniteGraph& graph_;
  std::uint32_t count_ = 0;
  IdVector<NodeId, std::uint32_t> number_;
  IdVector<NodeId, std::uint32_t> low_;
  IdVector<NodeId, std::uint32_t> component_;
  std::vector<NodeId> open_;
  std::vector<Frame> frames_;
  std::vector<StrongComponent> components_;
};

}  // namespace

std::string strong_components_text(const Rsm& model) {
  const FiniteGraph graph(model);
  const std::vector<StrongComponent> all = Finder(graph).find();
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
  for (std::size_t i = 0; i < std::min(terminal.size(), kMostListed); ++i) {
    text += fmt::format("{:>3} {}: {}\n", i + 1,
                        !terminal[i].is_loop ? "a dead end"
                                             : fmt::format("{} state{}", terminal[i].size,
                                                           terminal[i].size == 1 ? "" : "s"),
                        model.describe(graph.node(terminal[i].first)));
  }
  if (terminal.size() > kMostListed) {
    text += fmt::format("    and {} more\n", terminal.size() - kMostListed);
  }
  return text;
}

}  // namespace nestor
