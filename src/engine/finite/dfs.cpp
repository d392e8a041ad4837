// The one-pass algorithm, after
//   [Hel97] section 4: "A new global model checking algorithm".
//
//   report                      here                   remark
//   marked, labeled             marked_, labeled
//   st                          st_                    search path; ends as the counterexample
//   fst                         fst_                   father states: visited states that reach the
//                                                      state being visited
//   min, modified               min_, modified_        0 in min_: not on the father-state stack
//   (initialisation table)      initialize_search()
//   search in st                search_counterexample()
//   search in st and fst        search_witness()
//   search for new states       search_new_states()
//
// Deviations: a state without successors ends a path. For A(φ U ψ) it is a counterexample unless ψ
// holds there, for E(φ U ψ) it leads nowhere. The report assumes that every state has a successor.
//
// Section 5 of the report: searches may begin in the terminal strong components, which keeps the
// stacks small at the cost of finding the components first (TerminalFirstChecker). The outermost
// formula is evaluated in the evaluation states only; on a model that is not explored yet it is
// searched while that is found, if no temporal operator stands inside (outermost_search.cpp).

#include "engine/finite/dfs.h"

#include "base/error.h"
#include "base/strong_components.h"
#include "engine/finite/finite.h"
#include "engine/finite/finite_engine.h"
#include "engine/finite/outermost_search.h"
#include "explain/extract.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace nestor::engine::finite {

namespace {
constexpr std::uint32_t kWitness = std::numeric_limits<std::uint32_t>::max();  // the report's -1
}  // namespace

DfsChecker::DfsChecker(const FiniteGraph& graph, const logic::FormulaPool& pool,
                       const SubformulaSequence& sub, base::LimitGuard& guard)
    : GlobalChecker(graph, pool, sub, guard) {}

// Left false, right false: known to be false. Right true: known to be true. Else it depends on the
// successors, and the state is not marked.
void DfsChecker::initialize_search(const base::BitSet& left, const base::BitSet& right,
                                   base::BitSet& labeled) {
  labeled = right;
  marked_ = right;
  for (const model::NodeId s : graph().states()) {
    if (!left.test(s.value())) {
      marked_.set(s.value());
    }
  }
}

void DfsChecker::initialize_numbers() {
  guard().reserve(graph().size() * sizeof(std::uint32_t));
  modified_ = base::BitSet(graph().size());
  min_.assign(graph().size(), 0);
}

void DfsChecker::push(model::NodeId s) {
  base::reserve_one_more(st_, guard());
  st_.push_back({s, 0});
  note_stack(st_.size());
}

template <class SearchFrom>
void DfsChecker::search_everywhere(SearchFrom search_from) {
  for (std::size_t i = 0; i < graph().size(); ++i) {
    const model::NodeId s = order_.empty() ? model::NodeId(i) : order_[i];
    if (!marked_.test(s.value())) {
      search_from(s);
      assert(marked_.test(s.value()));
    }
  }
}

std::size_t DfsChecker::search_bytes() const {
  return (marked_.size() + modified_.size()) / 8 + min_.size() * sizeof(std::uint32_t) +
         st_.capacity() * sizeof(Frame) + fst_.capacity() * sizeof(model::NodeId) +
         order_.capacity() * sizeof(model::NodeId);
}

void DfsChecker::au(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) {
  initialize_search(left, right, result);
  search_everywhere([&](model::NodeId s) { search_counterexample(s, result); });
}

/// Decides every state that it visits. True, and the path in st_, if there is a counterexample.
bool DfsChecker::search_counterexample(model::NodeId s, base::BitSet& labeled) {
  st_.clear();
  for (;;) {
    for (;;) {  // visit new states
      guard().tick();
      if (marked_.test(s.value())) {
        if (!labeled.test(s.value())) {  // a state that fails, or a loop
          st_.push_back({s, 0});
          return true;
        }
        break;
      }
      marked_.set(s.value());
      push(s);
      if (graph().successors(s).empty()) {
        return true;
      }
      s = graph().successors(s).front();
    }
    for (;;) {  // backtrack
      if (st_.empty()) {
        return false;
      }
      Frame& top = st_.back();
      if (++top.succ_num < graph().successors(top.s).size()) {
        s = graph().successors(top.s)[top.succ_num];
        break;
      }
      assert(marked_.test(top.s.value()) && !labeled.test(top.s.value()));
      labeled.set(top.s.value());  // all successors visited, none of them fails
      st_.pop_back();
    }
  }
}

void DfsChecker::eu(const base::BitSet& left, const base::BitSet& right, base::BitSet& result) {
  initialize_search(left, right, result);
  initialize_numbers();
  search_everywhere([&](model::NodeId s) {
    search_witness(s, result);
    assert(min_[s] == 0);  // decided: no father state any more
  });
}

/// Decides every state that it visits. True, and the path in st_, if there is a witness.
bool DfsChecker::search_witness(model::NodeId s, base::BitSet& labeled) {
  st_.clear();
  fst_.clear();
  std::uint32_t dfs = 0;
  for (;;) {
    std::uint32_t successor_min = search_new_states(s, labeled, dfs);
    if (successor_min == kWitness) {
      return true;
    }
    for (;;) {  // backtrack
      if (st_.empty()) {
        assert(fst_.empty());  // the first state reaches no earlier one
        return false;
      }
      Frame& top = st_.back();
      std::uint32_t& min = min_[top.s];
      if (successor_min != 0 && successor_min < min) {
        min = successor_min;
        modified_.set(top.s.value());
      }
      const auto next = graph().successors(top.s);
      if (++top.succ_num < next.size()) {
        s = next[top.succ_num];
        break;
      }
      const model::NodeId done = top.s;
      assert(min_[done] != 0);  // it is a father state as long as it is on the path
      st_.pop_back();
      if (!modified_.test(done.value())) {
        // No earlier father state can be reached, and no witness: none of these has one.
        model::NodeId t;
        do {
          t = fst_.back();
          fst_.pop_back();
          min_[t] = 0;
        } while (t != done);
      }
      successor_min = min_[done];
    }
  }
}

/// Goes forward from `s` over states that are not marked. kWitness if that ends in a witness; else
/// the smallest number of a father state that the last state is known to reach, 0 if none.
std::uint32_t DfsChecker::search_new_states(model::NodeId s, base::BitSet& labeled,
                                            std::uint32_t& dfs) {
  while (!marked_.test(s.value())) {
    guard().tick();
    assert(min_[s] == 0 && !labeled.test(s.value()));
    base::reserve_one_more(fst_, guard());
    fst_.push_back(s);
    marked_.set(s.value());
    min_[s] = ++dfs;
    push(s);
    note_stack(st_.size() + fst_.size());
    if (graph().successors(s).empty()) {
      return 0;
    }
    s = graph().successors(s).front();
  }
  if (labeled.test(s.value())) {
    st_.push_back({s, 0});
    for (const model::NodeId father : fst_) {
      assert(min_[father] != 0);  // exactly these reach the state being visited
      min_[father] = 0;
      labeled.set(father.value());
    }
    fst_.clear();
    return kWitness;
  }
  return min_[s];
}

bool DfsChecker::holds_in_all(std::uint32_t i, const std::vector<model::NodeId>& states) {
  using Type = Subformula::Type;
  const Subformula& f = sub()[i];
  if (f.type != Type::AU && f.type != Type::EU) {
    evaluate(i + 1);
    return std::ranges::all_of(states, [&](model::NodeId s) { return labeled(i).test(s.value()); });
  }
  evaluate(i);
  base::BitSet result(graph().size());
  initialize_search(labeled(f.left), labeled(f.right), result);
  if (f.type == Type::EU) {
    initialize_numbers();
  }
  return std::ranges::all_of(states, [&](model::NodeId s) {
    if (!marked_.test(s.value())) {
      f.type == Type::AU ? search_counterexample(s, result) : search_witness(s, result);
    }
    return result.test(s.value());
  });
}

std::vector<model::NodeId> DfsChecker::path(Search search, const base::BitSet& left,
                                            const base::BitSet& right, model::NodeId s) {
  const bool universal = search == Search::Counterexample;
  base::BitSet result(graph().size());
  initialize_search(left, right, result);
  if (marked_.test(s.value())) {  // decided here and now
    return result.test(s.value()) != universal ? std::vector{s} : std::vector<model::NodeId>();
  }
  initialize_numbers();
  std::vector<model::NodeId> states;
  if (universal ? search_counterexample(s, result) : search_witness(s, result)) {
    for (const Frame& frame : st_) {
      states.push_back(frame.s);
    }
    assert(states.front() == s);
  }
  return states;
}

namespace {

/// The search stacks as paths of a witness.
class DfsPaths final : public explain::FinitePaths {
 public:
  DfsPaths(const FiniteGraph& graph, DfsChecker& checker) : graph_(graph), checker_(checker) {}

  bool counts(std::size_t /*node*/) const override { return true; }

  Found find(const Wanted& wanted, std::size_t start) override {
    Found found;
    for (const model::NodeId s :
         wanted.may_stay ? counterexample(wanted, start) : witness(wanted, start)) {
      found.nodes.push_back(s.value());
    }
    NESTOR_CHECK(!found.nodes.empty());
    const std::size_t last = found.nodes.back();
    if (wanted.may_reach && wanted.end.test(last)) {
      return found;
    }
    const auto before = std::find(found.nodes.begin(), found.nodes.end() - 1, last);
    found.loop = static_cast<std::size_t>(before - found.nodes.begin());
    found.ending = before == found.nodes.end() - 1 ? witness::Evidence::Ending::DeadEnd
                                                   : witness::Evidence::Ending::Loop;
    if (found.ending == witness::Evidence::Ending::DeadEnd) {
      found.loop = 0;
    }
    return found;
  }

 private:
  /// E(along U end).
  std::vector<model::NodeId> witness(const Wanted& wanted, std::size_t start) {
    return checker_.path(DfsChecker::Search::Witness, wanted.along, wanted.end,
                         model::NodeId(start));
  }

  /// E(along U end) ∨ EG along, or EG along, is what is true where A(φ U ψ) is false: with
  /// φ = ¬end and ψ = ¬(along ∨ end).
  std::vector<model::NodeId> counterexample(const Wanted& wanted, std::size_t start) {
    base::BitSet left(graph_.size());
    base::BitSet right = wanted.along;
    if (wanted.may_reach) {
      left = wanted.end;
      right |= wanted.end;
    }
    left.flip_all();
    right.flip_all();
    return checker_.path(DfsChecker::Search::Counterexample, left, right, model::NodeId(start));
  }

  const FiniteGraph& graph_;
  DfsChecker& checker_;
};

class DfsEngine final : public GlobalEngine<DfsChecker> {
 public:
  DfsEngine() : GlobalEngine("dfs") {}

  bool decides_on_the_fly(const logic::FormulaPool& pool,
                          std::span<const logic::FormulaId> formulas) const override {
    return std::ranges::all_of(formulas, [&](logic::FormulaId formula) {
      return pool.is_ctl(formula) && OutermostSearch::can_decide(SubformulaSequence(pool, formula));
    });
  }

  std::optional<witness::Witness> explain(const ExplainTask& task, Env& env) override {
    base::LimitGuard guard(env.limits);
    const logic::FormulaId normal = logic::existential_normal_form(task.pool, task.formula);
    const FiniteGraph graph(task.model);
    const SubformulaSequence sub(task.pool, normal);
    DfsChecker checker(graph, task.pool, sub, guard);
    checker.evaluate(sub.length());
    const explain::Labelling values =
        finite_labelling(task.model, task.pool, normal, values_of(checker, sub));
    DfsPaths paths(graph, checker);
    return explain::extract_witness(task.model, task.pool, task.formula, task.holds, values, "",
                                    env.limits, &paths);
  }

 private:
  bool holds(DfsChecker& checker, const SubformulaSequence& sub,
             const std::vector<model::NodeId>& initial) const override {
    // Negations outside only turn the answer, if there is one initial state.
    std::uint32_t top = sub.top();
    bool value = true;
    while (initial.size() == 1 && sub[top].type == Subformula::Type::Negation) {
      top = sub[top].left;
      value = !value;
    }
    return checker.holds_in_all(top, initial) == value;
  }

  Verdict check_formula_on_the_fly(model::StateSpace& space, logic::FormulaPool& pool,
                                   logic::FormulaId formula, Env& env, base::LimitGuard& guard,
                                   Result& result) override {
    result.contexts = 1;
    const SubformulaSequence sub(pool, formula);
    GrowingGraph graph(space, pool, sub, guard);
    OutermostSearch search(graph, sub, guard);
    const bool holds = search.holds();
    if (env.statistics != nullptr) {
      const ProblemSize size{space.size(), space.transition_count(), sub.length()};
      report_memory(*env.statistics, memory_bits("dfs", size), size);
      env.statistics->raise("finite.peak_stack", search.peak_stack());
    }
    return holds ? Verdict::Holds : Verdict::Fails;
  }
};

}  // namespace

TerminalFirstChecker::TerminalFirstChecker(const FiniteGraph& graph, const logic::FormulaPool& pool,
                                           const SubformulaSequence& sub, base::LimitGuard& guard)
    : DfsChecker(graph, pool, sub, guard) {
  const auto next = [&](std::uint32_t s, std::uint32_t& i) {
    const auto successors = graph.successors(model::NodeId(s));
    return i < successors.size() ? successors[i++].value() : base::StrongComponents::kNone;
  };
  const auto tick = [&] { guard.tick(); };
  base::StrongComponentSearch search(graph.size(), next, tick);
  for (const model::NodeId s : graph.states()) {
    search.search_from(s.value());
  }
  const base::StrongComponents found = search.take();
  std::vector<model::NodeId> order;
  for (const model::NodeId s : graph.states()) {
    order.push_back(s);
  }
  std::ranges::stable_sort(order, {}, [&](model::NodeId s) { return found.of[s.value()]; });
  begin_searches_in(std::move(order));
}

std::unique_ptr<Engine> make_dfs_terminal() {
  return make_global_engine<TerminalFirstChecker>("dfs");
}

std::unique_ptr<Engine> make_dfs() {
  return std::make_unique<DfsEngine>();
}

}  // namespace nestor::engine::finite
