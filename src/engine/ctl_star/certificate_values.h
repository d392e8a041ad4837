#pragma once

#include "base/bit_set.h"
#include "engine/ctl_star/path_proof.h"
#include "explain/labelling.h"

#include <map>
#include <memory>
#include <vector>

namespace nestor::engine::ctl_star {

/// The values of the state formulas of a certificate, in instances of a machine that are fine
/// enough for them, and the proofs of those with `E`. Formulas that stand within another `E` have
/// values everywhere, the others in the initial states.
class CertificateValues {
 public:
  /// Where a value is known, and what it is; by plain row.
  struct Known {
    base::BitSet known;
    base::BitSet value;
  };
  /// Of a formula `E path`.
  struct Proof {
    std::unique_ptr<PathAutomaton> automaton;
    std::vector<std::uint32_t> letters;
    std::unique_ptr<PathGraph> paths;
    Contexts contexts;
    std::unique_ptr<PathProof> proof;
  };

  /// `formulas` are all subformulas of a path normal form, operands first.
  CertificateValues(const model::Rsm& model, logic::FormulaPool& pool,
                    const std::vector<logic::FormulaId>& formulas, base::LimitGuard& guard);

  const explain::Labelling& instances() const { return instances_; }
  const explain::InstanceGraph& graph() const { return *graph_; }
  /// Of a state formula.
  const Known& values(logic::FormulaId f) const { return values_.at(f); }
  const Proof& proof(logic::FormulaId f) const { return proofs_.at(f); }

 private:
  using FormulaId = logic::FormulaId;

  void find_inner();
  void make_instances();
  Proof begin(FormulaId f);
  void split(FormulaId f);
  void prove(FormulaId f);
  std::vector<std::uint32_t> split_by(const Proof& proof, explain::Labelling& next,
                                      Contexts& contexts) const;
  void connect(FormulaId f);

  const model::Rsm& model_;
  logic::FormulaPool& pool_;
  const std::vector<FormulaId>& formulas_;
  base::LimitGuard& guard_;
  std::map<FormulaId, bool> is_inner_;  // of those with E
  explain::Labelling instances_;
  std::unique_ptr<explain::InstanceGraph> graph_;
  std::map<FormulaId, Known> values_;
  std::map<FormulaId, Proof> proofs_;
};

}  // namespace nestor::engine::ctl_star
