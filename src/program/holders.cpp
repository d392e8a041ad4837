#include "program/holders.h"

#include <algorithm>

namespace nestor::program {

namespace {

/// Calls `visit` with each variable whose address the operand is made of.
template <typename Visit>
void for_each_address(const Function& in, const FunctionUses& uses, ValueId operand,
                      const Visit& visit) {
  if (!operand.valid() || in.values[operand].kind == Value::Kind::Compare) {
    return;
  }
  if (const FunctionUses::Place place = uses.place_of_address(operand);
      place != FunctionUses::kNoPlace) {
    visit(place);
  }
  for_each_address(in, uses, in.values[operand].left, visit);
  for_each_address(in, uses, in.values[operand].right, visit);
}

}  // namespace

Holders::Holders(const ProgramIndex& index, const Function& function, const FunctionUses& uses)
    : index_(index),
      program_(index.program()),
      in_(function),
      uses_(uses),
      held_(uses.place_count(), 0),
      leading_places_(uses.place_count(), 0),
      leading_values_(function.values.size(), 0) {}

void Holders::add(Place place) {
  if (held_[place] == 0) {
    held_[place] = 1;
    close();
  }
}

bool Holders::leads(ValueId operand) const {
  if (!operand.valid() || in_.values[operand].kind == Value::Kind::Compare) {
    return false;
  }
  const std::span<const ValueId> leaves = uses_.leaves_of(operand);
  bool found = leading_values_[operand] != 0 ||
               std::any_of(leaves.begin(), leaves.end(),
                           [&](ValueId leaf) { return leading_values_[leaf] != 0; });
  for_each_address(in_, uses_, operand, [&](Place place) { found |= is_holding(place); });
  return found;
}

bool Holders::is_in_global_of(const Point& call) const {
  bool is_found = false;
  bool is_touched = false;
  for (Place place = 0; place < held_.size(); ++place) {
    if (!is_holding(place)) {
      continue;
    }
    // A part of a global goes by the name of that part.
    is_found |= is_global(place);
    is_touched |= std::any_of(call.targets.begin(), call.targets.end(), [&](FunctionId target) {
      return index_.may_touch(target, uses_.location(place));
    });
  }
  return is_found && is_touched;
}

bool Holders::is_left_behind() const {
  for (const ValueId parameter : uses_.parameters()) {
    if (parameter.valid() && leading_values_[parameter] != 0) {
      return true;
    }
  }
  for (Place place = 0; place < held_.size(); ++place) {
    if (is_holding(place) && is_global(place)) {
      return true;
    }
  }
  for (std::uint32_t p = 0; p < in_.points.size(); ++p) {
    const Action* action = in_.action_of(p);
    if (action != nullptr && action->kind == Action::Kind::Return && leads(action->value)) {
      return true;
    }
  }
  return false;
}

void Holders::close() {
  do {
    has_news_ = false;
    for (std::uint32_t p = 0; p < in_.points.size(); ++p) {
      if (const Action* action = in_.action_of(p)) {
        follow(in_.points[p], *action, uses_.place_at(p));
      }
    }
  } while (has_news_);
}

/// Who reads and writes under one name may come to the same memory.
void Holders::follow(const Point& point, const Action& action, Place place) {
  const ValueId content = action.kind == Action::Kind::Write ? action.value : action.result;
  switch (action.kind) {
    case Action::Kind::Read:
    case Action::Kind::Write:
      if (is_named(place) && is_holding(place)) {
        mark(action.address, place);
      }
      if (is_named(place) ? leading_places_[place] != 0 : leads(action.address)) {
        mark(content);
      }
      if (leads(content)) {
        mark(place);
        mark(action.address);
      }
      break;
    case Action::Kind::Choose:
      join(action.value, action.result);
      break;
    case Action::Kind::Call:
      if (point.targets.empty()) {
        follow_outside(point, action);
      }
      break;
    default:
      break;
  }
}

void Holders::follow_outside(const Point& call, const Action& action) {
  for (std::size_t i = 0; i < action.arguments.size(); ++i) {
    if (index_.gives_back(call, i)) {
      join(action.arguments[i], action.result);
    }
  }
  if (index_.copies_memory(call) && action.arguments.size() >= 2) {
    join(action.arguments[0], action.arguments[1]);
  }
}

/// They may lead to the same.
void Holders::join(ValueId operand, ValueId other) {
  if (leads(operand)) {
    mark(other);
  }
  if (leads(other)) {
    mark(operand);
  }
}

void Holders::mark(ValueId operand, Place except) {
  if (!operand.valid()) {
    return;
  }
  const auto mark_leaf = [&](ValueId leaf) {
    if (in_.values[leaf].bits == kPointerBits && leading_values_[leaf] == 0) {
      leading_values_[leaf] = 1;
      has_news_ = true;
    }
  };
  if (in_.values[operand].kind == Value::Kind::Bound) {
    mark_leaf(operand);  // also a result that is no operand by itself
  }
  const std::span<const ValueId> leaves = uses_.leaves_of(operand);
  std::for_each(leaves.begin(), leaves.end(), mark_leaf);
  for_each_address(in_, uses_, operand, [&](Place place) {
    if (place != except) {
      mark(place);
    }
  });
}

void Holders::mark(Place place) {
  if (is_named(place) && leading_places_[place] == 0) {
    leading_places_[place] = 1;
    has_news_ = true;
  }
}

/// Under other names anything can be read or written.
bool Holders::is_named(Place place) const {
  return place != FunctionUses::kNoPlace &&
         program_.variables[uses_.location(place)].kind != VariableKind::Memory;
}

}  // namespace nestor::program
