#include "logic/formula.h"

#include "base/error.h"

#include <algorithm>
#include <cassert>
#include <queue>

namespace nestor::logic {

namespace {

constexpr std::size_t kFirstSlots = 64;

std::size_t hash_of(const Formula& formula) {
  // An atom has no operands, so its name can take the place of one.
  const std::uint64_t left = formula.op == Op::Atom ? formula.atom.value() : formula.left.value();
  std::uint64_t hash = (left << 32) | formula.right.value();
  hash ^= static_cast<std::uint64_t>(formula.op) << 58;
  // Multiply, then bring the high bits down: the table uses the low ones.
  hash *= 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

}  // namespace

FormulaId FormulaPool::constant(bool value) {
  Formula formula;
  formula.op = value ? Op::True : Op::False;
  return intern(formula);
}

FormulaId FormulaPool::atom(std::string_view proposition) {
  Formula formula;
  formula.op = Op::Atom;
  formula.atom = atoms_.intern(proposition);
  return intern(formula);
}

FormulaId FormulaPool::unary(Op op, FormulaId operand) {
  assert(operand_count(op) == 1);
  assert(operand.value() < size());
  Formula formula;
  formula.op = op;
  formula.left = operand;
  return intern(formula);
}

FormulaId FormulaPool::binary(Op op, FormulaId left, FormulaId right) {
  assert(operand_count(op) == 2);
  assert(left.value() < size() && right.value() < size());
  Formula formula;
  formula.op = op;
  formula.left = left;
  formula.right = right;
  return intern(formula);
}

FormulaId FormulaPool::intern(const Formula& formula) {
  if (formulas_.size() * 2 >= slots_.size()) {
    grow();
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash_of(formula) & mask;
  for (; slots_[i].valid(); i = (i + 1) & mask) {
    if (formulas_[slots_[i]] == formula) {
      return slots_[i];
    }
  }
  if (formulas_.size() == FormulaId::kInvalid) {
    throw base::Error(base::Error::Kind::Unsupported, "more than 4 billion subformulas");
  }
  traits_.push_back(traits_of(formula));
  slots_[i] = formulas_.push_back(formula);
  return slots_[i];
}

std::uint8_t FormulaPool::traits_of(const Formula& formula) const {
  std::uint8_t traits = 0;
  const int operands = operand_count(formula.op);
  if (operands >= 1) {
    traits |= traits_[formula.left];
  }
  if (operands == 2) {
    traits |= traits_[formula.right];
  }
  if (formula.op < Op::EX) {
    return traits;
  }
  if (is_path_operator(formula.op)) {
    return traits | kPath | kBeyondCtl | kTemporal;
  }
  assert(formula.op >= Op::E || (traits & kPath) == 0);  // logic/path_formula.h makes them
  traits = (traits | kTemporal) & static_cast<std::uint8_t>(~kPath);
  return formula.op >= Op::E ? traits | kBeyondCtl : traits;
}

void FormulaPool::grow() {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 2), FormulaId());
  const std::size_t mask = slots_.size() - 1;
  for (const FormulaId id : formulas_.ids()) {
    std::size_t i = hash_of(formulas_[id]) & mask;
    while (slots_[i].valid()) {
      i = (i + 1) & mask;
    }
    slots_[i] = id;
  }
}

namespace {

template <class GoesBelow>
std::vector<FormulaId> collect(const FormulaPool& pool, FormulaId root, GoesBelow goes_below) {
  // Operands have smaller ids, so taking the largest id first meets every formula after all those
  // it stands in: equal ids come out of the queue one after the other, and no set of visited
  // formulas, whose size would be that of the pool, is needed.
  constexpr std::size_t kOfMost = 16;
  std::vector<FormulaId> result;
  result.reserve(kOfMost);
  std::vector<FormulaId> space;
  space.reserve(kOfMost);
  std::priority_queue<FormulaId> open(std::less<FormulaId>(), std::move(space));
  open.push(root);
  while (!open.empty()) {
    const FormulaId id = open.top();
    open.pop();
    if (!result.empty() && result.back() == id) {
      continue;
    }
    result.push_back(id);
    const Formula& formula = pool[id];
    const int operands = goes_below(id) ? operand_count(formula.op) : 0;
    if (operands >= 1) {
      open.push(formula.left);
    }
    if (operands == 2 && formula.right != formula.left) {
      open.push(formula.right);
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

std::vector<FormulaId> subformulas(const FormulaPool& pool, FormulaId root) {
  return collect(pool, root, [](FormulaId) { return true; });
}

std::vector<FormulaId> path_subformulas(const FormulaPool& pool, FormulaId path) {
  return collect(pool, path, [&](FormulaId f) { return !pool.is_state_formula(f); });
}

}  // namespace nestor::logic
