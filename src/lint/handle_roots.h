#pragma once

#include "lint/event_matcher.h"
#include "program/slice.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace nestor::lint {

/// Where a rule about handles is checked.
struct HandleRoots {
  /// Functions with a variable that the site makes or takes, there or in a function that the
  /// variable is passed to.
  std::set<program::ComponentKey> roots;
  /// Functions, with the parameter that holds the handle, that are not looked into.
  std::set<program::ComponentKey> skipped;
  /// For globals and fields: which functions can come to an event.
  std::map<program::VariableId, std::vector<std::uint8_t>> reaching;
};

/// The rule asks what is done to a handle as an argument. A function that does so on some paths
/// only mostly tells its caller which; values are not followed, so such a function is not looked
/// into.
bool looks_only_at_sure(const Rule& rule, const EventMatcher& matcher);

/// `is_sure` says whether every path through a function comes to the site of its parameter, when
/// those of the set are not looked into.
HandleRoots find_handle_roots(
    const program::Program& program, const EventMatcher& matcher, const Rule& rule,
    const std::function<bool(const program::ComponentKey&, const std::set<program::ComponentKey>&)>&
        is_sure);

}  // namespace nestor::lint
