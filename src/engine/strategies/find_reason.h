#pragma once

#include "engine/strategies/context_machine.h"

#include <cstdint>
#include <nestor/settings.h>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace nestor::engine::strategies {

/// Why a formula is unknown at an initial node: GETNEXTEXPANSION and FINDREASON of [DWF24],
/// Algorithms 6 and 7 (find_reason.cpp has the symbols).
class FindReason {
 public:
  explicit FindReason(ContextMachine& machine, Choice choice = Choice::All, std::uint64_t seed = 1)
      : machine_(machine), table_(machine.table()), choice_(choice), random_(seed) {}

  /// An unknown pair of a state and a subformula.
  struct Pair {
    State state;
    SubId formula;
  };

  /// Boxes whose contextualisation may help to decide the formula at an initial node where it is
  /// unknown. Without any, explored() is closed and resolve_cycle() may be called.
  std::vector<CallSite> get_next_expansion();
  /// The pairs that the last search went through.
  const std::vector<Pair>& explored() const { return explored_; }
  /// Decides the explored pairs of the smallest explored existential formula.
  void resolve_cycle();

 private:
  /// A box that the search went in by, and the formula it was asking about outside.
  struct Caller {
    CallSite site;
    SubId asking;
  };
  /// What is asked of one instance for one formula.
  struct Demand {
    InstanceId instance;
    SubId formula;
    std::vector<Caller> callers;       ///< where the question comes from
    std::vector<model::NodeId> exits;  ///< explored exits whose context is unknown
    std::vector<SubId> same_callers;   ///< formulas that are asked on behalf of the same callers
  };
  using DemandId = base::Id<struct DemandTag>;
  struct NewCaller {
    DemandId demand;
    Caller caller;
  };
  struct CallerKey {
    DemandId demand;
    InstanceId instance;
    model::BoxId box;
    SubId asking;

    friend bool operator==(const CallerKey&, const CallerKey&) = default;
  };
  struct CallerHash {
    std::size_t operator()(const CallerKey& key) const noexcept {
      constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
      std::uint64_t hash = (std::uint64_t{key.demand.value()} << 32) | key.box.value();
      hash = (hash ^ (hash >> 29)) * kMix + key.instance.value();
      hash = (hash ^ (hash >> 32)) * kMix + key.asking.value();
      return hash ^ (hash >> 31);
    }
  };

  /// True if the first box that is found ends the search.
  bool is_done() const { return choice_ != Choice::All && !reasons_.empty(); }
  void put_in_order(std::size_t first);
  void start();
  void resume();
  void revisit_calls(CallSite site);
  void recheck_return(CallSite site);
  void find_reason();
  void visit(const Pair& pair);
  void visit_exit(const Pair& exit);
  void visit_operand(const Pair& pair, SubId operand);
  void visit_successors(const Pair& pair, SubId wanted);
  void leave(DemandId from, const Caller& caller, model::NodeId exit);
  void pass_on(InstanceId instance, SubId from, SubId to);
  void take_new_callers();
  void explore(State state, SubId f);
  DemandId demand(InstanceId instance, SubId f);
  bool is_reason(SubId f, Ternary value) const;
  /// What resolution gives: a cycle satisfies EG and does not satisfy EU.
  Ternary resolved_value(SubId f) const {
    return table_[f].op == logic::Op::EG ? Ternary::True : Ternary::False;
  }
  static std::uint64_t demand_key(InstanceId instance, SubId f) {
    return (std::uint64_t{instance.value()} << 32) | f.value();
  }
  std::size_t place(State state, SubId f) const;
  bool is_visited(State state, SubId f) const;
  bool insert_visited(State state, SubId f);
  void forget();

  bool widen(SubId f);
  bool operands_known(State s, SubId f) const;
  void decide_explored(SubId f);
  std::vector<InstanceId> instances_to_split(SubId f);
  void split(const std::vector<InstanceId>& originals, SubId f);

  ContextMachine& machine_;
  const SubformulaTable& table_;
  Choice choice_;
  std::mt19937_64 random_;         // of Choice::Random
  std::vector<Pair> stack_;        // still to be visited, next one last
  std::vector<Pair> explored_;     // visited
  std::vector<Pair> blocked_;      // visited, but only as far as an unknown operand
  std::vector<CallSite> reasons_;  // the boxes found
  base::IdVector<DemandId, Demand> demands_;
  std::unordered_map<std::uint64_t, DemandId> demand_of_;  // by instance and formula
  std::unordered_set<CallerKey, CallerHash> known_callers_;
  std::vector<NewCaller> new_callers_;                              // still to be taken in
  base::IdVector<InstanceId, std::vector<std::uint64_t>> visited_;  // bits, shaped like the values
  std::vector<InstanceId> with_visited_;                            // the instances that have some
  base::IdVector<InstanceId, InstanceId> part_;  // by original: the split-off part
};

}  // namespace nestor::engine::strategies
