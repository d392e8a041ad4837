#pragma once

#include "engine/labelling/fair.h"
#include "explain/finite_paths.h"

#include <vector>

namespace nestor::engine::labelling {

// Fair witnesses, after
//   [CGMZ95] E. M. Clarke, O. Grumberg, K. L. McMillan, X. Zhao: Efficient generation of
//            counterexamples and witnesses in symbolic model checking. DAC 1995.
//
// From any state of EG_fair f a path in that set leads to a step of each constraint. The path goes
// to the nearest one of each in turn; then, if it can, back to where it began, else it begins anew
// from where it is. That is further down among the strongly connected components, so it ends.

class FairPaths final : public explain::FinitePaths {
 public:
  FairPaths(const Graph& graph, const model::Fairness& fairness, const FairGraph& fair,
            base::LimitGuard& guard)
      : graph_(graph), fairness_(fairness), fair_(fair), guard_(guard) {}

  bool counts(std::size_t node) const override { return fair_.fair().test(state(node)); }
  Found find(const Wanted& wanted, std::size_t start) override;

 private:
  std::size_t state(std::size_t node) const { return graph_.state(graph_.first() + node); }
  std::size_t node(std::size_t state) const { return graph_.node(state) - graph_.first(); }
  base::BitSet by_state(const base::BitSet& nodes) const;
  bool append_lasso(const base::BitSet& inside, std::vector<std::size_t>& path, std::size_t& loop);
  std::uint32_t marks(std::size_t from, std::size_t to) const;
  template <class IsLast>
  bool append_path(const base::BitSet& inside, IsLast is_last, std::vector<std::size_t>& path);

  /// EG_fair of the states that were asked for last: many paths of one claim want the same.
  const base::BitSet& forever(const base::BitSet& along);

  const Graph& graph_;
  const model::Fairness& fairness_;
  const FairGraph& fair_;
  base::LimitGuard& guard_;
  base::BitSet along_;    // of forever_
  base::BitSet forever_;  // empty: not asked for yet
};

}  // namespace nestor::engine::labelling
