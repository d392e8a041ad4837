#pragma once

#include "base/error.h"
#include "base/id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nestor::net {

using PlaceId = base::Id<struct PlaceTag>;
using TransitionId = base::Id<struct TransitionTag>;

/// A place/transition net: places with tokens, transitions that take tokens and give tokens.
class PetriNet {
 public:
  struct Arc {
    PlaceId place;
    std::uint32_t weight = 1;
  };
  struct Place {
    std::string name;
    std::uint32_t tokens = 0;  ///< at the beginning
  };
  struct Transition {
    std::string name;
    std::vector<Arc> inputs;  ///< by place, ascending, each place once; likewise outputs
    std::vector<Arc> outputs;
    std::string forbidden;         ///< not empty: a mistake of the net if it can ever fire
    base::SourceLocation at = {};  ///< of that mistake
  };
  PlaceId add_place(std::string name, std::uint32_t tokens);
  TransitionId add_transition(std::string name);
  /// Arcs between the same two add up. False if their weight would be more than kMostTokens.
  [[nodiscard]] bool add_input(TransitionId t, PlaceId from, std::uint32_t weight);
  /// `why`: what is wrong with the net if the transition can fire.
  void forbid(TransitionId t, std::string why, base::SourceLocation at);
  [[nodiscard]] bool add_output(TransitionId t, PlaceId to, std::uint32_t weight);

  static constexpr std::uint32_t kMostTokens = 0xffff'ffffU;

  std::size_t place_count() const { return places_.size(); }
  std::size_t transition_count() const { return transitions_.size(); }
  base::IdRange<PlaceId> places() const { return places_.ids(); }
  base::IdRange<TransitionId> transitions() const { return transitions_.ids(); }
  Place& place(PlaceId p) { return places_[p]; }
  const Place& place(PlaceId p) const { return places_[p]; }
  const Transition& transition(TransitionId t) const { return transitions_[t]; }

 private:
  static bool add(std::vector<Arc>& arcs, PlaceId place, std::uint32_t weight);

  base::IdVector<PlaceId, Place> places_;
  base::IdVector<TransitionId, Transition> transitions_;
};

}  // namespace nestor::net
