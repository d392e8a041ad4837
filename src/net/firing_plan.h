#pragma once

#include "base/bit_layout.h"
#include "base/id.h"
#include "base/inline.h"
#include "net/petri_net.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::net {

/// What a firing does to a place.
struct MarkingChange {
  PlaceId place;
  std::uint32_t taken = 0;
  std::uint32_t given = 0;
};

/// How to find a marking's successors in one width of its places, as tests and sums of whole words:
/// places of a word that must be full for a transition to fire are looked at together, and so are
/// those that must be empty for its result to fit. What a firing changes in a word is one addition,
/// since no place's bits overflow into those of the next.
class FiringPlan {
 public:
  using Fields = base::IdVector<PlaceId, base::BitField>;
  using Changes = base::IdVector<TransitionId, std::vector<MarkingChange>>;
  using Waiting = base::IdVector<PlaceId, std::vector<TransitionId>>;

  /// `waiting`: the transitions to look at if a place has tokens, by place.
  FiringPlan(const PetriNet& net, const Fields& fields, const Changes& changes,
             const Waiting& waiting);

  /// Calls `look(t)` for transitions that may be enabled, place by place, until it is false. False
  /// if it was.
  template <class Look>
  bool for_each_waiting(base::StateView state, Look look) const {
    for (std::size_t i = 0; i + 1 < watched_.size(); ++i) {
      if ((state[watched_[i].word] & watched_[i].bits) == 0) {
        continue;
      }
      for (std::uint32_t j = watched_[i].first; j < watched_[i + 1].first; ++j) {
        if (!look(waiting_[j])) {
          return false;
        }
      }
    }
    return true;
  }

  NESTOR_INLINE bool is_enabled(base::StateView state, TransitionId t) const {
    for (std::uint32_t i = rows_[t].needs; i < rows_[t + 1].needs; ++i) {
      const Bound& bound = needs_[i];
      if (((state[bound.word] >> bound.shift) & bound.mask) < bound.value) {
        return false;
      }
    }
    return true;
  }
  /// True if the marking after the enabled transition is as wide as the others.
  NESTOR_INLINE bool fits(base::StateView state, TransitionId t) const {
    for (std::uint32_t i = rows_[t].rooms; i < rows_[t + 1].rooms; ++i) {
      const Bound& bound = rooms_[i];
      if (((state[bound.word] >> bound.shift) & bound.mask) >= bound.value) {
        return false;
      }
    }
    return true;
  }
  /// Makes a copy of a marking the one after `t`, which is enabled and fits.
  NESTOR_INLINE void fire(base::StateBuffer copy, TransitionId t) const {
    for (std::uint32_t i = rows_[t].sums; i < rows_[t + 1].sums; ++i) {
      copy[sums_[i].word] += sums_[i].difference;
    }
  }

 private:
  /// Of the bits of a word: at least so much, or less than that.
  struct Bound {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint32_t mask = 0;  // after shifting
    std::uint32_t value = 0;
  };
  struct Sum {
    std::uint32_t word = 0;
    std::uint32_t difference = 0;  // modulo 2^32
  };
  struct Row {  // where a transition's parts begin; they end where the next one's do
    std::uint32_t needs = 0;
    std::uint32_t rooms = 0;
    std::uint32_t sums = 0;
  };
  struct Watched {
    std::uint32_t word = 0;
    std::uint32_t bits = 0;
    std::uint32_t first = 0;  // of waiting_
  };

  void add_needs(const PetriNet::Transition& transition, const Fields& fields);
  void add_rooms_and_sums(std::span<const MarkingChange> changes, const Fields& fields);

  base::IdVector<TransitionId, Row> rows_;
  std::vector<Bound> needs_;
  std::vector<Bound> rooms_;
  std::vector<Sum> sums_;
  std::vector<Watched> watched_;
  std::vector<TransitionId> waiting_;
};

}  // namespace nestor::net
