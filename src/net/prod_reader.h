#pragma once

#include "base/input.h"
#include "logic/simplifier.h"
#include "net/prod_states.h"

#include <memory>

namespace nestor::net {

/// Reads a predicate/transition net of PROD (docs/formats.md). Throws Error (Input, Unsupported)
/// with file, line and column.
std::shared_ptr<ProdStates> read_prod(const base::Input& input);

/// Makes questions about such a net smaller. It is unfolded for that, when the first is asked, if
/// that gives no large net; else a question stays as it is.
std::shared_ptr<const logic::Simplifier> make_prod_simplifier(
    std::shared_ptr<const ProdModel> model);

}  // namespace nestor::net
