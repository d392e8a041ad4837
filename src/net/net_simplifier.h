#pragma once

#include "logic/simplifier.h"
#include "net/net_states.h"

#include <cstdint>
#include <memory>

namespace nestor::net {

/// Which stages a simplifier has; all but for tests.
struct NetStages {
  bool state_equation = true;
  bool reductions = true;
  bool stubborn_sets = true;
  bool decision_diagrams = true;
};

/// Makes questions about a net smaller: docs/nets.md has the stages and why each is sound. Null for
/// a net that has mistakes in itself, which only exploring finds.
std::shared_ptr<const logic::Simplifier> make_net_simplifier(
    std::shared_ptr<const NetStates> states, const NetStages& stages = {});

}  // namespace nestor::net
