#pragma once

#include "base/input.h"
#include "logic/simplifier.h"
#include "model/successor_function.h"
#include "net/prod_model.h"

#include <memory>

namespace nestor::net {

/// A net that was read: its markings, and what makes questions about them smaller.
struct ProdNetRead {
  std::shared_ptr<model::SuccessorFunction> states;
  std::shared_ptr<const logic::Simplifier> simplifier;
};

/// Reads a predicate/transition net of PROD (docs/formats.md). If it unfolds to a small
/// place/transition net, that is what is explored; else transitions are bound in each marking
/// (ProdStates). Throws Error (Input, Unsupported) with file, line and column.
ProdNetRead read_prod(const base::Input& input);

/// Of a net whose transitions are bound in each marking: it is unfolded for that, when the first
/// question is asked, if that is soon done; else a question stays as it is.
std::shared_ptr<const logic::Simplifier> make_prod_simplifier(
    std::shared_ptr<const ProdModel> model);

}  // namespace nestor::net
