#pragma once

#include "base/limits.h"
#include "explain/exit_sets.h"
#include "explain/instance_graph.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace nestor::explain {

/// Why the values 0 of an `EG φ` are right where φ is true: each such node, and each return point
/// that rule 6 names, has a rank and a set `reach` of exits; every
/// φ-path from there leads to smaller ranks, so it ends without φ or leaves the frame by an exit in
/// `reach` (docs/certificates.md, rule 6).
class GreatestProof {
 public:
  struct Dead {
    std::uint32_t rank = 0;
    ExitSets::SetId reach = ExitSets::kEmpty;
  };

  /// Of the subformula at a place of the labelling, whose operand is at `phi`.
  GreatestProof(const InstanceGraph& graph, std::size_t place, std::size_t phi,
                base::LimitGuard& guard);

  bool has(std::uint32_t row) const { return state_[row] == State::Done; }
  const Dead& operator[](std::uint32_t row) const { return dead_[row]; }
  std::span<const std::uint32_t> reach(const Dead& dead) const { return sets_[dead.reach]; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  enum class State : std::uint8_t { Unseen, Waiting, Done };
  struct Point {
    std::uint32_t instance = 0;
    model::NodeId node;
  };
  /// A point on its way: what it still waits for begins at a successor and, where that is a call,
  /// at an exit of those that the entry reaches.
  struct Task {
    Point point;
    std::uint32_t successor = 0;
    std::uint32_t exit = 0;
    std::uint32_t next_waiting = kNone;  // the next task that waits for the same row
  };

  void start(const Point& p);
  void start_after(std::uint32_t instance, std::size_t exit);
  void run();
  bool go_on(Task& task);
  bool follow(Task& task, model::NodeId successor);
  bool take(Task& task, const Point& from, bool with_reach);
  void finish(const Task& task);

  const InstanceGraph& graph_;
  const model::Rsm& model_;
  std::size_t place_;
  std::size_t phi_;
  base::LimitGuard& guard_;
  ExitSets sets_;
  std::vector<State> state_;  // by row
  std::vector<Dead> dead_;    // by row; so far, while waiting
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> waiting_;  // by row: the first task that waits for it
  std::vector<std::uint32_t> ready_;    // tasks to go on with
};

}  // namespace nestor::explain
