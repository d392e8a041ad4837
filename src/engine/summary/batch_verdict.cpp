// From the values of outermost steps at the initial nodes to verdicts: what still matters, to whom.

#include "base/debug_assert.h"
#include "base/error.h"
#include "engine/summary/batch_checker.h"
#include "engine/summary/bits.h"
#include "logic/normal_form.h"

#include <algorithm>

namespace nestor::engine::summary {

/// What is known of every step outside existential ones at an initial node.
template <class Word>
std::vector<typename BatchChecker<Word>::Known> BatchChecker<Word>::evaluate_initial(
    std::size_t initial) const {
  std::vector<Known> known(steps_.size());
  const model::NodeId n = model_.initial_nodes()[initial];
  for (const std::uint32_t s : plan_.outside()) {
    const Step& step = steps_[s];
    switch (step.op) {
      case logic::Op::True:
        known[s].yes = all_;
        break;
      case logic::Op::Atom:
        for (std::size_t member = 0; member < batch_.width; ++member) {
          const model::PropId p = batch_.props[step.slot][member];
          if (p.valid()) {
            const std::span<const model::NodeId> nodes = model_.nodes_with(p);
            if (std::binary_search(nodes.begin(), nodes.end(), n)) {
              known[s].yes.set(member);
            }
          }
        }
        known[s].no = without(all_, known[s].yes);
        break;
      case logic::Op::Not:
        known[s] = {known[step.left].no, known[step.left].yes};
        break;
      case logic::Op::Or:
        known[s] = {known[step.left].yes | known[step.right].yes,
                    known[step.left].no & known[step.right].no};
        break;
      default: {
        const auto decided = decided_.find(s);
        if (decided != decided_.end()) {
          known[s] = decided->second[initial];
        }
      }
    }
  }
  NESTOR_DEBUG_ASSERT(
      std::ranges::none_of(known, [](const Known& k) { return (k.yes & k.no).any(); }));
  return known;
}

/// For each step, the formulas whose verdict still depends on it: those for which a chain of
/// unknown steps leads from the formula to it, at some initial node, and that fail at none.
template <class Word>
std::vector<Word> BatchChecker<Word>::matters(const std::vector<Word>& done) const {
  const std::vector<std::uint32_t>& outside = plan_.outside();
  std::vector<Word> wanted(steps_.size());
  std::vector<Word> undecided(steps_.size());
  for (std::size_t k = 0; k < done.size(); ++k) {
    const std::uint32_t root = plan_.roots()[k];
    undecided[root] |= without(all_, failed(root) | done[k]);
  }
  for (std::size_t initial = 0; initial < model_.initial_nodes().size(); ++initial) {
    const std::vector<Known> known = evaluate_initial(initial);
    std::vector<Word> here = undecided;
    for (std::size_t k = outside.size(); k-- > 0;) {
      const std::uint32_t s = outside[k];
      here[s] = without(here[s], known[s].yes | known[s].no);
      wanted[s] |= here[s];
      if (!logic::is_existential(steps_[s].op)) {
        const int operands = logic::operand_count(steps_[s].op);
        if (operands >= 1) {
          here[steps_[s].left] |= here[s];
        }
        if (operands == 2) {
          here[steps_[s].right] |= here[s];
        }
      }
    }
  }
  return wanted;
}

/// The formulas that are false at some initial node.
template <class Word>
Word BatchChecker<Word>::failed(std::uint32_t root) const {
  Word fails;
  for (std::size_t initial = 0; initial < model_.initial_nodes().size(); ++initial) {
    fails |= evaluate_initial(initial)[root].no;
  }
  return fails;
}

template <class Word>
std::vector<Result> BatchChecker<Word>::run(const std::vector<Word>& done) {
  std::vector<Word> wanted = matters(done);
  std::size_t decided = 0;
  std::size_t stale = 0;
  for (std::size_t k = 0; k < plan_.outermost().size(); ++k) {
    // Looking again costs the whole formula, so it waits until an eighth more is decided: a
    // formula with 10^5 outermost steps is not looked at 10^5 times.
    if (stale > decided / 8) {
      wanted = matters(done);
      stale = 0;
    }
    const Word& formulas = wanted[plan_.outermost()[k].step];
    if (formulas.any()) {
      decide(k, formulas);
      ++decided;
      ++stale;
    }
  }
  std::vector<Result> results;
  for (std::size_t k = 0; k < done.size(); ++k) {
    const std::uint32_t root = plan_.roots()[k];
    const Word fails = failed(root);
    Word holds = all_;
    for (std::size_t initial = 0; initial < model_.initial_nodes().size(); ++initial) {
      holds &= evaluate_initial(initial)[root].yes;
    }
    for (std::size_t member = 0; member < batch_.width; ++member) {
      NESTOR_CHECK(done[k].test(member) || fails.test(member) != holds.test(member));
      Result result;
      if (!done[k].test(member)) {
        result.verdict = fails.test(member) ? Verdict::Fails : Verdict::Holds;
      }
      result.contexts = contexts_[results.size()];
      results.push_back(result);
    }
  }
  return results;
}

template std::vector<Result> BatchChecker<FewBits>::run(const std::vector<FewBits>&);
template std::vector<Result> BatchChecker<WordBits>::run(const std::vector<WordBits>&);
template std::vector<Result> BatchChecker<WideBits>::run(const std::vector<WideBits>&);

}  // namespace nestor::engine::summary
