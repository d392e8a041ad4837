#pragma once

#include "engine/strategies/context_machine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace nestor::strategies {

/// Why a formula is unknown at an initial node: GETNEXTEXPANSION and FINDREASON of [DWF24],
/// Algorithms 6 and 7 (find_reason.cpp has the symbols).
class FindReason {
 public:
  explicit FindReason(ContextMachine& machine) : machine_(machine), table_(machine.table()) {}

  /// An unknown pair of a state and a subformula.
  struct Pair {
    State state;
    SubId formula;
  };

  /// A box whose contextualisation may help to decide the formula at an initial node where it is
  /// unknown. Without one, explored() is closed and resolve_cycle() may be called.
  std::optional<CallSite> get_next_expansion();
  /// The pairs that the last search went through.
  const std::vector<Pair>& explored() const { return explored_; }
  /// Decides the pairs of the smallest explored existential formula.
  void resolve_cycle();

 private:
  std::optional<CallSite> find_reason(State state, SubId f);
  std::optional<CallSite> visit(const Pair& pair);
  std::optional<CallSite> visit_callers(const Pair& exit);
  void visit_successors(const Pair& pair, SubId wanted);
  void explore(State state, SubId f);
  bool insert_visited(const Pair& pair);
  void forget_visited();

  ContextMachine& machine_;
  const SubformulaTable& table_;
  std::vector<Pair> stack_;                                   // still to be visited, next one last
  std::vector<Pair> explored_;                                // visited
  IdVector<InstanceId, std::vector<std::uint64_t>> visited_;  // the same as bits
};

}  // namespace nestor::strategies
