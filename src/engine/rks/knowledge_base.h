#pragma once

#include "base/limits.h"
#include "engine/rks/ternary.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace nestor::rks {

/// A component under a context, for one formula, and what is known of the formula there.
///
///   thesis                              here
///   context pair (S, θϕ)                ContextPair
///   θϕ                                  component, formula, context
///   κ(l, θϕ)                            values[place of l]
///   κ(lin(S←c), cc(κ, c, θϕ))           values[place of the call node]
///
/// Contexts hold one bit for each temporal subformula only (section 5.4): for EG and EU, whether it
/// holds in a successor of the return node; for EX ψ, whether ψ does. Bits of propositions and
/// Boolean operators would follow from these or be of no use.
struct ContextPair {
  FormulaId formula;
  ComponentId component;
  std::string context;          ///< '0' or '1' for each of temporal_below(formula)
  std::vector<Ternary> values;  ///< by place in the component; those of return nodes are not used
  std::vector<std::uint32_t> callees;  ///< by box: the pair called, of EG and EU the one with '0'
  std::vector<std::uint32_t> callers;  ///< pairs that call this one
};

inline constexpr std::uint32_t kNoPair = ~std::uint32_t{0};

/// κ and the functions on contexts: ica, icc and cc of section 3.3.3.
class KnowledgeBase {
 public:
  KnowledgeBase(const Rsm& model, const FormulaPool& pool, FormulaId formula, LimitGuard& guard);

  const Rsm& model() const { return model_; }
  const FormulaPool& pool() const { return pool_; }
  LimitGuard& guard() { return guard_; }

  /// The existential subformulas of `f`, itself included, ascending.
  const std::vector<FormulaId>& temporal(FormulaId f) const { return temporal_[f.value()]; }
  bool has_top(FormulaId f) const;

  /// The pair for `f` in the component; made, all Maybe, if it is not there. Of EG and EU the pair
  /// with '0' on top, the one with '1' is the next.
  std::uint32_t pair(FormulaId f, ComponentId component, const std::string& below);
  /// The pair of the subformula `g` in the same place as pair `p`, or kNoPair.
  std::uint32_t pair_below(std::uint32_t p, FormulaId g) const;
  std::uint32_t make_pair_below(std::uint32_t p, FormulaId g);
  ContextPair& operator[](std::uint32_t p) { return pairs_[p]; }
  const ContextPair& operator[](std::uint32_t p) const { return pairs_[p]; }
  std::size_t size() const { return pairs_.size(); }
  std::uint64_t temporal_pairs() const { return temporal_pairs_; }

  /// The bit of `g` in the context of a call, from the successors of its return node: Maybe if that
  /// is not known yet. `p` is a pair of `g`, or of ψ if g is EX ψ; `g` says which operator it is
  /// for.
  Ternary bit(FormulaId g, std::uint32_t p, BoxId box) const;
  /// The bit in the initial context.
  Ternary initial_bit(FormulaId g, std::uint32_t root_of_operand) const;
  /// The value at the call node of a formula whose callee is `callee`: by the bit on top.
  Ternary call_value(const ContextPair& caller, std::uint32_t p, NodeId call) const;

  /// Puts the values at call nodes that follow from those of the callees. True if one is new.
  bool update_calls(std::uint32_t p);
  /// The values of pair `p` of EX ψ at plain nodes, from those of pair `psi`: β looks one state
  /// ahead; what comes after the exit is in the context.
  void label_ex(std::uint32_t p, std::uint32_t psi);

  std::size_t place(NodeId n) const {
    return n - model_.component(model_.component_of(n)).first_node;
  }
  /// The context below the top of `f` that the bits of its temporal subformulas make.
  std::string projected(const std::string& context, FormulaId from, FormulaId to) const;
  void decide_trivial(std::uint32_t p);

 private:
  std::uint32_t find(FormulaId f, ComponentId component, const std::string& context) const;
  std::uint32_t add(FormulaId f, ComponentId component, std::string context);
  static std::string key(FormulaId f, ComponentId component, const std::string& context);

  const Rsm& model_;
  const FormulaPool& pool_;
  LimitGuard& guard_;
  std::vector<std::vector<FormulaId>> temporal_;  // by formula
  std::vector<ContextPair> pairs_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::uint64_t temporal_pairs_ = 0;
};

}  // namespace nestor::rks
