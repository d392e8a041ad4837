#include "lint/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

// Rules about values, whatever holds them.

namespace nestor::lint {

namespace {

/// A function as often as it has origins: each is looked at.
std::vector<FunctionShare::Group> groups_of(const std::vector<program::HandleOrigin>& origins,
                                            const std::vector<std::size_t>& group_of) {
  std::vector<FunctionShare::Group> groups;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    groups.resize(std::max(groups.size(), group_of[i] + 1));
    groups[group_of[i]].functions.push_back(origins[i].function);
  }
  return groups;
}

}  // namespace

void RuleChecker::run_objects() {
  ObjectOrigins origins(index_, matcher_, formula_, [this](const program::HandleOrigin& parameter) {
    return summary_of(parameter);
  });
  origins.find();
  std::set<std::tuple<program::FunctionId, std::uint32_t, program::VariableId>> members;
  const std::vector<program::HandleOrigin> first = origins.waiting();
  const std::vector<std::size_t> group_of = origins.groups();
  FunctionShare share = share_of(groups_of(first, group_of));
  std::map<program::HandleOrigin, std::size_t> numbers;
  std::vector<program::HandleOrigin> taken;
  for (std::size_t i = 0; i < first.size(); ++i) {
    numbers.emplace(first[i], i);
    if (share.takes(group_of[i])) {
      taken.push_back(first[i]);
    }
  }
  origins.keep(taken);
  std::size_t group = 0;
  for (program::HandleOrigin origin; origins.next(origin);) {
    // Those that come by the way belong to what they come from.
    if (const auto number = numbers.find(origin); number != numbers.end()) {
      begin_unit(number->second);
      group = group_of[number->second];
    }
    const FunctionShare::Clock clock = share.clock(group);
    bool outlives = false;
    if (origin.member.valid() || origins.place_of(origin) != origin.point) {
      const auto place = std::tuple(origin.function, origins.place_of(origin), origin.member);
      if (members.count(place) == 0 && check_object(origin, origins, outlives)) {
        members.insert(place);
      }
      continue;
    }
    // What goes wrong in the function that makes it goes wrong for its callers, too: told once.
    if (!check_object(origin, origins, outlives) && outlives) {
      origins.outlives(origin);
    }
  }
}

std::unique_ptr<RuleChecker::ObjectModel> RuleChecker::explored(const program::HandleOrigin& origin,
                                                                const program::Tracking& tracking,
                                                                const std::string& family,
                                                                program::States how) {
  ObjectEvents events(rule_view(), formula_, index_, family);
  program::ExploredModel found = program::explore(index_, origin.function, tracking, events,
                                                  formula_.reduction(), how, &callees_[family]);
  const std::string kind =
      fmt::format("lint.models.{}{}", how == program::States::Merged ? "merged" : "exact",
                  found.is_too_large ? ".too_large" : "");
  statistics_.add(kind, 1);
  statistics_.add(kind + ".steps", found.steps);
  return found.is_too_large
             ? nullptr
             : std::make_unique<ObjectModel>(*this, std::move(events), std::move(found));
}

std::optional<program::AfterRelease::Summary> RuleChecker::summary_of(
    const program::HandleOrigin& parameter) {
  const std::unique_ptr<ObjectModel> model =
      explored(parameter, {.origin = parameter}, {}, program::States::All);
  if (model == nullptr) {
    return std::nullopt;
  }
  const std::vector<std::string> forbidden = universal_part_.forbidden_after_site();
  program::AfterRelease::Summary summary;
  summary.releases = !model->events.sites().empty();
  summary.is_forbidden =
      std::any_of(forbidden.begin(), forbidden.end(),
                  [&](const std::string& event) { return model->propositions.count(event) != 0; });
  summary.has_both = summary.releases && summary.is_forbidden && model->inquiry &&
                     fails(*model->inquiry, universal_part_);
  summary.is_given = model->is_given;
  summary.is_stored = model->is_stored;
  return summary;
}

std::unique_ptr<RuleChecker::ObjectModel> RuleChecker::failing_model(
    const program::HandleOrigin& origin, program::Tracking& tracking, const std::string& family,
    bool& outlives) {
  // What a rule is about is made by its site, or by the call that it comes from.
  const program::Action* maker = task_.program.functions[origin.function].action_of(origin.point);
  const bool is_made = matcher_.site()->pattern.is_result ||
                       (maker != nullptr && maker->kind == program::Action::Kind::Call);
  const auto is_fault = [&](ObjectModel& model, const RuleFormula& formula) {
    const bool has_sites = !model.events.sites().empty();
    outlives = has_sites && model.outlives_root && is_made;
    return has_sites && model.inquiry && fails(*model.inquiry, formula);
  };
  const bool is_universal = formula_.is_universal();
  // A fault of merged states is a guess about conditions that they no longer tell apart: what can
  // be said of its path by itself decides. That something is reached nowhere is no guess.
  const auto guess = [&](std::unique_ptr<ObjectModel> merged) {
    if (merged == nullptr || !can_be_refuted() || (!is_universal && !is_fault(*merged, formula_))) {
      return std::unique_ptr<ObjectModel>();
    }
    merged->inquiry->is_guess = true;
    return merged;
  };
  std::unique_ptr<ObjectModel> widest;  // merged, with all functions that it is passed to
  for (;;) {
    std::unique_ptr<ObjectModel> merged;
    // Where what comes after a release matters, states that agree on the rest are not alike.
    if (tracking.ends_with_release) {
      merged = explored(origin, tracking, family, program::States::Merged);
      // It has more paths than there are: what holds of all of them needs no closer look.
      if (merged != nullptr && !is_fault(*merged, universal_part_)) {
        break;
      }
    }
    const bool is_hopeless = tracking.ends_with_release && merged == nullptr && is_universal;
    std::unique_ptr<ObjectModel> model =
        is_hopeless ? nullptr : explored(origin, tracking, family, program::States::All);
    if (model != nullptr) {
      if (is_fault(*model, formula_)) {
        return model;
      }
      break;
    }
    const bool is_last =
        tracking.is_shallow || !tracking.ends_with_release || origin.member.valid();
    if (is_last) {
      if (std::unique_ptr<ObjectModel> guessed = guess(std::move(merged))) {
        return guessed;
      }
      ++findings_.left_out[number_].too_large;
      break;
    }
    if (!is_universal) {
      widest = std::move(merged);
    }
    tracking.is_shallow = true;  // what can be told of the function alone
  }
  tracking.is_shallow &= widest == nullptr;
  return guess(std::move(widest));
}

bool RuleChecker::check_object(const program::HandleOrigin& origin, const ObjectOrigins& origins,
                               bool& outlives) {
  const EventPattern& pattern = matcher_.site()->pattern;
  const bool is_undefined = pattern.names(program::FactKind::Blank);
  const bool asks_for_loss =
      std::any_of(rule_.events.begin(), rule_.events.end(),
                  [](const auto& event) { return event.second.names(program::FactKind::Lost); });
  program::Tracking tracking{
      .origin = origin,
      .failure = pattern.is_failure,
      .undefined = is_undefined,
      .address = pattern.names(program::FactKind::Scope) && !is_undefined,
      .null = pattern.names(program::FactKind::Null),
      .ends_with_release = asks_for_loss,
      .makers = pattern.is_result || origin.is_handed_out ? &origins.makers() : nullptr};
  const std::string family = origins.family_of(origin);
  for (const EventMatcher::Event& event : matcher_.events()) {
    // The program has no function that could release it wrongly.
    if (event.is_other && event.families.size() == event.families.count(family)) {
      return false;
    }
  }
  const std::unique_ptr<ObjectModel> model = failing_model(origin, tracking, family, outlives);
  if (model == nullptr) {
    return false;
  }
  const bool makes = pattern.is_result || !pattern.facts.empty();
  const program::Function& function = task_.program.functions[origin.function];
  std::vector<Site> sites = model->events.sites();
  const std::map<program::FunctionId, std::uint32_t>& entered_at = model->entered_at;
  for (Site& site : sites) {
    const Site there = site;
    const auto entered = entered_at.find(site.component.function);
    if (makes) {
      site = {{origin.function, {}, true}, origins.place_of(origin), origin.member};
    } else if (!site.component.is_outermost && entered != entered_at.end()) {
      site = {{origin.function, {}, true}, entered->second, {}};
    }
    if (!makes) {
      site.within = there.component.function;
      site.within_point = there.point;
    }
    const program::Point& point = function.points[site.point];
    for (const program::Fact& fact : point.facts) {
      if (!pattern.facts.empty()) {
        // What takes the memory that is made, not that memory.
        if (!site.variable.valid() || fact.kind == program::FactKind::Result) {
          site.variable = fact.variable;
        }
      } else if (pattern.is_result
                     ? fact.kind == program::FactKind::Result
                     : fact.kind == program::FactKind::Argument &&
                           EventMatcher::argument_of(*matcher_.site(), point) == fact.index) {
        site.variable = fact.variable;
      }
    }
  }
  const auto whole_model = [&] {
    ObjectEvents all(whole_view(), formula_, index_, family);
    all.tell_story_of(model->events);
    return std::move(
        program::explore(index_, origin.function, tracking, all, program::Reduction::Nothing)
            .sliced);
  };
  return report_all(*model->inquiry, sites, whole_model);
}

}  // namespace nestor::lint
