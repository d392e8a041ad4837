#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instruction.h>

namespace nestor::bitcode {

/// At -O0 `a && b`, `a || b` and `c ? 1 : 0` become a phi of constants that a branch then looks at.
/// Where `block` comes from `from` with a constant, and does nothing but decide, the branch that it
/// takes is known: returns where the edge leads in the end, or `block` itself, and the block that
/// it comes from then.
struct ThreadedEdge {
  const llvm::BasicBlock* from;
  const llvm::BasicBlock* to;
};
ThreadedEdge thread_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* block);

/// The successor that a branch on a constant takes; null if it is none.
const llvm::BasicBlock* constant_successor(const llvm::Instruction& branch);

}  // namespace nestor::bitcode
