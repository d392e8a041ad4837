#include "program/dependents.h"

#include <algorithm>

namespace nestor::program {

namespace {

using Place = FunctionUses::Place;

/// The values and places that each point depends on.
template <typename OnValue, typename OnPlace>
void for_each_use(const Function& function, const FunctionUses& uses, const OnValue& on_value,
                  const OnPlace& on_place) {
  std::vector<std::uint32_t> of_value(function.values.size(), UINT32_MAX);  // the last user
  std::vector<std::uint32_t> of_place(uses.place_count(), UINT32_MAX);
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    const auto use_place = [&](Place place) {
      if (place != FunctionUses::kNoPlace && of_place[place] != p) {
        of_place[place] = p;
        on_place(place, p);
      }
    };
    const auto use = [&](ValueId operand) {
      for (const ValueId leaf : uses.leaves_of(operand)) {
        if (of_value[leaf.value()] != p) {
          of_value[leaf.value()] = p;
          on_value(leaf, p);
        }
      }
      for (ValueId at = operand; at.valid(); at = function.values[at].left) {
        use_place(uses.place_of_address(at));
      }
    };
    use_place(uses.place_at(p));
    if (const Action* action = function.action_of(p)) {
      use(action->value);
      use(action->address);
      std::for_each(action->arguments.begin(), action->arguments.end(), use);
    }
  }
}

template <typename OnEdge>
void for_each_edge(const Function& function, const OnEdge& on_edge) {
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    const Point& point = function.points[p];
    for (const std::uint32_t to : point.next) {
      on_edge(p, to);
    }
    if (point.unwind != UINT32_MAX) {
      on_edge(p, point.unwind);
    }
    if (!point.targets.empty()) {
      on_edge(p, function.longjmp_target);
    }
  }
}

}  // namespace

Dependents::Dependents(const Program& program, const Function& function, const FunctionUses& uses)
    : users_(function.values.size()),
      place_users_(uses.place_count()),
      always_matters_(function.points.size(), 0),
      previous_(function.points.size()) {
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    const Point& point = function.points[p];
    const Action* action = function.action_of(p);
    const VariableId location = location_of(point);
    const bool is_unnamed =
        !location.valid() || program.variables[location].kind == VariableKind::Memory;
    always_matters_[p] =
        p < Function::kFirst || point.unwind != UINT32_MAX || !point.targets.empty() ||
                (action != nullptr && action->kind == Action::Kind::Write && is_unnamed)
            ? 1
            : 0;
  }
  for_each_use(
      function, uses, [&](ValueId value, std::uint32_t) { users_.count(value); },
      [&](Place place, std::uint32_t) { place_users_.count(PlaceId(place)); });
  for_each_edge(function, [&](std::uint32_t, std::uint32_t to) { previous_.count(PointId(to)); });
  users_.finish_counting();
  place_users_.finish_counting();
  previous_.finish_counting();
  for_each_use(
      function, uses, [&](ValueId value, std::uint32_t p) { users_.add(value, p); },
      [&](Place place, std::uint32_t p) { place_users_.add(PlaceId(place), p); });
  for_each_edge(function,
                [&](std::uint32_t from, std::uint32_t to) { previous_.add(PointId(to), from); });
}

}  // namespace nestor::program
