#include "smv/machine/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace nestor::smv {

namespace {

constexpr Register kUnknown = ~Register{0};
constexpr int kDeepestInline = 100;   // beyond, a term becomes a function: no deep recursion
constexpr std::uint32_t kHeavy = 12;  // shared terms from this size on become functions
constexpr std::size_t kMostInstructions = 20'000'000;

using Kind = Instruction::Code;

}  // namespace

Compiler::Compiler(const base::Input& input, const FlatModel& model, Code& code)
    : input_(input), model_(model), code_(code) {
  code_.instructions.emplace_back();  // so that 0 is no place to jump to
  code_.initial.assign(2 * model.variables.size(), 0);
}

/// Terms may be made as long as there are formulas to read.
void Compiler::take_new_terms() {
  const std::size_t first = uses_.size();
  uses_.resize(model_.terms.size());
  weight_.resize(model_.terms.size());
  known_.resize(model_.terms.size(), kUnknown);
  for (std::size_t i = first; i < model_.terms.size(); ++i) {
    std::uint64_t weight = 1;
    for (const TermId operand : model_.terms.operands(TermId(i))) {
      ++uses_[operand.value()];
      weight += weight_[operand.value()];
    }
    weight_[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, 1 << 20));
  }
}

Register Compiler::fresh() {
  code_.initial.push_back(0);
  return static_cast<Register>(code_.initial.size() - 1);
}

std::uint32_t Compiler::add(const Instruction& instruction) {
  if (code_.instructions.size() >= kMostInstructions) {
    throw base::Error(base::Error::Kind::Unsupported, "the expressions are too large",
                      input_.locate(instruction.at));
  }
  code_.instructions.push_back(instruction);
  return static_cast<std::uint32_t>(code_.instructions.size() - 1);
}

Register Compiler::emit(Instruction instruction) {
  instruction.result = fresh();
  add(instruction);
  return instruction.result;
}

Register Compiler::constant(std::int64_t value) {
  const auto [place, is_new] = constants_.try_emplace(value, 0);
  if (is_new) {
    place->second = fresh();
    code_.initial[place->second] = value;
  }
  return place->second;
}

void Compiler::know(TermId t, Register r) {
  known_[t] = r;
  trail_.push_back(t);
}

void Compiler::forget_since(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    known_[trail_.back()] = kUnknown;
  }
}

void Compiler::begin(Reading reading) {
  assert(trail_.empty());
  take_new_terms();
  reading_ = reading;
}

std::uint32_t Compiler::value(TermId t, Reading reading) {
  begin(reading);
  const auto entry = static_cast<std::uint32_t>(code_.instructions.size());
  const Register r = scalar(t, 0);
  add({Kind::Return, Op::Constant, {}, {}, r, 0, 0, 0, model_.terms[t].at});
  forget_since(0);
  compile_pending();
  return entry;
}

std::uint32_t Compiler::values(TermId t, Reading reading) {
  begin(reading);
  const auto entry = static_cast<std::uint32_t>(code_.instructions.size());
  all_values(t, 0);
  add({Kind::End, Op::Constant, {}, {}, 0, 0, 0, 0, model_.terms[t].at});
  forget_since(0);
  compile_pending();
  return entry;
}

void Compiler::compile_pending() {
  while (!pending_.empty()) {
    const PendingFunction next = pending_.back();
    pending_.pop_back();
    code_.functions[next.function].entry = static_cast<std::uint32_t>(code_.instructions.size());
    const Register r = inline_scalar(next.term, 0);
    add({Kind::Return,
         Op::Constant,
         {},
         {},
         r,
         0,
         code_.functions[next.function].result,
         0,
         model_.terms[next.term].at});
    forget_since(0);
  }
}

bool Compiler::wants_function(TermId t) const {
  return uses_[t.value()] > 1 && weight_[t.value()] >= kHeavy;
}

Register Compiler::call(TermId t) {
  const std::uint64_t key = (std::uint64_t{t.value()} << 24) |
                            (static_cast<std::uint64_t>(reading_.running + 1) << 1) |
                            (reading_.variables_are_next ? 1U : 0U);
  const auto [place, is_new] =
      functions_.try_emplace(key, static_cast<std::uint32_t>(code_.functions.size()));
  if (is_new) {
    code_.functions.push_back(
        {0, fresh(), reading_.variables_are_next || model_.terms[t].reads_next});
    pending_.push_back({t, place->second});
  }
  add({Kind::Call, Op::Constant, {}, {}, place->second, 0, 0, 0, model_.terms[t].at});
  return code_.functions[place->second].result;
}

Register Compiler::scalar(TermId t, int depth) {
  if (known_[t] != kUnknown) {
    return known_[t];
  }
  const bool leaf = model_.terms[t].operand_count == 0;
  const Register r = !leaf && (depth > kDeepestInline || (wants_function(t) && depth > 0))
                         ? call(t)
                         : inline_scalar(t, depth);
  know(t, r);
  return r;
}

Register Compiler::inline_scalar(TermId t, int depth) {
  const Term& term = model_.terms[t];
  const std::span<const TermId> operands = model_.terms.operands(t);
  const auto variables = static_cast<Register>(model_.variables.size());
  switch (term.op) {
    case Op::Constant:
      return constant(term.value);
    case Op::Variable: {
      const auto v = static_cast<Register>(term.value);
      return reading_.variables_are_next ? variables + v : v;
    }
    case Op::Next:
      return variables + static_cast<Register>(term.value);
    case Op::Running:
      return constant(term.value == reading_.running ? 1 : 0);
    case Op::Case:
      return case_scalar(t, depth);
    case Op::Select:
      return select(t, depth);
    case Op::Count:
      return count(t, depth);
    case Op::InSet:
      return emit({Kind::InSet,
                   term.op,
                   {},
                   {},
                   scalar(operands[0], depth + 1),
                   static_cast<std::uint32_t>(term.value),
                   0,
                   0,
                   term.at});
    case Op::And:
    case Op::Or:
      if (model_.terms[operands[1]].can_fail) {
        return lazy(t, depth);
      }
      break;
    default:
      break;
  }
  const Register a = scalar(operands.front(), depth + 1);
  const Register b = scalar(operands.back(), depth + 1);
  const Type operand = model_.terms[operands.front()].type;
  const bool is_wide = is_wide_operation(term.op, term.type, operand, term.value);
  return emit({is_wide ? Kind::ApplyWide : Kind::Apply, term.op, term.type, operand, a, b, 0,
               term.value, term.at});
}

/// `a & b` where b may have no value: then it only needs one if a is true.
Register Compiler::lazy(TermId t, int depth) {
  const Term& term = model_.terms[t];
  const std::span<const TermId> operands = model_.terms.operands(t);
  const Register result = fresh();
  const Register a = scalar(operands[0], depth + 1);
  add({Kind::Move, Op::Constant, {}, {}, a, 0, result, 0, term.at});
  const std::uint32_t jump = add({term.op == Op::And ? Kind::JumpIfFalse : Kind::JumpIfTrue,
                                  Op::Constant,
                                  {},
                                  {},
                                  a,
                                  0,
                                  0,
                                  0,
                                  term.at});
  const std::size_t mark = trail_.size();
  const Register b = scalar(operands[1], depth + 1);
  add({Kind::Move, Op::Constant, {}, {}, b, 0, result, 0, term.at});
  forget_since(mark);
  patch(jump);
  return result;
}

Register Compiler::count(TermId t, int depth) {
  const Term& term = model_.terms[t];
  Register sum = constant(0);
  for (const TermId operand : model_.terms.operands(t)) {
    sum = emit(
        {Kind::Apply, Op::Plus, kNumber, kNumber, sum, scalar(operand, depth + 1), 0, 0, term.at});
  }
  return sum;
}

Register Compiler::select(TermId t, int depth) {
  const Term& term = model_.terms[t];
  const std::span<const TermId> operands = model_.terms.operands(t);
  const Register index = scalar(operands[0], depth + 1);
  const Register result = fresh();
  const bool simple = std::all_of(operands.begin() + 1, operands.end(), [&](TermId e) {
    return model_.terms[e].operand_count == 0 && !model_.terms[e].several;
  });
  if (simple) {
    std::vector<Register> elements;
    for (const TermId e : operands.subspan(1)) {
      elements.push_back(scalar(e, depth + 1));
    }
    code_.lists.push_back(std::move(elements));
    add({Kind::Select,
         term.op,
         {},
         {},
         index,
         static_cast<std::uint32_t>(code_.lists.size() - 1),
         result,
         term.value,
         term.at});
    return result;
  }
  // Elements that take work are computed only if they are the one.
  std::vector<std::uint32_t> ends;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const Register here = constant(term.value + static_cast<std::int64_t>(i) - 1);
    const Register is_here =
        emit({Kind::Apply, Op::Equal, kBoolean, kNumber, index, here, 0, 0, term.at});
    const std::uint32_t skip =
        add({Kind::JumpIfFalse, Op::Constant, {}, {}, is_here, 0, 0, 0, term.at});
    const std::size_t mark = trail_.size();
    const Register value = scalar(operands[i], depth + 1);
    add({Kind::Move, Op::Constant, {}, {}, value, 0, result, 0, term.at});
    forget_since(mark);
    ends.push_back(add({Kind::Jump, Op::Constant, {}, {}, 0, 0, 0, 0, term.at}));
    patch(skip);
  }
  add({Kind::Select,
       term.op,
       {},
       {},
       index,
       static_cast<std::uint32_t>(code_.lists.size()),
       result,
       term.value,
       term.at});
  code_.lists.emplace_back();  // nothing fits: the index is out of bounds
  for (const std::uint32_t end : ends) {
    patch(end);
  }
  return result;
}

}  // namespace nestor::smv
