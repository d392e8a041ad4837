#pragma once

#include "base/bit_set.h"
#include "base/limits.h"
#include "cluster/communicator.h"
#include "cluster/edges.h"
#include "cluster/local_states.h"
#include "logic/formula.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nestor::cluster {

/// The graph that was explored, as labelling needs it: the states of this process and where the
/// transitions into them come from.
struct LabelledPart {
  LocalStates& states;
  const std::vector<Word>& initial;
  const std::vector<Word>& out_degree;
  const Predecessors& predecessors;
};

/// Labels the graph with all subformulas of some formulas, as engine/labelling does, each process
/// its own states. Values travel against the transitions, in batches of (state, formulas); 64
/// formulas of one operator at once.
///
///   EX f        each state tells its predecessors
///   E f U g     what is new in a state is told to its predecessors
///   EG f        each state counts its successors, for 64 formulas at once in bit slices; who is
///   out
///               tells its predecessors, and who has none left is out as well. [CES86] of
///               engine/labelling has the same with strongly connected components, which are hard
///               to find in parallel.
///   fair EG f   [EL86] as in engine/labelling, of the two above
class Labelling {
 public:
  Labelling(Communicator& communicator, const LabelledPart& part, logic::FormulaPool& pool,
            const base::Limits& limits);

  /// Labels with `formulas`, in existential normal form. All processes call this, with the same
  /// ones; so everything below that is not const. Throws LimitReached.
  void run(std::span<const logic::FormulaId> formulas, bool fair);
  /// By state of this process; of a subformula of those.
  const base::BitSet& values(logic::FormulaId formula) const { return values_[formula.value()]; }
  bool has_values(logic::FormulaId formula) const {
    return formula.value() < is_labelled_.size() && is_labelled_[formula.value()];
  }
  bool is_fair() const { return fair_.has_value(); }
  /// States from which a fair path leads.
  const base::BitSet& fair() const { return *fair_; }
  /// In every initial state that counts, of all processes.
  bool holds(logic::FormulaId formula);

  /// States of `inside` from which a fair path leads inside.
  base::BitSet fair_always(const base::BitSet& inside);
  /// States of `inside` from which a maximal path leads inside.
  base::BitSet always_in(const base::BitSet& inside);

 private:
  using Words = std::vector<std::uint64_t>;
  using FormulaIds = std::vector<logic::FormulaId>;

  class Changed;

  FormulaIds needed(std::span<const logic::FormulaId> formulas) const;
  void label(logic::Op op, const FormulaIds& formulas);
  void label_atoms(const FormulaIds& formulas);
  void label_simple(logic::FormulaId f);
  void label_batch(logic::Op op, std::span<const logic::FormulaId> formulas);
  void only_fair(Words& words) const;

  Words next(const Words& operand, std::uint32_t mark = 0);
  Words until(const Words& left, Words right);
  Words always(Words operand);
  Words fair_always(Words operand);

  /// Tells the predecessors of `state`: those of this process by `here`, others by message.
  template <class Here>
  void tell(Word state, std::uint64_t bits, std::uint32_t mark, Here here);
  template <class Take>
  void phase(Take take, const std::function<void()>& work);
  template <class Take>
  void hand_on(Changed& news, Take take);
  std::size_t size() const { return part_.states.size(); }

  Communicator& communicator_;
  const LabelledPart& part_;
  logic::FormulaPool& pool_;
  base::LimitGuard guard_;
  std::size_t batch_size_ = 0;        // formulas in the batch that is being labelled
  std::vector<base::BitSet> values_;  // by formula
  std::vector<bool> is_labelled_;     // likewise
  std::optional<base::BitSet> fair_;
};

}  // namespace nestor::cluster
