#pragma once

#include "base/limits.h"
#include "net/petri_net.h"

#include <cstdint>
#include <vector>

namespace nestor::net {

/// What the firings of a reduced net are in the net as it is given: how paths are led back.
class FiringHistory {
 public:
  using Number = std::uint32_t;
  struct Repeated {
    Number firing = 0;
    std::uint64_t times = 1;
  };

  /// Every transition of the given net is itself.
  explicit FiringHistory(const PetriNet& given);

  Number of(TransitionId t) const { return of_[t.value()]; }
  /// Both, one after the other, as one.
  Number join(Repeated first, Repeated second);
  /// Fired before anything else, after what was added before.
  void add_initial(Repeated firing) { initially_.push_back(firing); }
  /// The transitions that are left, with what they are.
  void set_transitions(std::vector<Number> of) { of_ = std::move(of); }

  /// The given net's transitions in their order; of `of(t)` and of what is fired at the beginning.
  /// Throws LimitReached if they are more than one would look at.
  std::vector<TransitionId> expanded(Number firing, base::LimitGuard& guard) const {
    return expanded(std::vector<Repeated>{{firing, 1}}, guard);
  }
  std::vector<TransitionId> initially(base::LimitGuard& guard) const {
    return expanded(initially_, guard);
  }

 private:
  struct Firing {
    TransitionId given;  // or, if invalid, two that have smaller numbers
    Repeated first;
    Repeated second;
  };

  std::vector<TransitionId> expanded(const std::vector<Repeated>& parts,
                                     base::LimitGuard& guard) const;

  std::vector<Firing> firings_;
  std::vector<Number> of_;  // by transition
  std::vector<Repeated> initially_;
};

}  // namespace nestor::net
