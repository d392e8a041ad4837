#include "engine/summary/batch_checker.h"

#include "engine/summary/bits.h"
#include "engine/summary/solver.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::summary {

namespace {

// A level whose instances have so many times the nodes of the one before is worth a try by bounds.
constexpr std::size_t kManyTimes = 2;

}  // namespace

template <class Word>
BatchChecker<Word>::BatchChecker(const model::Rsm& model, const ControlFlow& flow,
                                 const Condensation* classes, const Batch& batch, unsigned jobs,
                                 base::LimitGuard& guard, Exits exits)
    : model_(model),
      flow_(flow),
      classes_(classes),
      batch_(batch),
      jobs_(jobs),
      guard_(guard),
      exits_(exits),
      plan_(*batch.shape),
      steps_(plan_.steps()),
      all_(Word::first(batch.width)),
      place_(steps_.size()),
      components_(model),
      atoms_(batch.shape->slots),
      contexts_(batch.members.size(), 1) {}

// ---- existential steps ----

template <class Word>
Solution<Word> BatchChecker<Word>::solve(std::uint32_t step, Level& level) {
  const Step& s = steps_[step];
  Solver<Word> solver(model_, flow_, *level.instances, batch_.width, jobs_, guard_);
  if (classes_ != nullptr && plan_.is_EF(step) && level.instances == &components_) {
    return solver.solve_EF(*classes_, evaluate(s.right, level));
  }
  guard_.reserve(level.instances->bytes_to_sort());
  level.instances->sort(flow_);
  switch (s.op) {
    case logic::Op::EX:
      return solver.solve_EX(evaluate(s.left, level));
    case logic::Op::EG:
      return solver.solve_EG(evaluate(s.left, level));
    default: {
      assert(s.op == logic::Op::EU);
      const std::vector<Word> psi = evaluate(s.right, level);
      if (plan_.is_EF(step)) {
        return solver.solve_EU(nullptr, psi);
      }
      const std::vector<Word> phi = evaluate(s.left, level);
      return solver.solve_EU(&phi, psi);
    }
  }
}

/// The solution of a step whose operands are propositional: the same in all instances of a
/// component, so found on the components themselves, and kept if another outermost step needs it.
template <class Word>
std::shared_ptr<const Solution<Word>> BatchChecker<Word>::solve_by_component(std::uint32_t step) {
  const auto known = solved_.find(step);
  if (known != solved_.end()) {
    return known->second;
  }
  Level base = component_level();
  auto solution = std::make_shared<const Solution<Word>>(solve(step, base));
  if (plan_.use_count(step) > 1) {
    solved_.emplace(step, solution);
  }
  return solution;
}

template <class Word>
typename BatchChecker<Word>::Level BatchChecker<Word>::component_level() {
  Level level;
  level.instances = &components_;
  for (std::uint32_t i = 0; i < components_.size(); ++i) {
    level.component_instance.push_back(i);
  }
  return level;
}

/// The level refined by the contexts for `step`, with the step's values. Null if it would have more
/// than `most_rows` nodes.
template <class Word>
std::unique_ptr<typename BatchChecker<Word>::Level> BatchChecker<Word>::refine(
    std::uint32_t step, Level& level, std::size_t most_rows) {
  const bool by_component = plan_.has_propositional_operands(step);
  const std::shared_ptr<const Solution<Word>> solved =
      by_component ? solve_by_component(step)
                   : std::make_shared<const Solution<Word>>(solve(step, level));
  const Solution<Word>& solution = *solved;
  const Instances<Word>& solved_at = by_component ? components_ : *level.instances;
  std::vector<std::uint32_t> solved_as = level.component_instance;
  if (!by_component) {
    for (std::uint32_t i = 0; i < solved_as.size(); ++i) {
      solved_as[i] = i;
    }
  }
  guard_.reserve(level.instances->bytes_to_link());
  level.instances->link();
  std::unique_ptr<ContextLevel<Word>> next = contextualize(
      model_, flow_, *level.instances, solution, solved_at, solved_as, exits_, most_rows, guard_);
  if (next == nullptr) {
    return nullptr;
  }
  const Instances<Word>& to = next->instances;
  assert(to.roots().size() >= level.instances->roots().size());
  auto refined = std::make_unique<Level>();
  refined->instances = &next->instances;
  for (std::uint32_t i = 0; i < to.size(); ++i) {
    refined->component_instance.push_back(level.component_instance[to[i].parent]);
  }
  for (const auto& [other, values] : level.values) {
    assert(other != step && values.size() == level.instances->plain_row_count());
    if (plan_.last_user(other) <= step) {
      continue;
    }
    std::vector<Word>& copy = refined->values[other];
    guard_.reserve(to.plain_row_count() * sizeof(Word));
    copy.resize(to.plain_row_count());
    for (std::uint32_t i = 0; i < to.size(); ++i) {
      const std::size_t from = (*level.instances)[to[i].parent].first_plain;
      const std::size_t count = model_.component(to[i].component).plain_nodes().size();
      guard_.tick(count);
      for (std::size_t r = 0; r < count; ++r) {
        copy[to[i].first_plain + r] = values[from + r] & to[i].formulas;
      }
    }
  }
  std::vector<Word>& values = refined->values[step];
  guard_.reserve(to.plain_row_count() * sizeof(Word));
  values.resize(to.plain_row_count());
  for (std::uint32_t i = 0; i < to.size(); ++i) {
    const std::uint32_t from = solved_as[to[i].parent];
    for (const model::NodeId n : model_.component(to[i].component).plain_nodes()) {
      guard_.tick();
      if (flow_.is_live(n)) {
        values[to.plain_row(i, n)] =  // (10)
            solution.under_context(flow_, solved_at, from, n, next->context(i)) & to[i].formulas;
      }
    }
  }
  refined->owned = std::move(next);
  return refined;
}

/// With more nodes than that the next level is worth a try by bounds. Not for many formulas
/// together: they share contexts, and bounds would have to decide all of them.
template <class Word>
std::size_t BatchChecker<Word>::most_rows_before_bounds(const Level& level) const {
  if (exits_ == Exits::All || (batch_.members.size() > 1 && !tries_bounds_first_)) {
    return kNoLimit;
  }
  if (tries_bounds_first_) {  // once: a formula may nest 10^5 steps
    return current_.steps.empty() ? 0 : kNoLimit;
  }
  return kManyTimes * std::max(components_.row_count(), level.instances->row_count());
}

/// The level refined by all steps that an outermost step needs. Null if on the way there contexts
/// became many, and bounds have decided the step for these formulas.
template <class Word>
typename BatchChecker<Word>::Level* BatchChecker<Word>::level_for(std::size_t outermost,
                                                                  const Word& formulas) {
  const std::vector<Plan::Outermost>& all = plan_.outermost();
  const std::vector<std::uint32_t>& needed = all[outermost].needed;
  const auto begins = [](const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
  };
  if (current_.level == nullptr || !begins(current_.steps, needed)) {
    current_ = {};
    if (kept_.level != nullptr && begins(kept_.steps, needed)) {
      std::swap(current_, kept_);
    }
  }
  // The next outermost step goes on from where the two lists part; all else is dropped on the way.
  std::size_t common = 0;
  if (outermost + 1 < all.size()) {
    const std::vector<std::uint32_t>& next = all[outermost + 1].needed;
    while (common < needed.size() && common < next.size() && needed[common] == next[common]) {
      ++common;
    }
  }
  if (current_.level == nullptr) {
    current_.level = std::make_unique<Level>(component_level());
  }
  while (current_.steps.size() < needed.size()) {
    const std::uint32_t step = needed[current_.steps.size()];
    std::unique_ptr<Level> refined =
        refine(step, *current_.level, most_rows_before_bounds(*current_.level));
    if (refined == nullptr) {
      if (decide_by_bounds(outermost, formulas, *current_.level)) {
        return nullptr;
      }
      refined = refine(step, *current_.level, kNoLimit);
    }
    if (common > 0 && current_.steps.size() == common) {
      kept_.steps = current_.steps;
      kept_.level = std::move(current_.level);
    }
    current_.steps.push_back(step);
    current_.level = std::move(refined);
  }
  assert(current_.steps == needed);
  return current_.level.get();
}

/// Makes ready for some formulas, and forgets what was found for others. What was made ready for
/// more serves as well, unless most of them are done with.
template <class Word>
void BatchChecker<Word>::begin(const Word& formulas) {
  if (!without(formulas, begun_).any() && 2 * formulas.count() >= begun_.count()) {
    return;
  }
  begun_ = formulas;
  solved_.clear();
  kept_ = {};
  current_ = {};
  make_components(formulas);
  fill_atoms();
}

/// (13): the value at an initial node, where no frame is below: read off, no context needed.
template <class Word>
Word BatchChecker<Word>::value_at_root(const Solution<Word>& solution, const Instances<Word>& at,
                                       model::NodeId n) const {
  Word value;
  for (const typename Instances<Word>::Group& root : at.roots()) {
    const std::uint32_t i = root.callee;
    Word here = solution.local_at(at, i, n);
    const Word* looping = solution.looping.data() + solution.first_exit[i];
    if (solution.op == logic::Op::EG) {
      // Every exit is in the context of the empty stack.
      here |= solution.under_context(flow_, at, i, n, every_exit(at[i].component));
    } else if (solution.op == logic::Op::EX && model_.is_exit(n)) {
      here |= looping[model_.exit_index(n)];
    }
    assert(!(value & root.formulas).any());  // (17)
    value |= here & root.formulas;
  }
  assert(!without(value, begun_).any());  // (18)
  return value;
}

/// (14): the formulas for which the step is true at some node of some instance that is reached.
/// Where that is from the one initial node, it is E true U step there.
template <class Word>
Word BatchChecker<Word>::reached_anywhere(std::uint32_t step, const Level& level) {
  const Instances<Word>& at = *level.instances;
  const std::vector<Word> values = evaluate(step, level);
  Word reached;
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    for (const model::NodeId n : model_.component(at[i].component).plain_nodes()) {
      if (flow_.is_reached(n)) {
        reached |= values[at.plain_row(i, n)];
      }
    }
    if (reached == begun_) {
      break;
    }
  }
  return reached;
}

/// A formula that meets a component in one context only needs no context for it; beyond that each
/// counts. The eager strategy's original components stand for one context each and are not counted
/// either, so no formula has more than it has there. Parts of a formula that are decided one after
/// the other count by the largest.
template <class Word>
void BatchChecker<Word>::count_contexts(const Plan::Outermost& outermost, const Instances<Word>& at,
                                        const Word& formulas) {
  std::vector<bool> is_root(at.size());
  for (const typename Instances<Word>::Group& root : at.roots()) {
    is_root[root.callee] = true;
  }
  std::vector<Word> met(model_.component_count());
  std::vector<std::uint64_t> count(batch_.width, 1);
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    if (!is_root[i]) {
      Word& before = met[at[i].component.value()];
      const Word here = at[i].formulas & formulas;
      (before & here).for_each([&](std::size_t member) { ++count[member]; });
      before |= here;
    }
  }
  for (const std::uint32_t root : outermost.roots) {
    for (std::size_t member = 0; member < batch_.width; ++member) {
      std::uint64_t& contexts = contexts_[root * batch_.width + member];
      contexts = std::max(contexts, count[member]);
    }
  }
  instance_count_ = std::max(instance_count_, at.size());
}

/// Finds the values of an outermost step at the initial nodes, for some formulas.
template <class Word>
void BatchChecker<Word>::decide(std::size_t outermost, const Word& formulas) {
  begin(formulas);
  assert(!without(formulas, begun_).any());
  const Plan::Outermost& wanted = plan_.outermost()[outermost];
  assert(!decided_.contains(wanted.step));
  Level* const found = level_for(outermost, formulas);
  if (found == nullptr) {
    ++bounded_count_;
    return;
  }
  Level& level = *found;
  count_contexts(wanted, *level.instances, formulas);
  std::vector<Known>& known = decided_[wanted.step];
  const auto add_known = [&](const Word& value) {
    known.push_back({value & formulas, without(formulas, value)});
  };
  const bool forward =
      model_.initial_nodes().size() == 1 && (wanted.needed.empty() || flow_.has_single_entries());
  if (plan_.is_EF(wanted.step) && forward) {
    add_known(reached_anywhere(steps_[wanted.step].right, level));
    return;
  }
  const std::shared_ptr<const Solution<Word>> solution =
      wanted.needed.empty() ? solve_by_component(wanted.step)
                            : std::make_shared<const Solution<Word>>(solve(wanted.step, level));
  for (const model::NodeId n : model_.initial_nodes()) {
    add_known(value_at_root(*solution, *level.instances, n));
  }
}

template class BatchChecker<FewBits>;
template class BatchChecker<WordBits>;
template class BatchChecker<WideBits>;

}  // namespace nestor::engine::summary
