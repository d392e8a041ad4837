#include "net/prod_binder.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::net {

void OpenMarking::open(const MarkingLayout& layout, base::StateView state) {
  layout_ = &layout;
  state_ = state;
  std::ranges::fill(is_read_, std::uint8_t{0});
}

void OpenMarking::read(std::size_t place) {
  layout_->read(state_, place, tokens_[place]);
  totals_[place] = 0;
  for (const TupleCount& token : tokens_[place]) {
    totals_[place] += token.count;
  }
  is_read_[place] = 1;
}

ProdBinder::ProdBinder(const ProdModel& model, const std::vector<TupleTable>& tuples)
    : model_(model), tuples_(tuples) {}

// Depth first over the choices of a tuple for each input, without the C++ stack.
bool ProdBinder::bind(std::size_t transition, OpenMarking& marking, Visitor& visitor) {
  transition_ = &model_.transitions()[transition];
  marking_ = &marking;
  binding_.resize(transition_->transition->variables.size());
  bound_ = 0;
  computed_ = 0;
  undefined_ = nullptr;
  chosen_.clear();
  taken_.clear();
  is_chosen_.assign(transition_->inputs.size(), 0);
  if (!conclude(0, true)) {
    return true;
  }
  for (bool goes_on = true;;) {
    if (goes_on) {
      const std::size_t input = choose_input();
      if (input == kNone) {
        if (check_late() && !visitor.visit({transition, binding_, taken_})) {
          return false;
        }
        goes_on = false;
      } else if (input == kImpossible) {
        goes_on = false;
      } else {
        is_chosen_[input] = 1;
        chosen_.push_back({input, 0, bound_, computed_, undefined_, taken_.size()});
      }
    }
    if (chosen_.empty()) {
      return true;
    }
    goes_on = choose_tuple(chosen_.back(), visitor);
    if (!goes_on) {
      is_chosen_[chosen_.back().input] = 0;
      chosen_.pop_back();
      if (chosen_.empty()) {
        return true;
      }
    }
  }
}

/// One whose tuple is known by now, else the one with the fewest tuples to choose from. kNone if
/// all are chosen.
std::size_t ProdBinder::choose_input() {
  std::size_t best = kNone;
  std::size_t fewest = 0;
  for (std::size_t i = 0; i < transition_->inputs.size(); ++i) {
    const ProdInput& input = transition_->inputs[i];
    if (is_chosen_[i] != 0) {
      continue;
    }
    if (is_bound(input.needs)) {
      return i;
    }
    if (is_bound(input.gives)) {
      continue;  // another one gives what it needs
    }
    const std::size_t candidates = (*marking_)[input.pattern->place].size();
    if (candidates == 0) {
      return kImpossible;
    }
    if (best == kNone || candidates < fewest) {
      best = i;
      fewest = candidates;
    }
  }
  NESTOR_CHECK(best != kNone || std::ranges::count(is_chosen_, 0) == 0);
  return best;
}

/// The next tuple for an input that fits what is chosen already.
bool ProdBinder::choose_tuple(Chosen& chosen, Visitor& visitor) {
  const ProdInput& input = transition_->inputs[chosen.input];
  const bool is_known = (input.needs & ~chosen.bound) == 0;
  const Tokens& there = (*marking_)[input.pattern->place];
  while (is_known ? chosen.next == 0 : chosen.next < there.size()) {
    visitor.tick();
    bound_ = chosen.bound;
    computed_ = chosen.computed;
    undefined_ = chosen.undefined;
    taken_.resize(chosen.taken);
    const std::size_t candidate = chosen.next++;
    if ((is_known ? look_up(chosen) : match(chosen, there[candidate])) &&
        conclude(chosen.bound, false)) {
      return true;
    }
  }
  return false;
}

/// Every variable of the input has its value. What has no value is looked at in the end.
bool ProdBinder::look_up(Chosen& chosen) {
  const ProdNet::Pattern& pattern = *transition_->inputs[chosen.input].pattern;
  chosen.is_checked = true;
  const std::optional<std::int64_t> count = value(pattern.count);
  tuple_.clear();
  for (const ProdExpression& field : pattern.fields) {
    const std::optional<std::int64_t> field_value = value(field);
    if (!field_value) {
      return true;
    }
    tuple_.push_back(*field_value);
  }
  if (!count || *count == 0) {
    return true;
  }
  if (*count < 0) {
    undefined_ = undefined_ == nullptr ? &pattern.count : undefined_;
    return true;
  }
  chosen.tuple = tuples_[pattern.place].find(tuple_);
  const Tokens& there = (*marking_)[pattern.place];
  const auto found = std::ranges::lower_bound(there, chosen.tuple, {}, &TupleCount::tuple);
  return found != there.end() && found->tuple == chosen.tuple &&
         take(pattern.place, *found, *count);
}

bool ProdBinder::match(Chosen& chosen, const TupleCount& candidate) {
  const ProdInput& input = transition_->inputs[chosen.input];
  const TupleTable::Tuple tuple = tuples_[input.pattern->place][candidate.tuple];
  chosen.tuple = candidate.tuple;
  chosen.is_checked = true;
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    const ProdExpression& field = input.pattern->fields[i];
    if (field.is_number()) {
      if (field.steps[0].value != tuple[i]) {
        return false;
      }
      continue;
    }
    const ProdVariables variables = input.fields[i];
    if (field.is_variable() && (variables & input.gives & ~bound_) != 0) {
      binding_[field.variable()] = tuple[i];
      bound_ |= variables;
    } else if (!is_bound(variables)) {
      chosen.is_checked = false;
    } else if (const auto wanted = value(field); wanted && *wanted != tuple[i]) {
      return false;
    }
  }
  return take(input.pattern->place, candidate, input.pattern->count.steps[0].value);
}

/// Several inputs may take the same tuple, if there are enough.
bool ProdBinder::take(std::size_t place, const TupleCount& there, std::int64_t count) {
  std::int64_t left = there.count;
  for (const FiringMode::Taken& taken : taken_) {
    left -= taken.place == place && taken.tuple == there.tuple ? taken.count : 0;
  }
  if (left < count) {
    return false;
  }
  taken_.push_back({place, there.tuple, static_cast<std::uint32_t>(count)});
  return true;
}

/// Computes what can be computed, and looks at the gates that can be evaluated since `before`.
/// False if one is false.
bool ProdBinder::conclude(ProdVariables before, bool is_first) {
  compute();
  for (std::size_t i = 0; i < transition_->gates.size(); ++i) {
    const ProdVariables needs = transition_->gates[i];
    if (!is_bound(needs) || (!is_first && (needs & ~before) == 0)) {
      continue;
    }
    const std::optional<std::int64_t> is_open = value(transition_->transition->gates[i]);
    if (is_open && *is_open == 0) {
      return false;
    }
  }
  return true;
}

void ProdBinder::compute() {
  const std::vector<ProdNet::Assignment>& comp = transition_->transition->comp;
  const auto is_ready = [&](ProdVariables needs) { return is_bound(needs); };
  if (transition_->computes_again && !std::ranges::all_of(transition_->comp, is_ready)) {
    return;
  }
  for (; computed_ < comp.size() && is_bound(transition_->comp[computed_]); ++computed_) {
    const ProdNet::Assignment& assignment = comp[computed_];
    binding_[assignment.variable] = value(assignment.value);
    bound_ |= ProdVariables{1} << assignment.variable;
  }
}

/// Everything has its value now: compares the fields that could not be compared before. False if
/// one does not fit; throws if something has no value.
bool ProdBinder::check_late() {
  for (const Chosen& chosen : chosen_) {
    if (chosen.is_checked) {
      continue;
    }
    const ProdNet::Pattern& pattern = *transition_->inputs[chosen.input].pattern;
    const TupleTable::Tuple tuple = tuples_[pattern.place][chosen.tuple];
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const std::optional<std::int64_t> wanted = value(pattern.fields[i]);
      if (wanted && *wanted != tuple[i]) {
        return false;
      }
    }
  }
  if (undefined_ == nullptr) {
    return true;
  }
  const char* what = evaluate(*undefined_, binding_)
                         ? "a negative number of tuples"
                         : "no value: a division by zero or a number too large";
  model_.fail(undefined_->at,
              fmt::format("{}, in transition '{}'", what, transition_->transition->name));
}

/// Remembers the first expression without a value.
std::optional<std::int64_t> ProdBinder::value(const ProdExpression& expression) {
  const std::optional<std::int64_t> result = evaluate(expression, binding_);
  if (!result && undefined_ == nullptr) {
    undefined_ = &expression;
  }
  return result;
}

}  // namespace nestor::net
