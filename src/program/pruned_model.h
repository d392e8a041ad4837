#pragma once

#include "model/state.h"
#include "program/refutation.h"
#include "program/slice.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace nestor::program {

/// What the transitions of a model are in the program.
class ModelSteps {
 public:
  /// `is_whole`: the model has every point that it can come to, so that on the way between two of
  /// its points lie only those that it never has. `site` labels where what the rule is about is
  /// made.
  ModelSteps(const Program& program, const SlicedModel& model, bool is_whole, model::PropId site);

  // Each appends to `steps`.
  void begin(model::NodeId first, std::vector<TraceStep>& steps) const;
  /// From one plain node to another of the same component.
  void go(model::NodeId from, model::NodeId to, std::vector<TraceStep>& steps);
  void enter(model::NodeId from, model::NodeId entry, std::vector<TraceStep>& steps) const;
  /// From the exit of what was called at `call` to a node after that.
  void come_back(model::NodeId call, model::NodeId exit, model::NodeId to,
                 std::vector<TraceStep>& steps);
  /// A path from its beginning on.
  std::vector<TraceStep> of_path(const model::StackTable& stacks,
                                 std::span<const model::State> path);

 private:
  bool is_point(const SlicedModel::Origin& origin) const;
  void visit(model::NodeId node, std::vector<TraceStep>& steps) const;
  void pass_unseen(model::NodeId from, model::NodeId to, std::vector<TraceStep>& steps);

  const Program& program_;
  const SlicedModel& model_;
  bool is_whole_;
  std::vector<std::uint8_t> is_site_;  // by node
  std::map<FunctionId, std::unique_ptr<PointFlow>> flows_;
  std::map<std::uint32_t, std::vector<std::uint8_t>> shown_;  // by component
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::unique_ptr<UnseenWays>>
      ways_;  // by component, point and point
};

struct PrunedModel {
  SlicedModel sliced;
  std::vector<model::NodeId> originals;  ///< by node, of plain ones: that of the model
};

/// The model without the paths on which something impossible happens: its nodes are copied by how
/// much of each impossible trace has happened. Nothing if it becomes too large.
std::optional<PrunedModel> pruned(const SlicedModel& model, ModelSteps& steps,
                                  std::span<const ImpossibleTrace> impossible,
                                  const TraceEffects& effects);

}  // namespace nestor::program
