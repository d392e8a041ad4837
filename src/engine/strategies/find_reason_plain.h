#pragma once

#include "engine/strategies/context_machine.h"

#include <optional>
#include <vector>

namespace nestor::engine::strategies {

/// GETNEXTEXPANSION and FINDREASON as they are printed in [DWF24], Algorithms 6 and 7, to be read
/// beside the paper; find_reason.h has the search that `lazy` uses. The set R is local here, so the
/// search would take exponential time at worst, and is bounded.
class PlainFindReason {
 public:
  explicit PlainFindReason(ContextMachine& machine) : machine_(machine), table_(machine.table()) {}

  /// A box to contextualise, if one may help to decide the formula at an initial node.
  std::optional<CallSite> get_next_expansion();

 private:
  struct Pair {
    State state;
    SubId formula;

    friend bool operator==(const Pair&, const Pair&) = default;
  };

  std::optional<CallSite> find_reason(State n, SubId f);
  std::optional<CallSite> find_reason_at_exit(State n, SubId f);
  std::optional<CallSite> find_reason_in_operands(State n, SubId f);
  std::optional<CallSite> find_reason_in_successors(State n, SubId f);
  bool is_unknown(State n, SubId f) const { return !known(machine_.value(n, f)); }

  ContextMachine& machine_;
  const SubformulaTable& table_;
  std::vector<Pair> requested_;  // R, the last one last
  std::size_t calls_ = 0;        // of find_reason() in this search
};

}  // namespace nestor::engine::strategies
