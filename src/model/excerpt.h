#pragma once

#include "base/limits.h"
#include "base/tree_state_set.h"
#include "model/rsm.h"
#include "model/successor_function.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace nestor::model {

/// A part of the state graph of `model`: the states that are `wanted`, by their names, as far as
/// they are reached through such, all that follow them, and the initial ones. A state that is
/// wanted has all its steps; another one has none here, whatever it has in the model, and nothing
/// may be concluded from that. Throws LimitReached.
Rsm make_excerpt(const std::shared_ptr<SuccessorFunction>& model,
                 const std::function<bool(std::string_view name)>& wanted,
                 std::span<const std::string> propositions, const base::Limits& limits);

/// The state that a node of an excerpt is.
base::TakenState state_of(const Rsm& excerpt, NodeId n);

}  // namespace nestor::model
