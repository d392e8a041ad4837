#include "program/control_dependence.h"

#include <algorithm>

namespace nestor::program {

namespace {

/// Immediate post-dominators, by Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm",
/// 2001, on the edges turned round. All ends lead to one that is no point.
class PostDominators {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit PostDominators(const std::vector<std::vector<std::uint32_t>>& next)
      : next_(next), end_(static_cast<std::uint32_t>(next.size())), previous_(next.size() + 1) {
    for (std::uint32_t p = 0; p < next.size(); ++p) {
      for (const std::uint32_t to : next[p]) {
        previous_[to].push_back(p);
      }
      if (next[p].empty()) {
        previous_[end_].push_back(p);
      }
    }
    number();
    run();
  }

  /// kNone: no end can be reached, or the next one is the common end.
  std::uint32_t operator[](std::uint32_t point) const {
    return immediate_[point] == end_ ? kNone : immediate_[point];
  }

 private:
  void number() {
    order_.assign(next_.size() + 1, kNone);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack = {{end_, 0}};
    std::vector<std::uint8_t> seen(next_.size() + 1, 0);
    seen[end_] = 1;
    while (!stack.empty()) {
      auto& [point, i] = stack.back();
      if (i < previous_[point].size()) {
        const std::uint32_t to = previous_[point][i++];
        if (seen[to] == 0) {
          seen[to] = 1;
          stack.emplace_back(to, 0);
        }
      } else {
        order_[point] = static_cast<std::uint32_t>(postorder_.size());
        postorder_.push_back(point);
        stack.pop_back();
      }
    }
  }

  void run() {
    immediate_.assign(next_.size() + 1, kNone);
    immediate_[end_] = end_;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = postorder_.size() - 1; i-- > 0;) {
        const std::uint32_t point = postorder_[i];
        std::uint32_t found = next_[point].empty() ? end_ : kNone;
        for (const std::uint32_t to : next_[point]) {
          if (immediate_[to] != kNone) {
            found = found == kNone ? to : meet(to, found);
          }
        }
        if (found != immediate_[point]) {
          immediate_[point] = found;
          changed = true;
        }
      }
    }
  }

  std::uint32_t meet(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (order_[a] < order_[b]) {
        a = immediate_[a];
      }
      while (order_[b] < order_[a]) {
        b = immediate_[b];
      }
    }
    return a;
  }

  const std::vector<std::vector<std::uint32_t>>& next_;
  std::uint32_t end_;
  std::vector<std::vector<std::uint32_t>> previous_;
  std::vector<std::uint32_t> order_;      // in postorder; kNone: no end can be reached
  std::vector<std::uint32_t> postorder_;  // of the edges turned round
  std::vector<std::uint32_t> immediate_;
};

}  // namespace

ControlDependence::ControlDependence(const Function& function) : branches_(function.points.size()) {
  std::vector<std::vector<std::uint32_t>> next(function.points.size());
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    if (function.points[p].kind == PointKind::Halt) {
      continue;
    }
    next[p] = function.points[p].next;
    if (function.points[p].unwind != UINT32_MAX) {
      next[p].push_back(function.points[p].unwind);
    }
  }
  const PostDominators after(next);
  for (std::uint32_t p = 0; p < next.size(); ++p) {
    if (next[p].size() < 2) {
      continue;
    }
    for (const std::uint32_t to : next[p]) {
      for (std::uint32_t on = to; on != PostDominators::kNone && on != after[p]; on = after[on]) {
        if (branches_[on].empty() || branches_[on].back() != p) {
          branches_[on].push_back(p);
        }
      }
    }
  }
}

}  // namespace nestor::program
