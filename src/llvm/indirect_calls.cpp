#include "llvm/indirect_calls.h"

#include "llvm/variable_table.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <utility>

namespace nestor {

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

/// The function that a constant is, seen through casts and aliases; null if it is none.
const llvm::Function* as_function(const llvm::Value* value) {
  return llvm::dyn_cast<llvm::Function>(value->stripPointerCastsAndAliases());
}

bool is_address_taken(const llvm::Function& function) {
  return !function.isIntrinsic() && function.hasAddressTaken(nullptr, false, true, true);
}

std::string field_key(const llvm::StructType& type, unsigned index) {
  return fmt::format("{}.{}", structure_name(type), index);
}

}  // namespace

IndirectCalls::IndirectCalls(const llvm::Module& module)
    : whole_program_(module.getFunction("main") != nullptr &&
                     !module.getFunction("main")->isDeclaration()) {
  for (const llvm::Function& function : module) {
    if (is_address_taken(function)) {
      by_signature_[function.getFunctionType()].push_back(&function);
      if (const std::optional<std::uint64_t> type = c_type_of(function); type) {
        by_c_type_[*type].push_back(&function);
      }
    }
    collect_stores(function);
  }
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (!global.hasInitializer()) {
      continue;
    }
    if (global.getName().starts_with("_ZTV")) {
      collect_vtable(global);
    } else {
      if (global.getValueType()->isPointerTy()) {
        store(&global, global.getInitializer());
      }
      collect_constant(*global.getInitializer());
    }
  }
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

/// Functions in initialisers of structures. Not recursive: constants can be deep.
void IndirectCalls::collect_constant(const llvm::Constant& root) {
  std::vector<const llvm::Constant*> work = {&root};
  while (!work.empty()) {
    const llvm::Constant* constant = work.back();
    work.pop_back();
    const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(constant);
    if (aggregate == nullptr) {
      continue;
    }
    const auto* type = llvm::dyn_cast<llvm::StructType>(aggregate->getType());
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
      const auto* element = llvm::cast<llvm::Constant>(aggregate->getOperand(i));
      if (llvm::isa<llvm::ConstantAggregate>(element)) {
        work.push_back(element);
      } else if (const llvm::Function* function = as_function(element); function != nullptr) {
        if (type != nullptr && !type->isLiteral()) {
          stored_[field_key(*type, i)].functions.insert(function);
        }
      }
    }
  }
}

void IndirectCalls::collect_stores(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (const auto* written = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          written != nullptr && written->getValueOperand()->getType()->isPointerTy()) {
        store(written->getPointerOperand(), written->getValueOperand());
      }
    }
  }
}

void IndirectCalls::store(const llvm::Value* pointer, const llvm::Value* value) {
  const std::string place = place_of(pointer);
  if (place.empty() || llvm::isa<llvm::ConstantPointerNull>(value)) {
    return;
  }
  Stored& stored = stored_[place];
  if (const llvm::Function* function = as_function(value); function != nullptr) {
    stored.functions.insert(function);
  } else {
    stored.unknown = true;
  }
}

/// The field or global at `pointer`, empty if it is something else.
std::string IndirectCalls::place_of(const llvm::Value* pointer) {
  pointer = pointer->stripPointerCasts();
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
    const llvm::Type* type = global->getValueType();
    if (type->isPointerTy()) {
      return global->getName().str();
    }
    std::string place;  // the first field lies where the structure does
    while (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      if (structure->getNumElements() == 0) {
        return {};
      }
      place = structure->isLiteral() ? std::string() : field_key(*structure, 0);
      type = structure->getElementType(0);
    }
    return place;
  }
  const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  if (step == nullptr) {
    return {};
  }
  const llvm::Type* type = step->getSourceElementType();
  std::string place;
  bool first = true;
  for (const llvm::Use& operand : step->indices()) {
    if (std::exchange(first, false)) {
      continue;
    }
    if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const auto* index = llvm::cast<llvm::ConstantInt>(operand.get());
      const auto i = static_cast<unsigned>(index->getZExtValue());
      place = structure->isLiteral() ? std::string() : field_key(*structure, i);
      type = structure->getElementType(i);
    } else if (type->isArrayTy()) {
      type = type->getArrayElementType();
    } else {
      return {};
    }
  }
  return place;
}

const IndirectCalls::Stored* IndirectCalls::stored_at(const llvm::Value* callee) const {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(callee);
  if (load == nullptr) {
    return nullptr;
  }
  const std::string place = place_of(load->getPointerOperand());
  const auto found = place.empty() ? stored_.end() : stored_.find(place);
  return found == stored_.end() ? nullptr : &found->second;
}

/// `load (gep (load object), slot)`, or for slot 0 `load (load object)`, where the table pointer is
/// marked as such.
const IndirectCalls::Functions* IndirectCalls::same_slot(const llvm::Value* callee) const {
  if (by_slot_.empty()) {
    return nullptr;
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(callee);
  if (load == nullptr) {
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
  // A pointer to an array of functions looks the same, but is itself read from a variable.
  if (object == nullptr || llvm::isa<llvm::AllocaInst>(object->getPointerOperand()) ||
      llvm::isa<llvm::GlobalVariable>(object->getPointerOperand())) {
    return nullptr;
  }
  const auto found = by_slot_.find(slot);
  return found == by_slot_.end() ? nullptr : &found->second;
}

IndirectCalls::Functions IndirectCalls::same_type(const llvm::CallBase& call) const {
  const auto same_signature = by_signature_.find(call.getFunctionType());
  const std::optional<std::uint64_t> type = c_type_of(call);
  if (!type) {
    return same_signature == by_signature_.end() ? Functions() : same_signature->second;
  }
  Functions result;
  if (const auto found = by_c_type_.find(*type); found != by_c_type_.end()) {
    result = found->second;
  }
  // Functions of files that were compiled without the marks.
  if (same_signature != by_signature_.end()) {
    for (const llvm::Function* function : same_signature->second) {
      if (!c_type_of(*function)) {
        result.push_back(function);
      }
    }
  }
  return result;
}

/// Locals and parameters, as long as everything that is stored there is known: a local whose
/// address stays here, a parameter of a function that is only called by its name.
std::optional<IndirectCalls::Functions> IndirectCalls::known_values(
    const llvm::Value* pointer) const {
  constexpr std::size_t kMostValues = 1000;
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work = {pointer};
  Functions result;
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
      result.push_back(function);
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
  std::sort(result.begin(), result.end(), [](const llvm::Function* a, const llvm::Function* b) {
    return a->getName() < b->getName();  // not by address: the same on every run
  });
  return result;
}

std::vector<const llvm::Function*> IndirectCalls::targets(const llvm::CallBase& call) const {
  const llvm::Value* callee = call.getCalledOperand()->stripPointerCasts();
  if (std::optional<Functions> known = known_values(callee); known && !known->empty()) {
    return *known;
  }
  if (const Functions* slot = same_slot(callee); slot != nullptr) {
    Functions result;
    std::copy_if(slot->begin(), slot->end(), std::back_inserter(result),
                 [&](const llvm::Function* function) {
                   return function->getFunctionType() == call.getFunctionType();
                 });
    if (!result.empty()) {
      return result;
    }
  }
  Functions result = same_type(call);
  const Stored* stored = stored_at(callee);
  if (stored != nullptr && !stored->unknown) {
    Functions narrowed;
    std::copy_if(
        result.begin(), result.end(), std::back_inserter(narrowed),
        [&](const llvm::Function* function) { return stored->functions.count(function) != 0; });
    if (!narrowed.empty()) {
      return narrowed;
    }
  }
  return result;
}

}  // namespace nestor
