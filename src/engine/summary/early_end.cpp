#include "engine/summary/early_end.h"

#include "engine/summary/bits.h"
#include "engine/summary/prefix.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace nestor::engine::summary {

namespace {

// How many states are looked at: first, at the most, and how many times more each time; together a
// share of what looking at the whole model costs. And how many values of subformulas in them.
constexpr std::size_t kFirst = 32;
constexpr std::size_t kMost = 256;
constexpr std::size_t kGrowth = 8;
constexpr std::size_t kShare = 4;
constexpr std::size_t kMostValues = std::size_t{1} << 18;

/// Returns how many formulas it has answered.
template <class Word>
std::size_t decide_in(const model::Rsm& model, const Prefix& prefix, const Batch& batch,
                      base::LimitGuard& guard, std::vector<Result>& results) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Decided<Word>> decided = decide<Word>(model, prefix, batch, guard);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::size_t count = 0;
  for (std::size_t m = 0; m < batch.members.size(); ++m) {
    const Decided<Word>& here = decided[m / batch.width];
    Result& result = results[batch.members[m]];
    result.seconds += seconds.count() / static_cast<double>(batch.members.size());
    const bool holds = here.holds.test(m % batch.width);
    assert(!holds || !here.fails.test(m % batch.width));  // lemma 7
    if (result.verdict == Verdict::Unknown && (holds || here.fails.test(m % batch.width))) {
      result.verdict = holds ? Verdict::Holds : Verdict::Fails;
      result.contexts = 1;
      ++count;
    }
  }
  return count;
}

}  // namespace

bool is_decided(const Batch& batch, const std::vector<Result>& results) {
  return std::all_of(batch.members.begin(), batch.members.end(), [&](std::size_t member) {
    return results[member].verdict != Verdict::Unknown;
  });
}

void decide_early(const model::Rsm& model, const std::vector<Batch>& batches, Env& env,
                  std::vector<Result>& results) {
  const std::size_t largest = std::clamp(model.node_count() / kShare, kFirst, kMost);
  std::size_t count = 0;
  try {
    base::LimitGuard guard(env.limits);
    Prefix prefix(model);
    for (std::size_t most = kFirst; most <= largest && !prefix.is_whole(); most *= kGrowth) {
      prefix.grow(most, guard);
      for (const Batch& batch : batches) {
        if (is_decided(batch, results) || prefix.size() * batch.shape->steps.size() > kMostValues) {
          continue;
        }
        count += with_bits_for(batch.width, [&]<class Word>(Word) {
          return decide_in<Word>(model, prefix, batch, guard, results);
        });
      }
    }
  } catch (const base::LimitReached&) {
    // The check of the whole model comes to its limits as well, and says so.
  }
  if (env.statistics != nullptr) {
    env.statistics->add("engine.summary.decided_early", count);
  }
}

}  // namespace nestor::engine::summary
