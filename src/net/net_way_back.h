#pragma once

#include "logic/simplifier.h"
#include "net/firing_history.h"
#include "net/net_states.h"

#include <memory>
#include <string>

namespace nestor::net {

/// Leads firings of a reduced net back to the net as it is given: a merged transition is the
/// transitions it was made of, one after the other; what was taken out needs no tokens to be led
/// back to.
class NetWayBack final : public logic::WayBack {
 public:
  /// `reduced`: the states that paths are of.
  NetWayBack(std::shared_ptr<const NetStates> given, std::shared_ptr<const NetStates> reduced,
             FiringHistory history)
      : given_(std::move(given)), reduced_(std::move(reduced)), history_(std::move(history)) {}

  Path given_path(std::span<const std::vector<std::uint32_t>> smaller, bool to_the_end,
                  base::LimitGuard& guard) const override;

 private:
  std::shared_ptr<const NetStates> given_;
  std::shared_ptr<const NetStates> reduced_;
  FiringHistory history_;
};

/// As NetStates::describe() has it.
std::string describe(const PetriNet& net, const logic::GivenState& tokens);

}  // namespace nestor::net
