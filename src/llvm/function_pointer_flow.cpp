#include "llvm/function_pointer_flow.h"

#include "llvm/variable_table.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace nestor::bitcode {

namespace {

/// The type of parameter `index`; null for what `...` takes, and if structures are taken apart.
const llvm::DIType* parameter(const llvm::DISubroutineType* type,
                              const llvm::FunctionType& function, unsigned index) {
  if (type == nullptr || type->getTypeArray().size() == 0) {
    return nullptr;
  }
  const llvm::DITypeRefArray parts = type->getTypeArray();
  unsigned count = parts.size() - 1;
  if (count > 0 && parts[count] == nullptr) {
    --count;
  }
  return count == function.getNumParams() && index < count ? parts[index + 1] : nullptr;
}

/// What a constant without a type of its own, the initial value of a local, is copied to.
const llvm::Value* copied_to(const llvm::GlobalVariable& global) {
  for (const llvm::User* user : global.users()) {
    const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
    if (copy != nullptr && copy->getSource()->stripPointerCasts() == &global) {
      return copy->getDest();
    }
  }
  return nullptr;
}

}  // namespace

FunctionPointerFlow::FunctionPointerFlow(const llvm::Module& module, DebugTypes& types)
    : layout_(module.getDataLayout()), types_(types) {
  for (const llvm::Function& function : module) {
    if (function.hasAddressTaken(nullptr, false, true, true)) {
      if (const llvm::DISubroutineType* type = DebugTypes::of_function(function); type != nullptr) {
        functions_of(type).insert(&function);
      }
    }
    collect(function);
  }
  for (const llvm::GlobalVariable& global : module.globals()) {
    // Functions in tables of classes are called by their slot.
    if (global.hasInitializer() && !global.getName().starts_with("_ZTV") &&
        !global.getName().starts_with("llvm.")) {
      collect(global);
    }
  }
  close();
}

std::set<const llvm::Function*>& FunctionPointerFlow::functions_of(
    const llvm::DISubroutineType* type) {
  const unsigned number = types_.number(type);
  if (number >= functions_.size()) {
    functions_.resize(number + 1);
    becomes_.resize(number + 1);
  }
  return functions_[number];
}

/// `value` comes to a place of type `to`; null: not known. The values of a choice come there, too.
void FunctionPointerFlow::flow(const llvm::Value* value, const llvm::DIType* to) {
  if (!llvm::isa<llvm::PHINode>(value) && !llvm::isa<llvm::SelectInst>(value)) {
    flow_one(value, to);
    return;
  }
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work = {value};
  while (!work.empty()) {
    const llvm::Value* one = work.back();
    work.pop_back();
    if (!seen.insert(one).second) {
      continue;
    }
    if (llvm::isa<llvm::PHINode>(one) || llvm::isa<llvm::SelectInst>(one)) {
      const auto* choice = llvm::cast<llvm::User>(one);
      work.insert(work.end(), choice->op_begin(), choice->op_end());
    } else {
      flow_one(one, to);
    }
  }
}

void FunctionPointerFlow::flow_one(const llvm::Value* value, const llvm::DIType* to) {
  if (const llvm::Function* function = as_function(value); function != nullptr) {
    const llvm::DISubroutineType* type = DebugTypes::called_through(to);
    (type == nullptr ? loose_ : functions_of(type)).insert(function);
    return;
  }
  const llvm::DISubroutineType* from = DebugTypes::called_through(types_.of_value(value));
  const llvm::DISubroutineType* type = from == nullptr ? nullptr : DebugTypes::called_through(to);
  if (from == nullptr || from == type) {
    return;
  }
  functions_of(from);  // makes room for both
  if (type == nullptr) {
    loose_types_.insert(types_.number(from));
  } else if (functions_of(type); types_.number(from) != types_.number(type)) {
    becomes_[types_.number(from)].insert(types_.number(type));
  }
}

void FunctionPointerFlow::collect(const llvm::Function& function) {
  const llvm::DISubroutineType* own = DebugTypes::of_function(function);
  const llvm::DIType* result =
      own == nullptr || own->getTypeArray().size() == 0 ? nullptr : own->getTypeArray()[0];
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (store->getValueOperand()->getType()->isPointerTy()) {
          flow(store->getValueOperand(), types_.of_object(store->getPointerOperand()));
        }
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        collect_arguments(*call);
      } else if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
        if (end->getReturnValue() != nullptr && end->getReturnValue()->getType()->isPointerTy()) {
          flow(end->getReturnValue(), result);
        }
      }
      for (const llvm::Use& operand : instruction.operands()) {
        if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get())) {
          loosen(constant);
        }
      }
    }
  }
}

/// Functions inside a constant that is computed, or put together in place.
void FunctionPointerFlow::loosen(const llvm::Constant* root) {
  std::vector<const llvm::Constant*> work = {root};
  while (!work.empty()) {
    const llvm::Constant* constant = work.back();
    work.pop_back();
    if (const auto* function = llvm::dyn_cast<llvm::Function>(constant);
        function != nullptr && constant != root) {
      loose_.insert(function);
    } else if (llvm::isa<llvm::ConstantExpr>(constant) ||
               llvm::isa<llvm::ConstantAggregate>(constant)) {
      for (const llvm::Use& operand : constant->operands()) {
        work.push_back(llvm::cast<llvm::Constant>(operand.get()));
      }
    }
  }
}

/// What functions outside the program are given, they call themselves.
void FunctionPointerFlow::collect_arguments(const llvm::CallBase& call) {
  const llvm::Function* callee = as_function(call.getCalledOperand());
  if (callee != nullptr && callee->isDeclaration()) {
    return;
  }
  const llvm::DISubroutineType* type = types_.of_callee(call);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (call.getArgOperand(i)->getType()->isPointerTy()) {
      flow(call.getArgOperand(i), parameter(type, *call.getFunctionType(), i));
    }
  }
}

void FunctionPointerFlow::collect(const llvm::GlobalVariable& global) {
  constexpr unsigned kBitsOfByte = 8;
  struct Part {
    const llvm::Constant* constant;
    std::uint64_t offset;
  };
  const llvm::DIType* type = types_.of_global(global);
  if (type == nullptr) {
    const llvm::Value* to = copied_to(global);
    type = to == nullptr ? nullptr : types_.of_object(to);
  }
  std::vector<Part> work = {{global.getInitializer(), 0}};  // constants can be deep
  while (!work.empty()) {
    const Part part = work.back();
    work.pop_back();
    if (const llvm::Function* function = as_function(part.constant); function != nullptr) {
      flow(function, DebugTypes::scalar_at(type, part.offset * kBitsOfByte));
    } else if (const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(part.constant)) {
      const auto* structure = llvm::dyn_cast<llvm::StructType>(aggregate->getType());
      std::uint64_t next = 0;
      for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
        const auto* element = llvm::cast<llvm::Constant>(aggregate->getOperand(i));
        const std::uint64_t offset =
            structure == nullptr
                ? next
                : layout_
                      .getStructLayout(const_cast<llvm::StructType*>(structure))  // LLVM asks
                      ->getElementOffset(i)
                      .getFixedValue();
        work.push_back({element, part.offset + offset});
        next += layout_.getTypeAllocSize(element->getType()).getFixedValue();
      }
    } else {
      loosen(part.constant);
    }
  }
}

void FunctionPointerFlow::close() {
  std::vector<unsigned> work;
  for (unsigned number = 0; number < becomes_.size(); ++number) {
    work.push_back(number);
  }
  while (!work.empty()) {
    const unsigned from = work.back();
    work.pop_back();
    for (const unsigned to : becomes_[from]) {
      const std::size_t before = functions_[to].size();
      functions_[to].insert(functions_[from].begin(), functions_[from].end());
      if (functions_[to].size() != before) {
        work.push_back(to);
      }
    }
  }
  for (const unsigned number : loose_types_) {
    loose_.insert(functions_[number].begin(), functions_[number].end());
  }
}

std::optional<std::set<const llvm::Function*>> FunctionPointerFlow::targets(
    const llvm::CallBase& call) {
  const llvm::DISubroutineType* type = types_.of_callee(call);
  if (type == nullptr) {
    return std::nullopt;
  }
  std::set<const llvm::Function*> result = functions_of(type);
  for (const llvm::Function* function : loose_) {
    if (function->getFunctionType() == call.getFunctionType()) {
      result.insert(function);
    }
  }
  return result;
}

std::optional<std::set<const llvm::Function*>> FunctionPointerFlow::values(
    const llvm::Value* pointer) {
  const llvm::DISubroutineType* type = DebugTypes::called_through(types_.of_value(pointer));
  if (type == nullptr) {
    return std::nullopt;
  }
  // No call says what the type is to LLVM; the functions that have it do.
  std::set<const llvm::FunctionType*> signatures;
  std::set<const llvm::Function*> result = functions_of(type);
  for (const llvm::Function* function : result) {
    signatures.insert(function->getFunctionType());
  }
  for (const llvm::Function* function : loose_) {
    if (signatures.count(function->getFunctionType()) != 0) {
      result.insert(function);
    }
  }
  return result;
}

std::set<const llvm::Function*> FunctionPointerFlow::converted(const llvm::CallBase& call) {
  const llvm::DISubroutineType* type = types_.of_callee(call);
  std::set<const llvm::Function*> result = targets(call).value_or(loose_);
  for (auto one = result.begin(); one != result.end();) {
    const llvm::DISubroutineType* own = DebugTypes::of_function(**one);
    const bool is_converted =
        type == nullptr || own == nullptr || types_.number(own) != types_.number(type);
    one = is_converted ? std::next(one) : result.erase(one);
  }
  return result;
}

}  // namespace nestor::bitcode
