#include "program/relevance.h"

#include <algorithm>
#include <map>
#include <set>

// Which branches decide what becomes of the handle, and what they ask for.

namespace nestor::program {

void Relevance::find_relevant(const ControlDependence& control, const HandleSeeds& seeds,
                              const Calls& calls) {
  std::vector<std::uint32_t> points;  // whose being reached matters
  std::vector<ValueId> values = followed_;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    const bool tells = action != nullptr && seeds.decides_caller && seeds.only_loss &&
                       action->kind == Action::Kind::Write && is_told(p, calls);
    const bool decides =
        action != nullptr && action->kind == Action::Kind::Return && seeds.decides_caller;
    if (handle_points_[p] == 0 && !decides && !tells) {
      continue;
    }
    points.push_back(p);
    if (tells) {
      add_leaves(action->address, values);
    }
    if (decides) {
      add_leaves(action->value, values);
    }
    if (action != nullptr && action->kind == Action::Kind::Call &&
        !function_.points[p].targets.empty()) {
      for (const ValueId argument : action->arguments) {
        add_leaves(argument, values);
      }
    }
  }
  test(points, values, control);
  if (seeds.only_loss && find_lonely(seeds, calls)) {
    relevant_.assign(function_.points.size(), 0);
    tested_.assign(uses_.place_count(), 0);
    tested_values_.assign(function_.values.size(), 0);
    test(std::move(points), std::move(values), control);
  }
  find_asked();
}

/// A constant is written where a parameter leads, a pointer to a number: what a caller is told so.
bool Relevance::is_told(std::uint32_t point, const Calls& calls) const {
  const Action& write = *function_.action_of(point);
  if (function_.values[write.value].kind != Value::Kind::Constant ||
      calls.kind_of(location_of(function_.points[point])) != VariableKind::Memory) {
    return false;
  }
  const std::span<const std::uint32_t> binders = uses_.binders_of(write.address);
  return binders.size() == 1 &&
         std::any_of(
             function_.parameters.begin(), function_.parameters.end(), [&](VariableId parameter) {
               const Place place = uses_.place_at(binders.front());
               return parameter.valid() && place == uses_.place_of(parameter) &&
                      place != FunctionUses::kNoPlace && uses_.writers_of(place).size() == 1;
             });
}

bool Relevance::is_given_address(std::uint32_t call, Place place) const {
  const Action* action = function_.action_of(call);
  return action != nullptr &&
         std::any_of(action->arguments.begin(), action->arguments.end(),
                     [&](ValueId argument) { return uses_.place_of_address(argument) == place; });
}

/// Back from the branches over copies.
void Relevance::find_asked() {
  std::vector<ValueId> values;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    if (relevant_[p] != 0) {
      add_leaves(function_.action_of(p)->value, values);
    }
  }
  while (!values.empty()) {
    const ValueId value = values.back();
    values.pop_back();
    for (const std::uint32_t binder : uses_.binders_of(value)) {
      const Place place = uses_.place_at(binder);
      if (function_.action_of(binder)->kind != Action::Kind::Read ||
          place == FunctionUses::kNoPlace || asked_[place] != 0) {
        continue;
      }
      asked_[place] = 1;
      for (const std::uint32_t writer : uses_.writers_of(place)) {
        add_leaves(function_.action_of(writer)->value, values);
      }
    }
  }
}

/// Branches on something that no other branch asks for, and of which nothing is known when it is
/// asked: what is found there is of no use later. Whether there are any.
bool Relevance::find_lonely(const HandleSeeds& seeds, const Calls& calls) {
  std::map<Place, std::set<std::uint32_t>> tests;        // the branches
  std::map<std::uint32_t, std::vector<ValueId>> leaves;  // by branch
  for (std::uint32_t b = 0; b < function_.points.size(); ++b) {
    for (const std::uint32_t side : function_.points[b].next) {
      if (relevant_[side] != 0) {
        add_leaves(function_.action_of(side)->value, leaves[b]);
      }
    }
  }
  for (const auto& [branch, values] : leaves) {
    for (const ValueId value : values) {
      for (const std::uint32_t binder : uses_.binders_of(value)) {
        if (const Place place = uses_.place_at(binder);
            function_.action_of(binder)->kind == Action::Kind::Read &&
            place != FunctionUses::kNoPlace) {
          tests[place].insert(branch);
        }
      }
    }
  }
  std::vector<std::uint32_t> entered;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    if (!function_.points[p].targets.empty() &&
        (handle_points_[p] != 0 || seeds.points.count(p) != 0)) {
      entered.push_back(p);
      // A callee may ask for what it is given, of the function's own.
      std::vector<ValueId> given;
      if (const Action* call = function_.action_of(p)) {
        for (const ValueId argument : call->arguments) {
          add_leaves(argument, given);
        }
      }
      for (const ValueId value : given) {
        for (const std::uint32_t binder : uses_.binders_of(value)) {
          if (const Place place = uses_.place_at(binder);
              place != FunctionUses::kNoPlace &&
              calls.kind_of(uses_.location(place)) == VariableKind::Local) {
            tests[place].insert(p);
          }
        }
      }
    }
  }
  // What comes from outside is not known, and nothing else is like it; setjmp's result is, after a
  // longjmp.
  const bool has_setjmp = function_.longjmp_target != Function::kLongjmp;
  const auto is_news = [&](ValueId value, const auto& is_read) {
    if (function_.values[value].kind == Value::Kind::Parameter) {
      return !seeds.decides_caller && holding_values_[value] == 0;
    }
    const std::span<const std::uint32_t> binders = uses_.binders_of(value);
    return holding_values_[value] == 0 &&
           std::all_of(binders.begin(), binders.end(), [&](std::uint32_t binder) {
             const Action::Kind kind = function_.action_of(binder)->kind;
             return kind == Action::Kind::Read
                        ? is_read(uses_.place_at(binder))
                        : kind == Action::Kind::Call && function_.points[binder].targets.empty() &&
                              handle_points_[binder] == 0 && !has_setjmp;
           });
  };
  const auto is_lonely = [&](Place place) {
    if (place == FunctionUses::kNoPlace || holding_[place] != 0 || tests[place].size() != 1) {
      return false;
    }
    if (std::any_of(entered.begin(), entered.end(), [&](std::uint32_t call) {
          return calls.may_touch(function_.points[call], uses_.location(place)) ||
                 is_given_address(call, place);
        })) {
      return false;
    }
    const std::span<const std::uint32_t> writers = uses_.writers_of(place);
    return std::all_of(writers.begin(), writers.end(), [&](std::uint32_t writer) {
      const ValueId value = function_.action_of(writer)->value;
      const std::span<const ValueId> parts = uses_.leaves_of(value);
      return !parts.empty() && function_.values[value].kind != Value::Kind::Compare &&
             std::all_of(parts.begin(), parts.end(), [&](ValueId part) {
               return is_news(part,
                              [&](Place from) { return from == place || tests.count(from) == 0; });
             });
    });
  };
  bool is_any = false;
  for (const auto& [branch, values] : leaves) {
    if (!values.empty() && std::all_of(values.begin(), values.end(),
                                       [&](ValueId value) { return is_news(value, is_lonely); })) {
      lonely_[branch] = 1;
      is_any = true;
    }
  }
  return is_any;
}

/// Back from what matters over what decides it: branches, and what is written where they read.
void Relevance::test(std::vector<std::uint32_t> points, std::vector<ValueId> values,
                     const ControlDependence& control) {
  std::vector<std::uint8_t> branched(function_.points.size(), 0);  // the branch was looked at
  std::vector<std::uint8_t> done(function_.points.size(), 0);
  for (const std::uint32_t p : points) {
    done[p] = 1;
  }
  const auto reach = [&](std::uint32_t p) {
    if (done[p] == 0) {
      done[p] = 1;
      points.push_back(p);
    }
  };
  while (!points.empty() || !values.empty()) {
    while (!points.empty()) {
      const std::uint32_t p = points.back();
      points.pop_back();
      for (const std::uint32_t branch : control.branches_of(p)) {
        if (branched[branch] != 0) {
          continue;
        }
        branched[branch] = 1;
        if (lonely_[branch] != 0) {
          reach(branch);
          continue;
        }
        for (const std::uint32_t side : function_.points[branch].next) {
          const Action* action = function_.action_of(side);
          if (action != nullptr && action->kind == Action::Kind::Assume && relevant_[side] == 0) {
            relevant_[side] = 1;
            add_leaves(action->value, values);
          }
        }
        reach(branch);
      }
    }
    while (!values.empty()) {
      const ValueId value = values.back();
      values.pop_back();
      if (tested_values_[value] != 0) {
        continue;
      }
      tested_values_[value] = 1;
      for (const std::uint32_t binder : uses_.binders_of(value)) {
        const Action& action = *function_.action_of(binder);
        if (action.kind == Action::Kind::Choose) {
          reach(binder);
          add_leaves(action.value, values);
        } else if (action.kind == Action::Kind::Read) {
          add_leaves(action.address, values);
          const Place place = uses_.place_at(binder);
          if (place != FunctionUses::kNoPlace && tested_[place] == 0) {
            tested_[place] = 1;
            for (const std::uint32_t writer : uses_.writers_of(place)) {
              reach(writer);
              add_leaves(function_.action_of(writer)->value, values);
            }
          }
        }
      }
    }
  }
}

}  // namespace nestor::program
