#include "base/debug_assert.h"
#include "engine/summary/control_flow.h"

namespace nestor::engine::summary {

namespace {

/// What the local value of `E true U g` at a node is computed from: its successors; for a call node
/// the entry, and the return nodes of the exits that the entry reaches.
class Dependencies {
 public:
  explicit Dependencies(const ControlFlow& flow) : flow_(flow), model_(flow.model()) {}

  /// The next dependency of n from position i on, which moves past it. Not valid: no more.
  model::NodeId next(model::NodeId n, std::uint32_t& i) const {
    if (model_.kind(n) != model::NodeKind::Call) {
      const std::span<const model::NodeId> successors = model_.successors(n);
      return i < successors.size() ? successors[i++] : model::NodeId();
    }
    const model::NodeId entry = model_.origin(n);
    if (i == 0) {
      ++i;
      return entry;
    }
    const ExitSet exits = flow_.exits_from(entry);
    const base::IdRange<model::NodeId> returns = model_.box(model_.box_of(n)).return_nodes();
    for (; i - 1 < returns.size(); ++i) {
      const std::uint32_t y = i - 1;
      if (exits.contains(y)) {
        ++i;
        return returns.front() + y;
      }
    }
    return {};
  }

 private:
  const ControlFlow& flow_;
  const model::Rsm& model_;
};

}  // namespace

Condensation::Condensation(const ControlFlow& flow, base::LimitGuard& guard) {
  find_classes(flow, guard);
  connect_classes(flow, guard);
}

void Condensation::find_classes(const ControlFlow& flow, base::LimitGuard& guard) {
  const Dependencies dependencies(flow);
  const auto next = [&](std::uint32_t n, std::uint32_t& i) {
    return dependencies.next(model::NodeId(n), i).value();
  };
  base::StrongComponentSearch search(flow.model().node_count(), next, [&guard] { guard.tick(); });
  for (std::size_t i = flow.bottom_up().size(); i-- > 0;) {
    search.search_from(flow.bottom_up()[i].value());
  }
  classes_ = search.take();
}

void Condensation::connect_classes(const ControlFlow& flow, base::LimitGuard& guard) {
  base::CompressedRows<model::NodeId, model::NodeId> members(class_count());  // the row is a class
  for (const model::NodeId n : flow.bottom_up()) {
    members.count(model::NodeId(class_of(n)));
  }
  members.finish_counting();
  for (const model::NodeId n : flow.bottom_up()) {
    members.add(model::NodeId(class_of(n)), n);
  }
  const Dependencies dependencies(flow);
  std::vector<std::uint32_t> seen(class_count(), model::NodeId::kInvalid);
  first_successor_.push_back(0);
  for (std::uint32_t c = 0; c < class_count(); ++c) {
    for (const model::NodeId n : members[model::NodeId(c)]) {
      guard.tick();
      std::uint32_t i = 0;
      for (model::NodeId m = dependencies.next(n, i); m.valid(); m = dependencies.next(n, i)) {
        const std::uint32_t d = class_of(m);
        NESTOR_DEBUG_ASSERT(d <= c);  // classes are numbered bottom-up
        if (d != c && seen[d] != c) {
          seen[d] = c;
          successors_.push_back(d);
        }
      }
    }
    first_successor_.push_back(static_cast<std::uint32_t>(successors_.size()));
  }
}

}  // namespace nestor::engine::summary
