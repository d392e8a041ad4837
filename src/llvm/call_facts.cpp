// What a call does to variables, and what is known of its arguments and its result.

#include "llvm/function_lowering.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace nestor::bitcode {

namespace {

constexpr std::size_t kLongestConstant = 40;

/// `value` decides something: it is compared, switched on or returned, or so is the one local that
/// it is stored into.
bool is_checked(const llvm::Value* value, bool follow) {
  for (const llvm::User* user : value->users()) {
    if (llvm::isa<llvm::ICmpInst>(user) || llvm::isa<llvm::FCmpInst>(user) ||
        llvm::isa<llvm::SwitchInst>(user) || llvm::isa<llvm::ReturnInst>(user) ||
        llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::BranchInst>(user)) {
      return true;
    }
    if (llvm::isa<llvm::CastInst>(user) && is_checked(user, follow)) {
      return true;
    }
    if (llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::BinaryOperator>(user) ||
        llvm::isa<llvm::PHINode>(user)) {
      for (const llvm::User* further : user->users()) {
        if (llvm::isa<llvm::ICmpInst>(further) || llvm::isa<llvm::SwitchInst>(further) ||
            llvm::isa<llvm::ReturnInst>(further) || llvm::isa<llvm::BranchInst>(further) ||
            llvm::isa<llvm::PHINode>(further)) {
          return true;
        }
      }
    }
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!follow || store == nullptr || store->getValueOperand() != value) {
      continue;
    }
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
    if (alloca == nullptr) {
      return true;  // kept in memory: whoever reads it may check it
    }
    for (const llvm::User* reader : alloca->users()) {
      if (llvm::isa<llvm::LoadInst>(reader) && is_checked(reader, false)) {
        return true;
      }
    }
  }
  return false;
}

/// The text of a constant argument, empty if it is none that can be written down.
std::string constant_text(const llvm::Value* value) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    return number->getBitWidth() <= 64 ? fmt::format("{}", number->getSExtValue()) : std::string();
  }
  if (llvm::isa<llvm::ConstantPointerNull>(value)) {
    return "null";
  }
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value->stripPointerCasts());
  if (global == nullptr || !global->isConstant() || !global->hasInitializer()) {
    return {};
  }
  const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer());
  if (data == nullptr || !data->isCString() || data->getAsCString().size() > kLongestConstant) {
    return {};
  }
  const std::string text = data->getAsCString().str();
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  return printable ? text : std::string();
}

}  // namespace

/// Where the address of a scalar local is known to others, calls and stores through pointers may
/// write it.
void FunctionLowering::add_may_definitions(program::Point& point) {
  for (const program::VariableId variable : escaping_) {
    point.facts.push_back({.kind = program::FactKind::MayDef, .variable = variable});
  }
}

void FunctionLowering::add_argument_facts(const llvm::CallBase& call, unsigned index,
                                          program::Point& point, bool borrows) {
  const llvm::Value* argument = without_casts(call.getArgOperand(index));
  const auto number = static_cast<std::uint8_t>(std::min(index, 255U));
  const program::VariableId passed = context_.variables.loaded_from(argument);
  if (passed.valid()) {
    point.facts.push_back(
        {.kind = program::FactKind::Argument, .index = number, .variable = passed});
    if (!borrows) {
      point.facts.push_back({.kind = program::FactKind::Escape, .variable = passed});
    }
    return;
  }
  if (!argument->getType()->isPointerTy() || llvm::isa<llvm::Function>(argument)) {
    return;
  }
  // `&x`, `&object->lock`, an array; or a pointer read from a field or global, which is known by
  // it.
  program::VariableId addressed = context_.variables.addressed_by(argument);
  if (!addressed.valid()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(argument)) {
      addressed = context_.variables.addressed_by(load->getPointerOperand());
      if (addressed.valid()) {
        point.facts.push_back(
            {.kind = program::FactKind::Argument, .index = number, .variable = addressed});
      }
    }
    return;
  }
  point.facts.push_back(
      {.kind = program::FactKind::Address, .index = number, .variable = addressed});
}

void FunctionLowering::add_call_facts(const llvm::CallBase& call, program::Point& point,
                                      bool borrows) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    add_argument_facts(call, i, point, borrows);
  }
  set_call_action(call, point);
  add_may_definitions(point);
}

void FunctionLowering::add_result_labels(const llvm::CallBase& call, program::Point& point) {
  if (call.getType()->isVoidTy()) {
    return;
  }
  if (call.use_empty()) {
    point.labels.push_back(label("ret_ignored"));
  } else {
    point.labels.push_back(label("ret_used"));
    if (is_checked(&call, true)) {
      point.labels.push_back(label("ret_checked"));
    }
  }
}

void FunctionLowering::add_constant_labels(const llvm::CallBase& call, program::Point& point) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const std::string text = constant_text(call.getArgOperand(i));
    if (!text.empty()) {
      point.labels.push_back(label(fmt::format("arg{}={}", i, text)));
    }
  }
}

}  // namespace nestor::bitcode
