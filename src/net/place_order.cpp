// An order of places in which those of each transition are near to each other, after
//   [AMS03] F. A. Aloul, I. L. Markov, K. A. Sakallah: FORCE: a fast and easy-to-implement
//           variable-ordering heuristic.  GLSVLSI 2003.
//
// Each place moves to the middle of the transitions it belongs to, each transition is in the middle
// of its places, again and again. It begins with the order of the file and with a walk through the
// net; the better end counts.

#include "net/place_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace nestor::net {

namespace {

constexpr std::size_t kRounds = 60;

class Force {
 public:
  Force(const PetriNet& net, base::LimitGuard& guard)
      : net_(net), guard_(guard), transitions_of_(net.place_count()) {
    for (const TransitionId t : net.transitions()) {
      std::vector<PlaceId> places;
      for (const auto* arcs : {&net.transition(t).inputs, &net.transition(t).outputs}) {
        for (const PetriNet::Arc& arc : *arcs) {
          places.push_back(arc.place);
        }
      }
      std::ranges::sort(places);
      places.erase(std::unique(places.begin(), places.end()), places.end());
      for (const PlaceId p : places) {
        transitions_of_[p].push_back(static_cast<std::uint32_t>(places_of_.size()));
      }
      places_of_.push_back(std::move(places));
    }
  }

  std::vector<PlaceId> file_order() const { return {net_.places().begin(), net_.places().end()}; }

  /// Depth first from place to place.
  std::vector<PlaceId> walk() {
    std::vector<PlaceId> order;
    base::IdVector<PlaceId, char> is_met(net_.place_count());
    for (const PlaceId root : net_.places()) {
      std::vector<PlaceId> open = {root};
      while (!open.empty()) {
        const PlaceId p = open.back();
        open.pop_back();
        if (is_met[p]) {
          continue;
        }
        is_met[p] = 1;
        order.push_back(p);
        for (const std::uint32_t t : transitions_of_[p]) {
          guard_.tick(places_of_[t].size());
          std::ranges::copy_if(places_of_[t], std::back_inserter(open),
                               [&](PlaceId q) { return !is_met[q]; });
        }
      }
    }
    return order;
  }

  /// The best order met, and how far apart places of one transition are in it, in all.
  std::pair<std::uint64_t, std::vector<PlaceId>> improved(std::vector<PlaceId> order) {
    std::pair best(spread(order), order);
    for (std::size_t round = 0; round < kRounds; ++round) {
      order = moved(order);
      const std::uint64_t spread = this->spread(order);
      if (spread >= best.first + best.first / 8) {
        break;
      }
      if (spread < best.first) {
        best = {spread, order};
      }
    }
    return best;
  }

 private:
  void number(const std::vector<PlaceId>& order) {
    at_ = base::IdVector<PlaceId, double>(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      at_[order[i]] = static_cast<double>(i);
    }
  }

  std::uint64_t spread(const std::vector<PlaceId>& order) {
    number(order);
    double sum = 0;
    for (const std::vector<PlaceId>& places : places_of_) {
      guard_.tick(1 + places.size() / 4);
      if (!places.empty()) {
        const auto [low, high] = std::ranges::minmax(places, {}, [&](PlaceId p) { return at_[p]; });
        sum += at_[high] - at_[low];
      }
    }
    return static_cast<std::uint64_t>(sum);
  }

  std::vector<PlaceId> moved(const std::vector<PlaceId>& order) {
    number(order);
    std::vector<double> middle;
    for (const std::vector<PlaceId>& places : places_of_) {
      guard_.tick(1 + places.size() / 4);
      double sum = 0;
      for (const PlaceId p : places) {
        sum += at_[p];
      }
      middle.push_back(sum / static_cast<double>(std::max<std::size_t>(1, places.size())));
    }
    base::IdVector<PlaceId, double> to = at_;
    for (const PlaceId p : order) {
      double sum = 0;
      for (const std::uint32_t t : transitions_of_[p]) {
        sum += middle[t];
      }
      to[p] =
          transitions_of_[p].empty() ? to[p] : sum / static_cast<double>(transitions_of_[p].size());
    }
    std::vector<PlaceId> next = order;
    std::ranges::stable_sort(next, {}, [&](PlaceId p) { return to[p]; });
    return next;
  }

  const PetriNet& net_;
  base::LimitGuard& guard_;
  base::IdVector<PlaceId, std::vector<std::uint32_t>> transitions_of_;
  std::vector<std::vector<PlaceId>> places_of_;
  base::IdVector<PlaceId, double> at_;
};

}  // namespace

std::vector<PlaceId> place_order(const PetriNet& net, base::LimitGuard& guard) {
  Force force(net, guard);
  auto a = force.improved(force.file_order());
  auto b = force.improved(force.walk());
  return a.first <= b.first ? std::move(a.second) : std::move(b.second);
}

}  // namespace nestor::net
