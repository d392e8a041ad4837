#pragma once

#include "base/limits.h"
#include "explain/instance_graph.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace nestor::explain {

/// Why the values 1 of an `E φ U ψ` are right: facts `p → t`, each saying that a φ-path leads from
/// the node or return point p to t, which is the goal (ψ) or an exit of p's component, without
/// leaving p's frame. A fact has a rank and follows from facts with smaller ones
/// (docs/certificates.md, rule 5).
class LeastProof {
 public:
  static constexpr std::uint32_t kGoal = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kNone = kGoal;

  struct Fact {
    std::uint32_t instance = 0;    ///< of p
    model::NodeId point;           ///< p: a plain node or a return node
    std::uint32_t target = kGoal;  ///< or the index of an exit
    std::uint32_t rank = 0;
    model::NodeId next;            ///< the successor that the path takes; not valid: p itself is t
    std::uint32_t inside = kNone;  ///< the fact about `next`, or about the entry it calls
    std::uint32_t after = kNone;   ///< of a call that returns: the fact about the return point
    std::uint32_t more = kNone;    ///< the next fact about p
    bool kept = false;             ///< some value needs it
  };

  /// Of the subformula at a place of the labelling, whose operands are at `phi` and `psi`.
  LeastProof(const InstanceGraph& graph, std::size_t place, std::size_t phi, std::size_t psi,
             base::LimitGuard& guard);

  /// Calls visit(fact) for each fact about the node or return point that the proof needs.
  template <class Visit>
  void for_each_kept(std::uint32_t row, Visit visit) const {
    for (std::uint32_t k = first_[row]; k != kNone; k = facts_[k].more) {
      if (facts_[k].kept) {
        visit(facts_[k]);
      }
    }
  }

  /// Of a call that returns: the index of the callee's exit; else kNone.
  std::uint32_t through(const Fact& fact) const {
    return fact.after == kNone ? kNone : facts_[fact.inside].target;
  }

 private:
  struct Place {
    std::uint32_t instance = 0;
    model::NodeId node;
  };

  void add_goals();
  void add_exits(std::uint32_t instance);
  void spread();
  void spread_from_node(std::uint32_t fact);
  void spread_from_return(std::uint32_t fact);
  void add_before_call(std::uint32_t instance, model::NodeId call, std::uint32_t inside);
  void add_before_call(std::uint32_t instance, model::NodeId call, std::uint32_t inside,
                       std::uint32_t after);
  void add(const Fact& fact);
  std::uint32_t find(std::uint32_t row, std::uint32_t target) const;
  std::uint32_t best(std::uint32_t row) const;

  bool goes_on_by_call(std::uint32_t instance, model::NodeId return_node) const;
  std::vector<Place> unproved() const;
  void follow_all_targets(const std::vector<Place>& unproved);
  void follow_all_targets(std::uint32_t instance);
  void keep_what_is_needed();

  const InstanceGraph& graph_;
  const model::Rsm& model_;
  std::size_t place_;
  std::size_t phi_;
  std::size_t psi_;
  base::LimitGuard& guard_;
  std::vector<Fact> facts_;           // in the order of derivation, so they are their own queue
  std::size_t spread_ = 0;            // so many facts have been spread
  std::vector<std::uint32_t> first_;  // by row: a fact about it, which leads to the others
  std::vector<bool> all_targets_;     // by instance: points may have a fact for each target
};

}  // namespace nestor::explain
