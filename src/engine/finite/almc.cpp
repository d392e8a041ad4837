// The local algorithm ALMC, top-down and only where values are needed, after
//   [Hel97] section 3.3, which recasts
//   [VL93]  B. Vergauwen, J. Lewi: A linear local model checking algorithm for CTL.
//           CONCUR 1993, LNCS 715.
//
//   report                     here                    remark
//   info(s, f), marked(s, f)   info(): Info            two bits hold both
//   check(s, f)                push_check()            the caller goes on in its next phase
//   au, its search             step_au()               the search path is on frames_
//   signal exit                exit_with_…()           takes frames down to where the search began
//   cst (of eu)                cst_, from first_cst    potential witness states, all marked
//   eu                         step_eu_search()
//   its first search           step_eu_visit()         looks for a goal
//   goal, goal's search, fst   label_by_goal(), fst_   second search: Tarjan's numbers tell which
//                                                      states reach the goal
//   num                        number()                0 outside of label_by_goal()
//
// The second search meets the states that the first one marked in exactly the same order, so when
// it comes to the goal it has met them all. That order is the order of successors().
//
// Deviations: no recursion, neither in the searches nor in the evaluation of operands. A state
// without successors ends a path: a counterexample of A(φ U ψ) unless ψ holds there. The report's
// operators ∧ and AX are ∨ and EX here.

#include "engine/finite/almc.h"

#include "base/error.h"
#include "engine/finite/finite.h"
#include "engine/finite/memory_table.h"

#include <algorithm>
#include <cassert>

namespace nestor {

using Type = Subformula::Type;

AlmcChecker::Info AlmcChecker::info(std::uint32_t i, NodeId s) const {
  const std::size_t place = std::size_t{s.value()} * sub_.length() + i;
  return place / 32 < info_.size() ? static_cast<Info>((info_[place / 32] >> (place % 32 * 2)) & 3)
                                   : Info::Unknown;
}

void AlmcChecker::set_info(std::uint32_t i, NodeId s, Info value) {
  const std::size_t place = std::size_t{s.value()} * sub_.length() + i;
  if (place / 32 >= info_.size()) {
    info_.resize(std::max(place / 32 + 1, graph_.size() * sub_.length() / 32 + 1));
  }
  std::uint64_t& word = info_[place / 32];
  word &= ~(std::uint64_t{3} << (place % 32 * 2));
  word |= static_cast<std::uint64_t>(value) << (place % 32 * 2);
}

std::uint32_t& AlmcChecker::number(NodeId s) {
  if (s.value() >= numbers_.size()) {
    numbers_.resize(std::max<std::size_t>(s.value() + 1, graph_.size()));
  }
  return numbers_[s.value()];
}

void AlmcChecker::push(const Frame& frame) {
  reserve_one_more(frames_, guard_);
  frames_.push_back(frame);
  peak_stack_ = std::max(peak_stack_, frames_.size() + cst_.size());
}

bool AlmcChecker::check(NodeId s) {
  assert(frames_.empty() && cst_.empty());
  push_check(sub_.top(), s);
  while (!frames_.empty()) {
    guard_.tick();
    step();
  }
  return is_true(sub_.top(), s);
}

/// Sees to it that info(i, s) is known when the frame on top goes on.
void AlmcChecker::push_check(std::uint32_t i, NodeId s) {
  const Info known = info(i, s);
  assert(known != Info::Marked);  // the evaluation of an operand never needs the operator
  if (known != Info::Unknown) {
    return;
  }
  Frame frame;
  frame.i = i;
  frame.s = s;
  if (sub_[i].type == Type::AU) {
    frame.kind = Frame::Kind::AuVisit;
    frame.root = true;
  } else if (sub_[i].type == Type::EU) {
    frame.kind = Frame::Kind::EuSearch;
  }
  push(frame);
}

void AlmcChecker::step() {
  switch (frames_.back().kind) {
    case Frame::Kind::Operator:
      return sub_[frames_.back().i].type == Type::EX ? step_ex() : step_operator();
    case Frame::Kind::AuVisit:
      return step_au();
    case Frame::Kind::EuVisit:
      return step_eu_visit();
    case Frame::Kind::EuSearch:
      return step_eu_search();
  }
}

void AlmcChecker::step_operator() {
  Frame& top = frames_.back();
  const Subformula& f = sub_[top.i];
  const NodeId s = top.s;
  const std::uint8_t phase = top.phase++;
  bool value = true;
  if (f.type == Type::Atom) {
    value = graph_.holds(top.i, s);
  } else if (f.type == Type::Negation) {
    if (phase == 0) {
      return push_check(f.left, s);
    }
    value = !is_true(f.left, s);
  } else if (f.type == Type::Disjunction) {
    if (phase == 0) {
      return push_check(f.left, s);
    }
    if (phase == 1 && !is_true(f.left, s)) {
      return push_check(f.right, s);
    }
    value = is_true(f.left, s) || is_true(f.right, s);
  }
  set_info(top.i, s, value);
  frames_.pop_back();
}

void AlmcChecker::step_ex() {
  Frame& top = frames_.back();
  const std::uint32_t operand = sub_[top.i].left;
  const auto successors = graph_.successors(top.s);
  const bool found = top.next > 0 && is_true(operand, successors[top.next - 1]);
  if (found || top.next == successors.size()) {
    set_info(top.i, top.s, found);
    frames_.pop_back();
    return;
  }
  push_check(operand, successors[top.next++]);
}

/// Looks for a counterexample through `s`. The search path are the frames down to the root.
void AlmcChecker::step_au() {
  Frame& top = frames_.back();
  const std::uint32_t i = top.i;
  const NodeId s = top.s;
  switch (top.phase) {
    case 0:
      top.phase = 1;
      return push_check(sub_[i].right, s);
    case 1:
      if (is_true(sub_[i].right, s)) {
        set_info(i, s, true);
        frames_.pop_back();
        return;
      }
      top.phase = 2;
      return push_check(sub_[i].left, s);
    case 2:
      if (!is_true(sub_[i].left, s)) {
        return exit_with_counterexample();
      }
      top.phase = 3;
      set_info(i, s, Info::Marked);
      break;
    default:
      break;
  }
  const auto successors = graph_.successors(s);
  if (successors.empty()) {
    return exit_with_counterexample();  // a dead end
  }
  if (top.next == successors.size()) {
    set_info(i, s, true);
    frames_.pop_back();
    return;
  }
  const NodeId t = successors[top.next++];
  switch (info(i, t)) {
    case Info::True:
      return;
    case Info::Marked:  // a loop
    case Info::False:
      return exit_with_counterexample();
    case Info::Unknown:
      push({Frame::Kind::AuVisit, 0, false, i, t, 0});
  }
}

/// Every state on the search path is false.
void AlmcChecker::exit_with_counterexample() {
  for (bool root = false; !root;) {
    const Frame& top = frames_.back();
    assert(top.kind == Frame::Kind::AuVisit);
    set_info(top.i, top.s, false);
    root = top.root;
    frames_.pop_back();
  }
}

void AlmcChecker::step_eu_search() {
  Frame& top = frames_.back();
  const std::uint32_t i = top.i;
  const NodeId s = top.s;
  if (top.phase == 0) {
    top.phase = 1;
    searches_.push_back({cst_.size(), NodeId()});
    return push({Frame::Kind::EuVisit, 0, false, i, s, 0});
  }
  const Search search = searches_.back();
  if (search.goal.valid()) {
    label_by_goal(i, s, search.goal);
  }
  for (std::size_t c = search.first_cst; c < cst_.size(); ++c) {
    if (search.goal.valid()) {
      NESTOR_CHECK(info(i, cst_[c]) != Info::Marked);  // both searches met the same states
    } else {
      set_info(i, cst_[c], false);
    }
  }
  cst_.resize(search.first_cst);
  searches_.pop_back();
  frames_.pop_back();
}

/// Looks for a goal from `s`: a state that is known to satisfy E(φ U ψ), or satisfies ψ.
void AlmcChecker::step_eu_visit() {
  Frame& top = frames_.back();
  const std::uint32_t i = top.i;
  const NodeId s = top.s;
  switch (top.phase) {
    case 0:
      top.phase = 1;
      return push_check(sub_[i].right, s);
    case 1:
      if (is_true(sub_[i].right, s)) {
        return exit_with_goal(s);
      }
      top.phase = 2;
      return push_check(sub_[i].left, s);
    case 2:
      if (!is_true(sub_[i].left, s)) {
        set_info(i, s, false);
        frames_.pop_back();
        return;
      }
      top.phase = 3;
      set_info(i, s, Info::Marked);
      reserve_one_more(cst_, guard_);
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
  const NodeId t = successors[top.next++];
  switch (info(i, t)) {
    case Info::True:
      return exit_with_goal(t);
    case Info::Unknown:
      return push({Frame::Kind::EuVisit, 0, false, i, t, 0});
    case Info::Marked:
    case Info::False:
      return;
  }
}

void AlmcChecker::exit_with_goal(NodeId goal) {
  searches_.back().goal = goal;
  while (frames_.back().kind == Frame::Kind::EuVisit) {
    frames_.pop_back();
  }
  assert(frames_.back().kind == Frame::Kind::EuSearch);
}

/// The second search: the marked states that reach `goal` are true, the others false. A state that
/// is met counts as true until the strongly connected component that it is in is left without
/// having come to the goal.
void AlmcChecker::label_by_goal(std::uint32_t i, NodeId s, NodeId goal) {
  std::uint32_t dfs = 0;
  fst_.clear();
  goal_frames_.clear();
  const auto enter = [&](NodeId t) {
    set_info(i, t, true);
    number(t) = ++dfs;
    reserve_one_more(fst_, guard_);
    fst_.push_back(t);
    reserve_one_more(goal_frames_, guard_);
    goal_frames_.push_back({t, 0, dfs});
  };
  bool reached = s == goal;
  if (!reached) {
    enter(s);
  }
  while (!reached && !goal_frames_.empty()) {
    guard_.tick();
    GoalFrame& top = goal_frames_.back();
    const auto successors = graph_.successors(top.s);
    if (top.next < successors.size()) {
      const NodeId t = successors[top.next++];
      if (t == goal) {
        reached = true;
      } else if (info(i, t) == Info::Marked) {
        enter(t);
      } else if (number(t) != 0) {
        top.min = std::min(top.min, number(t));
      }
      continue;
    }
    const GoalFrame done = top;
    goal_frames_.pop_back();
    if (done.min == number(done.s)) {  // the root of a component that does not reach the goal
      NodeId t;
      do {
        t = fst_.back();
        fst_.pop_back();
        number(t) = 0;
        set_info(i, t, false);
      } while (t != done.s);
    } else {
      goal_frames_.back().min = std::min(goal_frames_.back().min, done.min);
    }
  }
  NESTOR_CHECK(reached);
  set_info(i, goal, true);
  for (const NodeId t : fst_) {
    number(t) = 0;
  }
}

namespace {

class AlmcEngine final : public OneByOneEngine {
 public:
  std::string cannot_handle(const Task& task) const override { return not_finite(task.model); }
  bool works_on_the_fly() const override { return true; }

 private:
  Verdict check_formula(const Rsm& model, FormulaPool& pool, FormulaId formula, Env& env,
                        LimitGuard& guard, Result& result) override {
    const FiniteGraph finite(model);
    const SubformulaSequence sub(pool, formula);
    WholeGraph graph(finite, pool, sub);
    const ProblemSize size{finite.size(), finite.transition_count(), sub.length()};
    return run(graph, sub, size, env, guard, result);
  }

  Verdict check_formula_on_the_fly(StateSpace& space, FormulaPool& pool, FormulaId formula,
                                   Env& env, LimitGuard& guard, Result& result) override {
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
                     Env& env, LimitGuard& guard, Result& result) {
    result.contexts = 1;
    AlmcChecker checker(graph, sub, guard);
    const bool holds =
        std::ranges::all_of(graph.initial(), [&](NodeId s) { return checker.check(s); });
    if (env.statistics != nullptr) {
      report_memory(*env.statistics, memory_bits("almc", size), size);
      env.statistics->raise("finite.peak_stack", checker.peak_stack());
    }
    return holds ? Verdict::Holds : Verdict::Fails;
  }
};

}  // namespace

std::unique_ptr<Engine> make_almc() {
  return std::make_unique<AlmcEngine>();
}

}  // namespace nestor
