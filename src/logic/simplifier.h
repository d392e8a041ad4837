#pragma once

#include "base/bit_layout.h"
#include "base/limits.h"
#include "logic/formula.h"
#include "model/successor_function.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nestor::logic {

/// A state of the model as it is given, as numbers whose meaning its simplifier knows.
using GivenState = std::vector<std::uint32_t>;

/// Leads paths of a smaller model back to the model as it is given.
class WayBack {
 public:
  virtual ~WayBack() = default;

  struct Path {
    std::vector<GivenState> states;
    std::vector<std::size_t> places;  ///< of each state of the smaller path, among `states`
  };
  /// What a path from the smaller model's initial state is in the given one, from the state that
  /// was asked about. `to_the_end`: it goes on until nothing can follow. Throws LimitReached. May
  /// be called by several threads.
  virtual Path given_path(std::span<const std::vector<std::uint32_t>> smaller, bool to_the_end,
                          base::LimitGuard& guard) const = 0;
};

/// All states of a model as sets.
class StateSets {
 public:
  virtual ~StateSets() = default;
  /// Finds them, if that has not been done. Throws LimitReached, and from then on always.
  virtual void explore(const base::Limits& limits) = 0;
};

/// A question about a model as another, smaller one with the same answer.
struct SmallerQuestion {
  std::optional<bool> value;  ///< the answer, if it is known already
  std::string how;            ///< what the answer comes from

  // Else a model and a formula of a pool of its own; a null model if nothing can be said.
  std::shared_ptr<model::SuccessorFunction> states;
  std::shared_ptr<FormulaPool> pool;
  FormulaId formula;
  std::shared_ptr<const WayBack> way_back;  ///< null: there is none

  // Besides, if they are not null: sets of the smaller model's states, which questions may share,
  // and the answer by them. Both throw LimitReached. For questions that share them, one call at a
  // time, and not while `states` are searched.
  std::shared_ptr<StateSets> sets;
  std::function<bool(const base::Limits& limits)> by_sets;

  /// If there are any, they are instead of all that: the answer is yes if it is for all of them,
  /// or for some.
  std::vector<SmallerQuestion> parts;
  bool needs_all = false;
};

/// Makes questions about one model smaller. Dead ends must be kept as they are.
class Simplifier {
 public:
  virtual ~Simplifier() = default;
  /// May be called by several threads, likewise what follows. Throws LimitReached.
  virtual SmallerQuestion simplify(const FormulaPool& pool, FormulaId formula,
                                   const base::Limits& limits) const = 0;
  /// Likewise, if need be as several questions, which need not be about the initial state.
  virtual SmallerQuestion in_parts(const FormulaPool& pool, FormulaId formula,
                                   const base::Limits& limits) const {
    return simplify(pool, formula, limits);
  }

  // For evidence.

  /// The initial state; nothing if questions have no way back, and then the rest must not be asked.
  virtual std::optional<GivenState> initial() const { return std::nullopt; }
  /// The same about the model started elsewhere. `plainly`: questions keep the model's own steps.
  virtual std::shared_ptr<const Simplifier> started_at(const GivenState& /*state*/,
                                                       bool /*plainly*/) const {
    return nullptr;
  }
  /// The model as it is given, for whoever wants states of his own.
  virtual std::shared_ptr<model::SuccessorFunction> given() const { return nullptr; }
  /// As given()->describe() has it.
  virtual std::string describe(const GivenState& /*state*/) const { return {}; }
  /// A state of `model`, which given() has made.
  virtual GivenState given_state(const model::SuccessorFunction& /*model*/,
                                 base::StateView /*state*/) const {
    return {};
  }
};

}  // namespace nestor::logic
