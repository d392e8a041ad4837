#pragma once

#include "base/limits.h"
#include "engine/finite/local_graph.h"
#include "engine/finite/subformula_sequence.h"

#include <cstdint>
#include <vector>

namespace nestor {

/// The local algorithm ALMC: see almc.cpp.
class AlmcChecker {
 public:
  AlmcChecker(LocalGraph& graph, const SubformulaSequence& sub, LimitGuard& guard)
      : graph_(graph), sub_(sub), guard_(guard) {}

  /// True if `s` satisfies the formula. What is found out about other states is kept.
  bool check(NodeId s);

  std::size_t peak_stack() const { return peak_stack_; }

 private:
  // Two bits: a state is only marked as long as its value is unknown.
  enum class Info : std::uint8_t { Unknown, Marked, False, True };

  struct Frame {
    enum class Kind : std::uint8_t { Operator, AuVisit, EuVisit, EuSearch };

    Kind kind = Kind::Operator;
    std::uint8_t phase = 0;
    bool root = false;  // AuVisit: the evaluation began here
    std::uint32_t i = 0;
    NodeId s;
    std::uint32_t next = 0;  // successor to look at
  };
  struct GoalFrame {
    NodeId s;
    std::uint32_t next = 0;
    std::uint32_t min = 0;
  };
  /// A running evaluation of E(φ U ψ): where its part of cst_ begins, and its goal.
  struct Search {
    std::size_t first_cst = 0;
    NodeId goal;
  };

  Info info(std::uint32_t i, NodeId s) const;
  void set_info(std::uint32_t i, NodeId s, Info value);
  void set_info(std::uint32_t i, NodeId s, bool value) {
    set_info(i, s, value ? Info::True : Info::False);
  }
  bool is_true(std::uint32_t i, NodeId s) const { return info(i, s) == Info::True; }

  void push(const Frame& frame);
  void push_check(std::uint32_t i, NodeId s);
  void step();
  void step_operator();
  void step_ex();
  void step_au();
  void exit_with_counterexample();
  void step_eu_visit();
  void exit_with_goal(NodeId goal);
  void step_eu_search();
  void label_by_goal(std::uint32_t i, NodeId s, NodeId goal);
  std::uint32_t& number(NodeId s);

  LocalGraph& graph_;
  const SubformulaSequence& sub_;
  LimitGuard& guard_;
  std::vector<std::uint64_t> info_;     // two bits a state and subformula, states outside
  std::vector<std::uint32_t> numbers_;  // depth-first search numbers; 0: none
  std::vector<Frame> frames_;
  std::vector<NodeId> cst_;  // potential witness states of the running searches
  std::vector<Search> searches_;
  std::vector<NodeId> fst_;
  std::vector<GoalFrame> goal_frames_;
  std::size_t peak_stack_ = 0;
};

}  // namespace nestor
