// The default engine: exit summaries, bit-parallel over formulas. docs/engines.md tells the idea,
// docs/semantics.md the meaning; the parts are
//
//   shape.h          formulas that differ only in the names of propositions go together
//   early_end.h      formulas that are decided near the initial states
//   prefix.h         the states there, and what they say for certain
//   control_flow.h   what no formula changes: live nodes, reachable exits, the order of work
//   solution.h       an existential formula in a component: local, or an exit of the context
//   solver.h         solutions of EX, EU and EG, bottom-up over the call graph
//   contexts.h       which contexts stacks have, top-down
//   batch_checker.h  one batch from propositions to verdicts
//   batch_bounds.cpp what is decided before contexts become many
//   labeller.h       all values of formulas, for witnesses and certificates
//
// [ABE+05] R. Alur, M. Benedikt, K. Etessami, P. Godefroid, T. Reps, M. Yannakakis: Analysis of
//          recursive state machines. TOPLAS 27(4), 2005: entry-to-exit summaries.
// [DWF24]  C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//          Contexts; here found without guessing, and only for operands of another operator.

#include "engine/summary/summary.h"

#include "engine/kept_for_model.h"
#include "engine/summary/batch_checker.h"
#include "engine/summary/bits.h"
#include "engine/summary/early_end.h"
#include "engine/summary/labeller.h"
#include "logic/normal_form.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for_each.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <mutex>
#include <new>
#include <optional>

namespace nestor::engine::summary {

namespace {

// Finding the classes of the control flow costs about as much as solving E true U g twice.
constexpr std::size_t kFormulasWorthClasses = 3;
constexpr std::size_t kNodesWorthThreads = 20000;

struct Habits {
  bool ends_early = false;    ///< looks near the initial states first
  bool bounds_first = false;  ///< tries bounds before any context
};

class SummaryEngine final : public Engine {
 public:
  explicit SummaryEngine(Habits habits) : habits_(habits) {}

  std::string cannot_handle(const Task&) const override { return {}; }

  std::vector<Result> check(const Task& task, Env& env) override {
    std::vector<Result> results(task.formulas.size());
    if (task.formulas.empty()) {
      return results;
    }
    try {
      std::vector<logic::FormulaId> normal;
      for (const logic::FormulaId f : task.formulas) {
        normal.push_back(logic::existential_normal_form(task.pool, f));
      }
      Batches batches = make_batches({task.model, task.pool, normal}, WideBits::kCount);
      if (habits_.ends_early) {
        decide_early(task.model, batches.batches, env, results);
      }
      check_rest(task, batches.batches, env, results);
      for (std::size_t i = 0; i < results.size(); ++i) {
        assert(batches.same_as[i] <= i);
        results[i] = results[batches.same_as[i]];
      }
    } catch (const std::bad_alloc&) {  // other than in a batch, which is then checked in parts
      for (Result& result : results) {
        if (result.verdict == Verdict::Unknown) {
          result.reason = "out of memory";
        }
      }
    }
    return results;
  }

  std::optional<explain::Labelling> label(const model::Rsm& model, logic::FormulaPool& pool,
                                          logic::FormulaId formula, Env& env) override {
    return label_together(model, pool, {&formula, 1}, env).front();
  }

  std::vector<std::optional<explain::Labelling>> label_together(
      const model::Rsm& model, logic::FormulaPool& pool, std::span<const logic::FormulaId> formulas,
      Env& env) override {
    base::LimitGuard guard(env.limits);
    const std::shared_ptr<const ControlFlow> flow =
        flow_.of(model, env.limits, guard, ControlFlow::Scope::Called);
    std::vector<logic::FormulaId> normal;
    for (const logic::FormulaId f : formulas) {
      normal.push_back(logic::existential_normal_form(pool, f));
    }
    return summary::label(*flow, pool, normal, env.jobs, guard);
  }

 private:
  struct Progress {
    Env& env;
    std::mutex mutex;
    std::size_t done;

    void add(std::size_t formulas) {
      const std::lock_guard lock(mutex);
      done += formulas;
      if (env.progress) {
        env.progress(done);
      }
    }
  };

  /// What all batches share.
  struct Shared {
    const model::Rsm& model;
    const ControlFlow& flow;
    const Condensation* classes;
    base::Statistics* statistics;
    unsigned jobs;
    bool bounds_first;
  };

  /// Answers what is not decided yet.
  void check_rest(const Task& task, std::vector<Batch>& batches, Env& env,
                  std::vector<Result>& results) const {
    Progress progress{env, {}, 0};
    std::erase_if(batches, [&](const Batch& batch) {
      const bool decided = is_decided(batch, results);
      if (decided) {
        progress.add(batch.members.size());
      }
      return decided;
    });
    if (batches.empty()) {
      return;
    }
    std::optional<ControlFlow> flow;
    std::optional<Condensation> classes;
    try {
      base::LimitGuard guard(env.limits);
      flow.emplace(task.model, guard);
      if (task.formulas.size() >= kFormulasWorthClasses) {
        classes.emplace(*flow, guard);
      }
    } catch (const base::LimitReached& limit) {
      for (Result& result : results) {
        if (result.verdict == Verdict::Unknown) {
          result.reason = limit.reason;
        }
      }
      return;
    }
    const Shared shared{task.model,     *flow,    classes ? &*classes : nullptr,
                        env.statistics, env.jobs, habits_.bounds_first};
    const auto check_one = [&](const Batch& batch) {
      check_batch(shared, batch, env.limits, results);
      progress.add(batch.members.size());
    };
    // Starting threads takes longer than checking a small model.
    const bool small = batches.size() == 1 && task.model.node_count() < kNodesWorthThreads;
    if (env.jobs < 2 || small) {
      std::for_each(batches.begin(), batches.end(), check_one);
    } else {
      const tbb::global_control more_than_cores(tbb::global_control::max_allowed_parallelism,
                                                env.jobs);
      tbb::task_arena arena(static_cast<int>(env.jobs));
      arena.execute([&] { tbb::parallel_for_each(batches, check_one); });
    }
  }

  template <class Word>
  static std::vector<Result> run(const Shared& shared, const Batch& batch, base::LimitGuard& guard,
                                 const std::vector<Result>& so_far) {
    std::vector<Word> done(batch.shape->roots.size());
    for (std::size_t m = 0; m < batch.members.size(); ++m) {
      if (so_far[batch.members[m]].verdict != Verdict::Unknown) {
        done[m / batch.width].set(m % batch.width);
      }
    }
    BatchChecker<Word> checker(shared.model, shared.flow, shared.classes, batch, shared.jobs,
                               guard);
    if (shared.bounds_first) {
      checker.try_bounds_first();
    }
    std::vector<Result> results = checker.run(done);
    if (shared.statistics != nullptr) {
      shared.statistics->add("engine.summary.batches", 1);
      shared.statistics->add("engine.summary.instances", checker.instance_count());
      shared.statistics->add("engine.summary.decided_by_bounds", checker.bounded_count());
    }
    return results;
  }

  /// The limits are for one formula. A batch that needs more is split, so that a formula is unknown
  /// only if it exceeds them by itself.
  static void check_batch(const Shared& shared, const Batch& batch, const base::Limits& limits,
                          std::vector<Result>& results) {
    const auto start = std::chrono::steady_clock::now();
    std::string reason;
    try {
      base::LimitGuard guard(limits);
      const std::vector<Result> found = with_bits_for(
          batch.width, [&]<class Word>(Word) { return run<Word>(shared, batch, guard, results); });
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      assert(found.size() == batch.members.size());
      for (std::size_t m = 0; m < found.size(); ++m) {
        Result& result = results[batch.members[m]];
        if (result.verdict == Verdict::Unknown) {
          const double before = result.seconds;
          result = found[m];
          result.seconds = before + seconds.count() / static_cast<double>(found.size());
        }
      }
      return;
    } catch (const base::LimitReached& limit) {
      reason = limit.reason;
    } catch (const std::bad_alloc&) {
      reason = "out of memory";
    }
    base::release_free_memory();
    if (batch.members.size() == 1) {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      Result& result = results[batch.members[0]];
      result.reason = reason;
      result.seconds = seconds.count();
      return;
    }
    const auto [first, second] = halves_of(batch);
    assert(first.members.size() + second.members.size() == batch.members.size());
    check_batch(shared, first, limits, results);
    check_batch(shared, second, limits, results);
  }

  Habits habits_;
  KeptForModel<ControlFlow> flow_;  // of the machine that was labelled last
};

}  // namespace

std::unique_ptr<Engine> make_summary() {
  return std::make_unique<SummaryEngine>(Habits{.ends_early = true});
}

std::unique_ptr<Engine> make_summary_whole() {
  return std::make_unique<SummaryEngine>(Habits{});
}

std::unique_ptr<Engine> make_summary_bounds() {
  return std::make_unique<SummaryEngine>(Habits{.bounds_first = true});
}

}  // namespace nestor::engine::summary
