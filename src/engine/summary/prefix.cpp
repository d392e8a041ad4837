// The search that ends early. Many a formula is decided a few steps from the initial states, as on
// the dense graphs of the strategies' paper: there it is a waste to look at the whole model.
//
// Values are three-valued: `yes` is what is true and `may` what is not false, whatever follows the
// states at the border (lemma 7 of docs/summary.md). Both are fixpoints of the usual equations, in
// which a state at the border has no successor that is true for `yes`, and one that is for `may`
// (19).

#include "engine/summary/prefix.h"

#include "base/debug_assert.h"
#include "base/error.h"
#include "engine/summary/bits.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <numeric>

namespace nestor::engine::summary {

// ---- the graph ----

Prefix::Prefix(const model::Rsm& model) : model_(model) {
  for (const model::NodeId n : model.initial_nodes()) {
    numbers_.intern({model::StackTable::kEmpty, n});
  }
}

void Prefix::expand(const model::State& state) {
  model::for_each_move(model_, stacks_, state, [&](const model::Move& move) {
    successors_.push_back(numbers_.intern(move.to).value());
  });
  first_successor_.push_back(successors_.size());
  assert(expanded_count() <= size());  // what a step leads to is in the prefix
}

/// How many transitions lead on from a state.
std::size_t Prefix::degree(const model::State& state) const {
  std::size_t count = model_.successors(state.node).size();
  if (model_.is_exit(state.node) && !stacks_.is_empty(state.stack)) {
    count +=
        model_.successors(model::return_node(model_, stacks_.top(state.stack), state.node)).size();
  }
  return count;
}

void Prefix::grow(std::size_t most, base::LimitGuard& guard) {
  while (!is_whole() && size() < most) {
    const model::State next = states_[model::StateId(expanded_count())];
    if (degree(next) > most) {
      break;
    }
    guard.tick();
    expand(next);
  }
  connect_backwards();
  by_node_.resize(size());
  std::iota(by_node_.begin(), by_node_.end(), 0);
  std::stable_sort(by_node_.begin(), by_node_.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return node(a) < node(b); });
}

void Prefix::connect_backwards() {
  first_predecessor_.assign(size() + 1, 0);
  for (const std::uint32_t to : successors_) {
    ++first_predecessor_[to + 1];
  }
  std::partial_sum(first_predecessor_.begin(), first_predecessor_.end(),
                   first_predecessor_.begin());
  assert(first_predecessor_.back() == successors_.size());
  predecessors_.resize(successors_.size());
  std::vector<std::size_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
  for (std::uint32_t s = 0; s < expanded_count(); ++s) {
    for (const std::uint32_t to : successors(s)) {
      predecessors_[next[to]++] = s;
    }
  }
}

std::span<const std::uint32_t> Prefix::states_at(model::NodeId n) const {
  const auto first = std::partition_point(by_node_.begin(), by_node_.end(),
                                          [&](std::uint32_t s) { return node(s) < n; });
  const auto last =
      std::partition_point(first, by_node_.end(), [&](std::uint32_t s) { return node(s) == n; });
  return {first, last};
}

// ---- the values ----

namespace {

template <class Word>
class ThreeValued {
 public:
  ThreeValued(const model::Rsm& model, const Prefix& prefix, const Batch& batch,
              base::LimitGuard& guard)
      : model_(model),
        prefix_(prefix),
        batch_(batch),
        guard_(guard),
        all_(Word::first(batch.width)),
        values_(batch.shape->steps.size()) {}

  std::vector<Decided<Word>> decide() {
    guard_.reserve(2 * sizeof(Word) * prefix_.size() * values_.size());
    for (std::size_t s = 0; s < values_.size(); ++s) {
      guard_.tick(prefix_.size());
      values_[s].yes.resize(prefix_.size());
      values_[s].may.resize(prefix_.size());
      evaluate(batch_.shape->steps[s], values_[s]);
      NESTOR_DEBUG_ASSERT(is_ordered(values_[s]));
    }
    std::vector<Decided<Word>> decided;
    for (const std::uint32_t root : batch_.shape->roots) {
      Decided<Word> here{all_, Word()};
      for (std::uint32_t s = 0; s < model_.initial_nodes().size(); ++s) {
        here.holds &= values_[root].yes[s];
        here.fails |= without(all_, values_[root].may[s]);
      }
      assert(!(here.holds & here.fails).any());  // lemma 7
      decided.push_back(here);
    }
    return decided;
  }

 private:
  /// By state. What is in neither is false; what is only in `may` is unknown.
  struct Value {
    std::vector<Word> yes;
    std::vector<Word> may;
  };

  /// Lemma 7: what is certain is possible.
  bool is_ordered(const Value& value) const {
    bool ordered = true;
    for (std::size_t s = 0; s < prefix_.size(); ++s) {
      ordered = ordered && !without(value.yes[s], value.may[s]).any();
    }
    return ordered;
  }

  void evaluate(const Step& step, Value& value) {
    const Value& left = values_[step.left];
    const Value& right = values_[step.right];
    switch (step.op) {
      case logic::Op::True:
        std::fill(value.yes.begin(), value.yes.end(), all_);
        value.may = value.yes;
        return;
      case logic::Op::Atom:
        place(step.slot, value.yes);
        value.may = value.yes;
        return;
      case logic::Op::Not:
        for (std::uint32_t s = 0; s < prefix_.size(); ++s) {
          value.yes[s] = without(all_, left.may[s]);
          value.may[s] = without(all_, left.yes[s]);
        }
        return;
      case logic::Op::Or:
        for (std::uint32_t s = 0; s < prefix_.size(); ++s) {
          value.yes[s] = left.yes[s] | right.yes[s];
          value.may[s] = left.may[s] | right.may[s];
        }
        return;
      case logic::Op::EX:
        for (std::uint32_t s = 0; s < prefix_.size(); ++s) {
          value.yes[s] = some(left.yes, s, Word());
          value.may[s] = some(left.may, s, all_);
        }
        return;
      case logic::Op::EU:
        solve_EU(left.yes, right.yes, Word(), value.yes);
        solve_EU(left.may, right.may, all_, value.may);
        return;
      case logic::Op::EG:
        solve_EG(left.yes, Word(), value.yes);
        solve_EG(left.may, all_, value.may);
        return;
      default:
        NESTOR_CHECK(false && "not in existential normal form");
    }
  }

  void place(std::uint32_t slot, std::vector<Word>& yes) {
    for (std::size_t member = 0; member < batch_.width; ++member) {
      const model::PropId p = batch_.props[slot][member];
      const std::span<const model::NodeId> nodes =
          p.valid() ? model_.nodes_with(p) : std::span<const model::NodeId>();
      NESTOR_DEBUG_ASSERT(std::ranges::is_sorted(nodes));
      if (nodes.size() < prefix_.size()) {
        for (const model::NodeId n : nodes) {
          for (const std::uint32_t s : prefix_.states_at(n)) {
            yes[s].set(member);
          }
        }
        continue;
      }
      bool labelled = false;
      model::NodeId last;
      for (const std::uint32_t s : prefix_.by_node()) {
        if (prefix_.node(s) != last) {
          last = prefix_.node(s);
          labelled = std::binary_search(nodes.begin(), nodes.end(), last);
        }
        if (labelled) {
          yes[s].set(member);
        }
      }
    }
  }

  /// (19): where some successor has the value; `beyond` at the border.
  Word some(const std::vector<Word>& value, std::uint32_t s, const Word& beyond) const {
    if (!prefix_.is_expanded(s)) {
      return beyond;
    }
    Word result;
    for (const std::uint32_t next : prefix_.successors(s)) {
      result |= value[next];
    }
    return result;
  }

  /// The least solution: from nothing upwards.
  void solve_EU(const std::vector<Word>& phi, const std::vector<Word>& psi, const Word& beyond,
                std::vector<Word>& value) {
    settle(value, [&](std::uint32_t s) {
      const Word now = psi[s] | (phi[s] & some(value, s, beyond));
      NESTOR_DEBUG_ASSERT(!without(value[s], now).any());
      return now;
    });
  }

  /// The greatest solution: from φ downwards.
  void solve_EG(const std::vector<Word>& phi, const Word& beyond, std::vector<Word>& value) {
    value = phi;
    settle(value, [&](std::uint32_t s) {
      const bool ends = prefix_.is_expanded(s) && prefix_.successors(s).empty();
      const Word now = ends ? phi[s] : phi[s] & some(value, s, beyond);
      NESTOR_DEBUG_ASSERT(!without(now, value[s]).any());
      return now;
    });
  }

  /// Recomputes what a change can change until nothing does, the farthest states first.
  template <class Recompute>
  void settle(std::vector<Word>& value, Recompute recompute) {
    std::deque<std::uint32_t> work(prefix_.size());
    std::iota(work.rbegin(), work.rend(), 0);
    std::vector<bool> waits(prefix_.size(), true);
    while (!work.empty()) {
      const std::uint32_t s = work.front();
      work.pop_front();
      waits[s] = false;
      guard_.tick();
      const Word now = recompute(s);
      if (now == value[s]) {
        continue;
      }
      value[s] = now;
      for (const std::uint32_t before : prefix_.predecessors(s)) {
        if (!waits[before]) {
          waits[before] = true;
          work.push_back(before);
        }
      }
    }
  }

  const model::Rsm& model_;
  const Prefix& prefix_;
  const Batch& batch_;
  base::LimitGuard& guard_;
  Word all_;
  std::vector<Value> values_;  // by step
};

}  // namespace

template <class Word>
std::vector<Decided<Word>> decide(const model::Rsm& model, const Prefix& prefix, const Batch& batch,
                                  base::LimitGuard& guard) {
  return ThreeValued<Word>(model, prefix, batch, guard).decide();
}

template std::vector<Decided<FewBits>> decide(const model::Rsm&, const Prefix&, const Batch&,
                                              base::LimitGuard&);
template std::vector<Decided<WordBits>> decide(const model::Rsm&, const Prefix&, const Batch&,
                                               base::LimitGuard&);
template std::vector<Decided<WideBits>> decide(const model::Rsm&, const Prefix&, const Batch&,
                                               base::LimitGuard&);

}  // namespace nestor::engine::summary
