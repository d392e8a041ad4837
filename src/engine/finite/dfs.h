#pragma once

#include "engine/finite/global_checker.h"

#include <vector>

namespace nestor::engine::finite {

/// The one-pass algorithm with a father-state stack: see dfs.cpp.
class DfsChecker : public GlobalChecker {
 public:
  DfsChecker(const FiniteGraph& graph, const logic::FormulaPool& pool,
             const SubformulaSequence& sub, base::LimitGuard& guard);

  /// Whether subformula `i` holds in every one of `states`, evaluated there alone; those before it
  /// are evaluated everywhere. [Hel97] section 4.1: the outermost formula is asked in the
  /// evaluation state only.
  bool holds_in_all(std::uint32_t i, const std::vector<model::NodeId>& states);

  /// The search stack in `s`, for operands that are given as sets of states. Counterexample: A(φ U
  /// ψ) is false there, and the path leads through φ ∧ ¬ψ to a state without φ and ψ, to a dead
  /// end, or back to a state of the path. Witness: E(φ U ψ) is true, and the path leads through φ
  /// to a state with ψ. Empty if there is none.
  enum class Search : std::uint8_t { Counterexample, Witness };
  std::vector<model::NodeId> path(Search search, const base::BitSet& left,
                                  const base::BitSet& right, model::NodeId s);

 protected:
  /// The order in which searches begin. Every state once.
  void begin_searches_in(std::vector<model::NodeId> order) { order_ = std::move(order); }

 private:
  struct Frame {
    model::NodeId s;
    std::uint32_t succ_num = 0;
  };

  void au(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) override;
  void eu(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) override;

  void initialize_search(const base::BitSet& left, const base::BitSet& right,
                         base::BitSet& labeled);
  void initialize_numbers();
  template <class SearchFrom>
  void search_everywhere(SearchFrom search_from);
  std::size_t search_bytes() const override;
  bool search_counterexample(model::NodeId s, base::BitSet& labeled);
  bool search_witness(model::NodeId s, base::BitSet& labeled);
  std::uint32_t search_new_states(model::NodeId s, base::BitSet& labeled, std::uint32_t& dfs);
  void push(model::NodeId s);

  std::vector<model::NodeId> order_;  // empty: of the numbers
  base::BitSet marked_;
  base::BitSet modified_;
  base::IdVector<model::NodeId, std::uint32_t> min_;  // 0: not on the father-state stack
  std::vector<Frame> st_;
  std::vector<model::NodeId> fst_;
};

/// The same, but terminal strong components first, so that a search stack never leaves one.
class TerminalFirstChecker final : public DfsChecker {
 public:
  TerminalFirstChecker(const FiniteGraph& graph, const logic::FormulaPool& pool,
                       const SubformulaSequence& sub, base::LimitGuard& guard);
};

}  // namespace nestor::engine::finite
