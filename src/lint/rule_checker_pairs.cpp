#include "lint/rule_checker.h"

#include <fmt/format.h>

#include <algorithm>

// Rules about two things at a time, whichever two: that one is done to the first while another is
// done to the second.

namespace nestor::lint {

namespace {

constexpr std::size_t kMostOfPairs = 40;  // things of which any two are a pair
constexpr std::string_view kFirst = "first_";
constexpr std::string_view kSecond = "second_";

/// Labels of all globals and fields at once: event e of the one with number i is `e_i`, and where
/// it is the site, `site_i_k` tells which.
class PairLabels : public program::SliceLabels {
 public:
  PairLabels(const RuleView& rule, const std::vector<program::VariableId>& variables)
      : rule_(rule), variables_(variables) {}

  void of(const program::ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override {
    const program::Point& point = rule_.program.functions[component.function].points[p];
    for (std::size_t i = 0; i < variables_.size() && !point.facts.empty(); ++i) {
      for (const EventMatcher::Event& event : rule_.matcher.events()) {
        if (!rule_.matcher.fits(event, point, variables_[i])) {
          continue;
        }
        labels.push_back(fmt::format("{}_{}", event.name, i));
        if (&event == rule_.matcher.site()) {
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
  RuleView rule_;
  const std::vector<program::VariableId>& variables_;
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
  std::erase_if(variables, [&](program::VariableId variable) {
    const program::VariableKind kind = task_.program.variables[variable].kind;
    return kind != program::VariableKind::Global && kind != program::VariableKind::Field;
  });
  return variables;
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
  const PairLabels labels(rule_view(), variables);
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
            return program::slice(task_.program, roots, PairLabels(whole_view(), variables));
          });
    }
  }
}

}  // namespace nestor::lint
