#include "model/state_store.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>

namespace nestor::model {

namespace {
// Comparing all pairs on a path is quadratic. On a path this long, the nearest states come first.
constexpr std::size_t kMostComparisons = 10'000'000;
// How much memory states may take before they are looked at for common parts: a share of what there
// may be.
constexpr std::size_t kMostFlatBytes = std::size_t{256} << 20;
constexpr std::size_t kShareOfFlat = 64;
constexpr std::uint32_t kSample = 1 << 15;
}  // namespace

class StateStore::Sink final : public StateSink {
 public:
  Sink(StateStore& store, const base::Limits& limits, base::LimitGuard& guard)
      : store_(store),
        guard_(guard),
        marked_(store.model_.mark_count() > 0),
        most_(std::min<std::uint64_t>(limits.states.value_or(base::TreeStateSet::kMostStates),
                                      base::TreeStateSet::kMostStates)) {}

  using StateSink::add;
  void add(base::StateView state, std::uint32_t marks) override {
    guard_.tick();
    if (marked_) {
      store_.marks_.push_back(marks);
    }
    if (store_.set_.size() >= most_) {
      const std::uint32_t known = store_.set_.find(state);
      if (known == base::TreeStateSet::kAbsent) {
        throw base::LimitReached{fmt::format("more than {} states", most_)};
      }
      store_.found_.emplace_back(known);
      return;
    }
    if (!store_.unbounded_.empty() && store_.set_.size() >= store_.most_if_unbounded_) {
      throw base::LimitReached{store_.unbounded_};
    }
    const base::TreeStateSet::Inserted inserted = store_.set_.insert(state);
    store_.found_.emplace_back(inserted.number);
    if (inserted.is_new) {
      guard_.reserve(store_.set_.bytes_to_grow());
    }
  }
  void tick() override { guard_.tick(); }

 private:
  StateStore& store_;
  base::LimitGuard& guard_;
  bool marked_;
  std::uint64_t most_;
};

namespace {
void sort_and_drop_doubles(std::vector<NodeId>& nodes) {
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

/// Likewise; steps to one state become one with the marks of all. A path that takes such a step
/// again and again may take each of them again and again, so no fair path is won or lost.
void sort_and_merge(std::vector<NodeId>& nodes, std::vector<std::uint32_t>& marks) {
  std::vector<std::pair<NodeId, std::uint32_t>> steps;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    steps.emplace_back(nodes[i], marks[i]);
  }
  std::ranges::sort(steps);
  nodes.clear();
  marks.clear();
  for (const auto& [node, mark] : steps) {
    if (nodes.empty() || nodes.back() != node) {
      nodes.push_back(node);
      marks.push_back(0);
    }
    marks.back() |= mark;
  }
}
}  // namespace

StateStore::StateStore(SuccessorFunction& model, PathTo path_to, std::size_t grace)
    : model_(model),
      path_to_(std::move(path_to)),
      grace_(grace),
      set_(model.state_words(), base::TreeStateSet::Shape::Flat),
      width_(model.times_wider()) {}

std::vector<NodeId> StateStore::initial(const base::Limits& limits, base::LimitGuard& guard) {
  NESTOR_CHECK(width_ == model_.times_wider());
  found_.clear();
  marks_.clear();
  Sink sink(*this, limits, guard);
  model_.initial_states(sink);
  marks_.clear();
  sort_and_drop_doubles(found_);
  return found_;
}

std::span<const NodeId> StateStore::expand(NodeId n, const base::Limits& limits,
                                           base::LimitGuard& guard) {
  NESTOR_CHECK(width_ == model_.times_wider());
  take_less_if_large(limits, guard);
  const base::TakenState state = set_[n.value()];
  state_.assign(state.begin(), state.end());
  set_.expect_near(n.value());
  found_.clear();
  marks_.clear();
  Sink sink(*this, limits, guard);
  bool grown = false;
  while (!model_.successors(state_, sink)) {
    grown = grown || model_.is_wider_for_growth();
    widen_states(guard);
    const base::TakenState wider = set_[n.value()];
    state_.assign(wider.begin(), wider.end());
    set_.expect_near(n.value());
    found_.clear();
    marks_.clear();
  }
  if (marks_.empty()) {
    sort_and_drop_doubles(found_);
  } else {
    sort_and_merge(found_, marks_);
  }
  if (grown && unbounded_.empty()) {
    look_for_covering(n, guard);
    if (!unbounded_.empty() && grace_ == 0) {
      throw base::LimitReached{unbounded_};
    }
  }
  return found_;
}

/// States that the model makes small, and those that share their parts, take less memory and more
/// time, so they begin to when memory matters, if it is much less. What was found keeps its number.
void StateStore::take_less_if_large(const base::Limits& limits, base::LimitGuard& guard) {
  if (set_.size() < looked_at_ || set_.shape() == base::TreeStateSet::Shape::Tree) {
    return;
  }
  looked_at_ = 2 * std::size_t{set_.size()};
  const std::size_t most_flat =
      limits.megabytes ? (static_cast<std::size_t>(*limits.megabytes) << 20) / kShareOfFlat
                       : kMostFlatBytes;
  if (set_.memory_bytes() < most_flat) {
    return;
  }
  take_best_form(guard);
  if (set_.memory_bytes() < most_flat || !base::TreeStateSet::can_be_tree(model_.state_words())) {
    return;
  }
  base::TreeStateSet tree(model_.state_words());
  for (std::uint32_t i = 0; i < set_.size(); ++i) {
    guard.tick();
    guard.reserve(tree.bytes_to_grow());
    tree.expect_near(tree.insert(set_[i]).number);
  }
  assert(tree.size() == set_.size());
  if (tree.memory_bytes() < set_.memory_bytes() / 4 * 3) {
    set_ = std::move(tree);
  } else {
    looked_at_ *= 2;  // not too often
  }
}

/// Changes to the form of the model's states that takes least, by those found last.
void StateStore::take_best_form(base::LimitGuard& guard) {
  std::size_t least = words_of_sample(false, guard);
  std::optional<std::size_t> best;
  for (std::size_t form = 0; model_.prepare_form(form, guard); ++form) {
    const std::size_t words = words_of_sample(true, guard);
    if (words < least) {
      least = words;
      best = form;
    }
  }
  if (best && model_.prepare_form(*best, guard)) {
    widen_states(guard);
  }
}

/// What the states found last take in a set of their own, as they are or in the form that the model
/// has prepared.
std::size_t StateStore::words_of_sample(bool is_prepared, base::LimitGuard& guard) const {
  const std::size_t words = is_prepared ? model_.wider_words() : model_.state_words();
  std::vector<std::uint32_t> state(words);
  base::TreeStateSet sample(words);
  for (std::uint32_t i = set_.size() - std::min(set_.size(), kSample); i < set_.size(); ++i) {
    guard.tick();
    if (is_prepared) {
      std::ranges::fill(state, 0);
      model_.widen(set_[i], state);
    }
    sample.expect_near(sample.insert(is_prepared ? base::StateView(state) : set_[i]).number);
  }
  return sample.content_words();
}

/// The model and its states change together, when nothing can fail any more.
void StateStore::widen_states(base::LimitGuard& guard) {
  base::TreeStateSet wider(model_.wider_words(), set_.shape());
  std::vector<std::uint32_t> state(model_.wider_words());
  for (std::uint32_t i = 0; i < set_.size(); ++i) {
    guard.tick();
    std::ranges::fill(state, 0);
    model_.widen(set_[i], state);
    wider.expect_near(wider.insert(state).number);  // one is much like the next
  }
  static_assert(std::is_nothrow_move_assignable_v<base::TreeStateSet>);
  model_.become_wider();
  set_ = std::move(wider);
  width_ = model_.times_wider();
}

// A number in a state has passed a power of two. In a model with infinitely many states that
// happens again and again, and all but finitely many paths hold a state that covers an earlier one
// (Dickson's lemma): so sooner or later it is noticed here, and a bounded model pays little.
void StateStore::look_for_covering(NodeId expanded, base::LimitGuard& guard) {
  const std::vector<NodeId> path = path_to_(expanded);
  for (const NodeId above : found_) {
    for (const NodeId below : path) {
      guard.tick();
      if (is_covering(above, below)) {
        return;
      }
    }
  }
  std::size_t comparisons = 0;
  for (std::size_t i = path.size(); i-- > 0 && comparisons < kMostComparisons;) {
    for (std::size_t j = i; j-- > 0; ++comparisons) {
      guard.tick();
      if (is_covering(path[i], path[j])) {
        return;
      }
    }
  }
}

bool StateStore::is_covering(NodeId above, NodeId below) {
  const base::TakenState large = set_[above.value()];
  const base::TakenState small = set_[below.value()];
  if (!model_.strictly_covers(large, small)) {
    return false;
  }
  unbounded_ = fmt::format("unbounded: {} comes after {} and strictly covers it",
                           model_.describe(large), model_.describe(small));
  most_if_unbounded_ = set_.size() + grace_;
  return true;
}

}  // namespace nestor::model
