#include "program/relevance.h"

#include "program/flow_graph.h"

#include <algorithm>
#include <map>

namespace nestor::program {

VariableId location_of(const Point& point) {
  return point.facts.empty() ? VariableId() : point.facts.front().variable;
}

Relevance::Relevance(const Function& function, const ControlDependence& control,
                     const HandleSeeds& seeds, const Calls& calls)
    : function_(function),
      making_(function.points.size(), 0),
      handle_points_(function.points.size(), 0),
      relevant_(function.points.size(), 0),
      lonely_(function.points.size(), 0),
      tested_values_(function.values.size(), 0),
      holding_values_(function.values.size(), 0) {
  for (const ValueId id : function.values.ids()) {
    const Value& value = function.values[id];
    if (value.kind == Value::Kind::Parameter) {
      const auto number = static_cast<std::size_t>(value.number);
      parameters_.resize(std::max(parameters_.size(), number + 1));
      parameters_[number] = id;
    }
  }
  find_uses();
  find_making(seeds);
  find_handle_points(seeds, calls);
  find_relevant(control, seeds, calls);
  find_flow(calls, seeds);
  find_live();
}

void Relevance::find_uses() {
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    if (action == nullptr) {
      continue;
    }
    if (action->result.valid()) {
      binders_[action->result.value()].push_back(p);
    }
    if (action->kind == Action::Kind::Write && location_of(function_.points[p]).valid()) {
      writers_[location_of(function_.points[p]).value()].push_back(p);
    }
  }
}

/// Back from the points that make it.
void Relevance::find_making(const HandleSeeds& seeds) {
  for (const std::uint32_t point : seeds.points) {
    making_[point] = 1;
  }
  for (bool changed = !seeds.points.empty(); changed;) {
    changed = false;
    for (std::uint32_t p = static_cast<std::uint32_t>(function_.points.size()); p-- > 0;) {
      const Point& point = function_.points[p];
      const auto makes = [&](std::uint32_t next) { return making_[next] != 0; };
      if (making_[p] == 0 && (std::any_of(point.next.begin(), point.next.end(), makes) ||
                              (point.unwind != UINT32_MAX && makes(point.unwind)) ||
                              (!point.targets.empty() && makes(function_.longjmp_target)))) {
        making_[p] = 1;
        changed = true;
      }
    }
  }
}

/// Whatever may hold the handle, or lead to it, in whatever order: what is done with that.
void Relevance::find_handle_points(const HandleSeeds& seeds, const Calls& calls) {
  base::IdVector<ValueId, std::uint8_t>& holds = holding_values_;
  std::set<VariableId>& places = places_;
  places = seeds.locations;
  for (const ValueId value : seeds.values) {
    holds[value] = 1;
  }
  for (const std::uint32_t number : seeds.parameters) {
    if (number < parameters_.size() && parameters_[number].valid()) {
      holds[parameters_[number]] = 1;
    }
  }
  for (const std::uint32_t point : seeds.points) {
    handle_points_[point] = 1;
    const Action* action = function_.action_of(point);
    if (action != nullptr && action->result.valid()) {
      holds[action->result] = 1;
    }
  }
  std::vector<ValueId> leaves;
  const auto may_hold = [&](ValueId value) {
    if (value.valid() && function_.values[value].kind == Value::Kind::Compare) {
      return false;
    }
    leaves.clear();
    add_leaves(value, leaves);
    return std::any_of(leaves.begin(), leaves.end(),
                       [&](ValueId leaf) { return holds[leaf] != 0; });
  };
  // An address of a place that holds it leads to it.
  const auto leads = [&](ValueId value) {
    for (ValueId at = value; at.valid(); at = function_.values[at].left) {
      if (function_.values[at].kind == Value::Kind::Address &&
          places.count(function_.values[at].variable) != 0) {
        return true;
      }
    }
    return may_hold(value);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
      const Action* action = function_.action_of(p);
      const Point& point = function_.points[p];
      const VariableId location = location_of(point);
      if (action == nullptr) {
        if (!point.facts.empty() && point.facts.front().kind == FactKind::Scope &&
            places.count(location) != 0) {
          handle_points_[p] = 1;
        }
        continue;
      }
      bool touches = false;
      bool gives = false;
      const auto now_holds = [&](ValueId value) {
        if (value.valid() && holds[value] == 0) {
          holds[value] = 1;
          changed = true;
        }
      };
      switch (action->kind) {
        case Action::Kind::Read:
          if (places.count(location) != 0 || may_hold(action->address)) {
            now_holds(action->result);
            touches = !seeds.only_loss && may_hold(action->address);
          }
          break;
        case Action::Kind::Write:
          touches = places.count(location) != 0 || (!seeds.only_loss && may_hold(action->address));
          if (leads(action->value)) {
            touches = true;
            changed |= location.valid() && places.insert(location).second;
            // What leads to the place leads to the handle now.
            leaves.clear();
            add_leaves(action->address, leaves);
            for (const ValueId leaf : std::vector<ValueId>(leaves)) {
              now_holds(leaf);
              for (const std::uint32_t binder : binders_[leaf.value()]) {
                const VariableId from = location_of(function_.points[binder]);
                if (function_.action_of(binder)->kind == Action::Kind::Read && from.valid()) {
                  changed |= places.insert(from).second;
                }
              }
            }
          }
          break;
        case Action::Kind::Choose:
          if (leads(action->value)) {
            now_holds(action->result);
            touches = true;  // which way it comes decides whether it is the handle
          }
          break;
        case Action::Kind::Call:
          for (std::size_t i = 0; i < action->arguments.size(); ++i) {
            if (leads(action->arguments[i])) {
              touches |= !seeds.only_loss || calls.takes(point, i);
              gives |= !seeds.only_loss || calls.gives_out(point, i);
            }
          }
          if (gives && action->result.valid()) {
            now_holds(action->result);  // it may be given back
          }
          if (gives) {
            // What a callee may store into.
            for (const ValueId argument : action->arguments) {
              for (ValueId at = argument; at.valid(); at = function_.values[at].left) {
                if (function_.values[at].kind == Value::Kind::Address &&
                    function_.values[at].variable.valid()) {
                  changed |= places.insert(function_.values[at].variable).second;
                }
              }
            }
          }
          break;
        case Action::Kind::Return:
          touches = leads(action->value);
          break;
        default:
          break;
      }
      if (touches) {
        handle_points_[p] = 1;
      }
    }
  }
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    if (action != nullptr && action->address.valid() &&
        places.count(location_of(function_.points[p])) != 0) {
      add_leaves(action->address, followed_);
    }
  }
}

void Relevance::find_relevant(const ControlDependence& control, const HandleSeeds& seeds,
                              const Calls& calls) {
  std::vector<std::uint32_t> points;  // whose being reached matters
  std::vector<ValueId> values = followed_;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    const bool decides =
        action != nullptr && action->kind == Action::Kind::Return && seeds.decides_caller;
    if (handle_points_[p] == 0 && !decides) {
      continue;
    }
    points.push_back(p);
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
    tested_.clear();
    tested_values_.assign(function_.values.size(), 0);
    test(std::move(points), std::move(values), control);
  }
}

/// Branches on something that no other branch asks for, and of which nothing is known when it is
/// asked: what is found there is of no use later. Whether there are any.
bool Relevance::find_lonely(const HandleSeeds& seeds, const Calls& calls) {
  std::map<VariableId, std::set<std::uint32_t>> tests;   // by location: the branches
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
      for (const std::uint32_t binder : binders_[value.value()]) {
        if (const VariableId location = location_of(function_.points[binder]);
            function_.action_of(binder)->kind == Action::Kind::Read && location.valid()) {
          tests[location].insert(branch);
        }
      }
    }
  }
  std::vector<const Point*> entered;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    if (!function_.points[p].targets.empty() &&
        (handle_points_[p] != 0 || seeds.points.count(p) != 0)) {
      entered.push_back(&function_.points[p]);
    }
  }
  // What comes from outside is not known, and nothing else is like it; setjmp's result is, after a
  // longjmp.
  const bool has_setjmp = function_.longjmp_target != Function::kLongjmp;
  const auto is_news = [&](ValueId value, const auto& is_read) {
    if (function_.values[value].kind == Value::Kind::Parameter) {
      return !seeds.decides_caller && holding_values_[value] == 0;
    }
    const std::vector<std::uint32_t>& binders = binders_[value.value()];
    return holding_values_[value] == 0 &&
           std::all_of(binders.begin(), binders.end(), [&](std::uint32_t binder) {
             const Point& point = function_.points[binder];
             const Action::Kind kind = function_.action_of(binder)->kind;
             return kind == Action::Kind::Read
                        ? is_read(location_of(point))
                        : kind == Action::Kind::Call && point.targets.empty() &&
                              handle_points_[binder] == 0 && !has_setjmp;
           });
  };
  const auto is_lonely = [&](VariableId location) {
    if (!location.valid() || places_.count(location) != 0 || tests[location].size() != 1) {
      return false;
    }
    if (std::any_of(entered.begin(), entered.end(),
                    [&](const Point* call) { return calls.may_touch(*call, location); })) {
      return false;
    }
    const std::vector<std::uint32_t>& writers = writers_[location.value()];
    return std::all_of(writers.begin(), writers.end(), [&](std::uint32_t writer) {
      std::vector<ValueId> parts;
      const ValueId value = function_.action_of(writer)->value;
      add_leaves(value, parts);
      return !parts.empty() && function_.values[value].kind != Value::Kind::Compare &&
             std::all_of(parts.begin(), parts.end(), [&](ValueId part) {
               return is_news(part, [&](VariableId from) {
                 return from == location || tests.count(from) == 0;
               });
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
      for (const std::uint32_t binder : binders_[value.value()]) {
        const Action& action = *function_.action_of(binder);
        if (action.kind == Action::Kind::Choose) {
          reach(binder);
          add_leaves(action.value, values);
        } else if (action.kind == Action::Kind::Read) {
          add_leaves(action.address, values);
          const VariableId location = location_of(function_.points[binder]);
          if (location.valid() && tested_.emplace(location.value(), 1).second) {
            for (const std::uint32_t writer : writers_[location.value()]) {
              reach(writer);
              add_leaves(function_.action_of(writer)->value, values);
            }
          }
        }
      }
    }
  }
}

/// The bound values and parameters that a term is made of.
void Relevance::add_leaves(ValueId value, std::vector<ValueId>& leaves) const {
  if (!value.valid()) {
    return;
  }
  const Value& term = function_.values[value];
  if (term.kind == Value::Kind::Bound || term.kind == Value::Kind::Parameter) {
    leaves.push_back(value);
    return;
  }
  add_leaves(term.left, leaves);
  add_leaves(term.right, leaves);
}

std::uint32_t Relevance::index_of(VariableId location) {
  const auto [found, fresh] =
      locations_.try_emplace(location.value(), static_cast<std::uint32_t>(bits_));
  bits_ += fresh ? 1 : 0;
  return found->second;
}

/// Liveness, of what can matter only: a value that decides nothing and holds nothing has no bit,
/// and a point that the flow leaves out no row that is filled.
void Relevance::find_live() {
  const std::size_t count = function_.points.size();
  bit_of_value_.assign(function_.values.size(), kNoBit);
  for (const ValueId value : function_.values.ids()) {
    if (tested_values_[value] != 0 || holding_values_[value] != 0) {
      bit_of_value_[value] = static_cast<std::uint32_t>(bits_++);
    }
  }
  struct Effect {
    std::uint32_t first_use = 0;  // in `uses`
    std::uint32_t end_of_uses = 0;
    std::uint32_t kills[2] = {kNoBit, kNoBit};
  };
  std::vector<Effect> effects(count);
  std::vector<std::uint32_t> uses;
  std::vector<ValueId> leaves;
  for (std::uint32_t p = 0; p < count; ++p) {
    const Action* action = function_.action_of(p);
    Effect& effect = effects[p];
    effect.first_use = effect.end_of_uses = static_cast<std::uint32_t>(uses.size());
    if (action == nullptr || kept_[p] == 0) {
      continue;
    }
    leaves.clear();
    add_leaves(action->value, leaves);
    add_leaves(action->address, leaves);
    for (const ValueId argument : action->arguments) {
      add_leaves(argument, leaves);
    }
    for (const ValueId leaf : leaves) {
      if (bit_of_value_[leaf] != kNoBit) {
        uses.push_back(bit_of_value_[leaf]);
      }
    }
    if (action->result.valid()) {
      effect.kills[0] = bit_of_value_[action->result];
    }
    const VariableId location = location_of(function_.points[p]);
    if (action->kind == Action::Kind::Read && location.valid() && action->result.valid() &&
        bit_of_value_[action->result] != kNoBit) {
      uses.push_back(index_of(location));
    } else if (action->kind == Action::Kind::Write && location.valid() &&
               function_.points[p].facts.front().kind == FactKind::Def) {
      effect.kills[1] = index_of(location);
    }
    effect.end_of_uses = static_cast<std::uint32_t>(uses.size());
  }
  words_ = (bits_ + 63) / 64;
  live_.assign(count * words_, 0);
  std::vector<std::uint64_t> row(words_);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = count; p-- > 0;) {
      if (kept_[p] == 0) {
        continue;
      }
      std::fill(row.begin(), row.end(), 0);
      const auto join = [&](std::uint32_t next) {
        for (std::size_t w = 0; w < words_; ++w) {
          row[w] |= live_[next * words_ + w];
        }
      };
      const Point& point = function_.points[p];
      std::for_each(next_[p].begin(), next_[p].end(), join);
      if (point.unwind != UINT32_MAX) {
        join(point.unwind);
      }
      if (!point.targets.empty()) {
        join(function_.longjmp_target);
      }
      for (const std::uint32_t bit : effects[p].kills) {
        if (bit != kNoBit) {
          row[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
        }
      }
      for (std::uint32_t i = effects[p].first_use; i < effects[p].end_of_uses; ++i) {
        row[uses[i] / 64] |= std::uint64_t{1} << (uses[i] % 64);
      }
      if (!std::equal(row.begin(), row.end(),
                      live_.begin() + static_cast<std::ptrdiff_t>(p * words_))) {
        std::copy(row.begin(), row.end(), live_.begin() + static_cast<std::ptrdiff_t>(p * words_));
        changed = true;
      }
    }
  }
}

/// What the point does changes nothing that is followed.
bool Relevance::is_silent(std::uint32_t p, const Calls& calls, const HandleSeeds& seeds) const {
  const Point& point = function_.points[p];
  if (p < Function::kFirst || handle_points_[p] != 0 || point.unwind != UINT32_MAX) {
    return false;
  }
  const VariableId location = location_of(point);
  const auto is_followed = [&](VariableId at) {
    return at.valid() && (is_tested(at) || places_.count(at) != 0);
  };
  const auto has_followed = [&](ValueId value) {
    std::vector<ValueId> leaves;
    add_leaves(value, leaves);
    for (ValueId at = value; at.valid(); at = function_.values[at].left) {
      if (function_.values[at].kind == Value::Kind::Address &&
          is_followed(function_.values[at].variable)) {
        return true;
      }
    }
    return std::any_of(leaves.begin(), leaves.end(), [&](ValueId leaf) {
      return tested_values_[leaf] != 0 || holding_values_[leaf] != 0;
    });
  };
  const Action* action = function_.action_of(p);
  if (action == nullptr) {
    return point.targets.empty() && (point.facts.empty() || !is_followed(location));
  }
  const bool binds = action->result.valid() &&
                     (tested_values_[action->result] != 0 || holding_values_[action->result] != 0);
  switch (action->kind) {
    case Action::Kind::Read:
      return !binds && !has_followed(action->address);
    case Action::Kind::Write:
      return !is_followed(location) && calls.kind_of(location) != VariableKind::Memory &&
             !has_followed(action->address);
    case Action::Kind::Choose:
      return !binds;
    case Action::Kind::Assume:
      return relevant_[p] == 0 && !has_followed(action->value);
    case Action::Kind::Return:
      return !has_followed(action->value);
    case Action::Kind::Call:
      break;
  }
  if (binds || std::any_of(action->arguments.begin(), action->arguments.end(), has_followed)) {
    return false;
  }
  if (point.targets.empty()) {
    return true;
  }
  return calls.is_harmless(point) &&
         std::none_of(
             tested_.begin(), tested_.end(),
             [&](const auto& one) { return calls.may_touch(point, VariableId(one.first)); }) &&
         std::none_of(places_.begin(), places_.end(), [&](VariableId one) {
           return seeds.only_loss ? calls.may_take_from(point, one) : calls.may_touch(point, one);
         });
}

void Relevance::find_flow(const Calls& calls, const HandleSeeds& seeds) {
  FlowGraph flow(function_.points.size());
  std::vector<std::uint8_t> keep(function_.points.size(), 0);
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    keep[p] = seeds.points.count(p) != 0 || !is_silent(p, calls, seeds) ? 1 : 0;
    for (const std::uint32_t to : function_.points[p].next) {
      flow.add(p, to);
      keep[p] = to == p ? 1 : keep[p];
    }
  }
  keep[function_.longjmp_target] = 1;
  for (const Point& point : function_.points) {
    if (point.unwind != UINT32_MAX) {
      keep[point.unwind] = 1;
    }
  }
  flow.reduce(keep);
  next_.resize(function_.points.size());
  kept_.resize(function_.points.size());
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    next_[p] = flow.next(p);
    kept_[p] = flow.is_dropped(p) ? 0 : 1;
  }
  std::vector<std::uint8_t> comes_from(function_.points.size(), 0);  // none, one, more
  const auto come = [&](std::uint32_t to) { comes_from[to] = comes_from[to] == 0 ? 1 : 2; };
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    std::for_each(next_[p].begin(), next_[p].end(), come);
    if (const std::uint32_t handler = function_.points[p].unwind; handler != UINT32_MAX) {
      comes_from[handler] = 2;
    }
  }
  comes_from[function_.longjmp_target] = 2;
  links_.resize(function_.points.size());
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Point& point = function_.points[p];
    links_[p] = point.kind == PointKind::Step && point.targets.empty() &&
                        point.unwind == UINT32_MAX && comes_from[p] == 1 && next_[p].size() == 1
                    ? 1
                    : 0;
  }
}

bool Relevance::is_read_from(ValueId bound, VariableId location) const {
  const auto binders = binders_.find(bound.value());
  return binders != binders_.end() &&
         std::any_of(binders->second.begin(), binders->second.end(), [&](std::uint32_t binder) {
           return function_.action_of(binder)->kind == Action::Kind::Read &&
                  location_of(function_.points[binder]) == location;
         });
}

bool Relevance::is_live(std::uint32_t point, VariableId location) const {
  const auto found = locations_.find(location.value());
  return found != locations_.end() && is_set(point, found->second);
}

bool Relevance::is_live_parameter(std::uint32_t point, std::size_t number) const {
  return number < parameters_.size() && parameters_[number].valid() &&
         is_live(point, parameters_[number]);
}

bool Relevance::is_tested_parameter(std::size_t number) const {
  return number < parameters_.size() && parameters_[number].valid() &&
         tested_values_[parameters_[number]] != 0;
}

}  // namespace nestor::program
