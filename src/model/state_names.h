#pragma once

#include "model/node_names.h"
#include "model/state_store.h"
#include "model/successor_function.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace nestor::model {

/// Of nodes that are the states of a store, by their numbers.
class StateNames final : public NodeNames {
 public:
  StateNames(std::shared_ptr<SuccessorFunction> model, std::shared_ptr<const StateStore> store)
      : model_(std::move(model)), store_(std::move(store)) {}

  const StateStore& store() const { return *store_; }
  std::optional<std::string> part(NodeId n, std::string_view part) const override {
    return model_->describe_part((*store_)[n], part);
  }
  std::optional<StepName> step(NodeId from, NodeId to) const override {
    return model_->find_step((*store_)[from], (*store_)[to]);
  }
  std::string change(NodeId from, NodeId to) const override {
    return model_->describe_change((*store_)[from], (*store_)[to]);
  }

 private:
  std::string make_name(NodeId n) const override { return model_->describe((*store_)[n]); }

  std::shared_ptr<SuccessorFunction> model_;
  std::shared_ptr<const StateStore> store_;
};

}  // namespace nestor::model
