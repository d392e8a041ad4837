#pragma once

#include "base/limits.h"
#include "base/tree_state_set.h"
#include "cluster/communicator.h"
#include "model/successor_function.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::cluster {

/// A state in its portable form (model::SuccessorFunction::write_portable).
using Portable = std::span<const Word>;

/// The process that a state belongs to: each has those that hash to it.
class Owners {
 public:
  explicit Owners(int processes) : processes_(static_cast<std::uint64_t>(processes)) {}

  static std::uint64_t hash(Portable state);
  int of_hash(std::uint64_t hash) const {
    return static_cast<int>(((hash >> 32) * processes_) >> 32);
  }
  int of(Portable state) const { return of_hash(hash(state)); }

 private:
  std::uint64_t processes_;
};

/// The distinct successors of a state, or the initial states.
class SuccessorList {
 public:
  struct Item {
    std::uint64_t hash = 0;
    std::uint32_t marks = 0;  ///< fairness constraints that the step satisfies
    std::size_t portable = 0;
    std::size_t portable_size = 0;
    std::size_t local = 0;
  };

  std::span<const Item> items() const { return items_; }
  Portable portable(const Item& item) const {
    return Portable(portable_).subspan(item.portable, item.portable_size);
  }
  /// As the states of this process are.
  base::StateView local(const Item& item) const {
    return base::StateView(local_).subspan(item.local, words_);
  }

 private:
  friend class LocalStates;

  void clear(std::size_t words);
  void add(const model::SuccessorFunction& model, base::StateView state, std::uint32_t marks);
  void drop_doubles();
  bool is_same(const Item& a, const Item& b) const;

  std::vector<Item> items_;
  std::vector<Word> portable_;
  std::vector<Word> local_;
  std::size_t words_ = 0;
};

/// The states of one process, numbered as they come. Their width is this process's own.
class LocalStates {
 public:
  explicit LocalStates(model::SuccessorFunction& model);

  std::size_t size() const { return set_.size(); }
  base::TakenState operator[](Word number) const { return set_[number]; }
  void write_portable(Word number, std::vector<Word>& portable) const {
    model_.write_portable(set_[number], portable);
  }
  model::SuccessorFunction& model() { return model_; }
  const model::SuccessorFunction& model() const { return model_; }

  struct Inserted {
    Word number = 0;
    bool is_new = false;
  };
  // These throw LimitReached.
  Inserted insert(Portable state, base::LimitGuard& guard);
  Inserted insert(const SuccessorList& list, const SuccessorList::Item& item,
                  base::LimitGuard& guard);
  static constexpr Word kAbsent = base::TreeStateSet::kAbsent;
  Word find(Portable state, base::LimitGuard& guard);
  /// The state in the width of this process, valid until the next call.
  base::StateView decode(Portable state, base::LimitGuard& guard);

  void initial(SuccessorList& list, base::LimitGuard& guard);
  /// True if a number has outgrown the states' width: there may be infinitely many.
  bool expand(Word number, SuccessorList& list, base::LimitGuard& guard);

  /// For when no state will be looked for.
  void drop_index() { set_.drop_index(); }
  std::size_t memory_bytes() const { return set_.memory_bytes(); }

 private:
  class Sink;

  Inserted insert_local(base::StateView state, base::LimitGuard& guard);
  void widen(base::LimitGuard& guard);

  model::SuccessorFunction& model_;
  base::TreeStateSet set_;
  std::vector<Word> state_;
};

}  // namespace nestor::cluster
