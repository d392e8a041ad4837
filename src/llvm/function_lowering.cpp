#include "llvm/function_lowering.h"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace nestor::bitcode {

FunctionLowering::FunctionLowering(LoweringContext& context, const llvm::Function& source,
                                   program::FunctionId id)
    : context_(context), source_(source), id_(id), function_(context.program.functions[id]) {}

std::uint32_t FunctionLowering::add(program::Point point) {
  function_.points.push_back(std::move(point));
  return static_cast<std::uint32_t>(function_.points.size() - 1);
}

void FunctionLowering::go(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& next = function_.points[from].next;
  if (std::find(next.begin(), next.end(), to) == next.end()) {
    next.push_back(to);
  }
}

std::uint32_t FunctionLowering::append(program::Point point) {
  const std::uint32_t added = add(std::move(point));
  go(current_, added);
  current_ = added;
  return added;
}

program::Point FunctionLowering::at(const llvm::Instruction& instruction) {
  const program::SourcePlace place = context_.variables.place(instruction.getDebugLoc());
  if (place.line > 0) {
    last_place_ = place;
  }
  program::Point point;
  point.place = last_place_;
  return point;
}

void FunctionLowering::warn(const llvm::Instruction& instruction, const std::string& what) {
  const program::Point point = at(instruction);
  context_.program.warnings.push_back(
      fmt::format("{}:{}: in '{}': {}", context_.program.text(point.place.file), point.place.line,
                  context_.program.text(function_.name), what));
}

/// The locals that arguments are stored into, where all accesses are by name.
void FunctionLowering::find_parameters() {
  function_.parameters.assign(source_.arg_size(), program::VariableId());
  for (const llvm::Argument& argument : source_.args()) {
    for (const llvm::User* user : argument.users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      const auto* alloca =
          store == nullptr ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      if (alloca != nullptr && store->getValueOperand() == &argument) {
        const program::VariableId variable = context_.variables.local(alloca);
        if (variable.valid() && context_.program.variables[variable].exact) {
          function_.parameters[argument.getArgNo()] = variable;
        }
      }
    }
  }
}

void FunctionLowering::run() {
  context_.variables.enter(source_, id_);
  last_place_ = function_.place;
  function_.add_ends();
  find_parameters();
  for (const llvm::BasicBlock& block : source_) {
    for (const llvm::Instruction& instruction : block) {
      const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      const program::VariableId variable =
          alloca == nullptr ? program::VariableId() : context_.variables.local(alloca);
      if (variable.valid() && !context_.program.variables[variable].exact &&
          context_.program.variables[variable].is_scalar &&
          !context_.program.variables[variable].is_artificial) {
        escaping_.push_back(variable);
      }
    }
    heads_[&block] = add(program::Point());
  }
  go(program::Function::kEntry, head(&source_.getEntryBlock()));
  for (const llvm::BasicBlock& block : source_) {
    lower_block(block);
  }
  if (!setjmps_.empty()) {
    add_longjmp_target();
  }
}

/// Whether a longjmp comes back to a setjmp of this function or of a caller is not known: both.
void FunctionLowering::add_longjmp_target() {
  context_.program.over_approximates = true;
  program::Point target;
  target.place = function_.place;
  const std::uint32_t added = add(std::move(target));
  for (program::Point& point : function_.points) {
    std::replace(point.next.begin(), point.next.end(), program::Function::kLongjmp, added);
  }
  go(added, program::Function::kLongjmp);
  for (const std::uint32_t setjmp : setjmps_) {
    const std::vector<std::uint32_t> after = function_.points[setjmp].next;
    for (const std::uint32_t next : after) {
      go(added, next);
    }
  }
  function_.longjmp_target = added;
}

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  current_ = head(&block);
  ended_ = false;
  if (const llvm::Instruction* first = block.getFirstNonPHIOrDbg(); first != nullptr) {
    function_.points[current_].place = at(*first).place;
  }
  for (const llvm::Instruction& instruction : block) {
    lower_declarations(instruction);
    if (ended_) {
      return;
    }
    if (instruction.isTerminator()) {
      lower_terminator(instruction);
    } else {
      lower(instruction);
    }
  }
}

void FunctionLowering::lower(const llvm::Instruction& instruction) {
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    lower_alloca(*alloca);
  } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    lower_load(*load);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    lower_store(*store);
  } else if (const auto* declared = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction)) {
    declare(declared->getAddress(), declared->getVariable(), declared->getDebugLoc());
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    lower_call(*call);
  } else if (llvm::isa<llvm::AtomicRMWInst>(instruction) ||
             llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) {
    lower_atomic(instruction);
  }
}

}  // namespace nestor::bitcode
