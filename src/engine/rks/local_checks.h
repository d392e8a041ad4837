#pragma once

#include "base/limits.h"
#include "engine/rks/local_check.h"
#include "model/rsm.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::rks {

/// The local checks of one or several formulas EG ψ or E ψ U χ, and what one tells the others,
/// after
///   [Thesis] the thesis on recursive Kripke structures (docs/engines.md), section 5.4: "only
///            context pairs calling x have to be re-checked".
///
///   thesis                              here
///   context pair (S, θϕ)                a pair, by its number; with its AssociatedStructure
///   back-pointers to the callers        the sites of a pair
///   deduceLabels                        check
///   the assumptions about calls         hand_on: the values at call nodes that follow from the
///                                       entries of the callees
///
/// A pair is checked as a whole once. After that a check follows the values at calls that have
/// become known since, unless all locations are decided, so that all checks of a pair cost as much
/// as its sub-structure is large, however often it is its turn.
class LocalChecks {
 public:
  LocalChecks(const model::Rsm& model, base::LimitGuard& guard) : model_(model), guard_(guard) {}

  /// Two pairs that differ in η only: the number of the one without, the other one is the next.
  /// What the structures point to must stay where it is.
  std::uint32_t add(const AssociatedStructure& without, const AssociatedStructure& with);
  /// What the box of `caller` calls: the pair without η.
  void connect(std::uint32_t caller, model::BoxId box, std::uint32_t callee);
  bool is_connected(std::uint32_t caller, model::BoxId box) const {
    return pairs_[caller].callees[place(caller, box)] != kNone;
  }

  /// A local check, if there is something to check since the last one. True if it told something.
  bool check(std::uint32_t pair);
  /// The next check is of the whole sub-structure again: more is known of ψ or χ.
  void check_anew(std::uint32_t pair) { pairs_[pair].is_checked = false; }
  /// Algorithm 3.6: what is still Maybe gets this value.
  void decide_remaining_maybes(std::uint32_t pair, Ternary rest);
  /// Hands on what checks and decisions have told: the pairs that know more about a call now.
  std::vector<std::uint32_t> hand_on();

  /// Algorithm 3.4 on `xi`, without its last line, in rounds as the thesis counts them: what a
  /// round finds is seen in the next. Only pairs that know more are checked after the first one.
  void label_by_fixpoint(std::span<const std::uint32_t> xi);

  struct Check {
    std::uint32_t pair;
    std::uint32_t round;  ///< of label_by_fixpoint, from 1 on; 0: outside of it
  };
  /// The checks so far, in their order.
  const std::vector<Check>& order() const { return order_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Site {
    std::uint32_t caller;
    model::BoxId box;
  };
  struct Pair {
    AssociatedStructure structure;
    std::vector<std::uint32_t> callees;  ///< by box; the pair without η
    std::vector<Ternary> after;          ///< by box that is connected: η of what it calls
    std::vector<Site> sites;             ///< who calls this pair or its twin; kept without η
    std::vector<model::NodeId> calls;    ///< call nodes that became known after the last check
    FalseSuccessors seen;
    std::size_t maybes = 0;   ///< plain nodes that are Maybe, once it is checked
    bool is_checked = false;  ///< as a whole
    bool has_work() const { return !is_checked || (maybes > 0 && !calls.empty()); }
    bool is_told = false;  ///< it is among those that hand_on() gives next
  };
  struct Found {
    std::uint32_t pair;
    model::NodeId node;
  };

  std::size_t place(std::uint32_t pair, model::BoxId box) const {
    return box - model_.component(pairs_[pair].structure.component).first_box;
  }
  void found(std::uint32_t pair, model::NodeId node);
  void hand_to_boxes_before(const Found& found);
  void hand_to_callers(const Found& found);
  void update_calls(std::uint32_t pair, model::BoxId box);
  void update_call(std::uint32_t pair, model::NodeId call);

  const model::Rsm& model_;
  base::LimitGuard& guard_;
  std::vector<Pair> pairs_;
  std::vector<Found> found_;         // not handed on yet
  std::vector<std::uint32_t> told_;  // pairs with new calls
  std::vector<Check> order_;
  std::uint32_t round_ = 0;
};

}  // namespace nestor::engine::rks
