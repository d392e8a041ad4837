#pragma once

#include "engine/summary/contexts.h"
#include "engine/summary/plan.h"
#include "explain/labelling.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace nestor::engine::summary {

/// Answers the formulas of one batch together; Word has a bit for each.
///
/// A formula of the shape is a Boolean combination of propositions and *outermost* existential
/// steps. Each outermost step is decided by itself, and only for the formulas to which it still
/// matters: its existential operands are treated bottom-up, each refining the instances by its
/// contexts, and its own value is then read off at the initial nodes. What two outermost steps have
/// in common is found once.
template <class Word>
class BatchChecker {
 public:
  /// `classes` may be null: for few formulas they are not worth finding.
  BatchChecker(const model::Rsm& model, const ControlFlow& flow, const Condensation* classes,
               const Batch& batch, unsigned jobs, base::LimitGuard& guard,
               Exits exits = Exits::Visible);

  /// Tries bounds before any context, not only where contexts are many: for tests.
  void try_bounds_first() { tries_bounds_first_ = true; }
  /// One result for each member of the batch; unknown for those that are done already. `done` has a
  /// word for each root.
  std::vector<Result> run(const std::vector<Word>& done);
  /// All values of the members of a batch with one root, by step; with Exits::All and a control
  /// flow in which every node is live. The labellings' subformulas are left to be named.
  std::vector<explain::Labelling> label();
  /// How many outermost steps were decided by bounds, without the contexts that would be many.
  std::size_t bounded_count() const { return bounded_count_; }
  /// The most instances that were needed at one time.
  std::size_t instance_count() const { return instance_count_; }

 private:
  /// What is known of a step at an initial node: true for `yes`, false for `no`, else unknown.
  struct Known {
    Word yes;
    Word no;
  };
  /// The instances reached so far on the way to one outermost step, and the values of the
  /// existential steps treated, by plain row.
  struct Level {
    Instances<Word>* instances = nullptr;
    std::unique_ptr<ContextLevel<Word>> owned;      // null for the components themselves
    std::vector<std::uint32_t> component_instance;  // by instance: the one of level 0
    std::map<std::uint32_t, std::vector<Word>> values;
  };

  /// Values that hold in all contexts, and those that hold in some, by plain row.
  struct Between {
    std::vector<Word> least;
    std::vector<Word> most;
  };

  static constexpr std::size_t kNoLimit = ~std::size_t{0};

  void make_components(const Word& formulas);
  void fill_atoms();
  std::vector<Word> evaluate(std::uint32_t step, const Level& level);
  Solution<Word> solve(std::uint32_t step, Level& level);
  std::shared_ptr<const Solution<Word>> solve_by_component(std::uint32_t step);
  Word reached_anywhere(std::uint32_t step, const Level& level);
  Level component_level();
  std::unique_ptr<Level> refine(std::uint32_t step, Level& level, std::size_t most_rows);
  Level* level_for(std::size_t outermost, const Word& formulas);
  Between evaluate_between(std::uint32_t step, const Level& level,
                           const std::map<std::uint32_t, Between>& bounds);
  std::array<Solution<Word>, 2> solve_between(std::uint32_t step, Level& level,
                                              const std::map<std::uint32_t, Between>& bounds);
  std::size_t most_rows_before_bounds(const Level& level) const;
  bool decide_by_bounds(std::size_t outermost, const Word& formulas, Level& level);
  std::vector<std::uint64_t> every_exit(model::ComponentId component) const;
  void begin(const Word& formulas);
  explain::Labelling instances_of(std::size_t member, const Instances<Word>& last,
                                  std::vector<std::uint32_t>& from) const;
  void read_existential(std::uint32_t step, const Level& level, std::size_t member,
                        const std::vector<std::uint32_t>& ancestor, explain::Labelling& labelling);
  void read_boolean(std::uint32_t step, std::size_t member, explain::Labelling& labelling);
  void decide(std::size_t outermost, const Word& formulas);
  void count_contexts(const Plan::Outermost& outermost, const Instances<Word>& at,
                      const Word& formulas);
  Word value_at_root(const Solution<Word>& solution, const Instances<Word>& at,
                     model::NodeId n) const;

  std::vector<Known> evaluate_initial(std::size_t initial) const;
  std::vector<Word> matters(const std::vector<Word>& done) const;
  Word failed(std::uint32_t root) const;

  const model::Rsm& model_;
  const ControlFlow& flow_;
  const Condensation* classes_;
  const Batch& batch_;
  unsigned jobs_;
  base::LimitGuard& guard_;
  Exits exits_;
  Plan plan_;
  const std::vector<Step>& steps_;
  Word all_;
  std::vector<std::uint32_t> place_;        // by step: its place in the closure being evaluated
  Instances<Word> components_;              // level 0: each component once
  std::vector<std::uint32_t> instance_of_;  // by component, at level 0
  std::vector<std::vector<Word>> atoms_;    // by slot, by plain row of level 0; filled when used
  Word begun_;  // the formulas that components_ and the two below are for
  std::map<std::uint32_t, std::shared_ptr<const Solution<Word>>> solved_;  // by component, step
  /// The level reached last and one on the way to it that the next outermost step can go on from,
  /// with the steps that they are refined by.
  struct Reached {
    std::vector<std::uint32_t> steps;
    std::unique_ptr<Level> level;
  };
  Reached kept_;
  Reached current_;
  std::map<std::uint32_t, std::vector<Known>> decided_;  // outermost step → by initial node
  std::vector<std::uint64_t> contexts_;                  // by root and member
  std::size_t instance_count_ = 0;
  std::size_t bounded_count_ = 0;
  bool tries_bounds_first_ = false;
};

}  // namespace nestor::engine::summary
