// Code for `case` and for terms with several values. A case that distinguishes the values of one
// term is a jump through a table.

#include "smv/machine/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace {

constexpr int kDeepestChoice = 2000;
constexpr std::size_t kFewestBranches = 4;
constexpr std::uint64_t kMostPlaces = 64;  // places of a table for each of its values

using Kind = Instruction::Code;

}  // namespace

Register Compiler::case_scalar(TermId t, int depth) {
  const Register result = fresh();
  branches(t, depth, [&](TermId value) {
    const Register r = scalar(value, depth + 1);
    add({Kind::Move, Op::Constant, {}, {}, r, 0, result, 0, model_.terms[t].at});
  });
  return result;
}

/// The code of a case; `branch` adds that of a value.
template <class Branch>
void Compiler::branches(TermId t, int depth, Branch branch) {
  const TermId subject = switched_on(t);
  if (subject.valid()) {
    switch_branches(t, subject, depth, branch);
    return;
  }
  const Term& term = model_.terms[t];
  const std::span<const TermId> operands = model_.terms.operands(t);
  const std::size_t outside = trail_.size();
  std::vector<std::uint32_t> ends;
  bool complete = false;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const Term& condition = model_.terms[operands[i]];
    complete = condition.op == Op::Constant;  // constants other than TRUE are folded away
    std::uint32_t skip = 0;
    if (!complete) {
      const Register c = scalar(operands[i], depth + 1);
      skip = add({Kind::JumpIfFalse, Op::Constant, {}, {}, c, 0, 0, 0, condition.at});
    }
    // What a condition computed is known to the later ones, what a value computed is not.
    const std::size_t mark = trail_.size();
    branch(operands[i + 1]);
    forget_since(mark);
    ends.push_back(add({Kind::Jump, Op::Constant, {}, {}, 0, 0, 0, 0, term.at}));
    if (!complete) {
      patch(skip);
    }
  }
  if (!complete) {
    add({Kind::NoBranch, Op::Constant, {}, {}, 0, 0, 0, 0, term.at});
  }
  for (const std::uint32_t end : ends) {
    patch(end);
  }
  forget_since(outside);
}

/// The term x if every condition is `x = constant`, `x in {constants}` or, at the end, TRUE.
TermId Compiler::switched_on(TermId t) const {
  const std::span<const TermId> operands = model_.terms.operands(t);
  if (operands.size() < 2 * kFewestBranches) {
    return TermId();
  }
  TermId subject;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const Term& condition = model_.terms[operands[i]];
    if (condition.op == Op::Constant && i + 2 == operands.size()) {
      break;
    }
    const std::span<const TermId> sides = model_.terms.operands(operands[i]);
    TermId x;
    if (condition.op == Op::InSet) {
      x = sides[0];
    } else if (condition.op == Op::Equal) {
      if (model_.terms[sides[1]].op == Op::Constant) {
        x = sides[0];
      } else if (model_.terms[sides[0]].op == Op::Constant) {
        x = sides[1];
      }
    }
    if (!x.valid() || (subject.valid() && subject != x)) {
      return TermId();
    }
    subject = x;
  }
  return subject;
}

template <class Branch>
void Compiler::switch_branches(TermId t, TermId subject, int depth, Branch branch) {
  const Term& term = model_.terms[t];
  const std::span<const TermId> operands = model_.terms.operands(t);
  const Register x = scalar(subject, depth + 1);
  const auto table = static_cast<std::uint32_t>(code_.tables.size());
  code_.tables.emplace_back();
  add({Kind::Switch, Op::Constant, {}, {}, x, table, 0, 0, term.at});
  std::vector<std::pair<std::int64_t, std::uint32_t>> targets;
  std::vector<std::uint32_t> ends;
  std::uint32_t otherwise = 0;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const Term& condition = model_.terms[operands[i]];
    const auto here = static_cast<std::uint32_t>(code_.instructions.size());
    if (condition.op == Op::Constant) {
      otherwise = here;
    } else if (condition.op == Op::InSet) {
      for (const std::int64_t value : model_.terms.set(condition.value)) {
        targets.emplace_back(value, here);
      }
    } else {
      const std::span<const TermId> sides = model_.terms.operands(operands[i]);
      const TermId side = model_.terms[sides[1]].op == Op::Constant ? sides[1] : sides[0];
      targets.emplace_back(model_.terms[side].value, here);
    }
    const std::size_t mark = trail_.size();
    branch(operands[i + 1]);
    forget_since(mark);
    ends.push_back(add({Kind::Jump, Op::Constant, {}, {}, 0, 0, 0, 0, term.at}));
  }
  if (otherwise == 0) {
    otherwise = add({Kind::NoBranch, Op::Constant, {}, {}, 0, 0, 0, 0, term.at});
  }
  for (const std::uint32_t end : ends) {
    patch(end);
  }
  SwitchTable& filled = code_.tables[table];
  filled.otherwise = otherwise;
  std::stable_sort(targets.begin(), targets.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (targets.empty()) {
    return;
  }
  filled.base = targets.front().first;
  // Words of 64 bits may be further apart than a signed number can tell.
  const std::uint64_t span =
      static_cast<std::uint64_t>(targets.back().first) - static_cast<std::uint64_t>(filled.base);
  const bool dense = span < kMostPlaces * targets.size();
  if (dense) {
    filled.dense.assign(static_cast<std::size_t>(span) + 1, 0);
  }
  for (const auto& [value, target] : targets) {  // the first branch that fits is the one
    if (dense) {
      std::uint32_t& place = filled.dense[static_cast<std::size_t>(value - filled.base)];
      place = place == 0 ? target : place;
    } else {
      filled.sparse.try_emplace(value, target);
    }
  }
}

void Compiler::all_values(TermId t, int depth) {
  const Term& term = model_.terms[t];
  if (depth > kDeepestChoice) {
    throw base::Error(base::Error::Kind::Unsupported,
                      fmt::format("sets nest more than {} deep", kDeepestChoice),
                      input_.locate(term.at));
  }
  if (!term.several && term.op != Op::Case) {
    add({Kind::Yield, Op::Constant, {}, {}, scalar(t, 0), 0, 0, 0, term.at});
    return;
  }
  const std::span<const TermId> operands = model_.terms.operands(t);
  switch (term.op) {
    case Op::ConstantSet:
      add({Kind::YieldSet,
           Op::Constant,
           {},
           {},
           static_cast<Register>(term.value),
           0,
           0,
           0,
           term.at});
      return;
    case Op::Union:
      for (const TermId operand : operands) {
        all_values(operand, depth + 1);
      }
      return;
    case Op::Case:
      branches(t, 0, [&](TermId value) { all_values(value, depth + 1); });
      return;
    case Op::Select:
    case Op::Count:
    case Op::InSet:
      throw base::Error(base::Error::Kind::Unsupported,
                        "a set stands where a single value is expected", input_.locate(term.at));
    default:
      break;
  }
  for (const TermId operand : operands) {
    add({Kind::OpenList, Op::Constant, {}, {}, 0, 0, 0, 0, term.at});
    all_values(operand, depth + 1);
  }
  add({Kind::Product, term.op, term.type, model_.terms[operands.front()].type, 0,
       static_cast<std::uint32_t>(operands.size()), 0, term.value, term.at});
}

}  // namespace nestor::smv
