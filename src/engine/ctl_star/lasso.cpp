#include "engine/ctl_star/lasso.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace nestor::engine::ctl_star {

namespace {

using Kind = Product::Edge::Kind;
using Vertex = Product::Vertex;
using Distance = ExitDistances::Distance;

[[noreturn]] void give_up() {
  throw base::LimitReached{"the shortest path has more than 20 million steps"};
}

/// Legs as states and steps.
class Walk {
 public:
  Walk(const Product& product, const ExitDistances& distances, base::LimitGuard& guard,
       model::StackTable& stacks, model::StateIndex& states, witness::Evidence& evidence)
      : product_(product),
        model_(product.graph().model()),
        distances_(distances),
        guard_(guard),
        stacks_(stacks),
        states_(states),
        evidence_(evidence) {}

  void begin(Vertex from) {
    at_ = {model::StackTable::kEmpty, product_.node(from)};
    evidence_.path.push_back(states_.intern(at_));
  }

  void go(Vertex from, const Product::Edge& edge) {
    const model::NodeId n = product_.node(from);
    switch (edge.kind) {
      case Kind::Step:
        append(model::move_along(model_, stacks_, frame_, n, product_.node(edge.to)));
        break;
      case Kind::Stay:
        append({model::Step::Stay, at_});
        break;
      case Kind::Enter:  // the call node is the entry
        frame_ = stacks_.push(frame_, model_.box_of(n));
        break;
      case Kind::Pass:
        pass(from, edge);
        break;
    }
  }

 private:
  /// Part of a way out: from a vertex to this exit.
  struct Part {
    Vertex vertex = 0;
    std::uint32_t bit = 0;
    bool accepting = false;
    model::StackId frame;
  };

  void append(const model::Move& move) {
    guard_.tick();
    if (evidence_.steps.size() >= ExitDistances::kMostSteps) {
      give_up();
    }
    at_ = move.to;
    base::reserve_one_more(evidence_.path, guard_);
    evidence_.path.push_back(states_.intern(at_));
    evidence_.steps.push_back(move.step);
  }

  std::uint32_t bit_of(Vertex back) const {
    const model::NodeId n = product_.node(back);
    const model::Box& box = model_.box(model_.box_of(n));
    return (n - box.first_return) * product_.states() + product_.state(back);
  }

  void pass(Vertex call, const Product::Edge& edge) {
    const model::BoxId box = model_.box_of(product_.node(call));
    std::vector<Part> open = {
        {entry_of(call), bit_of(edge.to), edge.marks != 0, stacks_.push(frame_, box)}};
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      const Distance distance = distances_.distance(part.vertex, part.bit, part.accepting);
      if (distance == 0) {
        continue;  // at the exit
      }
      const bool is_call = model_.kind(product_.node(part.vertex)) == model::NodeKind::Call;
      if (is_call) {
        open_call(part, distance, open);
      } else {
        open.push_back(step(part, distance));
      }
    }
  }

  Vertex entry_of(Vertex call) const {
    const model::NodeId n = product_.node(call);
    const std::uint32_t callee = product_.graph().callee(product_.instance(call), model_.box_of(n));
    return product_.vertex(callee, model_.origin(n), product_.state(call));
  }

  /// Two parts that add up: through the call, and on from where it comes back.
  void open_call(const Part& part, Distance distance, std::vector<Part>& open) {
    const Vertex entry = entry_of(part.vertex);
    const model::StackId inside =
        stacks_.push(part.frame, model_.box_of(product_.node(part.vertex)));
    Product::Position position{1, 0};  // the edge that enters is no way out
    for (Product::Edge edge; product_.next_edge(part.vertex, position, edge);) {
      const std::uint32_t left = bit_of(edge.to);
      for (const bool first : {false, true}) {
        for (const bool second : {false, true}) {
          const std::uint64_t both = std::uint64_t{distances_.distance(entry, left, first)} +
                                     distances_.distance(edge.to, part.bit, second);
          if ((first || second || !part.accepting) && both == distance) {
            open.push_back({edge.to, part.bit, second, part.frame});
            open.push_back({entry, left, first, inside});
            return;
          }
        }
      }
    }
    assert(false);
  }

  Part step(const Part& part, Distance distance) {
    Product::Position position;
    for (Product::Edge edge; product_.next_edge(part.vertex, position, edge);) {
      for (const bool accepting : {false, true}) {
        const bool enough = accepting || !part.accepting || edge.marks != 0;
        if (enough && distances_.distance(edge.to, part.bit, accepting) == distance - 1) {
          append(model::move_along(model_, stacks_, part.frame, product_.node(part.vertex),
                                   product_.node(edge.to)));
          return {edge.to, part.bit, accepting, part.frame};
        }
      }
    }
    assert(false);
    return part;
  }

  const Product& product_;
  const model::Rsm& model_;
  const ExitDistances& distances_;
  base::LimitGuard& guard_;
  model::StackTable& stacks_;
  model::StateIndex& states_;
  witness::Evidence& evidence_;
  model::StackId frame_ = model::StackTable::kEmpty;  // under which the vertex is
  model::State at_;
};

}  // namespace

void Lasso::add_legs(Vertex v, std::vector<Leg>& legs) const {
  legs.clear();
  Product::Position position;
  for (Product::Edge edge; product_.next_edge(v, position, edge);) {
    if (edge.kind != Kind::Pass) {
      legs.push_back({v, edge, edge.kind == Kind::Enter ? 0U : 1U});
      continue;
    }
    const model::Rsm& model = product_.graph().model();
    const model::NodeId n = product_.node(v);
    const model::Box& box = model.box(model.box_of(n));
    const Vertex entry =
        product_.vertex(product_.graph().callee(product_.instance(v), model.box_of(n)),
                        model.origin(n), product_.state(v));
    const std::uint32_t bit =
        (product_.node(edge.to) - box.first_return) * product_.states() + product_.state(edge.to);
    for (const bool accepting : {false, true}) {
      if (const Distance length = distances_.distance(entry, bit, accepting);
          length != ExitDistances::kTooFar) {
        edge.marks = accepting ? 1 : 0;
        legs.push_back({v, edge, length});
      }
    }
  }
}

std::vector<Lasso::Leg> Lasso::way(Vertex from, const Component* within, const VertexGoal& is_end,
                                   const LegGoal& is_last) {
  struct Reached {
    std::uint64_t distance = 0;
    std::optional<Leg> by;
  };
  struct Item {
    std::uint64_t distance = 0;
    Vertex vertex = 0;
    std::optional<std::size_t> goal;  // in `last`

    bool operator>(const Item& other) const { return distance > other.distance; }
  };
  std::unordered_map<Vertex, Reached> reached = {{from, {}}};
  std::vector<Leg> last;  // legs that are goals
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  queue.push({0, from, {}});
  std::vector<Leg> legs;
  while (!queue.empty()) {
    guard_.tick();
    const Item item = queue.top();
    queue.pop();
    const bool is_there = !item.goal && is_end && is_end(item.vertex);
    if (item.goal || is_there) {
      std::vector<Leg> found;
      if (item.goal) {
        found.push_back(last[*item.goal]);
      }
      for (Vertex v = item.goal ? found.back().from : item.vertex; reached[v].by;) {
        found.push_back(*reached[v].by);
        v = found.back().from;
      }
      std::reverse(found.begin(), found.end());
      return found;
    }
    if (item.distance > reached[item.vertex].distance) {
      continue;
    }
    add_legs(item.vertex, legs);
    for (const Leg& leg : legs) {
      const std::uint64_t distance = item.distance + leg.length;
      if ((within != nullptr && !within->contains(leg.edge.to)) ||
          distance > ExitDistances::kMostSteps) {
        continue;
      }
      if (is_last && is_last(leg)) {
        last.push_back(leg);
        queue.push({distance, leg.edge.to, last.size() - 1});
      }
      const auto [place, is_new] = reached.try_emplace(leg.edge.to, Reached{distance, leg});
      if (is_new || distance < place->second.distance) {
        place->second = {distance, leg};
        queue.push({distance, leg.edge.to, {}});
      }
    }
  }
  give_up();
}

std::vector<Lasso::Leg> Lasso::loop(Vertex from, const Component& component) {
  std::vector<Leg> found;
  Vertex at = from;
  const auto add = [&](const std::vector<Leg>& more) {
    found.insert(found.end(), more.begin(), more.end());
    at = found.empty() ? at : found.back().edge.to;
  };
  for (Product::Word missing = product_.all_marks(); missing != 0;) {
    const std::size_t before = found.size();
    add(way(at, &component, nullptr,
            [&](const Leg& leg) { return (leg.edge.marks & missing) != 0; }));
    for (std::size_t i = before; i < found.size(); ++i) {
      missing &= ~found[i].edge.marks;
    }
  }
  if (found.empty()) {
    add(way(at, &component, nullptr, [](const Leg&) { return true; }));
  }
  add(way(
      at, &component, [&](Vertex v) { return v == from; }, nullptr));
  return found;
}

void Lasso::find(Vertex from, const AcceptingSearch& search, model::StackTable& stacks,
                 model::StateIndex& states, witness::Evidence& evidence) {
  const Component component(search.component().begin(), search.component().end());
  // A stack that grows must do so above the state in which the loop begins, not in the middle of
  // the call that this is part of.
  const bool has_plain =
      std::any_of(component.begin(), component.end(), [&](Vertex v) { return is_plain(v); });
  Walk walk(product_, distances_, guard_, stacks, states, evidence);
  walk.begin(from);
  Vertex at = from;
  for (const Leg& leg : way(
           from, nullptr,
           [&](Vertex v) {
             return component.empty() ? product_.may_end(v)
                                      : component.contains(v) && (is_plain(v) || !has_plain);
           },
           nullptr)) {
    walk.go(leg.from, leg.edge);
    at = leg.edge.to;
  }
  if (component.empty()) {
    evidence.ending = witness::Evidence::Ending::DeadEnd;
    return;
  }
  evidence.ending = witness::Evidence::Ending::Loop;
  evidence.loop = static_cast<std::uint32_t>(evidence.path.size() - 1);
  for (const Leg& leg : loop(at, component)) {
    walk.go(leg.from, leg.edge);
  }
}

}  // namespace nestor::engine::ctl_star
