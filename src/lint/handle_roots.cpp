#include "lint/handle_roots.h"

#include "program/call_graph.h"

#include <algorithm>

namespace nestor::lint {

namespace {

bool is_addressed(const program::Point& point, program::VariableId variable) {
  return std::any_of(point.facts.begin(), point.facts.end(), [&](const program::Fact& fact) {
    return fact.kind == program::FactKind::Address && fact.variable == variable;
  });
}

/// A variable that is a handle by itself: all its accesses are by name.
bool is_plain(const program::Variable& variable) {
  return variable.kind == program::VariableKind::Local && variable.exact && !variable.is_artificial;
}

using Passing = std::map<program::ComponentKey, std::vector<program::ComponentKey>>;

class HandleSearch {
 public:
  HandleSearch(const program::Program& program, const EventMatcher& matcher, const Rule& rule)
      : program_(program), matcher_(matcher), rule_(rule) {}

  HandleRoots run(const std::function<bool(const program::ComponentKey&,
                                           const std::set<program::ComponentKey>&)>& is_sure) {
    find_sites();
    find_passing();
    if (looks_only_at_sure(rule_, matcher_)) {
      skip_all();
    }
    go_back_over_calls(is_sure);
    const program::Callers callers =
        shared_.empty() ? program::Callers() : program::callers_in(program_);
    for (const auto& [handle, functions] : shared_) {
      found_.reaching[handle] = program::functions_reaching(callers, functions);
    }
    return std::move(found_);
  }

 private:
  void find_sites() {
    std::vector<program::VariableId> handles;
    for (const program::FunctionId f : program_.functions.ids()) {
      for (const program::Point& point : program_.functions[f].points) {
        handles.clear();
        matcher_.handles_of(*matcher_.site(), point, handles);
        for (const program::VariableId handle : handles) {
          add_site(f, point, handle);
        }
      }
    }
  }

  void add_site(program::FunctionId f, const program::Point& point, program::VariableId handle) {
    const program::Variable& variable = program_.variables[handle];
    // A local that is no plain variable is a handle only as a whole: its fields are many.
    const bool is_whole = variable.kind == program::VariableKind::Local && !variable.exact &&
                          is_addressed(point, handle);
    if (!is_plain(variable) && !is_whole &&
        (!rule_.follows_names || variable.kind == program::VariableKind::Memory)) {
      return;
    }
    if (found_.roots.insert({f, handle}).second && variable.kind == program::VariableKind::Local) {
      work_.push_back({f, handle});
    }
    if (variable.kind != program::VariableKind::Local) {
      shared_[handle];
    }
  }

  /// Which variables are passed to which parameters, and which functions do something to the
  /// globals and fields that are handles.
  void find_passing() {
    const bool only_sure = looks_only_at_sure(rule_, matcher_);
    for (const program::FunctionId f : program_.functions.ids()) {
      for (const program::Point& point : program_.functions[f].points) {
        for (const program::Fact& fact : point.facts) {
          if (const auto known = shared_.find(fact.variable);
              known != shared_.end() && (known->second.empty() || known->second.back() != f)) {
            known->second.push_back(f);
          }
          if (fact.kind == program::FactKind::Argument && !(only_sure && point.is_alternative)) {
            add_passing(f, point, fact);
          }
        }
      }
    }
  }

  void add_passing(program::FunctionId f, const program::Point& point, const program::Fact& fact) {
    for (const program::FunctionId target : point.targets) {
      const std::vector<program::VariableId>& parameters = program_.functions[target].parameters;
      if (fact.index < parameters.size() && parameters[fact.index].valid()) {
        passed_from_[{target, parameters[fact.index]}].push_back({f, fact.variable});
      }
    }
  }

  /// At first no function that can come to a site is sure to.
  void skip_all() {
    found_.skipped.insert(work_.begin(), work_.end());
    std::vector<program::ComponentKey> back = work_;
    while (!back.empty()) {
      const program::ComponentKey callee = back.back();
      back.pop_back();
      for (const program::ComponentKey& caller : passed_from_[callee]) {
        if (found_.skipped.insert(caller).second) {
          back.push_back(caller);
        }
      }
    }
  }

  void go_back_over_calls(
      const std::function<bool(const program::ComponentKey&,
                               const std::set<program::ComponentKey>&)>& is_sure) {
    while (!work_.empty()) {
      const program::ComponentKey callee = work_.back();
      work_.pop_back();
      if (found_.skipped.count(callee) != 0) {
        if (!is_sure(callee, found_.skipped)) {
          continue;
        }
        found_.skipped.erase(callee);
      }
      for (const program::ComponentKey& caller : passed_from_[callee]) {
        if (is_plain(program_.variables[caller.handle]) &&
            (found_.roots.insert(caller).second || found_.skipped.count(caller) != 0)) {
          work_.push_back(caller);  // again, if it is not sure yet: now it may be
        }
      }
    }
  }

  const program::Program& program_;
  const EventMatcher& matcher_;
  const Rule& rule_;
  HandleRoots found_;
  std::vector<program::ComponentKey> work_;  // roots with locals, to go back from
  std::map<program::VariableId, std::vector<program::FunctionId>>
      shared_;  // functions with a fact of the handle
  Passing passed_from_;
};

}  // namespace

bool looks_only_at_sure(const Rule& rule, const EventMatcher& matcher) {
  return !rule.follows_names && matcher.site()->pattern.argument.has_value();
}

HandleRoots find_handle_roots(
    const program::Program& program, const EventMatcher& matcher, const Rule& rule,
    const std::function<bool(const program::ComponentKey&, const std::set<program::ComponentKey>&)>&
        is_sure) {
  return HandleSearch(program, matcher, rule).run(is_sure);
}

}  // namespace nestor::lint
