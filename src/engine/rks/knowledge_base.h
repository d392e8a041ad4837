#pragma once

#include "base/limits.h"
#include "engine/rks/context.h"
#include "engine/rks/local_check.h"
#include "engine/rks/ternary.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cassert>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace nestor::engine::rks {

inline constexpr std::uint32_t kNoPair = ~std::uint32_t{0};

/// A component under a context, for one formula, and what is known of the formula there.
///
///   thesis                              here
///   context pair (S, θϕ)                ContextPair
///   θϕ                                  component, formula, context
///   κ(l, θϕ)                            values[place of l]
///   κ(lin(S←c), cc(κ, c, θϕ))           values[place of the call node]
struct ContextPair {
  logic::FormulaId formula;
  model::ComponentId component;
  Context context;              ///< a bit for each of temporal(formula)
  std::uint32_t twin = 0;       ///< of EG and EU: the pair that differs only in η
  std::vector<Ternary> values;  ///< by place in the component; those of return nodes are not used
  std::vector<std::uint32_t> callees;  ///< by box: the pair called, of EG and EU the one without η
  std::uint32_t checks = kNoPair;      ///< of EG and EU: its number among the local checks
};

/// κ and the functions on contexts: ica, icc and cc of section 3.3.3.
class KnowledgeBase {
 public:
  KnowledgeBase(const model::Rsm& model, const logic::FormulaPool& pool, logic::FormulaId formula,
                base::LimitGuard& guard);

  const model::Rsm& model() const { return model_; }
  const logic::FormulaPool& pool() const { return pool_; }
  base::LimitGuard& guard() { return guard_; }

  /// The existential subformulas of `f`, itself included, ascending.
  const std::vector<logic::FormulaId>& temporal(logic::FormulaId f) const {
    return temporal_[f.value()];
  }
  bool has_top(logic::FormulaId f) const;

  /// The pair for `f` in the component; made, all Maybe, if it is not there. Of EG and EU `below`
  /// is the context without η, and the pair is the one where η is false; its twin is made as well.
  std::uint32_t pair(logic::FormulaId f, model::ComponentId component, const Context& below);
  /// Of EG and EU: `p` or its twin, whichever has this η.
  std::uint32_t with_top(std::uint32_t p, bool eta) const {
    assert(has_top(pairs_[p].formula));
    return pairs_[p].context.top() == eta ? p : pairs_[p].twin;
  }
  /// The pair of the subformula `g` in the same place as pair `p`, or kNoPair.
  std::uint32_t pair_below(std::uint32_t p, logic::FormulaId g) const;
  std::uint32_t make_pair_below(std::uint32_t p, logic::FormulaId g);
  ContextPair& operator[](std::uint32_t p) { return pairs_[p]; }
  const ContextPair& operator[](std::uint32_t p) const { return pairs_[p]; }
  std::size_t size() const { return pairs_.size(); }
  std::uint64_t temporal_pairs() const { return temporal_pairs_; }

  /// The bit of `g` in the context of a call, from the successors of its return node: Maybe if that
  /// is not known yet. `p` is a pair of `g`, or of ψ if g is EX ψ; `g` says which operator it is
  /// for.
  Ternary bit(logic::FormulaId g, std::uint32_t p, model::BoxId box) const;
  /// The bit in the initial context.
  Ternary initial_bit(logic::FormulaId g, std::uint32_t root_of_operand) const;
  /// The value at the call node of pair `p`: by the bit on top.
  Ternary call_value(std::uint32_t p, model::NodeId call) const;
  /// What there is to check locally of pair `p` of EG or EU. The pairs of its operands are there.
  AssociatedStructure structure(std::uint32_t p);
  /// The values of pair `p` of EX ψ at plain nodes, from those of pair `psi`: β looks one state
  /// ahead; what comes after the exit is in the context.
  void label_ex(std::uint32_t p, std::uint32_t psi);

  std::size_t place(model::NodeId n) const {
    return n - model_.component(model_.component_of(n)).first_node;
  }

 private:
  Context projected(const Context& context, logic::FormulaId from, logic::FormulaId to) const;
  void decide_trivial(std::uint32_t p);
  std::uint32_t find(logic::FormulaId f, model::ComponentId component,
                     const Context& context) const;
  std::uint32_t add(logic::FormulaId f, model::ComponentId component, const Context& context);

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  base::LimitGuard& guard_;
  std::vector<std::vector<logic::FormulaId>> temporal_;  // by formula
  std::vector<ContextPair> pairs_;
  std::unordered_map<ContextKey, std::uint32_t, ContextHash> index_;
  std::uint64_t temporal_pairs_ = 0;
};

}  // namespace nestor::engine::rks
