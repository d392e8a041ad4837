// Exit summaries of EX, EU and EG. The numbers are those of the equations of docs/summary.md.

#include "engine/summary/solver.h"

#include "base/debug_assert.h"
#include "engine/summary/bits.h"
#include "engine/summary/solver_blocks.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

/// The operand at a successor: a call node is the callee's entry.
template <class Word>
Word Solver<Word>::operand_at(const std::vector<Word>& operand, std::uint32_t i,
                              model::NodeId successor) const {
  if (model_.kind(successor) == model::NodeKind::Plain) {
    return operand[at_.plain_row(i, successor)];
  }
  Word value;
  const model::NodeId entry = model_.origin(successor);
  for (const typename Instances<Word>::Group& group : at_.groups(i, model_.box_of(successor))) {
    value |= operand[at_.plain_row(group.callee, entry)] & group.formulas;
  }
  return value;
}

template <class Word>
template <class Visible, class Looping>
void Solver<Word>::fill_exits(Solution<Word>& solution, Visible visible, Looping looping) const {
  for (std::uint32_t i = 0; i < at_.size(); ++i) {
    solution.first_exit.push_back(solution.visible.size());
    for (const model::NodeId x : model_.exits(at_[i].component)) {
      const bool live = flow_.is_live(x);
      assert(model_.is_exit(x) && model_.component_of(x) == at_[i].component);
      solution.visible.push_back(live ? visible(i, x) : Word());
      solution.looping.push_back(live ? looping(i, x) : Word());
    }
  }
}

// ---- EX ----

template <class Word>
Solution<Word> Solver<Word>::solve_EX(const std::vector<Word>& phi) {
  Solution<Word> solution;
  solution.op = logic::Op::EX;
  solution.mode = Solution<Word>::Reach::Itself;
  guard_.reserve(at_.row_count() * sizeof(Word));
  solution.local.assign(at_.row_count(), Word());
  for_each_block([&](const Block& block, base::LimitGuard& guard) {
    for (std::uint32_t p = block.first; p < block.last; ++p) {
      guard.tick();
      const Place& place = at_.bottom_up()[p];
      Word& local = solution.local[at_.row(place.instance, place.node)];
      for (const model::NodeId m : model_.successors(place.node)) {
        if (local == at_[place.instance].formulas) {
          break;
        }
        local |= operand_at(phi, place.instance, m);  // (9)
      }
      NESTOR_DEBUG_ASSERT(!without(local, at_[place.instance].formulas).any());  // (18)
    }
  });
  fill_exits(
      solution, [&](std::uint32_t i, model::NodeId) { return at_[i].formulas; },
      [&](std::uint32_t i, model::NodeId x) { return phi[at_.plain_row(i, x)]; });
  return solution;
}

// ---- EU ----

template <class Word>
Solution<Word> Solver<Word>::solve_EU(const std::vector<Word>* phi, const std::vector<Word>& psi) {
  Solution<Word> solution;
  solution.op = logic::Op::EU;
  solution.mode = Solution<Word>::Reach::Sets;
  find_local_EU(phi, psi, solution);
  fill_exits_EU(phi, solution);
  return solution;
}

template <class Word>
Solution<Word> Solver<Word>::solve_EF(const Condensation& classes, const std::vector<Word>& psi) {
  Solution<Word> solution;
  solution.op = logic::Op::EU;
  solution.mode = Solution<Word>::Reach::Sets;
  solution.classes = &classes;
  solution.local.assign(classes.class_count(), Word());
  for (std::uint32_t i = 0; i < at_.size(); ++i) {
    for (const model::NodeId n : model_.component(at_[i].component).plain_nodes()) {
      if (flow_.is_live(n)) {
        solution.local[classes.class_of(n)] |= psi[at_.plain_row(i, n)];
      }
    }
  }
  for (std::size_t c = 0; c < classes.class_count(); ++c) {  // (16)
    guard_.tick();
    for (const std::uint32_t d : classes.successors(c)) {
      NESTOR_DEBUG_ASSERT(d < c);
      solution.local[c] |= solution.local[d];
    }
  }
  // A call has what its callee has, (6): the class of the one is that of the other or comes later.
  NESTOR_DEBUG_ASSERT(std::ranges::all_of(flow_.bottom_up(), [&](model::NodeId n) {
    return model_.kind(n) != model::NodeKind::Call ||
           !without(solution.local[classes.class_of(model_.origin(n))],
                    solution.local[classes.class_of(n)])
                .any();
  }));
  fill_exits_EU(nullptr, solution);
  return solution;
}

template <class Word>
void Solver<Word>::fill_exits_EU(const std::vector<Word>* phi, Solution<Word>& solution) const {
  fill_exits(
      solution,
      [&](std::uint32_t i, model::NodeId x) {
        // Lemma 5: an exit that satisfies f by itself does so whatever comes after; one without φ
        // never.
        const Word& allowed = phi == nullptr ? at_[i].formulas : (*phi)[at_.plain_row(i, x)];
        return without(allowed, solution.local_at(at_, i, x));
      },
      [](std::uint32_t, model::NodeId) { return Word(); });
}

/// local: a φ-path reaches ψ without leaving the frame, (6) and (7). Where φ is not true
/// everywhere, first the paths that no call has to return for, which are most; then reach, only
/// where they do not decide already, (15); then the rest.
template <class Word>
void Solver<Word>::find_local_EU(const std::vector<Word>* phi, const std::vector<Word>& psi,
                                 Solution<Word>& solution) {
  std::vector<Word>& local = solution.local;
  guard_.reserve(at_.row_count() * sizeof(Word));
  local.assign(at_.row_count(), Word());
  const auto allowed = [&](std::uint32_t i, model::NodeId n) -> const Word& {
    return phi != nullptr && model_.kind(n) == model::NodeKind::Plain ? (*phi)[at_.plain_row(i, n)]
                                                                      : at_[i].formulas;
  };
  const auto most = [&](const Place& place) {
    Word value = allowed(place.instance, place.node);
    if (model_.kind(place.node) == model::NodeKind::Plain) {
      value |= psi[at_.plain_row(place.instance, place.node)];
    }
    return value;
  };
  const auto pull = [&](const Place& place, auto call) {
    const std::uint32_t i = place.instance;
    Word& here = local[at_.row(i, place.node)];
    if (model_.kind(place.node) == model::NodeKind::Call) {
      return add(here, call(place, solution));
    }
    const Word before = here;
    const Word all = most(place);
    if (model_.kind(place.node) == model::NodeKind::Plain) {
      here |= psi[at_.plain_row(i, place.node)];  // (7)
    }
    for (const model::NodeId m : model_.successors(place.node)) {
      if (here == all) {
        break;
      }
      here |= local[at_.row(i, m)] & allowed(i, place.node);
    }
    NESTOR_DEBUG_ASSERT(!without(here, all).any());  // what is full stays so
    return !(here == before);
  };
  const auto with_reach = [&](const Place& place) {
    return pull(place, [this](const Place& call, const Solution<Word>& so_far) {
      return local_of_call(call, so_far);
    });
  };
  const auto without_reach = [&](const Place& place) {
    return pull(place, [this](const Place& call, const Solution<Word>& so_far) {
      return local_inside_call(call, so_far);
    });
  };
  const auto is_full = [&](const Place& place) {
    return local[at_.row(place.instance, place.node)] == most(place);
  };
  const auto absorb = [&](std::uint32_t i, model::NodeId p, model::NodeId n) {
    return add(local[at_.row(i, p)], local[at_.row(i, n)] & allowed(i, p));
  };
  if (phi != nullptr) {
    spread(without_reach, is_full, [&](std::uint32_t i, model::NodeId p, model::NodeId n) {
      return model_.kind(p) != model::NodeKind::Call && absorb(i, p, n);
    });
    find_reach(*phi, solution);
  }
  spread(with_reach, is_full, [&](std::uint32_t i, model::NodeId p, model::NodeId n) {
    return model_.kind(p) == model::NodeKind::Call
               ? add(local[at_.row(i, p)], local_through(Place{i, p}, n, solution))
               : absorb(i, p, n);
  });
}

/// The part of local at a call node that one of its return nodes has.
template <class Word>
Word Solver<Word>::local_through(const Place& call, model::NodeId return_node,
                                 const Solution<Word>& solution) const {
  const model::BoxId b = model_.box_of(call.node);
  const model::NodeId entry = model_.origin(call.node);
  const std::size_t y = return_node - model_.box(b).first_return;
  NESTOR_DEBUG_ASSERT(model_.kind(return_node) == model::NodeKind::Return &&
                      model_.box_of(return_node) == b);
  Word value;
  for (const typename Instances<Word>::Group& group : at_.groups(call.instance, b)) {
    const std::uint32_t j = group.callee;
    if (solution.mode == Solution<Word>::Reach::Sets) {
      if (solution.exits_reached(flow_, at_, j, entry).contains(y)) {
        value |= group.formulas;
      }
    } else {
      const std::size_t row =
          solution.first_reach[j] + (entry - at_.first_node(j)) * solution.exit_count[j];
      value |= solution.reach[row + y] & group.formulas;
    }
  }
  return value & solution.local[at_.row(call.instance, return_node)];
}

/// The part of local at a call node that the callee has by itself.
template <class Word>
Word Solver<Word>::local_inside_call(const Place& place, const Solution<Word>& solution) const {
  const model::NodeId entry = model_.origin(place.node);
  Word value;
  for (const typename Instances<Word>::Group& group :
       at_.groups(place.instance, model_.box_of(place.node))) {
    value |= solution.local[at_.row(group.callee, entry)] & group.formulas;
  }
  return value;
}

/// (6): local at a call node: the callee has it by itself, or reaches an exit whose return has it.
template <class Word>
Word Solver<Word>::local_of_call(const Place& place, const Solution<Word>& solution) const {
  const model::BoxId b = model_.box_of(place.node);
  const model::NodeId entry = model_.origin(place.node);
  const std::size_t first_return = at_.row(place.instance, model_.box(b).first_return);
  Word value;
  for (const typename Instances<Word>::Group& group : at_.groups(place.instance, b)) {
    const std::uint32_t j = group.callee;
    Word inside = solution.local[at_.row(j, entry)];
    if (solution.mode == Solution<Word>::Reach::Sets) {
      for_each_bit(solution.exits_reached(flow_, at_, j, entry),
                   [&](std::size_t y) { inside |= solution.local[first_return + y]; });
    } else {
      const std::size_t exits = solution.exit_count[j];
      const Word* reach =
          solution.reach.data() + solution.first_reach[j] + (entry - at_.first_node(j)) * exits;
      for (std::size_t y = 0; y < exits; ++y) {
        inside |= reach[y] & solution.local[first_return + y];
      }
    }
    NESTOR_DEBUG_ASSERT(!(value & group.formulas).any());  // (17)
    value |= inside & group.formulas;
  }
  return value;
}

// ---- EG ----

template <class Word>
Solution<Word> Solver<Word>::solve_EG(const std::vector<Word>& phi) {
  Solution<Word> solution;
  solution.op = logic::Op::EG;
  solution.mode = Solution<Word>::Reach::Sets;
  guard_.reserve(2 * at_.row_count() * sizeof(Word));  // `least` as well
  solution.local.resize(at_.row_count());
  // First with the paths that no call has to return for, (15), as in find_local_EU().
  find_local_EG(phi, nullptr, solution);
  find_reach(phi, solution);
  const std::vector<Word> least = solution.local;
  find_local_EG(phi, &least, solution);
  NESTOR_DEBUG_ASSERT(
      std::ranges::all_of(at_.bottom_up(), [&](const Place& place) {  // local⁰ implies local
        const std::size_t row = at_.row(place.instance, place.node);
        return !without(least[row], solution.local[row]).any();
      }));
  fill_exits(
      solution,
      [&](std::uint32_t i, model::NodeId x) {
        return without(phi[at_.plain_row(i, x)], solution.local[at_.row(i, x)]);
      },
      [&](std::uint32_t i, model::NodeId x) {
        return without(phi[at_.plain_row(i, x)], solution.local[at_.row(i, x)]);
      });
  return solution;
}

/// local: a maximal φ-path that never leaves the frame, or ends in a dead end of it, (6) and (8). A
/// greatest fixpoint: starts from φ and takes away. `least`, where given, is what is true for
/// certain, local⁰ of (15); without it calls are not taken to return.
template <class Word>
void Solver<Word>::find_local_EG(const std::vector<Word>& phi, const std::vector<Word>* least,
                                 Solution<Word>& solution) {
  for (const Place& place : at_.bottom_up()) {
    const bool plain = model_.kind(place.node) == model::NodeKind::Plain;
    solution.local[at_.row(place.instance, place.node)] =
        plain ? phi[at_.plain_row(place.instance, place.node)] : at_[place.instance].formulas;
  }
  const auto is_settled = [&](const Place& place) {
    const std::size_t row = at_.row(place.instance, place.node);
    return least == nullptr ? !solution.local[row].any() : solution.local[row] == (*least)[row];
  };
  take_away(
      [&](const Place& place) { return recompute_local_EG(place, least != nullptr, solution); },
      is_settled);
}

template <class Word>
bool Solver<Word>::recompute_local_EG(const Place& place, bool calls_return,
                                      Solution<Word>& solution) const {
  const std::uint32_t i = place.instance;
  const model::NodeId n = place.node;
  Word& local = solution.local[at_.row(i, n)];
  Word value;
  if (model_.kind(n) == model::NodeKind::Call) {
    value = calls_return ? local_of_call(place, solution) : local_inside_call(place, solution);
  } else {
    if (model_.is_dead_end(n)) {  // or a dead return
      value = local;
    }
    for (const model::NodeId m : model_.successors(n)) {
      if (value == local) {
        break;
      }
      value |= solution.local[at_.row(i, m)] & local;
    }
  }
  NESTOR_DEBUG_ASSERT(!without(value, local).any());  // it only takes away
  const bool changed = !(value == local);
  local = value;
  return changed;
}

template class Solver<FewBits>;
template class Solver<WordBits>;
template class Solver<WideBits>;

}  // namespace nestor::engine::summary
