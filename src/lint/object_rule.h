#pragma once

#include "lint/event_matcher.h"
#include "lint/rule_formula.h"
#include "lint/rule_labels.h"
#include "program/after_release.h"
#include "program/explorer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nestor::lint {

/// Where the values come from that a rule of scope object is about.
class ObjectOrigins {
 public:
  using LookCloser = decltype(program::AfterRelease::Question::look_closer);

  ObjectOrigins(program::ProgramIndex& index, const EventMatcher& matcher,
                const RuleFormula& formula, LookCloser look_closer);

  /// What the thing is that is made there: its family in the catalogue.
  std::string family_of(const program::HandleOrigin& origin) const;
  /// In the order in which they are to be looked at; more come by outlives().
  void find();
  bool next(program::HandleOrigin& origin);
  /// Those that are to be looked at, in that order.
  std::vector<program::HandleOrigin> waiting() const { return {work_.rbegin(), work_.rend()}; }
  /// Looks only at these.
  void keep(const std::vector<program::HandleOrigin>& origins) {
    work_.assign(origins.rbegin(), origins.rend());
  }
  /// For each of waiting() the number of its group. What is found out of one group, whatever comes
  /// of it by outlives(), changes nothing for another.
  std::vector<std::size_t> groups() const;
  /// Where what the handle lies in is released or overwritten, if it lies in something; else the
  /// origin itself.
  std::uint32_t place_of(const program::HandleOrigin& origin) const {
    const auto found = released_at_.find(origin);
    return found == released_at_.end() ? origin.point : found->second;
  }
  /// Functions that hand out what they make, with the points where they do.
  const std::map<program::FunctionId, std::set<std::uint32_t>>& makers() const { return makers_; }
  /// What is made there comes back to the callers: it is made by their calls, too.
  void outlives(const program::HandleOrigin& origin);

 private:
  void add(const program::HandleOrigin& origin, int level = 0);
  int most_levels() const;
  bool can_outlive(const program::HandleOrigin& origin) const;
  /// Those who call it, and get what it hands out.
  std::vector<program::FunctionId> takers_of(program::FunctionId function) const;
  void ask_what_follows(const std::vector<std::string>& forbidden, LookCloser look_closer);
  void find_calls();
  bool closes_standard(program::FunctionId f, std::uint32_t close) const;
  bool is_for_standard(program::FunctionId f, std::uint32_t opened) const;
  void find_nulls();
  void find_locals();
  void find_members();
  void find_replaced();
  void trace(program::FunctionId function, program::ValueId value,
             std::set<program::ValueId>& seen);
  void trace_argument(program::FunctionId function, std::uint32_t point, std::size_t argument);

  program::ProgramIndex& index_;
  const program::Program& program_;
  const EventMatcher& matcher_;
  std::map<program::FunctionId, std::set<std::uint32_t>> makers_;
  std::map<program::HandleOrigin, int> known_;  // with how many calls lie between it and the maker
  std::set<std::pair<program::FunctionId, std::uint32_t>> taking_;  // functions and parameters
  std::map<program::HandleOrigin, std::uint32_t> released_at_;
  std::vector<program::HandleOrigin> work_;
  std::optional<program::AfterRelease> releases_;  // where a rule is about what follows them
};

/// What of a rule of scope object happens where.
class ObjectEvents final : public program::HandleEvents {
 public:
  /// A model in which `formula` holds for want of propositions settles what is asked.
  ObjectEvents(const RuleView& rule, const RuleFormula& formula, program::ProgramIndex& index,
               std::string family)
      : rule_(rule),
        formula_(formula),
        program_index_(index),
        family_(std::move(family)),
        all_speak_of_handle_(std::all_of(
            rule.matcher.events().begin(), rule.matcher.events().end(),
            [](const EventMatcher::Event& event) { return event.pattern.speaks_of_handle(); })) {}

  /// For a model that tells the paths of `other`: sites are numbered as there.
  void tell_story_of(const ObjectEvents& other) {
    is_story_ = true;
    sites_ = other.sites_;
    index_ = other.index_;
  }

  bool has(program::FunctionId function, bool is_outermost, std::uint32_t point,
           const program::Happenings& happenings) const override;
  void of(program::FunctionId function, bool is_outermost, std::uint32_t point,
          const program::Happenings& happenings, std::vector<std::string>& labels) const override;
  bool is_event(const program::Point& call) const override;
  bool is_end(const program::Point& call, std::uint32_t arguments) const override;
  bool sees_only_handle() const override { return all_speak_of_handle_; }
  bool is_settled_by(const std::set<std::string, std::less<>>& propositions) const override {
    return !is_story_ && formula_.holds_with(propositions);
  }
  const std::vector<Site>& sites() const { return sites_; }

 private:
  bool happens(const EventMatcher::Event& event, const program::Point& point,
               const program::Happenings& happenings) const;

  RuleView rule_;
  const RuleFormula& formula_;
  program::ProgramIndex& program_index_;
  std::string family_;  // of what was made
  bool all_speak_of_handle_ = false;
  bool is_story_ = false;
  mutable std::vector<Site> sites_;
  mutable std::map<std::pair<program::FunctionId, std::uint32_t>, std::size_t> index_;
};

}  // namespace nestor::lint
