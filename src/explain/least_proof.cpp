// Facts are derived backwards, breadth first, from the nodes with ψ and from the exits in the
// context. Exits outside it need none: where a path goes on after a return, the return point's
// successor has the value 1, so by rule 3 the exit is in the callee's context.
//
// One fact a point is enough as a rule, since every value 1 inside a callee leads to the goal or
// to an exit after which the caller goes on with a value 1. Not always: the way out that was found
// first may lead back to the call, and only another one on to the goal. Where that leaves nodes
// without a fact, the instances that they call, and if need be those that these call, follow all
// targets, which costs the number of exits in the context times as much.

#include "explain/least_proof.h"

#include "base/error.h"

#include <algorithm>

namespace nestor::explain {

namespace {
constexpr int kMostRounds = 16;
}

LeastProof::LeastProof(const InstanceGraph& graph, std::size_t place, std::size_t phi,
                       std::size_t psi, base::LimitGuard& guard)
    : graph_(graph),
      model_(graph.model()),
      place_(place),
      phi_(phi),
      psi_(psi),
      guard_(guard),
      all_targets_(graph.instance_count()) {
  const std::size_t values = graph.labelling().values[place].count();
  guard_.reserve(graph.row_count() * sizeof(std::uint32_t) + values * sizeof(Fact));
  first_.assign(graph.row_count(), kNone);
  facts_.reserve(values);
  // The goal first: it is better than any exit.
  add_goals();
  spread();
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    add_exits(i);
  }
  spread();
  std::vector<Place> left = unproved();
  for (int round = 0; !left.empty(); ++round) {
    if (round == kMostRounds) {
      for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
        follow_all_targets(i);
      }
      spread();
      NESTOR_CHECK(unproved().empty());
    } else {
      follow_all_targets(left);
    }
    std::erase_if(
        left, [this](const Place& p) { return first_[graph_.row(p.instance, p.node)] != kNone; });
    if (left.empty()) {
      left = unproved();  // more targets, so more exits that are reached
    }
  }
  keep_what_is_needed();
}

void LeastProof::add_goals() {
  Fact fact;
  for (fact.instance = 0; fact.instance < graph_.instance_count(); ++fact.instance) {
    for (const model::NodeId n : graph_.component(fact.instance).plain_nodes()) {
      if (graph_.value(psi_, fact.instance, n)) {
        fact.point = n;
        add(fact);
      }
    }
  }
}

void LeastProof::add_exits(std::uint32_t instance) {
  Fact fact;
  fact.instance = instance;
  const std::span<const model::NodeId> exits = graph_.exits(instance);
  for (std::uint32_t x = 0; x < exits.size(); ++x) {
    if (graph_.in_context(place_, instance, x)) {
      fact.point = exits[x];
      fact.target = x;
      add(fact);
    }
  }
}

/// The fact about a point and a target; kNone if there is none.
std::uint32_t LeastProof::find(std::uint32_t row, std::uint32_t target) const {
  std::uint32_t k = first_[row];
  while (k != kNone && facts_[k].target != target) {
    k = facts_[k].more;
  }
  return k;
}

/// Adds a fact unless there is one about its point (and its target, if all targets are followed),
/// or the point is a node without φ, where no path goes on.
void LeastProof::add(const Fact& fact) {
  const std::uint32_t row = graph_.row(fact.instance, fact.point);
  std::uint32_t& first = first_[row];
  if (first != kNone && (!all_targets_[fact.instance] || find(row, fact.target) != kNone)) {
    return;
  }
  const bool is_goal_itself = !fact.next.valid() && fact.target == kGoal;
  if (model_.kind(fact.point) == model::NodeKind::Plain && !is_goal_itself &&
      !graph_.value(phi_, fact.instance, fact.point)) {
    return;
  }
  const auto index = static_cast<std::uint32_t>(facts_.size());
  facts_.push_back(fact);
  facts_.back().more = first;
  first = index;
}

void LeastProof::spread() {
  for (; spread_ < facts_.size(); ++spread_) {
    guard_.tick();
    const auto fact = static_cast<std::uint32_t>(spread_);
    if (model_.kind(facts_[fact].point) == model::NodeKind::Plain) {
      spread_from_node(fact);
    } else {
      spread_from_return(fact);
    }
  }
}

void LeastProof::spread_from_node(std::uint32_t fact) {
  const model::NodeId n = facts_[fact].point;
  Fact before;
  before.instance = facts_[fact].instance;
  before.target = facts_[fact].target;
  before.rank = facts_[fact].rank + 1;
  before.next = n;
  before.inside = fact;
  for (const model::NodeId p : model_.predecessors(n)) {
    before.point = p;
    add(before);
  }
  if (!model_.is_entry(n)) {
    return;
  }
  const std::uint32_t entry = model_.entry_index(n);
  for (const InstanceGraph::Caller& caller : graph_.callers(before.instance)) {
    guard_.tick();
    add_before_call(caller.instance, model_.box(caller.box).first_call + entry, fact);
  }
}

/// From a return point: to the calls whose callee's entry leads to its exit.
void LeastProof::spread_from_return(std::uint32_t fact) {
  const std::uint32_t instance = facts_[fact].instance;
  const model::BoxId b = model_.box_of(facts_[fact].point);
  const model::Box& box = model_.box(b);
  const std::uint32_t exit = facts_[fact].point - box.first_return;
  const std::uint32_t callee = graph_.callee(instance, b);
  for (const model::NodeId call : box.call_nodes()) {
    if (model_.predecessors(call).empty()) {
      continue;
    }
    const std::uint32_t inside = find(graph_.row(callee, model_.origin(call)), exit);
    if (inside != kNone) {
      add_before_call(instance, call, inside, fact);
    }
  }
}

/// What the predecessors of a call get by a fact about the callee's entry and, unless that is about
/// the goal, those about the return point.
void LeastProof::add_before_call(std::uint32_t instance, model::NodeId call, std::uint32_t inside) {
  const std::uint32_t target = facts_[inside].target;
  if (target == kGoal) {
    add_before_call(instance, call, inside, kNone);
    return;
  }
  const model::NodeId point = model_.box(model_.box_of(call)).first_return + target;
  for (std::uint32_t k = first_[graph_.row(instance, point)]; k != kNone; k = facts_[k].more) {
    add_before_call(instance, call, inside, k);
  }
}

void LeastProof::add_before_call(std::uint32_t instance, model::NodeId call, std::uint32_t inside,
                                 std::uint32_t after) {
  Fact before;
  before.instance = instance;
  before.next = call;
  before.rank = facts_[inside].rank + 1;
  before.inside = inside;
  if (after != kNone) {
    before.target = facts_[after].target;
    before.rank = std::max(before.rank, facts_[after].rank + 1);
    before.after = after;
  }
  for (const model::NodeId p : model_.predecessors(call)) {
    before.point = p;
    add(before);
  }
}

/// Whether a path from a return point gets to the goal by calls only; else it meets a node of the
/// instance, which has a fact of its own.
bool LeastProof::goes_on_by_call(std::uint32_t instance, model::NodeId return_node) const {
  const std::span<const model::NodeId> successors = model_.successors(return_node);
  return std::none_of(successors.begin(), successors.end(), [&](model::NodeId m) {
    return model_.kind(m) == model::NodeKind::Plain && graph_.value(place_, instance, m);
  });
}

/// The nodes with value 1 that have no fact, and the return points that need one of their own.
std::vector<LeastProof::Place> LeastProof::unproved() const {
  std::vector<Place> found;
  const auto look_at = [&](std::uint32_t i, model::NodeId n) {
    if (first_[graph_.row(i, n)] == kNone) {
      found.push_back({i, n});
    }
  };
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    for (const model::NodeId n : graph_.component(i).plain_nodes()) {
      if (graph_.value(place_, i, n)) {
        look_at(i, n);
      }
    }
    for (const model::BoxId b : graph_.component(i).boxes()) {
      const std::uint32_t callee = graph_.callee(i, b);
      for (const model::NodeId r : model_.box(b).return_nodes()) {
        const std::uint32_t exit = r - model_.box(b).first_return;
        if (find(graph_.row(callee, model_.origin(r)), exit) != kNone && goes_on_by_call(i, r)) {
          look_at(i, r);
        }
      }
    }
  }
  return found;
}

/// Follows all targets in the instances that the unproved nodes call; where that is done already,
/// in those that are called from there.
void LeastProof::follow_all_targets(const std::vector<Place>& unproved) {
  std::vector<std::uint32_t> chosen;
  for (const Place& p : unproved) {
    for (const model::NodeId m : model_.successors(p.node)) {
      if (model_.kind(m) == model::NodeKind::Call) {
        chosen.push_back(graph_.callee(p.instance, model_.box_of(m)));
      }
    }
  }
  const auto is_done = [this](std::uint32_t i) { return all_targets_[i]; };
  if (std::all_of(chosen.begin(), chosen.end(), is_done)) {
    for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
      for (const model::BoxId b : graph_.component(i).boxes()) {
        if (all_targets_[i]) {
          chosen.push_back(graph_.callee(i, b));
        }
      }
    }
  }
  for (const std::uint32_t i : chosen) {
    follow_all_targets(i);
  }
  spread();
}

/// From now on the points of an instance get a fact for each target: what is there is handed on
/// once more, since all but the first was turned away.
void LeastProof::follow_all_targets(std::uint32_t instance) {
  if (all_targets_[instance]) {
    return;
  }
  all_targets_[instance] = true;
  spread();
  add_exits(instance);
  for (const model::NodeId n : graph_.component(instance).nodes()) {
    guard_.tick();
    if (model_.kind(n) == model::NodeKind::Call) {
      const std::uint32_t callee = graph_.callee(instance, model_.box_of(n));
      std::uint32_t k = first_[graph_.row(callee, model_.origin(n))];
      for (; k != kNone; k = facts_[k].more) {
        add_before_call(instance, n, k);
      }
      continue;
    }
    for (std::uint32_t k = first_[graph_.row(instance, n)]; k != kNone; k = facts_[k].more) {
      if (model_.kind(n) == model::NodeKind::Plain) {
        spread_from_node(k);
      } else {
        spread_from_return(k);
      }
    }
  }
}

/// The fact about a point that has the smallest rank.
std::uint32_t LeastProof::best(std::uint32_t row) const {
  std::uint32_t best = first_[row];
  for (std::uint32_t k = best; k != kNone; k = facts_[k].more) {
    best = facts_[k].rank < facts_[best].rank ? k : best;
  }
  return best;
}

/// For each node with value 1 the best fact, what those follow from, and for each exit that is
/// thereby reached one for each return point that needs it.
void LeastProof::keep_what_is_needed() {
  std::vector<std::uint32_t> kept;
  const auto keep = [&](std::uint32_t k) {
    if (k != kNone && !facts_[k].kept) {
      facts_[k].kept = true;
      kept.push_back(k);
    }
  };
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    for (const model::NodeId n : graph_.component(i).plain_nodes()) {
      if (graph_.value(place_, i, n)) {
        keep(best(graph_.row(i, n)));
      }
    }
  }
  while (!kept.empty()) {
    guard_.tick();
    const Fact& fact = facts_[kept.back()];
    kept.pop_back();
    keep(fact.inside);
    keep(fact.after);
    if (!fact.next.valid() && fact.target != kGoal) {
      for (const InstanceGraph::Caller& caller : graph_.callers(fact.instance)) {
        const model::NodeId r = model_.box(caller.box).first_return + fact.target;
        if (goes_on_by_call(caller.instance, r)) {
          keep(best(graph_.row(caller.instance, r)));
        }
      }
    }
  }
}

}  // namespace nestor::explain
