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

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace nestor::net {

namespace {

using Arc = PetriNet::Arc;
using Op = NetFormulas::Op;

constexpr std::size_t kMostPasses = 100;
// Merging two transitions may make arcs: not more than these, or than it removes.
constexpr std::size_t kMostNewArcs = 12;
constexpr std::uint64_t kMostWeight = std::uint64_t{1} << 20;

std::uint32_t weight_at(const std::vector<Arc>& arcs, PlaceId p) {
  const auto at = std::ranges::lower_bound(arcs, p, {}, &Arc::place);
  return at == arcs.end() || at->place != p ? 0 : at->weight;
}

/// Takes the place out, and adds `times` times `more`.
std::vector<Arc> exchanged(const std::vector<Arc>& arcs, PlaceId without, std::uint32_t times,
                           const std::vector<Arc>& more) {
  std::map<PlaceId, std::uint32_t> weights;
  for (const Arc& arc : arcs) {
    weights[arc.place] += arc.weight;
  }
  weights.erase(without);
  for (const Arc& arc : more) {
    weights[arc.place] += times * arc.weight;
  }
  std::vector<Arc> result;
  for (const auto& [place, weight] : weights) {
    result.push_back({place, weight});
  }
  return result;
}

class Reducer {
 public:
  Reducer(const PetriNet& net, NetFormulas& formulas, NetNodeId root, base::LimitGuard& guard)
      : net_(net),
        formulas_(formulas),
        root_(root),
        guard_(guard),
        observed_(net.place_count()),
        gone_(net.place_count()) {
    for (const PlaceId p : net.places()) {
      tokens_.push_back(net.place(p).tokens);
    }
    for (const TransitionId t : net.transitions()) {
      transitions_.push_back({t, net.transition(t).inputs, net.transition(t).outputs});
    }
  }

  NetNodeId run() {
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

  /// The net that is left, and the formula's places with their new numbers.
  NetNodeId renumber(PetriNet& net) {
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
    for (const Transition& transition : transitions_) {
      const TransitionId t = small.add_transition(net_.transition(transition.was).name);
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
    return root;
  }

 private:
  struct Transition {
    TransitionId was;
    std::vector<Arc> inputs;
    std::vector<Arc> outputs;
  };
  using Index = std::vector<std::vector<std::uint32_t>>;

  template <class Change>
  NetNodeId with_atoms(Change change) {
    return replace(formulas_, root_, [&](NetNodeId f) -> std::optional<NetNodeId> {
      if (formulas_[f].op != Op::Atom) {
        return std::nullopt;
      }
      return formulas_.atom(change(AtMostZero(formulas_.comparison(f))));
    });
  }

  void look_at_formula() {
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

  void index() {
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

  void remove_arcs(PlaceId p) {
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

  template <class Condition>
  void erase_transitions(Condition condition) {
    changed_ = std::erase_if(transitions_, condition) > 0 || changed_;
  }

  /// A place that has too few tokens and cannot get more as long as it has too few. The places that
  /// are never marked are the largest unmarked siphon.
  void remove_dead_transitions() {
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

  void remove_constant_places() {
    index();
    std::vector<bool> constant(tokens_.size());
    for (const PlaceId p : net_.places()) {
      guard_.tick(1 + consumers_[p.value()].size() + producers_[p.value()].size());
      const auto keeps = [&](std::uint32_t t) {
        return weight_at(transitions_[t].inputs, p) == weight_at(transitions_[t].outputs, p);
      };
      constant[p.value()] = !gone_[p.value()] &&
                            std::ranges::all_of(consumers_[p.value()], keeps) &&
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

  /// Transitions with the same effect: one that needs no more tokens than the other does its work.
  void remove_doubles() {
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

  /// Nobody takes the tokens, nobody looks at them.
  void remove_sinks() {
    for (const PlaceId p : net_.places()) {
      if (!gone_[p.value()] && !observed_[p.value()] && consumers_[p.value()].empty()) {
        remove_arcs(p);
      }
    }
  }

  /// Two places that every firing changes alike: the one that never has too few tokens if the other
  /// has enough is redundant.
  void remove_parallel_places() {
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

  /// Merges transitions that are invisible and in conflict with nothing with what comes before or
  /// after them.
  void agglomerate() {
    erased_.assign(transitions_.size(), false);
    for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
      guard_.tick();
      if (!is_alone_and_invisible(t)) {
        continue;
      }
      merge_into_producers(t) || merge_into_consumers(t);
    }
    std::vector<Transition> kept;
    for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
      if (!erased_[t]) {
        kept.push_back(std::move(transitions_[t]));
      }
    }
    transitions_ = std::move(kept);
  }

  /// Nothing else takes tokens from where it takes them, and no place of it is observed. So firing
  /// it neither disables nor shows anything.
  bool is_alone_and_invisible(std::uint32_t t) const {
    if (erased_[t] || transitions_[t].inputs.empty()) {
      return false;
    }
    const auto is_hidden = [&](const Arc& arc) { return !observed_[arc.place.value()]; };
    return std::ranges::all_of(transitions_[t].inputs,
                               [&](const Arc& arc) {
                                 return is_hidden(arc) &&
                                        consumers_[arc.place.value()].size() == 1 &&
                                        weight_at(transitions_[t].outputs, arc.place) == 0;
                               }) &&
           std::ranges::all_of(transitions_[t].outputs, is_hidden);
  }

  /// Rule A of [Bøn19]: the only input of `t` is a place from which only `t` takes. Whoever puts
  /// tokens there puts them at once where `t` would.
  bool merge_into_producers(std::uint32_t t) {
    const std::vector<Arc> inputs = transitions_[t].inputs;
    const std::vector<Arc> outputs = transitions_[t].outputs;
    if (inputs.size() != 1 || inputs[0].weight != 1) {
      return false;
    }
    const PlaceId p = inputs[0].place;
    const std::vector<std::uint32_t> before = producers_[p.value()];
    if (!is_worth_it(before.size(), outputs.size()) ||
        !fits(before, &Transition::outputs, p, outputs, tokens_[p.value()])) {
      return false;
    }
    for (const Arc& arc : outputs) {
      tokens_[arc.place.value()] += tokens_[p.value()] * arc.weight;
    }
    tokens_[p.value()] = 0;
    erase(t);
    for (const std::uint32_t u : before) {
      unlist(u);
      transitions_[u].outputs =
          exchanged(transitions_[u].outputs, p, weight_at(transitions_[u].outputs, p), outputs);
      list(u);
    }
    gone_[p.value()] = true;
    return true;
  }

  /// Rule B of [Bøn19], with any number of inputs: the only output of `t` is a place into which
  /// only `t` puts tokens. Whoever takes them takes at once what `t` would.
  bool merge_into_consumers(std::uint32_t t) {
    const std::vector<Arc> inputs = transitions_[t].inputs;
    const std::vector<Arc> outputs = transitions_[t].outputs;
    if (outputs.size() != 1 || outputs[0].weight != 1) {
      return false;
    }
    const PlaceId q = outputs[0].place;
    const std::vector<std::uint32_t> after = consumers_[q.value()];
    if (tokens_[q.value()] != 0 || producers_[q.value()].size() != 1 || after.empty() ||
        !is_worth_it(after.size(), inputs.size()) ||
        !fits(after, &Transition::inputs, q, inputs, 0)) {
      return false;
    }
    erase(t);
    for (const std::uint32_t u : after) {
      unlist(u);
      transitions_[u].inputs =
          exchanged(transitions_[u].inputs, q, weight_at(transitions_[u].inputs, q), inputs);
      list(u);
    }
    gone_[q.value()] = true;
    return true;
  }

  static bool is_worth_it(std::size_t others, std::size_t arcs) {
    return others <= 1 || arcs <= 1 || others * arcs <= kMostNewArcs;
  }

  bool fits(const std::vector<std::uint32_t>& others, std::vector<Arc> Transition::*side, PlaceId p,
            const std::vector<Arc>& more, std::uint64_t tokens) const {
    for (const Arc& arc : more) {
      if (tokens * arc.weight + tokens_[arc.place.value()] > kMostWeight * 1024) {
        return false;
      }
      for (const std::uint32_t u : others) {
        if (std::uint64_t{weight_at(transitions_[u].*side, p)} * arc.weight > kMostWeight) {
          return false;
        }
      }
    }
    return true;
  }

  void unlist(std::uint32_t t) {
    for (const Arc& arc : transitions_[t].inputs) {
      guard_.tick(1 + consumers_[arc.place.value()].size() / 16);
      std::erase(consumers_[arc.place.value()], t);
    }
    for (const Arc& arc : transitions_[t].outputs) {
      std::erase(producers_[arc.place.value()], t);
    }
  }
  void list(std::uint32_t t) {
    for (const Arc& arc : transitions_[t].inputs) {
      consumers_[arc.place.value()].push_back(t);
    }
    for (const Arc& arc : transitions_[t].outputs) {
      producers_[arc.place.value()].push_back(t);
    }
  }
  void erase(std::uint32_t t) {
    unlist(t);
    erased_[t] = true;
    changed_ = true;
  }

  /// Backwards from the observed places: what changes them, what that needs, and so on.
  void keep_what_matters() {
    index();
    std::vector<bool> matters(tokens_.size());
    std::vector<bool> kept(transitions_.size());
    std::vector<PlaceId> waiting;
    const auto add = [&](PlaceId p) {
      if (!matters[p.value()]) {
        matters[p.value()] = true;
        waiting.push_back(p);
      }
    };
    for (const PlaceId p : net_.places()) {
      if (observed_[p.value()]) {
        add(p);
      }
    }
    while (!waiting.empty()) {
      const PlaceId p = waiting.back();
      waiting.pop_back();
      for (const Index* index : {&consumers_, &producers_}) {
        for (const std::uint32_t t : (*index)[p.value()]) {
          guard_.tick();
          const Transition& transition = transitions_[t];
          if (!kept[t] && weight_at(transition.inputs, p) != weight_at(transition.outputs, p)) {
            kept[t] = true;
            for (const Arc& arc : transition.inputs) {
              add(arc.place);
            }
          }
        }
      }
    }
    std::vector<Transition> left;
    for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
      if (kept[t]) {
        std::erase_if(transitions_[t].outputs,
                      [&](const Arc& arc) { return !matters[arc.place.value()]; });
        left.push_back(std::move(transitions_[t]));
      }
    }
    changed_ = changed_ || left.size() != transitions_.size();
    transitions_ = std::move(left);
  }

  const PetriNet& net_;
  NetFormulas& formulas_;
  NetNodeId root_;
  base::LimitGuard& guard_;
  std::vector<std::uint32_t> tokens_;  // by place, likewise below
  std::vector<bool> observed_;
  std::vector<bool> gone_;
  std::vector<Transition> transitions_;
  Index consumers_;
  Index producers_;
  std::vector<bool> erased_;  // by transition
  bool has_next_ = false;
  bool has_dead_ = false;
  bool sees_divergence_ = false;
  bool changed_ = true;
};

}  // namespace

NetNodeId reduce(PetriNet& net, NetFormulas& formulas, NetNodeId root, base::LimitGuard& guard) {
  const PetriNet given = net;
  Reducer reducer(given, formulas, root, guard);
  reducer.run();
  return reducer.renumber(net);
}

}  // namespace nestor::net
