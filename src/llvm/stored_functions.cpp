#include "llvm/stored_functions.h"

#include "llvm/variable_table.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <utility>
#include <vector>

namespace nestor::bitcode {

namespace {

std::string field_key(const llvm::StructType& type, unsigned index) {
  return type.isLiteral() ? std::string() : fmt::format("{}.{}", structure_name(type), index);
}

/// The field or global at `pointer`, empty if it is something else. Elements of arrays are: which
/// one is written is not known, and not all ways to them look alike.
std::string place_of(const llvm::Value* pointer) {
  pointer = without_casts(pointer);
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
      place = field_key(*structure, 0);
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
      place = field_key(*structure, i);
      type = structure->getElementType(i);
    } else if (type->isArrayTy()) {
      place.clear();
      type = type->getArrayElementType();
    } else {
      return {};
    }
  }
  return place;
}

/// The address of a pointer in a field or a global, as opposed to one that was read from there.
bool is_address_of_pointer(const llvm::Value* value) {
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(value)) {
    return step->getResultElementType()->isPointerTy();
  }
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value);
  return global != nullptr && global->getValueType()->isPointerTy();
}

}  // namespace

StoredFunctions::StoredFunctions(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        collect_uses(instruction);
      }
    }
  }
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (!global.hasInitializer() || global.getName().starts_with("_ZTV")) {
      continue;
    }
    if (global.getValueType()->isPointerTy()) {
      store(&global, global.getInitializer());
    }
    collect_initializer(*global.getInitializer());
  }
}

/// Reads, writes and steps to a part say what they do; any other use of an address lets others
/// write there.
void StoredFunctions::collect_uses(const llvm::Instruction& instruction) {
  const auto* written = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (written != nullptr && written->getValueOperand()->getType()->isPointerTy()) {
    store(written->getPointerOperand(), written->getValueOperand());
  }
  if (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction) ||
      llvm::isa<llvm::ICmpInst>(instruction)) {
    return;
  }
  for (const llvm::Use& operand : instruction.operands()) {
    const bool is_target =
        written != nullptr && operand.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    if (!is_target && is_address_of_pointer(operand.get())) {
      leave_open(operand.get());
    }
  }
}

/// Functions in the initial values of structures. Not recursive: constants can be deep.
void StoredFunctions::collect_initializer(const llvm::Constant& root) {
  struct Part {
    const llvm::Constant* constant;
    bool is_nameless;  ///< lies in a structure without a name: a union made it differ from its type
  };
  std::vector<Part> work = {{&root, false}};
  while (!work.empty()) {
    const Part part = work.back();
    work.pop_back();
    const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(part.constant);
    if (aggregate == nullptr) {
      if (is_address_of_pointer(part.constant)) {
        leave_open(part.constant);
      }
      continue;
    }
    const auto* type = llvm::dyn_cast<llvm::StructType>(aggregate->getType());
    const bool is_nameless = part.is_nameless || (type != nullptr && type->isLiteral());
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
      const auto* element = llvm::cast<llvm::Constant>(aggregate->getOperand(i));
      if (const llvm::Function* function = as_function(element); function == nullptr) {
        work.push_back({element, is_nameless});
      } else if (type != nullptr && !type->isLiteral()) {
        stored_[field_key(*type, i)].functions.insert(function);
      } else if (is_nameless) {
        anywhere_.insert(function);
      }
    }
  }
}

void StoredFunctions::store(const llvm::Value* pointer, const llvm::Value* value) {
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

void StoredFunctions::leave_open(const llvm::Value* pointer) {
  if (const std::string place = place_of(pointer); !place.empty()) {
    stored_[place].unknown = true;
  }
}

bool StoredFunctions::excludes(const llvm::Value* pointer, const llvm::Function* function) const {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer);
  const std::string place = load == nullptr ? "" : place_of(load->getPointerOperand());
  const auto found = place.empty() ? stored_.end() : stored_.find(place);
  return found != stored_.end() && !found->second.unknown &&
         found->second.functions.count(function) == 0 && anywhere_.count(function) == 0;
}

}  // namespace nestor::bitcode
