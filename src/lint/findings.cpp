#include "lint/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace nestor::lint {

namespace {

/// The rule is about what becomes of a call's result.
bool is_about_result(const Rule& rule) {
  const auto site = rule.events.find(rule.site);
  return site != rule.events.end() && site->second.result != EventPattern::Result::Any;
}

/// Of several rules about the result of one call, the most severe one is enough.
void drop_repeated(std::vector<Warning>& warnings) {
  const auto place = [](const Warning& warning) {
    return std::tie(warning.file, warning.line, warning.column, warning.subject);
  };
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>, const Rule*> first;
  for (const Warning& warning : warnings) {
    if (!is_about_result(*warning.rule)) {
      continue;
    }
    const Rule*& rule = first[place(warning)];
    if (rule == nullptr || warning.rule->severity < rule->severity) {
      rule = warning.rule;
    }
  }
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(),
                                [&](const Warning& warning) {
                                  return is_about_result(*warning.rule) && warning.line > 0 &&
                                         first[place(warning)] != warning.rule;
                                }),
                 warnings.end());
}

/// That a variable is never read is told once, not again for each value that it is given.
void drop_stores_of_unused(std::vector<Warning>& warnings) {
  const auto speaks_of = [](const Warning& warning, program::FactKind fact) {
    const auto site = warning.rule->events.find(warning.rule->site);
    return warning.rule->scope == Rule::Scope::Variable && site != warning.rule->events.end() &&
           site->second.names(fact);
  };
  std::set<program::VariableId> unused;
  for (const Warning& warning : warnings) {
    if (speaks_of(warning, program::FactKind::Scope)) {
      unused.insert(warning.variable);
    }
  }
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(),
                                [&](const Warning& warning) {
                                  return speaks_of(warning, program::FactKind::Def) &&
                                         unused.count(warning.variable) != 0;
                                }),
                 warnings.end());
}

/// What goes wrong in a function goes wrong for those that call it: the shortest path tells it.
void tell_once(std::vector<Warning>& warnings) {
  std::map<std::pair<const Rule*, std::string>, const Warning*> shortest;
  for (const Warning& warning : warnings) {
    const auto [found, fresh] = shortest.try_emplace({warning.rule, warning.fault}, &warning);
    if (!fresh && warning.path.size() < found->second->path.size()) {
      found->second = &warning;
    }
  }
  std::set<const Warning*> told;
  for (const auto& [key, warning] : shortest) {
    told.insert(warning);
  }
  std::vector<Warning> kept;
  for (Warning& warning : warnings) {
    if (warning.fault.empty() || told.count(&warning) != 0) {
      kept.push_back(std::move(warning));
    }
  }
  warnings = std::move(kept);
}

/// In the order in which one run finds them.
template <class Found, class Number>
void sort_by_unit(std::vector<Found>& found, Number rule_of) {
  std::stable_sort(found.begin(), found.end(), [&](const Found& a, const Found& b) {
    return std::pair(rule_of(a), a.unit) < std::pair(rule_of(b), b.unit);
  });
}

std::vector<std::string> notes_of(const Findings& findings, const std::vector<const Rule*>& rules) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < findings.left_out.size(); ++i) {
    const Findings::LeftOut& left_out = findings.left_out[i];
    const std::string& id = rules[i]->id;
    if (left_out.of_pairs > 0) {
      notes.push_back(
          fmt::format("{}: {} are too many to look at any two of them", id, left_out.of_pairs));
    }
    if (left_out.too_large > 0) {
      notes.push_back(
          fmt::format("{}: {} values were given up, for there are too many ways that they can take",
                      id, left_out.too_large));
    }
    if (left_out.paths > 0) {
      notes.push_back(fmt::format(
          "{}: {} warnings are shown without their paths, which would take too long to find", id,
          left_out.paths));
    }
  }
  return notes;
}

}  // namespace

void add(Findings& findings, Findings part) {
  std::ranges::move(part.warnings, std::back_inserter(findings.warnings));
  std::ranges::move(part.unknown, std::back_inserter(findings.unknown));
  std::ranges::move(part.costs, std::back_inserter(findings.costs));
  findings.left_out.resize(std::max(findings.left_out.size(), part.left_out.size()));
  for (std::size_t i = 0; i < part.left_out.size(); ++i) {
    findings.left_out[i].too_large += part.left_out[i].too_large;
    findings.left_out[i].paths += part.left_out[i].paths;
    findings.left_out[i].of_pairs += part.left_out[i].of_pairs;
  }
}

LintResult conclusion(Findings findings, const std::vector<const Rule*>& rules) {
  assert(findings.left_out.size() <= rules.size());
  LintResult result;
  result.notes = notes_of(findings, rules);
  sort_by_unit(findings.unknown, [](const Findings::Unknown& unknown) { return unknown.rule; });
  for (Findings::Unknown& unknown : findings.unknown) {
    if (std::find(result.unknown.begin(), result.unknown.end(), unknown.text) ==
        result.unknown.end()) {
      result.unknown.push_back(std::move(unknown.text));
    }
  }
  std::map<const Rule*, std::size_t> numbers;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    numbers.emplace(rules[i], i);
  }
  result.warnings = std::move(findings.warnings);
  sort_by_unit(result.warnings, [&](const Warning& warning) { return numbers.at(warning.rule); });
  std::stable_sort(
      result.warnings.begin(), result.warnings.end(), [](const Warning& a, const Warning& b) {
        const std::size_t length = a.path.size();
        const std::size_t other = b.path.size();
        return std::tie(a.file, a.line, a.column, a.rule->id, a.subject, length, a.message) <
               std::tie(b.file, b.line, b.column, b.rule->id, b.subject, other, b.message);
      });
  // The same fault can be found from several roots, and in several copies of a function, of a
  // header or a template: the shortest path tells it.
  const auto same = [](const Warning& a, const Warning& b) {
    return a.rule == b.rule &&
           std::tie(a.file, a.line, a.column, a.subject) ==
               std::tie(b.file, b.line, b.column, b.subject) &&
           (!a.subject.empty() || a.function == b.function);
  };
  result.warnings.erase(std::unique(result.warnings.begin(), result.warnings.end(), same),
                        result.warnings.end());
  drop_stores_of_unused(result.warnings);
  tell_once(result.warnings);
  drop_repeated(result.warnings);
  return result;
}

}  // namespace nestor::lint
