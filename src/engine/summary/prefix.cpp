// The search that ends early. Many a formula is decided a few steps from the initial states, as on
// the dense graphs of the strategies' paper: there it is a waste to look at the whole model.
//
// Values are three-valued: `yes` is what is true and `may` what is not false, whatever follows the
// states at the border. Both are fixpoints of the usual equations, in which a state at the border
// has no successor that is true for `yes`, and one that is for `may`.

#include "engine/summary/prefix.h"

#include "base/error.h"
#include "engine/summary/bits.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace nestor::summary {

// ---- the graph ----

Prefix::Prefix(const Rsm& model) : model_(model) {
  for (const NodeId n : model.initial_nodes()) {
    state(StackTable::kEmpty, n);
  }
}

std::uint32_t Prefix::state(StackId stack, NodeId plain) {
  const std::uint64_t key = std::uint64_t{stack.value()} << 32 | plain.value();
  const auto [place, is_new] =
      number_of_.try_emplace(key, static_cast<std::uint32_t>(states_.size()));
  if (is_new) {
    states_.push_back({stack, plain});
  }
  return place->second;
}

/// Of a plain node or a return node under a stack.
void Prefix::add_successors(StackId stack, NodeId of) {
  for (const NodeId m : model_.successors(of)) {
    const bool calls = model_.kind(m) == NodeKind::Call;
    successors_.push_back(calls ? state(stacks_.push(stack, model_.box_of(m)), model_.origin(m))
                                : state(stack, m));
  }
}

void Prefix::expand(std::uint32_t s) {
  const State from = states_[s];
  add_successors(from.stack, from.node);
  if (model_.is_exit(from.node)) {
    if (stacks_.is_empty(from.stack)) {
      successors_.push_back(s);
    } else {
      const Box& box = model_.box(stacks_.top(from.stack));
      add_successors(stacks_.below(from.stack), box.first_return + model_.exit_index(from.node));
    }
  }
  first_successor_.push_back(successors_.size());
}

void Prefix::grow(std::size_t most, LimitGuard& guard) {
  const auto degree = [&](const State& s) {
    std::size_t count = model_.successors(s.node).size();
    if (model_.is_exit(s.node) && !stacks_.is_empty(s.stack)) {
      const Box& box = model_.box(stacks_.top(s.stack));
      count += model_.successors(box.first_return + model_.exit_index(s.node)).size();
    }
    return count;
  };
  while (!is_whole() && size() < most && degree(states_[expanded_count()]) <= most) {
    guard.tick();
    expand(static_cast<std::uint32_t>(expanded_count()));
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
  predecessors_.resize(successors_.size());
  std::vector<std::size_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
  for (std::uint32_t s = 0; s < expanded_count(); ++s) {
    for (const std::uint32_t to : successors(s)) {
      predecessors_[next[to]++] = s;
    }
  }
}

std::span<const std::uint32_t> Prefix::states_at(NodeId n) const {
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
  ThreeValued(const Rsm& model, const Prefix& prefix, const Batch& batch, LimitGuard& guard)
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
    }
    std::vector<Decided<Word>> decided;
    for (const std::uint32_t root : batch_.shape->roots) {
      Decided<Word> here{all_, Word()};
      for (std::uint32_t s = 0; s < model_.initial_nodes().size(); ++s) {
        here.holds &= values_[root].yes[s];
        here.fails |= without(all_, values_[root].may[s]);
      }
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

  void evaluate(const Step& step, Value& value) {
    const Value& left = values_[step.left];
    const Value& right = values_[step.right];
    switch (step.op) {
      case Op::True:
        std::fill(value.yes.begin(), value.yes.end(), all_);
        value.may = value.yes;
        return;
      case Op::Atom:
        place(step.slot, value.yes);
        value.may = value.yes;
        return;
      case Op::Not:
        for (std::uint32_t s = 0; s < prefix_.size(); ++s) {
          value.yes[s] = without(all_, left.may[s]);
          value.may[s] = without(all_, left.yes[s]);
        }
        return;
      case Op::Or:
        for (std::uint32_t s = 0; s < prefix_.size(); ++s) {
          value.yes[s] = left.yes[s] | right.yes[s];
          value.may[s] = left.may[s] | right.may[s];
        }
        return;
      case Op::EX:
        for (std::uint32_t s = 0; s < prefix_.size(); ++s) {
          value.yes[s] = some(left.yes, s, Word());
          value.may[s] = some(left.may, s, all_);
        }
        return;
      case Op::EU:
        solve_EU(left.yes, right.yes, Word(), value.yes);
        solve_EU(left.may, right.may, all_, value.may);
        return;
      case Op::EG:
        solve_EG(left.yes, Word(), value.yes);
        solve_EG(left.may, all_, value.may);
        return;
      default:
        NESTOR_CHECK(false && "not in existential normal form");
    }
  }

  void place(std::uint32_t slot, std::vector<Word>& yes) {
    for (std::size_t member = 0; member < batch_.width; ++member) {
      const PropId p = batch_.props[slot][member];
      const std::span<const NodeId> nodes =
          p.valid() ? model_.nodes_with(p) : std::span<const NodeId>();
      if (nodes.size() < prefix_.size()) {
        for (const NodeId n : nodes) {
          for (const std::uint32_t s : prefix_.states_at(n)) {
            yes[s].set(member);
          }
        }
        continue;
      }
      bool labelled = false;
      NodeId last;
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

  /// Where some successor has the value; `beyond` at the border.
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

  void solve_EU(const std::vector<Word>& phi, const std::vector<Word>& psi, const Word& beyond,
                std::vector<Word>& value) {
    settle(value, [&](std::uint32_t s) { return psi[s] | (phi[s] & some(value, s, beyond)); });
  }

  void solve_EG(const std::vector<Word>& phi, const Word& beyond, std::vector<Word>& value) {
    value = phi;
    settle(value, [&](std::uint32_t s) {
      const bool ends = prefix_.is_expanded(s) && prefix_.successors(s).empty();
      return ends ? phi[s] : phi[s] & some(value, s, beyond);
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

  const Rsm& model_;
  const Prefix& prefix_;
  const Batch& batch_;
  LimitGuard& guard_;
  Word all_;
  std::vector<Value> values_;  // by step
};

}  // namespace

template <class Word>
std::vector<Decided<Word>> decide(const Rsm& model, const Prefix& prefix, const Batch& batch,
                                  LimitGuard& guard) {
  return ThreeValued<Word>(model, prefix, batch, guard).decide();
}

template std::vector<Decided<FewBits>> decide(const Rsm&, const Prefix&, const Batch&, LimitGuard&);
template std::vector<Decided<WordBits>> decide(const Rsm&, const Prefix&, const Batch&,
                                               LimitGuard&);
template std::vector<Decided<WideBits>> decide(const Rsm&, const Prefix&, const Batch&,
                                               LimitGuard&);

}  // namespace nestor::summary
