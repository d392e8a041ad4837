#pragma once

#include "program/program_index.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

/// From which pointers of a function a thing can be found that lies in memory: those that lead to
/// where it lies, those that lead to where these lie, and so on, in whatever order.
class Holders {
 public:
  using Place = FunctionUses::Place;

  Holders(const ProgramIndex& index, const Function& function, const FunctionUses& uses);

  /// The thing may lie there, in what has no other name, or is no exact local.
  void add(Place place);
  /// The operand may be such a pointer.
  bool leads(ValueId operand) const;
  /// The function that is called may find it in a global.
  bool is_in_global_of(const Point& call) const;
  /// Callers may find it when the function has come to its end.
  bool is_left_behind() const;

 private:
  void close();
  void follow(const Point& point, const Action& action, Place place);
  void follow_outside(const Point& call, const Action& action);
  void join(ValueId operand, ValueId other);
  void mark(ValueId operand, Place except = FunctionUses::kNoPlace);
  void mark(Place place);
  bool is_named(Place place) const;
  bool is_global(Place place) const {
    return program_.variables[uses_.location(place)].kind == VariableKind::Global;
  }
  bool is_holding(Place place) const { return held_[place] != 0 || leading_places_[place] != 0; }

  const ProgramIndex& index_;
  const Program& program_;
  const Function& in_;
  const FunctionUses& uses_;
  std::vector<std::uint8_t> held_;                        // by place: the thing itself lies there
  std::vector<std::uint8_t> leading_places_;              // such a pointer does, or in a part of it
  base::IdVector<ValueId, std::uint8_t> leading_values_;  // they are such pointers
  bool has_news_ = false;
};

}  // namespace nestor::program
