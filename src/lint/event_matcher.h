#pragma once

#include "lint/rule.h"
#include "program/externals.h"
#include "program/slice.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nestor::lint {

/// The events of a rule, looked up fast: names of functions become ids of the program's strings.
class EventMatcher {
 public:
  EventMatcher(const program::Program& program, const program::Externals& externals,
               const Rule& rule);

  struct Event {
    std::string name;
    EventPattern pattern;
    std::vector<base::StringId> calls;            ///< sorted; aliases included
    std::map<base::StringId, unsigned> released;  ///< calls, and the argument that they end
    std::set<std::string> families;               ///< that these end
    std::vector<base::StringId> failed;           ///< labels, any of them
    base::StringId result;  ///< the label that the point must carry; not valid if any will do
    bool unchecked = false;
    bool is_other = false;                  ///< releases by functions that are for something else
    std::vector<base::StringId> constants;  ///< labels that the point must carry
    bool impossible = false;                ///< the program never does this

    /// Of a thing of the same family, and nothing else is said of it.
    bool is_release() const {
      return !pattern.released.empty() && !is_other && pattern.calls.empty() &&
             pattern.made.empty() && pattern.facts.empty() && pattern.failed.empty() &&
             pattern.known == EventPattern::Known::Nothing && pattern.cpp == CppUse::None;
    }
    bool names_calls() const {
      return !pattern.calls.empty() || !pattern.made.empty() || !pattern.released.empty() ||
             pattern.known != EventPattern::Known::Nothing || pattern.cpp != CppUse::None;
    }
  };

  const std::vector<Event>& events() const { return events_; }
  const Event* site() const { return site_; }
  /// The argument that the event is about at this call.
  static std::optional<unsigned> argument_of(const Event& event, const program::Point& point);
  /// The call, its result and constants fit; nothing is said of a handle.
  bool fits_call(const Event& event, const program::Point& point) const;
  /// The event happens at the point to this handle.
  bool fits(const Event& event, const program::Point& point, program::VariableId handle) const;
  /// The variables that the event is about at this point.
  void handles_of(const Event& event, const program::Point& point,
                  std::vector<program::VariableId>& handles) const;

 private:
  static bool has_label(const program::Point& point, base::StringId label);

  std::vector<Event> events_;
  const Event* site_ = nullptr;
};

}  // namespace nestor::lint
