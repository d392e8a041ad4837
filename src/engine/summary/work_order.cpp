#include "engine/summary/work_order.h"

#include "base/priority_set.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace nestor::summary {

namespace {

class WorkOrder {
 public:
  WorkOrder(const Rsm& model, BitSet& seen, LimitGuard& guard)
      : model_(model),
        seen_(seen),
        guard_(guard),
        entered_(model.node_count()),
        recursion_(model.component_count(), kNowhere) {}

  std::vector<NodeId> run(const std::vector<NodeId>& starts) {
    guard_.reserve(2 * model_.node_count() * sizeof(NodeId));
    found_.reserve(model_.node_count());
    find_nodes(starts);
    find_recursions();
    sort_stretches();
    std::vector<NodeId> order;
    order.reserve(found_.size());
    for (const Stretch& stretch : stretches_) {
      order.insert(order.end(), found_.begin() + stretch.first, found_.begin() + stretch.last);
    }
    return order;
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  /// What of a procedure is reached from one of its entries and not from one before.
  struct Stretch {
    ComponentId component;
    std::uint32_t first = 0;  // in found_
    std::uint32_t last = 0;
  };
  struct Frame {
    NodeId node;
    std::uint32_t next = 0;  // position among what follows the node
  };

  void enter(NodeId n) {
    if (!seen_.test(n.value())) {
      entered_.insert(n.value());
    }
  }

  void find_nodes(const std::vector<NodeId>& starts) {
    for (const NodeId n : starts) {
      enter(n);
    }
    while (!entered_.empty()) {
      const NodeId entry(entered_.pop_min());
      const auto first = static_cast<std::uint32_t>(found_.size());
      search_from(entry);
      stretches_.push_back({model_.component_of(entry), first,  //
                            static_cast<std::uint32_t>(found_.size())});
    }
  }

  /// Inside the procedure, from a call node on to its return nodes. Nodes are found when the search
  /// leaves them.
  void search_from(NodeId start) {
    if (!seen_.insert(start.value())) {
      return;
    }
    stack_.push_back({start});
    while (!stack_.empty()) {
      guard_.tick();
      Frame& frame = stack_.back();
      const NodeId next = follower(frame.node, frame.next++);
      if (!next.valid()) {
        found_.push_back(frame.node);
        stack_.pop_back();
      } else if (seen_.insert(next.value())) {
        stack_.push_back({next});
        if (model_.kind(next) == NodeKind::Call) {
          enter(model_.origin(next));
        }
      }
    }
  }

  NodeId follower(NodeId n, std::uint32_t i) const {
    if (model_.kind(n) != NodeKind::Call) {
      const std::span<const NodeId> successors = model_.successors(n);
      return i < successors.size() ? successors[i] : NodeId();
    }
    const IdRange<NodeId> returns = model_.box(model_.box_of(n)).return_nodes();
    return i < returns.size() ? returns.front() + i : NodeId();
  }

  /// The strongly connected components of the call graph, callees first: Tarjan's algorithm.
  void find_recursions() {
    struct Call {
      ComponentId component;
      BoxId next;  // the boxes before it have been followed
    };
    IdVector<ComponentId, std::uint32_t> number(model_.component_count(), kNowhere);
    IdVector<ComponentId, std::uint32_t> lowest(model_.component_count(), 0);
    std::vector<ComponentId> open;
    std::vector<Call> calls;
    std::uint32_t count = 0;
    std::uint32_t recursions = 0;
    const auto call = [&](ComponentId c) {
      number[c] = lowest[c] = count++;
      open.push_back(c);
      calls.push_back({c, model_.component(c).first_box});
    };
    for (const Stretch& stretch : stretches_) {
      if (number[stretch.component] == kNowhere) {
        call(stretch.component);
      }
      while (!calls.empty()) {
        guard_.tick();
        const ComponentId c = calls.back().component;
        if (calls.back().next != model_.component(c).box_end) {
          const BoxId b = calls.back().next;
          calls.back().next = b + 1;
          const ComponentId callee = model_.box(b).callee;
          if (!is_called(b)) {
            continue;
          }
          later_ += callee > c ? 1 : -1;
          if (number[callee] == kNowhere) {
            call(callee);
          } else if (recursion_[callee] == kNowhere) {
            lowest[c] = std::min(lowest[c], number[callee]);
          }
          continue;
        }
        if (lowest[c] == number[c]) {
          ComponentId member;
          do {
            member = open.back();
            open.pop_back();
            recursion_[member] = recursions;
          } while (member != c);
          ++recursions;
        }
        calls.pop_back();
        if (!calls.empty()) {
          std::uint32_t& below = lowest[calls.back().component];
          below = std::min(below, lowest[c]);
        }
      }
    }
  }

  bool is_called(BoxId b) const {
    const IdRange<NodeId> nodes = model_.box(b).call_nodes();
    return std::any_of(nodes.begin(), nodes.end(),
                       [this](NodeId n) { return seen_.test(n.value()); });
  }

  void sort_stretches() {
    // Where most procedures stand before those that they call, backwards.
    const bool backwards = later_ > 0;
    const auto key = [&](const Stretch& s) {
      const std::uint32_t c = s.component.value();
      return std::tuple(recursion_[s.component], backwards ? ~c : c, s.first);
    };
    std::sort(stretches_.begin(), stretches_.end(),
              [&](const Stretch& a, const Stretch& b) { return key(a) < key(b); });
  }

  const Rsm& model_;
  BitSet& seen_;
  LimitGuard& guard_;
  PrioritySet entered_;  // entries from which to search
  std::vector<NodeId> found_;
  std::vector<Stretch> stretches_;
  std::vector<Frame> stack_;
  IdVector<ComponentId, std::uint32_t> recursion_;
  std::int64_t later_ = 0;  // calls of procedures that stand later, less those of earlier ones
};

}  // namespace

std::vector<NodeId> bottom_up_order(const Rsm& model, const std::vector<NodeId>& starts,
                                    BitSet& seen, LimitGuard& guard) {
  return WorkOrder(model, seen, guard).run(starts);
}

}  // namespace nestor::summary
