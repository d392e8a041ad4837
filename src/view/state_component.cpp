#include "view/state_component.h"

#include <algorithm>
#include <deque>
#include <map>
#include <nestor/state_graph.h>

namespace nestor::view {

namespace {

constexpr std::size_t kMostStates = 4'000;
constexpr std::size_t kMostSteps = 40'000;
constexpr std::size_t kMostSeen = 20'000;

/// Goes from the initial states to those that are looked at, which lie on paths from there, and
/// then on, breadth first.
class StateCollector {
 public:
  StateCollector(const Model& model, const std::string& procedure, const LookedAt& looked_at)
      : graph_(model), procedure_(procedure), looked_at_(looked_at) {
    for (const StateGraph::State& state : graph_.initial()) {
      entries_.insert(state.node);
      see(state);
    }
    while (!open_.empty() && next_.size() < kMostStates && steps_ < kMostSteps) {
      const StateGraph::State state = open_.front();
      open_.pop_front();
      std::vector<std::uint32_t>& next = next_[state.node];
      for (const StateGraph::State& after : graph_.successors(state)) {
        next.push_back(after.node);
        see(after);
      }
      steps_ += next.size();
    }
  }

  Component component() {
    Component result;
    result.name = procedure_;
    for (const auto& [node, next] : next_) {
      result.nodes.push_back({.name = name(node),
                              .is_entry = entries_.contains(node),
                              .labels = graph_.labels({{}, node})});
    }
    for (const auto& [node, next] : next_) {
      for (const std::uint32_t after : next) {
        if (next_.contains(after)) {
          result.transitions.push_back({End(name(node)), End(name(after))});
        }
      }
    }
    return result;
  }

 private:
  const std::string& name(std::uint32_t node) {
    const auto [found, is_new] = names_.try_emplace(node);
    if (is_new) {
      found->second = graph_.describe({{}, node});
    }
    return found->second;
  }

  void see(const StateGraph::State& state) {
    if (seen_.size() == kMostSeen || !seen_.insert(state.node).second) {
      return;
    }
    if (looked_at_.contains(procedure_, name(state.node))) {
      open_.push_front(state);
    } else {
      open_.push_back(state);
    }
  }

  StateGraph graph_;
  std::string procedure_;
  const LookedAt& looked_at_;
  std::set<std::uint32_t> entries_;
  std::set<std::uint32_t> seen_;
  std::deque<StateGraph::State> open_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> next_;  // of what is kept
  std::map<std::uint32_t, std::string> names_;
  std::size_t steps_ = 0;
};

}  // namespace

Component state_component(const Model& model, const std::string& name, const LookedAt& looked_at) {
  return StateCollector(model, name, looked_at).component();
}

}  // namespace nestor::view
