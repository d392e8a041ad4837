#pragma once

#include "automata/automaton.h"
#include "engine/ctl_star/product.h"
#include "model/state_space.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nestor::engine::ctl_star {

/// The truth of propositional formulas in states that are found one by one.
class StateLetters {
 public:
  /// Throws LimitReached if one of the formulas is not propositional. Arguments must outlive this.
  StateLetters(model::StateSpace& space, const logic::FormulaPool& pool,
               const std::vector<logic::FormulaId>& formulas);

  /// Bit i: formula i is true in the state.
  std::uint64_t letter(model::NodeId n);

 private:
  model::StateSpace& space_;
  const logic::FormulaPool& pool_;
  std::vector<logic::FormulaId> parts_;                     // operands first
  std::vector<std::size_t> places_;                         // of the formulas, in parts_
  std::vector<std::optional<std::uint32_t>> propositions_;  // by part: of atoms
  std::vector<bool> values_;                                // by part
};

/// The states of a model together with those of an automaton, as far as they are looked at: a
/// product for BasicAcceptingSearch.
class StateProduct {
 public:
  using Vertex = Product::Vertex;
  using Word = Product::Word;
  using Edge = Product::Edge;
  using Position = Product::Position;

  StateProduct(model::StateSpace& space, const logic::FormulaPool& pool,
               const automata::Automaton& automaton, base::LimitGuard& guard);

  std::size_t size() const { return vertices_.size(); }
  Vertex vertex(model::NodeId n, std::uint32_t state);
  bool next_edge(Vertex v, Position& position, Edge& edge);
  bool may_end(Vertex v);
  Word all_marks() const;

 private:
  struct Item {
    model::NodeId node;
    std::uint32_t state = 0;
    std::uint64_t letter = 0;
  };

  model::StateSpace& space_;
  const automata::Automaton& automaton_;
  base::LimitGuard& guard_;
  StateLetters letters_;
  std::vector<Item> vertices_;
  std::unordered_map<std::uint64_t, Vertex> numbers_;
};

}  // namespace nestor::engine::ctl_star
