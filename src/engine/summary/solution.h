#pragma once

#include "base/inline.h"
#include "base/limits.h"
#include "engine/summary/instances.h"
#include "logic/formula.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::summary {

/// How an existential formula f behaves in each instance: as a disjunction over its exits,
///
///     f at n   =   local(n)  or  some exit x in reach(n) is in the context             (10)
///
/// where the context is the set of exits after whose return some successor satisfies f (for EX: its
/// operand). Call nodes have rows like plain nodes; a return node's row says what its successors
/// together say, since it is no state of its own.
template <class Word>
struct Solution {
  enum class Reach : std::uint8_t {
    Sets,    ///< one set of exits for all formulas: see exits_reached()
    Itself,  ///< an exit reaches itself, nothing else reaches anything: EX
    Words,   ///< for each exit the formulas that reach it
  };

  /// (10): f at n under a context, which may have visible exits only (lemma 5).
  Word under_context(const ControlFlow& flow, const Instances<Word>& at, std::uint32_t i,
                     model::NodeId n, std::span<const std::uint64_t> context) const;

  /// Of Sets: the exits that a node reaches. For E true U g what the control flow reaches, whatever
  /// the formulas; else found for the one formula of the batch.
  NESTOR_INLINE ExitSet exits_reached(const ControlFlow& flow, const Instances<Word>& at,
                                      std::uint32_t i, model::NodeId n) const {
    if (sets.empty()) {
      return flow.exits_from(n);
    }
    const std::size_t words = flow.exit_words(at[i].component);
    return sets.at(first_reach[i] + (n - at.first_node(i)) * words, words);
  }
  const Word& local_at(const Instances<Word>& at, std::uint32_t i, model::NodeId n) const {
    return local[classes == nullptr ? at.row(i, n) : classes->class_of(n)];
  }

  logic::Op op = logic::Op::EX;
  Reach mode = Reach::Sets;
  const Condensation* classes = nullptr;  // if set, `local` is by class, for live nodes
  std::vector<Word> local;                // by row
  ExitBits sets;                          // of Sets: by row; or empty
  std::vector<Word> reach;                // of Words: by row and exit
  std::vector<std::size_t> first_reach;   // by instance: its first place in `sets` or `reach`
  std::vector<std::size_t> exit_count;    // of Words: by instance
  std::vector<std::size_t> first_exit;    // by instance, into the two below
  std::vector<Word> visible;              // exits whose being in the context shows at some node
  std::vector<Word> looping;              // exits in the context of the empty stack
};

}  // namespace nestor::engine::summary
