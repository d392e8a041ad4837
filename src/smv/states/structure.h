#pragma once

#include "base/limits.h"
#include "base/tree_state_set.h"
#include "model/rsm.h"
#include "smv/states/states.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace nestor::smv {

/// The state graph of one module.
struct Structure {
  std::unique_ptr<States> states;
  std::vector<std::string> names;                      ///< of states
  std::vector<std::vector<model::NodeId>> successors;  ///< of states
  std::vector<const Call*> calls;                      ///< of states; null: an ordinary location
  std::vector<std::vector<std::string>> labels;        ///< of states
  /// Of states: atoms that are no labels.
  std::map<std::size_t, std::vector<std::string>> conditions;
  std::vector<std::uint32_t> order;  ///< the states by their values: as the file names them
  std::uint32_t exit = base::TreeStateSet::kAbsent;
};

/// Fills in all but the states' model, which is there. `conditions` are the atoms that are no
/// labels, by name. Throws LimitReached, and Error where a call or the initial state is not as it
/// must be.
void explore_structure(Structure& structure, const std::map<std::string, TermId>& conditions,
                       const base::Limits& limits, base::LimitGuard& guard);

}  // namespace nestor::smv
