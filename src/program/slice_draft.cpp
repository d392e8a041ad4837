#include "program/slice_draft.h"

#include <algorithm>

namespace nestor::program {

SliceDrafts::SliceDrafts(const Program& program, const std::vector<ComponentKey>& roots,
                         const SliceLabels& labels)
    : program_(program), labels_(labels) {
  for (const ComponentKey& root : roots) {
    roots_.push_back(draft_of(root));
  }
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    discover(i);
  }
  find_kept();
}

std::uint32_t SliceDrafts::draft_of(const ComponentKey& key) {
  const auto [found, fresh] = index_.try_emplace(key, static_cast<std::uint32_t>(drafts_.size()));
  if (fresh) {
    drafts_.emplace_back();
    drafts_.back().key = key;
  }
  return found->second;
}

void SliceDrafts::discover(std::size_t index) {
  const ComponentKey key = drafts_[index].key;
  const Function& function = program_.functions[key.function];
  std::vector<std::string> labels;
  for (std::uint32_t p = 0; p < function.points.size(); ++p) {
    labels.clear();
    labels_.of(key, p, labels);
    if (!labels.empty()) {
      drafts_[index].labels.emplace_back(p, labels);
      drafts_[index].labelled = true;
    }
    for (const FunctionId target : function.points[p].targets) {
      ComponentKey callee{target, {}};
      if (labels_.enters(key, function.points[p], target, callee)) {
        const std::uint32_t to = draft_of(callee);
        drafts_[index].calls.push_back({p, target, to});
      }
    }
  }
}

/// Backwards over calls from where something is labelled.
void SliceDrafts::find_kept() {
  std::vector<std::vector<std::uint32_t>> callers(drafts_.size());
  std::vector<std::uint32_t> work;
  for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
    for (const CallEdge& call : drafts_[i].calls) {
      callers[call.callee].push_back(i);
    }
    if (drafts_[i].labelled || labels_.keeps_all() || labels_.reduction() == Reduction::Nothing) {
      drafts_[i].kept = true;
      work.push_back(i);
    }
  }
  while (!work.empty()) {
    const std::uint32_t callee = work.back();
    work.pop_back();
    for (const std::uint32_t caller : callers[callee]) {
      if (!drafts_[caller].kept) {
        drafts_[caller].kept = true;
        work.push_back(caller);
      }
    }
  }
  for (const std::uint32_t root : roots_) {
    drafts_[root].kept = true;
  }
}

std::uint32_t SliceDrafts::entered(const Draft& draft, std::uint32_t point,
                                   FunctionId target) const {
  auto call =
      std::lower_bound(draft.calls.begin(), draft.calls.end(), point,
                       [](const CallEdge& edge, std::uint32_t at) { return edge.point < at; });
  for (; call != draft.calls.end() && call->point == point; ++call) {
    if (call->target == target) {
      return drafts_[call->callee].kept ? call->callee : kNone;
    }
  }
  return kNone;
}

}  // namespace nestor::program
