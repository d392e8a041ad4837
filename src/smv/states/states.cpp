#include "smv/states/states.h"

#include "base/inline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace nestor::smv {

namespace {

constexpr std::size_t kMostFairness = 32;
constexpr std::size_t kPartBits = 32;  // of a wide word in a state

}  // namespace

File::File(const base::Input& from)
    : input(base::Input::from_text(from.name(), from.text())),
      syntax(parse_file(input)),
      line_begins{0} {
  const std::string_view text = input.text();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      line_begins.push_back(static_cast<Place>(i + 1));
    }
  }
}

base::SourceLocation File::locate(Place at) const {
  const auto next = std::upper_bound(line_begins.begin(), line_begins.end(), at);
  return {input.name(), static_cast<std::uint32_t>(next - line_begins.begin()),
          at - *(next - 1) + 1};
}

States::States(std::shared_ptr<File> file, std::size_t module, bool recursive)
    : file_(std::move(file)),
      flattener_(std::make_unique<Flattener>(file_->input, file_->syntax, module, recursive)) {
  flattener_->run();
  compiler_ = std::make_unique<Compiler>(file_->input, model(), code_);
  plans_.push_back(plan_initial(file_->input, model(), *compiler_));
  for (std::size_t p = 0; p < model().processes.size(); ++p) {
    plans_.push_back(plan_step(file_->input, model(), *compiler_, p));
  }
  if (model().fairness.size() > kMostFairness) {
    throw base::Error(base::Error::Kind::Unsupported,
                      fmt::format("the model has {} fairness constraints, at most {} are supported",
                                  model().fairness.size(), kMostFairness),
                      file_->input.locate(model().fairness[kMostFairness].at));
  }
  machine_ = std::make_unique<Machine>(model(), code_);
  lay_out();
}

void States::lay_out() {
  fields_.resize(model().variables.size());
  for (const VariableId v : model().variables.ids()) {
    const Variable& variable = model().variables[v];
    if (variable.kind == VariableKind::Input) {
      continue;
    }
    Field& field = fields_[v];
    if (is_wide(variable.type)) {
      field.is_word = true;
      field.first_part = static_cast<std::uint32_t>(parts_.size());
      for (std::size_t bits = variable.type.width; bits > 0; bits -= std::min(bits, kPartBits)) {
        parts_.push_back(layout_.add(std::numeric_limits<std::uint32_t>::max() >>
                                     (kPartBits - std::min(bits, kPartBits))));
      }
      field.part_count = static_cast<std::uint32_t>(parts_.size()) - field.first_part;
      continue;
    }
    const std::uint64_t largest = index_count(v) - 1;  // of a count of 0, which means 2^64, too
    field.wide = largest > std::numeric_limits<std::uint32_t>::max();
    field.low = layout_.add(static_cast<std::uint32_t>(
        std::min<std::uint64_t>(largest, std::numeric_limits<std::uint32_t>::max())));
    if (field.wide) {
      field.high = layout_.add(static_cast<std::uint32_t>(largest >> 32U));
    }
  }
  packed_.assign(layout_.words(), 0);
}

std::uint64_t States::packed_index(const Field& field, base::StateView state) const {
  const std::uint64_t low = field.low.get(state);
  return field.wide ? low | (static_cast<std::uint64_t>(field.high.get(state)) << 32U) : low;
}

std::int64_t States::decoded(VariableId v, std::uint64_t index) const {
  const Domain& domain = model().variables[v].domain;
  return model().recursive && index == domain.count() ? kExit : domain.value(index);
}

std::int64_t States::packed_word(VariableId v, base::StateView state) const {
  const Field& field = fields_[v];
  WideWord word(model().variables[v].type.width);
  for (std::size_t i = 0; i < field.part_count; ++i) {
    const std::uint64_t part = parts_[field.first_part + i].get(state);
    word.set_limb(i / 2, i % 2 == 0 ? part : word.limbs()[i / 2] | (part << kPartBits));
  }
  return model().symbols.wide().number_of(word);
}

void States::pack_word(VariableId v, std::int64_t value) {
  const Field& field = fields_[v];
  const std::vector<WideWord::Limb>& limbs = model().symbols.wide()[value].limbs();
  for (std::size_t i = 0; i < field.part_count; ++i) {
    parts_[field.first_part + i].set(
        packed_, static_cast<std::uint32_t>(limbs[i / 2] >> (i % 2 == 0 ? 0 : kPartBits)));
  }
}

/// The value with this number in the order of the type. Of wide words only the first 2^64 have one:
/// nobody gets that far.
std::int64_t States::wide_value_at(const Variable& variable, std::uint64_t index) const {
  return model().symbols.wide().number_of(
      WideWord(variable.type.width, static_cast<std::int64_t>(index), false));
}

NESTOR_INLINE std::int64_t States::value_at(VariableId v, std::uint64_t index) const {
  const Variable& variable = model().variables[v];
  return is_wide(variable.type) ? wide_value_at(variable, index) : variable.domain.value(index);
}

void States::load(base::StateView state) const {
  if (loaded_.size() == state.size() && std::equal(state.begin(), state.end(), loaded_.begin())) {
    return;
  }
  loaded_.assign(state.begin(), state.end());
  const std::span<std::int64_t> current = machine_->current();
  for (const VariableId v : model().variables.ids()) {
    if (model().variables[v].kind != VariableKind::Input) {
      current[v.value()] = packed_value(v, state);
    }
  }
  machine_->current_changed();
}

std::vector<std::int64_t> States::unpack(base::StateView state) const {
  std::vector<std::int64_t> values(model().variables.size());
  for (const VariableId v : model().variables.ids()) {
    if (model().variables[v].kind != VariableKind::Input) {
      values[v.value()] = packed_value(v, state);
    }
  }
  return values;
}

std::string States::describe(base::StateView state) const {
  return print_state(model(), unpack(state));
}

bool States::is_exit(base::StateView state) const {
  if (!model().recursive) {
    return false;
  }
  bool any = false;
  for (const VariableId v : model().variables.ids()) {
    const Variable& variable = model().variables[v];
    if (variable.kind == VariableKind::State) {
      any = true;
      if (packed_index(fields_[v], state) != variable.domain.count()) {
        return false;
      }
    }
  }
  return any;
}

std::string States::current_state() const {
  return has_current_ ? fmt::format("; in the state {}", print_state(model(), machine_->current()))
                      : std::string();
}

void States::refuse(const EvaluationFailed& failed, const std::string& atom) const {
  const std::string_view what = failed.failure == Failure::None
                                    ? "no condition of this case holds, expected a last one 'TRUE'"
                                    : to_string(failed.failure);
  if (!atom.empty()) {
    throw base::Error(base::Error::Kind::Input,
                      fmt::format("'{}': {}{}", atom, what, current_state()));
  }
  throw base::Error(base::Error::Kind::Input, fmt::format("{}{}", what, current_state()),
                    file_->input.locate(failed.at));
}

void States::initial_states(model::StateSink& sink) {
  has_current_ = false;
  loaded_.clear();
  made_ = 0;
  try {
    run(plans_.front(), sink);
  } catch (const EvaluationFailed& failed) {
    refuse(failed);
  }
  if (made_ == 0) {
    throw base::Error(base::Error::Kind::Input,
                      fmt::format("module '{}' has no initial state", model().module),
                      file_->input.locate(model().at));
  }
}

bool States::has_initial_state(const base::Limits& limits) {
  struct Found {};
  class FirstState final : public model::StateSink {
   public:
    explicit FirstState(const base::Limits& limits) : guard_(limits) {}
    void add(base::StateView, std::uint32_t) override { throw Found{}; }
    void tick() override { guard_.tick(); }

   private:
    base::LimitGuard guard_;
  };
  FirstState sink(limits);
  has_current_ = false;
  loaded_.clear();
  try {
    run(plans_.front(), sink);
  } catch (const Found&) {
    return true;
  } catch (const EvaluationFailed& failed) {
    refuse(failed);
  }
  return false;
}

bool States::successors(base::StateView state, model::StateSink& sink) {
  load(state);
  has_current_ = true;
  try {
    for (std::size_t p = 1; p < plans_.size(); ++p) {
      run(plans_[p], sink);
    }
  } catch (const EvaluationFailed& failed) {
    refuse(failed);
  }
  return true;
}

/// Finds the values that the step can give its variable now; false if there are none. An empty list
/// of candidates stands for the whole type.
bool States::find_choices(const PlanStep& step, std::size_t level) {
  std::vector<std::int64_t>& list = candidates_[level];
  const std::int64_t now = machine_->current()[step.variable.value()];
  const bool stays_exit = has_current_ && model().recursive && !step.input && now == kExit;
  if (step.kind == PlanStep::Kind::Keep || stays_exit) {
    list.assign(1, now);
  } else if (step.kind == PlanStep::Kind::Any) {
    list.clear();
    last_[level] = model().variables[step.variable].domain.count() - 1;  // 0 means 2^64: all ones
    return true;
  } else {
    machine_->values(step.entry, list);
    if (step.kind == PlanStep::Kind::Define) {
      const Domain& domain = model().variables[step.variable].domain;
      std::erase_if(list, [&](std::int64_t value) { return !domain.index(value); });
    }
  }
  last_[level] = list.size() - 1;
  return !list.empty();
}

/// Puts a value into the new state, or into the inputs.
void States::set_value(const PlanStep& step, std::int64_t value) {
  const Variable& variable = model().variables[step.variable];
  if (step.input) {
    machine_->current()[step.variable.value()] = value;
    machine_->current_changed();
    return;
  }
  std::uint64_t index = 0;
  if (value == kExit && model().recursive) {
    index = variable.domain.count();
  } else {
    const std::optional<std::uint64_t> found = variable.domain.index(value);
    if (!found) {
      throw base::Error(
          base::Error::Kind::Input,
          fmt::format("'{}' gets the value {}, which is not in its type{}", variable.name,
                      model().symbols.print(value, variable.type), current_state()),
          file_->input.locate(step.at));
    }
    index = *found;
  }
  const Field& field = fields_[step.variable];
  if (field.is_word) {
    pack_word(step.variable, value);
  } else {
    field.low.set(packed_, static_cast<std::uint32_t>(index));
    if (field.wide) {
      field.high.set(packed_, static_cast<std::uint32_t>(index >> 32U));
    }
  }
  machine_->next()[step.variable.value()] = value;
  machine_->next_changed();
}

void States::compute_marks(const Plan& plan) {
  marks_ = 0;
  for (std::size_t i = 0; i < plan.fairness.size(); ++i) {
    if (machine_->holds(plan.fairness[i])) {
      marks_ |= std::uint32_t{1} << i;
    }
  }
}

/// Carries out the steps in all possible ways. `chosen_[i]` counts the values of step i that were
/// tried; a list of candidates that depends on the current state only is made once.
void States::run(const Plan& plan, model::StateSink& sink) {
  const std::vector<PlanStep>& steps = plan.steps;
  const std::size_t depth = steps.size();
  if (candidates_.size() < depth) {
    candidates_.resize(depth);
  }
  chosen_.assign(depth, 0);
  last_.assign(depth, 0);
  known_.assign(depth, false);
  marks_ = 0;
  std::size_t level = 0;
  bool forward = true;
  for (;;) {
    if (forward && level == depth) {
      ++made_;
      sink.add(packed_, marks_);
      forward = false;
    }
    if (!forward) {
      // Back to the last step that has another value.
      for (;;) {
        if (level == 0) {
          return;
        }
        --level;
        const PlanStep::Kind kind = steps[level].kind;
        if (kind != PlanStep::Kind::Check && kind != PlanStep::Kind::Marks &&
            chosen_[level] < last_[level]) {
          ++chosen_[level];
          break;
        }
      }
      sink.tick();
      if (steps[level].input) {  // everything behind it depends on it
        std::fill(known_.begin() + static_cast<std::ptrdiff_t>(level) + 1, known_.end(), false);
      }
    } else {
      const PlanStep& step = steps[level];
      if (step.kind == PlanStep::Kind::Check) {
        forward = machine_->holds(step.entry);
        level += forward ? 1 : 0;
        continue;
      }
      if (step.kind == PlanStep::Kind::Marks) {
        compute_marks(plan);
        ++level;
        continue;
      }
      if (!step.fixed || !known_[level]) {
        known_[level] = true;
        if (!find_choices(step, level)) {
          known_[level] = false;
          forward = false;
          continue;
        }
      }
      chosen_[level] = 0;
    }
    const PlanStep& step = steps[level];
    set_value(step, candidates_[level].empty()
                        ? value_at(step.variable, chosen_[level])
                        : candidates_[level][static_cast<std::size_t>(chosen_[level])]);
    ++level;
    forward = true;
  }
}

}  // namespace nestor::smv
