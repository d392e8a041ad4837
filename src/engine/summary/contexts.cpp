#include "engine/summary/contexts.h"

#include "base/debug_assert.h"
#include "engine/summary/bits.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cassert>
#include <queue>
#include <unordered_map>

namespace nestor::engine::summary {

namespace {

template <class Word>
class Walk {
 public:
  Walk(const model::Rsm& model, const ControlFlow& flow, const Instances<Word>& now,
       const Solution<Word>& solution, const Instances<Word>& solved_at,
       const std::vector<std::uint32_t>& solved_as, Exits exits, std::size_t most_rows,
       base::LimitGuard& guard)
      : model_(model),
        flow_(flow),
        now_(now),
        solution_(solution),
        solved_at_(solved_at),
        solved_as_(solved_as),
        exits_(exits),
        most_rows_(most_rows),
        guard_(guard),
        rank_(model.component_count(), 0),
        first_found_(now.size(), kNone) {
    assert(solved_as.size() == now.size());
    std::size_t rank = 0;
    for (const model::ComponentId c : flow.live_components()) {
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
      NESTOR_DEBUG_ASSERT(found_[i].to_do.any());
      const Word formulas = found_[i].to_do;
      found_[i].to_do = Word();
      hand_on(i, formulas);
      if (rows_ > most_rows_) {
        return nullptr;
      }
    }
    NESTOR_DEBUG_ASSERT(
        std::ranges::none_of(found_, [](const Found& found) { return found.to_do.any(); }));
    return make_level();
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// An instance of the new level.
  struct Found {
    std::uint32_t parent = 0;
    std::size_t first_word = 0;  // of its context
    Word formulas;
    Word to_do;  // those that are not handed on yet
  };
  struct Call {
    std::uint32_t instance = 0;
    model::BoxId box;
    typename Instances<Word>::Group group;
  };
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

  /// (3): the contexts of the empty stack. An exit loops on itself.
  void start(std::uint32_t parent, const Word& formulas) {
    const std::uint32_t j = solved_as_[parent];
    begin_shares(now_[parent].component, formulas);
    const std::size_t exits = model_.exits(now_[parent].component).size();
    for (std::size_t x = 0; x < exits; ++x) {
      split_shares(x, solution_.op == logic::Op::EG && exits_ == Exits::All
                          ? formulas
                          : solution_.looping[solution_.first_exit[j] + x]);
    }
    assert(are_shares_of(formulas));
    for (const Share& share : shares_) {
      roots_.push_back({reach(parent, share), share.formulas});
    }
  }

  /// (11): hands on to the callees of instance `i` what `formulas` say after their return.
  void hand_on(std::uint32_t i, const Word& formulas) {
    const std::uint32_t parent = found_[i].parent;
    const std::uint32_t solved = solved_as_[parent];
    const std::span<const std::uint64_t> here = context_of(i);
    const std::vector<std::uint64_t> context(here.begin(), here.end());  // words_ may move
    for (const model::BoxId b : model_.component(now_[parent].component).boxes()) {
      const model::Box& box = model_.box(b);
      if (exits_ == Exits::Visible && !flow_.is_called(b)) {
        continue;
      }
      after_return_.clear();
      for (const model::NodeId r : box.return_nodes()) {
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
        NESTOR_DEBUG_ASSERT(now_[group.callee].component == box.callee);
        const std::size_t first_exit = solution_.first_exit[solved_as_[group.callee]];
        begin_shares(box.callee, concerned);
        for (std::size_t y = 0; y < after_return_.size(); ++y) {
          split_shares(y, exits_ == Exits::All
                              ? after_return_[y]
                              : after_return_[y] & solution_.visible[first_exit + y]);
        }
        NESTOR_DEBUG_ASSERT(are_shares_of(concerned));
        for (const Share& share : shares_) {
          const std::uint32_t callee = reach(group.callee, share);
          calls_.push_back({i, b, {callee, share.formulas}});
        }
      }
    }
  }

  void begin_shares(model::ComponentId callee, const Word& formulas) {
    shares_.resize(1);  // not a new one, whose context would be allocated anew
    shares_.front().formulas = formulas;
    shares_.front().context.assign(flow_.exit_words(callee), 0);
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

  /// (17): each formula hands on one context.
  bool are_shares_of(const Word& formulas) const {
    Word seen;
    bool apart = true;
    for (const Share& share : shares_) {
      apart = apart && share.formulas.any() && !(seen & share.formulas).any();
      seen |= share.formulas;
    }
    return apart && seen == formulas;
  }

  std::span<const std::uint64_t> context_of(std::uint32_t i) const {
    return {words_.data() + found_[i].first_word,
            flow_.exit_words(now_[found_[i].parent].component)};
  }

  /// (12): the instance (parent, context), made if it is new, with the share's formulas added to
  /// it.
  std::uint32_t reach(std::uint32_t parent, const Share& share) {
    const std::uint32_t i = find_or_make(parent, share.context);
    NESTOR_DEBUG_ASSERT(!without(share.formulas, now_[parent].formulas).any());
    const Word more = without(share.formulas, found_[i].formulas);
    NESTOR_DEBUG_ASSERT(!without(found_[i].to_do, found_[i].formulas).any());
    if (more.any()) {
      if (!found_[i].to_do.any()) {
        queue_.push({rank_[now_[parent].component], i});
      }
      found_[i].to_do |= more;
      found_[i].formulas |= more;
    }
    return i;
  }

  /// Most parents have one instance, found without a look into a table; the others are in one.
  std::uint32_t find_or_make(std::uint32_t parent, const std::vector<std::uint64_t>& context) {
    const auto is_it = [&](std::uint32_t i) {
      const std::span<const std::uint64_t> other = context_of(i);
      return found_[i].parent == parent &&
             std::equal(other.begin(), other.end(), context.begin(), context.end());
    };
    std::uint32_t& first = first_found_[parent];
    if (first == kNone) {
      return first = make(parent, context);
    }
    if (is_it(first)) {
      return first;
    }
    const std::uint64_t hash =
        XXH3_64bits_withSeed(context.data(), context.size() * sizeof(std::uint64_t), parent);
    const auto [begin, end] = further_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
      if (is_it(it->second)) {
        return it->second;
      }
    }
    return further_.emplace(hash, make(parent, context))->second;
  }

  std::uint32_t make(std::uint32_t parent, const std::vector<std::uint64_t>& context) {
    found_.push_back({parent, words_.size(), Word(), Word()});
    rows_ += model_.component(now_[parent].component).nodes().size();
    words_.insert(words_.end(), context.begin(), context.end());
    return static_cast<std::uint32_t>(found_.size() - 1);
  }

  /// What was found: the roots, then the others in the order of the components and not in that of
  /// discovery. So whatever goes through all instances of a large model goes through its memory
  /// from one end to the other.
  std::unique_ptr<ContextLevel<Word>> make_level() {
    guard_.reserve(calls_.size() * sizeof(Call) + words_.size() * sizeof(std::uint64_t) +
                   found_.size() * sizeof(typename Instances<Word>::Instance));
    base::CompressedRows<model::ComponentId, std::uint32_t> by_rank(rank_.size());
    const auto row = [&](const Found& found) {
      return model::ComponentId(rank_[now_[found.parent].component]);
    };
    for (const Found& found : found_) {
      by_rank.count(row(found));
    }
    by_rank.finish_counting();
    for (std::uint32_t i = 0; i < found_.size(); ++i) {
      by_rank.add(row(found_[i]), i);
    }
    auto level = std::make_unique<ContextLevel<Word>>(model_);
    std::vector<std::uint32_t> number(found_.size(), kNone);
    const auto add = [&](std::uint32_t i) {
      if (number[i] != kNone) {
        return;
      }
      const std::uint32_t parent = found_[i].parent;
      number[i] = level->instances.add(now_[parent].component, parent);
      level->instances[number[i]].formulas = found_[i].formulas;
      const std::span<const std::uint64_t> context = context_of(i);
      level->words.insert(level->words.end(), context.begin(), context.end());
      level->first_word.push_back(level->words.size());
    };
    for (const typename Instances<Word>::Group& root : roots_) {
      add(root.callee);
      level->instances.add_root(number[root.callee], root.formulas);
    }
    for (std::size_t rank = 0; rank < rank_.size(); ++rank) {
      std::ranges::for_each(by_rank[model::ComponentId(rank)], add);
    }
    for (const Call& call : calls_) {
      level->instances.add_group(number[call.instance], call.box, number[call.group.callee],
                                 call.group.formulas);
    }
    return level;
  }

  const model::Rsm& model_;
  const ControlFlow& flow_;
  const Instances<Word>& now_;
  const Solution<Word>& solution_;
  const Instances<Word>& solved_at_;
  const std::vector<std::uint32_t>& solved_as_;
  Exits exits_;
  std::size_t most_rows_;
  std::size_t rows_ = 0;  // nodes of all that was found
  base::LimitGuard& guard_;
  base::IdVector<model::ComponentId, std::size_t> rank_;
  std::vector<Found> found_;
  std::vector<std::uint64_t> words_;
  std::vector<typename Instances<Word>::Group> roots_;
  std::vector<Call> calls_;
  std::vector<std::uint32_t> first_found_;  // by parent
  std::unordered_multimap<std::uint64_t, std::uint32_t> further_;
  std::priority_queue<Queued> queue_;
  std::vector<Share> shares_;
  std::vector<Word> after_return_;
};

}  // namespace

template <class Word>
std::unique_ptr<ContextLevel<Word>> contextualize(const model::Rsm& model, const ControlFlow& flow,
                                                  const Instances<Word>& now,
                                                  const Solution<Word>& solution,
                                                  const Instances<Word>& solved_at,
                                                  const std::vector<std::uint32_t>& solved_as,
                                                  Exits exits, std::size_t most_rows,
                                                  base::LimitGuard& guard) {
  return Walk<Word>(model, flow, now, solution, solved_at, solved_as, exits, most_rows, guard)
      .run();
}

template std::unique_ptr<ContextLevel<FewBits>> contextualize(
    const model::Rsm&, const ControlFlow&, const Instances<FewBits>&, const Solution<FewBits>&,
    const Instances<FewBits>&, const std::vector<std::uint32_t>&, Exits, std::size_t,
    base::LimitGuard&);
template std::unique_ptr<ContextLevel<WordBits>> contextualize(
    const model::Rsm&, const ControlFlow&, const Instances<WordBits>&, const Solution<WordBits>&,
    const Instances<WordBits>&, const std::vector<std::uint32_t>&, Exits, std::size_t,
    base::LimitGuard&);
template std::unique_ptr<ContextLevel<WideBits>> contextualize(
    const model::Rsm&, const ControlFlow&, const Instances<WideBits>&, const Solution<WideBits>&,
    const Instances<WideBits>&, const std::vector<std::uint32_t>&, Exits, std::size_t,
    base::LimitGuard&);

}  // namespace nestor::engine::summary
