#include "lint/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

// Rules about things that have one name in the whole program: one at a time, or any two of them.

namespace nestor::lint {

namespace {

constexpr std::size_t kMostOfPairs = 40;  // things of which any two are a pair
constexpr std::string_view kFirst = "first_";
constexpr std::string_view kSecond = "second_";

bool is_shared(const program::Program& program, program::VariableId variable) {
  const program::VariableKind kind = program.variables[variable].kind;
  return kind == program::VariableKind::Global || kind == program::VariableKind::Field;
}

/// Those whose address is known elsewhere than where it is given to a function outside: fields, and
/// globals whose address is stored or passed on.
std::set<program::VariableId> pointed_to(const program::Program& program,
                                         const std::vector<program::VariableId>& variables) {
  std::set<program::VariableId> found;
  const auto look_at = [&](const program::Function& in, program::ValueId value) {
    for (; value.valid(); value = in.values[value].left) {
      if (in.values[value].kind == program::Value::Kind::Address) {
        found.insert(in.values[value].variable);
      }
    }
  };
  for (const program::Function& in : program.functions) {
    for (std::uint32_t p = 0; p < in.points.size(); ++p) {
      const program::Action* action = in.action_of(p);
      if (action == nullptr) {
        continue;
      }
      look_at(in, action->value);
      for (const program::ValueId argument : action->arguments) {
        if (!in.points[p].targets.empty()) {
          look_at(in, argument);
        }
      }
    }
  }
  for (const program::VariableId variable : variables) {
    if (program.variables[variable].kind == program::VariableKind::Field) {
      found.insert(variable);
    }
  }
  return found;
}

/// Labels of all globals and fields at once: event e of the one with number i is `e_i`, and where
/// it is the site, `site_i_k` tells which.
class SharedLabels : public program::SliceLabels {
 public:
  /// Where it is not known to which of them something is done, other events than the site happen
  /// to all of `pointed_to`.
  SharedLabels(const RuleView& rule, const std::vector<program::VariableId>& variables,
               std::set<program::VariableId> pointed_to = {})
      : rule_(rule), variables_(variables), pointed_to_(std::move(pointed_to)) {}

  void of(const program::ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override {
    const program::Point& point = rule_.program.functions[component.function].points[p];
    for (const std::size_t i : candidates(point)) {
      for (const EventMatcher::Event& event : rule_.matcher.events()) {
        const bool is_site = &event == rule_.matcher.site();
        if (!rule_.matcher.fits(event, point, variables_[i]) &&
            (is_site || pointed_to_.count(variables_[i]) == 0 || !may_be_any(event, point))) {
          continue;
        }
        labels.push_back(fmt::format("{}_{}", event.name, i));
        if (is_site) {
          labels.push_back(fmt::format("site_{}_{}", i, sites_.size()));
          sites_.push_back({component, p, variables_[i]});
        }
      }
    }
  }

  bool enters(const program::ComponentKey&, const program::Point& call, program::FunctionId,
              program::ComponentKey&) const override {
    return !call.is_later;
  }
  program::Reduction reduction() const override { return rule_.reduction; }
  const std::vector<Site>& sites() const { return sites_; }

 private:
  /// The numbers of those that something can happen to at the point.
  std::vector<std::size_t> candidates(const program::Point& point) const {
    const auto begin = variables_.begin();
    std::vector<std::size_t> found;
    if (point.facts.empty()) {
      return found;
    }
    const std::vector<EventMatcher::Event>& events = rule_.matcher.events();
    if (std::any_of(events.begin(), events.end(), [&](const EventMatcher::Event& event) {
          return rule_.matcher.fits_call(event, point) &&
                 (!event.pattern.speaks_of_handle() || may_be_any(event, point));
        })) {
      found.resize(variables_.size());
      std::iota(found.begin(), found.end(), std::size_t{0});
      return found;
    }
    for (const program::Fact& fact : point.facts) {
      if (const auto at = std::lower_bound(begin, variables_.end(), fact.variable);
          at != variables_.end() && *at == fact.variable) {
        found.push_back(static_cast<std::size_t>(at - begin));
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// It is done to something without a name that is the same in the whole program.
  bool may_be_any(const EventMatcher::Event& event, const program::Point& point) const {
    if (!event.pattern.speaks_of_handle() || !rule_.matcher.fits_call(event, point)) {
      return false;
    }
    std::vector<program::VariableId> handles;
    rule_.matcher.handles_of(event, point, handles);
    return std::none_of(handles.begin(), handles.end(), [&](program::VariableId handle) {
      return is_shared(rule_.program, handle);
    });
  }

  RuleView rule_;
  const std::vector<program::VariableId>& variables_;
  const std::set<program::VariableId> pointed_to_;
  mutable std::vector<Site> sites_;
};

}  // namespace

/// What has a name that is the same in the whole program; the elements of an array are not one.
std::vector<program::VariableId> RuleChecker::shared_variables() const {
  std::vector<program::VariableId> variables;
  for (const program::Function& function : task_.program.functions) {
    for (const program::Point& point : function.points) {
      matcher_.handles_of(*matcher_.site(), point, variables);
    }
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  std::erase_if(variables,
                [&](program::VariableId variable) { return !is_shared(task_.program, variable); });
  return variables;
}

void RuleChecker::run_shared() {
  const std::vector<program::VariableId> variables = shared_variables();
  if (variables.empty()) {
    return;
  }
  const std::vector<program::ComponentKey> roots = program_roots();
  const std::set<program::VariableId> known = pointed_to(task_.program, variables);
  const SharedLabels labels(rule_view(), variables, known);
  Inquiry inquiry(*this, program::slice(task_.program, roots, labels));
  const auto renamed = [&](std::string_view atom, std::size_t i) {
    return rule_.events.find(atom) != rule_.events.end() ? fmt::format("{}_{}", atom, i)
           : atom == "site"                              ? fmt::format("{}_{}", rule_.site, i)
                                                         : std::string(atom);
  };
  for (std::size_t i = 0; i < variables.size(); ++i) {
    inquiry.ask([&](std::string_view atom) { return renamed(atom, i); });
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (verdict(inquiry, i) != engine::Verdict::Fails) {
      continue;
    }
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < labels.sites().size(); ++k) {
      if (labels.sites()[k].variable == variables[i]) {
        which.push_back(k);
      }
    }
    report_sites(
        inquiry, labels.sites(), which,
        [&](std::string_view atom, std::size_t k) {
          return atom == "site" ? fmt::format("site_{}_{}", i, k) : renamed(atom, i);
        },
        [&] {
          return program::slice(task_.program, roots, SharedLabels(whole_view(), variables, known));
        });
  }
}

void RuleChecker::run_pairs() {
  const std::vector<program::VariableId> variables = shared_variables();
  if (variables.size() < 2) {
    return;
  }
  if (variables.size() > kMostOfPairs) {
    findings_.left_out[number_].of_pairs = variables.size();
    return;
  }
  const std::vector<program::ComponentKey> roots = program_roots();
  const SharedLabels labels(rule_view(), variables);
  Inquiry inquiry(*this, program::slice(task_.program, roots, labels));
  const auto renamed = [&](std::string_view atom, std::size_t i, std::size_t j) {
    if (atom.substr(0, kFirst.size()) == kFirst) {
      return fmt::format("{}_{}", atom.substr(kFirst.size()), i);
    }
    if (atom.substr(0, kSecond.size()) == kSecond) {
      return fmt::format("{}_{}", atom.substr(kSecond.size()), j);
    }
    return atom == "site" ? fmt::format("{}_{}", rule_.site, i) : std::string(atom);
  };
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (std::size_t j = i + 1; j < variables.size(); ++j) {
      inquiry.ask([&](std::string_view atom) { return renamed(atom, i, j); });
    }
  }
  std::size_t question = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (std::size_t j = i + 1; j < variables.size(); ++j) {
      if (verdict(inquiry, question++) != engine::Verdict::Fails) {
        continue;
      }
      std::vector<Site> sites = labels.sites();
      std::vector<std::size_t> which;
      for (std::size_t k = 0; k < sites.size(); ++k) {
        sites[k].other = variables[j];
        if (sites[k].variable == variables[i]) {
          which.push_back(k);
        }
      }
      report_sites(
          inquiry, sites, which,
          [&](std::string_view atom, std::size_t k) {
            return atom == "site" ? fmt::format("site_{}_{}", i, k) : renamed(atom, i, j);
          },
          [&] {
            return program::slice(task_.program, roots, SharedLabels(whole_view(), variables));
          });
    }
  }
}

}  // namespace nestor::lint
