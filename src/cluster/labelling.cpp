#include "cluster/labelling.h"

#include "base/error.h"
#include "engine/labelling/batch.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <utility>

namespace nestor::cluster {

namespace {
constexpr std::size_t kMostTogether = 64;
constexpr std::size_t kStatesBetweenPolls = 256;

std::uint64_t mask_of(std::size_t formulas) {
  return formulas == kMostTogether ? ~std::uint64_t{0} : (std::uint64_t{1} << formulas) - 1;
}
}  // namespace

/// States whose word has changed and whose predecessors have to hear of it, each once, in the order
/// in which they changed first.
class Labelling::Changed {
 public:
  explicit Changed(std::size_t states) : bits_(states, 0) {}

  void add(Word state, std::uint64_t bits) {
    if (bits_[state] == 0) {
      later_.push_back(state);
    }
    bits_[state] |= bits;
  }
  bool empty() const { return next_ == now_.size() && later_.empty(); }
  Word take(std::uint64_t& bits) {
    if (next_ == now_.size()) {
      now_.clear();
      std::swap(now_, later_);
      next_ = 0;
    }
    const Word state = now_[next_++];
    bits = std::exchange(bits_[state], 0);
    return state;
  }

 private:
  Words bits_;
  std::vector<Word> now_;
  std::vector<Word> later_;
  std::size_t next_ = 0;
};

Labelling::Labelling(Communicator& communicator, const LabelledPart& part, logic::FormulaPool& pool,
                     const base::Limits& limits)
    : communicator_(communicator), part_(part), pool_(pool), guard_(limits) {}

void Labelling::run(std::span<const logic::FormulaId> formulas, bool fair) {
  values_.resize(pool_.size());
  is_labelled_.resize(pool_.size(), false);
  if (fair && !fair_) {
    base::BitSet all(size());
    all.set_all();
    fair_ = fair_always(all);
  }
  // Formulas of one rank do not depend on each other: those with the same operator are a batch.
  std::map<std::pair<std::uint32_t, logic::Op>, FormulaIds> ranks;
  std::vector<std::uint32_t> rank(pool_.size(), 0);
  for (const logic::FormulaId f : needed(formulas)) {
    const logic::Formula& formula = pool_[f];
    std::uint32_t r = 0;
    for (int i = 0; i < logic::operand_count(formula.op); ++i) {
      r = std::max(r, rank[(i == 0 ? formula.left : formula.right).value()] + 1);
    }
    rank[f.value()] = r;
    if (!is_labelled_[f.value()]) {
      ranks[{r, formula.op}].push_back(f);
    }
  }
  for (const auto& [key, of_rank] : ranks) {
    label(key.second, of_rank);
    for (const logic::FormulaId f : of_rank) {
      is_labelled_[f.value()] = true;
    }
  }
}

Labelling::FormulaIds Labelling::needed(std::span<const logic::FormulaId> formulas) const {
  std::vector<bool> wanted(pool_.size(), false);
  for (const logic::FormulaId f : formulas) {
    wanted[f.value()] = true;
  }
  FormulaIds result;
  for (std::size_t i = wanted.size(); i-- > 0;) {
    if (wanted[i]) {
      const logic::Formula& formula = pool_[logic::FormulaId(i)];
      for (int o = 0; o < logic::operand_count(formula.op); ++o) {
        wanted[(o == 0 ? formula.left : formula.right).value()] = true;
      }
      result.emplace_back(i);
    }
  }
  std::ranges::reverse(result);
  return result;
}

void Labelling::label(logic::Op op, const FormulaIds& formulas) {
  if (logic::is_existential(op)) {
    for (std::size_t first = 0; first < formulas.size(); first += kMostTogether) {
      label_batch(
          op, std::span(formulas).subspan(first, std::min(kMostTogether, formulas.size() - first)));
    }
    return;
  }
  communicator_.within_limits([&] {
    if (op == logic::Op::Atom) {
      label_atoms(formulas);
      return;
    }
    for (const logic::FormulaId f : formulas) {
      guard_.tick(size() / kMostTogether + 1);
      label_simple(f);
    }
  });
}

/// State by state, since a model may have to unpack one to evaluate anything in it.
void Labelling::label_atoms(const FormulaIds& formulas) {
  model::SuccessorFunction& model = part_.states.model();
  std::vector<std::pair<std::uint32_t, base::BitSet*>> known;
  for (const logic::FormulaId f : formulas) {
    base::BitSet& value = values_[f.value()] = base::BitSet(size());
    if (const auto number = model.find_proposition(pool_.atom_name(f)).number) {
      known.emplace_back(*number, &value);
    }
  }
  for (Word s = 0; s < size(); ++s) {
    const base::TakenState state = part_.states[s];
    for (const auto& [number, value] : known) {
      guard_.tick();
      if (model.holds(number, state)) {
        value->set(s);
      }
    }
  }
}

void Labelling::label_simple(logic::FormulaId f) {
  const logic::Formula& formula = pool_[f];
  base::BitSet result(size());
  if (formula.op == logic::Op::True) {
    result.set_all();
  } else if (formula.op == logic::Op::Not) {
    result = values_[formula.left.value()];
    result.flip_all();
  } else {
    NESTOR_CHECK(formula.op == logic::Op::Or);
    result = values_[formula.left.value()];
    result |= values_[formula.right.value()];
  }
  values_[f.value()] = std::move(result);
}

void Labelling::label_batch(logic::Op op, std::span<const logic::FormulaId> formulas) {
  std::vector<const base::BitSet*> left;
  std::vector<const base::BitSet*> right;
  std::vector<base::BitSet*> results;
  Words a;
  Words b;
  communicator_.within_limits([&] {
    for (const logic::FormulaId f : formulas) {
      const logic::Formula& formula = pool_[f];
      left.push_back(&values_[formula.left.value()]);
      if (op == logic::Op::EU) {
        right.push_back(&values_[formula.right.value()]);
      }
      values_[f.value()] = base::BitSet(size());
      results.push_back(&values_[f.value()]);
    }
    guard_.reserve(3 * size() * sizeof(std::uint64_t));
    a = engine::labelling::words_of(left, size());
    if (op == logic::Op::EU) {
      b = engine::labelling::words_of(right, size());
    }
  });
  batch_size_ = formulas.size();
  if (op == logic::Op::EU) {
    only_fair(b);
    a = until(a, std::move(b));
  } else if (op == logic::Op::EX) {
    only_fair(a);
    a = next(a);
  } else {
    a = fair_ ? fair_always(std::move(a)) : always(std::move(a));
  }
  engine::labelling::sets_of(a, results);
}

void Labelling::only_fair(Words& words) const {
  for (std::size_t s = 0; fair_ && s < words.size(); ++s) {
    if (!fair_->test(s)) {
      words[s] = 0;
    }
  }
}

template <class Here>
void Labelling::tell(Word state, std::uint64_t bits, std::uint32_t mark, Here here) {
  const auto one = [&](int process, Word predecessor) {
    if (process == communicator_.rank()) {
      here(predecessor, bits);
      return;
    }
    std::vector<Word>& batch = communicator_.batch(process);
    batch.push_back(predecessor);
    if (batch_size_ > 1) {  // else the bit is clear
      batch.push_back(static_cast<Word>(bits));
    }
    if (batch_size_ > 32) {
      batch.push_back(static_cast<Word>(bits >> 32));
    }
    communicator_.maybe_send(process);
  };
  guard_.tick(part_.predecessors.count(state) + 1);
  if (mark == 0) {
    part_.predecessors.for_each(state, one);
  } else {
    part_.predecessors.for_each_marked(state, [&](int process, Word from, std::uint32_t marks) {
      if ((marks & mark) != 0) {
        one(process, from);
      }
    });
  }
}

template <class Take>
void Labelling::phase(Take take, const std::function<void()>& work) {
  const std::size_t words = batch_size_ == 1 ? 1 : batch_size_ <= 32 ? 2 : 3;
  const std::string reason = communicator_.run(
      [&](int /*from*/, std::span<const Word> batch) {
        if (communicator_.is_stopped()) {
          return;
        }
        for (std::size_t at = 0; at < batch.size(); at += words) {
          std::uint64_t bits = words == 1 ? 1 : batch[at + 1];
          if (words == 3) {
            bits |= std::uint64_t{batch[at + 2]} << 32;
          }
          take(batch[at], bits);
        }
      },
      work);
  if (!reason.empty()) {
    throw base::LimitReached{reason};
  }
}

/// Until nobody has anything new: what is new in a state is told to its predecessors.
template <class Take>
void Labelling::hand_on(Changed& news, Take take) {
  phase(take, [&] {
    for (std::size_t i = 1; !news.empty() && !communicator_.is_stopped(); ++i) {
      std::uint64_t bits = 0;
      const Word s = news.take(bits);
      tell(s, bits, 0, take);
      if (i % kStatesBetweenPolls == 0) {
        communicator_.poll();
      }
    }
  });
}

/// A transition (that satisfies the constraint, if one is given) leads to the operand.
Labelling::Words Labelling::next(const Words& operand, std::uint32_t mark) {
  Words result;
  communicator_.within_limits([&] { result.assign(size(), 0); });
  const auto take = [&](Word s, std::uint64_t bits) { result[s] |= bits; };
  Word done = 0;
  phase(take, [&] {
    for (; done < size() && !communicator_.is_stopped(); ++done) {
      if (operand[done] != 0) {
        tell(done, operand[done], mark, take);
      }
      if (done % kStatesBetweenPolls == 0) {
        communicator_.poll();
      }
    }
  });
  return result;
}

/// The least solution of X = right ∨ (left ∧ EX X).
Labelling::Words Labelling::until(const Words& left, Words right) {
  Words& result = right;
  std::optional<Changed> changed;
  communicator_.within_limits([&] {
    changed.emplace(size());
    for (std::size_t s = size(); s-- > 0;) {  // those found last are nearer to the end of paths
      if (result[s] != 0) {
        changed->add(static_cast<Word>(s), result[s]);
      }
    }
  });
  const auto take = [&](Word s, std::uint64_t bits) {
    const std::uint64_t fresh = left[s] & bits & ~result[s];
    if (fresh != 0) {
      result[s] |= fresh;
      changed->add(s, fresh);
    }
  };
  hand_on(*changed, take);
  return right;
}

/// The greatest solution of X = operand ∧ (EX X ∨ no successor). The successors of a state that are
/// still in, for 64 formulas: bit i of slice k is bit k of the count for formula i.
Labelling::Words Labelling::always(Words operand) {
  Words& result = operand;
  const std::uint64_t all = mask_of(batch_size_);
  const Word most = part_.out_degree.empty() ? 0 : *std::ranges::max_element(part_.out_degree);
  const auto slices = static_cast<std::size_t>(std::bit_width(most));
  Words counts;
  std::optional<Changed> out;
  communicator_.within_limits([&] {
    guard_.reserve(slices * size() * sizeof(std::uint64_t));
    counts.assign(slices * size(), 0);
    out.emplace(size());
    for (Word s = 0; s < size(); ++s) {
      for (std::size_t k = 0; k < slices; ++k) {
        counts[s * slices + k] = (part_.out_degree[s] >> k & 1) != 0 ? all : 0;
      }
      if (const std::uint64_t not_in = all & ~result[s]; not_in != 0) {
        out->add(s, not_in);
      }
    }
  });
  // One successor less for each formula of `bits`; each successor is lost once.
  const auto take = [&](Word s, std::uint64_t bits) {
    std::uint64_t borrow = bits;
    std::uint64_t left = 0;
    for (std::size_t k = 0; k < slices; ++k) {
      std::uint64_t& slice = counts[s * slices + k];
      const std::uint64_t before = slice;
      slice ^= borrow;
      borrow &= ~before;
      left |= slice;
    }
    NESTOR_CHECK(borrow == 0);
    const std::uint64_t lost = bits & ~left & result[s];
    if (lost != 0) {
      result[s] &= ~lost;
      out->add(s, lost);
    }
  };
  hand_on(*out, take);
  return operand;
}

/// νZ. f ∧ ⋀ᵢ EX E[f U (Z ∧ Fᵢ)], where Fᵢ is a set of transitions.
Labelling::Words Labelling::fair_always(Words operand) {
  Words& z = operand;
  const std::uint32_t constraints = part_.states.model().mark_count();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < constraints; ++i) {
      Words goal = next(z, std::uint32_t{1} << i);
      for (std::size_t s = 0; s < goal.size(); ++s) {
        goal[s] &= z[s];
      }
      goal = until(z, std::move(goal));
      if (goal != z) {
        z = std::move(goal);
        changed = true;
      }
    }
    changed = communicator_.any(changed);
  }
  return operand;
}

base::BitSet Labelling::fair_always(const base::BitSet& inside) {
  const base::BitSet* const from = &inside;
  base::BitSet result(size());
  base::BitSet* const to = &result;
  Words words;
  communicator_.within_limits([&] { words = engine::labelling::words_of({&from, 1}, size()); });
  batch_size_ = 1;
  engine::labelling::sets_of(fair_always(std::move(words)), {&to, 1});
  return result;
}

base::BitSet Labelling::always_in(const base::BitSet& inside) {
  const base::BitSet* const from = &inside;
  base::BitSet result(size());
  base::BitSet* const to = &result;
  Words words;
  communicator_.within_limits([&] { words = engine::labelling::words_of({&from, 1}, size()); });
  batch_size_ = 1;
  engine::labelling::sets_of(always(std::move(words)), {&to, 1});
  return result;
}

bool Labelling::holds(logic::FormulaId formula) {
  const base::BitSet& values = values_[formula.value()];
  const bool fails = std::ranges::any_of(
      part_.initial, [&](Word s) { return (!fair_ || fair_->test(s)) && !values.test(s); });
  return !communicator_.any(fails);
}

}  // namespace nestor::cluster
