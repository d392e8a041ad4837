// Exit summaries of EX, EU and EG: docs/engines.md, "summary".
//
// Each solve is one worklist in bottom-up order: callees before callers and successors before
// predecessors wherever there is no cycle, so what lies on no cycle is computed once, and inside a
// cycle only what a changed row can change is looked at again.

#include "engine/summary/solution.h"

#include "base/priority_set.h"
#include "engine/summary/bits.h"

#include <cassert>

namespace nestor::summary {

namespace {
/// True if that was news.
template <class Word>
bool add(Word& to, const Word& more) {
  const Word united = to | more;
  const bool news = !(united == to);
  to = united;
  return news;
}
}  // namespace

template <class Word>
Word Solution<Word>::under_context(const ControlFlow& flow, const Instances<Word>& at,
                                   std::uint32_t i, NodeId n,
                                   std::span<const std::uint64_t> context) const {
  Word value = local_at(at, i, n);
  switch (mode) {
    case Reach::Sets: {
      const std::span<const std::uint64_t> exits = exits_reached(flow, at, i, n);
      for (std::size_t w = 0; w < exits.size(); ++w) {
        if ((exits[w] & context[w]) != 0) {
          return at[i].formulas;
        }
      }
      break;
    }
    case Reach::Itself:
      if (flow.model().is_exit(n)) {
        const std::uint32_t x = flow.model().exit_index(n);
        if ((context[x / 64] >> (x % 64) & 1) != 0) {
          return at[i].formulas;
        }
      }
      break;
    case Reach::Words: {
      const Word* row = reach.data() + first_reach[i] + (n - at.first_node(i)) * exit_count[i];
      for_each_bit(context, [&](std::size_t x) { value |= row[x]; });
      break;
    }
  }
  return value;
}

/// Greatest fixpoints: takes rows from a worklist that begins full, lowest position first, until no
/// recomputation changes a row.
template <class Word>
template <class Recompute>
void Solver<Word>::take_away(Recompute recompute) {
  const std::span<const Place> order = at_.bottom_up();
  PrioritySet work(order.size());
  work.insert_all(order.size());
  const auto again = [&](std::uint32_t i, NodeId n) {
    const std::uint32_t position = at_.position(at_.row(i, n));
    if (position != Instances<Word>::kNowhere) {
      work.insert(position);
    }
  };
  while (!work.empty()) {
    guard_.tick();
    const Place place = order[work.pop_min()];
    if (recompute(place)) {
      for (const NodeId p : model_.predecessors(place.node)) {
        again(place.instance, p);
      }
      for_each_call(place, again);
    }
  }
}

/// Least fixpoints: rows that have something hand it to the rows computed from them, lowest
/// position first, so that a row outside cycles has all it will get when its turn comes. `seed`
/// puts in the first rows; `absorb(i, p, n)` adds what n has to its predecessor p, `recompute`
/// gathers for a call node; both say whether that was news.
template <class Word>
template <class Seed, class Absorb, class Recompute>
void Solver<Word>::spread(Seed seed, Absorb absorb, Recompute recompute) {
  const std::span<const Place> order = at_.bottom_up();
  PrioritySet work(order.size());
  const auto insert = [&](std::uint32_t i, NodeId n) { work.insert(at_.position(at_.row(i, n))); };
  const auto call = [&](std::uint32_t i, NodeId n) {
    if (flow_.is_live(n) && recompute(Place{i, n})) {
      insert(i, n);
    }
  };
  seed(insert);
  while (!work.empty()) {
    guard_.tick();
    const Place place = order[work.pop_min()];
    for (const NodeId p : model_.predecessors(place.node)) {
      if (flow_.is_live(p) && absorb(place.instance, p, place.node)) {
        insert(place.instance, p);
      }
    }
    for_each_call(place, call);
  }
}

/// The call nodes computed from a row: for an entry those that stand for it, for a return node
/// those of its box.
template <class Word>
template <class Visit>
void Solver<Word>::for_each_call(const Place& place, Visit visit) const {
  const NodeId n = place.node;
  if (model_.kind(n) == NodeKind::Return) {
    for (const NodeId call : model_.box(model_.box_of(n)).call_nodes()) {
      visit(place.instance, call);
    }
  } else if (model_.is_entry(n)) {
    const std::uint32_t e = model_.entry_index(n);
    for (const typename Instances<Word>::Caller& caller : at_.callers(place.instance)) {
      visit(caller.instance, model_.box(caller.box).first_call + e);
    }
  }
}

/// The operand at a successor: a call node is the callee's entry.
template <class Word>
Word Solver<Word>::operand_at(const std::vector<Word>& operand, std::uint32_t i,
                              NodeId successor) const {
  if (model_.kind(successor) == NodeKind::Plain) {
    return operand[at_.plain_row(i, successor)];
  }
  Word value;
  const NodeId entry = model_.origin(successor);
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
    for (const NodeId x : model_.exits(at_[i].component)) {
      const bool live = flow_.is_live(x);
      solution.visible.push_back(live ? visible(i, x) : Word());
      solution.looping.push_back(live ? looping(i, x) : Word());
    }
  }
}

// ---- EX ----

template <class Word>
Solution<Word> Solver<Word>::solve_EX(const std::vector<Word>& phi) {
  Solution<Word> solution;
  solution.op = Op::EX;
  solution.mode = Solution<Word>::Reach::Itself;
  solution.local.assign(at_.row_count(), Word());
  for (const Place& place : at_.bottom_up()) {
    guard_.tick();
    Word& local = solution.local[at_.row(place.instance, place.node)];
    for (const NodeId m : model_.successors(place.node)) {
      local |= operand_at(phi, place.instance, m);
    }
  }
  fill_exits(
      solution, [&](std::uint32_t i, NodeId) { return at_[i].formulas; },
      [&](std::uint32_t i, NodeId x) { return phi[at_.plain_row(i, x)]; });
  return solution;
}

// ---- EU ----

template <class Word>
Solution<Word> Solver<Word>::solve_EU(const std::vector<Word>* phi, const std::vector<Word>& psi) {
  Solution<Word> solution;
  solution.op = Op::EU;
  solution.mode = Solution<Word>::Reach::Sets;
  if (phi != nullptr) {
    find_reach(*phi, solution);
  }
  find_local_EU(phi, psi, solution);
  fill_exits_EU(phi, psi, solution);
  return solution;
}

template <class Word>
Solution<Word> Solver<Word>::solve_EF(const Condensation& classes, const std::vector<Word>& psi) {
  Solution<Word> solution;
  solution.op = Op::EU;
  solution.mode = Solution<Word>::Reach::Sets;
  solution.classes = &classes;
  solution.local.assign(classes.class_count(), Word());
  for (std::uint32_t i = 0; i < at_.size(); ++i) {
    for (const NodeId n : model_.component(at_[i].component).plain_nodes()) {
      if (flow_.is_live(n)) {
        solution.local[classes.class_of(n)] |= psi[at_.plain_row(i, n)];
      }
    }
  }
  for (std::size_t c = 0; c < classes.class_count(); ++c) {
    guard_.tick();
    for (const std::uint32_t d : classes.successors(c)) {
      solution.local[c] |= solution.local[d];
    }
  }
  fill_exits_EU(nullptr, psi, solution);
  return solution;
}

template <class Word>
void Solver<Word>::fill_exits_EU(const std::vector<Word>* phi, const std::vector<Word>& psi,
                                 Solution<Word>& solution) const {
  fill_exits(
      solution,
      [&](std::uint32_t i, NodeId x) {
        // An exit where ψ holds satisfies f whatever comes after; one without φ and ψ never does.
        const std::size_t row = at_.plain_row(i, x);
        return without(phi == nullptr ? at_[i].formulas : (*phi)[row], psi[row]);
      },
      [](std::uint32_t, NodeId) { return Word(); });
}

/// local: a φ-path reaches ψ without leaving the frame.
template <class Word>
void Solver<Word>::find_local_EU(const std::vector<Word>* phi, const std::vector<Word>& psi,
                                 Solution<Word>& solution) {
  std::vector<Word>& local = solution.local;
  local.assign(at_.row_count(), Word());
  const auto seed = [&](auto insert) {
    for (const Place& place : at_.bottom_up()) {
      if (model_.kind(place.node) == NodeKind::Plain) {
        const Word& here = psi[at_.plain_row(place.instance, place.node)];
        if (here.any()) {
          local[at_.row(place.instance, place.node)] = here;
          insert(place.instance, place.node);
        }
      }
    }
  };
  const auto absorb = [&](std::uint32_t i, NodeId p, NodeId n) {
    Word more = local[at_.row(i, n)];
    if (phi != nullptr && model_.kind(p) == NodeKind::Plain) {
      more &= (*phi)[at_.plain_row(i, p)];
    }
    return add(local[at_.row(i, p)], more);
  };
  const auto recompute = [&](const Place& place) {
    return add(local[at_.row(place.instance, place.node)], local_of_call(place, solution));
  };
  spread(seed, absorb, recompute);
}

/// local at a call node: the callee has it by itself, or reaches an exit whose return has it.
template <class Word>
Word Solver<Word>::local_of_call(const Place& place, const Solution<Word>& solution) const {
  const BoxId b = model_.box_of(place.node);
  const NodeId entry = model_.origin(place.node);
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
    value |= inside & group.formulas;
  }
  return value;
}

// ---- the exits that a φ-path reaches, with φ at the exit ----

/// For one formula a set of exits a row; for several, for each exit the formulas.
template <class Word>
void Solver<Word>::find_reach(const std::vector<Word>& phi, Solution<Word>& solution) {
  std::size_t size = 0;
  const bool sets = formula_count_ == 1;
  solution.mode = sets ? Solution<Word>::Reach::Sets : Solution<Word>::Reach::Words;
  for (std::uint32_t i = 0; i < at_.size(); ++i) {
    const ComponentId c = at_[i].component;
    solution.first_reach.push_back(size);
    solution.exit_count.push_back(model_.exits(c).size());
    size +=
        model_.component(c).nodes().size() * (sets ? flow_.exit_words(c) : model_.exits(c).size());
  }
  if (sets) {
    solution.sets.assign(size + 1, 0);  // never empty, which would mean the control flow's
    find_reach_sets(phi, solution);
  } else {
    solution.reach.assign(size, Word());
    find_reach_words(phi, solution);
  }
}

template <class Word>
void Solver<Word>::find_reach_sets(const std::vector<Word>& phi, Solution<Word>& solution) {
  const auto set_of = [&](std::uint32_t i, NodeId n) {
    const std::size_t words = flow_.exit_words(at_[i].component);
    return std::span<std::uint64_t>{
        solution.sets.data() + solution.first_reach[i] + (n - at_.first_node(i)) * words, words};
  };
  const auto unite = [](std::span<std::uint64_t> to, std::span<const std::uint64_t> from) {
    std::uint64_t news = 0;
    for (std::size_t w = 0; w < to.size(); ++w) {
      news |= from[w] & ~to[w];
      to[w] |= from[w];
    }
    return news != 0;
  };
  const auto seed = [&](auto insert) {
    for_each_exit(phi, [&](std::uint32_t i, NodeId exit, std::uint32_t x, const Word&) {
      set_of(i, exit)[x / 64] |= std::uint64_t{1} << (x % 64);
      insert(i, exit);
    });
  };
  const auto absorb = [&](std::uint32_t i, NodeId p, NodeId n) {
    if (model_.kind(p) == NodeKind::Plain && !phi[at_.plain_row(i, p)].any()) {
      return false;
    }
    return unite(set_of(i, p), set_of(i, n));
  };
  const auto recompute = [&](const Place& place) {
    const std::uint32_t i = place.instance;
    const BoxId b = model_.box_of(place.node);
    const NodeId first_return = model_.box(b).first_return;
    bool news = false;
    for (const typename Instances<Word>::Group& group : at_.groups(i, b)) {
      for_each_bit(set_of(group.callee, model_.origin(place.node)), [&](std::size_t y) {
        news = unite(set_of(i, place.node), set_of(i, first_return + y)) || news;
      });
    }
    return news;
  };
  spread(seed, absorb, recompute);
}

template <class Word>
void Solver<Word>::find_reach_words(const std::vector<Word>& phi, Solution<Word>& solution) {
  const auto row_of = [&](std::uint32_t i, NodeId n) {
    return solution.reach.data() + solution.first_reach[i] +
           (n - at_.first_node(i)) * solution.exit_count[i];
  };
  const auto seed = [&](auto insert) {
    for_each_exit(phi, [&](std::uint32_t i, NodeId exit, std::uint32_t x, const Word& formulas) {
      row_of(i, exit)[x] = formulas;
      insert(i, exit);
    });
  };
  const auto absorb = [&](std::uint32_t i, NodeId p, NodeId n) {
    const bool plain = model_.kind(p) == NodeKind::Plain;
    const Word& allowed = plain ? phi[at_.plain_row(i, p)] : at_[i].formulas;
    Word* to = row_of(i, p);
    const Word* from = row_of(i, n);
    bool news = false;
    for (std::size_t x = 0; x < solution.exit_count[i]; ++x) {
      news = add(to[x], from[x] & allowed) || news;
    }
    return news;
  };
  const auto recompute = [&](const Place& place) {
    const std::uint32_t i = place.instance;
    const BoxId b = model_.box_of(place.node);
    Word* to = row_of(i, place.node);
    bool news = false;
    for (const typename Instances<Word>::Group& group : at_.groups(i, b)) {
      const Word* inside = row_of(group.callee, model_.origin(place.node));
      for (std::size_t y = 0; y < solution.exit_count[group.callee]; ++y) {
        const Word through = inside[y] & group.formulas;
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
  spread(seed, absorb, recompute);
}

/// The live exits of all instances with the formulas whose φ they satisfy, if any.
template <class Word>
template <class Visit>
void Solver<Word>::for_each_exit(const std::vector<Word>& phi, Visit visit) const {
  for (std::uint32_t i = 0; i < at_.size(); ++i) {
    const std::span<const NodeId> exits = model_.exits(at_[i].component);
    for (std::uint32_t x = 0; x < exits.size(); ++x) {
      const Word& formulas = phi[at_.plain_row(i, exits[x])];
      if (flow_.is_live(exits[x]) && formulas.any()) {
        visit(i, exits[x], x, formulas);
      }
    }
  }
}

// ---- EG ----

template <class Word>
Solution<Word> Solver<Word>::solve_EG(const std::vector<Word>& phi) {
  Solution<Word> solution;
  solution.op = Op::EG;
  find_reach(phi, solution);
  // Greatest fixpoint: start from everything and take away.
  solution.local.resize(at_.row_count());
  for (const Place& place : at_.bottom_up()) {
    solution.local[at_.row(place.instance, place.node)] = at_[place.instance].formulas;
  }
  take_away([&](const Place& place) { return recompute_local_EG(place, phi, solution); });
  fill_exits(
      solution, [&](std::uint32_t i, NodeId x) { return phi[at_.plain_row(i, x)]; },
      [&](std::uint32_t i, NodeId x) { return phi[at_.plain_row(i, x)]; });
  return solution;
}

/// local: a maximal φ-path that never leaves the frame, or ends in a dead end of it.
template <class Word>
bool Solver<Word>::recompute_local_EG(const Place& place, const std::vector<Word>& phi,
                                      Solution<Word>& solution) const {
  const std::uint32_t i = place.instance;
  const NodeId n = place.node;
  Word& local = solution.local[at_.row(i, n)];
  if (!local.any()) {
    return false;  // it only ever shrinks
  }
  Word value;
  if (model_.kind(n) == NodeKind::Call) {
    value = local_of_call(place, solution);
  } else {
    Word allowed = local;
    if (model_.kind(n) == NodeKind::Plain) {
      allowed &= phi[at_.plain_row(i, n)];
    }
    if (model_.is_dead_end(n)) {
      value = allowed;
    }
    for (const NodeId m : model_.successors(n)) {
      if (value == allowed) {
        break;
      }
      value |= solution.local[at_.row(i, m)] & allowed;
    }
  }
  const bool changed = !(value == local);
  local = value;
  return changed;
}

template struct Solution<Bits<1>>;
template struct Solution<Bits<4>>;
template class Solver<Bits<1>>;
template class Solver<Bits<4>>;

}  // namespace nestor::summary
