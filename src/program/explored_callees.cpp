#include "program/explored_callees.h"

#include <algorithm>

namespace nestor::program {

namespace {

using Callee = ExploredCallees::Callee;
using Component = Exploration::Component;
using Phase = SymbolicState::Phase;

constexpr std::size_t kMostKept = 100'000;  // nodes, and what takes as much memory
constexpr std::size_t kMostVariants = 4;    // of one function, by what was known of others

std::size_t count_of(const Tracking& tracking, FunctionId maker) {
  const auto found = tracking.makers->find(maker);
  return found == tracking.makers->end() ? 0 : found->second.size();
}

/// The functions that the exploration of a function asks for where they make the handle.
std::vector<std::pair<FunctionId, std::size_t>> makers_below(FunctionId function,
                                                             const Program& program,
                                                             const Tracking& tracking) {
  std::vector<std::pair<FunctionId, std::size_t>> makers;
  std::set<FunctionId> seen = {function};
  std::vector<FunctionId> work = {function};
  while (!work.empty()) {
    const FunctionId maker = work.back();
    work.pop_back();
    makers.emplace_back(maker, count_of(tracking, maker));
    const auto found = tracking.makers->find(maker);
    if (found == tracking.makers->end()) {
      continue;
    }
    for (const std::uint32_t point : found->second) {
      for (const FunctionId target : program.functions[maker].points[point].targets) {
        if (seen.insert(target).second) {
          work.push_back(target);
        }
      }
    }
  }
  return makers;
}

/// Appends the callee and what it calls. False: now something else would be found.
bool collect(const Callee& from, const std::set<FunctionId>& releasing,
             const ExploredCallees::Present& present, std::vector<const Callee*>& all) {
  std::set<const Callee*> seen;
  std::vector<const Callee*> work = {&from};
  while (!work.empty()) {
    const Callee* callee = work.back();
    work.pop_back();
    if (!seen.insert(callee).second) {
      continue;
    }
    if (const std::optional<const Callee*> known = present(*callee)) {
      if (*known != callee) {
        return false;
      }
      continue;
    }
    for (const Exploration::Box& box : callee->component->boxes) {
      if (box.is_releasing != (releasing.count(box.target) != 0)) {
        return false;
      }
    }
    all.push_back(callee);
    work.insert(work.end(), callee->callees.rbegin(), callee->callees.rend());
  }
  return true;
}

}  // namespace

ExploredCallees::Key ExploredCallees::key_of(const Entry& entry) {
  return {hash_of(entry.state), entry.relevance.id() * 8 + (entry.is_merging ? 4 : 0) +
                                    (entry.tracking.is_shallow ? 2 : 0) +
                                    (entry.tracking.makers != nullptr ? 1 : 0)};
}

void ExploredCallees::forget() {
  callees_.clear();
  all_.clear();
  nodes_ = 0;
}

std::vector<const Callee*> ExploredCallees::find(const Entry& entry,
                                                 const std::set<FunctionId>& releasing,
                                                 const Present& present) const {
  const auto found = callees_.find(key_of(entry));
  if (found == callees_.end()) {
    return {};
  }
  for (const Callee* callee : found->second) {
    const bool is_as_then =
        callee->entry == entry.state &&
        std::all_of(callee->makers.begin(), callee->makers.end(), [&](const auto& maker) {
          return count_of(entry.tracking, maker.first) == maker.second;
        });
    std::vector<const Callee*> all;
    if (is_as_then && collect(*callee, releasing, present, all)) {
      return all;
    }
  }
  return {};
}

bool ExploredCallees::is_too_large(const Entry& entry, std::size_t most) const {
  const auto found = too_large_.find(key_of(entry));
  return found != too_large_.end() &&
         std::any_of(found->second.begin(), found->second.end(), [&](const Large& large) {
           return large.most == most && large.entry == entry.state;
         });
}

void ExploredCallees::add(const Exploration& exploration, const StateTable& states,
                          const std::vector<const Callee*>& known, std::vector<std::uint8_t> open,
                          const Program& program, const Tracking& tracking, bool is_merging) {
  if (nodes_ > kMostKept) {
    forget();
    return;  // what the exploration has taken from here is gone
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t c = 0; c < open.size(); ++c) {
      const std::vector<std::uint32_t>& callees = exploration.callees[c];
      if (open[c] == 0 && known[c] == nullptr &&
          std::any_of(callees.begin(), callees.end(),
                      [&](std::uint32_t callee) { return open[callee] != 0; })) {
        open[c] = 1;
        changed = true;
      }
    }
  }
  std::vector<const Callee*> made = known;
  std::vector<Callee*> fresh(open.size(), nullptr);
  for (std::size_t c = 1; c < open.size(); ++c) {
    if (known[c] == nullptr && open[c] == 0) {
      all_.emplace_back();
      made[c] = fresh[c] = &all_.back();
    }
  }
  for (std::size_t c = 1; c < open.size(); ++c) {
    if (fresh[c] == nullptr) {
      continue;
    }
    Callee& callee = *fresh[c];
    callee.component = exploration.components[c];
    Component& component = *callee.component;
    if (is_merging) {
      find_reached(component);
    }
    component.index.clear();
    component.callers.clear();
    component.passed = {};
    nodes_ += component.nodes.size() + 4 * (component.boxes.size() + component.exits.size());
    callee.looks_inside = component.relevance->looks_inside();
    callee.entry = states[component.entry];
    for (const std::uint32_t exit : component.exits) {
      callee.exits.push_back(states[component.nodes[exit].state]);
    }
    for (const std::uint32_t inner : exploration.callees[c]) {
      callee.callees.push_back(made[inner]);
    }
    if (tracking.makers != nullptr && callee.entry.phase == Phase::Waiting) {
      callee.makers = makers_below(component.function, program, tracking);
    }
    std::vector<const Callee*>& variants =
        callees_[key_of({*component.relevance, callee.entry, tracking, is_merging})];
    if (variants.size() < kMostVariants) {
      variants.push_back(&callee);
    }
    component.relevance = nullptr;  // it may be gone when the component is met again
  }
}

void ExploredCallees::add_too_large(const Exploration& exploration, const StateTable& states,
                                    const std::vector<const Callee*>& known,
                                    const Tracking& tracking, std::size_t most) {
  for (std::uint32_t c = 1; c < exploration.components.size(); ++c) {
    if (known[c] != nullptr) {
      continue;
    }
    const Component& component = *exploration.components[c];
    std::size_t counted = 0;
    std::vector<std::uint8_t> seen(exploration.components.size(), 0);
    seen[c] = 1;
    for (std::vector<std::uint32_t> work = {c}; !work.empty() && counted <= most;) {
      const std::uint32_t next = work.back();
      work.pop_back();
      counted += exploration.components[next]->counted;
      for (const std::uint32_t inner : exploration.callees[next]) {
        if (seen[inner] == 0) {
          seen[inner] = 1;
          work.push_back(inner);
        }
      }
    }
    if (counted > most) {
      const SymbolicState& entry = states[component.entry];
      too_large_[key_of({*component.relevance, entry, tracking, false})].push_back({entry, most});
    }
  }
}

}  // namespace nestor::program
