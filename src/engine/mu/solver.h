#pragma once

#include "base/limits.h"
#include "engine/mu/game.h"
#include "engine/mu/monotone.h"
#include "engine/mu/plan.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace nestor::engine::mu {

/// The value of each vertex of a game: a monotone function of the atoms of its frame, which says
/// for what the caller must see to if the step is to hold (docs/mu.md).
class Solver {
 public:
  Solver(const Game& game, const Plan& plan, base::LimitGuard& guard);

  /// Finds all values, block by block. Throws LimitReached.
  void solve();
  /// True if the formula holds in every initial state.
  bool holds() const;

  std::size_t function_count() const { return functions_.size(); }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  using Values = std::vector<Function>;  // by place in the block

  void solve_block(BlockId block);
  /// The fixpoint of level 1, for given values of the outer ones.
  void iterate();
  void reset(std::uint32_t level);
  Function evaluate(VertexId v);
  Function combined(VertexId v, bool all);
  Function returned(VertexId v);
  Function outer_value(VertexId v, std::uint32_t level) const;
  Function raised(Function f, std::uint32_t level);
  AtomId atom_id(const Atom& atom);

  const Game& game_;
  const Plan& plan_;
  base::LimitGuard& guard_;
  MonotoneFunctions functions_;
  std::vector<Atom> atoms_;  // by AtomId
  std::map<std::tuple<std::uint32_t, StepId, std::uint32_t>, AtomId> id_of_atom_;
  base::IdVector<VertexId, Function> value_;
  std::uint64_t evaluations_ = 0;

  // Of the block that is being solved.
  BlockId block_;
  std::vector<VertexId> members_;
  base::IdVector<VertexId, std::uint32_t> place_;  // of a member among members_
  std::vector<Values> outer_;                      // by level; what iterate() takes for given
  std::unordered_map<std::uint64_t, Function> raised_;
};

}  // namespace nestor::engine::mu
