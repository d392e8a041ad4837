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
class NodeStates final : public model::SuccessorFunction {
 public:
  explicit NodeStates(const model::Rsm& model) : model_(model) {}

  std::size_t state_words() const override { return 1; }
  std::size_t state_bits() const override { return 32; }
  void initial_states(model::StateSink& sink) override {
    for (const model::NodeId n : model_.initial_nodes()) {
      give(n, sink);
    }
  }
  bool successors(base::StateView state, model::StateSink& sink) override {
    const model::NodeId n(state[0]);
    for (const model::NodeId m : model_.successors(n)) {
      give(m, sink);
    }
    if (model_.is_exit(n)) {
      give(n, sink);
    }
    return true;
  }
  Proposition find_proposition(std::string_view atom) override {
    Proposition found;
    const model::PropId p = model_.find_prop(atom);
    if (p.valid()) {
      found.number = p.value();
    }
    return found;
  }
  bool holds(std::uint32_t proposition, base::StateView state) const override {
    const auto props = model_.props_of(model::NodeId(state[0]));
    return std::find(props.begin(), props.end(), model::PropId(proposition)) != props.end();
  }
  std::vector<std::string> propositions() const override { return {}; }
  std::string describe(base::StateView state) const override {
    return std::string(model_.node_name(model::NodeId(state[0])));
  }

 private:
  static void give(model::NodeId n, model::StateSink& sink) {
    const std::uint32_t word = n.value();
    sink.add(base::StateView(&word, 1));
  }

  const model::Rsm& model_;
};

}  // namespace nestor::test
