#pragma once

#include "engine/finite/global_checker.h"

#include <vector>

namespace nestor {

/// The one-pass algorithm with a father-state stack: see dfs.cpp.
class DfsChecker final : public GlobalChecker {
 public:
  DfsChecker(const FiniteGraph& graph, const FormulaPool& pool, const SubformulaSequence& sub,
             LimitGuard& guard);

  /// The search stack in `s`, for operands that are given as sets of states. Counterexample: A(φ U
  /// ψ) is false there, and the path leads through φ ∧ ¬ψ to a state without φ and ψ, to a dead
  /// end, or back to a state of the path. Witness: E(φ U ψ) is true, and the path leads through φ
  /// to a state with ψ. Empty if there is none.
  enum class Search : std::uint8_t { Counterexample, Witness };
  std::vector<NodeId> path(Search search, const BitSet& left, const BitSet& right, NodeId s);

 private:
  struct Frame {
    NodeId s;
    std::uint32_t succ_num = 0;
  };

  void au(const BitSet& left, const BitSet& right, BitSet& result) override;
  void eu(const BitSet& left, const BitSet& right, BitSet& result) override;

  void initialize_search(const BitSet& left, const BitSet& right, BitSet& labeled);
  void initialize_numbers();
  bool search_counterexample(NodeId s, BitSet& labeled);
  bool search_witness(NodeId s, BitSet& labeled);
  std::uint32_t search_new_states(NodeId s, BitSet& labeled, std::uint32_t& dfs);
  void push(NodeId s);

  BitSet marked_;
  BitSet modified_;
  IdVector<NodeId, std::uint32_t> min_;  // 0: not on the father-state stack
  std::vector<Frame> st_;
  std::vector<NodeId> fst_;
};

}  // namespace nestor
