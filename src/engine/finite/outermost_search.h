#pragma once

#include "base/limits.h"
#include "engine/finite/local_graph.h"
#include "engine/finite/subformula_sequence.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::finite {

/// Decides a formula with one until as its outermost operator, negations aside, and no temporal
/// operator inside, while the states are found: see outermost_search.cpp.
class OutermostSearch {
 public:
  static bool can_decide(const SubformulaSequence& sub);

  OutermostSearch(LocalGraph& graph, const SubformulaSequence& sub, base::LimitGuard& guard);

  /// In every initial state. Throws LimitReached.
  bool holds();
  /// The most states that waited or lay on the search path.
  std::size_t peak_stack() const { return peak_; }

 private:
  enum class Status : std::uint8_t { New, Fails, Holds };

  bool until_holds(model::NodeId s);
  bool finds_witness(model::NodeId s);
  bool finds_counterexample(model::NodeId s);
  bool value(std::uint32_t i, model::NodeId s);
  Status& status(model::NodeId s);

  LocalGraph& graph_;
  const SubformulaSequence& sub_;
  base::LimitGuard& guard_;
  std::uint32_t until_ = 0;  // its place in the sequence
  bool is_negated_ = false;
  std::vector<std::uint8_t> values_;  // by place in the sequence: in the state looked at
  std::vector<Status> status_;        // by state
  std::size_t peak_ = 0;
};

}  // namespace nestor::engine::finite
