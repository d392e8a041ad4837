#include "engine/summary/batch_checker.h"

#include "base/error.h"
#include "engine/summary/bits.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>

namespace nestor::summary {

template <class Word>
BatchChecker<Word>::BatchChecker(const Rsm& model, const ControlFlow& flow,
                                 const Condensation* classes, const Batch& batch, LimitGuard& guard)
    : model_(model),
      flow_(flow),
      classes_(classes),
      batch_(batch),
      guard_(guard),
      steps_(batch.shape->steps),
      all_(Word::first(batch.members.size())),
      components_(model),
      atoms_(batch.shape->slots),
      contexts_(batch.members.size(), 1) {
  plan();
}

// ---- the formula ----

template <class Word>
void BatchChecker<Word>::plan() {
  visited_.assign(steps_.size(), 0);
  place_.assign(steps_.size(), 0);
  propositional_.assign(steps_.size(), true);
  last_user_.assign(steps_.size(), 0);
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    const int operands = operand_count(steps_[s].op);
    propositional_[s] = !is_existential(steps_[s].op) &&
                        (operands < 1 || propositional_[steps_[s].left]) &&
                        (operands < 2 || propositional_[steps_[s].right]);
    if (is_existential(steps_[s].op)) {
      for (const std::uint32_t operand : existential_below(s)) {
        last_user_[operand] = s;
      }
    }
  }
  const auto root = static_cast<std::uint32_t>(steps_.size() - 1);
  for (const std::uint32_t step : boolean_closure(root)) {
    if (is_existential(steps_[step].op)) {
      outermost_.push_back(step);
    }
  }
}

/// `step` and what it is made of by Boolean operators alone, ascending.
template <class Word>
std::vector<std::uint32_t> BatchChecker<Word>::boolean_closure(std::uint32_t step) const {
  std::vector<std::uint32_t> closure;
  std::vector<std::uint32_t> stack{step};
  ++visit_;
  while (!stack.empty()) {
    const std::uint32_t s = stack.back();
    stack.pop_back();
    if (visited_[s] == visit_) {
      continue;
    }
    visited_[s] = visit_;
    closure.push_back(s);
    if (!is_existential(steps_[s].op)) {
      const int operands = operand_count(steps_[s].op);
      if (operands >= 1) {
        stack.push_back(steps_[s].left);
      }
      if (operands == 2) {
        stack.push_back(steps_[s].right);
      }
    }
  }
  std::sort(closure.begin(), closure.end());
  return closure;
}

/// The existential steps that an existential step's operands read.
template <class Word>
std::vector<std::uint32_t> BatchChecker<Word>::existential_below(std::uint32_t step) const {
  std::vector<std::uint32_t> found;
  const auto collect = [&](std::uint32_t operand) {
    for (const std::uint32_t s : boolean_closure(operand)) {
      if (is_existential(steps_[s].op)) {
        found.push_back(s);
      }
    }
  };
  collect(steps_[step].left);
  if (steps_[step].op == Op::EU) {
    collect(steps_[step].right);
  }
  return found;
}

// ---- values of operands ----

template <class Word>
void BatchChecker<Word>::make_components(const Word& formulas) {
  components_ = Instances<Word>(model_);
  instance_of_.assign(model_.component_count(), 0);
  for (const ComponentId c : flow_.live_components()) {
    instance_of_[c.value()] = components_.add(c, 0);
    components_[instance_of_[c.value()]].formulas = formulas;
  }
  for (const ComponentId c : flow_.live_components()) {
    for (const BoxId b : model_.component(c).boxes()) {
      if (flow_.is_called(b)) {
        components_.add_group(instance_of_[c.value()], b,
                              instance_of_[model_.box(b).callee.value()], formulas);
      }
    }
  }
  components_.add_root(instance_of_[model_.initial_component().value()], formulas);
}

template <class Word>
void BatchChecker<Word>::fill_atoms() {
  for (std::size_t slot = 0; slot < atoms_.size(); ++slot) {
    if (!atoms_[slot].empty()) {
      continue;
    }
    atoms_[slot].assign(components_.plain_row_count(), Word());
    for (std::size_t member = 0; member < batch_.members.size(); ++member) {
      const PropId p = batch_.props[slot][member];
      if (!p.valid()) {
        continue;
      }
      for (const NodeId n : model_.nodes_with(p)) {
        guard_.tick();
        if (flow_.is_live(n)) {
          const std::uint32_t i = instance_of_[model_.component_of(n).value()];
          atoms_[slot][components_.plain_row(i, n)].set(member);
        }
      }
    }
  }
}

/// The values of a Boolean combination of propositions and treated steps, by plain row.
template <class Word>
std::vector<Word> BatchChecker<Word>::evaluate(std::uint32_t step, const Level& level) {
  const auto known = level.values.find(step);
  if (known != level.values.end()) {
    return known->second;
  }
  const Instances<Word>& at = *level.instances;
  const std::vector<std::uint32_t> closure = boolean_closure(step);
  for (std::uint32_t k = 0; k < closure.size(); ++k) {
    place_[closure[k]] = k;
  }
  // Rows in blocks, so that the intermediate values of a large formula stay small.
  constexpr std::size_t kBlock = 64;
  std::vector<Word> block(closure.size() * kBlock);
  std::vector<Word> result(at.plain_row_count());
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    const Word& formulas = at[i].formulas;
    const std::size_t first_atom = components_[level.component_instance[i]].first_plain;
    const std::size_t count = model_.component(at[i].component).plain_nodes().size();
    for (std::size_t from = 0; from < count; from += kBlock) {
      const std::size_t rows = std::min(kBlock, count - from);
      guard_.tick(rows * closure.size());
      for (std::uint32_t k = 0; k < closure.size(); ++k) {
        const Step& s = steps_[closure[k]];
        Word* to = block.data() + k * kBlock;
        const Word* left = block.data() + place_[operand_count(s.op) >= 1 ? s.left : 0] * kBlock;
        const Word* right = block.data() + place_[operand_count(s.op) == 2 ? s.right : 0] * kBlock;
        const std::size_t row = at[i].first_plain + from;
        for (std::size_t r = 0; r < rows; ++r) {
          switch (s.op) {
            case Op::True:
              to[r] = formulas;
              break;
            case Op::Atom:
              to[r] = atoms_[s.slot][first_atom + from + r] & formulas;
              break;
            case Op::Not:
              to[r] = without(formulas, left[r]);
              break;
            case Op::Or:
              to[r] = left[r] | right[r];
              break;
            default:
              to[r] = level.values.at(closure[k])[row + r];
          }
        }
      }
      const Word* last = block.data() + (closure.size() - 1) * kBlock;
      std::copy(last, last + rows,
                result.begin() + static_cast<std::ptrdiff_t>(at[i].first_plain + from));
    }
  }
  return result;
}

// ---- existential steps ----

template <class Word>
Solution<Word> BatchChecker<Word>::solve(std::uint32_t step, Level& level) {
  const Step& s = steps_[step];
  Solver<Word> solver(model_, flow_, *level.instances, batch_.members.size(), guard_);
  if (classes_ != nullptr && is_EF(step) && level.instances == &components_) {
    return solver.solve_EF(*classes_, evaluate(s.right, level));
  }
  level.instances->link();
  level.instances->sort(flow_);
  switch (s.op) {
    case Op::EX:
      return solver.solve_EX(evaluate(s.left, level));
    case Op::EG:
      return solver.solve_EG(evaluate(s.left, level));
    default: {
      assert(s.op == Op::EU);
      const std::vector<Word> psi = evaluate(s.right, level);
      if (is_EF(step)) {
        return solver.solve_EU(nullptr, psi);
      }
      const std::vector<Word> phi = evaluate(s.left, level);
      return solver.solve_EU(&phi, psi);
    }
  }
}

/// Refines the level by the contexts for `step` and adds the step's values.
template <class Word>
void BatchChecker<Word>::refine(std::uint32_t step, Level& level) {
  // What depends on no other step is the same in all instances of a component.
  const bool by_component = propositional_operands(step);
  Level base;
  base.instances = &components_;
  base.component_instance.resize(components_.size());
  for (std::uint32_t i = 0; i < components_.size(); ++i) {
    base.component_instance[i] = i;
  }
  Level& solved = by_component ? base : level;
  const Solution<Word> solution = solve(step, solved);
  std::vector<std::uint32_t> solved_as = level.component_instance;
  if (!by_component) {
    for (std::uint32_t i = 0; i < solved_as.size(); ++i) {
      solved_as[i] = i;
    }
  }
  level.instances->link();
  std::unique_ptr<ContextLevel<Word>> next = contextualize(
      model_, flow_, *level.instances, solution, *solved.instances, solved_as, guard_);

  const Instances<Word>& to = next->instances;
  Level refined;
  refined.instances = &next->instances;
  for (std::uint32_t i = 0; i < to.size(); ++i) {
    refined.component_instance.push_back(level.component_instance[to[i].parent]);
  }
  for (const auto& [other, values] : level.values) {
    if (last_user_[other] <= step) {
      continue;
    }
    std::vector<Word>& copy = refined.values[other];
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
  std::vector<Word>& values = refined.values[step];
  values.resize(to.plain_row_count());
  for (std::uint32_t i = 0; i < to.size(); ++i) {
    const std::uint32_t from = solved_as[to[i].parent];
    for (const NodeId n : model_.component(to[i].component).plain_nodes()) {
      guard_.tick();
      if (flow_.is_live(n)) {
        values[to.plain_row(i, n)] =
            solution.under_context(flow_, *solved.instances, from, n, next->context(i)) &
            to[i].formulas;
      }
    }
  }
  refined.owned = std::move(next);
  level = std::move(refined);
}

template <class Word>
bool BatchChecker<Word>::propositional_operands(std::uint32_t step) const {
  const Step& s = steps_[step];
  return is_propositional(s.left) && (s.op != Op::EU || is_propositional(s.right));
}

/// The value at an initial node, where no frame is below: read off, no context needed.
template <class Word>
Word BatchChecker<Word>::value_at_root(const Solution<Word>& solution, const Instances<Word>& at,
                                       NodeId n) const {
  Word value;
  for (const typename Instances<Word>::Group& root : at.roots()) {
    const std::uint32_t i = root.callee;
    Word here = solution.local_at(at, i, n);
    const Word* looping = solution.looping.data() + solution.first_exit[i];
    if (solution.op == Op::EG) {
      // Every exit is in the context of the empty stack.
      BitSet every(model_.exits(at[i].component).size());
      every.set_all();
      here |= solution.under_context(flow_, at, i, n, every.words());
    } else if (solution.op == Op::EX && model_.is_exit(n)) {
      here |= looping[model_.exit_index(n)];
    }
    value |= here & root.formulas;
  }
  return value;
}

/// The formulas for which the step is true at some live node of some instance. Where every such
/// node is reached from the one initial node, that is E true U step there.
template <class Word>
Word BatchChecker<Word>::reached_anywhere(std::uint32_t step, const Level& level) {
  const Instances<Word>& at = *level.instances;
  const std::vector<Word> values = evaluate(step, level);
  Word reached;
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    for (const NodeId n : model_.component(at[i].component).plain_nodes()) {
      if (flow_.is_live(n)) {
        reached |= values[at.plain_row(i, n)];
      }
    }
  }
  return reached;
}

/// A formula that meets a component in one context only needs no context for it; beyond that each
/// counts. So no formula has more than the eager strategy, whose original components stand for one
/// context each and are not counted either. Parts of a formula that are decided one after the other
/// count by the largest.
template <class Word>
void BatchChecker<Word>::count_contexts(const Instances<Word>& at) {
  std::vector<bool> is_root(at.size());
  for (const typename Instances<Word>::Group& root : at.roots()) {
    is_root[root.callee] = true;
  }
  std::vector<Word> met(model_.component_count());
  std::vector<std::uint64_t> count(contexts_.size(), 1);
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    if (!is_root[i]) {
      Word& before = met[at[i].component.value()];
      (before & at[i].formulas).for_each([&](std::size_t member) { ++count[member]; });
      before |= at[i].formulas;
    }
  }
  for (std::size_t member = 0; member < count.size(); ++member) {
    contexts_[member] = std::max(contexts_[member], count[member]);
  }
  instance_count_ = std::max(instance_count_, at.size());
}

/// Finds the values of an outermost step at the initial nodes, for some formulas.
template <class Word>
void BatchChecker<Word>::decide(std::uint32_t outermost, const Word& formulas) {
  make_components(formulas);
  fill_atoms();
  std::vector<std::uint32_t> needed;
  std::vector<bool> seen(outermost + 1);
  std::vector<std::uint32_t> stack{outermost};
  while (!stack.empty()) {
    const std::uint32_t step = stack.back();
    stack.pop_back();
    for (const std::uint32_t operand : existential_below(step)) {
      if (!seen[operand]) {
        seen[operand] = true;
        needed.push_back(operand);
        stack.push_back(operand);
      }
    }
  }
  std::sort(needed.begin(), needed.end());

  Level level;
  level.instances = &components_;
  for (std::uint32_t i = 0; i < components_.size(); ++i) {
    level.component_instance.push_back(i);
  }
  for (const std::uint32_t step : needed) {
    refine(step, level);
  }
  count_contexts(*level.instances);
  std::vector<Known>& known = decided_[outermost];
  const bool forward =
      model_.initial_nodes().size() == 1 && (needed.empty() || flow_.has_single_entries());
  if (is_EF(outermost) && forward) {
    const Word value = reached_anywhere(steps_[outermost].right, level);
    known.push_back({value & formulas, without(formulas, value)});
    return;
  }
  const Solution<Word> solution = solve(outermost, level);
  for (const NodeId n : model_.initial_nodes()) {
    const Word value = value_at_root(solution, *level.instances, n);
    known.push_back({value & formulas, without(formulas, value)});
  }
}

// ---- the verdict ----

/// What is known of every step outside existential ones at an initial node.
template <class Word>
std::vector<typename BatchChecker<Word>::Known> BatchChecker<Word>::evaluate_initial(
    std::size_t initial) const {
  std::vector<Known> known(steps_.size());
  const NodeId n = model_.initial_nodes()[initial];
  for (const std::uint32_t s : boolean_closure(static_cast<std::uint32_t>(steps_.size() - 1))) {
    const Step& step = steps_[s];
    switch (step.op) {
      case Op::True:
        known[s].yes = all_;
        break;
      case Op::Atom:
        for (std::size_t member = 0; member < batch_.members.size(); ++member) {
          const PropId p = batch_.props[step.slot][member];
          if (p.valid()) {
            const std::span<const NodeId> nodes = model_.nodes_with(p);
            if (std::binary_search(nodes.begin(), nodes.end(), n)) {
              known[s].yes.set(member);
            }
          }
        }
        known[s].no = without(all_, known[s].yes);
        break;
      case Op::Not:
        known[s] = {known[step.left].no, known[step.left].yes};
        break;
      case Op::Or:
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
  return known;
}

/// For each step, the formulas whose verdict still depends on it: those for which a chain of
/// unknown steps leads from the formula to it, at some initial node, and that fail at none.
template <class Word>
std::vector<Word> BatchChecker<Word>::matters() const {
  const auto root = static_cast<std::uint32_t>(steps_.size() - 1);
  const std::vector<std::uint32_t> closure = boolean_closure(root);
  const Word undecided = without(all_, failed());
  std::vector<Word> wanted(steps_.size());
  for (std::size_t initial = 0; initial < model_.initial_nodes().size(); ++initial) {
    const std::vector<Known> known = evaluate_initial(initial);
    std::vector<Word> here(steps_.size());
    here[root] = undecided;
    for (std::size_t k = closure.size(); k-- > 0;) {
      const std::uint32_t s = closure[k];
      here[s] = without(here[s], known[s].yes | known[s].no);
      wanted[s] |= here[s];
      if (!is_existential(steps_[s].op)) {
        const int operands = operand_count(steps_[s].op);
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
Word BatchChecker<Word>::failed() const {
  Word fails;
  for (std::size_t initial = 0; initial < model_.initial_nodes().size(); ++initial) {
    fails |= evaluate_initial(initial).back().no;
  }
  return fails;
}

template <class Word>
std::vector<Result> BatchChecker<Word>::run() {
  std::vector<Word> wanted = matters();
  std::size_t decided = 0;
  std::size_t stale = 0;
  for (const std::uint32_t step : outermost_) {
    // Looking again costs the whole formula, so it waits until an eighth more is decided: a
    // formula with 10^5 outermost steps is not looked at 10^5 times.
    if (stale > decided / 8) {
      wanted = matters();
      stale = 0;
    }
    if (wanted[step].any()) {
      decide(step, wanted[step]);
      ++decided;
      ++stale;
    }
  }
  const Word fails = failed();
  Word holds = all_;
  for (std::size_t initial = 0; initial < model_.initial_nodes().size(); ++initial) {
    holds &= evaluate_initial(initial).back().yes;
  }
  std::vector<Result> results(batch_.members.size());
  for (std::size_t member = 0; member < results.size(); ++member) {
    NESTOR_CHECK(fails.test(member) != holds.test(member));
    results[member].verdict = fails.test(member) ? Verdict::Fails : Verdict::Holds;
    results[member].contexts = contexts_[member];
  }
  return results;
}

template class BatchChecker<Bits<1>>;
template class BatchChecker<Bits<4>>;

}  // namespace nestor::summary
