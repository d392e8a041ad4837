#pragma once

#include "check/decider.h"
#include "check/replay.h"
#include "check/state_leads.h"
#include "witness/witness.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nestor::check {

/// Claims that no path shows, collected to be decided by somebody else.
///
/// A claim about a state with a stack becomes one about a model with nodes that lead to that state,
/// the last of which carries a fresh proposition m: there the claim is `AG (m -> AX …)`. Where a
/// loop makes the stack grow, the added nodes go round too, so that the claim is about every round.
class Recheck {
 public:
  Recheck(const model::Rsm& model, const model::StackTable& stacks)
      : model_(model), stacks_(stacks) {}

  /// `where`: for the message if it is not so.
  void add(witness::Claim claim, const model::State& state, std::string where);
  /// Under the stack of `state`, and whenever what lies between `base` and `grown` has been pushed
  /// any number of times before what `state` has above `base`.
  void add_repeated(witness::Claim claim, const model::State& state, model::StackId base,
                    model::StackId grown, std::string where);

  bool empty() const { return items_.empty(); }
  Replay decide(logic::FormulaPool& pool, Decider& decider) const;

 private:
  struct Item {
    witness::Claim claim;
    model::State state;
    bool repeated = false;
    model::StackId base;
    model::StackId grown;
    std::string where;
  };

  StateLeads leads_to(const std::vector<const Item*>& items) const;
  /// One by one, if the decider does that.
  std::optional<Replay> decide_each(logic::FormulaPool& pool, Decider& decider) const;
  Decision decide_some(logic::FormulaPool& pool, Decider& decider,
                       const std::vector<const Item*>& items) const;

  const model::Rsm& model_;
  const model::StackTable& stacks_;
  std::vector<Item> items_;
};

}  // namespace nestor::check
