#pragma once

#include "lint/event_matcher.h"
#include "program/slice.h"

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace nestor::lint {

/// A place that a formula of its own is about.
struct Site {
  program::ComponentKey component;
  std::uint32_t point = 0;
  program::VariableId variable;  ///< of scope variable and handle
  /// Where it happens if that is in another function, and the warning stands where that is called.
  program::FunctionId within = {};
  std::uint32_t within_point = 0;
  program::VariableId other = {};  ///< of scope pair
};

/// Which of entry, exit and halt the rule's formula names.
struct NamedPoints {
  bool entry = false;
  bool exit = false;
  bool halt = false;
};

/// What labels have to know of a rule.
struct RuleView {
  const program::Program& program;
  const EventMatcher& matcher;
  NamedPoints named;
  program::Reduction reduction = program::Reduction::Events;
  bool only_sure = false;  ///< looks_only_at_sure(), which tells why
};

/// Labels of a rule whose events are calls, whoever makes them.
class ProgramLabels : public program::SliceLabels {
 public:
  ProgramLabels(const RuleView& rule, const std::vector<program::ComponentKey>& roots)
      : rule_(rule), roots_(roots) {}

  void of(const program::ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override;
  /// What is called later, or starts a thread, is a root of its own.
  bool enters(const program::ComponentKey&, const program::Point& call, program::FunctionId,
              program::ComponentKey&) const override {
    return !call.is_later;
  }
  program::Reduction reduction() const override { return rule_.reduction; }
  /// Site k carries `site_k` besides `site`.
  const std::vector<Site>& sites() const { return sites_; }

 private:
  RuleView rule_;
  const std::vector<program::ComponentKey>& roots_;
  mutable std::vector<Site> sites_;  // found while the model is made
};

/// Labels for all locals of one function at once: event e of local i is `e_i`.
class VariableLabels : public program::SliceLabels {
 public:
  VariableLabels(const RuleView& rule, program::FunctionId function);

  void of(const program::ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override;
  bool enters(const program::ComponentKey&, const program::Point&, program::FunctionId,
              program::ComponentKey&) const override {
    return false;
  }
  program::Reduction reduction() const override { return rule_.reduction; }
  const std::vector<program::VariableId>& variables() const { return variables_; }
  /// Site k, of local i, carries `site_i_k` besides `site_i`.
  const std::vector<Site>& sites() const { return sites_; }

 private:
  RuleView rule_;
  std::vector<program::VariableId> variables_;
  std::unordered_map<std::uint32_t, std::uint32_t> index_;  // by variable
  mutable std::vector<Site> sites_;
};

/// Labels that follow one handle: a local through the parameters that it is passed to, a global or
/// a field by its name.
class HandleLabels : public program::SliceLabels {
 public:
  /// `reaching` says which functions can come to an event of a global or field; `skipped` which
  /// ones are not looked into.
  HandleLabels(const RuleView& rule, program::ComponentKey root,
               const std::vector<std::uint8_t>* reaching,
               const std::set<program::ComponentKey>& skipped)
      : rule_(rule), root_(root), reaching_(reaching), skipped_(skipped) {}

  void of(const program::ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override;
  bool enters(const program::ComponentKey& component, const program::Point& call,
              program::FunctionId target, program::ComponentKey& callee) const override;
  program::Reduction reduction() const override { return rule_.reduction; }
  const std::vector<Site>& sites() const { return sites_; }

 private:
  bool is_binding(const EventMatcher::Event& event, const program::Function& function,
                  const program::Point& point, program::VariableId handle) const;
  bool passes_out_of_sight(const program::Point& call, program::VariableId handle) const;

  RuleView rule_;
  program::ComponentKey root_;
  const std::vector<std::uint8_t>* reaching_;
  const std::set<program::ComponentKey>& skipped_;
  mutable std::vector<Site> sites_;
};

}  // namespace nestor::lint
