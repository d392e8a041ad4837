#pragma once

#include "engine/summary/contexts.h"
#include "engine/summary/shape.h"

#include <cstdint>
#include <map>
#include <vector>

namespace nestor::summary {

/// Answers the formulas of one batch together; Word has a bit for each.
///
/// The formula of the shape is a Boolean combination of propositions and *outermost* existential
/// steps. Each outermost step is decided by itself, and only for the formulas to which it still
/// matters: its existential operands are treated bottom-up, each refining the instances by its
/// contexts, and its own value is then read off at the initial nodes.
template <class Word>
class BatchChecker {
 public:
  /// `classes` may be null: for few formulas they are not worth finding.
  BatchChecker(const Rsm& model, const ControlFlow& flow, const Condensation* classes,
               const Batch& batch, unsigned jobs, LimitGuard& guard);

  /// One result for each member of the batch.
  std::vector<Result> run();
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

  void plan();
  std::vector<std::uint32_t> existential_below(std::uint32_t step) const;
  std::vector<std::uint32_t> boolean_closure(std::uint32_t step) const;
  bool is_propositional(std::uint32_t step) const { return propositional_[step]; }
  bool propositional_operands(std::uint32_t step) const;

  void make_components(const Word& formulas);
  void fill_atoms();
  std::vector<Word> evaluate(std::uint32_t step, const Level& level);
  bool is_EF(std::uint32_t step) const {
    return steps_[step].op == Op::EU && steps_[steps_[step].left].op == Op::True;
  }
  Solution<Word> solve(std::uint32_t step, Level& level);
  Word reached_anywhere(std::uint32_t step, const Level& level);
  void refine(std::uint32_t step, Level& level);
  void decide(std::uint32_t outermost, const Word& formulas);
  void count_contexts(const Instances<Word>& at);
  Word value_at_root(const Solution<Word>& solution, const Instances<Word>& at, NodeId n) const;

  std::vector<Known> evaluate_initial(std::size_t initial) const;
  std::vector<Word> matters() const;
  Word failed() const;

  const Rsm& model_;
  const ControlFlow& flow_;
  const Condensation* classes_;
  const Batch& batch_;
  unsigned jobs_;
  LimitGuard& guard_;
  const std::vector<Step>& steps_;
  Word all_;
  mutable std::vector<std::uint32_t> visited_;  // by step: the last visit of boolean_closure()
  mutable std::uint32_t visit_ = 0;
  std::vector<std::uint32_t> place_;        // by step: its place in the closure being evaluated
  std::vector<bool> propositional_;         // by step: no existential step below
  std::vector<std::uint32_t> last_user_;    // by existential step: the last step that reads it
  std::vector<std::uint32_t> outermost_;    // existential steps under no other
  Instances<Word> components_;              // level 0: each live component once
  std::vector<std::uint32_t> instance_of_;  // by component, at level 0
  std::vector<std::vector<Word>> atoms_;    // by slot, by plain row of level 0; filled when used
  std::map<std::uint32_t, std::vector<Known>> decided_;  // outermost step → by initial node
  std::vector<std::uint64_t> contexts_;                  // by member
  std::size_t instance_count_ = 0;
};

}  // namespace nestor::summary
