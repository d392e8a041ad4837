#include "format/pds/procedures.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace nestor::format {

Procedures::Procedures(const model::PushdownSystem& system) : system_(system) {
  head_of_key_.reserve(system.rules().size());
  for (const model::PushdownRule& rule : system.rules()) {
    head_index(rule.head);
  }
  rules_by_head_ = base::CompressedRows<HeadIndex, const model::PushdownRule*>(head_of_key_.size());
  for (const model::PushdownRule& rule : system.rules()) {
    rules_by_head_.count(head_index(rule.head));
  }
  rules_by_head_.finish_counting();
  for (const model::PushdownRule& rule : system.rules()) {
    rules_by_head_.add(head_index(rule.head), &rule);
  }
  explore();
  number_procedures();
}

PlaceId Procedures::find(model::Head head, bool bottom) const {
  const HeadIndex index = find_head(head);
  return index.valid() ? place_of_head_[index.value() * 2 + (bottom ? 1 : 0)] : PlaceId();
}

Procedures::HeadIndex Procedures::head_index(model::Head head) {
  const auto [found, is_new] = head_of_key_.try_emplace(head.key(), HeadIndex(head_of_key_.size()));
  if (is_new) {
    place_of_head_.resize(place_of_head_.size() + 2);
  }
  return found->second;
}

PlaceId Procedures::place(model::Head head, bool bottom) {
  const HeadIndex index = head_index(head);
  PlaceId& found = place_of_head_[index.value() * 2 + (bottom ? 1 : 0)];
  if (!found.valid()) {
    found = places_.push_back({head, bottom, false, {}});
    head_index_.push_back(index);
    parent_.push_back(found);
    growing_.push_back({});
  }
  return found;
}

PlaceId Procedures::root(PlaceId place) {
  while (parent_[place] != place) {
    parent_[place] = parent_[parent_[place]];
    place = parent_[place];
  }
  return place;
}

void Procedures::explore() {
  assert(!system_.initial_heads().empty());
  for (const model::Head head : system_.initial_heads()) {
    parent_[place(head, true)] = PlaceId(0);  // there is one lowest frame
  }
  // Procedures that only unreachable rules call are kept, as unreachable components are: a reader
  // of a file wants to see all of it.
  for (const model::PushdownRule& rule : system_.rules()) {
    if (rule.is_push()) {
      places_[place({rule.target, rule.first}, false)].is_entry = true;
    }
  }
  while (!joins_.empty() || expanded_ < places_.size()) {
    if (joins_.empty()) {
      expand(PlaceId(expanded_++));
    } else {
      const Join next = joins_.back();
      joins_.pop_back();
      join(next);
    }
  }
}

void Procedures::expand(PlaceId from) {
  for (const model::PushdownRule* rule : rules_of(from)) {
    if (rule->is_push()) {
      const PlaceId entry = place({rule->target, rule->first}, false);
      add_call(root(entry), {from, rule->second});
    } else if (!rule->is_pop()) {
      joins_.push_back({from, {rule->target, rule->first}});
    } else if (!places_[from].bottom) {
      add_return(root(from), rule->target);
    }
  }
}

void Procedures::join(const Join& join) {
  const bool bottom = places_[join.from].bottom;
  const PlaceId owner = root(join.from);
  const std::size_t known = places_.size();
  const PlaceId to = place(join.to, bottom);
  if (places_.size() > known) {
    parent_[to] = owner;  // nothing is known of it yet that would have to be united
  } else {
    unite(owner, root(to));
  }
}

void Procedures::unite(PlaceId a, PlaceId b) {
  if (a == b) {
    return;
  }
  if (growing_[a].calls.size() < growing_[b].calls.size()) {
    std::swap(a, b);
  }
  if (b == PlaceId(0)) {
    std::swap(a, b);  // explore() and number_procedures() rely on place 0 being a root
  }
  parent_[b] = a;
  const Growing other = std::exchange(growing_[b], {});
  for (const model::ControlId control : other.returns) {
    add_return(a, control);
  }
  // Calls of b that a's returns are new to. Those of b itself are among a's by now.
  for (const CallSite& call : other.calls) {
    add_call(a, call);
  }
}

void Procedures::add_return(PlaceId procedure, model::ControlId control) {
  Growing& growing = growing_[procedure];
  const auto at = std::lower_bound(growing.returns.begin(), growing.returns.end(), control);
  if (at != growing.returns.end() && *at == control) {
    return;
  }
  growing.returns.insert(at, control);
  for (const CallSite& call : growing.calls) {
    joins_.push_back({call.caller, {control, call.below}});
  }
}

void Procedures::add_call(PlaceId procedure, const CallSite& call) {
  Growing& growing = growing_[procedure];
  growing.calls.push_back(call);
  for (const model::ControlId control : growing.returns) {
    joins_.push_back({call.caller, {control, call.below}});
  }
}

void Procedures::number_procedures() {
  base::IdVector<PlaceId, ProcedureId> of_root(places_.size());
  for (const PlaceId p : places_.ids()) {
    ProcedureId& procedure = of_root[root(p)];
    if (!procedure.valid()) {
      procedure = ProcedureId(procedure_count_++);
    }
    places_[p].procedure = procedure;
  }
  assert(places_[PlaceId(0)].procedure == kBottom);
  places_of_procedure_ = base::CompressedRows<ProcedureId, PlaceId>(procedure_count_);
  for (const PlaceId p : places_.ids()) {
    places_of_procedure_.count(places_[p].procedure);
  }
  places_of_procedure_.finish_counting();
  for (const PlaceId p : places_.ids()) {
    places_of_procedure_.add(places_[p].procedure, p);
  }
  growing_ = {};
}

}  // namespace nestor::format
