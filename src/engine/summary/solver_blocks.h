#pragma once

// How fixpoints go through the rows of a level: the templates of Solver that its parts share.

#include "base/debug_assert.h"
#include "base/priority_set.h"
#include "engine/summary/solver.h"

#include <tbb/task_group.h>

#include <atomic>
#include <cassert>

namespace nestor::engine::summary {

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
  std::atomic<std::uint64_t> steps = 0;
  tbb::task_group tasks;
  // A task goes on with the first caller that it frees and leaves the others to be picked up.
  const auto run = [&](const auto& self, std::uint32_t b) -> void {
    base::LimitGuard guard = guard_;
    const std::uint64_t before = guard.steps();
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
    steps.fetch_add(guard.steps() - before, std::memory_order_relaxed);
  };
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].callees == 0) {
      tasks.run([&run, b] { run(run, b); });
    }
  }
  tasks.wait();
  guard_.tick(steps.load());
}

/// The call nodes computed from a row: for an entry those that stand for it, for a return node
/// those of its box.
template <class Word>
template <class Visit>
void Solver<Word>::for_each_call(const Place& place, Visit visit) const {
  const model::NodeId n = place.node;
  if (model_.kind(n) == model::NodeKind::Return) {
    for (const model::NodeId call : flow_.calls(model_.box_of(n))) {
      visit(place.instance, call);
    }
  } else if (model_.is_entry(n)) {
    const std::uint32_t e = model_.entry_index(n);
    for (const typename Instances<Word>::Caller& caller : at_.callers(place.instance)) {
      visit(caller.instance, model_.box(caller.box).first_call + e);
    }
  }
}

/// Least fixpoints. First each row pulls: `pull(place)` gathers what its successors have, or for a
/// call node its callee and its return nodes, until there is no more to get; successors come first
/// wherever there is no cycle, and in dense graphs a row is soon `is_full`. The rows that are not
/// pull once more, and those that thereby get something push it on: `absorb(i, p, n)` adds what n
/// has to its predecessor p, or what the return node n has to the call node p of its box. pull and
/// absorb say whether there was news.
template <class Word>
template <class Pull, class IsFull, class Absorb>
void Solver<Word>::spread(Pull pull, IsFull is_full, Absorb absorb) {
  for_each_block([&](const Block& block, base::LimitGuard& guard) {
    const std::span<const Place> order = at_.bottom_up();
    std::vector<std::uint32_t> open;
    for (std::uint32_t p = block.first; p < block.last; ++p) {
      guard.tick();
      pull(order[p]);
      if (!is_full(order[p])) {
        open.push_back(p);
      }
    }
    base::PrioritySet work(block.last - block.first);
    for (const std::uint32_t p : open) {
      guard.tick();
      if (pull(order[p])) {
        work.insert(p - block.first);
      }
    }
    // Rows of other blocks are callers': they look for themselves when their turn comes.
    const auto inside = [&](std::uint32_t position) {
      return block.first <= position && position < block.last;
    };
    while (!work.empty()) {
      guard.tick();
      const Place place = order[block.first + work.pop_min()];
      assert(flow_.is_live(place.node));
      for (const model::NodeId p : model_.predecessors(place.node)) {
        const std::uint32_t position = at_.position(at_.row(place.instance, p));
        if (inside(position) && absorb(place.instance, p, place.node)) {
          work.insert(position - block.first);
        }
      }
      for_each_call(place, [&](std::uint32_t i, model::NodeId call) {
        const std::uint32_t position = at_.position(at_.row(i, call));
        if (inside(position) &&
            (model_.kind(place.node) == model::NodeKind::Return ? absorb(i, call, place.node)
                                                                : pull(Place{i, call}))) {
          work.insert(position - block.first);
        }
      });
    }
  });
}

/// Greatest fixpoints: each row is recomputed once, in order, and again when something that it is
/// computed from has changed since, until nothing changes. A row that `is_settled` cannot change.
template <class Word>
template <class Recompute, class IsSettled>
void Solver<Word>::take_away(Recompute recompute, IsSettled is_settled) {
  for_each_block([&](const Block& block, base::LimitGuard& guard) {
    const std::span<const Place> order = at_.bottom_up();
    base::PrioritySet work(block.last - block.first);
    std::uint32_t end = block.first;  // rows before it have been recomputed
    const auto visit = [&](const Place& place) {
      guard.tick();
      if (is_settled(place) || !recompute(place)) {
        return;
      }
      const auto again = [&](std::uint32_t i, model::NodeId n) {
        NESTOR_DEBUG_ASSERT(model_.component_of(n) == at_[i].component);
        const std::uint32_t position = at_.position(at_.row(i, n));
        if (block.first <= position && position < end && !is_settled(Place{i, n})) {
          work.insert(position - block.first);
        }
      };
      for (const model::NodeId p : model_.predecessors(place.node)) {
        again(place.instance, p);
      }
      for_each_call(place, again);
    };
    while (end < block.last) {
      visit(order[end++]);
    }
    while (!work.empty()) {
      visit(order[block.first + work.pop_min()]);
    }
  });
}

}  // namespace nestor::engine::summary
