#pragma once

#include "program/explored_callees.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

namespace nestor::program {

/// The components of one exploration, those that are explored here and those that are known from
/// others, and how much there is of them.
class ComponentTable final : public StateView {
 public:
  /// `callees` is null if nothing is shared with other explorations.
  ComponentTable(const Program& program, const Tracking& tracking,
                 const std::set<FunctionId>& releasing, bool is_merging, std::size_t most_nodes,
                 ExploredCallees* callees)
      : program_(program),
        tracking_(tracking),
        releasing_(releasing),
        is_merging_(is_merging),
        most_nodes_(most_nodes),
        callees_(callees) {}

  const Exploration& exploration() const { return exploration_; }
  StateTable& states() { return states_; }
  std::size_t size() const { return exploration_.components.size(); }
  /// To be changed only if it is not known.
  Exploration::Component& operator[](std::size_t c) const { return *exploration_.components[c]; }
  bool is_known(std::size_t c) const { return known_[c] != nullptr; }
  std::uint32_t callee_of(std::uint32_t c, std::uint32_t box) const {
    return exploration_.callees[c][box];
  }
  const SymbolicState& entry_of(std::uint32_t c) const override;
  const SymbolicState& end_of(std::uint32_t c, std::uint32_t exit) const override;
  bool looks_inside(std::uint32_t c) const;

  /// The component of a function with what is known where it is entered. A new one that is not
  /// known is empty.
  std::uint32_t find(FunctionId function, bool is_outermost, StateId entry,
                     const Relevance& relevance);
  std::uint32_t add_box(std::uint32_t c, Exploration::Box box, std::uint32_t callee);

  void count_nodes(std::uint32_t c, std::size_t more);
  void count_expansion(std::uint32_t c);
  bool is_too_large() const;
  std::size_t expanded() const { return expanded_; }
  /// Nothing more is to be explored.
  void complete();
  /// Leaves what was found to other explorations, without components that are `open`.
  void keep(std::vector<std::uint8_t> open);

 private:
  using ComponentId = std::tuple<FunctionId, bool, StateId>;
  using Callee = ExploredCallees::Callee;

  void append(const ComponentId& id, std::shared_ptr<Exploration::Component> component,
              const Callee* known);
  bool take_known(const ComponentId& id, const Relevance& relevance);
  bool knows_too_large() const;

  const Program& program_;
  const Tracking& tracking_;
  const std::set<FunctionId>& releasing_;
  const bool is_merging_;
  const std::size_t most_nodes_;
  ExploredCallees* callees_;
  Exploration exploration_;
  StateTable states_;
  std::vector<const Callee*> known_;  // by component; null: explored here
  base::PooledMap<ComponentId, std::uint32_t> index_;
  std::size_t nodes_ = 0;
  std::size_t expanded_ = 0;
  bool has_too_large_ = false;  // something is entered that alone is too large
};

}  // namespace nestor::program
