#pragma once

#include "cluster/distances.h"
#include "cluster/labelling.h"
#include "explain/finite_paths.h"
#include "model/builder.h"
#include "model/fairness.h"
#include "model/rsm.h"
#include "witness/witness.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nestor::cluster {

/// A state of some process.
struct GlobalState {
  Word process = 0;
  Word number = 0;

  friend auto operator<=>(const GlobalState&, const GlobalState&) = default;
};

/// The part of the state graph that evidence speaks of, the same in all processes: the states on
/// paths with all their successors, found anew by the model. What leads nowhere here and is not
/// whole has successors that nobody needs.
class Excerpt {
 public:
  Excerpt(Communicator& communicator, const LabelledPart& part, const Labelling& labelling,
          logic::FormulaPool& pool, logic::FormulaId formula, model::DeadEnds dead_ends,
          const base::Limits& limits);

  struct Node {
    GlobalState state;
    std::vector<Word> portable;
    std::vector<bool> values = {};  ///< by subformula
    bool counts = true;             ///< a fair path leads from here
    bool is_whole = false;          ///< its successors are known
    std::vector<std::size_t> successors = {};
    std::vector<std::uint32_t> marks = {};  ///< of the steps to them
  };
  std::span<const std::size_t> initial() const { return initial_; }
  const Node& node(std::size_t n) const { return nodes_[n]; }
  std::size_t size() const { return nodes_.size(); }
  const std::vector<logic::FormulaId>& subformulas() const { return subformulas_; }
  /// Finds the successors of these. All processes call it, with the same ones. Throws LimitReached.
  void complete(std::span<const std::size_t> nodes);
  /// Likewise of all that fewer than `steps` steps lead to from there.
  void complete_around(std::vector<std::size_t> nodes, std::size_t steps);

  /// As a machine; the nodes have the same numbers. `fairness` gets the marks.
  model::Rsm machine(std::span<const std::string> propositions, model::Fairness& fairness);
  std::vector<base::BitSet> values() const;

 private:
  class Names;

  /// The nodes with these forms.
  std::vector<std::size_t> find(const std::vector<std::vector<Word>>& forms);

  Communicator& communicator_;
  const LabelledPart& part_;
  const Labelling& labelling_;
  std::vector<logic::FormulaId> subformulas_;
  model::DeadEnds dead_ends_;
  base::LimitGuard guard_;
  Owners owners_;
  std::vector<Node> nodes_;
  std::map<std::vector<Word>, std::size_t> by_form_;
  std::vector<std::size_t> initial_;
};

/// Evidence for a verdict about a graph that several processes have. The paths are gathered along
/// predecessors, and put together by explain/extract.h on an excerpt of the graph.
class EvidenceFinder {
 public:
  EvidenceFinder(Communicator& communicator, const LabelledPart& part, Labelling& labelling,
                 logic::FormulaPool& pool, model::DeadEnds dead_ends, const base::Limits& limits)
      : communicator_(communicator),
        part_(part),
        labelling_(labelling),
        pool_(pool),
        dead_ends_(dead_ends),
        limits_(limits) {}

  struct Found {
    std::unique_ptr<model::Rsm> machine;  ///< that the witness speaks of
    witness::Witness witness;
  };
  /// `formula` as the user wrote it. All processes call it. The witness is replayed. Throws
  /// LimitReached.
  Found find(logic::FormulaId formula, bool holds);

 private:
  class Paths;
  struct Missing;

  base::BitSet states_with(std::span<const witness::Claim> claims);

  Communicator& communicator_;
  const LabelledPart& part_;
  Labelling& labelling_;
  logic::FormulaPool& pool_;
  model::DeadEnds dead_ends_;
  base::Limits limits_;
};

}  // namespace nestor::cluster
