#include "engine/labelling/fair_paths.h"

#include "base/error.h"

#include <algorithm>
#include <unordered_map>

namespace nestor::engine::labelling {

base::BitSet FairPaths::by_state(const base::BitSet& nodes) const {
  base::BitSet states(graph_.size());
  nodes.for_each([&](std::size_t n) { states.set(state(n)); });
  return states;
}

std::uint32_t FairPaths::marks(std::size_t from, std::size_t to) const {
  const std::span<const std::uint32_t> successors = graph_.successors(from);
  const auto place = std::find(successors.begin(), successors.end(), to);
  return fairness_.marks_of(
      graph_.model(), graph_.node(from))[static_cast<std::size_t>(place - successors.begin())];
}

/// Goes on from the end of `path`, by at least one step and as few as possible, until
/// `is_last(from, place of the step)`. All states but the one that is reached are `inside`. False
/// if there is no such path.
template <class IsLast>
bool FairPaths::append_path(const base::BitSet& inside, IsLast is_last,
                            std::vector<std::size_t>& path) {
  std::unordered_map<std::size_t, std::size_t> parent;
  std::vector<std::size_t> queue{path.back()};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::size_t s = queue[next];
    const std::span<const std::uint32_t> successors = graph_.successors(s);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      guard_.tick();
      const std::size_t t = successors[i];
      if (is_last(s, i)) {
        std::vector<std::size_t> back{t};
        for (std::size_t at = s; at != queue.front(); at = parent.at(at)) {
          back.push_back(at);
        }
        path.insert(path.end(), back.rbegin(), back.rend());
        return true;
      }
      if (inside.test(t) && t != queue.front() && parent.try_emplace(t, s).second) {
        queue.push_back(t);
      }
    }
  }
  return false;
}

const base::BitSet& FairPaths::forever(const base::BitSet& along) {
  if (forever_.size() == 0 || along != along_) {
    along_ = along;
    forever_ = fair_.eg(along);
  }
  return forever_;
}

bool FairPaths::append_lasso(const base::BitSet& inside, std::vector<std::size_t>& path,
                             std::size_t& loop) {
  const std::uint32_t all = ~std::uint32_t{0} >> (32 - fairness_.constraints);
  for (;;) {
    loop = path.size() - 1;
    const std::size_t begin = path.back();
    std::uint32_t missing = all;
    while (missing != 0) {
      const std::size_t before = path.size();
      const bool found = append_path(
          inside,
          [&](std::size_t s, std::size_t i) {
            return (fairness_.marks_of(graph_.model(), graph_.node(s))[i] & missing) != 0 &&
                   inside.test(graph_.successors(s)[i]);
          },
          path);
      if (!found) {
        return false;
      }
      for (std::size_t i = before; i < path.size(); ++i) {
        missing &= ~marks(path[i - 1], path[i]);
      }
    }
    if (path.back() == begin ||
        append_path(
            inside, [&](std::size_t s, std::size_t i) { return graph_.successors(s)[i] == begin; },
            path)) {
      return true;
    }
  }
}

explain::FinitePaths::Found FairPaths::find(const Wanted& wanted, std::size_t start) {
  const base::BitSet along = by_state(wanted.along);
  std::vector<std::size_t> path{state(start)};
  Found found;
  bool is_found = false;
  if (wanted.may_reach) {
    const auto is_end = [&](std::size_t s) { return wanted.end.test(node(s)) && counts(node(s)); };
    is_found =
        is_end(path.front()) ||
        (along.test(path.front()) &&
         append_path(
             along, [&](std::size_t s, std::size_t i) { return is_end(graph_.successors(s)[i]); },
             path));
  }
  if (!is_found) {
    NESTOR_CHECK(wanted.may_stay);
    found.ending = witness::Evidence::Ending::Loop;
    is_found = append_lasso(forever(along), path, found.loop);
  }
  NESTOR_CHECK(is_found);
  for (const std::size_t s : path) {
    found.nodes.push_back(node(s));
  }
  return found;
}

}  // namespace nestor::engine::labelling
