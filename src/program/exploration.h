#pragma once

#include "program/explorer.h"
#include "program/relevance.h"
#include "program/symbolic_state.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nestor::program {

/// As a point: a call that never comes back.
constexpr std::uint32_t kStuck = UINT32_MAX;

/// What explorer.cpp finds, before explored_model.cpp makes a recursive state machine of it.
struct Exploration {
  struct Node {
    std::uint32_t point = 0;
    StateId state;
    std::vector<std::uint32_t> next;
    std::vector<std::string> labels;
    bool is_end = false;       ///< the handle is released or kept here, and that is all of it
    bool is_returned = false;  ///< the root's caller has it from here on
    bool is_expanded = false;
    std::uint8_t changes = 0;  ///< how often its state was merged with another
  };

  /// A call that is entered.
  struct Box {
    std::uint32_t node = 0;
    std::uint32_t component = 0;
    FunctionId target;
    bool is_left = false;                ///< its node has another state by now
    std::vector<std::uint32_t> symbols;  ///< for each symbol of the entry the caller's
    /// By exit of the component: the nodes after it.
    std::map<std::uint32_t, std::vector<std::uint32_t>> returns;
  };

  struct Component {
    FunctionId function;
    bool is_outermost = false;
    StateId entry;
    const Relevance* relevance = nullptr;
    std::vector<Node> nodes;
    /// Point and state, or shape of the state where states are merged.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index;
    std::vector<std::uint32_t> exits;  ///< nodes
    std::vector<Box> boxes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> callers;  ///< component and box
  };

  std::vector<Component> components;
};

/// The machine. Nodes without a label are left out as far as `reduction` allows.
SlicedModel model_of(const Exploration& exploration, const Program& program, Reduction reduction);

}  // namespace nestor::program
