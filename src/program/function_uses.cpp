#include "program/function_uses.h"

#include <algorithm>

namespace nestor::program {

FunctionUses::FunctionUses(const Function& function)
    : binders_(function.values.size()),
      place_of_point_(function.points.size(), kNoPlace),
      place_of_address_(function.values.size(), kNoPlace) {
  for (const ValueId id : function.values.ids()) {
    const Value& value = function.values[id];
    if (value.kind == Value::Kind::Parameter) {
      const auto number = static_cast<std::size_t>(value.number);
      parameters_.resize(std::max(parameters_.size(), number + 1));
      parameters_[number] = id;
    } else if (value.kind == Value::Kind::Address && value.variable.valid()) {
      place_of_address_[id] = add_place(value.variable);
    }
  }
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    if (const VariableId location = location_of(function.points[p]); location.valid()) {
      place_of_point_[p] = add_place(location);
    }
  }
  writers_ = base::CompressedRows<PlaceId, std::uint32_t>(locations_.size());
  const auto for_each_use = [&](const auto& binds, const auto& writes) {
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const Action* action = function.action_of(p);
      if (action != nullptr && action->result.valid()) {
        binds(action->result, p);
      }
      if (action != nullptr && action->kind == Action::Kind::Write &&
          place_of_point_[p] != kNoPlace) {
        writes(PlaceId(place_of_point_[p]), p);
      }
    }
  };
  for_each_use([&](ValueId value, std::uint32_t) { binders_.count(value); },
               [&](PlaceId place, std::uint32_t) { writers_.count(place); });
  binders_.finish_counting();
  writers_.finish_counting();
  for_each_use([&](ValueId value, std::uint32_t p) { binders_.add(value, p); },
               [&](PlaceId place, std::uint32_t p) { writers_.add(place, p); });
  find_leaves(function);
}

FunctionUses::Place FunctionUses::add_place(VariableId location) {
  const auto [found, fresh] =
      places_.try_emplace(location.value(), static_cast<Place>(locations_.size()));
  if (fresh) {
    locations_.push_back(location);
  }
  return found->second;
}

/// Terms share their parts: each part is looked at once.
void FunctionUses::find_leaves(const Function& function) {
  base::IdVector<ValueId, std::uint8_t> is_operand(function.values.size(), 0);
  const auto use = [&](ValueId value) {
    if (value.valid()) {
      is_operand[value] = 1;
    }
  };
  for (const Action& action : function.actions) {
    use(action.value);
    use(action.address);
    std::for_each(action.arguments.begin(), action.arguments.end(), use);
  }
  base::IdVector<ValueId, ValueId> seen_for(function.values.size(), ValueId());
  std::vector<ValueId> leaves;
  std::vector<ValueId> work;
  for (const ValueId operand : function.values.ids()) {
    leaves.clear();
    if (is_operand[operand] != 0) {
      work.push_back(operand);
    }
    while (!work.empty()) {
      const ValueId value = work.back();
      work.pop_back();
      if (!value.valid() || seen_for[value] == operand) {
        continue;
      }
      seen_for[value] = operand;
      const Value& term = function.values[value];
      if (term.kind == Value::Kind::Bound || term.kind == Value::Kind::Parameter) {
        leaves.push_back(value);
      } else {
        work.push_back(term.right);
        work.push_back(term.left);
      }
    }
    leaves_.append_row(leaves);
  }
}

}  // namespace nestor::program
