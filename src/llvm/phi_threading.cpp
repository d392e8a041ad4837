#include "llvm/phi_threading.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace nestor {

namespace {

constexpr int kDeepest = 8;        // casts and comparisons between the phi and the branch
constexpr int kMostThreaded = 64;  // decided blocks in a row

/// The value of `value` in `block` if that was entered from `from`; nothing if it is not constant.
std::optional<llvm::APInt> value_from(const llvm::Value* value, const llvm::BasicBlock* from,
                                      const llvm::BasicBlock* block, int depth) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    return constant->getValue();
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || instruction->getParent() != block || depth == 0) {
    return std::nullopt;
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(phi->getIncomingValueForBlock(from));
    return constant == nullptr ? std::nullopt : std::optional(constant->getValue());
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(instruction)) {
    const std::optional<llvm::APInt> operand =
        value_from(cast->getOperand(0), from, block, depth - 1);
    if (!operand || !cast->getType()->isIntegerTy()) {
      return std::nullopt;
    }
    const unsigned width = cast->getType()->getIntegerBitWidth();
    switch (cast->getOpcode()) {
      case llvm::Instruction::ZExt:
        return operand->zext(width);
      case llvm::Instruction::SExt:
        return operand->sext(width);
      case llvm::Instruction::Trunc:
        return operand->trunc(width);
      default:
        return std::nullopt;
    }
  }
  const bool compares = llvm::isa<llvm::ICmpInst>(instruction);
  if (!compares && instruction->getOpcode() != llvm::Instruction::Xor) {
    return std::nullopt;
  }
  const std::optional<llvm::APInt> left =
      value_from(instruction->getOperand(0), from, block, depth - 1);
  const std::optional<llvm::APInt> right =
      value_from(instruction->getOperand(1), from, block, depth - 1);
  if (!left || !right) {
    return std::nullopt;
  }
  if (compares) {
    const auto predicate = llvm::cast<llvm::ICmpInst>(instruction)->getPredicate();
    return llvm::APInt(1, llvm::ICmpInst::compare(*left, *right, predicate) ? 1 : 0);
  }
  return *left ^ *right;
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
    const std::optional<llvm::APInt> value =
        value_from(branch->getCondition(), from, block, kDeepest);
    return value ? branch->getSuccessor(value->isZero() ? 1 : 0) : nullptr;
  }
  if (const auto* branch = llvm::dyn_cast<llvm::SwitchInst>(last)) {
    const std::optional<llvm::APInt> value =
        value_from(branch->getCondition(), from, block, kDeepest);
    if (value) {
      for (const auto& choice : branch->cases()) {
        if (choice.getCaseValue()->getValue() == *value) {
          return choice.getCaseSuccessor();
        }
      }
      return branch->getDefaultDest();
    }
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

const llvm::BasicBlock* thread_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* block) {
  for (int i = 0; i < kMostThreaded; ++i) {
    if (!llvm::isa<llvm::PHINode>(block->front()) || !only_decides(block)) {
      return block;
    }
    const llvm::BasicBlock* next = decided(from, block);
    if (next == nullptr) {
      return block;
    }
    from = block;
    block = next;
  }
  return block;
}

}  // namespace nestor
