#include "explain/path_worlds.h"

#include <algorithm>
#include <utility>

namespace nestor::explain {

namespace {

/// The model's components as the only instances there are: what a path can do as long as only
/// labels count.
Labelling components_alone(const model::Rsm& model) {
  Labelling result;
  std::vector<std::uint32_t> instance(model.component_count());
  instance[model.initial_component().value()] =
      result.add_instance(model, model.initial_component());
  for (const model::ComponentId c : model.components()) {
    if (c != model.initial_component()) {
      instance[c.value()] = result.add_instance(model, c);
    }
  }
  for (const model::BoxId b : model.boxes()) {
    const model::Box& box = model.box(b);
    result.callees[result.box_row(model, instance[box.owner.value()], b)] =
        instance[box.callee.value()];
  }
  return result;
}

}  // namespace

PathWorlds::PathWorlds(const model::Rsm& model, const Labelling& labelling,
                       const ClaimValues& values, model::StackTable& stacks)
    : model_(model),
      labelling_(labelling),
      values_(values),
      stacks_(stacks),
      labelled_(model, labelling, stacks) {}

bool PathWorlds::is_propositional(const Obligation& needed) const {
  return (!needed.along.formula.valid() || values_.is_propositional(needed.along.formula)) &&
         std::all_of(needed.end.begin(), needed.end.end(), [this](const witness::Claim& c) {
           return values_.is_propositional(c.formula);
         });
}

World& PathWorlds::world(const Obligation& needed) {
  if (!is_propositional(needed)) {
    return labelled_;
  }
  if (!alone_) {
    components_ = components_alone(model_);
    alone_ = std::make_unique<World>(model_, components_, stacks_);
    instance_of_.assign(model_.component_count(), kNoInstance);
    for (std::uint32_t i = 0; i < labelling_.instances.size(); ++i) {
      instance_of_[labelling_.instances[i].component.value()] = i;
    }
  }
  return *alone_;
}

/// The same values by plain row of the world that the path is found in.
base::BitSet PathWorlds::in_world(base::BitSet labelled, const Obligation& needed) const {
  if (!is_propositional(needed)) {
    return labelled;
  }
  base::BitSet result(components_.node_rows);
  for (std::uint32_t i = 0; i < components_.instances.size(); ++i) {
    const model::ComponentId c = components_.instances[i].component;
    const std::uint32_t instance = instance_of_[c.value()];
    if (instance == kNoInstance) {
      continue;  // what is never called has no values
    }
    for (const model::NodeId n : model_.component(c).plain_nodes()) {
      if (labelled.test(labelling_.node_row(model_, instance, n))) {
        result.set(components_.node_row(model_, i, n));
      }
    }
  }
  return result;
}

/// Beyond labels that is only where the claim itself is true.
base::BitSet PathWorlds::allowed(witness::Claim claim, const Obligation& needed) const {
  base::BitSet result = values_.rows(needed.along);
  if (!is_propositional(needed)) {
    result &= values_.rows(claim);
  }
  return in_world(std::move(result), needed);
}

base::BitSet PathWorlds::goal(const Obligation& needed) const {
  return in_world(values_.rows_of_all(needed.end), needed);
}

}  // namespace nestor::explain
