#pragma once

#include "base/bit_set.h"
#include "base/id.h"
#include "logic/mu_formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::mu {

using StepId = base::Id<struct StepTag>;
using BlockId = base::Id<struct BlockTag>;

/// A subformula in positive form: what there is to show at a node.
struct Step {
  enum class Kind : std::uint8_t {
    Constant,  ///< `positive` says which
    Literal,   ///< a proposition, or if not `positive` its negation
    And,
    Or,
    Diamond,
    Box,
    Fixpoint,
  };
  Kind kind = Kind::Constant;
  bool positive = true;
  bool backward = false;  ///< of modalities: about predecessors
  StepId left;            ///< of operators; of a variable's occurrence, its fixpoint
  StepId right;           ///< of And and Or
  std::uint32_t set = 0;  ///< of literals: which set of nodes
  BlockId block;
  std::uint32_t level = 0;  ///< of fixpoints: 1 is innermost, larger ones decide

  bool is_modality() const { return kind == Kind::Diamond || kind == Kind::Box; }
};

/// Steps that lead to each other. Levels are numbered from 1; two in a row are of different kind.
struct Block {
  std::vector<bool> greatest;  ///< by level - 1; at least one level

  std::uint32_t level_count() const { return static_cast<std::uint32_t>(greatest.size()); }
};

/// A formula of the mu-calculus as a game is played with it: negations pushed to the propositions,
/// variables replaced by the fixpoints that they stand for, and what depends on each other together
/// in blocks. What a block leads to has smaller numbers.
class Plan {
 public:
  Plan(const logic::MuFormula& formula, const model::Rsm& model);

  StepId root() const { return root_; }
  const Step& operator[](StepId step) const { return steps_[step]; }
  std::size_t step_count() const { return steps_.size(); }
  const base::IdVector<BlockId, Block>& blocks() const { return blocks_; }
  bool looks_back() const { return looks_back_; }
  /// Whether a plain node satisfies a step that is a constant or a literal.
  bool holds_at(StepId step, model::NodeId node) const {
    const Step& s = steps_[step];
    return s.kind == Step::Kind::Constant ? s.positive
                                          : sets_[s.set].test(node.value()) == s.positive;
  }

 private:
  void find_blocks();
  void find_levels();

  base::IdVector<StepId, Step> steps_;  // operands first, but for the way back to a fixpoint
  base::IdVector<BlockId, Block> blocks_;
  std::vector<base::BitSet> sets_;  // the nodes that carry a proposition
  StepId root_;
  bool looks_back_ = false;
};

}  // namespace nestor::engine::mu
