#pragma once

#include "base/bit_layout.h"
#include "model/rsm.h"
#include "model/successor_function.h"

#include <algorithm>
#include <string>
#include <vector>

namespace nestor::test {

/// A machine without boxes as a successor function: a state is the number of a node. The model must
/// outlive it.
class NodeStates final : public SuccessorFunction {
 public:
  explicit NodeStates(const Rsm& model) : model_(model) {}

  std::size_t state_words() const override { return 1; }
  std::size_t state_bits() const override { return 32; }
  void initial_states(StateSink& sink) override {
    for (const NodeId n : model_.initial_nodes()) {
      give(n, sink);
    }
  }
  bool successors(StateView state, StateSink& sink) override {
    const NodeId n(state[0]);
    for (const NodeId m : model_.successors(n)) {
      give(m, sink);
    }
    if (model_.is_exit(n)) {
      give(n, sink);
    }
    return true;
  }
  Proposition find_proposition(std::string_view atom) override {
    Proposition found;
    const PropId p = model_.find_prop(atom);
    if (p.valid()) {
      found.number = p.value();
    }
    return found;
  }
  bool holds(std::uint32_t proposition, StateView state) const override {
    const auto props = model_.props_of(NodeId(state[0]));
    return std::find(props.begin(), props.end(), PropId(proposition)) != props.end();
  }
  std::vector<std::string> propositions() const override { return {}; }
  std::string describe(StateView state) const override {
    return std::string(model_.node_name(NodeId(state[0])));
  }

 private:
  static void give(NodeId n, StateSink& sink) {
    const std::uint32_t word = n.value();
    sink.add(StateView(&word, 1));
  }

  const Rsm& model_;
};

}  // namespace nestor::test
