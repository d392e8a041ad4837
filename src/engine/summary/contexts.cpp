#include "engine/summary/contexts.h"

#include "engine/summary/bits.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace nestor::summary {

namespace {

template <class Word>
class Walk {
 public:
  Walk(const Rsm& model, const ControlFlow& flow, const Instances<Word>& now,
       const Solution<Word>& solution, const Instances<Word>& solved_at,
       const std::vector<std::uint32_t>& solved_as, Exits exits, LimitGuard& guard)
      : model_(model),
        flow_(flow),
        now_(now),
        solution_(solution),
        solved_at_(solved_at),
        solved_as_(solved_as),
        exits_(exits),
        guard_(guard),
        level_(std::make_unique<ContextLevel<Word>>(model)),
        rank_(model.component_count(), 0) {
    std::size_t rank = 0;
    for (const ComponentId c : flow.live_components()) {
      rank_[c] = rank++;
    }
  }

  std::unique_ptr<ContextLevel<Word>> run() {
    for (const typename Instances<Word>::Group& root : now_.roots()) {
      start(root.callee, root.formulas);
    }
    while (!queue_.empty()) {
      const std::uint32_t i = queue_.top().instance;
      queue_.pop();
      const Word formulas = to_do_[i];
      to_do_[i] = Word();
      hand_on(i, formulas);
    }
    return std::move(level_);
  }

 private:
  /// Formulas that hand on the same context.
  struct Share {
    Word formulas;
    std::vector<std::uint64_t> context;
  };
  struct Queued {
    std::size_t rank = 0;
    std::uint32_t instance = 0;
    // Callers first, so that a callee waits for all the formulas that will reach it; then the
    // order of discovery, so that nothing depends on chance.
    friend bool operator<(const Queued& a, const Queued& b) {
      return a.rank != b.rank ? a.rank < b.rank : a.instance > b.instance;
    }
  };

  /// The contexts of the empty stack: an exit loops on itself.
  void start(std::uint32_t parent, const Word& formulas) {
    const std::uint32_t j = solved_as_[parent];
    begin_shares(now_[parent].component, formulas);
    const std::size_t exits = model_.exits(now_[parent].component).size();
    for (std::size_t x = 0; x < exits; ++x) {
      split_shares(x, solution_.op == Op::EG && exits_ == Exits::All
                          ? formulas
                          : solution_.looping[solution_.first_exit[j] + x]);
    }
    for (const Share& share : shares_) {
      const std::uint32_t i = reach(parent, share);
      level_->instances.add_root(i, share.formulas);
    }
  }

  /// Hands on to the callees of instance `i` what `formulas` say after their return.
  void hand_on(std::uint32_t i, const Word& formulas) {
    const std::uint32_t parent = level_->instances[i].parent;
    const std::uint32_t solved = solved_as_[parent];
    const std::vector<std::uint64_t> context(level_->context(i).begin(), level_->context(i).end());
    for (const BoxId b : model_.component(now_[parent].component).boxes()) {
      const Box& box = model_.box(b);
      if (exits_ == Exits::Visible && !flow_.is_called(b)) {
        continue;
      }
      after_return_.clear();
      for (const NodeId r : box.return_nodes()) {
        guard_.tick();
        after_return_.push_back(flow_.is_live(r)
                                    ? solution_.under_context(flow_, solved_at_, solved, r, context)
                                    : Word());
      }
      for (const typename Instances<Word>::Group& group : now_.groups(parent, b)) {
        const Word concerned = group.formulas & formulas;
        if (!concerned.any()) {
          continue;
        }
        const std::size_t first_exit = solution_.first_exit[solved_as_[group.callee]];
        begin_shares(box.callee, concerned);
        for (std::size_t y = 0; y < after_return_.size(); ++y) {
          split_shares(y, exits_ == Exits::All
                              ? after_return_[y]
                              : after_return_[y] & solution_.visible[first_exit + y]);
        }
        for (const Share& share : shares_) {
          const std::uint32_t callee = reach(group.callee, share);
          level_->instances.add_group(i, b, callee, share.formulas);
        }
      }
    }
  }

  void begin_shares(ComponentId callee, const Word& formulas) {
    shares_.assign(1, Share{formulas, std::vector<std::uint64_t>(flow_.exit_words(callee))});
  }

  /// Puts exit x into the contexts of the formulas in `in`.
  void split_shares(std::size_t x, const Word& in) {
    if (!in.any()) {
      return;
    }
    guard_.tick();
    const std::size_t count = shares_.size();
    for (std::size_t s = 0; s < count; ++s) {
      const Word with = shares_[s].formulas & in;
      if (!with.any()) {
        continue;
      }
      std::size_t target = s;
      if (!(with == shares_[s].formulas)) {
        target = shares_.size();
        shares_.push_back({with, shares_[s].context});
        shares_[s].formulas = without(shares_[s].formulas, in);
      }
      shares_[target].context[x / 64] |= std::uint64_t{1} << (x % 64);
    }
  }

  /// The instance (parent, context), made if it is new, with the share's formulas added to it.
  std::uint32_t reach(std::uint32_t parent, const Share& share) {
    const std::uint32_t i = find_or_make(parent, share.context);
    const Word more = without(share.formulas, level_->instances[i].formulas);
    if (more.any()) {
      if (!to_do_[i].any()) {
        queue_.push({rank_[level_->instances[i].component], i});
      }
      to_do_[i] |= more;
      level_->instances[i].formulas |= more;
    }
    return i;
  }

  std::uint32_t find_or_make(std::uint32_t parent, const std::vector<std::uint64_t>& context) {
    const std::uint64_t hash =
        XXH3_64bits_withSeed(context.data(), context.size() * sizeof(std::uint64_t), parent);
    const auto [first, last] = known_.equal_range(hash);
    for (auto it = first; it != last; ++it) {
      const std::span<const std::uint64_t> other = level_->context(it->second);
      if (level_->instances[it->second].parent == parent &&
          std::equal(other.begin(), other.end(), context.begin(), context.end())) {
        return it->second;
      }
    }
    const std::uint32_t i = level_->instances.add(now_[parent].component, parent);
    level_->words.insert(level_->words.end(), context.begin(), context.end());
    level_->first_word.push_back(level_->words.size());
    to_do_.emplace_back();
    known_.emplace(hash, i);
    return i;
  }

  const Rsm& model_;
  const ControlFlow& flow_;
  const Instances<Word>& now_;
  const Solution<Word>& solution_;
  const Instances<Word>& solved_at_;
  const std::vector<std::uint32_t>& solved_as_;
  Exits exits_;
  LimitGuard& guard_;
  std::unique_ptr<ContextLevel<Word>> level_;
  IdVector<ComponentId, std::size_t> rank_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_;
  std::vector<Word> to_do_;  // by instance: formulas that reach it and are not handed on yet
  std::priority_queue<Queued> queue_;
  std::vector<Share> shares_;
  std::vector<Word> after_return_;
};

}  // namespace

template <class Word>
std::unique_ptr<ContextLevel<Word>> contextualize(const Rsm& model, const ControlFlow& flow,
                                                  const Instances<Word>& now,
                                                  const Solution<Word>& solution,
                                                  const Instances<Word>& solved_at,
                                                  const std::vector<std::uint32_t>& solved_as,
                                                  Exits exits, LimitGuard& guard) {
  return Walk<Word>(model, flow, now, solution, solved_at, solved_as, exits, guard).run();
}

template std::unique_ptr<ContextLevel<Bits<1>>> contextualize(
    const Rsm&, const ControlFlow&, const Instances<Bits<1>>&, const Solution<Bits<1>>&,
    const Instances<Bits<1>>&, const std::vector<std::uint32_t>&, Exits, LimitGuard&);
template std::unique_ptr<ContextLevel<Bits<4>>> contextualize(
    const Rsm&, const ControlFlow&, const Instances<Bits<4>>&, const Solution<Bits<4>>&,
    const Instances<Bits<4>>&, const std::vector<std::uint32_t>&, Exits, LimitGuard&);

}  // namespace nestor::summary
