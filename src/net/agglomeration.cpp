// The rules that merge or drop transitions, for formulas without EX and deadlock; their sources are
// in reduction.cpp, the arguments in docs/nets.md.

#include "net/reducer.h"

#include <algorithm>
#include <map>
#include <utility>

namespace nestor::net {

namespace {

using Arc = PetriNet::Arc;

// Merging two transitions may make arcs: not more than these, or than it removes.
constexpr std::size_t kMostNewArcs = 12;
constexpr std::uint64_t kMostWeight = std::uint64_t{1} << 20;

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

}  // namespace

void Reducer::agglomerate() {
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

bool Reducer::is_alone_and_invisible(std::uint32_t t) const {
  if (erased_[t] || transitions_[t].inputs.empty()) {
    return false;
  }
  const auto is_hidden = [&](const Arc& arc) { return !observed_[arc.place.value()]; };
  return std::ranges::all_of(transitions_[t].inputs,
                             [&](const Arc& arc) {
                               return is_hidden(arc) && consumers_[arc.place.value()].size() == 1 &&
                                      weight_at(transitions_[t].outputs, arc.place) == 0;
                             }) &&
         std::ranges::all_of(transitions_[t].outputs, is_hidden);
}

bool Reducer::merge_into_producers(std::uint32_t t) {
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
  if (tokens_[p.value()] > 0) {
    history_.add_initial({transitions_[t].firing, tokens_[p.value()]});
  }
  tokens_[p.value()] = 0;
  erase(t);
  for (const std::uint32_t u : before) {
    unlist(u);
    transitions_[u].firing =
        history_.join({transitions_[u].firing, 1},
                      {transitions_[t].firing, weight_at(transitions_[u].outputs, p)});
    transitions_[u].outputs =
        exchanged(transitions_[u].outputs, p, weight_at(transitions_[u].outputs, p), outputs);
    list(u);
  }
  gone_[p.value()] = true;
  return true;
}

bool Reducer::merge_into_consumers(std::uint32_t t) {
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
    transitions_[u].firing =
        history_.join({transitions_[t].firing, weight_at(transitions_[u].inputs, q)},
                      {transitions_[u].firing, 1});
    transitions_[u].inputs =
        exchanged(transitions_[u].inputs, q, weight_at(transitions_[u].inputs, q), inputs);
    list(u);
  }
  gone_[q.value()] = true;
  return true;
}

bool Reducer::is_worth_it(std::size_t others, std::size_t arcs) {
  return others <= 1 || arcs <= 1 || others * arcs <= kMostNewArcs;
}

bool Reducer::fits(const std::vector<std::uint32_t>& others, std::vector<Arc> Transition::*side,
                   PlaceId p, const std::vector<Arc>& more, std::uint64_t tokens) const {
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

void Reducer::unlist(std::uint32_t t) {
  for (const Arc& arc : transitions_[t].inputs) {
    guard_.tick(1 + consumers_[arc.place.value()].size() / 16);
    std::erase(consumers_[arc.place.value()], t);
  }
  for (const Arc& arc : transitions_[t].outputs) {
    std::erase(producers_[arc.place.value()], t);
  }
}

void Reducer::list(std::uint32_t t) {
  for (const Arc& arc : transitions_[t].inputs) {
    consumers_[arc.place.value()].push_back(t);
  }
  for (const Arc& arc : transitions_[t].outputs) {
    producers_[arc.place.value()].push_back(t);
  }
}

void Reducer::erase(std::uint32_t t) {
  unlist(t);
  erased_[t] = true;
  changed_ = true;
}

void Reducer::keep_what_matters() {
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

}  // namespace nestor::net
