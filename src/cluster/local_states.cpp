#include "cluster/local_states.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace nestor::cluster {

namespace {
// Not that of PackedStateSet: a process would find its states in a few slots of its index only.
constexpr XXH64_hash_t kSeed = 0x6e6573746f72;
constexpr std::size_t kFewSuccessors = 24;
}  // namespace

std::uint64_t Owners::hash(Portable state) {
  return XXH3_64bits_withSeed(state.data(), state.size() * sizeof(Word), kSeed);
}

void SuccessorList::clear(std::size_t words) {
  items_.clear();
  portable_.clear();
  local_.clear();
  words_ = words;
}

void SuccessorList::add(const model::SuccessorFunction& model, base::StateView state,
                        std::uint32_t marks) {
  Item item;
  item.marks = marks;
  item.local = local_.size();
  local_.insert(local_.end(), state.begin(), state.end());
  item.portable = portable_.size();
  model.write_portable(state, portable_);
  item.portable_size = portable_.size() - item.portable;
  item.hash = Owners::hash(portable(item));
  items_.push_back(item);
}

bool SuccessorList::is_same(const Item& a, const Item& b) const {
  return a.hash == b.hash && std::ranges::equal(local(a), local(b));
}

/// Steps to one state become one with the marks of all, as in model::StateStore.
void SuccessorList::drop_doubles() {
  if (items_.size() > kFewSuccessors) {
    std::ranges::sort(items_, [&](const Item& a, const Item& b) {
      return a.hash != b.hash ? a.hash < b.hash
                              : std::ranges::lexicographical_compare(local(a), local(b));
    });
  }
  const bool is_sorted = items_.size() > kFewSuccessors;
  std::size_t size = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::size_t first = is_sorted && size > 0 ? size - 1 : 0;
    std::size_t same = first;
    while (same < size && !is_same(items_[same], items_[i])) {
      ++same;
    }
    if (same < size) {
      items_[same].marks |= items_[i].marks;
    } else {
      items_[size++] = items_[i];
    }
  }
  items_.resize(size);
}

class LocalStates::Sink final : public model::StateSink {
 public:
  Sink(const model::SuccessorFunction& model, SuccessorList& list, base::LimitGuard& guard)
      : model_(model), list_(list), guard_(guard) {}

  using StateSink::add;
  void add(base::StateView state, std::uint32_t marks) override {
    guard_.tick();
    list_.add(model_, state, marks);
  }
  void tick() override { guard_.tick(); }

 private:
  const model::SuccessorFunction& model_;
  SuccessorList& list_;
  base::LimitGuard& guard_;
};

LocalStates::LocalStates(model::SuccessorFunction& model)
    : model_(model), set_(model.state_words()) {}

LocalStates::Inserted LocalStates::insert_local(base::StateView state, base::LimitGuard& guard) {
  if (set_.size() >= base::TreeStateSet::kMostStates) {
    throw base::LimitReached{
        fmt::format("more than {} states in one process", base::TreeStateSet::kMostStates)};
  }
  const base::TreeStateSet::Inserted inserted = set_.insert(state);
  if (inserted.is_new) {
    guard.reserve(set_.bytes_to_grow());
  }
  return {inserted.number, inserted.is_new};
}

LocalStates::Inserted LocalStates::insert(const SuccessorList& list,
                                          const SuccessorList::Item& item,
                                          base::LimitGuard& guard) {
  return insert_local(list.local(item), guard);
}

base::StateView LocalStates::decode(Portable state, base::LimitGuard& guard) {
  state_.resize(model_.state_words());
  while (!model_.read_portable(state, state_)) {
    widen(guard);
    state_.resize(model_.state_words());
  }
  return state_;
}

LocalStates::Inserted LocalStates::insert(Portable state, base::LimitGuard& guard) {
  return insert_local(decode(state, guard), guard);
}

Word LocalStates::find(Portable state, base::LimitGuard& guard) {
  return set_.find(decode(state, guard));
}

void LocalStates::initial(SuccessorList& list, base::LimitGuard& guard) {
  list.clear(model_.state_words());
  Sink sink(model_, list, guard);
  model_.initial_states(sink);
  list.drop_doubles();
}

bool LocalStates::expand(Word number, SuccessorList& list, base::LimitGuard& guard) {
  bool grown = false;
  for (;;) {
    const base::TakenState state = set_[number];
    state_.assign(state.begin(), state.end());
    list.clear(model_.state_words());
    Sink sink(model_, list, guard);
    if (model_.successors(state_, sink)) {
      break;
    }
    grown = grown || model_.is_wider_for_growth();
    widen(guard);
  }
  list.drop_doubles();
  return grown;
}

/// The model and its states change together, when nothing can fail any more.
void LocalStates::widen(base::LimitGuard& guard) {
  base::TreeStateSet wider(model_.wider_words());
  std::vector<Word> state(model_.wider_words());
  for (Word i = 0; i < set_.size(); ++i) {
    guard.tick();
    std::ranges::fill(state, 0);
    model_.widen(set_[i], state);
    wider.insert(state);
  }
  model_.become_wider();
  set_ = std::move(wider);
}

}  // namespace nestor::cluster
