#include "llvm/phi_threading.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace nestor::bitcode {

namespace {

constexpr int kDeepestChain = 8;   // casts and comparisons between the phi and the branch
constexpr int kMostThreaded = 64;  // decided blocks in a row

/// The value of `value` in `block` if that was entered from `from`; null if it is not constant.
const llvm::ConstantInt* value_from(const llvm::Value* value, const llvm::BasicBlock* from,
                                    const llvm::BasicBlock* block, int depth) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    return constant;
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || instruction->getParent() != block || depth == 0) {
    return nullptr;
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    return llvm::dyn_cast<llvm::ConstantInt>(phi->getIncomingValueForBlock(from));
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(instruction)) {
    const llvm::ConstantInt* operand = value_from(cast->getOperand(0), from, block, depth - 1);
    if (operand == nullptr || !cast->getType()->isIntegerTy()) {
      return nullptr;
    }
    llvm::LLVMContext& context = cast->getContext();
    const unsigned width = cast->getType()->getIntegerBitWidth();
    switch (cast->getOpcode()) {
      case llvm::Instruction::ZExt:
        return llvm::ConstantInt::get(context, operand->getValue().zext(width));
      case llvm::Instruction::SExt:
        return llvm::ConstantInt::get(context, operand->getValue().sext(width));
      case llvm::Instruction::Trunc:
        return llvm::ConstantInt::get(context, operand->getValue().trunc(width));
      default:
        return nullptr;
    }
  }
  const bool compares = llvm::isa<llvm::ICmpInst>(instruction);
  if (!compares && instruction->getOpcode() != llvm::Instruction::Xor) {
    return nullptr;
  }
  const llvm::ConstantInt* left = value_from(instruction->getOperand(0), from, block, depth - 1);
  const llvm::ConstantInt* right = value_from(instruction->getOperand(1), from, block, depth - 1);
  if (left == nullptr || right == nullptr) {
    return nullptr;
  }
  if (compares) {
    const auto predicate = llvm::cast<llvm::ICmpInst>(instruction)->getPredicate();
    return llvm::ConstantInt::getBool(
        instruction->getContext(),
        llvm::ICmpInst::compare(left->getValue(), right->getValue(), predicate));
  }
  return llvm::ConstantInt::get(instruction->getContext(), left->getValue() ^ right->getValue());
}

/// The block computes nothing that anyone else sees before it branches.
bool only_decides(const llvm::BasicBlock* block) {
  for (const llvm::Instruction& instruction : *block) {
    if (instruction.isTerminator() || llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) {
      continue;
    }
    if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(instruction) ||
        instruction.isUsedOutsideOfBlock(block)) {
      return false;
    }
  }
  return true;
}

const llvm::BasicBlock* decided(const llvm::BasicBlock* from, const llvm::BasicBlock* block) {
  const llvm::Instruction* last = block->getTerminator();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(last);
      branch != nullptr && branch->isConditional()) {
    const llvm::ConstantInt* value = value_from(branch->getCondition(), from, block, kDeepestChain);
    return value == nullptr ? nullptr : branch->getSuccessor(value->isZero() ? 1 : 0);
  }
  if (const auto* branch = llvm::dyn_cast<llvm::SwitchInst>(last)) {
    const llvm::ConstantInt* value = value_from(branch->getCondition(), from, block, kDeepestChain);
    return value == nullptr ? nullptr : branch->findCaseValue(value)->getCaseSuccessor();
  }
  return nullptr;
}

}  // namespace

const llvm::BasicBlock* constant_successor(const llvm::Instruction& branch) {
  const llvm::Value* condition = nullptr;
  if (const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch)) {
    condition = conditional->isConditional() ? conditional->getCondition() : nullptr;
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&branch)) {
    condition = choice->getCondition();
  }
  return condition != nullptr && llvm::isa<llvm::ConstantInt>(condition)
             ? decided(nullptr, branch.getParent())
             : nullptr;
}

ThreadedEdge thread_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* block) {
  for (int i = 0; i < kMostThreaded; ++i) {
    if (!llvm::isa<llvm::PHINode>(block->front()) || !only_decides(block)) {
      return {from, block};
    }
    const llvm::BasicBlock* next = decided(from, block);
    if (next == nullptr) {
      return {from, block};
    }
    from = block;
    block = next;
  }
  return {from, block};
}

}  // namespace nestor::bitcode
