// Shortest ways out of calls. The length of a way through a call is a sum of two others, so that
// Dijkstra's algorithm finds all of them, the shortest first, after
//   [Knu77] D. E. Knuth: A generalization of Dijkstra's algorithm. Information Processing Letters
//           6(1), 1977.

#include "engine/ctl_star/exit_distances.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>

namespace nestor::engine::ctl_star {

ExitDistances::ExitDistances(const Product& product, base::LimitGuard& guard) : product_(product) {
  guard.reserve(product.size() * sizeof(std::size_t));
  first_.reserve(product.size() + 1);
  std::size_t count = 0;
  for (Product::Vertex v = 0; v < product.size(); ++v) {
    first_.push_back(count);
    for (const Product::Word word : product.exits(v)) {
      count += static_cast<std::size_t>(std::popcount(word));
    }
  }
  first_.push_back(count);
  guard.reserve(count * 2 * sizeof(Distance));
  distances_.assign(count * 2, kTooFar);

  const explain::InstanceGraph& graph = product.graph();
  for (std::uint32_t i = 1; i < graph.instance_count() && count > 0; ++i) {
    const std::span<const model::NodeId> exits = graph.exits(i);
    for (std::uint32_t bit = 0; bit < product.exit_bits(i); ++bit) {
      lower(product.vertex(i, exits[bit / product.states()], bit % product.states()), bit, false,
            0);
    }
  }
  while (!queue_.empty()) {
    guard.tick();
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const Item found = queue_.back();
    queue_.pop_back();
    if (found.distance == distance(found.vertex, found.bit, found.accepting)) {
      spread(found);
    }
  }
}

std::size_t ExitDistances::place_of(Product::Vertex v, std::uint32_t bit) const {
  const std::span<const Product::Word> set = product_.exits(v);
  if (bit / 64 >= set.size() || ((set[bit / 64] >> (bit % 64)) & 1) == 0) {
    return kNowhere;
  }
  std::size_t place = first_[v];
  for (std::size_t w = 0; w < bit / 64; ++w) {
    place += static_cast<std::size_t>(std::popcount(set[w]));
  }
  const Product::Word before = set[bit / 64] & ((Product::Word{1} << (bit % 64)) - 1);
  return place + static_cast<std::size_t>(std::popcount(before));
}

void ExitDistances::lower(Product::Vertex v, std::uint32_t bit, bool accepting,
                          std::uint64_t distance) {
  const std::size_t place = place_of(v, bit);
  assert(place != kNowhere);
  Distance& known = distances_[place * 2 + (accepting ? 1 : 0)];
  if (distance > kMostSteps || distance >= known) {
    return;
  }
  known = static_cast<Distance>(distance);
  queue_.push_back({known, v, bit, accepting});
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void ExitDistances::spread(const Item& found) {
  product_.for_each_step_to(found.vertex, [&](Product::Vertex from, bool accepts) {
    const std::uint64_t longer = std::uint64_t{found.distance} + 1;
    lower(from, found.bit, found.accepting, longer);
    if (accepts) {
      lower(from, found.bit, true, longer);
    }
  });
  const model::Rsm& model = product_.graph().model();
  const model::NodeId n = product_.node(found.vertex);
  if (model.kind(n) == model::NodeKind::Return) {
    spread_from_return(found);
  }
  if (model.is_entry(n)) {
    spread_from_entry(found);
  }
}

/// The second half of a way past a call.
void ExitDistances::spread_from_return(const Item& found) {
  const model::Rsm& model = product_.graph().model();
  const std::uint32_t i = product_.instance(found.vertex);
  const model::NodeId n = product_.node(found.vertex);
  const model::BoxId b = model.box_of(n);
  const model::Box& box = model.box(b);
  const std::uint32_t callee = product_.graph().callee(i, b);
  const std::uint32_t left =
      (n - box.first_return) * product_.states() + product_.state(found.vertex);
  for (const model::NodeId call : box.call_nodes()) {
    for (std::uint32_t q = 0; q < product_.states(); ++q) {
      const Product::Vertex entry = product_.vertex(callee, model.origin(call), q);
      for (const bool accepting : {false, true}) {
        if (const Distance inside = distance(entry, left, accepting); inside != kTooFar) {
          lower(product_.vertex(i, call, q), found.bit, accepting || found.accepting,
                std::uint64_t{inside} + found.distance);
        }
      }
    }
  }
}

/// The first half.
void ExitDistances::spread_from_entry(const Item& found) {
  const model::Rsm& model = product_.graph().model();
  const model::NodeId n = product_.node(found.vertex);
  const std::uint32_t i = product_.instance(found.vertex);
  for (const explain::InstanceGraph::Caller& caller : product_.graph().callers(i)) {
    if (caller.instance == explain::Labelling::kRoot) {
      continue;  // whose frame is not left
    }
    const model::Box& box = model.box(caller.box);
    const Product::Vertex call = product_.vertex(
        caller.instance, box.first_call + model.entry_index(n), product_.state(found.vertex));
    const Product::Vertex back =
        product_.vertex(caller.instance, box.first_return + found.bit / product_.states(),
                        found.bit % product_.states());
    const std::span<const Product::Word> ways = product_.exits(back);
    for (std::uint32_t bit = 0; bit < product_.exit_bits(caller.instance); ++bit) {
      if (((ways[bit / 64] >> (bit % 64)) & 1) == 0) {
        continue;
      }
      for (const bool accepting : {false, true}) {
        if (const Distance after = distance(back, bit, accepting); after != kTooFar) {
          lower(call, bit, accepting || found.accepting, std::uint64_t{after} + found.distance);
        }
      }
    }
  }
}

}  // namespace nestor::engine::ctl_star
