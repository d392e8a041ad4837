#pragma once

#include "engine/ctl_star/product.h"

#include <vector>

namespace nestor::engine::ctl_star {

/// Finds the vertices of a product from which a path that is accepted leads, without leaving their
/// frames. The product may be one that finds its vertices only when edges lead to them.
template <class AnyProduct>
class BasicAcceptingSearch {
 public:
  BasicAcceptingSearch(AnyProduct& product, base::LimitGuard& guard);

  /// What lies deeper, or comes when so many vertices are known, is left out.
  struct Bounds {
    std::size_t depth = ~std::size_t{0};
    std::size_t vertices = ~std::size_t{0};
  };
  void set_bounds(const Bounds& bounds) { bounds_ = bounds; }
  /// Something was left out: only what is good is known for sure.
  bool was_cut() const { return was_cut_; }

  /// For one vertex: ends as soon as that is decided.
  bool reaches(Product::Vertex v);
  /// For all vertices, by is_good() afterwards.
  void search_all();
  bool is_good(Product::Vertex v) const { return number(v) == kGood; }

  /// After reaches() was true, with a search and not by what was known before: how it got there.
  struct Open {
    Product::Vertex vertex = 0;
    Product::Position position;
  };
  const std::vector<Open>& path() const { return path_; }
  /// Likewise: vertices that lie on loops with all acceptance sets, the last one of the path among
  /// them; none if the path ends there.
  const std::vector<Product::Vertex>& component() const { return component_; }

 private:
  static constexpr std::uint32_t kNew = 0;
  static constexpr std::uint32_t kGood = ~std::uint32_t{0};
  static constexpr std::uint32_t kBad = kGood - 1;

  struct Root {
    std::uint32_t number = 0;
    Product::Word marks = 0;    // of the edges inside
    Product::Word leading = 0;  // of the edge that led to it
    bool good = false;
    bool loops = false;  // good for the sets seen in it
  };

  std::uint32_t number(Product::Vertex v) const { return v < number_.size() ? number_[v] : kNew; }
  bool search(Product::Vertex root, bool stop);
  void begin(Product::Vertex v, Product::Word leading);
  void close_loop(std::uint32_t number, Product::Word marks);
  void leave();

  AnyProduct& product_;
  base::LimitGuard& guard_;
  Product::Word all_;
  Bounds bounds_;
  bool was_cut_ = false;
  std::vector<std::uint32_t> number_;  // in the order of discovery; kNew, kGood, kBad
  std::uint32_t last_ = 0;
  std::vector<Open> path_;
  std::vector<Root> roots_;
  std::vector<Product::Vertex> stack_;
  std::vector<Product::Vertex> component_;
};

using AcceptingSearch = BasicAcceptingSearch<const Product>;

}  // namespace nestor::engine::ctl_star
