#pragma once

#include "base/input.h"
#include "base/limits.h"
#include "net/colour_term.h"
#include "net/net_states.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace nestor::net {

/// A symmetric net of PNML (ISO/IEC 15909-2), as the Model Checking Contest has them.
struct SymmetricNet {
  struct Variable {
    std::string id;
    const Sort* sort = nullptr;
  };
  struct Place {
    std::string id;
    const Sort* sort = nullptr;
    ColourBag marking;
  };
  struct Arc {
    std::size_t place = 0;
    ColourTerm term;
  };
  struct Transition {
    std::string id;
    std::vector<ColourTerm> guards;  ///< all must hold
    std::vector<Arc> inputs;
    std::vector<Arc> outputs;
  };

  SymmetricNet() = default;
  SymmetricNet(SymmetricNet&&) = default;  // no copies: all else points to the sorts

  std::map<std::string, Sort> sorts;
  std::vector<Variable> variables;
  std::vector<Place> places;
  std::vector<Transition> transitions;
};

/// More colours of one place, or of all together, are refused.
constexpr std::size_t kMostColours = 2'000'000;

/// True if a PNML file says that its net is a symmetric one: tokens have colours.
bool is_symmetric_net(const base::Input& input);

/// Throws Error (Input, Unsupported) with file, line and column.
SymmetricNet read_symmetric_net(const base::Input& input);

/// How much of a net is unfolded.
enum class Unfolding : std::uint8_t {
  Plain,      ///< all bindings that guards allow are looked at
  Reachable,  ///< only those with values that tokens may bring
  Merged,     ///< besides, colours that make no difference are one: `p<*>`
};

/// A place for each colour of a place, a transition for each binding of variables under which it
/// may fire. Names of coloured places mean all their colours, names of transitions all their
/// bindings. Throws LimitReached if the net becomes too large, Error (Unsupported) where an arc's
/// tokens are not of its place's type.
std::shared_ptr<NetStates> unfold(const SymmetricNet& net, const base::Limits& limits,
                                  Unfolding how);
/// Only what is reachable; merged if the net becomes too large otherwise.
std::shared_ptr<NetStates> unfold(const SymmetricNet& net, const base::Limits& limits);

}  // namespace nestor::net
