#include "engine/summary/work_order.h"

#include "base/debug_assert.h"
#include "base/priority_set.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <tuple>

namespace nestor::engine::summary {

namespace {

class WorkOrder {
 public:
  WorkOrder(const model::Rsm& model, base::BitSet& seen, base::StrongComponents& recursions,
            base::LimitGuard& guard)
      : model_(model),
        seen_(seen),
        recursions_(recursions),
        guard_(guard),
        entered_(model.node_count()) {}

  std::vector<model::NodeId> run(const std::vector<model::NodeId>& starts) {
    guard_.reserve(2 * model_.node_count() * sizeof(model::NodeId));
    found_.reserve(model_.node_count());
    find_nodes(starts);
    find_recursions();
    sort_stretches();
    std::vector<model::NodeId> order;
    order.reserve(found_.size());
    for (const Stretch& stretch : stretches_) {
      order.insert(order.end(), found_.begin() + stretch.first, found_.begin() + stretch.last);
    }
    assert(order.size() == found_.size());  // every node that is seen, once
    return order;
  }

 private:
  /// What of a procedure is reached from one of its entries and not from one before.
  struct Stretch {
    model::ComponentId component;
    std::uint32_t first = 0;  // in found_
    std::uint32_t last = 0;
  };
  struct Frame {
    model::NodeId node;
    std::uint32_t next = 0;  // position among what follows the node
  };

  void enter(model::NodeId n) {
    if (!seen_.test(n.value())) {
      entered_.insert(n.value());
    }
  }

  void find_nodes(const std::vector<model::NodeId>& starts) {
    for (const model::NodeId n : starts) {
      enter(n);
    }
    while (!entered_.empty()) {
      const model::NodeId entry(entered_.pop_min());
      assert(stack_.empty());
      const auto first = static_cast<std::uint32_t>(found_.size());
      search_from(entry);
      stretches_.push_back({model_.component_of(entry), first,  //
                            static_cast<std::uint32_t>(found_.size())});
    }
  }

  /// Inside the procedure, from a call node on to its return nodes. Nodes are found when the search
  /// leaves them.
  void search_from(model::NodeId start) {
    if (!seen_.insert(start.value())) {
      return;
    }
    stack_.push_back({start});
    while (!stack_.empty()) {
      guard_.tick();
      Frame& frame = stack_.back();
      const model::NodeId next = follower(frame.node, frame.next++);
      if (!next.valid()) {
        found_.push_back(frame.node);
        stack_.pop_back();
      } else if (seen_.insert(next.value())) {
        stack_.push_back({next});
        if (model_.kind(next) == model::NodeKind::Call) {
          enter(model_.origin(next));
        }
      }
    }
  }

  model::NodeId follower(model::NodeId n, std::uint32_t i) const {
    if (model_.kind(n) != model::NodeKind::Call) {
      const std::span<const model::NodeId> successors = model_.successors(n);
      return i < successors.size() ? successors[i] : model::NodeId();
    }
    const base::IdRange<model::NodeId> returns = model_.box(model_.box_of(n)).return_nodes();
    return i < returns.size() ? returns.front() + i : model::NodeId();
  }

  /// On a call graph with nothing in it but callees: a search jumps about in it, and so it stays
  /// small enough for a cache.
  void find_recursions() {
    base::CompressedRows<model::ComponentId, model::ComponentId> callees;
    std::vector<model::ComponentId> row;
    for (const model::ComponentId c : model_.components()) {
      row.clear();
      for (const model::BoxId b : model_.component(c).boxes()) {
        guard_.tick();
        if (is_called(b)) {
          row.push_back(model_.box(b).callee);
          later_ += row.back() > c ? 1 : -1;
        }
      }
      callees.append_row(row);
    }
    const auto next = [&](std::uint32_t c, std::uint32_t& i) {
      const std::span<const model::ComponentId> all = callees[model::ComponentId(c)];
      return i < all.size() ? all[i++].value() : base::StrongComponents::kNone;
    };
    base::StrongComponentSearch search(model_.component_count(), next, [this] { guard_.tick(); });
    for (const Stretch& stretch : stretches_) {
      search.search_from(stretch.component.value());
    }
    recursions_ = search.take();
  }

  bool is_called(model::BoxId b) const {
    const base::IdRange<model::NodeId> nodes = model_.box(b).call_nodes();
    return std::any_of(nodes.begin(), nodes.end(),
                       [this](model::NodeId n) { return seen_.test(n.value()); });
  }

  bool callees_are_first() const {
    const base::IdRange<model::BoxId> boxes = model_.boxes();
    return std::all_of(boxes.begin(), boxes.end(), [this](model::BoxId b) {
      return !is_called(b) || recursions_.of[model_.box(b).callee.value()] <=
                                  recursions_.of[model_.box(b).owner.value()];
    });
  }

  void sort_stretches() {
    // Where most procedures stand before those that they call, backwards.
    const bool backwards = later_ > 0;
    const auto key = [&](const Stretch& s) {
      const std::uint32_t c = s.component.value();
      return std::tuple(recursions_.of[c], backwards ? ~c : c, s.first);
    };
    std::sort(stretches_.begin(), stretches_.end(),
              [&](const Stretch& a, const Stretch& b) { return key(a) < key(b); });
    NESTOR_DEBUG_ASSERT(callees_are_first());
  }

  const model::Rsm& model_;
  base::BitSet& seen_;
  base::StrongComponents& recursions_;
  base::LimitGuard& guard_;
  base::PrioritySet entered_;  // entries from which to search
  std::vector<model::NodeId> found_;
  std::vector<Stretch> stretches_;
  std::vector<Frame> stack_;
  std::int64_t later_ = 0;  // calls of procedures that stand later, less those of earlier ones
};

}  // namespace

std::vector<model::NodeId> bottom_up_order(const model::Rsm& model,
                                           const std::vector<model::NodeId>& starts,
                                           base::BitSet& seen, base::StrongComponents& recursions,
                                           base::LimitGuard& guard) {
  return WorkOrder(model, seen, recursions, guard).run(starts);
}

}  // namespace nestor::engine::summary
