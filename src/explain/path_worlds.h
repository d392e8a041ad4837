#pragma once

#include "explain/claim_values.h"
#include "explain/instance_graph.h"
#include "explain/obligation.h"
#include "explain/path_finder.h"

#include <memory>
#include <vector>

namespace nestor::explain {

/// Instances, and the stacks of the witness in them.
struct World {
  World(const model::Rsm& model, const Labelling& labelling, model::StackTable& table)
      : graph(model, labelling), stacks(graph, table) {}

  InstanceGraph graph;
  StackInstances stacks;
};

/// Where paths for a claim are looked for, and which states they may use there. Where only labels
/// count, paths need not keep instances apart, and are shorter for it: each component is its only
/// instance.
class PathWorlds {
 public:
  PathWorlds(const model::Rsm& model, const Labelling& labelling, const ClaimValues& values,
             model::StackTable& stacks);

  World& labelled() { return labelled_; }
  const World& labelled() const { return labelled_; }
  World& world(const Obligation& needed);
  /// Where a path may go on, by plain row of world(needed), which must have been asked for before.
  base::BitSet allowed(witness::Claim claim, const Obligation& needed) const;
  /// Likewise where it may end.
  base::BitSet goal(const Obligation& needed) const;

 private:
  bool is_propositional(const Obligation& needed) const;
  base::BitSet in_world(base::BitSet labelled, const Obligation& needed) const;

  static constexpr std::uint32_t kNoInstance = 0xFFFFFFFF;

  const model::Rsm& model_;
  const Labelling& labelling_;
  const ClaimValues& values_;
  model::StackTable& stacks_;
  World labelled_;
  Labelling components_;
  std::unique_ptr<World> alone_;            // made when it is needed
  std::vector<std::uint32_t> instance_of_;  // by component: some instance of the labelling
};

}  // namespace nestor::explain
