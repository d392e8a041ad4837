#pragma once

#include "net/marking_sets.h"
#include "net/petri_net.h"

#include <cstdint>
#include <vector>

namespace nestor::net {

/// The firings of a net as operations on sets of its markings: saturation.cpp.
class Saturation {
 public:
  using Set = MarkingSets::Set;
  enum class Direction : std::uint8_t { Forward, Backward };

  /// `order`: the net's places, level by level.
  Saturation(MarkingSets& sets, const PetriNet& net, const std::vector<PlaceId>& order);

  /// `from` and all that firings lead to from there, or from where they lead to it, on ways within
  /// `within`, of which `from` is a part.
  Set close(Set from, Set within, Direction direction);
  /// Those of `within` from which one firing leads into `to`.
  Set before(Set to, Set within);
  /// Those of `set` in which no transition is enabled.
  Set dead(Set set);

 private:
  /// What a transition does in one place: to so many tokens at least, it adds `change`.
  struct Part {
    std::uint32_t level = 0;
    std::uint32_t needed = 0;
    std::int64_t change = 0;
  };
  /// Firings that look at no level above this one first, and whether they change anything.
  struct Firing {
    std::uint32_t first = 0;  // of parts_, by level, up to one with kEnd
    bool is_idle = false;
  };
  struct Directed {
    std::vector<Firing> firings;
    std::vector<std::vector<std::uint32_t>> by_level;  // firings that change something, their parts
    std::uint32_t close = 0;                           // numbers of operations
    std::uint32_t finish = 0;
  };

  void add(Directed& directed, std::vector<Part> parts);
  template <class Below>
  Set row(Set set, std::uint32_t part, std::uint32_t level, bool fires, Below below);
  Set close(Set from, Set within, std::uint32_t level, const Directed& directed);
  Set finish(Set from, Set within, std::uint32_t level, const Directed& directed);
  Set fire(Set from, Set within, std::uint32_t part, std::uint32_t level, const Directed& directed);
  Set step(Set from, Set within, std::uint32_t part, std::uint32_t level);
  Set enabled(Set set, std::uint32_t part, std::uint32_t level);
  static std::uint32_t changed(std::uint32_t tokens, std::int64_t change);

  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};

  MarkingSets& sets_;
  std::uint32_t levels_;
  std::vector<Part> parts_;
  Directed forward_;
  Directed backward_;
};

}  // namespace nestor::net
