#include "lint/function_story.h"

#include "program/relevance.h"

#include <algorithm>
#include <utility>

namespace nestor::lint {

namespace {

using program::Action;
using program::PointKind;

}  // namespace

FunctionStory::FunctionStory(const program::Program& program, const program::Function& function)
    : function_(function), text_(program, function), before_(function.points.size()) {
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    for (const std::uint32_t next : function.points[p].next) {
      before_[next].push_back(p);
    }
  }
  find_returns();
}

bool FunctionStory::matters(std::uint32_t branch, const std::set<std::uint32_t>& among,
                            Ends ends) const {
  const bool counts_ends = ends != Ends::None;
  const std::set<std::uint32_t> here = next_shown(branch, among, counts_ends);
  for (const std::uint32_t head : before_[branch]) {
    for (const std::uint32_t other : function_.points[head].next) {
      if (other == branch) {
        continue;
      }
      const std::set<std::uint32_t> there = next_shown(other, among, counts_ends);
      if (there != here && (!there.empty() || ends == Ends::ExitsAndHalt)) {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::uint32_t> FunctionStory::between(std::uint32_t from, std::uint32_t to) const {
  const std::vector<std::uint32_t>& direct = function_.points[from].next;
  if (std::find(direct.begin(), direct.end(), to) != direct.end()) {
    return {to};
  }
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> came(function_.points.size(), kNone);
  std::vector<std::uint32_t> work = {from};
  for (std::size_t i = 0; i < work.size() && came[to] == kNone && from != to; ++i) {
    for (const std::uint32_t next : function_.points[work[i]].next) {
      if (came[next] == kNone && next != from) {
        came[next] = work[i];
        work.push_back(next);
      }
    }
  }
  std::vector<std::uint32_t> way = {to};
  while (came[way.back()] != kNone && came[way.back()] != from) {
    way.push_back(came[way.back()]);
  }
  std::reverse(way.begin(), way.end());
  return way;
}

std::set<std::uint32_t> FunctionStory::next_shown(std::uint32_t from,
                                                  const std::set<std::uint32_t>& among,
                                                  bool counts_ends) const {
  std::set<std::uint32_t> shown;
  std::vector<std::uint32_t> work = {from};
  std::vector<std::uint8_t> seen(function_.points.size(), 0);
  while (!work.empty()) {
    const std::uint32_t p = work.back();
    work.pop_back();
    if (seen[p] != 0) {
      continue;
    }
    seen[p] = 1;
    const PointKind kind = function_.points[p].kind;
    const bool is_end = kind == PointKind::Return || kind == PointKind::Unwind ||
                        kind == PointKind::Longjmp || is_return(p);
    if (among.count(p) != 0 || (counts_ends && is_end)) {
      shown.insert(p);
      continue;
    }
    if (kind != PointKind::Halt) {
      const std::vector<std::uint32_t>& next = function_.points[p].next;
      work.insert(work.end(), next.begin(), next.end());
    }
  }
  return shown;
}

/// Several returns of a function write to one place that no variable of the source is, which is
/// read where the function is left.
void FunctionStory::find_returns() {
  std::set<std::uint32_t> results;
  for (std::uint32_t p : before_[program::Function::kReturn]) {
    returns_.insert(p);
    const Action* action = function_.action_of(p);
    if (action == nullptr || action->kind != Action::Kind::Return) {
      continue;
    }
    for (std::uint32_t q = 0; q < function_.points.size(); ++q) {
      const Action* binder = function_.action_of(q);
      if (binder != nullptr && binder->kind == Action::Kind::Read &&
          binder->result == action->value) {
        results.insert(program::location_of(function_.points[q]).value());
      }
    }
  }
  std::set<std::uint32_t> writes;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Action* action = function_.action_of(p);
    if (action != nullptr && action->kind == Action::Kind::Write) {
      const program::VariableId location = program::location_of(function_.points[p]);
      if (location.valid() && results.count(location.value()) != 0 && text_.is_hidden(location)) {
        writes.insert(p);
      }
    }
  }
  if (!writes.empty()) {
    returns_ = std::move(writes);
  }
}

}  // namespace nestor::lint
