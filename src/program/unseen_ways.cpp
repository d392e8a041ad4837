#include "program/unseen_ways.h"

#include <algorithm>

namespace nestor::program {

namespace {

constexpr std::uint32_t kNotOnWay = UINT32_MAX;

/// The ways between two points, beside one of them that is as short as any.
class Ways {
 public:
  Ways(const PointFlow& flow, std::vector<std::uint32_t> way, std::vector<std::uint8_t> inside,
       bool passes_ends)
      : flow_(flow),
        way_(std::move(way)),
        inside_(std::move(inside)),
        place_(inside_.size(), kNotOnWay),
        found_from_(inside_.size(), kNotOnWay),
        blurred_(way_.size(), 0),
        beside_(way_.size()) {
    const auto last = static_cast<std::uint32_t>(way_.size() - 1);
    for (std::uint32_t i = passes_ends ? 0 : 1; i < last; ++i) {
      place_[way_[i]] = i;
    }
    place_[way_[last]] = last;
    for (std::uint32_t i = 0; i < last + (passes_ends ? 1 : 0); ++i) {
      look_beside(i);
    }
  }

  /// A point of the way is sure if no other way leads around it and none back over it.
  std::vector<UnseenWays::Item> items() const {
    std::vector<UnseenWays::Item> items;
    for (std::size_t i = 0; i < way_.size(); ++i) {
      const bool is_end = i == 0 || i + 1 == way_.size();
      if (!is_end || blurred_[i] != 0) {
        items.push_back({way_[i], blurred_[i] == 0});
      }
      for (const std::uint32_t point : beside_[i]) {
        items.push_back({point, false});
      }
    }
    return items;
  }

 private:
  void look_beside(std::uint32_t i) {
    std::vector<std::uint32_t> work = {way_[i]};
    while (!work.empty()) {
      const std::uint32_t from = work.back();
      work.pop_back();
      for (const std::uint32_t to : flow_.next(from)) {
        if (place_[to] != kNotOnWay) {
          meet(i, place_[to]);
        } else if (inside_[to] == 0) {
          continue;
        } else if (found_from_[to] == kNotOnWay) {
          found_from_[to] = i;
          beside_[i].push_back(to);
          work.push_back(to);
        } else if (found_from_[to] < i) {
          blur(found_from_[to], i);  // beside the way from an earlier point on
        }
      }
    }
  }

  void meet(std::uint32_t i, std::uint32_t at) {
    if (at <= i) {
      blur(at, i);  // a loop
    } else if (at > i + 1) {
      blur(i + 1, at - 1);
    }
  }

  void blur(std::uint32_t first, std::uint32_t last) {
    std::fill(blurred_.begin() + first, blurred_.begin() + last + 1, std::uint8_t{1});
  }

  const PointFlow& flow_;
  std::vector<std::uint32_t> way_;
  std::vector<std::uint8_t> inside_;  // by point: on some way
  std::vector<std::uint32_t> place_;  // by point: on the shortest way
  std::vector<std::uint32_t> found_from_;
  std::vector<std::uint8_t> blurred_;  // by place on the way
  std::vector<std::vector<std::uint32_t>> beside_;
};

}  // namespace

PointFlow::PointFlow(const Function& function)
    : next_(function.points.size()), before_(function.points.size()) {
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    const Point& point = function.points[p];
    const auto add = [&](std::uint32_t to) {
      if (std::find(next_[p].begin(), next_[p].end(), to) == next_[p].end()) {
        next_[p].push_back(to);
        before_[to].push_back(p);
      }
    };
    std::for_each(point.next.begin(), point.next.end(), add);
    if (point.unwind != UINT32_MAX) {
      add(point.unwind);
    }
    if (!point.targets.empty()) {
      add(unwind_target(point));
      add(function.longjmp_target);
      if (point.repeats) {
        add(p);
      }
    }
  }
}

UnseenWays PointFlow::between(std::uint32_t from, std::uint32_t to,
                              const std::vector<std::uint8_t>* shown) const {
  const auto is_shown = [&](std::uint32_t p) { return shown != nullptr && (*shown)[p] != 0; };
  if (std::all_of(next_[from].begin(), next_[from].end(),
                  [&](std::uint32_t p) { return shown != nullptr && (p == to || is_shown(p)); }) &&
      std::find(next_[from].begin(), next_[from].end(), to) != next_[from].end()) {
    return {};
  }
  std::vector<std::uint32_t> came(next_.size(), kNotOnWay);
  std::vector<std::uint32_t> work = {from};
  for (std::size_t i = 0; i < work.size(); ++i) {
    for (const std::uint32_t p : next_[work[i]]) {
      if (came[p] == kNotOnWay) {
        came[p] = work[i];
        if (!is_shown(p) && p != to && p != from) {
          work.push_back(p);
        }
      }
    }
  }
  UnseenWays ways;
  if (came[to] == kNotOnWay) {
    ways.is_unknown = true;
    return ways;
  }
  std::vector<std::uint32_t> way = {to};
  do {
    way.push_back(came[way.back()]);
  } while (way.back() != from);
  std::reverse(way.begin(), way.end());
  // What can be passed on the way there: found from the other end.
  std::vector<std::uint8_t> inside(next_.size(), 0);
  work = {to};
  for (std::size_t i = 0; i < work.size(); ++i) {
    for (const std::uint32_t p : before_[work[i]]) {
      if (inside[p] == 0 && !is_shown(p)) {
        inside[p] = 1;
        work.push_back(p);
      }
    }
  }
  ways.items = Ways(*this, std::move(way), std::move(inside), shown == nullptr).items();
  return ways;
}

}  // namespace nestor::program
