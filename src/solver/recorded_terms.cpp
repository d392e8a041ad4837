#include "solver/recorded_terms.h"

#include <algorithm>

namespace nestor::solver {

namespace {

std::uint64_t unsigned_of(std::int64_t number, unsigned bits) {
  const auto all = static_cast<std::uint64_t>(number);
  return bits >= 64 ? all : all & ((std::uint64_t{1} << bits) - 1);
}

/// The number with so many bits, read with a sign; of one bit 0 or 1.
std::int64_t cut(std::int64_t number, unsigned bits) {
  if (bits == 1) {
    return number & 1;
  }
  const unsigned gone = 64 - bits;
  return gone == 0 ? number
                   : static_cast<std::int64_t>(static_cast<std::uint64_t>(number) << gone) >> gone;
}

std::int64_t extended(std::int64_t number, unsigned bits, bool has_sign) {
  if (!has_sign) {
    return static_cast<std::int64_t>(unsigned_of(number, bits));
  }
  return bits == 1 ? -number : number;
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace

BitVectorId RecordedTerms::add(Term term) {
  const auto is_part = [&](BitVectorId part) { return part.valid() && is_open(part); };
  term.has_unknown = term.kind == Kind::Unknown || is_part(term.left) || is_part(term.right);
  terms_.push_back(term);
  return BitVectorId(terms_.size() - 1);
}

std::int64_t RecordedTerms::computed(const Term& term) const {
  const std::int64_t left = term.left.valid() ? at(term.left) : 0;
  const std::int64_t right = term.right.valid() ? at(term.right) : 0;
  switch (term.kind) {
    case Kind::Apply:
      switch (term.operation) {
        case Operation::Add:
          return sum(left, right);
        case Operation::Subtract:
          return difference(left, right);
        case Operation::And:
          return left & right;
        case Operation::Or:
          return left | right;
        default:
          return left ^ right;
      }
    case Kind::Compare: {
      const unsigned bits = terms_[term.left.value()].bits;
      const bool is_less = term.flag ? unsigned_of(left, bits) < unsigned_of(right, bits)
                                     : extended(left, bits, true) < extended(right, bits, true);
      return term.order == Order::Equal  ? (left == right ? 1 : 0)
             : term.order == Order::Less ? (is_less ? 1 : 0)
                                         : (is_less || left == right ? 1 : 0);
    }
    case Kind::Negate:
      return left == 0 ? 1 : 0;
    case Kind::Extend:
      return extended(left, terms_[term.left.value()].bits, term.flag);
    case Kind::Truncate:
      return left;
    default:
      return term.number;
  }
}

void RecordedTerms::evaluate() {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    values_[i] = cut(term.kind == Kind::Unknown ? assigned_[i] : computed(term), term.bits);
  }
}

/// Gives unknowns numbers with which the term is what is wanted, all others being what they are.
bool RecordedTerms::make(BitVectorId id, std::int64_t wanted, int depth) {
  const Term& term = terms_[id.value()];
  wanted = cut(wanted, term.bits);
  if (at(id) == wanted) {
    return true;
  }
  if (!term.has_unknown || depth > kDeepest) {
    return false;
  }
  switch (term.kind) {
    case Kind::Unknown:
      assigned_[id.value()] = wanted;
      return true;
    case Kind::Apply:
      return make_applied(term, wanted, depth + 1);
    case Kind::Compare:
      return make_compared(term, wanted != 0, depth + 1);
    case Kind::Negate:
      return make(term.left, wanted == 0 ? 1 : 0, depth + 1);
    case Kind::Extend: {
      const unsigned bits = terms_[term.left.value()].bits;
      return cut(extended(cut(wanted, bits), bits, term.flag), term.bits) == wanted &&
             make(term.left, wanted, depth + 1);
    }
    case Kind::Truncate:
      return make(term.left, wanted, depth + 1);
    default:
      return false;
  }
}

bool RecordedTerms::make_applied(const Term& term, std::int64_t wanted, int depth) {
  const BitVectorId open = is_open(term.left) ? term.left : term.right;
  const std::int64_t other = at(is_open(term.left) ? term.right : term.left);
  switch (term.operation) {
    case Operation::Add:
      return make(open, difference(wanted, other), depth);
    case Operation::Subtract:
      return make(open, open == term.left ? sum(wanted, other) : difference(other, wanted), depth);
    case Operation::ExclusiveOr:
      return make(open, wanted ^ other, depth);
    case Operation::And:
      return make(open, (at(open) & ~other) | wanted, depth);
    default:
      return term.bits == 1 && wanted == 0
                 ? make(term.left, 0, depth) && make(term.right, 0, depth)
                 : make(term.left, wanted, depth) || make(term.right, wanted, depth);
  }
}

bool RecordedTerms::make_compared(const Term& term, bool wanted, int depth) {
  const bool is_left = is_open(term.left);
  const BitVectorId open = is_left ? term.left : term.right;
  const std::int64_t other = at(is_left ? term.right : term.left);
  if (term.order == Order::Equal) {
    const std::int64_t step = goes_down_ ? -1 : 1;
    return wanted ? make(open, other, depth)
                  : make(open, sum(other, step), depth) || make(open, sum(other, -step), depth);
  }
  // What is wanted: less or not, with the bound or without.
  const bool is_below = is_left == wanted;
  const bool is_strict = (term.order == Order::Less) == wanted;
  return make(open, !is_strict ? other : is_below ? difference(other, 1) : sum(other, 1), depth);
}

bool RecordedTerms::can_be_true(const std::vector<BitVectorId>& conditions) {
  values_.assign(terms_.size(), 0);
  assigned_.assign(terms_.size(), 1);
  const auto is_false = [&](BitVectorId condition) { return at(condition) != 1; };
  evaluate();
  for (int round = 0; round < kMostRounds; ++round) {
    bool is_changed = false;
    goes_down_ = round % 2 != 0;
    for (const BitVectorId condition : conditions) {
      if (is_false(condition)) {
        make(condition, 1, 0);
        evaluate();
        is_changed = true;
      }
    }
    if (!is_changed) {
      return true;
    }
  }
  return std::none_of(conditions.begin(), conditions.end(), is_false);
}

}  // namespace nestor::solver
