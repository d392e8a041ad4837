// A local algorithm: only the values that are needed, found by one search for each of them, within
// searches for the operators outside. The idea is that of
//   [VL93] B. Vergauwen, J. Lewi: A linear local model checking algorithm for CTL.  CONCUR 1993,
// which almc.cpp has as [Hel97] tells it, with these differences:
//
// - E(φ U ψ) is not searched depth first. The state nearest to ψ comes first, as far as the model
//   can tell how near a state is, and every fourth time the state that has waited longest: so both
//   what lies deep and what lies near is found. If all states that φ leads to are met and no goal
//   is among them, all of them are false. Else those are true from which the search has seen a way
//   to the goal; the others stay unknown.
// - A(φ U ψ) is a depth-first search for a counterexample. Before it goes deeper it looks at all
//   successors for one that closes a loop or is known to be false.
// - Of a disjunction the operand without temporal operators is asked first.
//
// The certain zeros of
//   [Dal18] A. E. Dalsgaard, S. Enevoldsen, P. Fogh, L. S. Jensen, P. G. Jensen, T. S. Jepsen,
//           I. Kaufmann, K. G. Larsen, S. M. Nielsen, M. Chr. Olesen, S. Pastva, J. Srba: A
//           distributed fixed-point algorithm for extended dependency graphs.  Fundamenta
//           Informaticae 161(4), 2018
// are the values False here: a value that no further state can change is known at once, and ends
// what waits for it.

#include "engine/finite/local_checker.h"

#include "engine/finite/finite.h"
#include "engine/finite/finite_engine.h"
#include "engine/finite/memory_table.h"
#include "engine/finite_labelling.h"

#include <algorithm>
#include <cassert>

namespace nestor::engine::finite {

namespace {

using Type = Subformula::Type;

// The evaluation of a formula uses the C++ stack for the operators that are open.
constexpr std::uint32_t kMostDepth = 1000;
constexpr std::size_t kTurns = 4;     // one of so many states is the one that waits longest
constexpr int kPasses = 3;            // backwards over the states met
constexpr std::uint32_t kFar = 1000;  // from something that cannot be

}  // namespace

LocalChecker::LocalChecker(LocalGraph& graph, const SubformulaSequence& sub,
                           base::LimitGuard& guard, std::uint64_t seed)
    : graph_(graph), sub_(sub), guard_(guard), seed_(seed), values_(sub.length()) {
  std::vector<std::uint32_t> depth;
  for (std::uint32_t i = 0; i < sub.length(); ++i) {
    const Subformula& f = sub[i];
    const bool is_leaf = f.type == Type::True || f.type == Type::Atom;
    const bool is_binary = f.type == Type::Disjunction || f.type == Type::AU || f.type == Type::EU;
    const std::uint32_t left = is_leaf ? 0 : depth[f.left];
    depth.push_back(1 + std::max(left, is_binary ? depth[f.right] : 0));
    const bool is_path = f.type == Type::EX || f.type == Type::AU || f.type == Type::EU;
    is_temporal_.push_back(is_path || (!is_leaf && is_temporal_[f.left]) ||
                           (is_binary && is_temporal_[f.right]));
  }
  if (depth[sub.top()] > kMostDepth) {
    throw base::LimitReached{"the formula is nested too deeply for this engine"};
  }
}

LocalChecker::Value LocalChecker::value(std::uint32_t i, model::NodeId s) const {
  return s.value() < values_[i].size() ? values_[i][s.value()] : Value::Unknown;
}

void LocalChecker::set(std::uint32_t i, model::NodeId s, Value value) {
  std::vector<Value>& values = values_[i];
  if (s.value() >= values.size()) {
    const std::size_t size = std::max<std::size_t>(graph_.size(), s.value() + 1);
    if (size > values.capacity()) {
      guard_.reserve(2 * size);
      values.reserve(2 * size);
    }
    values.resize(size);
  }
  values[s.value()] = value;
}

bool LocalChecker::holds(std::uint32_t i, model::NodeId s) {
  guard_.tick();
  const Subformula& f = sub_[i];
  switch (f.type) {
    case Type::True:
      return true;
    case Type::Atom:
      return graph_.holds(i, s);
    case Type::Negation:
      return !holds(f.left, s);
    case Type::Disjunction: {
      const bool swap = is_temporal_[f.left] && !is_temporal_[f.right];
      return holds(swap ? f.right : f.left, s) || holds(swap ? f.left : f.right, s);
    }
    case Type::EX:
    case Type::AU:
    case Type::EU:
      break;
  }
  if (const Value known = value(i, s); known == Value::True || known == Value::False) {
    return known == Value::True;
  }
  ++searches_;
  const bool found = f.type == Type::EX ? ex(i, s) : f.type == Type::EU ? eu(i, s) : au(i, s);
  --searches_;
  set(i, s, found ? Value::True : Value::False);
  return found;
}

/// A copy: what is asked about one successor may find further states.
std::vector<model::NodeId> LocalChecker::successors(model::NodeId s) {
  const auto next = graph_.successors(s);
  return {next.begin(), next.end()};
}

bool LocalChecker::ex(std::uint32_t i, model::NodeId s) {
  return std::ranges::any_of(successors(s),
                             [&](model::NodeId t) { return holds(sub_[i].left, t); });
}

bool LocalChecker::eu(std::uint32_t i, model::NodeId s) {
  std::vector<model::NodeId> met;
  std::vector<Waiting> heap;
  if (meets_goal(i, s, met, heap)) {
    return true;
  }
  const auto is_farther = [](const Waiting& a, const Waiting& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.turn < b.turn;
  };
  std::size_t oldest = 0;
  for (std::size_t turn = 0; oldest < met.size(); ++turn) {
    model::NodeId t = met[oldest];
    if (turn % kTurns == 0 || heap.empty()) {
      ++oldest;
    } else {
      t = heap.front().state;
      std::ranges::pop_heap(heap, is_farther);
      heap.pop_back();
    }
    if (value(i, t) == Value::Expanded) {
      continue;
    }
    set(i, t, Value::Expanded);
    for (const model::NodeId u : successors(t)) {
      guard_.tick();
      const Value known = value(i, u);
      const std::size_t before = met.size();
      if (known == Value::True || (known == Value::Unknown && meets_goal(i, u, met, heap))) {
        spread(i, met);
        return true;
      }
      if (met.size() > before) {
        std::ranges::push_heap(heap, is_farther);
      }
    }
    peak_stack_ = std::max(peak_stack_, met.size());
  }
  for (const model::NodeId t : met) {
    set(i, t, Value::False);
  }
  return false;
}

/// Meets a state whose value is unknown.
bool LocalChecker::meets_goal(std::uint32_t i, model::NodeId s, std::vector<model::NodeId>& met,
                              std::vector<Waiting>& heap) {
  if (holds(sub_[i].right, s)) {
    set(i, s, Value::True);
    return true;
  }
  if (!holds(sub_[i].left, s)) {
    set(i, s, Value::False);
    return false;
  }
  set(i, s, Value::Open);
  base::reserve_one_more(met, guard_);
  met.push_back(s);
  base::reserve_one_more(heap, guard_);
  heap.push_back({distance(sub_[i].right, true, s), turn(s), s});
  return false;
}

/// A goal was met: values of the states that the search has met. A state was met later than one
/// that leads to it, so the first pass backwards finds the way back from the goal.
void LocalChecker::spread(std::uint32_t i, const std::vector<model::NodeId>& met) {
  const bool is_asked_again = searches_ > 1;
  bool changed = is_asked_again;
  for (int pass = 0; changed && pass < kPasses; ++pass) {
    changed = false;
    for (auto t = met.rbegin(); t != met.rend(); ++t) {
      guard_.tick();
      if (value(i, *t) == Value::Expanded &&
          std::ranges::any_of(graph_.successors(*t),
                              [&](model::NodeId u) { return value(i, u) == Value::True; })) {
        set(i, *t, Value::True);
        changed = true;
      }
    }
  }
  for (const model::NodeId t : met) {
    if (value(i, t) != Value::True) {
      set(i, t, Value::Unknown);
    }
  }
}

/// No state is on the path twice, and one that the search has left is true. So a successor on the
/// path closes a loop, along which ψ never holds.
bool LocalChecker::au(std::uint32_t i, model::NodeId s) {
  struct Frame {
    model::NodeId state;
    std::size_t first = 0;  // of its successors that are still to be looked at
  };
  std::vector<Frame> path;
  std::vector<model::NodeId> next;  // the successors of the states on the path
  bool is_refuted = false;
  const auto enter = [&](model::NodeId t) {
    if (holds(sub_[i].right, t)) {
      set(i, t, Value::True);
      return;
    }
    base::reserve_one_more(path, guard_);
    path.push_back({t, next.size()});
    set(i, t, Value::Open);
    std::vector<model::NodeId> successors =
        holds(sub_[i].left, t) ? this->successors(t) : std::vector<model::NodeId>();
    is_refuted = successors.empty() || std::ranges::any_of(successors, [&](model::NodeId u) {
                   const Value known = value(i, u);
                   return known == Value::False || known == Value::Open;
                 });
    guard_.tick(successors.size());
    if (seed_ != 1) {
      std::ranges::sort(successors, {}, [&](model::NodeId u) { return turn(u); });
    }
    base::reserve_one_more(next, guard_);
    next.insert(next.end(), successors.rbegin(), successors.rend());
  };
  enter(s);
  while (!path.empty() && !is_refuted) {
    guard_.tick();
    const Frame top = path.back();
    if (next.size() == top.first) {
      set(i, top.state, Value::True);
      path.pop_back();
      continue;
    }
    const model::NodeId t = next.back();
    next.pop_back();
    const Value known = value(i, t);
    is_refuted = known == Value::False || known == Value::Open;
    if (known == Value::Unknown) {
      enter(t);
    }
    peak_stack_ = std::max(peak_stack_, path.size());
  }
  if (searches_ == 1) {
    refutation_.clear();
  }
  for (const Frame& frame : path) {
    set(i, frame.state, Value::False);
    if (searches_ == 1) {
      refutation_.push_back(frame.state);
    }
  }
  return !is_refuted;
}

/// The last state met first, unless another order is wanted; different for different states.
std::uint32_t LocalChecker::turn(model::NodeId s) const {
  const auto odd = static_cast<std::uint32_t>(2 * seed_ * 0x9e37'79b9U + 1);
  return seed_ == 1 ? s.value() : s.value() * odd;
}

/// How far `s` seems to be from a state where the subformula has the value wanted.
std::uint32_t LocalChecker::distance(std::uint32_t i, bool wanted, model::NodeId s) {
  const Subformula& f = sub_[i];
  switch (f.type) {
    case Type::True:
      return wanted ? 0 : kFar;
    case Type::Atom:
      return graph_.distance(i, wanted, s);
    case Type::Negation:
      return distance(f.left, !wanted, s);
    case Type::EX:
      return distance(f.left, wanted, s);
    case Type::Disjunction: {
      const std::uint32_t left = distance(f.left, wanted, s);
      const std::uint32_t right = distance(f.right, wanted, s);
      return wanted ? std::min(left, right) : std::min(left + right, ~std::uint32_t{0} / 2);
    }
    case Type::AU:
    case Type::EU:
      return distance(f.right, wanted, s);
  }
  return 0;
}

namespace {

class LocalEngine final : public OneByOneEngine {
 public:
  std::string cannot_handle(const Task& task) const override { return not_finite(task.model); }
  bool works_on_the_fly() const override { return true; }

 private:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& env, base::LimitGuard& guard, Result& result) override {
    const FiniteGraph finite(model);
    const SubformulaSequence sub(pool, formula);
    WholeGraph graph(finite, pool, sub);
    return run(graph, sub, env, guard, result);
  }

  Verdict check_formula_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool,
                                   logic::FormulaId formula, Env& env, base::LimitGuard& guard,
                                   Result& result) override {
    const SubformulaSequence sub(pool, formula);
    GrowingGraph graph(space, pool, sub, guard);
    return run(graph, sub, env, guard, result);
  }

  static Verdict run(LocalGraph& graph, const SubformulaSequence& sub, Env& env,
                     base::LimitGuard& guard, Result& result) {
    result.contexts = 1;
    LocalChecker checker(graph, sub, guard, env.seed);
    const bool holds = std::ranges::all_of(
        graph.initial(), [&](model::NodeId s) { return checker.holds(sub.top(), s); });
    if (env.statistics != nullptr) {
      env.statistics->raise("finite.peak_stack", checker.peak_stack());
    }
    return holds ? Verdict::Holds : Verdict::Fails;
  }
};

}  // namespace

std::unique_ptr<Engine> make_local() {
  return std::make_unique<LocalEngine>();
}

}  // namespace nestor::engine::finite
