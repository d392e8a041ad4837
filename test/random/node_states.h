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
  /// With fairness constraints, if there shall be some, which each step satisfies by chance.
  explicit NodeStates(const model::Rsm& model, std::uint32_t constraints = 0,
                      std::uint64_t seed = 0)
      : model_(model), constraints_(constraints), seed_(seed) {}

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
      give(m, sink, marks(n, m));
    }
    if (model_.is_exit(n)) {
      give(n, sink, marks(n, n));
    }
    return true;
  }
  std::uint32_t mark_count() const override { return constraints_; }
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
  static void give(model::NodeId n, model::StateSink& sink, std::uint32_t marks = 0) {
    const std::uint32_t word = n.value();
    sink.add(base::StateView(&word, 1), marks);
  }
  std::uint32_t marks(model::NodeId from, model::NodeId to) const {
    std::uint64_t mixed = (seed_ + 1) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ from.value()) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ to.value()) * 0x94D049BB133111EBU;
    return static_cast<std::uint32_t>(mixed >> 40) & ((1U << constraints_) - 1);
  }

  const model::Rsm& model_;
  std::uint32_t constraints_;
  std::uint64_t seed_;
};

}  // namespace nestor::test
