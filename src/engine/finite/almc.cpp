// The local algorithm ALMC, top-down and only where values are needed, after
//   [Hel97] section 3.3, which recasts
//   [VL93]  B. Vergauwen, J. Lewi: A linear local model checking algorithm for CTL.
//           CONCUR 1993, LNCS 715.
//
// The report's routines, s a state, f a subformula with operands left(f) and right(f):
//
//   check(s, f)         afterwards info(s, f) is known
//     if it is known already: return
//     by the operator of f: boolean, ex, au or eu
//
//   au(s, f)
//     cst := empty stack                  the search path
//     try    au.cst(s, f, cst)
//     catch  for all states of cst: info := false
//
//   au.cst(s, f, cst)   throws if a counterexample begins in s
//     if info(s, f) = false: throw; if true: return
//     check(s, right(f)); if it is true: info(s, f) := true; return
//     check(s, left(f));  if it is false: info(s, f) := false; throw
//     mark s; push s on cst
//     for all successors t of s: if t is marked: throw, else au.cst(t, f, cst)
//     pop s from cst; info(s, f) := true
//
//   eu(s, f)
//     cst := empty stack                  potential witness states
//     try    eu.cst(s, f, cst); for all states of cst: info := false
//     catch  goal:  goal(s, f, goal)
//
//   eu.cst(s, f, cst)   throws a goal that s reaches: a state where f is true
//     if info(s, f) = true: throw s; if false: return
//     check(s, right(f)); if it is true: throw s
//     check(s, left(f));  if it is false: info(s, f) := false; return
//     mark s; push s on cst
//     for all successors t of s that are not marked: eu.cst(t, f, cst)
//
//   goal(s, f, goal)    which of the marked states reach the goal
//     dfs := 0; fst := empty stack
//     try    goal.fst(s, f, goal, fst)
//     catch  for all states t of fst: num(t) := 0
//
//   goal.fst(s, f, goal, fst)   returns the least number that s reaches, by Tarjan
//     info(s, f) := true                  so it seems
//     if s = goal: throw
//     num(s) := min := dfs := dfs + 1; push s on fst
//     for all successors t of s:
//       if t is marked: min := the less of min and goal.fst(t, f, goal, fst)
//       elsif num(t) > 0: min := the less of min and num(t)
//     if min = num(s): pop all states t down to s from fst: num(t) := 0; info(t, f) := false
//     return min
//
//   report                     here                    remark
//   info(s, f), marked(s, f)   info(): Info            two bits hold both
//   check(s, f)                check()                 calls; the caller goes on in its next phase
//   au, au.cst                 au(), au_cst()          cst is the AuCst frames on frames_
//   eu, eu.cst                 eu(), eu_cst()          cst_, from first_cst on
//   goal, goal.fst             goal()                  goal_frames_ are the calls of goal.fst
//   throw                      throw_…()               takes frames down to the routine that
//   catches num                        num()                   0 outside of goal()
//
// goal.fst meets the states that eu.cst marked in exactly the same order, so when it comes to the
// goal it has met them all. That order is the order of successors().
//
// Deviations: no recursion: a call is a frame, and a routine goes on where its frame says. A state
// without successors ends a path: a counterexample of A(φ U ψ) unless ψ holds there. The report's
// operators ∧ and AX are ∨ and EX here.

#include "engine/finite/almc.h"

#include "base/error.h"
#include "engine/finite/finite.h"
#include "engine/finite/finite_engine.h"
#include "engine/finite/memory_table.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::finite {

using Type = Subformula::Type;

AlmcChecker::Info AlmcChecker::info(std::uint32_t i, model::NodeId s) const {
  const std::size_t place = std::size_t{s.value()} * sub_.length() + i;
  return place / 32 < info_.size() ? static_cast<Info>((info_[place / 32] >> (place % 32 * 2)) & 3)
                                   : Info::Unknown;
}

void AlmcChecker::set_info(std::uint32_t i, model::NodeId s, Info value) {
  const std::size_t place = std::size_t{s.value()} * sub_.length() + i;
  if (place / 32 >= info_.size()) {
    info_.resize(std::max(place / 32 + 1, graph_.size() * sub_.length() / 32 + 1));
  }
  std::uint64_t& word = info_[place / 32];
  word &= ~(std::uint64_t{3} << (place % 32 * 2));
  word |= static_cast<std::uint64_t>(value) << (place % 32 * 2);
}

std::uint32_t& AlmcChecker::num(model::NodeId s) {
  if (s.value() >= num_.size()) {
    num_.resize(std::max<std::size_t>(s.value() + 1, graph_.size()));
  }
  return num_[s.value()];
}

void AlmcChecker::call(Routine routine, std::uint32_t i, model::NodeId s) {
  base::reserve_one_more(frames_, guard_);
  frames_.push_back({routine, Phase::Entered, i, s, 0});
  peak_stack_ = std::max(peak_stack_, frames_.size() + cst_.size());
}

bool AlmcChecker::holds(std::uint32_t i, model::NodeId s) {
  assert(frames_.empty() && cst_.empty() && searches_.empty());
  check(i, s);
  while (!frames_.empty()) {
    guard_.tick();
    go_on();
  }
  assert(info(i, s) == Info::True || info(i, s) == Info::False);
  return is_true(i, s);
}

/// Sees to it that info(i, s) is known when the frame on top goes on.
void AlmcChecker::check(std::uint32_t i, model::NodeId s) {
  const Info known = info(i, s);
  assert(known != Info::Marked);  // the evaluation of an operand never needs the operator
  if (known != Info::Unknown) {
    return;
  }
  switch (sub_[i].type) {
    case Type::EX:
      return call(Routine::Ex, i, s);
    case Type::AU:
      return call(Routine::Au, i, s);
    case Type::EU:
      return call(Routine::Eu, i, s);
    default:
      return call(Routine::Boolean, i, s);
  }
}

void AlmcChecker::go_on() {
  switch (frames_.back().routine) {
    case Routine::Boolean:
      return boolean();
    case Routine::Ex:
      return ex();
    case Routine::Au:
      return au();
    case Routine::AuCst:
      return au_cst();
    case Routine::Eu:
      return eu();
    case Routine::EuCst:
      return eu_cst();
  }
}

void AlmcChecker::boolean() {
  Frame& top = frames_.back();
  const Subformula& f = sub_[top.i];
  const model::NodeId s = top.s;
  const bool needs_left = f.type == Type::Negation || f.type == Type::Disjunction;
  if (top.phase == Phase::Entered && needs_left) {
    top.phase = Phase::LeftIsKnown;
    return check(f.left, s);
  }
  if (top.phase == Phase::LeftIsKnown && f.type == Type::Disjunction && !is_true(f.left, s)) {
    top.phase = Phase::RightIsKnown;
    return check(f.right, s);
  }
  bool value = true;
  if (f.type == Type::Atom) {
    value = graph_.holds(top.i, s);
  } else if (f.type == Type::Negation) {
    value = !is_true(f.left, s);
  } else if (f.type == Type::Disjunction) {
    value = is_true(f.left, s) || is_true(f.right, s);
  }
  set_info(top.i, s, value);
  frames_.pop_back();
}

void AlmcChecker::ex() {
  Frame& top = frames_.back();
  const std::uint32_t operand = sub_[top.i].left;
  const auto successors = graph_.successors(top.s);
  const bool found = top.next > 0 && is_true(operand, successors[top.next - 1]);
  if (found || top.next == successors.size()) {
    set_info(top.i, top.s, found);
    frames_.pop_back();
    return;
  }
  check(operand, successors[top.next++]);
}

void AlmcChecker::au() {
  Frame& top = frames_.back();
  if (top.phase == Phase::Entered) {
    top.phase = Phase::Searched;
    return call(Routine::AuCst, top.i, top.s);
  }
  assert(info(top.i, top.s) == Info::True || info(top.i, top.s) == Info::False);
  frames_.pop_back();
}

/// Looks for a counterexample through `s`.
void AlmcChecker::au_cst() {
  Frame& top = frames_.back();
  const std::uint32_t i = top.i;
  const model::NodeId s = top.s;
  switch (top.phase) {
    case Phase::Entered:
      assert(info(i, s) == Info::Unknown);
      top.phase = Phase::RightIsKnown;
      return check(sub_[i].right, s);
    case Phase::RightIsKnown:
      if (is_true(sub_[i].right, s)) {
        set_info(i, s, true);
        frames_.pop_back();
        return;
      }
      top.phase = Phase::LeftIsKnown;
      return check(sub_[i].left, s);
    case Phase::LeftIsKnown:
      if (!is_true(sub_[i].left, s)) {
        return throw_counterexample();
      }
      top.phase = Phase::Marked;
      set_info(i, s, Info::Marked);
      break;
    default:
      assert(info(i, s) == Info::Marked);  // as long as it is on the path
      break;
  }
  const auto successors = graph_.successors(s);
  if (successors.empty()) {
    return throw_counterexample();  // a dead end
  }
  if (top.next == successors.size()) {
    set_info(i, s, true);
    frames_.pop_back();
    return;
  }
  const model::NodeId t = successors[top.next++];
  switch (info(i, t)) {
    case Info::True:
      return;
    case Info::Marked:  // a loop
    case Info::False:
      return throw_counterexample();
    case Info::Unknown:
      call(Routine::AuCst, i, t);
  }
}

/// Every state on the search path is false.
void AlmcChecker::throw_counterexample() {
  while (frames_.back().routine == Routine::AuCst) {
    set_info(frames_.back().i, frames_.back().s, false);
    frames_.pop_back();
  }
  assert(frames_.back().routine == Routine::Au);
}

void AlmcChecker::eu() {
  Frame& top = frames_.back();
  const std::uint32_t i = top.i;
  const model::NodeId s = top.s;
  if (top.phase == Phase::Entered) {
    top.phase = Phase::Searched;
    searches_.push_back({cst_.size(), model::NodeId()});
    return call(Routine::EuCst, i, s);
  }
  const Search search = searches_.back();
  if (search.goal.valid()) {
    goal(i, s, search.goal);
  }
  for (std::size_t c = search.first_cst; c < cst_.size(); ++c) {
    if (search.goal.valid()) {
      NESTOR_CHECK(info(i, cst_[c]) != Info::Marked);  // both searches met the same states
    } else {
      assert(info(i, cst_[c]) == Info::Marked);
      set_info(i, cst_[c], false);
    }
  }
  cst_.resize(search.first_cst);
  searches_.pop_back();
  frames_.pop_back();
}

/// Looks for a goal from `s`: a state that is known to satisfy E(φ U ψ), or satisfies ψ.
void AlmcChecker::eu_cst() {
  Frame& top = frames_.back();
  const std::uint32_t i = top.i;
  const model::NodeId s = top.s;
  switch (top.phase) {
    case Phase::Entered:
      assert(info(i, s) == Info::Unknown);
      top.phase = Phase::RightIsKnown;
      return check(sub_[i].right, s);
    case Phase::RightIsKnown:
      if (is_true(sub_[i].right, s)) {
        return throw_goal(s);
      }
      top.phase = Phase::LeftIsKnown;
      return check(sub_[i].left, s);
    case Phase::LeftIsKnown:
      if (!is_true(sub_[i].left, s)) {
        set_info(i, s, false);
        frames_.pop_back();
        return;
      }
      top.phase = Phase::Marked;
      set_info(i, s, Info::Marked);
      base::reserve_one_more(cst_, guard_);
      cst_.push_back(s);
      break;
    default:
      break;
  }
  const auto successors = graph_.successors(s);
  if (top.next == successors.size()) {
    frames_.pop_back();
    return;
  }
  const model::NodeId t = successors[top.next++];
  switch (info(i, t)) {
    case Info::True:
      return throw_goal(t);
    case Info::Unknown:
      return call(Routine::EuCst, i, t);
    case Info::Marked:
    case Info::False:
      return;
  }
}

void AlmcChecker::throw_goal(model::NodeId goal) {
  searches_.back().goal = goal;
  while (frames_.back().routine == Routine::EuCst) {
    frames_.pop_back();
  }
  assert(frames_.back().routine == Routine::Eu);
}

/// The second search: the marked states that reach `goal` are true, the others false. A state that
/// is met counts as true until the strongly connected component that it is in is left without
/// having come to the goal.
void AlmcChecker::goal(std::uint32_t i, model::NodeId s, model::NodeId goal) {
  std::uint32_t dfs = 0;
  fst_.clear();
  goal_frames_.clear();
  const auto goal_fst = [&](model::NodeId t) {
    assert(num(t) == 0 && info(i, t) == Info::Marked);
    set_info(i, t, true);
    num(t) = ++dfs;
    base::reserve_one_more(fst_, guard_);
    fst_.push_back(t);
    base::reserve_one_more(goal_frames_, guard_);
    goal_frames_.push_back({t, 0, dfs});
  };
  bool reached = s == goal;
  if (!reached) {
    goal_fst(s);
  }
  while (!reached && !goal_frames_.empty()) {
    guard_.tick();
    GoalFrame& top = goal_frames_.back();
    const auto successors = graph_.successors(top.s);
    if (top.next < successors.size()) {
      const model::NodeId t = successors[top.next++];
      if (t == goal) {
        reached = true;
      } else if (info(i, t) == Info::Marked) {
        goal_fst(t);
      } else if (num(t) != 0) {
        top.min = std::min(top.min, num(t));
      }
      continue;
    }
    const GoalFrame done = top;
    goal_frames_.pop_back();
    assert(done.min <= num(done.s));
    if (done.min == num(done.s)) {  // the root of a component that does not reach the goal
      model::NodeId t;
      do {
        t = fst_.back();
        fst_.pop_back();
        num(t) = 0;
        set_info(i, t, false);
      } while (t != done.s);
    } else {
      goal_frames_.back().min = std::min(goal_frames_.back().min, done.min);
    }
  }
  NESTOR_CHECK(reached);
  set_info(i, goal, true);
  for (const model::NodeId t : fst_) {
    assert(is_true(i, t));
    num(t) = 0;
  }
}

namespace {

class AlmcEngine final : public OneByOneEngine {
 public:
  std::string cannot_handle(const Task& task) const override { return not_finite(task.model); }
  bool works_on_the_fly() const override { return true; }

  /// A check knows the values that it needed; here it is asked for all of them.
  std::optional<explain::Labelling> label(const model::Rsm& model, logic::FormulaPool& pool,
                                          logic::FormulaId formula, Env& env) override {
    return label_finite(
        model, pool, formula, env.limits,
        [&](const FiniteGraph& finite, const SubformulaSequence& sub, base::LimitGuard& guard) {
          WholeGraph graph(finite, pool, sub);
          AlmcChecker checker(graph, sub, guard);
          std::vector<base::BitSet> values;
          for (const std::uint32_t i : sub.places()) {
            base::BitSet& here = values.emplace_back(finite.size());
            for (const model::NodeId s : finite.states()) {
              guard.tick();
              if (checker.holds(i, s)) {
                here.set(s.value());
              }
            }
          }
          return values;
        });
  }

 private:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& env, base::LimitGuard& guard, Result& result) override {
    const FiniteGraph finite(model);
    const SubformulaSequence sub(pool, formula);
    WholeGraph graph(finite, pool, sub);
    const ProblemSize size{finite.size(), finite.transition_count(), sub.length()};
    if (env.statistics != nullptr) {
      env.statistics->raise("finite.bytes.relations", finite.relation_bytes());
    }
    return run(graph, sub, size, env, guard, result);
  }

  Verdict check_formula_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool,
                                   logic::FormulaId formula, Env& env, base::LimitGuard& guard,
                                   Result& result) override {
    const SubformulaSequence sub(pool, formula);
    GrowingGraph graph(space, pool, sub, guard);
    const Verdict verdict = run(graph, sub, {0, 0, sub.length()}, env, guard, result);
    if (env.statistics != nullptr) {
      const ProblemSize size{space.size(), space.transition_count(), sub.length()};
      report_memory(*env.statistics, memory_bits("almc", size), size);
    }
    return verdict;
  }

  static Verdict run(LocalGraph& graph, const SubformulaSequence& sub, const ProblemSize& size,
                     Env& env, base::LimitGuard& guard, Result& result) {
    result.contexts = 1;
    AlmcChecker checker(graph, sub, guard);
    const bool holds = std::ranges::all_of(
        graph.initial(), [&](model::NodeId s) { return checker.holds(sub.top(), s); });
    if (env.statistics != nullptr) {
      report_memory(*env.statistics, memory_bits("almc", size), size);
      env.statistics->raise("finite.peak_stack", checker.peak_stack());
      env.statistics->raise("finite.bytes.search", checker.memory_bytes());
    }
    return holds ? Verdict::Holds : Verdict::Fails;
  }
};

}  // namespace

std::unique_ptr<Engine> make_almc() {
  return std::make_unique<AlmcEngine>();
}

}  // namespace nestor::engine::finite
