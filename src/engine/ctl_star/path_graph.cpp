#include "engine/ctl_star/path_graph.h"

#include "base/error.h"
#include "base/strong_components.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::ctl_star {

PathGraph::PathGraph(const explain::InstanceGraph& graph, PathAutomaton& automaton,
                     const std::vector<std::uint32_t>& letters, base::LimitGuard& guard)
    : graph_(graph), automaton_(automaton), letters_(letters), guard_(guard) {
  const std::size_t places = std::size_t{graph.row_count()} * automaton.state_count();
  guard.reserve(places * sizeof(Vertex));
  index_.assign(places, kNone);
}

std::uint32_t PathGraph::letter_at(std::uint32_t instance, model::NodeId n) const {
  const model::Rsm& model = graph_.model();
  if (model.kind(n) == model::NodeKind::Plain) {
    return letters_[graph_.plain_row(instance, n)];
  }
  return letters_[graph_.plain_row(graph_.callee(instance, model.box_of(n)), model.origin(n))];
}

bool PathGraph::is_dead_end(model::NodeId n) const {
  const model::Rsm& model = graph_.model();
  if (!model.successors(n).empty()) {
    return false;
  }
  if (model.kind(n) == model::NodeKind::Return) {
    return model.successors(model.origin(n)).empty();
  }
  return !model.is_exit(n);
}

PathGraph::Vertex PathGraph::discover(std::uint32_t instance, model::NodeId n,
                                      std::uint32_t state) {
  Vertex& known = index_[place(instance, n, state)];
  if (known == kNone) {
    known = static_cast<Vertex>(items_.size());
    guard_.reserve(sizeof(Item) + 4 * sizeof(Edge));
    Item item;
    item.instance = instance;
    item.node = n;
    item.state = state;
    items_.push_back(std::move(item));
    incoming_.emplace_back();
    new_.push_back(known);
  }
  return known;
}

PathGraph::Vertex PathGraph::add(std::uint32_t instance, model::NodeId n, std::uint32_t state) {
  const Vertex v = discover(instance, n, state);
  explore();
  return v;
}

PathGraph::Vertex PathGraph::add_with_callers(std::uint32_t instance, model::NodeId n,
                                              std::uint32_t state) {
  const Vertex v = discover(instance, n, state);
  show_ways(v);
  explore();
  return v;
}

void PathGraph::explore() {
  while (!new_.empty() || !changes_.empty() || !told_.empty()) {
    guard_.tick();
    if (!told_.empty()) {
      const Told told = told_.back();
      told_.pop_back();
      tell_callers(told);
    } else if (!new_.empty()) {
      const Vertex v = new_.back();
      new_.pop_back();
      expand(v);
    } else {
      const Change change = changes_.back();
      changes_.pop_back();
      spread(change);
    }
  }
}

void PathGraph::expand(Vertex v) {
  const model::Rsm& model = graph_.model();
  const std::uint32_t instance = items_[v].instance;
  const model::NodeId n = items_[v].node;
  const std::uint32_t state = items_[v].state;
  const std::uint32_t letter = letter_at(instance, n);
  const std::span<const model::NodeId> successors = model.successors(n);
  const bool leaves = model.kind(n) == model::NodeKind::Plain && model.is_exit(n);
  const bool is_root = instance == explain::Labelling::kRoot;
  items_[v].ends = is_dead_end(n) && automaton_.may_end(letter, state);
  for (const PathAutomaton::Move& move : automaton_.moves(letter, state)) {
    for (std::uint32_t s = 0; s < successors.size(); ++s) {
      guard_.tick();
      const model::NodeId m = successors[s];
      const bool is_call = model.kind(m) == model::NodeKind::Call;
      Edge edge;
      edge.kind = is_call ? PathKind::Enter : PathKind::Step;
      edge.marks = edge.own_marks = move.marks;
      edge.choice = s;
      edge.transition = move.transition;
      edge.to =
          is_call ? discover(graph_.callee(instance, model.box_of(m)), model.origin(m), move.state)
                  : discover(instance, m, move.state);
      add_edge(v, edge);
    }
    if (leaves && is_root) {
      Edge edge;
      edge.kind = PathKind::Stay;
      edge.marks = edge.own_marks = move.marks;
      edge.transition = move.transition;
      edge.to = discover(instance, n, move.state);
      add_edge(v, edge);
    }
  }
  if (leaves && !is_root) {
    add_way(v, {model.exit_index(n), state}, 0, kNone);
  }
}

void PathGraph::add_edge(Vertex v, Edge edge) {
  const Incoming incoming{v, static_cast<std::uint32_t>(items_[v].edges.size())};
  items_[v].edges.push_back(edge);
  incoming_[edge.to].push_back(incoming);
  const std::vector<Way> ways = items_[edge.to].ways;  // a copy: the vertex may lead to itself
  for (const Way& way : ways) {
    if (edge.kind == PathKind::Enter) {
      pass(incoming, way.exit, way.marks);
    } else {
      add_way(v, way.exit, way.marks | edge.marks, incoming.edge);
    }
  }
}

/// A way of v by one of its edges, or at once. What is new of it is recorded with its reason.
void PathGraph::add_way(Vertex v, const Exit& exit, std::uint32_t marks, std::uint32_t edge) {
  auto way = std::ranges::find(items_[v].ways, exit, &Way::exit);
  const bool is_new = way == items_[v].ways.end();
  if (is_new) {
    guard_.reserve(sizeof(Way) + sizeof(Fact));
    items_[v].ways.push_back({exit, 0, {{kAny, last_rank_++, edge}}});
    way = std::prev(items_[v].ways.end());
  }
  bool has_more = is_new;
  for (std::uint32_t set = 0; set < automaton_.set_count(); ++set) {
    const std::uint32_t bit = std::uint32_t{1} << set;
    if ((marks & bit) == 0 || (way->marks & bit) != 0) {
      continue;
    }
    const Edge& by = items_[v].edges[edge];
    const bool by_callee =
        by.kind == PathKind::Pass && (by.own_marks & bit) == 0 && (by.marks & bit) != 0;
    way->facts.push_back({set, last_rank_++, edge, by_callee});
    way->marks |= bit;
    has_more = true;
  }
  if (last_rank_ >= kNone / 2) {
    throw base::LimitReached{"the certificate would be too long"};
  }
  if (has_more) {
    changes_.push_back({v, exit});
  }
  if (is_new && items_[v].shows_ways) {
    told_.push_back({items_[v].instance, exit});
  }
}

void PathGraph::spread(const Change& change) {
  // A copy: passing a call adds edges, if to others than this one.
  const std::vector<Incoming> incoming = incoming_[change.vertex];
  for (const Incoming& in : incoming) {
    guard_.tick();
    const Edge edge = items_[in.from].edges[in.edge];
    const Way& way = *std::ranges::find(items_[change.vertex].ways, change.exit, &Way::exit);
    if (edge.kind == PathKind::Enter) {
      pass(in, change.exit, way.marks);
    } else {
      add_way(in.from, change.exit, way.marks | edge.marks, in.edge);
    }
  }
}

/// The entry that an edge leads to has a way with these marks.
void PathGraph::pass(Incoming call, const Exit& exit, std::uint32_t marks) {
  const Edge enter = items_[call.from].edges[call.edge];
  const std::uint32_t instance = items_[call.from].instance;
  const model::Rsm& model = graph_.model();
  const model::NodeId node = model.successors(items_[call.from].node)[enter.choice];
  const model::NodeId back = model.box(model.box_of(node)).first_return + exit.exit;
  const Vertex to = discover(instance, back, exit.state);
  std::vector<Edge>& edges = items_[call.from].edges;
  const auto known = std::ranges::find_if(edges, [&](const Edge& e) {
    return e.kind == PathKind::Pass && e.to == to && e.entry == enter.to &&
           e.choice == enter.choice;
  });
  if (known == edges.end()) {
    Edge edge = enter;
    edge.kind = PathKind::Pass;
    edge.entry = enter.to;
    edge.to = to;
    edge.through = exit;
    edge.marks |= marks;
    add_edge(call.from, edge);
    return;
  }
  if ((marks & ~known->marks) == 0) {
    return;
  }
  known->marks |= marks;
  const auto place = static_cast<std::uint32_t>(known - edges.begin());
  const std::uint32_t all = known->marks;
  const std::vector<Way> ways = items_[to].ways;
  for (const Way& way : ways) {
    add_way(call.from, way.exit, way.marks | all, place);
  }
}

void PathGraph::show_ways(Vertex v) {
  if (!items_[v].shows_ways) {
    items_[v].shows_ways = true;
    for (const Way& way : items_[v].ways) {
      told_.push_back({items_[v].instance, way.exit});
    }
  }
}

void PathGraph::tell_callers(const Told& told) {
  for (const explain::InstanceGraph::Caller& caller : graph_.callers(told.instance)) {
    guard_.tick();
    const model::NodeId back = graph_.model().box(caller.box).first_return + told.exit.exit;
    show_ways(discover(caller.instance, back, told.exit.state));
  }
}

const PathGraph::Fact& PathGraph::fact(Vertex v, const Exit& exit, std::uint32_t set) const {
  const auto way = std::ranges::find(items_[v].ways, exit, &Way::exit);
  NESTOR_CHECK(way != items_[v].ways.end());
  const auto found = std::ranges::find(way->facts, set, &Fact::set);
  NESTOR_CHECK(found != way->facts.end());
  return *found;
}

void PathGraph::finish() {
  find_components();
  find_facts();
}

/// Good is what leads to an accepted end or to a component with all sets; what is not good is in
/// components that each miss a set.
void PathGraph::find_components() {
  const auto next = [&](Vertex v, std::uint32_t& i) {
    return i < items_[v].edges.size() ? items_[v].edges[i++].to : kNone;
  };
  const base::StrongComponents found =
      base::strong_components(items_.size(), next, [&] { guard_.tick(); });
  component_of_ = found.of;
  std::vector<std::uint32_t> marks(found.count, 0);
  std::vector<bool> is_good(found.count, false);
  std::vector<std::vector<Vertex>> members(found.count);
  for (Vertex v = 0; v < items_.size(); ++v) {
    members[found.of[v]].push_back(v);
  }
  const std::uint32_t sets = automaton_.set_count();
  missing_.assign(found.count, 0);
  for (std::uint32_t c = 0; c < found.count; ++c) {  // what it leads to comes first
    for (const Vertex v : members[c]) {
      is_good[c] = is_good[c] || items_[v].ends;
      for (const Edge& edge : items_[v].edges) {
        if (found.of[edge.to] == c) {
          marks[c] |= edge.marks;
        } else {
          is_good[c] = is_good[c] || is_good[found.of[edge.to]];
        }
      }
    }
    while (missing_[c] < sets && ((marks[c] >> missing_[c]) & 1) != 0) {
      ++missing_[c];
    }
    is_good[c] = is_good[c] || missing_[c] == sets;
    for (const Vertex v : members[c]) {
      items_[v].is_good = is_good[c];
    }
  }
}

/// For each set, breadth first and backwards: how a good vertex meets it and is again at a good
/// one.
void PathGraph::find_facts() {
  for (std::uint32_t set = 0; set < automaton_.set_count(); ++set) {
    const std::uint32_t bit = std::uint32_t{1} << set;
    std::vector<Vertex> found;
    const auto add = [&](Vertex v, Fact fact) {
      if (items_[v].is_good && items_[v].to_good.size() == set) {
        fact.set = set;
        fact.rank = last_rank_++;
        items_[v].to_good.push_back(fact);
        found.push_back(v);
      }
    };
    for (Vertex v = 0; v < items_.size(); ++v) {
      guard_.tick();
      if (items_[v].ends) {
        add(v, {});
      }
      for (std::uint32_t e = 0; e < items_[v].edges.size(); ++e) {
        const Edge& edge = items_[v].edges[e];
        if ((edge.marks & bit) != 0 && items_[edge.to].is_good) {
          add(v, {set, 0, e, (edge.own_marks & bit) == 0, true});
        }
      }
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Incoming& in : incoming_[found[i]]) {
        guard_.tick();
        add(in.from, {set, 0, in.edge, false, false});
      }
    }
    if (last_rank_ >= kNone / 2) {
      throw base::LimitReached{"the certificate would be too long"};
    }
  }
}

}  // namespace nestor::engine::ctl_star
