// Structural reductions, after
//   [Mur89]  T. Murata: Petri nets: properties, analysis and applications.  Proc. IEEE 77(4), 1989,
//            section V;
//   [Ber87]  G. Berthelot: Transformations and decompositions of nets.  LNCS 254, 1987 (redundant
//            places, agglomeration);
//   [Bøn19]  F. M. Bønneland, J. Dyhr, P. G. Jensen, M. Johannsen, J. Srba: Stubborn versus
//            structural reductions for Petri nets.  JLAMP 102, 2019 (rules A to H).
//
// The rules for all formulas keep the graph of markings up to strong bisimulation, those for
// formulas without EX and deadlock up to branching bisimulation with divergence, those for formulas
// with EU and AW only up to branching bisimulation. docs/nets.md has the table and the arguments.
// A place that the formula names is kept, but for one that never changes.

#include "net/reduction.h"

#include "net/reducer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace nestor::net {

namespace {

using Op = NetFormulas::Op;

constexpr std::size_t kMostPasses = 100;

}  // namespace

std::uint32_t weight_at(const std::vector<PetriNet::Arc>& arcs, PlaceId p) {
  const auto at = std::ranges::lower_bound(arcs, p, {}, &PetriNet::Arc::place);
  return at == arcs.end() || at->place != p ? 0 : at->weight;
}

NetNodeId Reducer::run() {
  for (std::size_t pass = 0; pass < kMostPasses && changed_; ++pass) {
    changed_ = false;
    look_at_formula();
    remove_dead_transitions();
    remove_constant_places();
    remove_doubles();
    index();
    remove_sinks();
    remove_parallel_places();
    if (!has_next_ && !has_dead_) {
      index();
      agglomerate();
      if (!sees_divergence_) {
        keep_what_matters();
      }
    }
  }
  return root_;
}

NetNodeId Reducer::renumber(PetriNet& net, FiringHistory& history) {
  PetriNet small;
  std::vector<PlaceId> number(tokens_.size());
  look_at_formula();
  std::vector<bool> used = observed_;
  for (const Transition& t : transitions_) {
    for (const auto* arcs : {&t.inputs, &t.outputs}) {
      for (const Arc& arc : *arcs) {
        used[arc.place.value()] = true;
      }
    }
  }
  for (const PlaceId p : net_.places()) {
    if (used[p.value()]) {
      number[p.value()] = small.add_place(net_.place(p).name, tokens_[p.value()]);
    }
  }
  std::vector<FiringHistory::Number> firings;
  for (const Transition& transition : transitions_) {
    const TransitionId t = small.add_transition(net_.transition(transition.was).name);
    firings.push_back(transition.firing);
    for (const Arc& arc : transition.inputs) {
      (void)small.add_input(t, number[arc.place.value()], arc.weight);
    }
    for (const Arc& arc : transition.outputs) {
      (void)small.add_output(t, number[arc.place.value()], arc.weight);
    }
  }
  const NetNodeId root = with_atoms([&](AtMostZero atom) {
    for (AtMostZero::Term& term : atom.terms) {
      term.place = number[term.place.value()];
    }
    return atom;
  });
  net = std::move(small);
  history_.set_transitions(std::move(firings));
  history = std::move(history_);
  return root;
}

void Reducer::look_at_formula() {
  observed_.assign(observed_.size(), false);
  has_next_ = has_dead_ = sees_divergence_ = false;
  for (const NetNodeId f : formulas_.below(root_)) {
    const Op op = formulas_[f].op;
    has_next_ = has_next_ || op == Op::EX || op == Op::AX;
    has_dead_ = has_dead_ || op == Op::Dead || op == Op::Alive;
    sees_divergence_ = sees_divergence_ || op == Op::AU || op == Op::EW;
    if (op == Op::Atom) {
      for (const AtMostZero::Term& term : formulas_.comparison(f).terms) {
        observed_[term.place.value()] = true;
      }
    }
  }
}

void Reducer::index() {
  guard_.tick(tokens_.size() / 8);
  consumers_.assign(tokens_.size(), {});
  producers_.assign(tokens_.size(), {});
  for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
    guard_.tick();
    for (const Arc& arc : transitions_[t].inputs) {
      consumers_[arc.place.value()].push_back(t);
    }
    for (const Arc& arc : transitions_[t].outputs) {
      producers_[arc.place.value()].push_back(t);
    }
  }
}

void Reducer::remove_arcs(PlaceId p) {
  const auto is_there = [p](const Arc& arc) { return arc.place == p; };
  for (const Index* index : {&consumers_, &producers_}) {
    for (const std::uint32_t t : (*index)[p.value()]) {
      std::erase_if(transitions_[t].inputs, is_there);
      std::erase_if(transitions_[t].outputs, is_there);
    }
  }
  consumers_[p.value()].clear();
  producers_[p.value()].clear();
  gone_[p.value()] = true;
  changed_ = true;
}

void Reducer::remove_dead_transitions() {
  index();
  std::vector<bool> markable(tokens_.size());
  std::vector<std::size_t> missing;
  std::vector<std::uint32_t> fires;
  for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
    missing.push_back(transitions_[t].inputs.size());
    if (missing[t] == 0) {
      fires.push_back(t);
    }
  }
  const auto mark = [&](PlaceId p) {
    if (!markable[p.value()]) {
      markable[p.value()] = true;
      for (const std::uint32_t t : consumers_[p.value()]) {
        if (--missing[t] == 0) {
          fires.push_back(t);
        }
      }
    }
  };
  for (const PlaceId p : net_.places()) {
    if (tokens_[p.value()] > 0) {
      mark(p);
    }
  }
  while (!fires.empty()) {
    guard_.tick();
    const std::uint32_t t = fires.back();
    fires.pop_back();
    for (const Arc& arc : transitions_[t].outputs) {
      mark(arc.place);
    }
  }
  std::set<TransitionId> dead;
  for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
    if (missing[t] > 0) {
      dead.insert(transitions_[t].was);
    }
  }
  erase_transitions([&](const Transition& t) { return dead.contains(t.was); });
}

void Reducer::remove_constant_places() {
  index();
  std::vector<bool> constant(tokens_.size());
  for (const PlaceId p : net_.places()) {
    guard_.tick(1 + consumers_[p.value()].size() + producers_[p.value()].size());
    const auto keeps = [&](std::uint32_t t) {
      return weight_at(transitions_[t].inputs, p) == weight_at(transitions_[t].outputs, p);
    };
    constant[p.value()] = !gone_[p.value()] && std::ranges::all_of(consumers_[p.value()], keeps) &&
                          std::ranges::all_of(producers_[p.value()], keeps);
  }
  erase_transitions([&](const Transition& t) {
    return std::ranges::any_of(t.inputs, [&](const Arc& arc) {
      return constant[arc.place.value()] && arc.weight > tokens_[arc.place.value()];
    });
  });
  index();
  for (const PlaceId p : net_.places()) {
    if (constant[p.value()]) {
      remove_arcs(p);
    }
  }
  const NetNodeId before = root_;
  root_ = with_atoms([&](const AtMostZero& atom) {
    std::vector<AtMostZero::Term> terms;
    std::int64_t sum = atom.constant;
    for (const AtMostZero::Term& term : atom.terms) {
      if (constant[term.place.value()]) {
        sum += term.factor * tokens_[term.place.value()];
      } else {
        terms.push_back(term);
      }
    }
    return at_most_zero(std::move(terms), sum);
  });
  changed_ = changed_ || root_ != before;
  look_at_formula();
}

void Reducer::remove_doubles() {
  std::map<std::vector<std::pair<PlaceId, std::int64_t>>, std::vector<std::uint32_t>> groups;
  for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
    guard_.tick();
    std::map<PlaceId, std::int64_t> effect;
    for (const Arc& arc : transitions_[t].inputs) {
      effect[arc.place] -= arc.weight;
    }
    for (const Arc& arc : transitions_[t].outputs) {
      effect[arc.place] += arc.weight;
    }
    std::erase_if(effect, [](const auto& change) { return change.second == 0; });
    groups[{effect.begin(), effect.end()}].push_back(t);
  }
  std::set<TransitionId> doubles;
  const auto needs_no_more = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::all_of(transitions_[a].inputs, [&](const Arc& arc) {
      return arc.weight <= weight_at(transitions_[b].inputs, arc.place);
    });
  };
  for (const auto& [effect, group] : groups) {
    const bool is_idle = effect.empty() && !has_next_ && !has_dead_ && !sees_divergence_;
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t t : group) {
      guard_.tick(kept.size() + 1);
      if (is_idle ||
          std::ranges::any_of(kept, [&](std::uint32_t k) { return needs_no_more(k, t); })) {
        doubles.insert(transitions_[t].was);
        continue;
      }
      std::erase_if(kept, [&](std::uint32_t k) {
        if (!needs_no_more(t, k)) {
          return false;
        }
        doubles.insert(transitions_[k].was);
        return true;
      });
      kept.push_back(t);
    }
  }
  erase_transitions([&](const Transition& t) { return doubles.contains(t.was); });
}

void Reducer::remove_sinks() {
  for (const PlaceId p : net_.places()) {
    if (!gone_[p.value()] && !observed_[p.value()] && consumers_[p.value()].empty()) {
      remove_arcs(p);
    }
  }
}

void Reducer::remove_parallel_places() {
  std::map<std::vector<std::pair<std::uint32_t, std::int64_t>>, std::vector<PlaceId>> groups;
  for (const PlaceId p : net_.places()) {
    guard_.tick(1 + consumers_[p.value()].size() + producers_[p.value()].size());
    if (!gone_[p.value()]) {
      std::map<std::uint32_t, std::int64_t> effect;
      for (const std::uint32_t t : consumers_[p.value()]) {
        effect[t] -= weight_at(transitions_[t].inputs, p);
      }
      for (const std::uint32_t t : producers_[p.value()]) {
        effect[t] += weight_at(transitions_[t].outputs, p);
      }
      std::erase_if(effect, [](const auto& change) { return change.second == 0; });
      groups[{effect.begin(), effect.end()}].push_back(p);
    }
  }
  const auto is_redundant = [&](PlaceId q, PlaceId p) {
    const std::int64_t more = std::int64_t{tokens_[q.value()]} - std::int64_t{tokens_[p.value()]};
    return more >= 0 && std::ranges::all_of(consumers_[q.value()], [&](std::uint32_t t) {
             return weight_at(transitions_[t].inputs, q) <=
                    weight_at(transitions_[t].inputs, p) + more;
           });
  };
  for (const auto& [effect, group] : groups) {
    for (const PlaceId q : group) {
      const bool removable = !observed_[q.value()] && group.size() > 1 && group.size() < 100;
      const bool found = removable && std::ranges::any_of(group, [&](PlaceId p) {
                           return p != q && !gone_[p.value()] && is_redundant(q, p);
                         });
      if (found) {
        remove_arcs(q);
      }
    }
  }
}

NetNodeId reduce(PetriNet& net, NetFormulas& formulas, NetNodeId root, FiringHistory& history,
                 base::LimitGuard& guard) {
  const PetriNet given = net;
  Reducer reducer(given, formulas, root, history, guard);
  reducer.run();
  return reducer.renumber(net, history);
}

}  // namespace nestor::net
