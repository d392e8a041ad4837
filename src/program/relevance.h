#pragma once

#include "program/control_dependence.h"
#include "program/dependents.h"
#include "program/flow_graph.h"
#include "program/function_uses.h"
#include "program/program.h"

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace nestor::program {

/// Where a function gets the handle that a model is about.
struct HandleSeeds {
  std::set<ValueId> values;  ///< what points bind
  std::set<std::uint32_t> parameters;
  std::set<VariableId> locations;  ///< what places hold
  std::set<std::uint32_t> points;  ///< that make it
  bool decides_caller = false;     ///< what the function returns is told apart by its caller
  bool only_loss = false;          ///< what is behind it, and who looks at it, does not matter
  bool stores_behind_arguments = false;  ///< the points that make it may leave it there
  bool stays_there = false;              ///< the points read it, and it stays where it lies

  friend auto operator<=>(const HandleSeeds&, const HandleSeeds&) = default;
};

/// Which values of a function can decide what becomes of the handle, so that no other is kept: a
/// slice in the sense of Weiser, for the points at which something can happen to the handle.
class Relevance {
 public:
  /// Says which calls may change what lies at a location, or come back in another way.
  class Calls {
   public:
    virtual ~Calls() = default;
    virtual bool is_harmless(const Point& call) const = 0;
    virtual bool may_touch(const Point& call, VariableId location) const = 0;
    /// More than looking at what lies there.
    virtual bool may_take_from(const Point& call, VariableId location) const = 0;
    virtual VariableKind kind_of(VariableId location) const = 0;
    /// It may release or keep the argument.
    virtual bool takes(const Point& call, std::size_t argument) const = 0;
    /// It may give it back, or store it where an argument leads to, or what it leads to.
    virtual bool gives_out(const Point& call, std::size_t argument) const = 0;
  };

  Relevance(const Function& function, const FunctionUses& uses, const Dependents& dependents,
            const ControlDependence& control, const HandleSeeds& seeds, const Calls& calls,
            std::uint32_t id);

  /// Tells functions and seeds apart.
  std::uint32_t id() const { return id_; }

  /// Where the flow goes on, points left out at which nothing happens that matters.
  std::span<const std::uint32_t> next(std::uint32_t point) const { return next_[PointId(point)]; }
  /// The flow comes to the point from one other, and goes on to one other.
  bool is_link(std::uint32_t point) const { return links_[point] != 0; }

  /// The handle can be made there or later.
  bool may_make(std::uint32_t point) const { return making_[point] != 0; }
  /// After the point the handle may still be released, kept or given back.
  bool may_act_after(std::uint32_t point) const;
  /// What lies in the handle itself decides what becomes of it: a count, or a flag.
  bool looks_inside() const;
  /// What is done to the handle depends on which way is taken here.
  bool is_relevant(std::uint32_t assume) const { return relevant_[assume] != 0; }
  /// Some relevant branch depends on what lies there.
  bool is_tested(VariableId location) const {
    const Place place = uses_.place_of(location);
    return place != FunctionUses::kNoPlace && tested_[place] != 0;
  }
  /// A relevant branch asks for the pointer itself, not only for what it leads to.
  bool is_asked(ValueId address) const;
  bool is_read_from(ValueId bound, VariableId location) const;
  /// It may be the handle, or lead to it.
  bool may_hold(ValueId bound) const { return holding_values_[bound] != 0; }
  bool is_tested(ValueId bound) const { return tested_values_[bound] != 0; }
  bool is_tested_parameter(std::size_t number) const;
  /// What lies there before the point can be read at it or later, before it is written.
  bool is_live(std::uint32_t point, VariableId location) const;
  bool is_live(std::uint32_t point, ValueId bound) const {
    return bit_of_value_[bound] != kNoBit && is_set(point, bit_of_value_[bound]);
  }
  bool is_live_parameter(std::uint32_t point, std::size_t number) const;

 private:
  using Place = FunctionUses::Place;
  using PointId = base::Id<struct PointTag>;

  void lead_to(std::vector<std::uint8_t>& marked) const;
  void find_handle_points(const HandleSeeds& seeds, const Calls& calls);
  void look_at_handle_point(std::uint32_t point, const HandleSeeds& seeds, const Calls& calls);
  bool now_holds(ValueId value);
  bool now_holds(Place place);
  void look_again(std::span<const std::uint32_t> points);
  bool now_leads(ValueId address);
  bool may_hold_operand(ValueId operand) const;
  bool leads_to_handle(ValueId operand) const;
  void find_relevant(const ControlDependence& control, const HandleSeeds& seeds,
                     const Calls& calls);
  bool is_told(std::uint32_t point, const Calls& calls) const;
  bool is_given_address(std::uint32_t call, Place place) const;
  void find_asked();
  bool find_lonely(const HandleSeeds& seeds, const Calls& calls);
  void test(std::vector<std::uint32_t> points, std::vector<ValueId> values,
            const ControlDependence& control);
  void find_flow(const Calls& calls, const HandleSeeds& seeds);
  bool is_silent(std::uint32_t point, const Calls& calls, const HandleSeeds& seeds,
                 const std::vector<VariableId>& shared, const std::vector<VariableId>& held) const;
  std::vector<std::uint8_t> may_show() const;
  static bool may_rename(const Action& write, const HandleSeeds& seeds);
  bool has_followed(ValueId operand) const;
  void find_links(const FlowGraph& flow);
  void find_live();
  void add_leaves(ValueId operand, std::vector<ValueId>& leaves) const {
    const std::span<const ValueId> more = uses_.leaves_of(operand);
    leaves.insert(leaves.end(), more.begin(), more.end());
  }
  bool is_followed(Place place) const {
    return place != FunctionUses::kNoPlace && (tested_[place] != 0 || holding_[place] != 0);
  }
  bool is_set(std::uint32_t point, std::uint32_t bit) const {
    return row_of_[point] != kNoRow &&
           (live_[row_of_[point] * words_ + bit / 64] >> (bit % 64) & 1U) != 0;
  }

  const Function& function_;
  const FunctionUses& uses_;
  const Dependents& dependents_;
  const std::uint32_t id_;
  std::vector<std::uint8_t> making_;          // the handle can be made from here on
  mutable std::vector<std::uint8_t> acting_;  // and ended; empty: not asked yet
  std::uint8_t handle_bits_ = 64;
  std::vector<std::uint8_t> handle_points_;               // something may be done to the handle
  std::vector<std::uint64_t> to_look_at_;                 // a set of points, while these are found
  std::vector<ValueId> followed_;                         // pointers to where it is kept
  std::vector<std::uint8_t> relevant_;                    // by point: an Assume that decides
  std::vector<std::uint8_t> lonely_;                      // by point: a branch unlike all others
  std::vector<std::uint8_t> tested_;                      // by place
  std::vector<std::uint8_t> asked_;                       // by place: by itself
  std::vector<std::uint8_t> holding_;                     // by place: it may hold the handle
  std::vector<VariableId> holding_elsewhere_;             // the same, of what is not named here
  base::IdVector<ValueId, std::uint8_t> tested_values_;   // of those that are bound
  base::IdVector<ValueId, std::uint8_t> holding_values_;  // that may be or lead to the handle
  base::CompressedRows<PointId, std::uint32_t> next_;
  static constexpr std::uint32_t kNoRow = UINT32_MAX;
  std::vector<std::uint32_t> row_of_;  // by point, in live_; kNoRow: it is no part of the flow
  std::vector<std::uint8_t> links_;    // by point
  static constexpr std::uint32_t kNoBit = UINT32_MAX;
  base::IdVector<ValueId, std::uint32_t> bit_of_value_;  // in live_
  std::vector<std::uint32_t> bit_of_place_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> live_;
};

}  // namespace nestor::program
