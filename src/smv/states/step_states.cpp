#include "smv/states/step_states.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace {

constexpr std::size_t kWordBits = 32;
constexpr std::uint32_t kFirstOfSteps =
    0x8000'0000U;  // added to the numbers of propositions of steps

/// Keeps states for when whoever makes them is done.
class StateList final : public model::StateSink {
 public:
  explicit StateList(model::StateSink& outer) : outer_(outer) {}
  void add(base::StateView state, std::uint32_t marks) override {
    states.push_back({{state.begin(), state.end()}, marks});
  }
  void tick() override { outer_.tick(); }

  struct Item {
    std::vector<std::uint32_t> state;
    std::uint32_t marks = 0;
  };
  std::vector<Item> states;

 private:
  model::StateSink& outer_;
};

}  // namespace

StepStates::StepStates(std::shared_ptr<States> states, std::span<const std::string> atoms)
    : states_(std::move(states)),
      own_words_(states_->state_words()),
      truth_words_((atoms.size() + kWordBits - 1) / kWordBits),
      known_(own_words_),
      pair_(own_words_ + truth_words_) {
  for (const std::string& atom : atoms) {
    conditions_.push_back(states_->step_condition(atom));
  }
}

bool StepStates::has(base::StateView state, const std::vector<bool>& truths) const {
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i] != holds(kFirstOfSteps + static_cast<std::uint32_t>(i), state)) {
      return false;
    }
  }
  return true;
}

const std::vector<std::vector<bool>>& StepStates::truths_of(base::StateView state,
                                                            model::StateSink& sink) {
  const std::uint32_t known = known_.find(state);
  if (known != base::PackedStateSet::kAbsent) {
    return truths_[known];
  }
  std::vector<std::vector<bool>> found;
  const States::VisitStep note = [&](base::StateView, std::uint32_t,
                                     const std::vector<bool>& truths) {
    if (std::ranges::find(found, truths) == found.end()) {
      found.push_back(truths);
    }
  };
  states_->visit_steps(state, conditions_, sink, note);
  if (found.empty()) {
    states_->visit_inputs(state, conditions_, sink, note);
  }
  truths_.resize(known_.size());  // there may have been no memory for the last one
  truths_.push_back(std::move(found));
  known_.insert(state);
  return truths_.back();
}

void StepStates::add_pairs(base::StateView state, std::uint32_t marks, model::StateSink& sink) {
  for (const std::vector<bool>& truths : truths_of(state, sink)) {
    std::ranges::copy(state, pair_.begin());
    std::fill(pair_.begin() + static_cast<std::ptrdiff_t>(own_words_), pair_.end(), 0);
    for (std::size_t i = 0; i < truths.size(); ++i) {
      pair_[own_words_ + i / kWordBits] |= (truths[i] ? 1U : 0U) << (i % kWordBits);
    }
    sink.add(pair_, marks);
  }
}

void StepStates::initial_states(model::StateSink& sink) {
  StateList list(sink);
  states_->initial_states(list);
  for (const StateList::Item& item : list.states) {
    add_pairs(item.state, item.marks, sink);
  }
}

bool StepStates::successors(base::StateView state, model::StateSink& sink) {
  StateList list(sink);
  states_->visit_steps(
      own(state), conditions_, sink,
      [&](base::StateView to, std::uint32_t marks, const std::vector<bool>& truths) {
        if (has(state, truths)) {
          list.add(to, marks);
        }
      });
  for (const StateList::Item& item : list.states) {
    add_pairs(item.state, item.marks, sink);
  }
  return true;
}

model::SuccessorFunction::Proposition StepStates::find_proposition(std::string_view atom) {
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    if (conditions_[i].atom == atom) {
      Proposition result;
      result.at = std::string(atom);
      result.number = kFirstOfSteps + static_cast<std::uint32_t>(i);
      return result;
    }
  }
  return states_->find_proposition(atom);
}

bool StepStates::holds(std::uint32_t proposition, base::StateView state) const {
  if (proposition < kFirstOfSteps) {
    return states_->holds(proposition, own(state));
  }
  const std::size_t i = proposition - kFirstOfSteps;
  return ((state[own_words_ + i / kWordBits] >> (i % kWordBits)) & 1U) != 0;
}

std::optional<model::SuccessorFunction::Key> StepStates::key(std::uint32_t proposition) const {
  return proposition < kFirstOfSteps ? states_->key(proposition) : std::nullopt;
}

std::uint64_t StepStates::part(std::uint32_t part, base::StateView state) const {
  return states_->part(part, own(state));
}

std::vector<std::string> StepStates::propositions() const {
  std::vector<std::string> names = states_->propositions();
  for (const States::StepCondition& condition : conditions_) {
    if (std::ranges::find(names, condition.atom) == names.end()) {
      names.push_back(condition.atom);
    }
  }
  return names;
}

std::string StepStates::describe(base::StateView state) const {
  std::string text = states_->describe(own(state));
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    text +=
        fmt::format("{}({}) = {}", text.empty() ? "" : ", ", conditions_[i].atom,
                    holds(kFirstOfSteps + static_cast<std::uint32_t>(i), state) ? "TRUE" : "FALSE");
  }
  return text;
}

}  // namespace nestor::smv
