#pragma once

#include "base/limits.h"
#include "engine/summary/solution.h"

#include <cstdint>
#include <vector>

namespace nestor::engine::summary {

/// Finds solutions over one level of instances. Operands are words by plain row.
///
/// Each fixpoint goes through the call graph block by block, callees first, blocks that do not call
/// each other in parallel; inside a block a worklist in bottom-up order. So what lies on no cycle
/// is computed once, and inside a cycle only what a changed row can change is looked at again.
template <class Word>
class Solver {
 public:
  /// `at` is linked and sorted, but for solve_EF(). `jobs`: threads to use.
  Solver(const model::Rsm& model, const ControlFlow& flow, const Instances<Word>& at,
         std::size_t formula_count, unsigned jobs, base::LimitGuard& guard)
      : model_(model),
        flow_(flow),
        at_(at),
        formula_count_(formula_count),
        jobs_(jobs),
        guard_(guard) {}

  Solution<Word> solve_EX(const std::vector<Word>& phi);
  /// `phi` null: true everywhere.
  Solution<Word> solve_EU(const std::vector<Word>* phi, const std::vector<Word>& psi);
  /// E true U psi on the components themselves, by class.
  Solution<Word> solve_EF(const Condensation& classes, const std::vector<Word>& psi);
  Solution<Word> solve_EG(const std::vector<Word>& phi);

 private:
  using Place = typename Instances<Word>::Place;
  using Block = typename Instances<Word>::Block;

  // solver_blocks.h
  template <class Work>
  void for_each_block(Work work);
  template <class Pull, class IsFull, class Absorb>
  void spread(Pull pull, IsFull is_full, Absorb absorb);
  template <class Recompute, class IsSettled>
  void take_away(Recompute recompute, IsSettled is_settled);
  template <class Visit>
  void for_each_call(const Place& place, Visit visit) const;

  // solver.cpp
  Word operand_at(const std::vector<Word>& operand, std::uint32_t i, model::NodeId successor) const;
  void find_local_EU(const std::vector<Word>* phi, const std::vector<Word>& psi,
                     Solution<Word>& solution);
  void find_local_EG(const std::vector<Word>& phi, const std::vector<Word>* least,
                     Solution<Word>& solution);
  bool recompute_local_EG(const Place& place, bool calls_return, Solution<Word>& solution) const;
  Word local_inside_call(const Place& place, const Solution<Word>& solution) const;
  Word local_through(const Place& call, model::NodeId return_node,
                     const Solution<Word>& solution) const;
  Word local_of_call(const Place& place, const Solution<Word>& solution) const;
  void fill_exits_EU(const std::vector<Word>* phi, Solution<Word>& solution) const;
  template <class Visible, class Looping>
  void fill_exits(Solution<Word>& solution, Visible visible, Looping looping) const;

  // solver_reach.cpp
  void find_reach(const std::vector<Word>& phi, Solution<Word>& solution);
  void find_reach_sets(const std::vector<Word>& phi, Solution<Word>& solution);
  void find_reach_words(const std::vector<Word>& phi, Solution<Word>& solution);
  bool is_reach(const std::vector<Word>& phi, const Solution<Word>& solution) const;

  const model::Rsm& model_;
  const ControlFlow& flow_;
  const Instances<Word>& at_;
  std::size_t formula_count_;
  unsigned jobs_;
  base::LimitGuard& guard_;
};

/// True if that was news.
template <class Word>
bool add(Word& to, const Word& more) {
  const Word united = to | more;
  const bool news = !(united == to);
  to = united;
  return news;
}

}  // namespace nestor::engine::summary
