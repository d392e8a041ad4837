// Place invariants: sums of tokens, each times a factor, that no firing changes (K. Lautenbach
// 1973; T. Murata, Proc. IEEE 77(4), 1989). They are what the rows of the incidence matrix, one a
// place, add up to nothing by; so a place whose row is a sum of others' rows follows from these.
//
// Rows are brought into echelon form one after the other, in integers: what is left of a row is
// kept with the sum that it is. If nothing is left, that sum is an invariant. Numbers and sums that
// grow large are given up, and the place is taken as one that follows from nothing.

#include "net/implied_places.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace nestor::net {

namespace {

// So that a sum of so many terms, with tokens of 32 bits, stays far below 64 bits.
constexpr std::int64_t kLargestFactor = std::int64_t{1} << 20;
constexpr std::size_t kMostTerms = 64;
constexpr std::size_t kMostWork = 30'000'000;  // entries of rows

/// Entries that are not 0, by number.
using Row = std::vector<std::pair<std::uint32_t, std::int64_t>>;

struct Sum {
  Row effect;  // of each transition on the sum
  Row places;  // and how often each place is in it
};

/// The sum of two rows, each times a factor; nothing if a number is too large.
std::optional<Row> add(const Row& a, std::int64_t times_a, const Row& b, std::int64_t times_b) {
  Row sum;
  sum.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    const bool takes_a = i != a.end() && (j == b.end() || i->first <= j->first);
    const bool takes_b = j != b.end() && (i == a.end() || j->first <= i->first);
    const std::uint32_t number = takes_a ? i->first : j->first;
    const std::int64_t value =
        (takes_a ? times_a * i->second : 0) + (takes_b ? times_b * j->second : 0);
    if (std::abs(value) > kLargestFactor) {
      return std::nullopt;
    }
    if (value != 0) {
      sum.emplace_back(number, value);
    }
    i += takes_a ? 1 : 0;
    j += takes_b ? 1 : 0;
  }
  return sum;
}

class Elimination {
 public:
  Elimination(const PetriNet& net, base::LimitGuard& guard)
      : net_(net), guard_(guard), effects_(net.place_count()), pivots_(net.transition_count()) {
    for (const TransitionId t : net.transitions()) {
      for (const PetriNet::Arc& arc : net.transition(t).outputs) {
        change(arc.place, t, arc.weight);
      }
      for (const PetriNet::Arc& arc : net.transition(t).inputs) {
        change(arc.place, t, -std::int64_t{arc.weight});
      }
    }
  }

  std::size_t arcs(PlaceId p) const { return effects_[p].size(); }
  bool is_over() const { return work_ > kMostWork; }

  /// How often each place is in a sum that no firing changes and that has `p`; nothing if there is
  /// none of places that were asked about before, and then `p` is one that others may follow from.
  std::optional<Row> invariant_with(PlaceId p) {
    Sum sum{std::move(effects_[p]), {{p.value(), 1}}};
    const auto is_large = [](const auto& entry) { return std::abs(entry.second) > kLargestFactor; };
    if (std::ranges::any_of(sum.effect, is_large)) {
      return std::nullopt;
    }
    while (!sum.effect.empty()) {
      const TransitionId t(sum.effect.front().first);
      if (pivots_[t].effect.empty()) {
        pivots_[t] = std::move(sum);
        return std::nullopt;
      }
      if (!take_out(sum, pivots_[t])) {
        return std::nullopt;
      }
    }
    return std::move(sum.places);
  }

 private:
  void change(PlaceId p, TransitionId t, std::int64_t by) {
    Row& row = effects_[p];
    if (row.empty() || row.back().first != t.value()) {
      row.emplace_back(t.value(), 0);
    }
    row.back().second += by;
    if (row.back().second == 0) {
      row.pop_back();
    }
  }

  /// Adds the pivot so often that the first entries cancel out. False if that grows too large.
  bool take_out(Sum& sum, const Sum& pivot) {
    const std::size_t work =
        sum.effect.size() + sum.places.size() + pivot.effect.size() + pivot.places.size();
    guard_.tick(1 + work / 16);
    work_ += work;
    const std::int64_t here = sum.effect.front().second;
    const std::int64_t there = pivot.effect.front().second;
    const std::int64_t common = std::gcd(here, there);
    std::optional<Row> effect = add(sum.effect, there / common, pivot.effect, -here / common);
    std::optional<Row> places = add(sum.places, there / common, pivot.places, -here / common);
    if (!effect || !places || is_over()) {
      return false;
    }
    std::int64_t divisor = 0;
    for (const Row* const row : {&*effect, &*places}) {
      for (const auto& [number, value] : *row) {
        divisor = std::gcd(divisor, value);
      }
    }
    for (Row* const row : {&*effect, &*places}) {
      for (auto& [number, value] : *row) {
        value /= divisor;
      }
    }
    sum = {std::move(*effect), std::move(*places)};
    return true;
  }

  const PetriNet& net_;
  base::LimitGuard& guard_;
  base::IdVector<PlaceId, Row> effects_;      // of places that were not asked about yet
  base::IdVector<TransitionId, Sum> pivots_;  // by the first transition that changes them
  std::size_t work_ = 0;
};

/// `invariant` solved for one of its places.
ImpliedTokens solved(const PetriNet& net, const Row& invariant, PlaceId p) {
  ImpliedTokens tokens;
  for (const auto& [place, factor] : invariant) {
    tokens.constant += factor * net.place(PlaceId(place)).tokens;
    if (place == p.value()) {
      tokens.divisor = factor;
    } else {
      tokens.terms.push_back({PlaceId(place), -factor});
    }
  }
  if (tokens.divisor < 0) {
    tokens.divisor = -tokens.divisor;
    tokens.constant = -tokens.constant;
    for (ImpliedTokens::Term& term : tokens.terms) {
      term.factor = -term.factor;
    }
  }
  return tokens;
}

}  // namespace

ImpliedPlaces implied_places(const PetriNet& net,
                             const base::IdVector<PlaceId, std::uint32_t>& most,
                             base::LimitGuard& guard) {
  Elimination elimination(net, guard);
  // What comes last follows from what came before. A place with many arcs is often what a net
  // counts others by, so that short sums come of it.
  std::vector<PlaceId> order(net.places().begin(), net.places().end());
  std::ranges::stable_sort(order, {}, [&](PlaceId p) {
    return std::tuple(base::bits_for(most[p]), elimination.arcs(p));
  });
  ImpliedPlaces implied;
  for (const PlaceId p : order) {
    if (elimination.is_over()) {
      break;
    }
    const std::optional<Row> invariant = elimination.invariant_with(p);
    if (invariant && invariant->size() <= kMostTerms) {
      implied.emplace(p, solved(net, *invariant, p));
    }
  }
  return implied;
}

ImpliedFields::ImpliedFields(const ImpliedPlaces& implied, const Fields& fields)
    : row_of_(fields.size()) {
  const auto end = [&] { return static_cast<std::uint32_t>(terms_.size()); };
  for (const auto& [p, tokens] : implied) {
    row_of_[p] = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back({fields[p], end(), tokens.constant, tokens.divisor});
    for (const ImpliedTokens::Term& term : tokens.terms) {
      terms_.push_back({fields[term.place], term.factor});
    }
  }
  rows_.push_back({{}, end()});
}

}  // namespace nestor::net
