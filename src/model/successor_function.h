#pragma once

#include "base/bit_layout.h"
#include "base/limits.h"
#include "model/step_name.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::model {

/// Takes states one by one.
class StateSink {
 public:
  /// Copies `state`. May throw LimitReached.
  void add(base::StateView state) { add(state, 0); }
  /// Likewise; bit i of `marks` says that the step to `state` satisfies fairness constraint i.
  virtual void add(base::StateView state, std::uint32_t marks) = 0;
  /// Call in loops that look for states and find none for long. May throw LimitReached.
  virtual void tick() = 0;

 protected:
  ~StateSink() = default;
};

/// A finite model given by its initial states, the successors of a state and what holds in it:
/// a net, an SMV program. explore() makes a graph of it, StateSpace shows one as it is needed.
///
/// A state is a few words that BitLayout lays out. Equal states have equal words, unused bits
/// included.
class SuccessorFunction {
 public:
  virtual ~SuccessorFunction() = default;

  virtual std::size_t state_words() const = 0;
  /// Bits of a state that carry information, for statistics.
  virtual std::size_t state_bits() const = 0;

  /// Every initial state, at least one. The same state twice is harmless, here and below.
  virtual void initial_states(StateSink& sink) = 0;
  /// Every successor of `state`. False if one does not fit the states' width: then the caller must
  /// convert the states it has with widen(), call become_wider() and ask again. Until that call
  /// nothing has changed: whoever cannot convert them all goes on with those he has.
  [[nodiscard]] virtual bool successors(base::StateView state, StateSink& sink) = 0;
  /// For models whose states get wider: what state_words() will be, and `before` as it will be.
  virtual std::size_t wider_words() const;
  virtual void widen(base::StateView before, base::StateBuffer wider) const;
  void become_wider() noexcept {
    take_wider();
    ++times_wider_;
  }
  /// Asked when memory begins to matter: other forms of states that may take less, by numbers from
  /// 0 on. False if there are no more; else everything is as if successors() had returned false.
  [[nodiscard]] virtual bool prepare_form(std::size_t number, base::LimitGuard& guard);
  /// States belong to the width they were made in.
  std::uint32_t times_wider() const { return times_wider_; }
  /// Of the width for which successors() has returned false last: false if no number has outgrown
  /// it, so that strictly_covers() is not worth a look.
  virtual bool is_wider_for_growth() const { return true; }
  /// True if a path from `below` to `above` can be followed over and over, each time from a larger
  /// state: then the model has infinitely many. For models whose states get wider.
  virtual bool strictly_covers(base::StateView above, base::StateView below) const;

  /// For processes that explore one model together: a form of a state that depends neither on its
  /// width nor on what else was found, so that equal states have equal forms in all of them. This
  /// appends it.
  virtual void write_portable(base::StateView state, std::vector<std::uint32_t>& portable) const;
  /// How long all forms are until one is longer; 0: no two need be alike.
  virtual std::size_t portable_words() const { return state_words(); }
  /// The state that has this form. False as successors() is.
  [[nodiscard]] virtual bool read_portable(std::span<const std::uint32_t> portable,
                                           base::StateBuffer state);

  /// Fairness constraints: paths count only if each is satisfied again and again. At most 32.
  virtual std::uint32_t mark_count() const { return 0; }

  /// What an atom of a formula means here.
  struct Proposition {
    std::optional<std::uint32_t> number;  ///< for holds(); none: the model does not know it
    std::string problem;                  ///< if the atom makes no sense here, why not
    std::string at;                       ///< of the problem: the part of the atom that is wrong
  };
  virtual Proposition find_proposition(std::string_view atom) = 0;
  virtual bool holds(std::uint32_t proposition, base::StateView state) const = 0;

  /// How far `state` seems to be from one where the proposition has the value wanted; 0 if it has
  /// it. Searches may begin with the nearest.
  virtual std::uint32_t distance(std::uint32_t proposition, bool wanted,
                                 base::StateView state) const {
    return holds(proposition, state) == wanted ? 0 : 1;
  }

  /// The part of a state that a proposition looks at, if it is one with few values: a variable, for
  /// instance. States can then be found by it.
  struct Key {
    std::uint32_t part = 0;    ///< which one, for part()
    std::uint64_t values = 0;  ///< its values are those below
    /// The values with which the proposition holds, each once; nothing: ask holds(). Valid
    /// until the next proposition is looked for.
    std::optional<std::span<const std::uint64_t>> holds_at;
  };
  virtual std::optional<Key> key(std::uint32_t proposition) const;
  /// The value of a part that key() named.
  virtual std::uint64_t part(std::uint32_t part, base::StateView state) const;

  /// Atoms worth knowing when the model is written in another format or explored by hand.
  virtual std::vector<std::string> propositions() const = 0;
  /// Every atom that may be asked of a graph that is kept. Complete when all states are found.
  virtual std::vector<std::string> all_propositions() const { return propositions(); }

  /// For people, on one line; different for different states.
  virtual std::string describe(base::StateView state) const = 0;
  /// What a part of the state is, for people: the tokens in a place of a net, named as formulas
  /// name it. Nothing if there is no such part. This and the next may be asked by several threads.
  virtual std::optional<std::string> describe_part(base::StateView state,
                                                   std::string_view part) const;
  /// How `to` comes after `from`, the first way if there are several. Nothing if steps have no
  /// names here, or it does not.
  virtual std::optional<StepName> find_step(base::StateView from, base::StateView to) const;
  /// What is different in `to`, for people: `-p<1> +q<2>`. Empty if the model does not say it.
  virtual std::string describe_change(base::StateView from, base::StateView to) const;

 private:
  /// Changes to the width for which successors() has returned false last.
  virtual void take_wider() noexcept {}

  std::uint32_t times_wider_ = 0;
};

}  // namespace nestor::model
