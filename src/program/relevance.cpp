#include "program/relevance.h"

#include <algorithm>

namespace nestor::program {

VariableId location_of(const Point& point) {
  return point.facts.empty() ? VariableId() : point.facts.front().variable;
}

Relevance::Relevance(const Function& function)
    : function_(function), tested_values_(function.values.size(), 0) {
  for (const ValueId id : function.values.ids()) {
    const Value& value = function.values[id];
    if (value.kind == Value::Kind::Parameter) {
      const auto number = static_cast<std::size_t>(value.number);
      parameters_.resize(std::max(parameters_.size(), number + 1));
      parameters_[number] = id;
    }
  }
  find_tested();
  find_live();
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

void Relevance::find_tested() {
  // Who binds a value, and who writes a place.
  std::unordered_map<std::uint32_t, std::vector<const Action*>> binders;
  std::unordered_map<std::uint32_t, std::vector<const Action*>> writers;
  std::unordered_map<const Action*, VariableId> locations;
  std::vector<ValueId> work;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    if (action == nullptr) {
      continue;
    }
    const VariableId location = location_of(function_.points[p]);
    if (location.valid()) {
      locations[action] = location;
    }
    if (action->result.valid()) {
      binders[action->result.value()].push_back(action);
    }
    switch (action->kind) {
      case Action::Kind::Write:
        if (location.valid()) {
          writers[location.value()].push_back(action);
        }
        break;
      case Action::Kind::Assume:
      case Action::Kind::Return:
        add_leaves(action->value, work);
        break;
      case Action::Kind::Call:
        if (!function_.points[p].targets.empty()) {
          for (const ValueId argument : action->arguments) {
            add_leaves(argument, work);
          }
        }
        break;
      default:
        break;
    }
  }
  while (!work.empty()) {
    const ValueId value = work.back();
    work.pop_back();
    if (tested_values_[value] != 0) {
      continue;
    }
    tested_values_[value] = 1;
    for (const Action* binder : binders[value.value()]) {
      if (binder->kind == Action::Kind::Choose) {
        add_leaves(binder->value, work);
      } else if (binder->kind == Action::Kind::Read) {
        const auto location = locations.find(binder);
        if (location != locations.end() && tested_.emplace(location->second.value(), 1).second) {
          for (const Action* writer : writers[location->second.value()]) {
            add_leaves(writer->value, work);
          }
        }
      }
    }
  }
}

std::uint32_t Relevance::index_of(VariableId location) {
  const auto [found, fresh] = locations_.try_emplace(
      location.value(), static_cast<std::uint32_t>(function_.values.size() + locations_.size()));
  return found->second;
}

void Relevance::find_live() {
  const std::size_t count = function_.points.size();
  struct Effect {
    std::vector<std::uint32_t> uses;
    std::vector<std::uint32_t> kills;
  };
  std::vector<Effect> effects(count);
  std::vector<ValueId> leaves;
  for (std::uint32_t p = 0; p < count; ++p) {
    const Action* action = function_.action_of(p);
    Effect& effect = effects[p];
    if (action == nullptr) {
      continue;
    }
    leaves.clear();
    add_leaves(action->value, leaves);
    add_leaves(action->address, leaves);
    for (const ValueId argument : action->arguments) {
      add_leaves(argument, leaves);
    }
    for (const ValueId leaf : leaves) {
      effect.uses.push_back(leaf.value());
    }
    if (action->result.valid()) {
      effect.kills.push_back(action->result.value());
    }
    const VariableId location = location_of(function_.points[p]);
    if (action->kind == Action::Kind::Read && location.valid()) {
      effect.uses.push_back(index_of(location));
    } else if (action->kind == Action::Kind::Write && location.valid() &&
               function_.points[p].facts.front().kind == FactKind::Def) {
      effect.kills.push_back(index_of(location));
    }
  }
  words_ = (function_.values.size() + locations_.size() + 63) / 64;
  live_.assign(count * words_, 0);
  std::vector<std::uint64_t> row(words_);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = count; p-- > 0;) {
      std::fill(row.begin(), row.end(), 0);
      const auto join = [&](std::uint32_t next) {
        for (std::size_t w = 0; w < words_; ++w) {
          row[w] |= live_[next * words_ + w];
        }
      };
      const Point& point = function_.points[p];
      std::for_each(point.next.begin(), point.next.end(), join);
      if (point.unwind != UINT32_MAX) {
        join(point.unwind);
      }
      if (!point.targets.empty()) {
        join(function_.longjmp_target);
      }
      for (const std::uint32_t bit : effects[p].kills) {
        row[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
      }
      for (const std::uint32_t bit : effects[p].uses) {
        row[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
      if (!std::equal(row.begin(), row.end(),
                      live_.begin() + static_cast<std::ptrdiff_t>(p * words_))) {
        std::copy(row.begin(), row.end(), live_.begin() + static_cast<std::ptrdiff_t>(p * words_));
        changed = true;
      }
    }
  }
}

bool Relevance::is_live(std::uint32_t point, VariableId location) const {
  const auto found = locations_.find(location.value());
  return found != locations_.end() && is_set(point, found->second);
}

bool Relevance::is_live(std::uint32_t point, ValueId bound) const {
  return is_set(point, bound.value());
}

bool Relevance::is_live_parameter(std::uint32_t point, std::size_t number) const {
  return number < parameters_.size() && parameters_[number].valid() &&
         is_set(point, parameters_[number].value());
}

bool Relevance::is_tested_parameter(std::size_t number) const {
  return number < parameters_.size() && parameters_[number].valid() &&
         tested_values_[parameters_[number]] != 0;
}

}  // namespace nestor::program
