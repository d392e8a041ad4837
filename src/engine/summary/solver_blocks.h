#pragma once

// How fixpoints go through the rows of a level: the templates of Solver that its parts share.

#include "base/priority_set.h"
#include "engine/summary/solver.h"

#include <tbb/task_group.h>

#include <atomic>

namespace nestor::summary {

/// Calls work(block, guard) for each block after all blocks that it calls.
template <class Word>
template <class Work>
void Solver<Word>::for_each_block(Work work) {
  constexpr std::size_t kRowsWorthThreads = 20000;
  const std::span<const Block> blocks = at_.blocks();
  if (jobs_ < 2 || blocks.size() < 2 || at_.bottom_up().size() < kRowsWorthThreads) {
    for (const Block& block : blocks) {
      work(block, guard_);
    }
    return;
  }
  std::vector<std::atomic<std::uint32_t>> waiting(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    waiting[b].store(blocks[b].callees, std::memory_order_relaxed);
  }
  tbb::task_group tasks;
  // A task goes on with the first caller that it frees and leaves the others to be picked up.
  const auto run = [&](const auto& self, std::uint32_t b) -> void {
    LimitGuard guard = guard_;
    while (b != Instances<Word>::kNowhere) {
      work(blocks[b], guard);
      std::uint32_t next = Instances<Word>::kNowhere;
      for (const std::uint32_t caller : blocks[b].callers) {
        if (waiting[caller].fetch_sub(1, std::memory_order_acq_rel) == 1) {
          if (next == Instances<Word>::kNowhere) {
            next = caller;
          } else {
            tasks.run([&self, caller] { self(self, caller); });
          }
        }
      }
      b = next;
    }
  };
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].callees == 0) {
      tasks.run([&run, b] { run(run, b); });
    }
  }
  tasks.wait();
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

/// Least fixpoints: rows that have something hand it to the rows computed from them, lowest
/// position first, so that a row outside cycles has all it will get when its turn comes.
/// `seed(place)` gives a row what it has from the start, or for a call node what its callee and its
/// return nodes have by now; `absorb(i, p, n)` adds what n has to its predecessor p. Both say
/// whether that was news.
template <class Word>
template <class Seed, class Absorb>
void Solver<Word>::spread(Seed seed, Absorb absorb) {
  for_each_block([&](const Block& block, LimitGuard& guard) {
    const std::span<const Place> order = at_.bottom_up();
    PrioritySet work(block.last - block.first);
    // Rows of other blocks are callers': they look for themselves when their turn comes.
    const auto inside = [&](std::uint32_t position) {
      return block.first <= position && position < block.last;
    };
    for (std::uint32_t p = block.first; p < block.last; ++p) {
      if (seed(order[p])) {
        work.insert(p - block.first);
      }
    }
    while (!work.empty()) {
      guard.tick();
      const Place place = order[block.first + work.pop_min()];
      for (const NodeId p : model_.predecessors(place.node)) {
        const std::uint32_t position = at_.position(at_.row(place.instance, p));
        if (inside(position) && absorb(place.instance, p, place.node)) {
          work.insert(position - block.first);
        }
      }
      for_each_call(place, [&](std::uint32_t i, NodeId call) {
        const std::uint32_t position = at_.position(at_.row(i, call));
        if (inside(position) && seed(Place{i, call})) {
          work.insert(position - block.first);
        }
      });
    }
  });
}

/// Greatest fixpoints: takes rows from a worklist that begins full, lowest position first, until no
/// recomputation changes a row.
template <class Word>
template <class Recompute>
void Solver<Word>::take_away(Recompute recompute) {
  for_each_block([&](const Block& block, LimitGuard& guard) {
    const std::span<const Place> order = at_.bottom_up();
    PrioritySet work(block.last - block.first);
    work.insert_all(block.last - block.first);
    const auto again = [&](std::uint32_t i, NodeId n) {
      const std::uint32_t position = at_.position(at_.row(i, n));
      if (block.first <= position && position < block.last) {
        work.insert(position - block.first);
      }
    };
    while (!work.empty()) {
      guard.tick();
      const Place place = order[block.first + work.pop_min()];
      if (recompute(place)) {
        for (const NodeId p : model_.predecessors(place.node)) {
          again(place.instance, p);
        }
        for_each_call(place, again);
      }
    }
  });
}

}  // namespace nestor::summary
