#include "session/on_the_fly.h"

#include "engine/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace nestor::session {

namespace {

constexpr std::uint64_t kFirstSteps = 1'000'000;  // of a search in the first round
constexpr std::uint64_t kGrowth = 4;              // from one round to the next
constexpr std::uint64_t kStepsToBegin = 2'000'000;
constexpr double kShareToBegin = 0.1;
constexpr double kShareToSimplify = 0.3;
constexpr double kShareToExplore = 0.25;            // of what is left, between two rounds
constexpr std::uint64_t kExploreTimes = 4;          // the steps of a search, for each open formula
constexpr double kShareForSets = 0.4;               // of what is left, once
constexpr double kShareToFindAll = 0.6;             // of that, for all states before any formula
constexpr std::uint64_t kStepsForSets = 8'000'000;  // if there is no limit of time
constexpr double kLeastSeconds = 0.05;
constexpr std::uint64_t kStepsNear = 400'000;  // of all formulas together
constexpr std::uint64_t kLeastStepsNear = 1'000;

}  // namespace

OnTheFly::OnTheFly(const Settings& settings, Subject& subject, const logic::FormulaPool& pool,
                   base::Statistics& statistics, double spent)
    : settings_(settings),
      subject_(subject),
      pool_(pool),
      statistics_(statistics),
      start_(settings.limits.now()),
      spent_(spent) {}

std::optional<double> OnTheFly::seconds_left() const {
  if (!settings_.limits.seconds) {
    return std::nullopt;
  }
  const std::chrono::duration<double> used = settings_.limits.now() - start_;
  const double share = settings_.wants_evidence ? 1 - kShareForEvidence : 1;
  return std::max(0.0, share * *settings_.limits.seconds - spent_ - used.count());
}

bool OnTheFly::is_over() const {
  return settings_.limits.is_cancelled() || (seconds_left() && *seconds_left() < kLeastSeconds);
}

/// `part` of the time that is left, for each of `count` that run at the same time or one by one.
base::Limits OnTheFly::share(double part, std::size_t count) const {
  base::Limits limits = settings_.limits;
  if (limits.seconds) {
    const std::size_t jobs = std::max(1U, settings_.jobs);
    const std::size_t turns = (count + jobs - 1) / jobs;
    limits.seconds = part * *seconds_left() / static_cast<double>(std::max<std::size_t>(1, turns));
  }
  return limits;
}

/// What `work(i)` throws is thrown here, of several the first.
template <class Work>
void OnTheFly::in_parallel(std::size_t count, Work work) const {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr problem;
  std::mutex mutex;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        problem = problem ? problem : std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t < std::min<std::size_t>(settings_.jobs, count); ++t) {
    threads.emplace_back(run);
  }
  run();
  for (std::thread& thread : threads) {
    thread.join();
  }
  if (problem) {
    std::rethrow_exception(problem);
  }
}

bool OnTheFly::explore_a_bit(Subject& subject, std::span<const std::string> atoms,
                             const Settings& settings, base::Statistics& statistics) {
  base::Limits limits = settings.limits;
  // Whoever wants evidence needs the whole model, if it can be had.
  const double share = settings.wants_evidence ? 0.5 : kShareToBegin;
  if (!settings.wants_evidence) {
    limits.steps = std::min(limits.steps.value_or(kStepsToBegin), kStepsToBegin);
  }
  if (limits.seconds) {
    limits.seconds = share * *limits.seconds;
  }
  return subject.explore_further(atoms, settings, limits, &statistics);
}

std::vector<engine::Result> OnTheFly::decide(std::span<const logic::FormulaId> formulas,
                                             std::span<const std::string> atoms) {
  results_.assign(formulas.size(), {});
  parts_.clear();
  open_.clear();
  simplify(formulas);
  std::uint64_t steps = kFirstSteps;
  while (!open_.empty() && !is_over()) {
    const std::uint64_t most = settings_.limits.steps.value_or(steps);
    search(std::min(steps, most));
    if (open_.empty() || is_over() || explore_further(steps, atoms)) {
      break;
    }
    if (steps == kFirstSteps && !is_over()) {
      label_sets();
    }
    if (steps >= most && settings_.limits.steps) {
      break;
    }
    if (!subject_.is_exploring() &&
        std::ranges::none_of(open_, [](const Open& open) { return open.is_worth_more; })) {
      break;
    }
    steps *= kGrowth;
  }
  if (!subject_.has_machine()) {
    give_reasons();
  }
  return std::move(results_);
}

void OnTheFly::simplify(std::span<const logic::FormulaId> formulas) {
  std::vector<logic::SmallerQuestion> questions(formulas.size());
  const base::Limits limits = share(kShareToSimplify, formulas.size());
  in_parallel(formulas.size(), [&](std::size_t i) {
    if (is_over()) {
      return;
    }
    try {
      questions[i] = subject_.simplifier()->in_parts(pool_, formulas[i], limits);
    } catch (const base::LimitReached& limit) {
      results_[i].reason = limit.reason;
    } catch (const std::bad_alloc&) {
      results_[i].reason = "out of memory";
    }
  });
  for (std::size_t i = 0; i < questions.size(); ++i) {
    add_question(i, std::nullopt, std::move(questions[i]));
  }
  drop_decided();
}

void OnTheFly::add_question(std::size_t formula, std::optional<std::size_t> whole,
                            logic::SmallerQuestion question) {
  const std::size_t part = parts_.size();
  parts_.push_back({formula, whole, question.needs_all, question.parts.size()});
  if (question.value) {
    engine::Result result;
    result.how = question.how;
    statistics_.add("fly.simplified", 1);
    decide_part(part, *question.value, result);
  } else if (question.parts.empty()) {
    open_.push_back({formula, std::move(question), part});
  }
  for (logic::SmallerQuestion& of_it : question.parts) {
    add_question(formula, part, std::move(of_it));
  }
}

/// And what it is a part of, if that is then decided.
void OnTheFly::decide_part(std::size_t part, bool value, const engine::Result& by) {
  Part& it = parts_[part];
  if (it.is_decided) {
    return;
  }
  it.is_decided = true;
  if (!it.whole) {
    engine::Result& result = results_[it.formula];
    result.verdict = value ? engine::Verdict::Holds : engine::Verdict::Fails;
    result.how = by.how;
    result.contexts = 1;
    result.reason.clear();
    return;
  }
  Part& whole = parts_[*it.whole];
  --whole.left;
  if (value != whole.needs_all || whole.left == 0) {
    decide_part(*it.whole, value, by);
  }
}

/// What was found out about questions becomes what is known of formulas.
void OnTheFly::settle() {
  for (Open& open : open_) {
    results_[open.number].seconds += std::exchange(open.result.seconds, 0);
    if (open.result.verdict != engine::Verdict::Unknown) {
      decide_part(open.part, open.result.verdict == engine::Verdict::Holds, open.result);
    } else if (!open.result.reason.empty()) {
      results_[open.number].reason = open.result.reason;
    }
  }
  drop_decided();
}

/// Each open formula once, with so many steps.
void OnTheFly::search(std::uint64_t steps) {
  base::Limits limits = share(1, open_.size());
  limits.steps = steps;
  in_parallel(open_.size(), [&](std::size_t i) {
    Open& open = open_[i];
    if (open.question.states == nullptr || is_over()) {
      open.is_worth_more = false;
      return;
    }
    engine::Env env;
    env.limits = limits;
    env.seed = std::max<std::uint64_t>(1, steps / kFirstSteps);  // another way in each round
    const std::vector<logic::FormulaId> formulas{open.question.formula};
    const std::unique_ptr<engine::Engine> engine = engine::find_engine("local").make();
    engine::Result result = engine->check_on_the_fly(
        {*open.question.states, subject_.dead_ends(), *open.question.pool, formulas}, env)[0];
    result.how = "on the fly";
    open.is_worth_more = result.reason == fmt::format("more than {} steps", steps);
    open.result = std::move(result);
  });
  settle();
}

/// Each open question once, by sets of states: those that share their states one after the other.
void OnTheFly::label_sets() {
  if (settings_.limits.states) {
    return;  // sets have too many at once
  }
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const auto same = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& group) {
      return open_[group.front()].question.sets == open_[i].question.sets;
    });
    if (open_[i].question.sets != nullptr && same == groups.end()) {
      groups.push_back({i});
    } else if (open_[i].question.sets != nullptr) {
      same->push_back(i);
    }
  }
  const base::Limits all = share(kShareForSets, 1);
  const double at_a_time =
      static_cast<double>(std::min<std::size_t>(std::max(1U, settings_.jobs), groups.size()));
  in_parallel(groups.size(), [&](std::size_t g) {
    base::Limits limits = all;
    if (limits.seconds) {
      const double part = static_cast<double>(groups[g].size()) / static_cast<double>(open_.size());
      limits.seconds = *limits.seconds * std::min(1.0, at_a_time * part);
    } else {
      limits.steps = std::min(limits.steps.value_or(kStepsForSets), kStepsForSets);
    }
    label_sets(groups[g], limits);
  });
  base::release_free_memory();
  settle();
}

/// The seconds are for all of the group.
void OnTheFly::label_sets(const std::vector<std::size_t>& group, base::Limits limits) {
  const base::Stopwatch watch;
  const std::optional<double> seconds = limits.seconds;
  const auto take = [&](double share) {
    if (seconds) {
      limits.seconds = std::max(kLeastSeconds, share * (*seconds - watch.seconds()));
    }
  };
  try {
    take(kShareToFindAll);
    open_[group.front()].question.sets->explore(limits);
  } catch (const base::LimitReached&) {
    return;  // the reason is that of the search
  } catch (const std::bad_alloc&) {
    return;
  }
  for (std::size_t i = 0; i < group.size() && !is_over(); ++i) {
    Open& open = open_[group[i]];
    const base::Stopwatch own;
    try {
      take(2.0 / static_cast<double>(group.size() - i + 1));
      open.result.verdict =
          open.question.by_sets(limits) ? engine::Verdict::Holds : engine::Verdict::Fails;
      open.result.how = "decision diagrams";
    } catch (const base::LimitReached&) {
    } catch (const std::bad_alloc&) {
    }
    open.result.seconds += own.seconds();
  }
}

/// Those that are open no more.
void OnTheFly::drop_decided() {
  std::erase_if(open_, [&](const Open& open) {
    std::optional<std::size_t> part = open.part;
    while (part && !parts_[*part].is_decided) {
      part = parts_[*part].whole;
    }
    return part.has_value();
  });
}

std::vector<engine::Result> OnTheFly::decide_as_they_are(logic::FormulaPool& pool,
                                                         std::span<const logic::FormulaId> formulas,
                                                         std::span<const std::string> atoms) {
  results_.assign(formulas.size(), {});
  parts_.clear();
  open_.clear();
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    add_question(i, std::nullopt, {});
  }
  // Exploring gets several times the steps of all searches together: so what has to be explored is
  // not much later for having been searched.
  std::uint64_t steps =
      std::max(kLeastStepsNear, kStepsNear / std::max<std::size_t>(1, formulas.size()));
  while (!open_.empty() && !is_over()) {
    const std::uint64_t most = settings_.limits.steps.value_or(steps);
    search_as_it_is(engine::find_engine("local"), pool, formulas, std::min(steps, most));
    if (open_.empty() || is_over() || explore_further(steps, atoms) ||
        (steps >= most && settings_.limits.steps) ||
        (!subject_.is_exploring() &&
         std::ranges::none_of(open_, [](const Open& open) { return open.is_worth_more; }))) {
      break;
    }
    steps *= kGrowth;
  }
  if (!subject_.has_machine()) {
    give_reasons();
  }
  return std::move(results_);
}

std::vector<engine::Result> OnTheFly::decide_paths(logic::FormulaPool& pool,
                                                   std::span<const logic::FormulaId> formulas,
                                                   std::span<const std::string> atoms) {
  results_.assign(formulas.size(), {});
  parts_.clear();
  open_.clear();
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    add_question(i, std::nullopt, {});
  }
  std::uint64_t steps = kFirstSteps;
  while (!open_.empty() && !is_over()) {
    const std::uint64_t most = settings_.limits.steps.value_or(steps);
    search_as_it_is(engine::path_engine(), pool, formulas, std::min(steps, most));
    if (open_.empty() || is_over() || explore_further(steps, atoms) ||
        (steps >= most && settings_.limits.steps) ||
        (steps > kFirstSteps && !subject_.unexplored().empty()) ||  // there may be no end of it
        std::ranges::none_of(open_, [](const Open& open) { return open.is_worth_more; })) {
      break;
    }
    steps *= kGrowth;
  }
  return std::move(results_);
}

/// Each open formula once, one after the other: the states are shared.
void OnTheFly::search_as_it_is(const engine::EngineInfo& engine, logic::FormulaPool& pool,
                               std::span<const logic::FormulaId> formulas, std::uint64_t steps) {
  if (subject_.simplifier() != nullptr) {
    subject_.drop_exploration();  // states of nets get wider, and then all that there are must
  }
  for (Open& open : open_) {
    if (is_over()) {
      return;
    }
    engine::Env env;
    env.limits = share(1, open_.size());
    env.limits.steps = steps;
    open.result = engine.make()->check_on_the_fly(
        {*subject_.states(), subject_.dead_ends(), pool, formulas.subspan(open.number, 1)}, env)[0];
    open.result.how = "on the fly";
    open.is_worth_more = open.result.reason == fmt::format("more than {} steps", steps);
  }
  settle();
}

/// The more formulas are open, the more it is worth.
bool OnTheFly::explore_further(std::uint64_t steps, std::span<const std::string> atoms) {
  base::Limits limits = share(kShareToExplore, 1);
  const std::uint64_t worth = kExploreTimes * steps * open_.size();
  limits.steps = std::min(limits.steps.value_or(worth), worth);
  // The searches need memory too; but who is not simplified may be decided by exploring alone.
  if (limits.megabytes && subject_.simplifier() != nullptr) {
    limits.megabytes = *limits.megabytes / 2;
  }
  return subject_.explore_further(atoms, settings_, limits, &statistics_);
}

/// A share that was used up is no reason, the limits are.
void OnTheFly::give_reasons() {
  for (engine::Result& result : results_) {
    if (result.verdict != engine::Verdict::Unknown) {
      continue;
    }
    if (settings_.limits.is_cancelled()) {
      result.reason = "cancelled";
    } else if (is_over()) {
      result.reason = fmt::format("timeout after {} s", *settings_.limits.seconds);
    } else if (subject_.unexplored().starts_with("unbounded") || result.reason.empty()) {
      result.reason = subject_.unexplored();
    }
  }
}

}  // namespace nestor::session
