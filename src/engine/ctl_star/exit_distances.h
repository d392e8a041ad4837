#pragma once

#include "engine/ctl_star/product.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace nestor::engine::ctl_star {

/// How many steps it takes from a vertex of a product to leave its frame, for each way that
/// Product::exits() has.
class ExitDistances {
 public:
  using Distance = std::uint32_t;
  static constexpr Distance kTooFar = ~Distance{0};  ///< or no such way
  static constexpr Distance kMostSteps = 20'000'000;

  ExitDistances(const Product& product, base::LimitGuard& guard);

  /// `accepting`: with an accepting transition on the way.
  Distance distance(Product::Vertex v, std::uint32_t bit, bool accepting) const {
    const std::size_t place = place_of(v, bit);
    return place == kNowhere ? kTooFar : distances_[place * 2 + (accepting ? 1 : 0)];
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  struct Item {
    Distance distance = 0;
    Product::Vertex vertex = 0;
    std::uint32_t bit = 0;
    bool accepting = false;

    bool operator>(const Item& other) const { return distance > other.distance; }
  };

  std::size_t place_of(Product::Vertex v, std::uint32_t bit) const;
  void lower(Product::Vertex v, std::uint32_t bit, bool accepting, std::uint64_t distance);
  void spread(const Item& found);
  void spread_from_return(const Item& found);
  void spread_from_entry(const Item& found);

  const Product& product_;
  std::vector<std::size_t> first_;   // by vertex
  std::vector<Distance> distances_;  // of any way, and of one that accepts
  std::vector<Item> queue_;          // a heap
};

}  // namespace nestor::engine::ctl_star
