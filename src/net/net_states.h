#pragma once

#include "base/bit_layout.h"
#include "base/inline.h"
#include "model/successor_function.h"
#include "net/firing_plan.h"
#include "net/implied_places.h"
#include "net/net_atom.h"
#include "net/net_formula.h"
#include "net/petri_net.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nestor::net {

/// A formula without temporal operators: parts of it, operands first; the last one is meant.
struct NetPredicate {
  struct Part {
    NetFormulas::Op op = NetFormulas::Op::True;
    std::vector<std::uint32_t> operands;
    AtMostZero comparison;
  };
  std::vector<Part> parts;
};

/// Adds what is said of a place to the text of a marking, which begins with `{`.
void append_tokens(std::string& text, std::string_view place, std::uint32_t tokens);

/// `root` must have no temporal operators.
NetPredicate make_predicate(const NetFormulas& formulas, NetNodeId root);

/// The markings of a net as states. A place's tokens take as many bits as the most tokens seen in
/// it so far need; when a firing needs more, all states become wider. There are forms of states
/// without places that follow from others, and with the places of a transition near each other.
class NetStates : public model::SuccessorFunction {
 public:
  explicit NetStates(PetriNet net);

  /// The same net, its names included, with other tokens at the beginning, by place.
  std::shared_ptr<NetStates> started_at(std::span<const std::uint32_t> tokens) const;

  /// Makes `fireable(name)` speak of all of `transitions`. Names of single ones are known anyway.
  void name_transitions(const std::string& name, std::vector<TransitionId> transitions);
  /// What the steps of the transitions are called; the transitions' names unless told otherwise.
  using NameStep = std::function<model::StepName(TransitionId t)>;
  void name_steps_with(NameStep name) { name_step_ = std::move(name); }
  /// Which places a name in `tokens(…)` means; nothing if the net has no such place. Unless told
  /// otherwise, a name is the name of a place.
  using FindPlaces = std::function<std::optional<std::vector<PlaceId>>(std::string_view name)>;
  void find_places_with(FindPlaces find) { find_places_ = std::move(find); }

  struct Term {
    std::int64_t factor = 0;
    PlaceId place;
  };
  /// What an atom means. A comparison is of the terms' sum with zero.
  struct Meaning {
    enum class Kind : std::uint8_t { Comparison, Fireable, Deadlock, Predicate };

    Kind kind = Kind::Deadlock;
    NetAtom::Comparison comparison = NetAtom::Comparison::Less;
    std::vector<Term> terms;
    std::int64_t constant = 0;
    std::vector<TransitionId> transitions;
    NetPredicate predicate;
  };
  /// What an atom means; nothing if it makes no sense here.
  std::optional<Meaning> meaning(std::string_view atom) const;
  /// Gives a name to a predicate, for find_proposition().
  void name_predicate(const std::string& name, NetPredicate predicate);

  std::size_t state_words() const override { return now_.words; }
  std::size_t state_bits() const override { return now_.kept.bits(); }
  void initial_states(model::StateSink& sink) override;
  bool successors(base::StateView state, model::StateSink& sink) override;
  std::size_t wider_words() const override { return wider_.words; }
  void widen(base::StateView before, base::StateBuffer wider) const override;
  bool prepare_form(std::size_t number, base::LimitGuard& guard) override;
  /// The marking in the width that the net begins with; of a place with more tokens than fit there
  /// only the lower bits, and behind the words the place and all its tokens.
  void write_portable(base::StateView state, std::vector<std::uint32_t>& portable) const override;
  std::size_t portable_words() const override { return first_layout_.words(); }
  bool read_portable(std::span<const std::uint32_t> portable, base::StateBuffer state) override;
  bool strictly_covers(base::StateView above, base::StateView below) const override;
  Proposition find_proposition(std::string_view atom) override;
  bool holds(std::uint32_t proposition, base::StateView state) const override;
  std::uint32_t distance(std::uint32_t proposition, bool wanted,
                         base::StateView state) const override;
  std::vector<std::string> propositions() const override;
  std::vector<std::string> all_propositions() const override;
  std::string describe(base::StateView state) const override;
  std::optional<std::string> describe_part(base::StateView state,
                                           std::string_view part) const override;
  std::optional<model::StepName> find_step(base::StateView from, base::StateView to) const override;
  std::string describe_change(base::StateView from, base::StateView to) const override;

  const PetriNet& net() const { return net_; }
  std::uint32_t tokens(base::StateView state, PlaceId p) const {
    const base::BitField& field = now_.fields[p];
    return field.word < state.size() ? field.get(state) : now_.implied.tokens(p, state);
  }
  NESTOR_INLINE bool is_enabled(base::StateView state, TransitionId t) const {
    for (const PetriNet::Arc& arc : net_.transition(t).inputs) {
      if (tokens(state, arc.place) < arc.weight) {
        return false;
      }
    }
    return true;
  }

  /// Fires an enabled transition of a whole marking. False as successors() is.
  bool fire_into(base::StateView marking, TransitionId t, model::StateSink& sink);
  bool evaluate(const NetPredicate& predicate, std::uint32_t part, base::StateView state) const;

 protected:
  /// The whole marking, for fire_into() and for looking at many places. Valid until the next call,
  /// and until states become wider.
  base::StateView marking_of(base::StateView state);

 private:
  using Change = MarkingChange;

  /// Bits of a word that are `left` places further left in a wider marking.
  struct Move {
    std::uint32_t from = 0;
    std::uint32_t bits = 0;
    std::uint32_t to = 0;
    int left = 0;
  };

  /// How states are made small.
  struct Form {
    std::vector<PlaceId> order;  // of places that states have
    ImpliedPlaces implied;       // those that they have not
  };
  /// How many bits each place has, and what is made in that width. Behind the words of a state are
  /// those of the places that follow from it: a marking has both.
  struct Width {
    std::shared_ptr<const Form> form;  // none: states have all places
    base::IdVector<PlaceId, base::BitField> fields;
    base::BitLayout kept;   // of a state
    std::size_t words = 0;  // likewise
    ImpliedFields implied;
    std::vector<std::uint32_t> whole;  // a state's marking, if it has not all of it
    std::vector<std::uint32_t> next;   // the marking being made
    std::optional<FiringPlan> plan;    // when the width has lasted long enough to be worth it
    std::size_t asked = 0;             // markings whose successors were asked for
    std::vector<Move> moves;           // of what is in the next narrower width
  };

  /// Made when a name is looked for first: of the many nets that one question may be reduced to,
  /// few are asked by names.
  struct Names {
    std::map<std::string, PlaceId, std::less<>> places;
    std::map<std::string, std::vector<TransitionId>, std::less<>> transitions;
  };

  const Names& names() const;
  const std::vector<TransitionId>* find_transitions(std::string_view name) const;
  const FiringPlan* plan();
  void prepare_wider(std::shared_ptr<const Form> form);
  void find_forms(base::LimitGuard& guard);
  base::StateView write_marking(base::StateView state, base::StateBuffer marking) const;
  std::optional<std::vector<PlaceId>> find_places(std::string_view name) const;
  model::StepName step_name(TransitionId t) const;
  template <class Places>
  std::string describe(base::StateView state, const Places& places) const;
  Width lay_out(std::shared_ptr<const Form> form) const;
  void take_wider() noexcept override { std::swap(now_, wider_); }
  bool fire(base::StateView marking, TransitionId t);
  bool is_dead(base::StateView state) const;
  Proposition understand(const NetAtom& atom, Meaning& meaning) const;
  Proposition read_atom(std::string_view atom, Meaning& meaning) const;
  bool compare(const Meaning& meaning, base::StateView state) const;
  std::int64_t sum(const AtMostZero& comparison, base::StateView state) const;
  std::uint32_t distance(const NetPredicate& predicate, std::uint32_t part, bool wanted,
                         base::StateView state) const;

  PetriNet net_;
  Width now_;
  Width wider_;                                           // of the firing that did not fit last
  base::IdVector<PlaceId, base::BitField> first_fields_;  // of the width that the net begins with
  base::BitLayout first_layout_;
  std::vector<std::shared_ptr<const Form>> forms_;  // when they were asked for
  base::IdVector<PlaceId, std::uint32_t> most_;     // the most tokens that a field must hold
  // A transition is looked at if its first input place has tokens; without inputs, always.
  base::IdVector<PlaceId, std::vector<TransitionId>> waiting_;
  std::vector<TransitionId> without_inputs_;
  base::IdVector<TransitionId, std::vector<Change>> changes_;
  NameStep name_step_;  // empty: the transitions' names, likewise below
  FindPlaces find_places_;
  std::map<std::string, std::vector<TransitionId>, std::less<>> named_transitions_;
  mutable Names names_;  // of all places and transitions
  mutable std::once_flag names_are_known_;
  std::map<std::string, std::uint32_t, std::less<>> known_atoms_;
  std::vector<Meaning> meanings_;
};

}  // namespace nestor::net
