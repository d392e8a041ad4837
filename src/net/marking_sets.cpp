// List decision diagrams, after
//   [BP08] S. Blom, J. van de Pol: Symbolic reachability for process algebras with recursive data
//          types.  ICTAC 2008.
//
// A set is a list of the numbers of tokens that its markings have in the first place, ascending,
// each with the set of what the other places have then. Each list is there once, so a set is its
// number. Nothing is freed before all is.

#include "net/marking_sets.h"

#include <algorithm>
#include <utility>

namespace nestor::net {

namespace {

constexpr std::uint32_t kUnite = 0;
constexpr std::uint32_t kIntersect = 1;
constexpr std::uint32_t kSubtract = 2;
constexpr std::size_t kFirstRoom = std::size_t{1} << 12;
constexpr std::size_t kMostKnown = std::size_t{1} << 23;
constexpr std::size_t kMostSums = std::size_t{1} << 16;
constexpr std::size_t kMostNodes = std::size_t{1} << 31;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b * 0x9e37'79b9'7f4a'7c15U)) * 0xff51'afd7'ed55'8ccdU;
  x ^= x >> 32U;
  x *= 0xc4ce'b9fe'1a85'ec53U;
  return x ^ (x >> 29U);
}

std::uint64_t hash(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return mixed((std::uint64_t{a} << 32U) | b, c);
}

}  // namespace

MarkingSets::MarkingSets() : nodes_(2), table_(kFirstRoom), known_(kFirstRoom) {}

MarkingSets::Set MarkingSets::find_or_add(const Node& node) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(node.tokens, node.below, node.rest) & mask;
  for (; table_[at] != kNone; at = (at + 1) & mask) {
    const Node& other = nodes_[table_[at]];
    if (other.tokens == node.tokens && other.below == node.below && other.rest == node.rest) {
      return table_[at];
    }
  }
  guard_->tick();
  const Set set = static_cast<Set>(nodes_.size());
  base::reserve_one_more(nodes_, *guard_);
  nodes_.push_back(node);
  table_[at] = set;
  if (2 * nodes_.size() > table_.size()) {
    make_room();
  }
  return set;
}

void MarkingSets::make_room() {
  if (nodes_.size() >= kMostNodes) {
    throw base::LimitReached{"too many nodes of decision diagrams"};
  }
  const std::size_t size = 2 * table_.size();
  guard_->reserve(size * sizeof(Set));
  table_.assign(size, kNone);
  for (Set set = 2; set < nodes_.size(); ++set) {
    const Node& node = nodes_[set];
    std::size_t at = hash(node.tokens, node.below, node.rest) & (size - 1);
    while (table_[at] != kNone) {
      at = (at + 1) & (size - 1);
    }
    table_[at] = set;
  }
  if (known_.size() < std::min(size, kMostKnown)) {
    guard_->reserve(2 * known_.size() * sizeof(Known));
    std::vector<Known> before(2 * known_.size());
    before.swap(known_);
    for (const Known& k : before) {
      if (k.operation != Known().operation) {
        known_[slot(k.operation, k.a, k.b)] = k;
      }
    }
  }
}

std::size_t MarkingSets::slot(std::uint32_t operation, Set a, Set b) const {
  return hash(operation, a, b) & (known_.size() - 1);
}

std::optional<MarkingSets::Set> MarkingSets::known(std::uint32_t operation, Set a, Set b) const {
  const Known& k = known_[slot(operation, a, b)];
  return k.operation == operation && k.a == a && k.b == b ? std::optional(k.result) : std::nullopt;
}

MarkingSets::Set MarkingSets::remember(std::uint32_t operation, Set a, Set b, Set result) {
  known_[slot(operation, a, b)] = {operation, a, b, result};
  return result;
}

MarkingSets::Set MarkingSets::end_row(std::size_t first, Set rest) {
  while (rows_.size() > first) {
    Node node = rows_.back();
    rows_.pop_back();
    node.rest = rest;
    rest = find_or_add(node);
  }
  return rest;
}

MarkingSets::Set MarkingSets::below(Set within, std::uint32_t tokens) const {
  if (within == kAll) {
    return kAll;
  }
  while (within != kNone && nodes_[within].tokens < tokens) {
    within = nodes_[within].rest;
  }
  return within != kNone && nodes_[within].tokens == tokens ? nodes_[within].below : kNone;
}

/// Adds to the row what `combine` makes of the places below, for as many tokens as either set has,
/// kNone for one that has not so many; until one ends or both go on alike. What is left of them.
template <class Combine>
std::pair<MarkingSets::Set, MarkingSets::Set> MarkingSets::walk(Set a, Set b, Combine combine) {
  while (a != kNone && b != kNone && a != b) {
    const Node m = nodes_[a];
    const Node n = nodes_[b];
    const bool in_a = m.tokens <= n.tokens;
    const bool in_b = n.tokens <= m.tokens;
    add_to_row(in_a ? m.tokens : n.tokens, combine(in_a ? m.below : kNone, in_b ? n.below : kNone));
    a = in_a ? m.rest : a;
    b = in_b ? n.rest : b;
  }
  return {a, b};
}

MarkingSets::Set MarkingSets::unite(Set a, Set b) {
  if (a == b || b == kNone) {
    return a;
  }
  if (a == kNone) {
    return b;
  }
  if (a > b) {
    std::swap(a, b);
  }
  if (const std::optional<Set> found = known(kUnite, a, b)) {
    return *found;
  }
  guard_->tick();
  const std::size_t row = begin_row();
  const auto [x, y] = walk(a, b, [&](Set m, Set n) { return unite(m, n); });
  return remember(kUnite, a, b, end_row(row, x != kNone ? x : y));
}

MarkingSets::Set MarkingSets::intersect(Set a, Set b) {
  if (a == b || a == kNone || b == kNone) {
    return a == b ? a : kNone;
  }
  if (a > b) {
    std::swap(a, b);
  }
  if (const std::optional<Set> found = known(kIntersect, a, b)) {
    return *found;
  }
  guard_->tick();
  const std::size_t row = begin_row();
  const auto [x, y] = walk(a, b, [&](Set m, Set n) { return intersect(m, n); });
  return remember(kIntersect, a, b, end_row(row, x == y ? x : kNone));
}

MarkingSets::Set MarkingSets::subtract(Set a, Set b) {
  if (a == b || a == kNone) {
    return kNone;
  }
  if (b == kNone) {
    return a;
  }
  if (const std::optional<Set> found = known(kSubtract, a, b)) {
    return *found;
  }
  guard_->tick();
  const std::size_t row = begin_row();
  const auto [x, y] = walk(a, b, [&](Set m, Set n) { return subtract(m, n); });
  return remember(kSubtract, a, b, end_row(row, x == y ? kNone : x));
}

MarkingSets::Set MarkingSets::single(std::span<const std::uint32_t> tokens) {
  Set set = kUnit;
  for (std::size_t level = tokens.size(); level-- > 0;) {
    set = find_or_add({tokens[level], set, kNone});
  }
  return set;
}

bool MarkingSets::contains(Set set, std::span<const std::uint32_t> tokens) const {
  for (const std::uint32_t count : tokens) {
    set = below(set, count);
  }
  return set != kNone;
}

/// Level by level with the sum so far; done as soon as what is left cannot change the outcome.
class MarkingSets::Filter {
 public:
  Filter(MarkingSets& sets, const AtMostZero& comparison)
      : sets_(sets), terms_(comparison.terms), sums_(kMostSums) {
    bool rises = true;
    bool falls = true;
    can_.assign(terms_.size() + 1, {rises, falls});
    for (std::size_t i = terms_.size(); i-- > 0;) {
      rises = rises && terms_[i].factor >= 0;
      falls = falls && terms_[i].factor <= 0;
      can_[i] = {rises, falls};
    }
  }

  /// `next`: the first term that is not above `level`.
  Set keep(Set set, std::size_t level, std::size_t next, std::int64_t sum) {
    if (set == kNone || (can_[next].only_rise && sum > 0)) {
      return kNone;
    }
    if (can_[next].only_fall && sum <= 0) {
      return set;
    }
    Sum& found = sums_[mixed(set, static_cast<std::uint64_t>(sum)) & (kMostSums - 1)];
    if (found.set == set && found.sum == sum) {
      return found.result;
    }
    sets_.guard().tick();
    const bool counts = terms_[next].place.value() == level;
    const std::size_t row = sets_.begin_row();
    for (Set at = set; at != kNone; at = sets_[at].rest) {
      const Node node = sets_[at];
      sets_.add_to_row(node.tokens, keep(node.below, level + 1, next + (counts ? 1 : 0),
                                         counts ? sum + terms_[next].factor * node.tokens : sum));
    }
    const Set result = sets_.end_row(row);
    found = {set, sum, result};
    return result;
  }

 private:
  struct Can {
    bool only_rise = true;
    bool only_fall = true;
  };

  MarkingSets& sets_;
  const std::vector<AtMostZero::Term>& terms_;
  std::vector<Can> can_;  // by the next term: what the sum of the rest can do
  std::vector<Sum> sums_;
};

MarkingSets::Set MarkingSets::satisfying(Set set, const AtMostZero& comparison) {
  return Filter(*this, comparison).keep(set, 0, 0, comparison.constant);
}

}  // namespace nestor::net
