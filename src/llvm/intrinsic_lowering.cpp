// Calls of LLVM's own functions, which stand for parts of the language.

#include "llvm/function_lowering.h"

#include <llvm/IR/Instructions.h>

namespace nestor::bitcode {

namespace {

/// The call writes the whole of a local.
bool overwrites_local(const llvm::MemIntrinsic& call) {
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(without_casts(call.getDest()));
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  const std::optional<llvm::TypeSize> size =
      local == nullptr ? std::nullopt : local->getAllocationSize(call.getModule()->getDataLayout());
  return length != nullptr && size && !size->isScalable() &&
         length->getValue().uge(size->getFixedValue());
}

}  // namespace

void FunctionLowering::lower_memory_intrinsic(const llvm::MemIntrinsic& call) {
  program::Point point = at(call);
  name_call(point, llvm::isa<llvm::MemSetInst>(call)    ? "memset"
                   : llvm::isa<llvm::MemMoveInst>(call) ? "memmove"
                                                        : "memcpy");
  set_call_action(call, point);
  const auto follow = [&](const llvm::Value* pointer) {
    const program::VariableId followed = context_.variables.loaded_from(base_of(pointer));
    if (followed.valid()) {
      point.facts.push_back({.kind = program::FactKind::Deref, .variable = followed});
    }
  };
  if (const program::VariableId to = context_.variables.addressed_by(call.getDest()); to.valid()) {
    point.facts.push_back(
        {.kind = overwrites_local(call) ? program::FactKind::Def : program::FactKind::MayDef,
         .variable = to});
  }
  follow(call.getDest());
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
    const program::VariableId from = context_.variables.addressed_by(transfer->getSource());
    if (from.valid()) {
      point.facts.push_back({.kind = program::FactKind::Use, .variable = from});
    }
    follow(transfer->getSource());
  }
  append(std::move(point));
}

void FunctionLowering::lower_intrinsic(const llvm::IntrinsicInst& call) {
  if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
    lower_memory_intrinsic(*memory);
    return;
  }
  program::Point point = at(call);
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::vastart:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::vacopy: {
      const llvm::Intrinsic::ID id = call.getIntrinsicID();
      name_call(point, id == llvm::Intrinsic::vastart ? "va_start"
                       : id == llvm::Intrinsic::vaend ? "va_end"
                                                      : "va_copy");
      add_argument_facts(call, 0, point, true);
      set_call_action(call, point);
      append(std::move(point));
      break;
    }
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::ubsantrap:
      name_call(point, "trap");
      append(std::move(point));
      go(current_, program::Function::kHalt);
      ended_ = true;
      break;
    case llvm::Intrinsic::eh_sjlj_setjmp:
      name_call(point, "setjmp");
      setjmps_.push_back(append(std::move(point)));
      break;
    case llvm::Intrinsic::eh_sjlj_longjmp:
      name_call(point, "longjmp");
      append(std::move(point));
      go(current_, program::Function::kLongjmp);
      ended_ = true;
      break;
    default:
      break;  // arithmetic, lifetimes, hints: no events
  }
}

}  // namespace nestor::bitcode
