// Accepting components of a graph whose edges carry acceptance sets, in one depth-first search,
// after
//   [Cou99] J.-M. Couvreur: On-the-fly verification of linear temporal logic. FM 1999, figure 5.
//
//   paper            here
//   SCC              roots_: one entry a component on the search path, with the sets seen in it
//   Arc              Root::leading: the sets of the edge between two components of the path
//   H                number_
//   todo             path_
//
// Deviations: paths may end (Product::may_end), which decides like an accepting component; and a
// vertex keeps what was found of it, for the next search.

#include "engine/ctl_star/accepting_search.h"

#include "engine/ctl_star/state_product.h"

#include <cassert>

namespace nestor::engine::ctl_star {

template <class AnyProduct>
BasicAcceptingSearch<AnyProduct>::BasicAcceptingSearch(AnyProduct& product, base::LimitGuard& guard)
    : product_(product), guard_(guard), all_(product.all_marks()) {
  guard.reserve(product.size() * sizeof(std::uint32_t));
  number_.assign(product.size(), kNew);
}

template <class AnyProduct>
bool BasicAcceptingSearch<AnyProduct>::reaches(Product::Vertex v) {
  component_.clear();
  path_.clear();
  if (number(v) == kNew) {
    // What an earlier search left open when it ended is begun anew.
    return search(v, true);
  }
  return is_good(v);
}

template <class AnyProduct>
void BasicAcceptingSearch<AnyProduct>::search_all() {
  for (Product::Vertex v = 0; v < product_.size(); ++v) {
    if (number_[v] == kNew) {
      search(v, false);
    }
  }
}

template <class AnyProduct>
void BasicAcceptingSearch<AnyProduct>::begin(Product::Vertex v, Product::Word leading) {
  if (v >= number_.size()) {
    guard_.reserve(sizeof(std::uint32_t) * (v + 1 - number_.size()));
    number_.resize(v + 1, kNew);
  }
  number_[v] = ++last_;
  stack_.push_back(v);
  base::reserve_one_more(path_, guard_);
  path_.push_back({v, {}});
  roots_.push_back({last_, 0, leading, product_.may_end(v), false});
}

template <class AnyProduct>
bool BasicAcceptingSearch<AnyProduct>::search(Product::Vertex root, bool stop) {
  last_ = 0;
  begin(root, 0);
  while (!path_.empty()) {
    guard_.tick();
    if (stop && roots_.back().good) {
      break;
    }
    Product::Edge edge;
    if (!product_.next_edge(path_.back().vertex, path_.back().position, edge)) {
      leave();
      continue;
    }
    const std::uint32_t known = number(edge.to);
    if (known == kNew && (path_.size() >= bounds_.depth || edge.to >= bounds_.vertices)) {
      was_cut_ = true;
    } else if (known == kNew) {
      begin(edge.to, edge.marks);
    } else if (known == kGood) {
      roots_.back().good = true;
    } else if (known != kBad) {
      close_loop(known, edge.marks);
    }
  }
  if (path_.empty()) {
    return is_good(root);
  }
  // All on the stack are begun anew by the next search, except that this one is decided.
  for (std::size_t i = stack_.size(); roots_.back().loops && i-- > 0;) {
    if (number_[stack_[i]] < roots_.back().number) {
      break;
    }
    component_.push_back(stack_[i]);
  }
  for (const Product::Vertex v : stack_) {
    number_[v] = kNew;
  }
  for (const Open& open : path_) {
    number_[open.vertex] = kGood;
  }
  stack_.clear();
  roots_.clear();
  return true;
}

/// All components of the path down to the vertex with this number are one.
template <class AnyProduct>
void BasicAcceptingSearch<AnyProduct>::close_loop(std::uint32_t number, Product::Word marks) {
  bool good = false;
  while (roots_.back().number > number) {
    marks |= roots_.back().marks | roots_.back().leading;
    good = good || roots_.back().good;
    roots_.pop_back();
  }
  Root& root = roots_.back();
  root.marks |= marks;
  root.loops = (root.marks & all_) == all_;
  root.good = root.good || good || root.loops;
}

template <class AnyProduct>
void BasicAcceptingSearch<AnyProduct>::leave() {
  const Product::Vertex v = path_.back().vertex;
  path_.pop_back();
  if (roots_.back().number != number_[v]) {
    return;
  }
  const bool good = roots_.back().good;
  roots_.pop_back();
  Product::Vertex member = 0;
  do {
    member = stack_.back();
    stack_.pop_back();
    number_[member] = good ? kGood : kBad;
  } while (member != v);
  if (!roots_.empty() && good) {
    roots_.back().good = true;
  }
}

template class BasicAcceptingSearch<const Product>;
template class BasicAcceptingSearch<StateProduct>;

}  // namespace nestor::engine::ctl_star
