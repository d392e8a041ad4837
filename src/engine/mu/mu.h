#pragma once

#include "engine/engine.h"
#include "logic/mu_formula.h"

#include <memory>
#include <string_view>

namespace nestor::engine::mu {

inline constexpr std::string_view kId = "mu";

/// Decides formulas of CTL by way of the mu-calculus.
std::unique_ptr<Engine> make_mu();

/// Whether every initial state of `model` satisfies `formula`. Unknown if a limit is reached.
Result check_mu(const model::Rsm& model, const logic::MuFormula& formula, Env& env);

}  // namespace nestor::engine::mu
