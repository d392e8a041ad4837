#pragma once

#include "base/id.h"

#include <mutex>
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
  /// What happens between a state and one that follows it; empty if that has no name.
  virtual std::string step(NodeId /*from*/, NodeId /*to*/) const { return {}; }

 private:
  virtual std::string make_name(NodeId n) const = 0;

  mutable std::mutex mutex_;
  mutable std::unordered_map<NodeId, std::string> made_;
};

}  // namespace nestor::model
