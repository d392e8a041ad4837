#pragma once

#include "base/packed_state_set.h"
#include "smv/states/states.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::smv {

/// The states of a module with what is true of the step that is made next: pairs (s, b) of a state
/// and the truth of each condition, such that a step with these truths begins in s. A step from
/// (s, b) is one from s with the truths b, and leads to every pair with the state it leads to. So
/// the infinite paths are those of the module, each step with what is true of it.
///
/// A state without steps is paired with all truths that some choice of the inputs gives there,
/// conditions on the next state being false: paths that end there end with any of these.
class StepStates final : public model::SuccessorFunction {
 public:
  StepStates(std::shared_ptr<States> states, std::span<const std::string> atoms);

  std::size_t state_words() const override { return own_words_ + truth_words_; }
  std::size_t state_bits() const override { return states_->state_bits() + conditions_.size(); }
  void initial_states(model::StateSink& sink) override;
  [[nodiscard]] bool successors(base::StateView state, model::StateSink& sink) override;
  Proposition find_proposition(std::string_view atom) override;
  bool holds(std::uint32_t proposition, base::StateView state) const override;
  std::optional<Key> key(std::uint32_t proposition) const override;
  std::uint64_t part(std::uint32_t part, base::StateView state) const override;
  std::vector<std::string> propositions() const override;
  std::string describe(base::StateView state) const override;
  std::uint32_t mark_count() const override { return states_->mark_count(); }

 private:
  base::StateView own(base::StateView state) const { return state.first(own_words_); }
  bool has(base::StateView state, const std::vector<bool>& truths) const;
  /// All pairs with the module's state `state`.
  void add_pairs(base::StateView state, std::uint32_t marks, model::StateSink& sink);
  const std::vector<std::vector<bool>>& truths_of(base::StateView state, model::StateSink& sink);

  std::shared_ptr<States> states_;
  std::vector<States::StepCondition> conditions_;
  std::size_t own_words_;    // of the module's states
  std::size_t truth_words_;  // behind them, a bit for each condition
  base::PackedStateSet known_;
  std::vector<std::vector<std::vector<bool>>> truths_;  // by number of a known state
  std::vector<std::uint32_t> pair_;
};

}  // namespace nestor::smv
