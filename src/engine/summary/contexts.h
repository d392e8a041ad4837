#pragma once

#include "base/limits.h"
#include "engine/summary/instances.h"
#include "engine/summary/solution.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace nestor::engine::summary {

/// A level of instances and, for each of them, its context for the formula treated last.
template <class Word>
struct ContextLevel {
  explicit ContextLevel(const model::Rsm& model) : instances(model) {}

  std::span<const std::uint64_t> context(std::uint32_t i) const {
    return {words.data() + first_word[i], first_word[i + 1] - first_word[i]};
  }

  Instances<Word> instances;
  std::vector<std::uint64_t> words;
  std::vector<std::size_t> first_word{0};
};

/// Which exits a context tells of.
enum class Exits : std::uint8_t {
  Visible,  ///< those whose being in the context shows at some node (lemma 5); boxes that nothing
            ///< calls have no callee: enough for verdicts, and fewer contexts
  All,      ///< every one, in every box: what the semantics says, (3) and (4)
};

/// Refines the instances `now` by the contexts for the formula that `solution` solves: top-down
/// from the roots, each box groups the formulas by the context that they hand on, and each
/// (instance, context) that some formula reaches becomes an instance of the new level: (11), (12).
///
/// The solution may be about `solved_at`, another level than `now` (a solution that depends on no
/// context is found once, on the components themselves); `solved_as[i]` is then the instance there
/// that instance i refines. Null if the instances would have more than `most_rows` nodes.
template <class Word>
std::unique_ptr<ContextLevel<Word>> contextualize(const model::Rsm& model, const ControlFlow& flow,
                                                  const Instances<Word>& now,
                                                  const Solution<Word>& solution,
                                                  const Instances<Word>& solved_at,
                                                  const std::vector<std::uint32_t>& solved_as,
                                                  Exits exits, std::size_t most_rows,
                                                  base::LimitGuard& guard);

}  // namespace nestor::engine::summary
