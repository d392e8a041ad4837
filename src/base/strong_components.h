#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nestor::base {

/// The strongly connected components of a directed graph on the vertices 0, 1, …, size - 1, as far
/// as the searches from some roots see it. Numbered bottom-up: what a component leads to has
/// smaller numbers.
struct StrongComponents {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t count = 0;
  std::vector<std::uint32_t> of;  ///< by vertex; kNone where no search got
};

/// R. Tarjan: Depth-first search and linear graph algorithms. SIAM J. Comput. 1(2), 1972; with a
/// stack of its own, since paths can be long.
///
/// next(v, i) is a successor of v, or kNone when there is no more; i is 0 at first, and next()
/// moves it on as it likes. tick() is called once for each step.
template <class Next, class Tick>
class StrongComponentSearch {
 public:
  StrongComponentSearch(std::size_t size, Next next, Tick tick)
      : next_(next), tick_(tick), number_(size, kNone), lowest_(size, 0) {
    found_.of.assign(size, kNone);
  }

  void search_from(std::uint32_t root) {
    if (number_[root] == kNone) {
      open(root);
    }
    while (!stack_.empty()) {
      tick_();
      Frame& frame = stack_.back();
      const std::uint32_t v = frame.vertex;
      const std::uint32_t to = next_(v, frame.position);
      if (to == kNone) {
        close(v);
      } else if (number_[to] == kNone) {
        open(to);
      } else if (found_.of[to] == kNone) {
        lowest_[v] = std::min(lowest_[v], number_[to]);
      }
    }
  }

  StrongComponents take() { return std::move(found_); }

 private:
  static constexpr std::uint32_t kNone = StrongComponents::kNone;

  struct Frame {
    std::uint32_t vertex = 0;
    std::uint32_t position = 0;
  };

  void open(std::uint32_t v) {
    number_[v] = lowest_[v] = count_++;
    open_.push_back(v);
    stack_.push_back({v});
  }

  void close(std::uint32_t v) {
    if (lowest_[v] == number_[v]) {
      std::uint32_t member = kNone;
      do {
        member = open_.back();
        open_.pop_back();
        found_.of[member] = found_.count;
      } while (member != v);
      ++found_.count;
    }
    stack_.pop_back();
    if (!stack_.empty()) {
      std::uint32_t& below = lowest_[stack_.back().vertex];
      below = std::min(below, lowest_[v]);
    }
  }

  Next next_;
  Tick tick_;
  StrongComponents found_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> lowest_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> stack_;
  std::uint32_t count_ = 0;
};

/// From every vertex.
template <class Next, class Tick>
StrongComponents strong_components(std::size_t size, Next next, Tick tick) {
  StrongComponentSearch<Next, Tick> search(size, next, tick);
  for (std::uint32_t v = 0; v < size; ++v) {
    search.search_from(v);
  }
  return search.take();
}

}  // namespace nestor::base
