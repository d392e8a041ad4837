#pragma once

#include "program/program_index.h"
#include "program/unseen_ways.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace nestor::program {

/// One thing that happens on a path of a model, as the program sees it.
struct TraceStep {
  enum class Kind : std::uint8_t {
    Visit,     ///< `point` is visited; a call of functions of the program does nothing by that
    Enter,     ///< `callee` is entered by the call at `point`; not known by which if not valid
    ComeBack,  ///< and comes back to it
    PassOver,  ///< the call at `point` is made, and what it does is not shown
    Unseen,    ///< `ways` from `point` to `to`
  };

  Kind kind = Kind::Visit;
  bool is_site = false;  ///< of Visit: where what the rule is about is made, by success or failure
  FunctionId function;
  std::uint32_t point = 0;
  FunctionId callee = {};
  std::uint32_t to = 0;
  const UnseenWays* ways = nullptr;

  /// The other is this step, or more than it.
  bool is_fulfilled_by(const TraceStep& other) const {
    return kind == other.kind && function == other.function && point == other.point &&
           callee == other.callee && to == other.to && (!is_site || other.is_site) &&
           (ways == other.ways ||
            (ways != nullptr && other.ways != nullptr &&
             ways->is_unknown == other.ways->is_unknown && ways->items == other.ways->items));
  }
};

/// What a part of a path reads, writes and passes on: as long as nothing else changes it, the part
/// computes the same wherever it happens.
struct Footprint {
  std::set<FunctionId> frames;  ///< whose parameters, locals or bound values it uses
  std::set<std::pair<FunctionId, ValueId>> bound;
  std::set<VariableId> variables;
  bool memory = false;  ///< what pointers lead to, and variables whose address is known
};

/// What steps may change, without regard of values.
class TraceEffects {
 public:
  explicit TraceEffects(const ProgramIndex& index) : index_(index), program_(index.program()) {}

  /// The step may change something of it.
  bool disturbs(const TraceStep& step, const Footprint& footprint) const;
  /// Adds what the step uses and changes.
  void add(const TraceStep& step, Footprint& footprint) const;

  /// The call may change the variable, all of which is accessed by name; without a variable, what
  /// pointers lead to.
  bool call_changes(const Point& call, VariableId variable) const;
  /// The point, which is no call, may change it.
  bool may_define(const Point& point, VariableId variable) const;
  /// The variable that an address is of, or inside of; not valid if a pointer leads there.
  VariableId variable_at(FunctionId function, ValueId address) const;
  /// The points of a function that computes its result on one way and changes nothing but its own
  /// locals, calls of such functions included; null for others, and where calls go too deep.
  const std::vector<std::uint32_t>* straight(FunctionId function) const {
    return straight(function, 0);
  }
  /// The function that the call is of, if there is one and it is such a function.
  FunctionId straight_target(const Point& call) const;
  /// Only by name.
  bool is_exact(VariableId variable) const {
    return program_.variables[variable].exact || program_.variables[variable].is_constant;
  }

 private:
  bool disturbs(FunctionId function, std::uint32_t p, bool passes_over,
                const Footprint& footprint) const;
  void add(FunctionId function, std::uint32_t p, bool passes_over, Footprint& footprint) const;
  void add_value(FunctionId function, ValueId value, Footprint& footprint) const;
  void add_place(FunctionId function, ValueId address, Footprint& footprint) const;
  void add_reads(FunctionId straight, Footprint& footprint) const;
  const std::vector<std::uint32_t>* straight(FunctionId function, int depth) const;
  bool is_straight(FunctionId function, std::uint32_t point, int depth) const;

  const ProgramIndex& index_;
  const Program& program_;
  mutable std::map<FunctionId, std::vector<std::uint32_t>> straight_;  // empty if it is not
};

}  // namespace nestor::program
