#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "engine/finite/finite_graph.h"
#include "engine/finite/subformula_sequence.h"
#include "model/state_space.h"

#include <optional>
#include <span>
#include <vector>

namespace nestor::engine::finite {

/// What a local algorithm sees of a model: states that it comes to know one by one. Numbers are
/// dense; a state that is known has a number below size().
class LocalGraph {
 public:
  virtual ~LocalGraph() = default;
  virtual std::vector<model::NodeId> initial() = 0;
  /// The same states in the same order each time. The span is valid until the next call.
  virtual std::span<const model::NodeId> successors(model::NodeId s) = 0;
  /// The value of the atom that stands at place `i` of the sequence.
  virtual bool holds(std::uint32_t i, model::NodeId s) = 0;
  /// How far `s` seems to be from a state where that atom has the value wanted; 0 if it has it.
  virtual std::uint32_t distance(std::uint32_t i, bool wanted, model::NodeId s) {
    return holds(i, s) == wanted ? 0 : 1;
  }
  virtual std::size_t size() const = 0;
};

/// A graph that is there already.
class WholeGraph final : public LocalGraph {
 public:
  WholeGraph(const FiniteGraph& graph, const logic::FormulaPool& pool,
             const SubformulaSequence& sub);

  std::vector<model::NodeId> initial() override { return graph_.initial(); }
  std::span<const model::NodeId> successors(model::NodeId s) override {
    return graph_.successors(s);
  }
  bool holds(std::uint32_t i, model::NodeId s) override { return values_[i].test(s.value()); }
  std::size_t size() const override { return graph_.size(); }

 private:
  const FiniteGraph& graph_;
  std::vector<base::BitSet> values_;  // of atoms, by place in the sequence
};

/// A graph that is found as it is looked at.
class GrowingGraph final : public LocalGraph {
 public:
  GrowingGraph(model::StateSpace& space, const logic::FormulaPool& pool,
               const SubformulaSequence& sub, base::LimitGuard& guard);

  std::vector<model::NodeId> initial() override { return space_.initial(guard_); }
  std::span<const model::NodeId> successors(model::NodeId s) override {
    return space_.successors(s, guard_);
  }
  bool holds(std::uint32_t i, model::NodeId s) override {
    return numbers_[i].has_value() && space_.model().holds(*numbers_[i], space_.state(s));
  }
  std::uint32_t distance(std::uint32_t i, bool wanted, model::NodeId s) override {
    return numbers_[i] ? space_.model().distance(*numbers_[i], wanted, space_.state(s)) : 1;
  }
  std::size_t size() const override { return space_.size(); }

 private:
  model::StateSpace& space_;
  base::LimitGuard& guard_;
  std::vector<std::optional<std::uint32_t>> numbers_;  // of atoms, by place in the sequence
};

}  // namespace nestor::engine::finite
