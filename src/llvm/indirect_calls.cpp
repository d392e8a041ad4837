#include "llvm/indirect_calls.h"

#include "llvm/variable_table.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace nestor::bitcode {

namespace {

std::optional<std::uint64_t> c_type_of(const llvm::Function& function) {
  const llvm::MDNode* type = function.getMetadata("kcfi_type");
  if (type == nullptr) {
    return std::nullopt;
  }
  const auto* constant = llvm::mdconst::dyn_extract<llvm::ConstantInt>(type->getOperand(0));
  return constant == nullptr ? std::nullopt : std::optional(constant->getZExtValue());
}

std::optional<std::uint64_t> c_type_of(const llvm::CallBase& call) {
  const std::optional<llvm::OperandBundleUse> bundle =
      call.getOperandBundle(llvm::LLVMContext::OB_kcfi);
  if (!bundle || bundle->Inputs.empty()) {
    return std::nullopt;
  }
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bundle->Inputs[0].get());
  return constant == nullptr ? std::nullopt : std::optional(constant->getZExtValue());
}

bool is_address_taken(const llvm::Function& function) {
  return !function.isIntrinsic() && function.hasAddressTaken(nullptr, false, true, true);
}

}  // namespace

IndirectCalls::IndirectCalls(const llvm::Module& module, DebugTypes& types)
    : module_(module),
      types_(types),
      whole_program_(module.getFunction("main") != nullptr &&
                     !module.getFunction("main")->isDeclaration()),
      stored_(module) {
  for (const llvm::Function& function : module) {
    order_[&function] = order_.size();
    if (is_address_taken(function)) {
      by_signature_[function.getFunctionType()].push_back(&function);
      if (const std::optional<std::uint64_t> type = c_type_of(function); type) {
        by_c_type_[*type].push_back(&function);
      }
    }
  }
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.hasInitializer() && global.getName().starts_with("_ZTV")) {
      collect_vtable(global);
    }
  }
}

FunctionPointerFlow& IndirectCalls::flow() const {
  if (!flow_) {
    flow_ = std::make_unique<FunctionPointerFlow>(module_, types_);
  }
  return *flow_;
}

/// The slots of each address point: the tables of a class are arrays of pointers whose first two
/// hold the offset to the top and the type information.
void IndirectCalls::collect_vtable(const llvm::GlobalVariable& table) {
  constexpr unsigned kBeforeSlots = 2;
  const auto* arrays = llvm::dyn_cast<llvm::ConstantStruct>(table.getInitializer());
  for (unsigned a = 0; arrays != nullptr && a < arrays->getNumOperands(); ++a) {
    const auto* array = llvm::dyn_cast<llvm::ConstantArray>(arrays->getOperand(a));
    for (unsigned i = kBeforeSlots; array != nullptr && i < array->getNumOperands(); ++i) {
      if (const llvm::Function* function = as_function(array->getOperand(i)); function != nullptr) {
        Functions& slot = by_slot_[i - kBeforeSlots];
        if (std::find(slot.begin(), slot.end(), function) == slot.end()) {
          slot.push_back(function);
        }
      }
    }
  }
}

/// `call (load (gep (load object), slot)) (object, …)`; for slot 0 there is no step. A pointer to
/// an array of functions looks the same, but is not called with where it was read from as `this`.
const IndirectCalls::Functions* IndirectCalls::same_slot(const llvm::CallBase& call) const {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand()->stripPointerCasts());
  if (by_slot_.empty() || load == nullptr) {
    return nullptr;
  }
  std::uint64_t slot = 0;
  const llvm::Value* table = load->getPointerOperand();
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(table)) {
    const auto* index = step->getNumIndices() == 1
                            ? llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1))
                            : nullptr;
    if (index == nullptr || !step->getSourceElementType()->isPointerTy()) {
      return nullptr;
    }
    slot = index->getZExtValue();
    table = step->getPointerOperand();
  }
  const auto* object = llvm::dyn_cast<llvm::LoadInst>(table);
  constexpr unsigned kMostBeforeThis = 1;  // the place for a returned structure
  bool has_this = false;
  for (unsigned i = 0; object != nullptr && i < call.arg_size() && i <= kMostBeforeThis; ++i) {
    has_this |= call.getArgOperand(i) == object->getPointerOperand();
  }
  const auto found = has_this ? by_slot_.find(slot) : by_slot_.end();
  return found == by_slot_.end() ? nullptr : &found->second;
}

/// Functions of files that were compiled without the marks go by what is known of them.
IndirectCalls::Functions IndirectCalls::same_type(const llvm::CallBase& call) const {
  const auto same_signature = by_signature_.find(call.getFunctionType());
  Functions alike = same_signature == by_signature_.end() ? Functions() : same_signature->second;
  const std::optional<std::uint64_t> type = c_type_of(call);
  std::set<const llvm::Function*> found;
  if (!type) {
    std::optional<std::set<const llvm::Function*>> typed = flow().targets(call);
    if (!typed || typed->empty()) {
      return alike;
    }
    found = std::move(*typed);
  } else {
    if (const auto marked = by_c_type_.find(*type); marked != by_c_type_.end()) {
      found.insert(marked->second.begin(), marked->second.end());
    }
    std::copy_if(alike.begin(), alike.end(), std::inserter(found, found.end()),
                 [](const llvm::Function* function) { return !c_type_of(*function); });
    // Calling a function as another type is an error in C, and done all the same.
    const std::set<const llvm::Function*> converted = flow().converted(call);
    std::copy_if(alike.begin(), alike.end(), std::inserter(found, found.end()),
                 [&](const llvm::Function* function) { return converted.count(function) != 0; });
  }
  return in_order(found);
}

/// Not by address: the same on every run.
IndirectCalls::Functions IndirectCalls::in_order(
    const std::set<const llvm::Function*>& functions) const {
  Functions result(functions.begin(), functions.end());
  std::sort(result.begin(), result.end(), [&](const llvm::Function* a, const llvm::Function* b) {
    return order_.lookup(a) < order_.lookup(b);
  });
  return result;
}

/// Locals and parameters, as long as everything that is stored there is known: a local whose
/// address stays here, a parameter of a function that is only called by its name.
std::optional<IndirectCalls::Functions> IndirectCalls::known_values(
    const llvm::Value* pointer) const {
  constexpr std::size_t kMostValues = 1000;
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work = {pointer};
  std::set<const llvm::Function*> result;
  while (!work.empty()) {
    const llvm::Value* value = work.back()->stripPointerCastsAndAliases();
    work.pop_back();
    if (!seen.insert(value).second || llvm::isa<llvm::ConstantPointerNull>(value)) {
      continue;
    }
    if (seen.size() > kMostValues) {
      return std::nullopt;
    }
    if (const auto* function = llvm::dyn_cast<llvm::Function>(value)) {
      result.insert(function);
    } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
      if (alloca == nullptr || !is_exact(*alloca)) {
        return std::nullopt;
      }
      for (const llvm::User* user : alloca->users()) {
        if (const auto* written = llvm::dyn_cast<llvm::StoreInst>(user)) {
          work.push_back(written->getValueOperand());
        }
      }
    } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
      const llvm::Function& owner = *argument->getParent();
      if (is_address_taken(owner) || !(whole_program_ || owner.hasLocalLinkage())) {
        return std::nullopt;
      }
      for (const llvm::User* user : owner.users()) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        if (call == nullptr || call->getCalledOperand() != &owner ||
            argument->getArgNo() >= call->arg_size()) {
          return std::nullopt;
        }
        work.push_back(call->getArgOperand(argument->getArgNo()));
      }
    } else {
      return std::nullopt;
    }
  }
  return in_order(result);
}

std::optional<IndirectCalls::Functions> IndirectCalls::possible_values(
    const llvm::Value* pointer) const {
  if (std::optional<Functions> known = known_values(pointer); known) {
    return known;
  }
  const std::optional<std::set<const llvm::Function*>> typed = flow().values(pointer);
  return typed ? std::optional(in_order(*typed)) : std::nullopt;
}

bool IndirectCalls::is_function_pointer(const llvm::Value* value) const {
  return value->getType()->isPointerTy() &&
         (as_function(value) != nullptr || flow().values(value).has_value());
}

bool IndirectCalls::knows_targets(const llvm::CallBase& call) const {
  const std::optional<Functions> known = known_values(call.getCalledOperand()->stripPointerCasts());
  return known && !known->empty();
}

std::vector<const llvm::Function*> IndirectCalls::targets(const llvm::CallBase& call) const {
  const llvm::Value* callee = call.getCalledOperand()->stripPointerCasts();
  if (std::optional<Functions> known = known_values(callee); known && !known->empty()) {
    return *known;
  }
  if (const Functions* slot = same_slot(call); slot != nullptr) {
    Functions result;
    std::copy_if(slot->begin(), slot->end(), std::back_inserter(result),
                 [&](const llvm::Function* function) {
                   return function->getFunctionType() == call.getFunctionType();
                 });
    if (!result.empty()) {
      return result;
    }
  }
  const Functions alike = same_type(call);
  Functions result;
  std::copy_if(alike.begin(), alike.end(), std::back_inserter(result),
               [&](const llvm::Function* function) { return !stored_.excludes(callee, function); });
  return result.empty() ? alike : result;
}

}  // namespace nestor::bitcode
