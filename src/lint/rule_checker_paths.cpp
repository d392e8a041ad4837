#include "lint/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

// From a formula that fails to warnings: for which sites, by which paths, and whether a run of the
// program can take them.

namespace nestor::lint {

namespace {

// A path costs about as much as its model has nodes. Rules with many warnings in large models would
// take longer for paths than for all the rest; what is spent must not depend on the clock.
constexpr std::size_t kMostNodesForPaths = 5'000'000;
constexpr unsigned kMostRefutations = 8;  // of one warning

/// Tells something of the whole path.
PathStep remark(const std::vector<PathStep>& path, std::string text) {
  PathStep step;
  step.kind = PathStep::Kind::Branch;
  step.file = path.front().file;
  step.line = path.front().line;
  step.column = path.front().column;
  step.message = std::move(text);
  return step;
}

}  // namespace

/// A path that no run can take is left out of the model with all that begin like it, or end so. So
/// what is left can have dead ends, which only formulas about reaching something do not see. What
/// rules of scope variable show is mostly that there is no path; and of rules that a site alone
/// violates, the path only tells how to come there, by one of many ways.
bool RuleChecker::can_be_refuted() const {
  const bool asks_for_more =
      formula_.names("exit") || formula_.names("halt") ||
      std::any_of(rule_.events.begin(), rule_.events.end(), [&](const auto& event) {
        return formula_.names(event.first) || rule_.scope == Rule::Scope::Pair;
      });
  return task_.refutes && solver::BitVectorSolver::is_available() && asks_for_more &&
         formula_.reduction() == program::Reduction::Events &&
         rule_.scope != Rule::Scope::Variable && rule_.scope != Rule::Scope::Function;
}

program::TraceQuestion RuleChecker::trace_question() const {
  program::TraceQuestion question;
  if (matcher_.site() != nullptr) {
    question.sites_fail = matcher_.site()->pattern.is_failure;
    if (rule_.needs_same) {
      question.same_argument = matcher_.site()->pattern.argument.value_or(0);
      question.same_is_part = rule_.scope == Rule::Scope::Object;
    }
  }
  question.asks_solver = can_be_refuted();
  return question;
}

bool RuleChecker::is_excused(Inquiry& inquiry,
                             const std::function<program::SlicedModel()>& whole_model,
                             std::optional<program::SlicedModel>& model) {
  if (!excuse_) {
    return false;
  }
  if (verdict(inquiry, inquiry.ask(*excuse_, unchanged)) != engine::Verdict::Holds) {
    return false;
  }
  program::SlicedModel whole = can_be_refuted() && nodes_for_paths_ <= kMostNodesForPaths
                                   ? whole_model()
                                   : program::SlicedModel();
  if (whole.model.node_count() == 0) {
    return true;
  }
  nodes_for_paths_ += whole.model.node_count();
  auto current = std::make_unique<Inquiry>(*this, whole);
  PathJudge judge(index_, solver_, whole, true, "site", {.asks_solver = true});
  for (unsigned round = 0; round < kMostRefutations; ++round) {
    const std::size_t question = current->ask(*excuse_, unchanged);
    if (current->session.verdict(question).verdict != engine::Verdict::Holds) {
      return false;
    }
    const session::Answer<witness::Witness> witness = current->session.witness(question);
    if (!witness || judge.judge(*witness) != program::TraceVerdict::Answer::Impossible) {
      return true;
    }
    model = judge.pruned();
    if (!model) {
      return true;
    }
    current = std::make_unique<Inquiry>(*this, *model);
  }
  return true;
}

std::optional<std::vector<PathStep>> RuleChecker::find_path(Inquiry& inquiry, std::size_t question,
                                                            const RuleFormula::Rename& rename,
                                                            bool is_whole) {
  using Answer = program::TraceVerdict::Answer;
  const auto no_path = [&] {
    return inquiry.is_guess ? std::nullopt : std::optional(std::vector<PathStep>());
  };
  nodes_for_paths_ += inquiry.model.model.node_count();
  if (nodes_for_paths_ > kMostNodesForPaths) {
    ++findings_.left_out[number_].paths;
    return no_path();
  }
  PathJudge judge(index_, solver_, inquiry.model, is_whole, rename("site"), trace_question());
  std::unique_ptr<Inquiry> pruned;
  Inquiry* current = &inquiry;
  for (unsigned round = 0;; ++round) {
    // The verdict stands without a path.
    const session::Answer<witness::Witness> witness = current->session.witness(question);
    if (!witness) {
      return no_path();
    }
    Answer answer = Answer::Possible;
    std::unique_ptr<Inquiry> next;
    if (can_be_refuted() || rule_.needs_same) {
      const base::Stopwatch stopwatch;
      answer = judge.judge(*witness);
      statistics_.add("lint.refutation.paths", 1);
      if (answer == Answer::Impossible && round < kMostRefutations) {
        if (std::optional<program::SlicedModel> model = judge.pruned()) {
          next = std::make_unique<Inquiry>(*this, std::move(*model));
        }
      }
      statistics_.add_seconds("lint.refutation.seconds", stopwatch.seconds());
    }
    if (next != nullptr) {
      statistics_.add("lint.refutation.impossible_paths", 1);
      question = next->ask(rename);
      if (next->session.verdict(question).verdict == engine::Verdict::Holds) {
        statistics_.add("lint.refutation.dropped_warnings", 1);
        return std::nullopt;
      }
      if (next->session.verdict(question).verdict == engine::Verdict::Fails) {
        pruned = std::move(next);
        current = pruned.get();
        continue;
      }
    }
    if (inquiry.is_guess && answer != Answer::Possible) {
      return std::nullopt;
    }
    std::vector<PathStep> path =
        path_of(task_.program, current->model, *witness, telling_labels(rename), is_whole);
    if (!path.empty() && answer != Answer::Possible) {
      statistics_.add("lint.refutation.unknown", 1);
      path.insert(path.begin(), remark(path, "whether this path can be taken was not found out"));
    } else if (!path.empty() && !judge.values().empty()) {
      path.insert(path.begin(), remark(path, "with " + judge.values()));
    }
    return path;
  }
}

std::vector<TellingLabel> RuleChecker::telling_labels(const RuleFormula::Rename& rename) const {
  std::vector<TellingLabel> labels;
  for (const auto& [name, event] : rule_.events) {
    if (formula_.names(name)) {
      labels.push_back({rename(name), &event, false});
    }
  }
  if (const auto site = rule_.events.find(rule_.site);
      site != rule_.events.end() && formula_.names("site")) {
    labels.push_back({rename("site"), &site->second, true});
  }
  for (const std::string_view end : {"exit", "halt"}) {
    if (formula_.names(end)) {
      labels.push_back({rename(end), nullptr, false});
    }
  }
  return labels;
}

bool RuleChecker::report_sites(
    Inquiry& inquiry, std::span<const Site> sites, std::span<const std::size_t> which,
    const std::function<std::string(std::string_view, std::size_t)>& rename,
    const std::function<program::SlicedModel()>& whole_model) {
  const auto renamed = [&](std::size_t k) {
    return [&rename, k](std::string_view atom) { return rename(atom, k); };
  };
  std::vector<std::size_t> questions;
  for (const std::size_t k : which) {
    questions.push_back(inquiry.ask(renamed(k)));
  }
  bool found = false;  // a site that fails, or may fail
  std::vector<std::size_t> failing;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const engine::Verdict of_site = verdict(inquiry, questions[i]);
    found = found || of_site != engine::Verdict::Holds;
    if (of_site == engine::Verdict::Fails) {
      failing.push_back(i);
    }
  }
  // The same sites fail in the model with all branches, which tells what happens in between.
  const base::Stopwatch stopwatch;
  std::unique_ptr<Inquiry> story;
  std::vector<std::size_t> story_questions;
  if (whole_model && !failing.empty() && nodes_for_paths_ <= kMostNodesForPaths) {
    program::SlicedModel model = whole_model();
    if (model.model.node_count() > 0) {  // else it was too large
      story = std::make_unique<Inquiry>(*this, std::move(model));
      for (const std::size_t i : failing) {
        story_questions.push_back(story->ask(renamed(which[i])));
      }
    }
  }
  bool warns = false;
  for (std::size_t f = 0; f < failing.size(); ++f) {
    const std::size_t i = failing[f];
    const engine::Verdict told = story == nullptr
                                     ? engine::Verdict::Unknown
                                     : story->session.verdict(story_questions[f]).verdict;
    if (told == engine::Verdict::Holds && (excuse_ || inquiry.is_guess)) {
      continue;  // it fails by paths that have been left out
    }
    const bool is_told = told == engine::Verdict::Fails;
    std::optional<std::vector<PathStep>> path =
        is_told ? find_path(*story, story_questions[f], renamed(which[i]), true)
                : find_path(inquiry, questions[i], renamed(which[i]), false);
    if (path) {
      warns = true;
      warn(sites[which[i]], std::move(*path));
    }
  }
  statistics_.add_seconds("lint.paths.seconds", stopwatch.seconds());
  // A formula that fails for all sites but for none of them alone: never swallow it.
  if (!found && !which.empty()) {
    warns = true;
    warn(sites[which.front()]);
  }
  return warns;
}

bool RuleChecker::report_all(Inquiry& inquiry, const std::vector<Site>& sites,
                             const std::function<program::SlicedModel()>& whole_model) {
  std::vector<std::size_t> which(sites.size());
  std::iota(which.begin(), which.end(), std::size_t{0});
  return report_sites(
      inquiry, sites, which,
      [](std::string_view atom, std::size_t k) {
        return atom == "site" ? fmt::format("site_{}", k) : std::string(atom);
      },
      whole_model);
}

}  // namespace nestor::lint
