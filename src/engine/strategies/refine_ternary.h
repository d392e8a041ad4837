#pragma once

#include "base/inline.h"
#include "engine/strategies/context_machine.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::strategies {

/// REFINETERNARY of [DWF24], Algorithm 1, incremental: start() evaluates a subformula everywhere
/// once; run() then follows what has changed. Values only go from unknown to known.
class RefineTernary {
 public:
  explicit RefineTernary(ContextMachine& machine);

  /// The first evaluation of `f`, on all reachable instances; its operands have had theirs.
  void start(SubId f);
  /// Refines all subformulas that were started until nothing changes.
  void run();

 private:
  enum class Mark : std::uint8_t { None, Region, Good };

  /// All lists of states may become as large as the machine.
  NESTOR_INLINE void push(std::vector<State>& list, State s) {
    base::reserve_one_more(list, machine_.guard());
    list.push_back(s);
  }
  void refine(SubId f, const std::vector<State>& changed);
  void refine_next(SubId f, const std::vector<State>& changed);
  void refine_globally(SubId f, const std::vector<State>& changed);
  void refine_until(SubId f, const std::vector<State>& changed);
  void start_atom(SubId f);
  void start_boolean(SubId f);

  Ternary left(State s, SubId f) const;
  Ternary right(State s, SubId f) const;
  Ternary evaluate_boolean(State s, SubId f) const;
  Ternary evaluate_next(State s, SubId f) const;
  bool surely_until(State s, SubId f) const;
  bool hopeful_until(State s, SubId f);
  bool surely_not_globally(State s, SubId f);
  bool supported_globally(State s, SubId f);

  void collect_region(SubId f, const std::vector<State>& changed);
  NESTOR_INLINE Mark& mark(State s) {
    std::vector<Mark>& marks = scratch_[s.instance].marks;
    if (marks.empty()) {
      make_marks(s.instance);
    }
    return marks[s.node.value() - machine_.instance(s.instance).first_node];
  }
  void make_marks(InstanceId instance);
  NESTOR_INLINE std::uint32_t& cursor(State s) {
    std::vector<std::uint32_t>& cursors = scratch_[s.instance].cursors;
    if (cursors.empty()) {
      make_cursors(s.instance);
    }
    push(with_cursors_, s);
    return cursors[s.node.value() - machine_.instance(s.instance).first_node];
  }
  void make_cursors(InstanceId instance);
  void forget_marks();
  void forget_cursors();

  /// Scratch of one instance, by place of the node; all zero between two calls of refine().
  struct Scratch {
    std::vector<Mark> marks;
    std::vector<std::uint32_t> cursors;
  };

  ContextMachine& machine_;
  const SubformulaTable& table_;
  base::IdVector<InstanceId, Scratch> scratch_;
  std::vector<State> region_;        // the states with a mark
  std::vector<State> with_cursors_;  // the states with a cursor
  std::vector<State> work_;
  std::vector<State> changed_;
};

}  // namespace nestor::engine::strategies
