#include "engine/ctl_star/product.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace nestor::engine::ctl_star {

Product::Product(const explain::InstanceGraph& graph, const automata::Automaton& automaton,
                 const Letters& letters, const model::Fairness* fairness, base::LimitGuard& guard)
    : graph_(graph),
      automaton_(automaton),
      letters_(letters),
      fairness_(fairness != nullptr && fairness->constraints > 0 ? fairness : nullptr),
      states_(static_cast<std::uint32_t>(automaton.states.size())) {
  if (size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw base::LimitReached{"more than 4 billion states together with the formula's automaton"};
  }
  guard.reserve(graph.row_count() * sizeof(std::uint32_t));
  instance_of_.resize(graph.row_count());
  first_vertex_.resize(graph.instance_count());
  for (std::uint32_t i = 0; i < graph.instance_count(); ++i) {
    const model::Component& component = graph.component(i);
    const std::uint32_t first = graph.row(i, component.first_node);
    first_vertex_[i] = first * states_;
    std::fill_n(instance_of_.begin() + first, component.nodes().size(), i);
  }
  tabulate();
  if (graph.model().box_count() > 0) {
    assert(automaton.mark_count == 1 && fairness_ == nullptr);
    find_exits(guard);
  }
}

/// What the automaton does with each letter that there is, forwards and backwards.
void Product::tabulate() {
  const std::size_t count = letters_.classes.size() * states_;
  std::vector<std::vector<Read>> forward(count);
  std::vector<std::vector<Read>> backward(count);
  ends_.assign(count, false);
  for (std::size_t c = 0; c < letters_.classes.size(); ++c) {
    const std::uint64_t letter = letters_.classes[c];
    for (std::uint32_t q = 0; q < states_; ++q) {
      const automata::AutomatonState& state = automaton_.states[q];
      for (const automata::Transition& t : state.transitions) {
        if (t.cube.accepts(letter)) {
          forward[c * states_ + q].push_back({t.target, t.marks});
          backward[c * states_ + t.target].push_back({q, t.marks});
        }
      }
      ends_[c * states_ + q] = std::ranges::any_of(
          state.endings, [&](const automata::Cube& cube) { return cube.accepts(letter); });
    }
  }
  const auto flatten = [](const std::vector<std::vector<Read>>& lists,
                          std::vector<std::uint32_t>& first, std::vector<Read>& all) {
    for (const std::vector<Read>& list : lists) {
      first.push_back(static_cast<std::uint32_t>(all.size()));
      all.insert(all.end(), list.begin(), list.end());
    }
    first.push_back(static_cast<std::uint32_t>(all.size()));
  };
  flatten(forward, first_forward_, forward_);
  flatten(backward, first_backward_, backward_);
}

std::uint32_t Product::class_at(std::uint32_t instance, model::NodeId n) const {
  const model::Rsm& model = graph_.model();
  if (model.kind(n) == model::NodeKind::Plain) {
    return letters_.class_of[graph_.plain_row(instance, n)];
  }
  const std::uint32_t callee = graph_.callee(instance, model.box_of(n));
  return letters_.class_of[graph_.plain_row(callee, model.origin(n))];
}

Product::Word Product::all_marks() const {
  const Word fair = fairness_ == nullptr ? 0 : (Word{1} << fairness_->constraints) - 1;
  return automaton_.all_marks() | fair << kFairness;
}

bool Product::may_end(Vertex v) const {
  const model::Rsm& model = graph_.model();
  const model::NodeId n = node(v);
  if (fairness_ != nullptr || model.kind(n) == model::NodeKind::Call ||
      !model.successors(n).empty()) {
    return false;
  }
  const bool goes_on = model.kind(n) == model::NodeKind::Return
                           ? !model.successors(model.origin(n)).empty()
                           : model.is_exit(n);
  return !goes_on && ends_[std::size_t{class_at(instance(v), n)} * states_ + state(v)];
}

bool Product::next_edge(Vertex v, Position& position, Edge& edge) const {
  const std::uint32_t i = instance(v);
  const model::Rsm& model = graph_.model();
  const model::NodeId n = node(v);
  if (model.kind(n) == model::NodeKind::Call) {
    return next_pass(v, position, edge);
  }
  const std::span<const Read> choices = reads(first_forward_, forward_, class_at(i, n), state(v));
  const std::span<const model::NodeId> successors = model.successors(n);
  const bool stays = i == explain::Labelling::kRoot && model.is_exit(n);
  for (; position.major < choices.size(); ++position.major, position.minor = 0) {
    const Read& read = choices[position.major];
    if (position.minor < successors.size()) {
      const std::size_t s = position.minor++;
      const Word fair =
          fairness_ == nullptr ? 0 : Word{fairness_->marks_of(model, n)[s]} << kFairness;
      edge = {Edge::Kind::Step, vertex(i, successors[s], read.state), read.marks | fair};
      return true;
    }
    if (stays && position.minor == successors.size()) {
      ++position.minor;
      edge = {Edge::Kind::Stay, vertex(i, n, read.state), read.marks};
      return true;
    }
  }
  return false;
}

/// From a call node: into the call, then past it to one exit after the other.
bool Product::next_pass(Vertex v, Position& position, Edge& edge) const {
  const std::uint32_t i = instance(v);
  const model::NodeId n = node(v);
  const model::BoxId box = graph_.model().box_of(n);
  const Vertex entry = vertex(graph_.callee(i, box), graph_.model().origin(n), state(v));
  if (position.major == 0) {
    ++position.major;
    edge = {Edge::Kind::Enter, entry, 0};
    return true;
  }
  const std::span<const Word> ways = exits(entry);
  while (position.minor < ways.size() * 64) {
    const Word rest = ways[position.minor / 64] >> (position.minor % 64);
    if (rest == 0) {
      position.minor = (position.minor / 64 + 1) * 64;
      continue;
    }
    const std::uint32_t bit = position.minor + static_cast<std::uint32_t>(std::countr_zero(rest));
    position.minor = bit + 1;
    const model::NodeId back = graph_.model().box(box).first_return + bit / states_;
    const bool accepts = ((accepting_exits(entry)[bit / 64] >> (bit % 64)) & 1) != 0;
    edge = {Edge::Kind::Pass, vertex(i, back, bit % states_), accepts ? Word{1} : Word{0}};
    return true;
  }
  return false;
}

std::span<const Product::Word> Product::exits(Vertex v) const {
  const std::uint32_t i = instance(v);
  if (i == explain::Labelling::kRoot || sets_.empty()) {
    return {};  // under the empty stack an exit is not left
  }
  return {sets_.data() + first_set_[i] + std::size_t{v - first_vertex_[i]} * 2 * words(i),
          words(i)};
}

std::span<const Product::Word> Product::accepting_exits(Vertex v) const {
  const std::span<const Word> all = exits(v);
  return {all.data() + all.size(), all.size()};
}

std::span<Product::Word> Product::set_of(Vertex v) {
  const std::uint32_t i = instance(v);
  return {sets_.data() + first_set_[i] + std::size_t{v - first_vertex_[i]} * 2 * words(i),
          std::size_t{2} * words(i)};
}

/// Adds the ways of a successor, of which all are accepting if the edge is.
bool Product::add(Vertex to, std::span<const Word> set, bool accepting) {
  const std::span<Word> own = set_of(to);
  const std::size_t half = own.size() / 2;
  bool grew = false;
  for (std::size_t w = 0; w < own.size(); ++w) {
    Word more = set[w];
    if (w >= half && accepting) {
      more |= set[w - half];
    }
    grew = grew || (more & ~own[w]) != 0;
    own[w] |= more;
  }
  return grew;
}

/// The least sets with: an exit can be left at once, a state by the ways of its successors, a call
/// by those of the return nodes that it can be left to. Found backwards from the exits.
void Product::find_exits(base::LimitGuard& guard) {
  std::size_t size = 0;
  for (std::uint32_t i = 0; i < graph_.instance_count(); ++i) {
    first_set_.push_back(size);
    if (i != explain::Labelling::kRoot) {
      size += graph_.component(i).nodes().size() * states_ * 2 * words(i);
    }
  }
  guard.reserve(size * sizeof(Word));
  sets_.resize(std::max<std::size_t>(size, 1));
  std::vector<Vertex> open;
  for (std::uint32_t i = 1; i < graph_.instance_count(); ++i) {
    const std::span<const model::NodeId> all = graph_.exits(i);
    for (std::uint32_t x = 0; x < all.size(); ++x) {
      for (std::uint32_t q = 0; q < states_; ++q) {
        const std::uint32_t bit = x * states_ + q;
        const Vertex v = vertex(i, all[x], q);
        set_of(v)[bit / 64] |= Word{1} << (bit % 64);
        open.push_back(v);
      }
    }
  }
  while (!open.empty()) {
    guard.tick();
    const Vertex v = open.back();
    open.pop_back();
    spread(v, open);
  }
}

/// The ways of `v` have become more.
void Product::spread(Vertex v, std::vector<Vertex>& open) {
  const std::uint32_t i = instance(v);
  const model::Rsm& model = graph_.model();
  const model::NodeId n = node(v);
  const std::span<const Word> set = set_of(v);
  for_each_step_to(v, [&](Vertex from, bool accepts) {
    if (add(from, set, accepts)) {
      open.push_back(from);
    }
  });
  if (model.kind(n) == model::NodeKind::Return) {
    const model::Box& box = model.box(model.box_of(n));
    for (const model::NodeId call : box.call_nodes()) {
      for (std::uint32_t q = 0; q < states_; ++q) {
        pass(vertex(i, call, q), open);
      }
    }
  }
  if (model.is_entry(n)) {
    for (const explain::InstanceGraph::Caller& caller : graph_.callers(i)) {
      if (caller.instance != explain::Labelling::kRoot) {
        const model::NodeId call = model.box(caller.box).first_call + model.entry_index(n);
        pass(vertex(caller.instance, call, state(v)), open);
      }
    }
  }
}

void Product::pass(Vertex call, std::vector<Vertex>& open) {
  bool grew = false;
  Position position{1, 0};
  for (Edge edge; next_pass(call, position, edge);) {
    grew = add(call, set_of(edge.to), edge.marks != 0) || grew;
  }
  if (grew) {
    open.push_back(call);
  }
}

}  // namespace nestor::engine::ctl_star
