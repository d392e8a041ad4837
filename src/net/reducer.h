#pragma once

#include "base/limits.h"
#include "net/firing_history.h"
#include "net/net_formula.h"
#include "net/petri_net.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace nestor::net {

/// The net and the formula while rules make them smaller: reduction.cpp and agglomeration.cpp.
class Reducer {
 public:
  Reducer(const PetriNet& net, NetFormulas& formulas, NetNodeId root, FiringHistory history,
          base::LimitGuard& guard)
      : net_(net),
        formulas_(formulas),
        root_(root),
        guard_(guard),
        history_(std::move(history)),
        observed_(net.place_count()),
        gone_(net.place_count()) {
    for (const PlaceId p : net.places()) {
      tokens_.push_back(net.place(p).tokens);
    }
    for (const TransitionId t : net.transitions()) {
      transitions_.push_back(
          {t, history_.of(t), net.transition(t).inputs, net.transition(t).outputs});
    }
  }

  /// Tries the rules until none changes anything.
  NetNodeId run();
  /// The net that is left, what its transitions are, and the formula's places with their new
  /// numbers.
  NetNodeId renumber(PetriNet& net, FiringHistory& history);

 private:
  using Arc = PetriNet::Arc;
  struct Transition {
    TransitionId was;
    FiringHistory::Number firing = 0;
    std::vector<Arc> inputs;
    std::vector<Arc> outputs;
  };
  using Index = std::vector<std::vector<std::uint32_t>>;

  template <class Change>
  NetNodeId with_atoms(Change change) {
    return replace(formulas_, root_, [&](NetNodeId f) -> std::optional<NetNodeId> {
      if (formulas_[f].op != NetFormulas::Op::Atom) {
        return std::nullopt;
      }
      return formulas_.atom(change(AtMostZero(formulas_.comparison(f))));
    });
  }

  void look_at_formula();
  void index();
  void remove_arcs(PlaceId p);

  template <class Condition>
  void erase_transitions(Condition condition) {
    changed_ = std::erase_if(transitions_, condition) > 0 || changed_;
  }

  /// A place that has too few tokens and cannot get more as long as it has too few. The places that
  /// are never marked are the largest unmarked siphon.
  void remove_dead_transitions();
  /// Also observed ones: their tokens are a number in the formula.
  void remove_constant_places();
  /// Transitions with the same effect: one that needs no more tokens than the other does its work.
  void remove_doubles();
  /// Nobody takes the tokens, nobody looks at them.
  void remove_sinks();
  /// Two places that every firing changes alike: the one that never has too few tokens if the other
  /// has enough is redundant.
  void remove_parallel_places();
  /// Merges transitions that are invisible and in conflict with nothing with what comes before or
  /// after them.
  void agglomerate();
  /// Nothing else takes tokens from where it takes them, and no place of it is observed. So firing
  /// it neither disables nor shows anything.
  bool is_alone_and_invisible(std::uint32_t t) const;
  /// Rule A of [Bøn19]: the only input of `t` is a place from which only `t` takes. Whoever puts
  /// tokens there puts them at once where `t` would.
  bool merge_into_producers(std::uint32_t t);
  /// Rule B of [Bøn19], with any number of inputs: the only output of `t` is a place into which
  /// only `t` puts tokens. Whoever takes them takes at once what `t` would.
  bool merge_into_consumers(std::uint32_t t);
  static bool is_worth_it(std::size_t others, std::size_t arcs);
  bool fits(const std::vector<std::uint32_t>& others, std::vector<Arc> Transition::*side, PlaceId p,
            const std::vector<Arc>& more, std::uint64_t tokens) const;
  void unlist(std::uint32_t t);
  void list(std::uint32_t t);
  void erase(std::uint32_t t);
  /// Backwards from the observed places: what changes them, what that needs, and so on.
  void keep_what_matters();

  const PetriNet& net_;
  NetFormulas& formulas_;
  NetNodeId root_;
  base::LimitGuard& guard_;
  FiringHistory history_;
  std::vector<std::uint32_t> tokens_;  // by place, likewise below
  std::vector<bool> observed_;
  std::vector<bool> gone_;
  std::vector<Transition> transitions_;
  Index consumers_;
  Index producers_;
  std::vector<bool> erased_;  // by transition
  bool has_next_ = false;
  bool has_dead_ = false;
  bool sees_divergence_ = false;
  bool changed_ = true;
};

/// The weight of the arc to or from a place; 0 without one.
std::uint32_t weight_at(const std::vector<PetriNet::Arc>& arcs, PlaceId p);

}  // namespace nestor::net
