// Declarations, reads and writes of variables.

#include "llvm/function_lowering.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace nestor::bitcode {

namespace {

/// Some use of a pointer that was loaded from a local keeps it where nobody follows. Loads and
/// stores through it, comparisons and calls are looked at where they are; `interior` is for the
/// address of a part, which calls and stores may keep.
bool is_kept(const llvm::Value* pointer, bool interior) {
  for (const llvm::User* user : pointer->users()) {
    if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::ICmpInst>(user)) {
      continue;
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (interior && store->getValueOperand() == pointer) {
        return true;
      }
    } else if (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      // One level of steps is enough at -O0; what goes further counts as kept.
      if (interior || is_kept(step, true)) {
        return true;
      }
    } else if (llvm::isa<llvm::CallBase>(user)) {
      if (interior && !llvm::isa<llvm::IntrinsicInst>(user)) {
        return true;
      }
    } else if (!llvm::isa<llvm::ReturnInst>(user)) {
      return true;
    }
  }
  return false;
}

bool has_only_user(const llvm::Value& value, unsigned operation) {
  const auto* user =
      value.hasOneUse() ? llvm::dyn_cast<llvm::Instruction>(*value.user_begin()) : nullptr;
  return user != nullptr && user->getOpcode() == operation;
}

/// Bits of a field are written by reading what lies around them and writing it back.
bool is_for_neighbours(const llvm::LoadInst& load) {
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(load.getPointerOperand());
  const bool is_field = llvm::isa<llvm::GetElementPtrInst>(load.getPointerOperand()) ||
                        (local != nullptr && local->getAllocatedType()->isStructTy());
  if (!is_field || !has_only_user(load, llvm::Instruction::And)) {
    return false;
  }
  const llvm::Value* value = *load.user_begin();
  if (has_only_user(*value, llvm::Instruction::Or)) {
    value = *value->user_begin();
  }
  return std::any_of(value->user_begin(), value->user_end(), [&](const llvm::User* user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store != nullptr && store->getPointerOperand() == load.getPointerOperand();
  });
}

bool is_stored_elsewhere(const llvm::Value& value, const llvm::StoreInst& store) {
  return std::any_of(value.user_begin(), value.user_end(), [&](const llvm::User* user) {
    return user != &store && llvm::isa<llvm::StoreInst>(user);
  });
}

}  // namespace

bool is_sigaction(const llvm::Type* type) {
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure != nullptr && !structure->isLiteral() &&
         structure_name(*structure) == "sigaction";
}

void FunctionLowering::lower_declarations(const llvm::Instruction& instruction) {
  if (ended_) {
    return;
  }
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
    if (record.isDbgDeclare()) {
      declare(record.getAddress(), record.getVariable(), record.getDebugLoc());
    }
  }
}

void FunctionLowering::declare(const llvm::Value* address, const llvm::DILocalVariable* variable,
                               const llvm::DebugLoc& location) {
  const auto* alloca = llvm::dyn_cast_or_null<llvm::AllocaInst>(address);
  const program::VariableId id =
      alloca == nullptr ? program::VariableId() : context_.variables.local(alloca);
  if (!id.valid() || variable->isParameter()) {
    return;
  }
  program::Point point;
  point.place = context_.variables.place(location);
  point.facts.push_back({.kind = program::FactKind::Scope, .variable = id});
  declared_at_[id] = location.get();
  append(std::move(point));
}

/// `alloca` and what is like it: memory that only the pointer to it has a name.
void FunctionLowering::lower_alloca(const llvm::AllocaInst& alloca) {
  const program::VariableId memory = context_.variables.local(&alloca);
  if (!memory.valid() || !alloca.isArrayAllocation() ||
      !context_.program.variables[memory].is_artificial) {
    return;
  }
  program::Point point = at(alloca);
  point.facts.push_back({.kind = program::FactKind::Scope, .variable = memory});
  for (const llvm::User* user : alloca.users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    const auto* name =
        store == nullptr ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
    if (name != nullptr && context_.variables.local(name).valid()) {
      point.facts.push_back(
          {.kind = program::FactKind::Result, .variable = context_.variables.local(name)});
      break;
    }
  }
  append(std::move(point));
}

/// The variable, and the pointer that was followed to get there.
void FunctionLowering::add_access(program::Point& point, const llvm::Value* pointer,
                                  const llvm::Type* type, bool writes) {
  const program::VariableId variable = context_.variables.of(pointer, type);
  const program::Variable& known = context_.program.variables[variable];
  const bool whole =
      (known.kind == program::VariableKind::Local || known.kind == program::VariableKind::Global) &&
      known.is_scalar;
  const program::FactKind kind = !writes
                                     ? program::FactKind::Use
                                     : (whole ? program::FactKind::Def : program::FactKind::MayDef);
  point.facts.push_back({.kind = kind, .variable = variable});
  const program::VariableId followed = context_.variables.loaded_from(base_of(pointer));
  if (followed.valid()) {
    point.facts.push_back({.kind = program::FactKind::Deref, .variable = followed});
  }
}

void FunctionLowering::lower_load(const llvm::LoadInst& load) {
  program::Point point = at(load);
  add_access(point, load.getPointerOperand(), load.getType(), false);
  program::Action action;
  action.kind = program::Action::Kind::Read;
  action.bits = bits_of(load.getType());
  action.result = load.isVolatile() ? program::ValueId() : bound_value(&load);
  action.address = value_of(load.getPointerOperand());
  if (!is_for_neighbours(load)) {
    set_action(point, std::move(action));
  }
  const program::VariableId read = context_.variables.loaded_from(&load);
  if (read.valid() && is_kept(&load, false)) {
    point.facts.push_back({.kind = program::FactKind::Escape, .variable = read});
  }
  append(std::move(point));
}

void FunctionLowering::lower_store(const llvm::StoreInst& store) {
  program::Point point = at(store);
  const llvm::Value* value = store.getValueOperand();
  add_access(point, store.getPointerOperand(), value->getType(), true);
  program::Action action;
  action.kind = program::Action::Kind::Write;
  action.bits = bits_of(value->getType());
  action.value = value_of(value);
  action.address = value_of(store.getPointerOperand());
  set_action(point, std::move(action));
  const program::VariableId written = point.facts.front().variable;
  point.facts.front().is_incoming = llvm::isa<llvm::Argument>(value);
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    point.facts.front().is_constant = true;
    point.facts.front().is_default =
        constant->isNullValue() || declared_at_[written] == store.getDebugLoc().get();
  }
  const llvm::Value* origin = without_casts(value);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(origin)) {
    if (const auto found = calls_.find(call); found != calls_.end()) {
      point.facts.front().from = found->second;
      const bool exact = context_.program.variables[written].exact;
      function_.points[found->second].facts.push_back(
          {.kind = exact ? program::FactKind::Result : program::FactKind::Escape,
           .variable = written});
    }
  }
  // `a = b->c = f()`: the result is kept in several places.
  if (llvm::isa<llvm::CallBase>(origin) && context_.program.variables[written].exact &&
      is_stored_elsewhere(*origin, store)) {
    point.facts.push_back({.kind = program::FactKind::Escape, .variable = written});
  }
  const program::VariableId copied = context_.variables.loaded_from(origin);
  if (copied.valid()) {
    point.facts.push_back({.kind = program::FactKind::Escape, .variable = copied});
  }
  if (context_.program.variables[written].kind == program::VariableKind::Memory) {
    add_may_definitions(point);
  }
  note_signal_handler(store);
  append(std::move(point));
}

/// `action.sa_handler = f`: the way to signal handlers that is no call.
void FunctionLowering::note_signal_handler(const llvm::StoreInst& store) {
  const auto* handler =
      llvm::dyn_cast<llvm::Function>(store.getValueOperand()->stripPointerCasts());
  if (handler == nullptr || handler->isDeclaration()) {
    return;
  }
  const llvm::Value* pointer = store.getPointerOperand();
  bool found = false;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    found |= is_sigaction(step->getSourceElementType());
    pointer = step->getPointerOperand();
  }
  const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(pointer);
  if (found || (alloca != nullptr && is_sigaction(alloca->getAllocatedType()))) {
    if (const auto known = context_.functions.find(handler); known != context_.functions.end()) {
      context_.stored_handlers.push_back(known->second);
    }
  }
}

void FunctionLowering::lower_atomic(const llvm::Instruction& instruction) {
  program::Point point = at(instruction);
  const llvm::Value* pointer = instruction.getOperand(0);
  const llvm::Type* type = instruction.getOperand(1)->getType();
  add_access(point, pointer, type, false);
  point.facts.push_back(
      {.kind = program::FactKind::MayDef, .variable = context_.variables.of(pointer, type)});
  program::Action action;  // the result is not followed
  action.kind = program::Action::Kind::Write;
  action.bits = bits_of(type);
  action.value = function_.values.push_back({});
  action.address = value_of(pointer);
  set_action(point, std::move(action));
  append(std::move(point));
}

}  // namespace nestor::bitcode
