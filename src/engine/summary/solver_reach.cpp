// (5): the exits that a φ-path reaches inside its frame, calls matched, with φ at the exit.

#include "base/debug_assert.h"
#include "engine/summary/bits.h"
#include "engine/summary/solver_blocks.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

/// For one formula a set of exits a row; for several, for each exit the formulas. Rows are left out
/// where local is true already, as found so far, (15): no context shows there, and a path that
/// passes through such a row makes local true where it begins (lemma 6).
template <class Word>
void Solver<Word>::find_reach(const std::vector<Word>& phi, Solution<Word>& solution) {
  std::size_t size = 0;
  const bool sets = formula_count_ == 1;
  solution.mode = sets ? Solution<Word>::Reach::Sets : Solution<Word>::Reach::Words;
  for (std::uint32_t i = 0; i < at_.size(); ++i) {
    const model::ComponentId c = at_[i].component;
    solution.first_reach.push_back(size);
    solution.exit_count.push_back(model_.exits(c).size());
    assert(flow_.exit_words(c) * 64 >= solution.exit_count.back());
    size +=
        model_.component(c).nodes().size() * (sets ? flow_.exit_words(c) : model_.exits(c).size());
  }
  if (sets) {
    const bool few = flow_.has_few_exits();
    guard_.reserve(ExitBits::bytes(few, size));
    solution.sets = ExitBits(few, size + 1);  // never empty, which would mean the control flow's
    find_reach_sets(phi, solution);
  } else {
    guard_.reserve(size * sizeof(Word));
    solution.reach.assign(size, Word());
    find_reach_words(phi, solution);
  }
  NESTOR_DEBUG_ASSERT(is_reach(phi, solution));
}

/// Nothing is reached without φ, or where local is true already, (15); and only what the control
/// flow reaches.
template <class Word>
bool Solver<Word>::is_reach(const std::vector<Word>& phi, const Solution<Word>& solution) const {
  return std::ranges::all_of(at_.bottom_up(), [&](const Place& place) {
    const auto [i, n] = place;
    const Word allowed = without(
        model_.kind(n) == model::NodeKind::Plain ? phi[at_.plain_row(i, n)] : at_[i].formulas,
        solution.local[at_.row(i, n)]);
    const ExitSet most = flow_.exits_from(n);
    bool right = true;
    if (solution.mode == Solution<Word>::Reach::Sets) {
      for_each_bit(solution.exits_reached(flow_, at_, i, n), [&](std::size_t x) {
        right = right && allowed.any() && most.contains(static_cast<std::uint32_t>(x));
      });
      return right;
    }
    const std::size_t exits = solution.exit_count[i];
    const Word* row =
        solution.reach.data() + solution.first_reach[i] + (n - at_.first_node(i)) * exits;
    for (std::uint32_t x = 0; x < exits; ++x) {
      right = right && !without(row[x], allowed).any() && (!row[x].any() || most.contains(x));
    }
    return right;
  });
}

template <class Word>
void Solver<Word>::find_reach_sets(const std::vector<Word>& phi, Solution<Word>& solution) {
  ExitBits& sets = solution.sets;
  const auto length = [&](std::uint32_t i) { return flow_.exit_words(at_[i].component); };
  const auto place_of = [&](std::uint32_t i, model::NodeId n) {
    return solution.first_reach[i] + (n - at_.first_node(i)) * length(i);
  };
  const auto set_of = [&](std::uint32_t i, model::NodeId n) {
    return sets.at(place_of(i, n), length(i));
  };
  const auto unite = [&](std::uint32_t i, model::NodeId into, model::NodeId from) {
    return sets.unite(place_of(i, into), place_of(i, from), length(i));
  };
  const auto call = [&](const Place& place) {
    const std::uint32_t i = place.instance;
    if (solution.local[at_.row(i, place.node)].any()) {
      return false;
    }
    const model::BoxId b = model_.box_of(place.node);
    const model::NodeId first_return = model_.box(b).first_return;
    bool news = false;
    for (const typename Instances<Word>::Group& group : at_.groups(i, b)) {
      for_each_bit(set_of(group.callee, model_.origin(place.node)),
                   [&](std::size_t y) { news = unite(i, place.node, first_return + y) || news; });
    }
    return news;
  };
  const auto may_pass = [&](std::uint32_t i, model::NodeId n) {
    return !solution.local[at_.row(i, n)].any() &&
           (model_.kind(n) != model::NodeKind::Plain || phi[at_.plain_row(i, n)].any());
  };
  const auto is_full = [&](const Place& place) {
    return !may_pass(place.instance, place.node) ||
           set_of(place.instance, place.node) == flow_.exits_from(place.node);
  };
  const auto pull = [&](const Place& place) {
    const std::uint32_t i = place.instance;
    if (is_full(place)) {
      return false;
    }
    if (model_.kind(place.node) == model::NodeKind::Call) {
      return call(place);
    }
    bool news = model_.is_exit(place.node) &&
                sets.insert(place_of(i, place.node), model_.exit_index(place.node));
    for (const model::NodeId m : model_.successors(place.node)) {
      if (unite(i, place.node, m)) {
        news = true;
        if (is_full(place)) {
          break;
        }
      }
    }
    return news;
  };
  const auto returns = [&](std::uint32_t i, model::NodeId call_node, model::NodeId return_node) {
    const model::BoxId b = model_.box_of(call_node);
    const std::size_t y = return_node - model_.box(b).first_return;
    for (const typename Instances<Word>::Group& group : at_.groups(i, b)) {
      if (set_of(group.callee, model_.origin(call_node)).contains(y)) {
        return true;
      }
    }
    return false;
  };
  const auto absorb = [&](std::uint32_t i, model::NodeId p, model::NodeId n) {
    return may_pass(i, p) && (model_.kind(p) != model::NodeKind::Call || returns(i, p, n)) &&
           unite(i, p, n);
  };
  spread(pull, is_full, absorb);
}

template <class Word>
void Solver<Word>::find_reach_words(const std::vector<Word>& phi, Solution<Word>& solution) {
  const auto row_of = [&](std::uint32_t i, model::NodeId n) {
    return solution.reach.data() + solution.first_reach[i] +
           (n - at_.first_node(i)) * solution.exit_count[i];
  };
  const auto allowed = [&](std::uint32_t i, model::NodeId n) {
    const bool plain = model_.kind(n) == model::NodeKind::Plain;
    return without(plain ? phi[at_.plain_row(i, n)] : at_[i].formulas,
                   solution.local[at_.row(i, n)]);
  };
  const auto call = [&](const Place& place) {
    const std::uint32_t i = place.instance;
    const model::BoxId b = model_.box_of(place.node);
    const Word here = allowed(i, place.node);
    Word* to = row_of(i, place.node);
    bool news = false;
    for (const typename Instances<Word>::Group& group : at_.groups(i, b)) {
      const Word* inside = row_of(group.callee, model_.origin(place.node));
      for (std::size_t y = 0; y < solution.exit_count[group.callee]; ++y) {
        const Word through = inside[y] & group.formulas & here;
        if (!through.any()) {
          continue;
        }
        const Word* after = row_of(i, model_.box(b).first_return + y);
        for (std::size_t x = 0; x < solution.exit_count[i]; ++x) {
          news = add(to[x], through & after[x]) || news;
        }
      }
    }
    return news;
  };
  /// The formulas that get from a call node to one of its return nodes.
  const auto through = [&](std::uint32_t i, model::NodeId call_node, model::NodeId return_node) {
    const model::BoxId b = model_.box_of(call_node);
    const std::size_t y = return_node - model_.box(b).first_return;
    Word formulas;
    for (const typename Instances<Word>::Group& group : at_.groups(i, b)) {
      formulas |= row_of(group.callee, model_.origin(call_node))[y] & group.formulas;
    }
    return formulas;
  };
  const auto absorb = [&](std::uint32_t i, model::NodeId p, model::NodeId n) {
    Word here = allowed(i, p);
    if (model_.kind(p) == model::NodeKind::Call) {
      here &= through(i, p, n);
    }
    Word* to = row_of(i, p);
    const Word* from = row_of(i, n);
    bool news = false;
    for (std::size_t x = 0; x < solution.exit_count[i]; ++x) {
      news = add(to[x], from[x] & here) || news;
    }
    return news;
  };
  const auto is_full = [&](const Place& place) {
    const Word here = allowed(place.instance, place.node);
    const Word* row = row_of(place.instance, place.node);
    bool full = true;
    for_each_bit(flow_.exits_from(place.node),
                 [&](std::size_t x) { full = full && row[x] == here; });
    return full;
  };
  const auto pull = [&](const Place& place) {
    if (model_.kind(place.node) == model::NodeKind::Call) {
      return call(place);
    }
    bool news = false;
    if (model_.is_exit(place.node)) {
      news = add(row_of(place.instance, place.node)[model_.exit_index(place.node)],
                 allowed(place.instance, place.node));
    }
    for (const model::NodeId m : model_.successors(place.node)) {
      news = absorb(place.instance, place.node, m) || news;
    }
    return news;
  };
  spread(pull, is_full, absorb);
}

template void Solver<FewBits>::find_reach(const std::vector<FewBits>&, Solution<FewBits>&);
template void Solver<WordBits>::find_reach(const std::vector<WordBits>&, Solution<WordBits>&);
template void Solver<WideBits>::find_reach(const std::vector<WideBits>&, Solution<WideBits>&);

}  // namespace nestor::engine::summary
