#pragma once

#include "lint/event_matcher.h"
#include "program/slice.h"

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace nestor {

/// A place that a formula of its own is about.
struct Site {
  ComponentKey component;
  std::uint32_t point = 0;
  VariableId variable;  ///< of scope variable and handle
};

/// Which of entry, exit and halt the rule's formula names.
struct NamedPoints {
  bool entry = false;
  bool exit = false;
  bool halt = false;
};

/// What labels have to know of a rule.
struct RuleView {
  const Program& program;
  const EventMatcher& matcher;
  NamedPoints named;
  Reduction reduction = Reduction::Events;
  bool only_sure = false;  ///< looks_only_at_sure(), which tells why
};

/// Labels of a rule whose events are calls, whoever makes them.
class ProgramLabels : public SliceLabels {
 public:
  ProgramLabels(const RuleView& rule, const std::vector<ComponentKey>& roots)
      : rule_(rule), roots_(roots) {}

  void of(const ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override;
  bool enters(const ComponentKey&, const Point&, FunctionId, ComponentKey&) const override {
    return true;
  }
  Reduction reduction() const override { return rule_.reduction; }
  /// Site k carries `site_k` besides `site`.
  const std::vector<Site>& sites() const { return sites_; }

 private:
  RuleView rule_;
  const std::vector<ComponentKey>& roots_;
  mutable std::vector<Site> sites_;  // found while the model is made
};

/// Labels for all locals of one function at once: event e of local i is `e_i`.
class VariableLabels : public SliceLabels {
 public:
  VariableLabels(const RuleView& rule, FunctionId function);

  void of(const ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override;
  bool enters(const ComponentKey&, const Point&, FunctionId, ComponentKey&) const override {
    return false;
  }
  Reduction reduction() const override { return rule_.reduction; }
  const std::vector<VariableId>& variables() const { return variables_; }
  /// Site k, of local i, carries `site_i_k` besides `site_i`.
  const std::vector<Site>& sites() const { return sites_; }

 private:
  RuleView rule_;
  std::vector<VariableId> variables_;
  std::unordered_map<std::uint32_t, std::uint32_t> index_;  // by variable
  mutable std::vector<Site> sites_;
};

/// Labels that follow one handle: a local through the parameters that it is passed to, a global or
/// a field by its name.
class HandleLabels : public SliceLabels {
 public:
  /// `reaching` says which functions can come to an event of a global or field; `skipped` which
  /// ones are not looked into.
  HandleLabels(const RuleView& rule, ComponentKey root, const std::vector<std::uint8_t>* reaching,
               const std::set<ComponentKey>& skipped)
      : rule_(rule), root_(root), reaching_(reaching), skipped_(skipped) {}

  void of(const ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override;
  bool enters(const ComponentKey& component, const Point& call, FunctionId target,
              ComponentKey& callee) const override;
  Reduction reduction() const override { return rule_.reduction; }
  const std::vector<Site>& sites() const { return sites_; }

 private:
  bool is_binding(const EventMatcher::Event& event, const Function& function, const Point& point,
                  VariableId handle) const;
  bool passes_out_of_sight(const Point& call, VariableId handle) const;

  RuleView rule_;
  ComponentKey root_;
  const std::vector<std::uint8_t>* reaching_;
  const std::set<ComponentKey>& skipped_;
  mutable std::vector<Site> sites_;
};

}  // namespace nestor
