#pragma once

#include "base/limits.h"
#include "engine/finite/local_graph.h"
#include "engine/finite/subformula_sequence.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::finite {

/// The local algorithm ALMC: see almc.cpp.
class AlmcChecker {
 public:
  AlmcChecker(LocalGraph& graph, const SubformulaSequence& sub, base::LimitGuard& guard)
      : graph_(graph), sub_(sub), guard_(guard) {}

  /// True if `s` satisfies the subformula at place `i`. What is found out about other states is
  /// kept.
  bool holds(std::uint32_t i, model::NodeId s);

  std::size_t peak_stack() const { return peak_stack_; }
  /// What the values and the searches take now.
  std::size_t memory_bytes() const {
    return info_.capacity() * sizeof(std::uint64_t) + num_.capacity() * sizeof(std::uint32_t) +
           frames_.capacity() * sizeof(Frame) + searches_.capacity() * sizeof(Search) +
           (cst_.capacity() + fst_.capacity()) * sizeof(model::NodeId) +
           goal_frames_.capacity() * sizeof(GoalFrame);
  }

 private:
  // Two bits: a state is only marked as long as its value is unknown.
  enum class Info : std::uint8_t { Unknown, Marked, False, True };

  /// The report's routines that call others, and how far a call of one has come.
  enum class Routine : std::uint8_t { Boolean, Ex, Au, AuCst, Eu, EuCst };
  enum class Phase : std::uint8_t {
    Entered,   // nothing has been asked yet
    Searched,  // of Au and Eu: the search is over
    RightIsKnown,
    LeftIsKnown,
    Marked,  // of AuCst and EuCst: the successors are being searched
  };
  struct Frame {
    Routine routine = Routine::Boolean;
    Phase phase = Phase::Entered;
    std::uint32_t i = 0;
    model::NodeId s;
    std::uint32_t next = 0;  // successor to look at
  };
  struct GoalFrame {
    model::NodeId s;
    std::uint32_t next = 0;
    std::uint32_t min = 0;
  };
  /// A running evaluation of E(φ U ψ): where its part of cst_ begins, and its goal.
  struct Search {
    std::size_t first_cst = 0;
    model::NodeId goal;
  };

  Info info(std::uint32_t i, model::NodeId s) const;
  void set_info(std::uint32_t i, model::NodeId s, Info value);
  void set_info(std::uint32_t i, model::NodeId s, bool value) {
    set_info(i, s, value ? Info::True : Info::False);
  }
  bool is_true(std::uint32_t i, model::NodeId s) const { return info(i, s) == Info::True; }

  void call(Routine routine, std::uint32_t i, model::NodeId s);
  void check(std::uint32_t i, model::NodeId s);
  void go_on();
  void boolean();
  void ex();
  void au();
  void au_cst();
  void throw_counterexample();
  void eu();
  void eu_cst();
  void throw_goal(model::NodeId goal);
  void goal(std::uint32_t i, model::NodeId s, model::NodeId goal);
  std::uint32_t& num(model::NodeId s);

  LocalGraph& graph_;
  const SubformulaSequence& sub_;
  base::LimitGuard& guard_;
  std::vector<std::uint64_t> info_;  // two bits a state and subformula, states outside
  std::vector<std::uint32_t> num_;   // depth-first search numbers; 0: none
  std::vector<Frame> frames_;        // calls that have not returned
  std::vector<model::NodeId> cst_;   // potential witness states of the running searches
  std::vector<Search> searches_;
  std::vector<model::NodeId> fst_;
  std::vector<GoalFrame> goal_frames_;
  std::size_t peak_stack_ = 0;
};

}  // namespace nestor::engine::finite
