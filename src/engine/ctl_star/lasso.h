#pragma once

#include "engine/ctl_star/accepting_search.h"
#include "engine/ctl_star/exit_distances.h"
#include "engine/ctl_star/product.h"
#include "model/state.h"
#include "witness/witness.h"

#include <functional>
#include <unordered_set>
#include <vector>

namespace nestor::engine::ctl_star {

/// A path of the machine that the automaton of a product accepts: to a dead end, or to a loop. The
/// way there is a shortest one; so are the pieces of the loop.
class Lasso {
 public:
  Lasso(const Product& product, base::LimitGuard& guard)
      : product_(product), guard_(guard), distances_(product, guard) {}

  /// From a vertex under the empty stack, where `search` has just found that there is one. Fills
  /// the evidence's path. Throws LimitReached if it is too long to be shown.
  void find(Product::Vertex from, const AcceptingSearch& search, model::StackTable& stacks,
            model::StateIndex& states, witness::Evidence& evidence);

 private:
  /// An edge of the product. One that passes a call may do so with an accepting transition or not.
  struct Leg {
    Product::Vertex from = 0;
    Product::Edge edge;
    std::uint64_t length = 0;
  };
  using Component = std::unordered_set<Product::Vertex>;
  using VertexGoal = std::function<bool(Product::Vertex)>;
  using LegGoal = std::function<bool(const Leg&)>;

  /// A shortest way to a vertex or along a leg that is a goal; it is known that there is one. With
  /// a component, the way does not leave it.
  std::vector<Leg> way(Product::Vertex from, const Component* within, const VertexGoal& is_end,
                       const LegGoal& is_last);
  std::vector<Leg> loop(Product::Vertex from, const Component& component);
  void add_legs(Product::Vertex v, std::vector<Leg>& legs) const;
  bool is_plain(Product::Vertex v) const {
    return product_.graph().model().kind(product_.node(v)) == model::NodeKind::Plain;
  }

  const Product& product_;
  base::LimitGuard& guard_;
  ExitDistances distances_;
};

}  // namespace nestor::engine::ctl_star
