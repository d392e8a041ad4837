#include "base/disjoint_sets.h"
#include "lint/object_rule.h"

// Which origins have to be looked at together, and which several runs can share out.

namespace nestor::lint {

using program::Action;

bool ObjectOrigins::can_outlive(const program::HandleOrigin& origin) const {
  const Action* maker = program_.functions[origin.function].action_of(origin.point);
  return matcher_.site()->pattern.is_result ||
         (maker != nullptr && maker->kind == Action::Kind::Call);
}

std::vector<program::FunctionId> ObjectOrigins::takers_of(program::FunctionId function) const {
  std::vector<program::FunctionId> takers;
  for (const program::ProgramIndex::Caller& caller : index_.callers_of(function)) {
    const program::Point& call = program_.functions[caller.function].points[caller.point];
    if (!call.repeats && !call.is_alternative) {  // as outlives() has it
      takers.push_back(caller.function);
    }
  }
  return takers;
}

/// What an origin comes to depends on makers_ of the functions that its call leads to, and it adds
/// to makers_ of those that call its function. So origins whose ways up meet in a function are one
/// group, if that function can hand on what it has been handed: others look up where it comes from.
/// Where nobody does, as in main, ways may cross.
std::vector<std::size_t> ObjectOrigins::groups() const {
  const std::size_t count = program_.functions.size();
  std::map<program::FunctionId, std::map<program::FunctionId, int>>
      levels;  // by start, of those above
  std::vector<bool> hands_on(count);
  for (const program::HandleOrigin& origin : work_) {
    if (!can_outlive(origin) || levels.count(origin.function) != 0) {
      continue;
    }
    std::map<program::FunctionId, int>& reached = levels[origin.function];
    reached.emplace(origin.function, 0);
    std::vector<program::FunctionId> level = {origin.function};
    for (int i = 0; i < most_levels() && !level.empty(); ++i) {
      std::vector<program::FunctionId> above;
      for (const program::FunctionId f : level) {
        for (const program::FunctionId taker : takers_of(f)) {
          hands_on[f.value()] = true;
          if (reached.emplace(taker, i + 1).second) {
            above.push_back(taker);
          }
        }
      }
      level = std::move(above);
    }
  }
  base::DisjointSets sets(2 * count);  // functions, and again for what cannot leave them
  for (const auto& [start, reached] : levels) {
    for (const auto& [function, level] : reached) {
      if (hands_on[function.value()]) {
        sets.unite(start.value(), function.value());
      }
    }
  }
  std::vector<std::size_t> groups;
  std::map<std::size_t, std::size_t> numbers;
  for (auto origin = work_.rbegin(); origin != work_.rend(); ++origin) {
    const std::size_t f = origin->function.value();
    if (can_outlive(*origin)) {
      for (const program::FunctionId target :
           program_.functions[origin->function].points[origin->point].targets) {
        sets.unite(f, target.value());
      }
    }
  }
  for (auto origin = work_.rbegin(); origin != work_.rend(); ++origin) {
    const std::size_t f = origin->function.value();
    const std::size_t root = sets.root_of(can_outlive(*origin) ? f : count + f);
    groups.push_back(numbers.emplace(root, numbers.size()).first->second);
  }
  return groups;
}

}  // namespace nestor::lint
