#include "program/relevance.h"

#include <algorithm>

// What may hold the handle, and where something may be done to it.

namespace nestor::program {

Relevance::Relevance(const Function& function, const FunctionUses& uses,
                     const ControlDependence& control, const HandleSeeds& seeds, const Calls& calls,
                     std::uint32_t id)
    : function_(function),
      uses_(uses),
      id_(id),
      making_(function.points.size(), 0),
      handle_points_(function.points.size(), 0),
      relevant_(function.points.size(), 0),
      lonely_(function.points.size(), 0),
      tested_(uses.place_count(), 0),
      asked_(uses.place_count(), 0),
      holding_(uses.place_count(), 0),
      tested_values_(function.values.size(), 0),
      holding_values_(function.values.size(), 0) {
  for (const std::uint32_t point : seeds.points) {
    making_[point] = 1;
  }
  lead_to(making_);
  find_handle_points(seeds, calls);
  find_relevant(control, seeds, calls);
  find_flow(calls, seeds);
  find_live();
}

/// Marks the points that lead to marked ones.
void Relevance::lead_to(std::vector<std::uint8_t>& marked) const {
  for (bool changed = std::find(marked.begin(), marked.end(), 1) != marked.end(); changed;) {
    changed = false;
    for (std::uint32_t p = static_cast<std::uint32_t>(function_.points.size()); p-- > 0;) {
      const Point& point = function_.points[p];
      const auto leads = [&](std::uint32_t next) { return marked[next] != 0; };
      if (marked[p] == 0 && (std::any_of(point.next.begin(), point.next.end(), leads) ||
                             (point.unwind != UINT32_MAX && leads(point.unwind)) ||
                             (!point.targets.empty() && leads(function_.longjmp_target)))) {
        marked[p] = 1;
        changed = true;
      }
    }
  }
}

bool Relevance::may_act_after(std::uint32_t point) const {
  if (acting_.empty()) {
    acting_.resize(function_.points.size(), 0);
    for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
      const Action* action = function_.action_of(p);
      // A number that tells what became of a pointer is not the pointer.
      const auto is_handle = [&](ValueId value) {
        return value.valid() && function_.values[value].bits == handle_bits_ &&
               leads_to_handle(value);
      };
      acting_[p] = handle_points_[p] != 0 && action != nullptr &&
                           (action->kind == Action::Kind::Call || is_handle(action->value))
                       ? 1
                       : 0;
    }
    lead_to(acting_);
  }
  const std::vector<std::uint32_t>& next = function_.points[point].next;
  return std::any_of(next.begin(), next.end(), [&](std::uint32_t p) { return acting_[p] != 0; });
}

bool Relevance::looks_inside() const {
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    if (action == nullptr || !action->result.valid() || tested_values_[action->result] == 0) {
      continue;
    }
    const bool is_inside =
        action->kind == Action::Kind::Read
            ? may_hold_operand(action->address)
            : action->kind == Action::Kind::Call &&
                  std::any_of(action->arguments.begin(), action->arguments.end(),
                              [&](ValueId argument) {
                                return function_.values[argument].kind == Value::Kind::Step &&
                                       may_hold_operand(argument);
                              });
    if (is_inside) {
      return true;
    }
  }
  return false;
}

bool Relevance::now_holds(ValueId value) {
  const bool is_news = value.valid() && holding_values_[value] == 0;
  if (is_news) {
    holding_values_[value] = 1;
  }
  return is_news;
}

bool Relevance::now_holds(Place place) {
  const bool is_news = place != FunctionUses::kNoPlace && holding_[place] == 0;
  if (is_news) {
    holding_[place] = 1;
  }
  return is_news;
}

/// What leads to where it lies leads to the handle: back over reads and copies.
bool Relevance::now_leads(ValueId address) {
  bool is_news = false;
  for (ValueId at = address; at.valid(); at = function_.values[at].left) {
    is_news |= now_holds(uses_.place_of_address(at));
  }
  for (const ValueId leaf : uses_.leaves_of(address)) {
    if (function_.values[leaf].bits != kPointerBits) {
      continue;
    }
    is_news |= now_holds(leaf);
    for (const std::uint32_t binder : uses_.binders_of(leaf)) {
      const Action& read = *function_.action_of(binder);
      if (read.kind == Action::Kind::Read && now_holds(uses_.place_at(binder))) {
        is_news = true;
        now_leads(read.address);
        for (const std::uint32_t writer : uses_.writers_of(uses_.place_at(binder))) {
          now_leads(function_.action_of(writer)->value);
        }
      }
    }
  }
  return is_news;
}

bool Relevance::may_hold_operand(ValueId operand) const {
  if (operand.valid() && function_.values[operand].kind == Value::Kind::Compare) {
    return false;
  }
  const std::span<const ValueId> leaves = uses_.leaves_of(operand);
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](ValueId leaf) { return holding_values_[leaf] != 0; });
}

/// An address of a place that holds it leads to it.
bool Relevance::leads_to_handle(ValueId operand) const {
  for (ValueId at = operand; at.valid(); at = function_.values[at].left) {
    const Place place = uses_.place_of_address(at);
    if (place != FunctionUses::kNoPlace && holding_[place] != 0) {
      return true;
    }
  }
  return may_hold_operand(operand);
}

/// Whatever may hold the handle, or lead to it, in whatever order: what is done with that.
void Relevance::find_handle_points(const HandleSeeds& seeds, const Calls& calls) {
  for (const VariableId location : seeds.locations) {
    if (const Place place = uses_.place_of(location); place != FunctionUses::kNoPlace) {
      holding_[place] = 1;
    } else {
      holding_elsewhere_.push_back(location);
    }
  }
  for (const ValueId value : seeds.values) {
    holding_values_[value] = 1;
  }
  for (const std::uint32_t number : seeds.parameters) {
    if (number < uses_.parameters().size()) {
      now_holds(uses_.parameters()[number]);
    }
  }
  for (const std::uint32_t point : seeds.points) {
    handle_points_[point] = 1;
    if (const Action* action = function_.action_of(point)) {
      now_holds(action->result);
      handle_bits_ = action->result.valid() ? function_.values[action->result].bits : handle_bits_;
      if (seeds.stays_there && action->kind == Action::Kind::Read) {
        now_leads(action->address);
      }
      // It may be stored where an argument leads to.
      if (seeds.stores_behind_arguments && action->kind == Action::Kind::Call) {
        for (const ValueId argument : action->arguments) {
          now_leads(argument);
        }
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
      changed |= look_at_handle_point(p, seeds, calls);
    }
  }
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    const Place place = uses_.place_at(p);
    if (action != nullptr && action->address.valid() && place != FunctionUses::kNoPlace &&
        holding_[place] != 0) {
      add_leaves(action->address, followed_);
    }
  }
}

/// Whether something is found to hold it that was not known to.
bool Relevance::look_at_handle_point(std::uint32_t p, const HandleSeeds& seeds,
                                     const Calls& calls) {
  const Action* action = function_.action_of(p);
  const Point& point = function_.points[p];
  const Place place = uses_.place_at(p);
  const bool is_holding = place != FunctionUses::kNoPlace && holding_[place] != 0;
  if (action == nullptr) {
    if (is_holding && point.facts.front().kind == FactKind::Scope) {
      handle_points_[p] = 1;
    }
    return false;
  }
  bool changed = false;
  bool touches = false;
  bool gives = false;
  switch (action->kind) {
    case Action::Kind::Read:
      if (is_holding || may_hold_operand(action->address)) {
        changed = now_holds(action->result);
        touches = !seeds.only_loss && may_hold_operand(action->address);
      }
      break;
    case Action::Kind::Write:
      touches = is_holding || (!seeds.only_loss && may_hold_operand(action->address));
      if (leads_to_handle(action->value)) {
        touches = true;
        changed |= now_holds(place);
        changed |= now_leads(action->address);
      }
      break;
    case Action::Kind::Choose:
      if (leads_to_handle(action->value)) {
        changed = now_holds(action->result);
        touches = true;  // which way it comes decides whether it is the handle
      }
      break;
    case Action::Kind::Call:
      for (std::size_t i = 0; i < action->arguments.size(); ++i) {
        if (leads_to_handle(action->arguments[i])) {
          touches |= !seeds.only_loss || calls.takes(point, i);
          gives |= !seeds.only_loss || calls.gives_out(point, i);
        }
      }
      if (gives || (touches && seeds.only_loss)) {
        // It may be given back, or tells what became of it.
        changed = now_holds(action->result);
      }
      if (gives) {
        // What a callee may store into.
        for (const ValueId argument : action->arguments) {
          for (ValueId at = argument; at.valid(); at = function_.values[at].left) {
            changed |= now_holds(uses_.place_of_address(at));
          }
        }
      }
      break;
    case Action::Kind::Return:
      touches = leads_to_handle(action->value);
      break;
    default:
      break;
  }
  if (touches) {
    handle_points_[p] = 1;
  }
  return changed;
}

bool Relevance::is_read_from(ValueId bound, VariableId location) const {
  const std::span<const std::uint32_t> binders = uses_.binders_of(bound);
  return std::any_of(binders.begin(), binders.end(), [&](std::uint32_t binder) {
    return function_.action_of(binder)->kind == Action::Kind::Read &&
           location_of(function_.points[binder]) == location;
  });
}

bool Relevance::is_asked(ValueId address) const {
  while (address.valid() && (function_.values[address].kind == Value::Kind::Step ||
                             function_.values[address].kind == Value::Kind::Inside)) {
    address = function_.values[address].left;
  }
  if (!address.valid()) {
    return false;
  }
  const std::span<const std::uint32_t> binders = uses_.binders_of(address);
  return std::any_of(binders.begin(), binders.end(), [&](std::uint32_t binder) {
    const Place place = uses_.place_at(binder);
    return function_.action_of(binder)->kind == Action::Kind::Read &&
           place != FunctionUses::kNoPlace && asked_[place] != 0;
  });
}

bool Relevance::is_live(std::uint32_t point, VariableId location) const {
  const Place place = uses_.place_of(location);
  return place != FunctionUses::kNoPlace && bit_of_place_[place] != kNoBit &&
         is_set(point, bit_of_place_[place]);
}

bool Relevance::is_live_parameter(std::uint32_t point, std::size_t number) const {
  return number < uses_.parameters().size() && uses_.parameters()[number].valid() &&
         is_live(point, uses_.parameters()[number]);
}

bool Relevance::is_tested_parameter(std::size_t number) const {
  return number < uses_.parameters().size() && uses_.parameters()[number].valid() &&
         tested_values_[uses_.parameters()[number]] != 0;
}

}  // namespace nestor::program
