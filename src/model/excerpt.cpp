#include "model/excerpt.h"

#include "base/error.h"
#include "model/finite_rsm.h"
#include "model/placement.h"
#include "model/state_names.h"

#include <utility>
#include <vector>

namespace nestor::model {

Rsm make_excerpt(const std::shared_ptr<SuccessorFunction>& model,
                 const std::function<bool(std::string_view name)>& wanted,
                 std::span<const std::string> propositions, const base::Limits& limits) {
  base::LimitGuard guard(limits);
  // Nobody asks whether the model has infinitely many states: no path has to be known.
  const auto store =
      std::make_shared<StateStore>(*model, [](NodeId) { return std::vector<NodeId>(); });
  FiniteParts parts;
  parts.initial = store->initial(limits, guard);
  if (parts.initial.empty()) {
    throw base::Error(base::Error::Kind::Input, "the model has no initial state");
  }
  for (std::size_t i = 0; i < store->size(); ++i) {
    guard.tick();
    const NodeId n(i);
    if (wanted(model->describe((*store)[n]))) {
      parts.successors.append_row(store->expand(n, limits, guard));
    } else {
      parts.successors.append_row({});
    }
  }
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : propositions) {
    if (const auto number = model->find_proposition(name).number) {
      numbers.push_back(*number);
      parts.propositions.push_back(name);
    }
  }
  parts.nodes_with = place_propositions(*store, numbers, guard);
  store->drop_index();
  parts.names = std::make_shared<StateNames>(model, store);
  return make_finite_rsm(std::move(parts));
}

base::TakenState state_of(const Rsm& excerpt, NodeId n) {
  const auto* names = dynamic_cast<const StateNames*>(excerpt.made_names());
  NESTOR_CHECK(names != nullptr);
  return names->store()[n];
}

}  // namespace nestor::model
