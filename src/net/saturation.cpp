// Saturation: a set is closed under firings from the last places upwards, so that what a firing
// makes is closed at once, in
//   [CLS01] G. Ciardo, G. Lüttgen, R. Siminiceanu: Saturation: an efficient iteration strategy for
//           symbolic state-space generation.  TACAS 2001;
//   [ZC09]  Y. Zhao, G. Ciardo: Symbolic CTL model checking of asynchronous systems using
//           constrained saturation.  ATVA 2009, Figure 4 (ways within a set).
//
//   paper              here
//   ConsSaturate       close()
//   its last loop      finish(): what is below is closed already
//   ConsRelProd        fire(); the set that comes out is closed again, also under the constraint
//
// A closed set at some level is closed under the firings that have no place above it; what is above
// is the same all along. Firings are functions of single markings, so a union of closed sets is
// closed. Backward a firing is one as well: from a marking after it to the one before.

#include "net/saturation.h"

#include <algorithm>

namespace nestor::net {

Saturation::Saturation(MarkingSets& sets, const PetriNet& net, const std::vector<PlaceId>& order)
    : sets_(sets), levels_(static_cast<std::uint32_t>(order.size())) {
  base::IdVector<PlaceId, std::uint32_t> level(order.size());
  for (std::uint32_t i = 0; i < levels_; ++i) {
    level[order[i]] = i;
  }
  forward_.by_level.resize(levels_);
  backward_.by_level.resize(levels_);
  for (const TransitionId t : net.transitions()) {
    std::vector<Part> parts;
    for (const PetriNet::Arc& arc : net.transition(t).inputs) {
      parts.push_back({level[arc.place], arc.weight, -std::int64_t{arc.weight}});
    }
    for (const PetriNet::Arc& arc : net.transition(t).outputs) {
      const auto same = std::ranges::find(parts, level[arc.place], &Part::level);
      if (same != parts.end()) {
        same->change += arc.weight;
      } else {
        parts.push_back({level[arc.place], 0, arc.weight});
      }
    }
    std::ranges::sort(parts, {}, &Part::level);
    add(forward_, parts);
    for (Part& part : parts) {
      part.needed = changed(part.needed, part.change);
      part.change = -part.change;
    }
    add(backward_, std::move(parts));
  }
  const auto operations =
      static_cast<std::uint32_t>(MarkingSets::kFirstOperation + 3 * parts_.size());
  forward_.close = operations;
  forward_.finish = operations + 1;
  backward_.close = operations + 2;
  backward_.finish = operations + 3;
}

void Saturation::add(Directed& directed, std::vector<Part> parts) {
  const auto first = static_cast<std::uint32_t>(parts_.size());
  const bool is_idle =
      std::ranges::all_of(parts, [](const Part& part) { return part.change == 0; });
  directed.firings.push_back({first, is_idle});
  if (!is_idle) {
    directed.by_level[parts.front().level].push_back(first);
  }
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  parts_.push_back({kEnd, 0, 0});
}

std::uint32_t Saturation::changed(std::uint32_t tokens, std::int64_t change) {
  const std::int64_t after = std::int64_t{tokens} + change;
  if (after > std::int64_t{PetriNet::kMostTokens}) {
    throw base::LimitReached{"too many tokens in a place"};
  }
  return static_cast<std::uint32_t>(after);
}

Saturation::Set Saturation::close(Set from, Set within, Direction direction) {
  return close(from, within, 0, direction == Direction::Forward ? forward_ : backward_);
}

Saturation::Set Saturation::close(Set from, Set within, std::uint32_t level,
                                  const Directed& directed) {
  if (from == MarkingSets::kNone || level == levels_) {
    return from;
  }
  if (const auto known = sets_.known(directed.close, from, within)) {
    return *known;
  }
  sets_.guard().tick();
  const std::size_t row = sets_.begin_row();
  for (Set at = from; at != MarkingSets::kNone; at = sets_[at].rest) {
    const MarkingSets::Node node = sets_[at];
    sets_.add_to_row(node.tokens,
                     close(node.below, sets_.below(within, node.tokens), level + 1, directed));
  }
  const Set below_closed = sets_.end_row(row);
  return sets_.remember(directed.close, from, within,
                        finish(below_closed, within, level, directed));
}

/// Of a set that is closed below `level`.
Saturation::Set Saturation::finish(Set from, Set within, std::uint32_t level,
                                   const Directed& directed) {
  const std::vector<std::uint32_t>& firings = directed.by_level[level];
  if (from == MarkingSets::kNone || firings.empty()) {
    return from;
  }
  if (const auto known = sets_.known(directed.finish, from, within)) {
    return *known;
  }
  Set all = from;
  for (Set before = MarkingSets::kNone; all != before;) {
    before = all;
    for (const std::uint32_t first : firings) {
      all = sets_.unite(all, fire(all, within, first, level, directed));
    }
  }
  return sets_.remember(directed.finish, from, within, all);
}

/// The markings of `set` that have what `part` needs on this level, after it if it `fires`; with
/// what `below(set, tokens, part)` makes of the other levels, for the part that comes next.
template <class Below>
Saturation::Set Saturation::row(Set set, std::uint32_t part, std::uint32_t level, bool fires,
                                Below below) {
  const Part now = parts_[part];
  const bool is_here = now.level == level;
  sets_.guard().tick();
  const std::size_t row = sets_.begin_row();
  for (Set at = set; at != MarkingSets::kNone; at = sets_[at].rest) {
    const MarkingSets::Node node = sets_[at];
    if (!is_here || node.tokens >= now.needed) {
      const std::uint32_t tokens =
          is_here && fires ? changed(node.tokens, now.change) : node.tokens;
      sets_.add_to_row(tokens, below(node.below, tokens, part + (is_here ? 1 : 0)));
    }
  }
  return sets_.end_row(row);
}

/// What one firing makes of `from`, closed; but not under the firings that begin at the level where
/// it begins itself.
Saturation::Set Saturation::fire(Set from, Set within, std::uint32_t part, std::uint32_t level,
                                 const Directed& directed) {
  if (from == MarkingSets::kNone || within == MarkingSets::kNone) {
    return MarkingSets::kNone;
  }
  if (parts_[part].level == kEnd) {
    // Closed on the ways within what was below before; what is below now may allow more of them.
    return within == MarkingSets::kAll
               ? from
               : close(sets_.intersect(from, within), within, level, directed);
  }
  const std::uint32_t operation = MarkingSets::kFirstOperation + 3 * part;
  if (const auto known = sets_.known(operation, from, within)) {
    return *known;
  }
  Set all = row(from, part, level, true, [&](Set below, std::uint32_t tokens, std::uint32_t next) {
    return fire(below, sets_.below(within, tokens), next, level + 1, directed);
  });
  const bool is_first = part == 0 || parts_[part - 1].level == kEnd;
  if (!is_first) {
    all = finish(all, within, level, directed);
  }
  return sets_.remember(operation, from, within, all);
}

/// One firing and no more.
Saturation::Set Saturation::step(Set from, Set within, std::uint32_t part, std::uint32_t level) {
  if (from == MarkingSets::kNone || within == MarkingSets::kNone) {
    return MarkingSets::kNone;
  }
  if (parts_[part].level == kEnd) {
    return sets_.intersect(from, within);
  }
  const std::uint32_t operation = MarkingSets::kFirstOperation + 3 * part + 1;
  if (const auto known = sets_.known(operation, from, within)) {
    return *known;
  }
  const Set all =
      row(from, part, level, true, [&](Set below, std::uint32_t tokens, std::uint32_t next) {
        return step(below, sets_.below(within, tokens), next, level + 1);
      });
  return sets_.remember(operation, from, within, all);
}

Saturation::Set Saturation::before(Set to, Set within) {
  Set all = MarkingSets::kNone;
  for (const Firing& firing : backward_.firings) {
    all = sets_.unite(all, step(to, within, firing.first, 0));
  }
  return all;
}

Saturation::Set Saturation::enabled(Set set, std::uint32_t part, std::uint32_t level) {
  if (set == MarkingSets::kNone || parts_[part].level == kEnd) {
    return set;
  }
  const std::uint32_t operation = MarkingSets::kFirstOperation + 3 * part + 2;
  if (const auto known = sets_.known(operation, set, MarkingSets::kNone)) {
    return *known;
  }
  const Set all = row(set, part, level, false, [&](Set below, std::uint32_t, std::uint32_t next) {
    return enabled(below, next, level + 1);
  });
  return sets_.remember(operation, set, MarkingSets::kNone, all);
}

Saturation::Set Saturation::dead(Set set) {
  for (const Firing& firing : forward_.firings) {
    set = sets_.subtract(set, enabled(set, firing.first, 0));
  }
  return set;
}

}  // namespace nestor::net
