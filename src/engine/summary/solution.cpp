#include "engine/summary/solution.h"

#include "base/debug_assert.h"
#include "engine/summary/bits.h"

namespace nestor::engine::summary {

template <class Word>
Word Solution<Word>::under_context(const ControlFlow& flow, const Instances<Word>& at,
                                   std::uint32_t i, model::NodeId n,
                                   std::span<const std::uint64_t> context) const {
  NESTOR_DEBUG_ASSERT(context.size() == flow.exit_words(at[i].component));
  Word value = local_at(at, i, n);
  NESTOR_DEBUG_ASSERT(!without(value, at[i].formulas).any());  // (18)
  switch (mode) {
    case Reach::Sets: {
      const ExitSet exits = exits_reached(flow, at, i, n);
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
        if (ExitSet(context).contains(x)) {
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

template struct Solution<FewBits>;
template struct Solution<WordBits>;
template struct Solution<WideBits>;

}  // namespace nestor::engine::summary
