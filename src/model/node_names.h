#pragma once

#include "base/id.h"
#include "model/step_name.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace nestor::model {

using NodeId = base::Id<struct NodeTag>;

/// Names that are made when they are asked for: a model with millions of states prints a few. Safe
/// to use from several threads.
class NodeNames {
 public:
  virtual ~NodeNames() = default;

  /// The view stays valid as long as this object.
  std::string_view name(NodeId n) const;
  /// The name, made and not kept: for whoever wants all of them.
  std::string fresh(NodeId n) const { return make_name(n); }
  /// SuccessorFunction::describe_part(), find_step() and describe_change().
  virtual std::optional<std::string> part(NodeId n, std::string_view part) const = 0;
  virtual std::optional<StepName> step(NodeId from, NodeId to) const = 0;
  virtual std::string change(NodeId from, NodeId to) const = 0;

 private:
  virtual std::string make_name(NodeId n) const = 0;

  mutable std::mutex mutex_;
  mutable std::unordered_map<NodeId, std::string> made_;
};

}  // namespace nestor::model
