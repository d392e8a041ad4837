// Exit summaries of EX, EU and EG: docs/engines.md, "summary".
//
// Each solve is one worklist in bottom-up order: callees before callers and successors before
// predecessors wherever there is no cycle, so what lies on no cycle is computed once, and inside a
// cycle only what a changed row can change is computed again.

#include "engine/summary/solution.h"

#include "base/priority_set.h"
#include "engine/summary/bits.h"

#include <cassert>

namespace nestor::summary {

template <class Word>
Word Solution<Word>::under_context(const ControlFlow& flow, const Instances<Word>& at,
                                   std::uint32_t i, NodeId n,
                                   std::span<const std::uint64_t> context) const {
  Word value = local_at(at, i, n);
  switch (mode) {
    case Reach::Shared: {
      const std::span<const std::uint64_t> exits = flow.exits_from(n);
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

/// Takes rows from a worklist, lowest position first, until no recomputation changes a row.
template <class Word>
template <class Recompute>
void Solver<Word>::iterate(Recompute recompute) {
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
      for_each_dependent(place, again);
    }
  }
}

/// The rows computed from this one: its predecessors; for an entry the call nodes that stand for
/// it; for a return node the call nodes of its box.
template <class Word>
template <class Again>
void Solver<Word>::for_each_dependent(const Place& place, Again again) const {
  const NodeId n = place.node;
  for (const NodeId p : model_.predecessors(n)) {
    again(place.instance, p);
  }
  if (model_.kind(n) == NodeKind::Return) {
    for (const NodeId call : model_.box(model_.box_of(n)).call_nodes()) {
      again(place.instance, call);
    }
  } else if (model_.is_entry(n)) {
    const std::uint32_t e = model_.entry_index(n);
    for (const typename Instances<Word>::Caller& caller : at_.callers(place.instance)) {
      again(caller.instance, model_.box(caller.box).first_call + e);
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

template <class Word>
void Solver<Word>::allocate_reach(Solution<Word>& solution) const {
  std::size_t words = 0;
  for (std::uint32_t i = 0; i < at_.size(); ++i) {
    const std::size_t exits = model_.exits(at_[i].component).size();
    solution.first_reach.push_back(words);
    solution.exit_count.push_back(exits);
    words += exits * model_.component(at_[i].component).nodes().size();
  }
  solution.reach.assign(words, Word());
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
  solution.mode = phi == nullptr ? Solution<Word>::Reach::Shared : Solution<Word>::Reach::Words;
  if (phi != nullptr) {
    allocate_reach(solution);
    iterate([&](const Place& place) { return recompute_reach(place, *phi, solution); });
  }
  solution.local.assign(at_.row_count(), Word());
  iterate([&](const Place& place) { return recompute_local_EU(place, phi, psi, solution); });
  fill_exits_EU(phi, psi, solution);
  return solution;
}

template <class Word>
Solution<Word> Solver<Word>::solve_EF(const Condensation& classes, const std::vector<Word>& psi) {
  Solution<Word> solution;
  solution.op = Op::EU;
  solution.mode = Solution<Word>::Reach::Shared;
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

template <class Word>
bool Solver<Word>::recompute_local_EU(const Place& place, const std::vector<Word>* phi,
                                      const std::vector<Word>& psi,
                                      Solution<Word>& solution) const {
  const std::uint32_t i = place.instance;
  const NodeId n = place.node;
  const NodeKind kind = model_.kind(n);
  Word value;
  if (kind == NodeKind::Call) {
    value = local_of_call(place, solution);
  } else {
    for (const NodeId m : model_.successors(n)) {
      value |= solution.local[at_.row(i, m)];
    }
    if (kind == NodeKind::Plain) {
      const std::size_t row = at_.plain_row(i, n);
      if (phi != nullptr) {
        value &= (*phi)[row];
      }
      value |= psi[row];
    }
  }
  Word& local = solution.local[at_.row(i, n)];
  const bool changed = !(value == local);
  local = value;
  return changed;
}

/// local at a call node: the callee has it by itself, or reaches an exit whose return has it.
template <class Word>
Word Solver<Word>::local_of_call(const Place& place, const Solution<Word>& solution) const {
  const BoxId b = model_.box_of(place.node);
  const NodeId entry = model_.origin(place.node);
  const std::size_t first_return = at_.row(place.instance, model_.box(b).first_return);
  Word after_return;
  if (solution.mode == Solution<Word>::Reach::Shared) {
    for_each_bit(flow_.exits_from(entry),
                 [&](std::size_t y) { after_return |= solution.local[first_return + y]; });
  }
  Word value;
  for (const typename Instances<Word>::Group& group : at_.groups(place.instance, b)) {
    const std::uint32_t j = group.callee;
    Word inside = solution.local[at_.row(j, entry)] | after_return;
    if (solution.mode == Solution<Word>::Reach::Words) {
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

/// The exits that a φ-path reaches, with φ at the exit.
template <class Word>
bool Solver<Word>::recompute_reach(const Place& place, const std::vector<Word>& phi,
                                   Solution<Word>& solution) const {
  const std::uint32_t i = place.instance;
  const NodeId n = place.node;
  const std::size_t exits = solution.exit_count[i];
  const auto row_of = [&](std::uint32_t j, NodeId m) {
    return solution.reach.data() + solution.first_reach[j] +
           (m - at_.first_node(j)) * solution.exit_count[j];
  };
  Word* row = row_of(i, n);
  bool changed = false;
  const auto add = [&changed](Word& to, const Word& value) {
    const Word united = to | value;
    changed = changed || !(united == to);
    to = united;
  };
  if (model_.kind(n) == NodeKind::Call) {
    const BoxId b = model_.box_of(n);
    const NodeId entry = model_.origin(n);
    const NodeId first_return = model_.box(b).first_return;
    for (const typename Instances<Word>::Group& group : at_.groups(i, b)) {
      const Word* inside = row_of(group.callee, entry);
      for (std::size_t y = 0; y < solution.exit_count[group.callee]; ++y) {
        const Word through = inside[y] & group.formulas;
        if (!through.any()) {
          continue;
        }
        const Word* after = row_of(i, first_return + y);
        for (std::size_t x = 0; x < exits; ++x) {
          add(row[x], through & after[x]);
        }
      }
    }
    return changed;
  }
  const bool plain = model_.kind(n) == NodeKind::Plain;
  const Word allowed = plain ? phi[at_.plain_row(i, n)] : at_[i].formulas;
  if (plain && model_.is_exit(n)) {
    add(row[model_.exit_index(n)], allowed);
  }
  for (const NodeId m : model_.successors(n)) {
    const Word* other = row_of(i, m);
    for (std::size_t x = 0; x < exits; ++x) {
      add(row[x], other[x] & allowed);
    }
  }
  return changed;
}

// ---- EG ----

template <class Word>
Solution<Word> Solver<Word>::solve_EG(const std::vector<Word>& phi) {
  Solution<Word> solution;
  solution.op = Op::EG;
  solution.mode = Solution<Word>::Reach::Words;
  allocate_reach(solution);
  iterate([&](const Place& place) { return recompute_reach(place, phi, solution); });
  // Greatest fixpoint: start from everything and take away.
  solution.local.resize(at_.row_count());
  for (const Place& place : at_.bottom_up()) {
    solution.local[at_.row(place.instance, place.node)] = at_[place.instance].formulas;
  }
  iterate([&](const Place& place) { return recompute_local_EG(place, phi, solution); });
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
  Word value;
  if (model_.kind(n) == NodeKind::Call) {
    value = local_of_call(place, solution);
  } else {
    if (model_.is_dead_end(n)) {
      value = at_[i].formulas;
    }
    for (const NodeId m : model_.successors(n)) {
      value |= solution.local[at_.row(i, m)];
    }
    if (model_.kind(n) == NodeKind::Plain) {
      value &= phi[at_.plain_row(i, n)];
    }
  }
  Word& local = solution.local[at_.row(i, n)];
  const bool changed = !(value == local);
  local = value;
  return changed;
}

template struct Solution<Bits<1>>;
template struct Solution<Bits<4>>;
template class Solver<Bits<1>>;
template class Solver<Bits<4>>;

}  // namespace nestor::summary
