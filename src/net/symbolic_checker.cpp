// Labelling with sets of markings: those that are reachable, then for each subformula those of them
// that satisfy it. After
//   [Bur92] J. R. Burch, E. M. Clarke, K. L. McMillan, D. L. Dill, L. J. Hwang: Symbolic model
//           checking: 10^20 states and beyond.  Information and Computation 98(2), 1992;
// least fixpoints by saturation. Paths are maximal: one that cannot go on ends.

#include "net/symbolic_checker.h"

#include "net/marking_sets.h"
#include "net/place_order.h"
#include "net/saturation.h"

#include <map>
#include <utility>
#include <vector>

namespace nestor::net {

namespace {

using Op = NetFormulas::Op;
using Set = MarkingSets::Set;

// Each level is a few calls on the C++ stack.
constexpr std::size_t kMostPlaces = 4'000;

}  // namespace

/// The net's markings, and a place's level, written as a place, as comparisons have it.
struct SymbolicChecker::Markings {
  Markings(const PetriNet& net, base::LimitGuard& guard)
      : order(place_order(net, guard)), level(net.place_count()), firings(sets, net, order) {
    sets.watch(guard);
    for (const PlaceId p : order) {
      level[p] = PlaceId(initial.size());
      initial.push_back(net.place(p).tokens);
    }
    reachable =
        firings.close(sets.single(initial), MarkingSets::kAll, Saturation::Direction::Forward);
    dead = firings.dead(reachable);
  }

  MarkingSets sets;
  std::vector<PlaceId> order;
  base::IdVector<PlaceId, PlaceId> level;
  Saturation firings;
  std::vector<std::uint32_t> initial;  // by level
  Set reachable = MarkingSets::kNone;
  Set dead = MarkingSets::kNone;
};

namespace {

template <class Markings>
class Labelling {
 public:
  Labelling(Markings& markings, const NetFormulas& formulas)
      : markings_(markings), sets_(markings.sets), formulas_(formulas) {}

  bool holds(NetNodeId root) {
    std::map<NetNodeId, Set> values;
    for (const NetNodeId f : formulas_.below(root)) {
      const NetFormulas::Node& node = formulas_[f];
      std::vector<Set> operands;
      for (const NetNodeId g : node.operands) {
        operands.push_back(values.at(g));
      }
      values[f] = value(f, operands);
    }
    return sets_.contains(values.at(root), markings_.initial);
  }

 private:
  Set value(NetNodeId f, const std::vector<Set>& operands) {
    switch (formulas_[f].op) {
      case Op::True:
        return markings_.reachable;
      case Op::False:
        return MarkingSets::kNone;
      case Op::Atom:
        return atom(formulas_.comparison(f));
      case Op::Dead:
        return markings_.dead;
      case Op::Alive:
        return without(markings_.dead);
      case Op::And:
      case Op::Or:
        return joined(formulas_[f].op, operands);
      case Op::EX:
        return before(operands[0], markings_.reachable);
      case Op::AX:
        return without(before(without(operands[0]), markings_.reachable));
      case Op::EU:
        return until(operands[0], operands[1]);
      case Op::EW:
        return weak_until(operands[0], operands[1]);
      case Op::AU:  // A φ U ψ = ¬E ¬ψ W (¬φ ∧ ¬ψ), and likewise
        return without(
            weak_until(without(operands[1]), without(sets_.unite(operands[0], operands[1]))));
      case Op::AW:
        return without(until(without(operands[1]), without(sets_.unite(operands[0], operands[1]))));
    }
    return MarkingSets::kNone;
  }

  Set atom(AtMostZero comparison) {
    for (AtMostZero::Term& term : comparison.terms) {
      term.place = markings_.level[term.place];
    }
    return sets_.satisfying(markings_.reachable,
                            at_most_zero(comparison.terms, comparison.constant));
  }

  Set joined(Op op, const std::vector<Set>& operands) {
    Set all = operands[0];
    for (const Set set : operands) {
      all = op == Op::And ? sets_.intersect(all, set) : sets_.unite(all, set);
    }
    return all;
  }

  Set without(Set set) { return sets_.subtract(markings_.reachable, set); }
  Set before(Set to, Set within) { return markings_.firings.before(to, within); }

  Set until(Set left, Set right) {
    return markings_.firings.close(right, sets_.unite(left, right),
                                   Saturation::Direction::Backward);
  }

  /// The greatest set of which each marking satisfies ψ, or φ and is dead or has a successor in it.
  Set weak_until(Set left, Set right) {
    const Set ended = sets_.unite(right, sets_.intersect(left, markings_.dead));
    Set all = sets_.unite(left, right);
    for (Set last = MarkingSets::kNone; last != all;) {
      last = all;
      all = sets_.unite(ended, before(all, sets_.intersect(all, left)));
    }
    return all;
  }

  Markings& markings_;
  MarkingSets& sets_;
  const NetFormulas& formulas_;
};

}  // namespace

SymbolicChecker::SymbolicChecker(PetriNet net) : net_(std::move(net)) {}
SymbolicChecker::~SymbolicChecker() = default;

void SymbolicChecker::explore(const base::Limits& limits) {
  if (markings_ != nullptr) {
    return;
  }
  if (net_.place_count() > kMostPlaces) {
    reason_ = "too many places for decision diagrams";
  }
  if (!reason_.empty()) {
    throw base::LimitReached{reason_};
  }
  reason_ = "out of memory";  // if it is something else, it is said
  try {
    base::LimitGuard guard(limits);
    markings_ = std::make_unique<Markings>(net_, guard);
  } catch (const base::LimitReached& limit) {
    reason_ = limit.reason;
    throw;
  }
}

bool SymbolicChecker::holds(const NetFormulas& formulas, NetNodeId root,
                            const base::Limits& limits) {
  explore(limits);
  base::LimitGuard guard(limits);
  markings_->sets.watch(guard);
  return Labelling<Markings>(*markings_, formulas).holds(root);
}

}  // namespace nestor::net
