#include "generate/random_rsm.h"

#include "model/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nestor::generate {

namespace {

using Ref = model::ModelBuilder::Ref;

struct Shape {
  std::vector<std::string> nodes;
  std::vector<bool> is_entry;
  std::vector<bool> is_exit;
  std::vector<std::size_t> callees;  // of its boxes
  std::vector<std::size_t> places;   // of its boxes, if forward: after so many nodes
};

std::size_t share_of(double share, std::size_t count) {
  const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(count)));
  return std::clamp<std::size_t>(wanted, 1, count);
}

/// Marks `wanted` nodes at random, never one that is `taken`, as far as there are any.
std::vector<bool> choose(std::size_t wanted, const std::vector<bool>& taken, base::Random& random) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) {
      candidates.push_back(i);
    }
  }
  std::vector<bool> chosen(taken.size());
  for (; wanted > 0 && !candidates.empty(); --wanted) {
    const std::size_t k = random.below(candidates.size());
    chosen[candidates[k]] = true;
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return chosen;
}

class RsmGenerator {
 public:
  RsmGenerator(const RandomRsmOptions& options, base::Random& random)
      : options_(options), random_(random), builder_("") {}

  model::Rsm run() {
    for (std::size_t c = 0; c < options_.components; ++c) {
      choose_shape(c);
    }
    for (std::size_t c = 0; c < options_.components; ++c) {
      build(c);
    }
    builder_.initial_component(name_of(0));
    if (options_.any_initial_nodes) {
      const std::vector<bool> initial =
          choose(random_.between(1, 2), std::vector<bool>(options_.nodes), random_);
      for (std::size_t n = 0; n < options_.nodes; ++n) {
        if (initial[n]) {
          builder_.initial_node(shapes_[0].nodes[n]);
        }
      }
    }
    return builder_.finish();
  }

 private:
  static std::string name_of(std::size_t component) { return fmt::format("c{}", component); }
  static std::string box_name(std::size_t box) { return fmt::format("b{}", box); }

  void choose_shape(std::size_t c) {
    Shape shape;
    for (std::size_t n = 0; n < options_.nodes; ++n) {
      shape.nodes.push_back(fmt::format("n{}", n));
    }
    const std::vector<bool> none(options_.nodes);
    shape.is_entry = choose(share_of(options_.entries, options_.nodes), none, random_);
    const bool exits = !options_.some_never_exit || random_.chance(0.7);
    shape.is_exit = choose(exits ? share_of(options_.exits, options_.nodes) : 0,
                           options_.entries_may_exit ? none : shape.is_entry, random_);
    const std::size_t first = options_.hierarchical ? c + 1 : 0;
    for (std::size_t b = 0; b < options_.boxes && first < options_.components; ++b) {
      shape.callees.push_back(random_.between(first, options_.components - 1));
      if (options_.forward) {
        shape.places.push_back(random_.between(1, options_.nodes - 1));
      }
    }
    shapes_.push_back(std::move(shape));
  }

  void build(std::size_t c) {
    const Shape& shape = shapes_[c];
    builder_.component(name_of(c));
    for (std::size_t n = 0; n < shape.nodes.size(); ++n) {
      builder_.node(
          {.name = shape.nodes[n], .is_entry = shape.is_entry[n], .is_exit = shape.is_exit[n]});
      for (const LabelShare& label : options_.labels) {
        if (random_.chance(label.share)) {
          builder_.label(label.name);
        }
      }
    }
    for (std::size_t b = 0; b < shape.callees.size(); ++b) {
      builder_.box(box_name(b), name_of(shape.callees[b]));
    }
    collect_targets(shape);
    for (std::size_t n = 0; n < shape.nodes.size(); ++n) {
      if (!shape.is_exit[n]) {
        build_transitions(Ref::node(shape.nodes[n]), node_place(n), true);
      } else if (options_.exits_go_on) {
        build_transitions(Ref::node(shape.nodes[n]), node_place(n), false);
      }
    }
    for (std::size_t b = 0; b < shape.callees.size(); ++b) {
      const Shape& callee = shapes_[shape.callees[b]];
      const std::string box = box_name(b);
      for (std::size_t n = 0; n < callee.nodes.size(); ++n) {
        if (callee.is_exit[n]) {
          build_transitions(Ref::box_node(box, callee.nodes[n]), box_place(shape, b), true);
        }
      }
    }
  }

  struct Target {
    std::string box;  // empty for a plain node
    std::string name;
    std::size_t place = 0;
  };

  /// If forward, transitions lead from smaller to larger places: nodes in their order, boxes
  /// between.
  static std::size_t node_place(std::size_t n) { return 2 * n; }
  std::size_t box_place(const Shape& shape, std::size_t b) const {
    return options_.forward ? 2 * shape.places[b] - 1 : 0;
  }

  void collect_targets(const Shape& shape) {
    targets_.clear();
    for (std::size_t n = 0; n < shape.nodes.size(); ++n) {
      if (!shape.is_entry[n] || options_.into_entries) {
        targets_.push_back({"", shape.nodes[n], node_place(n)});
      }
    }
    for (std::size_t b = 0; b < shape.callees.size(); ++b) {
      const Shape& callee = shapes_[shape.callees[b]];
      for (std::size_t n = 0; n < callee.nodes.size(); ++n) {
        if (callee.is_entry[n]) {
          targets_.push_back({box_name(b), callee.nodes[n], box_place(shape, b)});
        }
      }
    }
  }

  void build_transitions(const Ref& source, std::size_t place, bool needs_one) {
    builder_.source(source);
    bool has_one = false;
    for (const Target& target : targets_) {
      if (random_.chance(options_.density) && (!options_.forward || place < target.place)) {
        add(target);
        has_one = true;
      }
    }
    if (needs_one && !has_one && !options_.dead_ends && !targets_.empty()) {
      add(targets_[random_.below(targets_.size())]);
    }
  }

  void add(const Target& target) {
    builder_.target(target.box.empty() ? Ref::node(target.name)
                                       : Ref::box_node(target.box, target.name));
  }

  const RandomRsmOptions& options_;
  base::Random& random_;
  model::ModelBuilder builder_;
  std::vector<Shape> shapes_;
  std::vector<Target> targets_;  // of the component being built
};

}  // namespace

model::Rsm random_rsm(const RandomRsmOptions& options, base::Random& random) {
  return RsmGenerator(options, random).run();
}

}  // namespace nestor::generate
