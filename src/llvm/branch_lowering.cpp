// Where control flow goes at the end of a block, and what a branch tells of the value that it
// tests.

#include "llvm/function_lowering.h"
#include "llvm/phi_threading.h"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>

namespace nestor::bitcode {

namespace {

/// How a comparison tells that a handle is none: null, or a negative number.
struct NullTest {
  const llvm::Value* tested = nullptr;
  bool null_if_true = false;
};

NullTest null_test(const llvm::ICmpInst& compare) {
  using Predicate = llvm::CmpInst::Predicate;
  const bool swapped = llvm::isa<llvm::Constant>(compare.getOperand(0));  // `NULL == p`
  const llvm::Value* tested = compare.getOperand(swapped ? 1 : 0);
  const llvm::Value* constant = compare.getOperand(swapped ? 0 : 1);
  const Predicate predicate = swapped ? compare.getSwappedPredicate() : compare.getPredicate();
  const bool equal = predicate == Predicate::ICMP_EQ;
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) {
    return compare.isEquality() ? NullTest{tested, equal} : NullTest{};
  }
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant);
  if (number == nullptr) {
    return {};
  }
  if (number->isMinusOne() && compare.isEquality()) {
    return {tested, equal};
  }
  if ((number->isZero() && predicate == Predicate::ICMP_SLT) ||
      (number->isMinusOne() && predicate == Predicate::ICMP_SLE)) {
    return {tested, true};
  }
  if ((number->isZero() && predicate == Predicate::ICMP_SGE) ||
      (number->isMinusOne() && predicate == Predicate::ICMP_SGT)) {
    return {tested, false};
  }
  return {};
}

/// A branch on the result of a call that returns a number: 0, or not negative, if all went well.
struct FailureTest {
  const llvm::CallBase* call = nullptr;
  bool failed_if_true = false;
};

FailureTest failure_test(const llvm::Instruction& branch) {
  using Predicate = llvm::CmpInst::Predicate;
  const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch);
  const auto* compare = conditional == nullptr || !conditional->isConditional()
                            ? nullptr
                            : llvm::dyn_cast<llvm::ICmpInst>(conditional->getCondition());
  if (compare == nullptr) {
    return {};
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(compare->getOperand(0));
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
  if (call == nullptr || number == nullptr) {
    return {};
  }
  if (number->isZero() && compare->isEquality()) {
    return {call, compare->getPredicate() == Predicate::ICMP_NE};
  }
  const NullTest test = null_test(*compare);
  return test.tested == nullptr ? FailureTest() : FailureTest{call, test.null_if_true};
}

}  // namespace

/// The variable whose value is compared: read from it, or just written to it, as in
/// `if ((p = f()) == NULL)`.
program::VariableId FunctionLowering::tested_variable(const llvm::Value* tested) const {
  if (tested == nullptr) {
    return {};
  }
  program::VariableId variable = context_.variables.loaded_from(tested);
  const auto found = calls_.find(llvm::dyn_cast<llvm::CallBase>(without_casts(tested)));
  if (found != calls_.end()) {
    for (const program::Fact& fact : function_.points[found->second].facts) {
      variable = fact.kind == program::FactKind::Result ? fact.variable : variable;
    }
  }
  return variable;
}

/// What is known where a branch goes to its successor number `i`. The numbers of a switch come
/// after its default.
std::optional<program::Action> FunctionLowering::test_of(const llvm::Instruction& branch,
                                                         unsigned i) {
  program::Action test;
  test.kind = program::Action::Kind::Assume;
  if (const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch)) {
    if (!conditional->isConditional()) {
      return std::nullopt;
    }
    test.value = value_of(conditional->getCondition());
    test.relation = i == 0 ? program::Relation::NotEqual : program::Relation::Equal;
    return test;
  }
  const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&branch);
  if (choice == nullptr || bits_of(choice->getCondition()->getType()) == 0) {
    return std::nullopt;
  }
  test.value = value_of(choice->getCondition());
  test.relation = program::Relation::Equal;
  test.is_else = i == 0;
  for (const llvm::SwitchInst::ConstCaseHandle& one : choice->cases()) {
    if (i == 0) {
      test.others.push_back(one.getCaseValue()->getSExtValue());
    } else if (one.getSuccessorIndex() == i) {
      test.number = one.getCaseValue()->getSExtValue();
    }
  }
  return test;
}

void FunctionLowering::lower_branch(const llvm::Instruction& branch) {
  const llvm::BasicBlock* from = branch.getParent();
  if (const llvm::BasicBlock* only = constant_successor(branch); only != nullptr) {
    const ThreadedEdge edge = thread_edge(from, only);
    go(current_, enter(edge.from, edge.to));
    return;
  }
  const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch);
  NullTest test;
  if (conditional != nullptr && conditional->isConditional()) {
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(conditional->getCondition())) {
      test = null_test(*compare);
    }
  }
  const program::VariableId tested = tested_variable(test.tested);
  const FailureTest failure = failure_test(branch);
  const auto failing = failure.call == nullptr ? calls_.end() : calls_.find(failure.call);
  const std::uint32_t last = current_;
  for (unsigned i = 0; i < branch.getNumSuccessors(); ++i) {
    const ThreadedEdge edge = thread_edge(from, branch.getSuccessor(i));
    std::uint32_t to = enter(edge.from, edge.to);
    program::Point point = at(branch);
    if (tested.valid()) {
      const bool is_null = (i == 0) == test.null_if_true;
      point.facts.push_back({.kind = is_null ? program::FactKind::Null : program::FactKind::NonNull,
                             .variable = tested});
    }
    if (failing != calls_.end() && (i == 0) == failure.failed_if_true) {
      const base::StringId callee = function_.points[failing->second].callee;
      if (callee.valid()) {
        for (const std::string& name :
             context_.externals.all_names(context_.program.text(callee))) {
          point.labels.push_back(label(fmt::format("failed_{}", name)));
        }
      }
    }
    if (std::optional<program::Action> test = test_of(branch, i)) {
      set_action(point, std::move(*test));
    }
    if (!point.facts.empty() || !point.labels.empty() || point.action != UINT32_MAX) {
      point.next.push_back(to);
      to = add(std::move(point));
    }
    go(last, to);
  }
}

void FunctionLowering::lower_terminator(const llvm::Instruction& terminator) {
  switch (terminator.getOpcode()) {
    case llvm::Instruction::Ret: {
      const llvm::Value* value = llvm::cast<llvm::ReturnInst>(terminator).getReturnValue();
      const program::VariableId returned =
          value == nullptr ? program::VariableId() : context_.variables.loaded_from(value);
      program::Point point = at(terminator);
      if (value != nullptr) {
        program::Action action;
        action.kind = program::Action::Kind::Return;
        action.value = value_of(value);
        set_action(point, std::move(action));
      }
      if (returned.valid()) {
        point.facts.push_back({.kind = program::FactKind::Returned, .variable = returned});
        point.facts.push_back({.kind = program::FactKind::Escape, .variable = returned});
      }
      append(std::move(point));
      go(current_, program::Function::kReturn);
      break;
    }
    case llvm::Instruction::Unreachable:
      go(current_, program::Function::kHalt);
      break;
    case llvm::Instruction::Resume:
      go(current_, program::Function::kUnwind);
      break;
    case llvm::Instruction::Invoke:
    case llvm::Instruction::CallBr:
      lower_call(llvm::cast<llvm::CallBase>(terminator));
      if (!ended_) {
        if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&terminator)) {
          go(current_, enter(invoke->getParent(), invoke->getNormalDest()));
        } else {
          lower_branch(terminator);
        }
      }
      break;
    case llvm::Instruction::Br:
    case llvm::Instruction::Switch:
    case llvm::Instruction::IndirectBr:
      lower_branch(terminator);
      break;
    default:
      // Exception handling of other systems (cleanupret, catchswitch, …): go wherever it may.
      warn(terminator,
           fmt::format("the instruction '{}' is over-approximated", terminator.getOpcodeName()));
      context_.program.over_approximates = true;
      lower_branch(terminator);
      go(current_, program::Function::kUnwind);
  }
}

}  // namespace nestor::bitcode
