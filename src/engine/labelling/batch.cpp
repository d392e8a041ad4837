#include "engine/labelling/batch.h"

#include "base/priority_set.h"

#include <array>
#include <cassert>
#include <utility>

namespace nestor::engine::labelling {

namespace {

constexpr std::size_t kBits = 64;

/// Exchanges the bits j + Width of words i with the bits j of words i + Width. The compiler does it
/// for several words at once, as it knows how many there are.
template <std::size_t Width>
void exchange(std::array<std::uint64_t, kBits>& block) {
  constexpr std::uint64_t kLower = ~std::uint64_t{0} / ((std::uint64_t{1} << Width) + 1);
  for (std::size_t first = 0; first < kBits; first += 2 * Width) {
    for (std::size_t i = first; i < first + Width; ++i) {
      const std::uint64_t swap = ((block[i] >> Width) ^ block[i + Width]) & kLower;
      block[i] ^= swap << Width;
      block[i + Width] ^= swap;
    }
  }
}

/// Bit j of word i becomes bit i of word j: blocks of 32, 16, … 1 bits change places.
void transpose(std::array<std::uint64_t, kBits>& block) {
  exchange<32>(block);
  exchange<16>(block);
  exchange<8>(block);
  exchange<4>(block);
  exchange<2>(block);
  exchange<1>(block);
}

/// States whose word changed and whose neighbours have to hear of it, each once; the first in the
/// order of the graph is taken first.
class Changed {
 public:
  explicit Changed(std::size_t states) : bits_(states, 0), states_(states) {}

  void add(std::size_t state, std::uint64_t bits) {
    if (bits_[state] == 0) {
      states_.insert(state);
    }
    bits_[state] |= bits;
  }
  bool empty() const { return states_.empty(); }
  std::size_t take(std::uint64_t& bits) {
    const std::size_t state = states_.pop_min();
    bits = bits_[state];
    assert(bits != 0);
    bits_[state] = 0;
    return state;
  }

 private:
  Words bits_;
  base::PrioritySet states_;
};

}  // namespace

Words words_of(std::span<const base::BitSet* const> sets, std::size_t states) {
  assert(sets.size() <= kBits);
  Words words((states + kBits - 1) / kBits * kBits, 0);
  std::array<std::uint64_t, kBits> block{};
  for (std::size_t w = 0; w * kBits < states; ++w) {
    block.fill(0);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      block[i] = sets[i] == nullptr ? ~std::uint64_t{0} : sets[i]->words()[w];
    }
    transpose(block);
    std::copy(block.begin(), block.end(), words.begin() + static_cast<std::ptrdiff_t>(w * kBits));
  }
  words.resize(states);
  return words;
}

void sets_of(const Words& words, std::span<base::BitSet* const> sets) {
  std::array<std::uint64_t, kBits> block{};
  for (std::size_t w = 0; w * kBits < words.size(); ++w) {
    block.fill(0);
    const std::size_t count = std::min(kBits, words.size() - w * kBits);
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(w * kBits), count, block.begin());
    transpose(block);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      sets[i]->set_word(w, block[i]);
    }
  }
}

Words label_ex(const Graph& graph, const Words& operand, base::LimitGuard& guard) {
  Words result(operand.size(), 0);
  for (std::size_t s = 0; s < result.size(); ++s) {
    std::uint64_t any = graph.loops(s) ? operand[s] : 0;
    for (const std::uint32_t t : graph.successors(s)) {
      any |= operand[t];
    }
    guard.tick(graph.successors(s).size());
    result[s] = any;
  }
  return result;
}

/// The least solution of X = right ∨ (left ∧ EX X). Each state asks its successors, which come
/// before it wherever there is no loop; on loops once more, and what is new then goes to the
/// predecessors.
Words label_eu(const Graph& graph, const Words& left, Words right, base::LimitGuard& guard) {
  assert(left.size() == right.size());
  Words& result = right;
  Changed changed(result.size());
  std::vector<std::uint32_t> on_loops;
  const auto ask = [&](std::size_t s) {
    std::uint64_t any = 0;
    bool complete = true;
    for (const std::uint32_t t : graph.successors(s)) {
      any |= result[t];
      complete = complete && t < s;
    }
    guard.tick(graph.successors(s).size());
    const std::uint64_t fresh = left[s] & any & ~result[s];
    result[s] |= fresh;
    return std::pair(fresh, complete);
  };
  for (std::size_t s = 0; s < result.size(); ++s) {
    if (!ask(s).second) {
      on_loops.push_back(static_cast<std::uint32_t>(s));
    }
  }
  for (const std::uint32_t s : on_loops) {
    if (const std::uint64_t fresh = ask(s).first; fresh != 0) {
      changed.add(s, fresh);
    }
  }
  while (!changed.empty()) {
    std::uint64_t bits = 0;
    const std::size_t s = changed.take(bits);
    guard.tick(graph.predecessors(s).size());
    for (const std::uint32_t p : graph.predecessors(s)) {
      const std::uint64_t fresh = left[p] & bits & ~result[p];
      if (fresh != 0) {
        result[p] |= fresh;
        changed.add(p, fresh);
      }
    }
  }
  return right;
}

/// The greatest solution of X = operand ∧ (EX X ∨ no successor): who loses a successor looks
/// whether it has another one.
Words label_eg(const Graph& graph, Words operand, base::LimitGuard& guard) {
  Words& result = operand;
  Changed lost(result.size());
  const auto look = [&](std::size_t s, std::uint64_t asked) {
    if (graph.loops(s) || graph.is_dead_end(s)) {
      return;
    }
    std::uint64_t missing = asked & result[s];
    for (const std::uint32_t t : graph.successors(s)) {
      if (missing == 0) {
        return;
      }
      missing &= ~result[t];
      guard.tick();
    }
    if (missing != 0) {
      assert((missing & ~result[s]) == 0);  // it only takes away
      result[s] &= ~missing;
      lost.add(s, missing);
    }
  };
  for (std::size_t s = 0; s < result.size(); ++s) {
    look(s, ~std::uint64_t{0});
  }
  while (!lost.empty()) {
    std::uint64_t bits = 0;
    const std::size_t s = lost.take(bits);
    for (const std::uint32_t p : graph.predecessors(s)) {
      look(p, bits);
    }
  }
  return operand;
}

}  // namespace nestor::engine::labelling
