#pragma once

#include "base/random.h"
#include "logic/formula.h"
#include "net/petri_net.h"
#include "run_options.h"

#include <functional>
#include <string>
#include <vector>

namespace nestor::test {

/// Chains and rings of places, with some arcs that join them: so there is something to reduce.
/// Safe, bounded, unbounded, with dead ends: as it comes.
net::PetriNet reducible_net(base::Random& random);

std::string random_atom(const net::PetriNet& net, base::Random& random);

/// Most random formulas are decided by the initial marking: further operators outside of them.
logic::FormulaId wrapped(logic::FormulaPool& pool, logic::FormulaId f,
                         const std::vector<std::string>& atoms, base::Random& random);

/// Asks for what is wrong with as many nets, until three were wrong; prints the problems. Returns
/// how many there were.
std::size_t failures_on_nets(
    const RunOptions& options,
    const std::function<std::string(const net::PetriNet& net, base::Random& random)>& problem_of);

/// For messages.
std::string to_text(const net::PetriNet& net);

}  // namespace nestor::test
