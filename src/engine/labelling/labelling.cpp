// The labelling algorithm on a finite state graph, after
//   [CES86] E. M. Clarke, E. A. Emerson, A. P. Sistla: Automatic verification of finite-state
//           concurrent systems using temporal logic specifications. TOPLAS 8(2), 1986.
//   [Seb08] the lecture slides of docs/smv.md: Label(φ), its fixpoints for EG and EU.
//
//   slides                 here
//   [[φ]]                  values_[φ]
//   Label(φ)               run(), subformulas bottom-up, each once for all formulas of the task
//   Label_EG, Label_EU     batch.h: 64 formulas of one operator at once
//   fair paths             fair.h
//
// Deviations: paths are maximal, so EG counts states without successors; a fixpoint is found by a
// worklist of changed states, not by sweeps. With fairness, initial states from which no fair path
// leads do not count, as in NuSMV.

#include "engine/labelling/labelling.h"

#include "engine/finite_labelling.h"
#include "engine/kept_for_model.h"
#include "engine/labelling/batch.h"
#include "engine/labelling/fair.h"
#include "engine/labelling/fair_paths.h"
#include "explain/extract.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <map>
#include <memory>
#include <new>
#include <optional>

namespace nestor::engine::labelling {

namespace {

constexpr std::size_t kBatch = 64;

class Labeller {
 public:
  Labeller(const Task& task, std::shared_ptr<const Graph> graph, base::LimitGuard& guard)
      : task_(task), owned_(std::move(graph)), graph_(*owned_), guard_(guard) {
    for (const logic::FormulaId f : task.formulas) {
      normal_.push_back(logic::existential_normal_form(task.pool, f));
    }
    values_.resize(task.pool.size());
  }

  void run() {
    if (task_.is_fair()) {
      fair_.emplace(graph_, *task_.fairness, guard_);
    }
    // Formulas of one rank do not depend on each other: those with the same operator are a batch.
    std::map<std::pair<std::uint32_t, logic::Op>, std::vector<logic::FormulaId>> ranks;
    std::vector<std::uint32_t> rank(task_.pool.size(), 0);
    for (const logic::FormulaId f : needed()) {
      const logic::Formula& formula = task_.pool[f];
      std::uint32_t r = 0;
      for (int i = 0; i < logic::operand_count(formula.op); ++i) {
        r = std::max(r, rank[(i == 0 ? formula.left : formula.right).value()] + 1);
      }
      assert(logic::operand_count(formula.op) == 0 || r > 0);  // operands come first in needed()
      rank[f.value()] = r;
      ranks[{r, formula.op}].push_back(f);
    }
    for (const auto& [key, formulas] : ranks) {
      label(key.second, formulas);
    }
  }

  /// In every initial state that counts.
  bool holds(std::size_t formula) const {
    const base::BitSet& values = values_[normal_[formula].value()];
    assert(values.size() == graph_.size());
    for (const model::NodeId n : task_.model.initial_nodes()) {
      const std::size_t s = graph_.state(n);
      if ((!fair_ || fair_->fair().test(s)) && !values.test(s)) {
        return false;
      }
    }
    return true;
  }

  /// The values of all subformulas of a formula's normal form, by node.
  explain::Labelling labelling(std::size_t formula) const {
    const logic::FormulaId normal = normal_[formula];
    std::vector<base::BitSet> by_node;
    for (const logic::FormulaId g : logic::subformulas(task_.pool, normal)) {
      base::BitSet& values = by_node.emplace_back(graph_.size());
      guard_.tick(graph_.size() / kBatch + 1);
      values_[g.value()].for_each(
          [&](std::size_t s) { values.set(graph_.node(s) - graph_.first()); });
    }
    return finite_labelling(task_.model, task_.pool, normal, std::move(by_node));
  }

  const Graph& graph() const { return graph_; }
  const std::optional<FairGraph>& fair() const { return fair_; }

 private:
  std::vector<logic::FormulaId> needed() const {
    std::vector<bool> wanted(task_.pool.size(), false);
    for (const logic::FormulaId f : normal_) {
      wanted[f.value()] = true;
    }
    std::vector<logic::FormulaId> result;
    for (std::size_t i = wanted.size(); i-- > 0;) {
      if (wanted[i]) {
        const logic::Formula& formula = task_.pool[logic::FormulaId(i)];
        for (int o = 0; o < logic::operand_count(formula.op); ++o) {
          wanted[(o == 0 ? formula.left : formula.right).value()] = true;
        }
        result.emplace_back(i);
      }
    }
    std::reverse(result.begin(), result.end());
    assert(std::ranges::is_sorted(result));  // operands have lower numbers: they come first
    return result;
  }

  void label(logic::Op op, const std::vector<logic::FormulaId>& formulas) {
    if (logic::is_existential(op) && !(fair_ && op == logic::Op::EG)) {
      for (std::size_t first = 0; first < formulas.size(); first += kBatch) {
        label_batch(op,
                    std::span(formulas).subspan(first, std::min(kBatch, formulas.size() - first)));
      }
      return;
    }
    for (const logic::FormulaId f : formulas) {
      guard_.tick(graph_.size() / kBatch + 1);
      values_[f.value()] = label_one(task_.pool[f], f);
    }
  }

  base::BitSet label_one(const logic::Formula& formula, logic::FormulaId f) const {
    base::BitSet result(graph_.size());
    assert(logic::operand_count(formula.op) == 0 ||
           values_[formula.left.value()].size() == graph_.size());
    switch (formula.op) {
      case logic::Op::True:
        result.set_all();
        break;
      case logic::Op::Atom:
        if (const model::PropId p = task_.model.find_prop(task_.pool.atom_name(f)); p.valid()) {
          const model::Component& component =
              task_.model.component(task_.model.initial_component());
          for (const model::NodeId n : task_.model.nodes_with(p)) {
            if (component.nodes().contains(n)) {
              result.set(graph_.state(n));
            }
          }
        }
        break;
      case logic::Op::Not:
        result = values_[formula.left.value()];
        result.flip_all();
        break;
      case logic::Op::Or:
        result = values_[formula.left.value()];
        result |= values_[formula.right.value()];
        break;
      default:  // EG under fairness
        assert(formula.op == logic::Op::EG && fair_);
        result = fair_->eg(values_[formula.left.value()]);
        break;
    }
    return result;
  }

  void label_batch(logic::Op op, std::span<const logic::FormulaId> formulas) {
    std::vector<const base::BitSet*> left;
    std::vector<const base::BitSet*> right;
    std::vector<base::BitSet*> results;
    for (const logic::FormulaId f : formulas) {
      const logic::Formula& formula = task_.pool[f];
      assert(formula.op == op && values_[formula.left.value()].size() == graph_.size());
      left.push_back(&values_[formula.left.value()]);
      if (op == logic::Op::EU) {
        assert(values_[formula.right.value()].size() == graph_.size());
        right.push_back(&values_[formula.right.value()]);
      }
      values_[f.value()] = base::BitSet(graph_.size());
      results.push_back(&values_[f.value()]);
    }
    Words a = words_of(left, graph_.size());
    if (op == logic::Op::EU) {
      Words b = words_of(right, graph_.size());
      only_fair(b);
      sets_of(label_eu(graph_, a, std::move(b), guard_), results);
    } else if (op == logic::Op::EX) {
      only_fair(a);
      sets_of(label_ex(graph_, a, guard_), results);
    } else {
      sets_of(label_eg(graph_, std::move(a), guard_), results);
    }
  }

  void only_fair(Words& words) const {
    for (std::size_t s = 0; fair_ && s < words.size(); ++s) {
      if (!fair_->fair().test(s)) {
        words[s] = 0;
      }
    }
  }

  const Task& task_;
  std::shared_ptr<const Graph> owned_;
  const Graph& graph_;
  base::LimitGuard& guard_;
  std::vector<logic::FormulaId> normal_;  // the formulas of the task in existential normal form
  std::vector<base::BitSet> values_;      // by formula: the states that satisfy it
  std::optional<FairGraph> fair_;
};

class LabellingEngine final : public Engine {
 public:
  std::string cannot_handle(const Task& task) const override {
    return task.model.box_count() == 0 ? "" : "labelling handles only models without calls";
  }
  bool handles_fairness() const override { return true; }

  std::optional<explain::Labelling> label(const model::Rsm& model, logic::FormulaPool& pool,
                                          logic::FormulaId formula, Env& env) override {
    const Task task{model, pool, {&formula, 1}};
    if (!cannot_handle(task).empty()) {
      return std::nullopt;
    }
    base::LimitGuard guard(env.limits);
    Labeller labeller(task, graph_.of(task.model, env.limits, guard), guard);
    labeller.run();
    return labeller.labelling(0);
  }

  /// Shortest paths will do where all paths count.
  std::optional<witness::Witness> explain(const ExplainTask& task, Env& env) override {
    const Task decide{task.model, task.pool, {&task.formula, 1}, task.fairness};
    if (!decide.is_fair()) {
      return std::nullopt;
    }
    base::LimitGuard guard(env.limits);
    Labeller labeller(decide, graph_.of(task.model, env.limits, guard), guard);
    labeller.run();
    FairPaths paths(labeller.graph(), *task.fairness, *labeller.fair(), guard);
    const std::span<const model::NodeId> initial = task.model.initial_nodes();
    if (std::ranges::none_of(
            initial, [&](model::NodeId n) { return paths.counts(n - labeller.graph().first()); })) {
      throw base::LimitReached{"no fair path leads from an initial state"};
    }
    witness::Witness witness =
        explain::extract_witness(task.model, task.pool, task.formula, task.holds,
                                 labeller.labelling(0), "", env.limits, &paths);
    witness.fairness = task.fairness->constraints;
    return witness;
  }

  std::vector<Result> check(const Task& task, Env& env) override {
    std::vector<Result> results(task.formulas.size());
    const auto start = std::chrono::steady_clock::now();
    std::string reason;
    try {
      base::LimitGuard guard(env.limits);
      Labeller labeller(task, graph_.of(task.model, env.limits, guard), guard);
      labeller.run();
      for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].verdict = labeller.holds(i) ? Verdict::Holds : Verdict::Fails;
        results[i].contexts = 1;
      }
    } catch (const base::LimitReached& limit) {
      reason = limit.reason;
    } catch (const std::bad_alloc&) {
      reason = "out of memory";
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    for (Result& result : results) {
      result.seconds = seconds.count() / static_cast<double>(results.size());
      if (!reason.empty()) {
        result = {Verdict::Unknown, reason, 0, result.seconds};
      }
    }
    if (!reason.empty()) {
      base::release_free_memory();
    }
    if (env.progress) {
      env.progress(results.size());
    }
    return results;
  }

 private:
  KeptForModel<Graph> graph_;
};

}  // namespace

std::unique_ptr<Engine> make_labelling() {
  return std::make_unique<labelling::LabellingEngine>();
}

}  // namespace nestor::engine::labelling
