#include "session/subject.h"

#include "base/input.h"
#include "base/sha256.h"
#include "format/rsm_json/writer.h"
#include "model/explore.h"
#include "model/inspect.h"
#include "model/start_at.h"
#include "model/step_propositions.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace nestor::session {

namespace {

/// Certificates name it by the SHA-256 of what was read, not of what would be written.
bool is_named_by_its_text(const format::FormatInfo& format, const ModelSource& source,
                          const Settings& settings) {
  return format.id == "rsm" && settings.dead_ends != model::DeadEnds::Loop &&
         source.initial.empty();
}

/// Sees to it that the model starts where the source says.
void start_as_asked(logic::ReadModel& read, const std::string& initial, const std::string& name) {
  if (initial.empty() || read.starts_as_asked) {
    return;
  }
  auto* machines = std::get_if<logic::ReadModel::Machines>(&read.model);
  if (machines == nullptr || read.is_empty) {
    throw base::Error(base::Error::Kind::Input,
                      "the states of this model are explored, so no component and node can be "
                      "named to start at; its initial states are those that the file says",
                      {name});
  }
  model::start_at(machines->front(), initial, name);
}

}  // namespace

Subject::Subject(std::string name, model::Rsm machine, model::DeadEnds dead_ends)
    : name_(std::move(name)), dead_ends_(dead_ends) {
  machines_.push_back(std::move(machine));
}

Subject::Subject(std::string name, logic::ReadModel::States states, model::DeadEnds dead_ends)
    : name_(std::move(name)), states_(std::move(states)), dead_ends_(dead_ends) {}

Subject Subject::borrowed(const model::Rsm& machine) {
  Subject subject;
  subject.borrowed_ = &machine;
  return subject;
}

Subject Subject::read(const ModelSource& source, const Settings& settings,
                      logic::FormulaPool* properties) {
  const format::FormatInfo& format = format::find_format(source.format, source.path);
  if (!source.link.empty() && format.id != "llvm") {
    throw base::Error(base::Error::Kind::Usage, "--link is for LLVM bitcode only");
  }
  const base::Stopwatch watch;
  ModelSource now = source;
  std::error_code none;
  const std::filesystem::file_time_type time = std::filesystem::last_write_time(source.path, none);
  // A large file is hashed only if a certificate is made or verified.
  const bool later = source.fingerprint && source.path != "-" &&
                     is_named_by_its_text(format, source, settings) &&
                     std::filesystem::is_regular_file(source.path, none);
  now.fingerprint = source.fingerprint && !later;
  Subject subject = read(base::Input::read(source.path), now, settings, properties);
  if (later) {
    subject.hash_of_ = std::filesystem::absolute(source.path).string();
    subject.hash_time_ = time;
  }
  subject.read_seconds_ = watch.seconds();
  return subject;
}

Subject Subject::read(const base::Input& input, const ModelSource& source, const Settings& settings,
                      logic::FormulaPool* properties) {
  const base::Stopwatch watch;
  Subject subject;
  subject.format_ = &format::find_format(source.format, source.path);
  logic::ReadModel read = subject.format_->read(
      input, {.dead_ends = settings.dead_ends.value_or(model::DeadEnds::Infinite),
              .limits = settings.limits,
              .properties = properties,
              .initial = source.initial,
              .link = source.link,
              .externals = source.externals,
              .most_targets = source.most_targets,
              .last_stage = source.last_stage});
  start_as_asked(read, source.initial, input.name());
  if (auto* machines = std::get_if<logic::ReadModel::Machines>(&read.model)) {
    subject.machines_ = std::move(*machines);
  } else if (auto* states = std::get_if<logic::ReadModel::States>(&read.model)) {
    subject.states_ = std::move(*states);
    subject.simplifier_ = std::move(read.simplifier);
  } else {
    subject.unexplored_ = std::get<base::LimitReached>(read.model).reason;
  }
  subject.dead_ends_ = settings.dead_ends.value_or(read.dead_ends);
  if (source.fingerprint && is_named_by_its_text(*subject.format_, source, settings)) {
    subject.sha256_ = base::sha256_hex(input.text());
  }
  subject.properties_ = std::move(read.properties);
  subject.is_empty_ = read.is_empty;
  subject.warnings_ = std::move(read.warnings);
  subject.name_ = input.name();
  subject.input_bytes_ = input.size();
  subject.read_seconds_ = watch.seconds();
  return subject;
}

std::shared_ptr<Subject> Subject::with_steps(std::span<const std::string> propositions) const {
  auto* steps = dynamic_cast<model::StepPropositions*>(states_.get());
  std::vector<std::string> atoms;
  for (const std::string& proposition : propositions) {
    if (steps != nullptr && steps->is_of_steps(proposition)) {
      atoms.push_back(proposition);
    }
  }
  if (atoms.empty()) {
    return nullptr;
  }
  // States are named by these: in one order, whatever else was asked before.
  std::ranges::sort(atoms);
  auto subject = std::make_shared<Subject>(name_, steps->with_steps(atoms), dead_ends_);
  subject->format_ = format_;
  subject->input_bytes_ = input_bytes_;
  subject->read_seconds_ = read_seconds_;
  return subject;
}

void Subject::forget_limits() {
  if (states_ != nullptr) {
    unexplored_.clear();
  }
}

const model::Rsm& Subject::machine(std::size_t number) const {
  NESTOR_CHECK(number < machine_count());
  return borrowed_ != nullptr ? *borrowed_ : machines_[number];
}

bool Subject::has_uncounted_dead_ends(std::size_t number) const {
  if (dead_ends_ != model::DeadEnds::Infinite || !has_machine() || fairness_.constraints > 0) {
    return false;
  }
  const std::lock_guard lock(*lazily_);
  has_dead_ends_.resize(machine_count());
  if (!has_dead_ends_[number]) {
    // With calls, an exit without a way back is one too.
    has_dead_ends_[number] =
        machine(number).box_count() > 0 || model::find_dead_ends(machine(number)).count > 0;
  }
  return *has_dead_ends_[number];
}

void Subject::explore(std::span<const std::string> propositions, const Settings& settings,
                      base::Statistics* statistics) {
  NESTOR_CHECK(states_ != nullptr);
  if (!unexplored_.empty()) {
    throw base::LimitReached{unexplored_};
  }
  if (has_machine()) {
    model::label_explored(machines_.front(), *states_, propositions, settings.limits);
    return;
  }
  try {
    go_on_exploring(propositions, settings, settings.limits, statistics);
  } catch (const base::LimitReached& limit) {
    exploration_.reset();
    if (!settings.limits.is_cancelled()) {  // else the next question explores anew
      unexplored_ = limit.reason;
    }
    throw;
  }
}

void Subject::go_on_exploring(std::span<const std::string> propositions, const Settings& settings,
                              const base::Limits& limits, base::Statistics* statistics) {
  const base::Stopwatch watch;
  model::ExploreSizes sizes;
  const auto count = [&] {
    if (statistics != nullptr) {  // what a later call finds includes what was found before
      statistics->raise("explore.states", sizes.states);
      statistics->raise("explore.transitions", sizes.transitions);
      statistics->raise("explore.bits_per_state", sizes.state_bits);
      statistics->raise("explore.states_bytes", sizes.states_bytes);
      statistics->add_seconds("explore.seconds", watch.seconds());
    }
  };
  model::ExploreOptions how;
  how.dead_ends = dead_ends_;
  how.limits = limits;
  how.sizes = &sizes;
  how.fairness = &fairness_;
  if (settings.progress) {
    how.progress = [&](std::size_t states, std::size_t expanded) {
      settings.progress({Progress::Work::Exploring, expanded, states});
    };
  }
  if (!exploration_) {
    exploration_.emplace(states_);
  }
  try {
    exploration_->go_on(how);
  } catch (const base::LimitReached&) {  // one may go on
    count();
    throw;
  } catch (...) {
    exploration_.reset();
    throw;
  }
  count();
  model::Exploration complete = std::move(*exploration_);
  exploration_.reset();
  machines_.push_back(complete.finish(propositions, how));
}

bool Subject::explore_further(std::span<const std::string> propositions, const Settings& settings,
                              const base::Limits& share, base::Statistics* statistics) {
  if (has_machine() || !unexplored_.empty()) {
    return has_machine();
  }
  try {
    go_on_exploring(propositions, settings, share, statistics);
    return true;
  } catch (const base::LimitReached& limit) {
    const bool is_share = settings.limits.is_cancelled() || limit.reason.starts_with("timeout") ||
                          (share.steps && share.steps != settings.limits.steps &&
                           limit.reason == fmt::format("more than {} steps", *share.steps));
    if (is_share && exploration_) {
      return false;
    }
    unexplored_ = limit.reason;
  } catch (const std::bad_alloc&) {
    unexplored_ = "out of memory";
  }
  exploration_.reset();
  base::release_free_memory();
  return false;
}

void Subject::explore_or_refuse(std::span<const std::string> propositions,
                                const Settings& settings) {
  if (is_empty_) {
    throw base::Error(base::Error::Kind::Input, "the model has no initial state", {name_});
  }
  std::string reason = unexplored_;
  if (states_ != nullptr && reason.empty()) {
    try {
      explore(propositions, settings);
    } catch (const base::LimitReached& limit) {
      reason = limit.reason;
    }
  }
  if (!reason.empty()) {
    throw base::Error(base::Error::Kind::Unsupported,
                      fmt::format("the states of the model cannot be explored: {}", reason),
                      {name_});
  }
}

std::string Subject::hash_of_file() const {
  const base::Input again = base::Input::read(hash_of_);
  std::error_code none;
  if (std::filesystem::last_write_time(hash_of_, none) != hash_time_ || none ||
      again.size() != input_bytes_) {
    throw base::Error(base::Error::Kind::Input, "the file has changed since it was read", {name_});
  }
  return base::sha256_hex(again.text());
}

std::string Subject::sha256(std::vector<std::string> propositions) const {
  if (states_ == nullptr) {
    const std::lock_guard lock(*lazily_);
    if (sha256_.empty()) {
      sha256_ =
          hash_of_.empty() ? base::sha256_hex(format::write_rsm_json(machine())) : hash_of_file();
    }
    return sha256_;
  }
  std::sort(propositions.begin(), propositions.end());
  propositions.erase(std::unique(propositions.begin(), propositions.end()), propositions.end());
  std::vector<model::PropId> labels;
  for (const std::string& name : propositions) {
    if (const model::PropId p = machine().find_prop(name); p.valid()) {
      labels.push_back(p);
    }
  }
  base::Sha256 hash;
  format::write_rsm_json(machine(), labels, [&hash](std::string_view text) { hash.add(text); });
  return hash.hex();
}

}  // namespace nestor::session
