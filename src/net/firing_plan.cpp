#include "net/firing_plan.h"

#include <algorithm>

namespace nestor::net {

namespace {

template <class Part>
std::uint32_t end_of(const std::vector<Part>& parts) {
  return static_cast<std::uint32_t>(parts.size());
}

/// What was added from `first` on and speaks of whole words' bits, or of this word; made if there
/// is none yet.
template <class Part, class IsIt>
Part& find_or_add(std::vector<Part>& parts, std::uint32_t first, const Part& fresh, IsIt is_it) {
  const auto found = std::find_if(parts.begin() + first, parts.end(), is_it);
  return found != parts.end() ? *found : parts.emplace_back(fresh);
}

}  // namespace

FiringPlan::FiringPlan(const PetriNet& net, const Fields& fields, const Changes& changes,
                       const Waiting& waiting)
    : rows_(net.transition_count() + 1) {
  for (const TransitionId t : net.transitions()) {
    rows_[t] = {end_of(needs_), end_of(rooms_), end_of(sums_)};
    add_needs(net.transition(t), fields);
    add_rooms_and_sums(changes[t], fields);
  }
  rows_[TransitionId(net.transition_count())] = {end_of(needs_), end_of(rooms_), end_of(sums_)};
  for (const PlaceId p : net.places()) {
    if (!waiting[p].empty()) {
      watched_.push_back({fields[p].word, fields[p].mask << fields[p].shift, end_of(waiting_)});
      waiting_.insert(waiting_.end(), waiting[p].begin(), waiting[p].end());
    }
  }
  watched_.push_back({0, 0, end_of(waiting_)});
}

void FiringPlan::add_needs(const PetriNet::Transition& transition, const Fields& fields) {
  const std::uint32_t first = end_of(needs_);
  for (const PetriNet::Arc& arc : transition.inputs) {
    const base::BitField& field = fields[arc.place];
    if (arc.weight != field.mask) {
      needs_.push_back({field.word, field.shift, field.mask, arc.weight});
      continue;
    }
    // All its bits must be set. Of several places: no number below the mask of all has all bits.
    Bound& all = find_or_add(needs_, first, Bound{field.word, 0, 0, 0}, [&](const Bound& bound) {
      return bound.word == field.word && bound.shift == 0 && bound.value == bound.mask;
    });
    all.mask |= field.mask << field.shift;
    all.value = all.mask;
  }
}

void FiringPlan::add_rooms_and_sums(std::span<const MarkingChange> changes, const Fields& fields) {
  const std::uint32_t first_room = end_of(rooms_);
  const std::uint32_t first_sum = end_of(sums_);
  for (const MarkingChange& change : changes) {
    const base::BitField& field = fields[change.place];
    Sum& sum = find_or_add(sums_, first_sum, Sum{field.word, 0},
                           [&](const Sum& s) { return s.word == field.word; });
    sum.difference += (change.given - change.taken) << field.shift;
    if (change.given < change.taken) {
      continue;
    }
    const std::uint32_t most = std::min(field.mask, PetriNet::kMostTokens);
    const std::uint32_t more = change.given - change.taken;
    if (more != most) {
      rooms_.push_back({field.word, field.shift, field.mask, more < most ? most - more + 1 : 0});
      continue;
    }
    // It must be empty.
    find_or_add(rooms_, first_room, Bound{field.word, 0, 0, 1}, [&](const Bound& bound) {
      return bound.word == field.word && bound.shift == 0 && bound.value == 1;
    }).mask |= field.mask << field.shift;
  }
}

}  // namespace nestor::net
