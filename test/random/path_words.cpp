#include "path_words.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace nestor::test {

namespace {

using logic::Op;

Truth negation(Truth a) {
  return a == Truth::True ? Truth::False : a == Truth::False ? Truth::True : Truth::Undefined;
}

/// All values of one formula at all places of a word whose loop was written out several times.
class WordValues {
 public:
  WordValues(const logic::FormulaPool& pool, const Word& word, std::size_t rounds)
      : pool_(pool), letters_(word.letters) {
    if (word.loop != Word::kNoLoop) {
      const std::size_t period = word.letters.size() - word.loop;
      for (std::size_t i = 0; i < rounds * period; ++i) {
        letters_.push_back(letters_[letters_.size() - period]);
      }
      back_ = letters_.size() - period;
    }
  }

  Truth value(logic::FormulaId root) {
    for (const logic::FormulaId f : logic::subformulas(pool_, root)) {
      evaluate(f);
    }
    return values_[root.value()].front();
  }

 private:
  using Row = std::vector<Truth>;
  const Row& row(logic::FormulaId f) const { return values_.at(f.value()); }

  void evaluate(logic::FormulaId f) {
    const logic::Formula& formula = pool_[f];
    const Row* left = logic::operand_count(formula.op) >= 1 ? &row(formula.left) : nullptr;
    const Row* right = logic::operand_count(formula.op) == 2 ? &row(formula.right) : nullptr;
    Row result(letters_.size(), Truth::False);
    // Twice: the second time the values at the loop's end have come round to its beginning.
    for (int round = 0; round < 3; ++round) {
      for (std::size_t k = letters_.size(); k-- > 0;) {
        const std::size_t i = is_past(formula.op) ? letters_.size() - 1 - k : k;
        if (round == 0 && i + 1 == letters_.size() && back_ != Word::kNoLoop) {
          // Until is a least fixpoint, release a greatest one.
          const bool greatest = formula.op == Op::G || formula.op == Op::R || formula.op == Op::W;
          result[back_] = greatest ? Truth::True : Truth::False;
        }
        result[i] = at(f, formula, left, right, result, i);
      }
    }
    values_[f.value()] = std::move(result);
  }

  static bool is_past(Op op) { return op >= Op::Y; }

  Truth at(logic::FormulaId f, const logic::Formula& formula, const Row* left, const Row* right,
           const Row& result, std::size_t i) const {
    const bool is_last = i + 1 == letters_.size() && back_ == Word::kNoLoop;
    const std::size_t next = i + 1 == letters_.size() ? back_ : i + 1;
    const auto both = [](Truth a, Truth b) { return std::min(a, b); };
    const auto one = [](Truth a, Truth b) { return std::max(a, b); };
    switch (formula.op) {
      case Op::True:
        return Truth::True;
      case Op::False:
        return Truth::False;
      case Op::Atom: {
        const auto atom = static_cast<std::uint32_t>(pool_.atom_name(f)[0] - 'a');
        return ((letters_[i] >> atom) & 1) != 0 ? Truth::True : Truth::False;
      }
      case Op::Not:
        return negation((*left)[i]);
      case Op::And:
        return both((*left)[i], (*right)[i]);
      case Op::Or:
        return one((*left)[i], (*right)[i]);
      case Op::Implies:
        return one(negation((*left)[i]), (*right)[i]);
      case Op::Iff:
        return both(one(negation((*left)[i]), (*right)[i]), one((*left)[i], negation((*right)[i])));
      case Op::Xor:
        return both(one((*left)[i], (*right)[i]), one(negation((*left)[i]), negation((*right)[i])));
      case Op::X:
        return is_last ? Truth::Undefined : (*left)[next];
      case Op::F:
        return is_last ? (*left)[i] : one((*left)[i], result[next]);
      case Op::G:
        return is_last ? (*left)[i] : both((*left)[i], result[next]);
      case Op::U:
        return is_last ? (*right)[i] : one((*right)[i], both((*left)[i], result[next]));
      case Op::W:
        return is_last ? one((*left)[i], (*right)[i])
                       : one((*right)[i], both((*left)[i], result[next]));
      case Op::R:
        return is_last ? (*right)[i] : both((*right)[i], one((*left)[i], result[next]));
      case Op::Y:
        return i == 0 ? Truth::False : (*left)[i - 1];
      case Op::Z:
        return i == 0 ? Truth::True : (*left)[i - 1];
      case Op::O:
        return i == 0 ? (*left)[i] : one((*left)[i], result[i - 1]);
      case Op::H:
        return i == 0 ? (*left)[i] : both((*left)[i], result[i - 1]);
      case Op::S:
        return i == 0 ? (*right)[i] : one((*right)[i], both((*left)[i], result[i - 1]));
      case Op::T:
        return i == 0 ? (*right)[i] : both((*right)[i], one((*left)[i], result[i - 1]));
      default:
        return Truth::Undefined;  // no path formula
    }
  }

  const logic::FormulaPool& pool_;
  std::vector<std::uint32_t> letters_;
  std::size_t back_ = Word::kNoLoop;  // where the last letter leads
  std::unordered_map<std::uint32_t, Row> values_;
};

}  // namespace

Truth value(const logic::FormulaPool& pool, logic::FormulaId path, const Word& word) {
  // Each past operator may need one more round before it repeats itself.
  return WordValues(pool, word, logic::subformulas(pool, path).size() + 2).value(path);
}

logic::FormulaId random_path_formula(logic::FormulaPool& pool, std::mt19937_64& random, int size,
                                     std::uint32_t atoms, bool with_past) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  if (size <= 0) {
    return below(12) == 0 ? pool.constant(below(2) == 0)
                          : pool.atom(std::string(1, static_cast<char>('a' + below(atoms))));
  }
  static constexpr Op kFuture[] = {Op::Not, Op::And, Op::Or, Op::Implies, Op::Iff, Op::Xor,
                                   Op::X,   Op::F,   Op::G,  Op::U,       Op::W,   Op::R,
                                   Op::X,   Op::F,   Op::G,  Op::U,       Op::R};
  static constexpr Op kPast[] = {Op::Y, Op::Z, Op::O, Op::H, Op::S, Op::T};
  const Op op = with_past && below(3) == 0 ? kPast[below(std::size(kPast))]
                                           : kFuture[below(std::size(kFuture))];
  if (logic::operand_count(op) == 1) {
    return pool.unary(op, random_path_formula(pool, random, size - 1, atoms, with_past));
  }
  const int left = static_cast<int>(below(static_cast<std::uint32_t>(size)));
  const logic::FormulaId a = random_path_formula(pool, random, left, atoms, with_past);
  return pool.binary(op, a, random_path_formula(pool, random, size - 1 - left, atoms, with_past));
}

}  // namespace nestor::test
