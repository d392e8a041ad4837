#include "llvm/debug_types.h"

#include "llvm/variable_table.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/Path.h>

namespace nestor::bitcode {

namespace {

constexpr int kDeepest = 12;       // types inside types; what lies deeper is taken to be alike
constexpr int kLongestChain = 64;  // of typedefs and qualifiers, and of steps back to a variable

bool is_transparent(unsigned tag) {
  using namespace llvm::dwarf;
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
         tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool is_pointer(const llvm::DIType* type) {
  using namespace llvm::dwarf;
  return type != nullptr &&
         (type->getTag() == DW_TAG_pointer_type || type->getTag() == DW_TAG_reference_type ||
          type->getTag() == DW_TAG_rvalue_reference_type);
}

/// A member or base class; null if the element is something else, or a static member.
const llvm::DIDerivedType* part_of_object(const llvm::DINode* element) {
  const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
  const bool is_part = member != nullptr && !member->isStaticMember() &&
                       (member->getTag() == llvm::dwarf::DW_TAG_member ||
                        member->getTag() == llvm::dwarf::DW_TAG_inheritance);
  return is_part ? member : nullptr;
}

void write_function(const llvm::DISubroutineType* type, int depth, std::string& out);

/// As C compares types: by tag or by place, enumerations as the numbers they are.
void write_type(const llvm::DIType* type, int depth, std::string& out) {
  type = DebugTypes::plain(type);
  if (type == nullptr || depth == 0) {
    out += type == nullptr ? "void" : "...";
    return;
  }
  if (const auto* function = llvm::dyn_cast<llvm::DISubroutineType>(type)) {
    write_function(function, depth - 1, out);
    return;
  }
  if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type)) {
    if (composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type &&
        composite->getBaseType() != nullptr) {
      write_type(composite->getBaseType(), depth - 1, out);
    } else if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      out += '[';
      write_type(composite->getBaseType(), depth - 1, out);
      out += ']';
    } else if (!composite->getIdentifier().empty()) {
      out += composite->getIdentifier();  // C++: the mangled name
    } else if (!composite->getName().empty()) {
      out += fmt::format("{:x}:{}", composite->getTag(), composite->getName().str());
    } else {
      out += fmt::format("{}:{}", composite->getFilename().str(), composite->getLine());
    }
    return;
  }
  if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    out += is_pointer(type) ? "*" : fmt::format("{:x} ", derived->getTag());
    write_type(derived->getBaseType(), depth - 1, out);
    return;
  }
  out += type->getName();
}

void write_function(const llvm::DISubroutineType* type, int depth, std::string& out) {
  out += '(';
  for (const llvm::DIType* part : type->getTypeArray()) {
    write_type(part, depth, out);
    out += ',';
  }
  out += ')';
}

}  // namespace

DebugTypes::DebugTypes(const llvm::Module& module)
    : module_(module), layout_(module.getDataLayout()) {
  for (const llvm::Function& function : module) {
    for_each_declaration(
        function, [&](const llvm::AllocaInst& alloca, const llvm::DILocalVariable* variable) {
          locals_[&alloca] = variable->getType();
        });
  }
}

const llvm::DIType* DebugTypes::plain(const llvm::DIType* type) {
  for (int i = 0; type != nullptr && is_transparent(type->getTag()); ++i) {
    type = i < kLongestChain ? llvm::cast<llvm::DIDerivedType>(type)->getBaseType() : nullptr;
  }
  return type;
}

const llvm::DISubroutineType* DebugTypes::called_through(const llvm::DIType* pointer) {
  pointer = plain(pointer);
  return is_pointer(pointer) ? llvm::dyn_cast_or_null<llvm::DISubroutineType>(
                                   plain(llvm::cast<llvm::DIDerivedType>(pointer)->getBaseType()))
                             : nullptr;
}

const llvm::DISubroutineType* DebugTypes::of_function(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  return subprogram == nullptr ? nullptr : subprogram->getType();
}

const llvm::DISubroutineType* DebugTypes::of_callee(const llvm::CallBase& call) {
  const llvm::Value* callee = call.getCalledOperand()->stripPointerCastsAndAliases();
  if (const auto* function = llvm::dyn_cast<llvm::Function>(callee)) {
    return of_function(*function);
  }
  return called_through(of_value(callee));
}

const llvm::DIType* DebugTypes::of_value(const llvm::Value* value) {
  value = without_casts(value);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    return of_object(load->getPointerOperand());
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) {
    const llvm::DISubroutineType* type = of_callee(*call);
    return type == nullptr || type->getTypeArray().size() == 0 ? nullptr : type->getTypeArray()[0];
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
    // The source's parameters are the bitcode's only if structures are not taken apart.
    const llvm::DISubroutineType* type = of_function(*argument->getParent());
    const bool fits =
        type != nullptr && type->getTypeArray().size() == argument->getParent()->arg_size() + 1;
    return fits ? type->getTypeArray()[argument->getArgNo() + 1] : nullptr;
  }
  return nullptr;
}

const llvm::DIType* DebugTypes::of_global(const llvm::GlobalVariable& global) const {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
  global.getDebugInfo(found);
  for (const llvm::DIGlobalVariableExpression* one : found) {
    if (one->getExpression()->getNumElements() == 0) {
      return one->getVariable()->getType();
    }
  }
  return nullptr;
}

const llvm::DIType* DebugTypes::of_object(const llvm::Value* pointer) {
  pointer = without_casts(pointer);
  const auto [known, fresh] = objects_.try_emplace(pointer, nullptr);
  if (!fresh) {
    return known->second;
  }
  if (depth_ >= kLongestChain) {
    return nullptr;
  }
  ++depth_;
  const llvm::DIType* type = nullptr;
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(pointer)) {
    type = locals_.lookup(alloca);
  } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
    type = of_global(*global);
  } else if (const auto* steps = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    Field ignored;
    type = after_steps(*steps, ignored);
  } else if (const llvm::DIType* value = plain(of_value(pointer)); is_pointer(value)) {
    type = llvm::cast<llvm::DIDerivedType>(value)->getBaseType();
  }
  --depth_;
  objects_[pointer] = type;
  return type;
}

/// A cast to another structure leaves no trace but the structure that the field is taken from. Its
/// name does not tell, since linking makes one of all structures that are laid out alike; its
/// layout does: what does not fit is not known.
const llvm::DIDerivedType* DebugTypes::member(const llvm::DIType* object, llvm::StructType& type,
                                              unsigned index) const {
  const llvm::StructLayout& layout = *layout_.getStructLayout(&type);
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(object));
  if (composite == nullptr || composite->getTag() == llvm::dwarf::DW_TAG_union_type ||
      composite->getSizeInBits() != layout.getSizeInBits()) {
    return nullptr;
  }
  for (const llvm::DINode* element : composite->getElements()) {
    const llvm::DIDerivedType* part = part_of_object(element);
    if (part != nullptr && part->getOffsetInBits() == layout.getElementOffsetInBits(index)) {
      return part;
    }
  }
  return nullptr;
}

DebugTypes::Field DebugTypes::field_of(const llvm::GEPOperator& steps) {
  Field innermost;
  return after_steps(steps, innermost) == nullptr ? Field() : innermost;
}

DebugTypes::Field DebugTypes::field_named(llvm::StructType& type, unsigned index) {
  if (!structures_found_) {
    structures_found_ = true;
    llvm::DebugInfoFinder finder;
    finder.processModule(module_);
    for (const llvm::DIType* one : finder.types()) {
      // `typedef struct { … } name` is `struct.name` in bitcode.
      const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(one));
      if (composite != nullptr && !composite->isForwardDecl() && !one->getName().empty()) {
        structures_.try_emplace(one->getName().str(), one);
      }
    }
  }
  const auto found = structures_.find(structure_name(type));
  if (found == structures_.end() || !type.isSized()) {
    return {};
  }
  const llvm::DIDerivedType* part = member(found->second, type, index);
  return part == nullptr ? Field() : Field{found->second, part};
}

std::string DebugTypes::name_of(const Field& field) {
  std::string name;
  const llvm::DIType* type = field.structure;
  for (int i = 0; type != nullptr && i < kLongestChain && is_transparent(type->getTag()); ++i) {
    // `typedef struct { … } T`: the last name before one without.
    name = type->getTag() == llvm::dwarf::DW_TAG_typedef ? type->getName().str() : name;
    type = llvm::cast<llvm::DIDerivedType>(type)->getBaseType();
  }
  if (type != nullptr && !type->getName().empty()) {
    name = type->getName().str();
    const llvm::DIScope* scope = type->getScope();
    for (int i = 0; scope != nullptr && i < kLongestChain && !llvm::isa<llvm::DIFile>(scope) &&
                    !llvm::isa<llvm::DICompileUnit>(scope) && !llvm::isa<llvm::DILocalScope>(scope);
         ++i) {
      name = fmt::format("{}::{}", scope->getName().str(), name);
      scope = scope->getScope();
    }
  }
  if (name.empty() || field.member == nullptr || field.member->getName().empty()) {
    return {};
  }
  return fmt::format("{}.{}", name, field.member->getName().str());
}

std::string DebugTypes::declaration_of(const llvm::DIType* structure) {
  const llvm::DIType* type = plain(structure);
  // Folders depend on where the compiler was called.
  return type == nullptr
             ? std::string()
             : fmt::format("{}:{}", llvm::sys::path::filename(type->getFilename()).str(),
                           type->getLine());
}

bool DebugTypes::is_union(const llvm::DIType* type) {
  type = plain(type);
  return type != nullptr && type->getTag() == llvm::dwarf::DW_TAG_union_type;
}

const llvm::DIType* DebugTypes::after_steps(const llvm::GEPOperator& steps, Field& innermost) {
  llvm::Type* type = steps.getSourceElementType();
  if (type->isIntegerTy()) {
    return nullptr;  // bytes: whatever lies there
  }
  const llvm::DIType* object = of_object(steps.getPointerOperand());
  bool first = true;  // the first index goes along an array of such objects
  for (const llvm::Use& operand : steps.indices()) {
    if (first) {
      first = false;
    } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(operand.get());
      if (index == nullptr || !structure->isSized()) {
        return nullptr;
      }
      const auto i = static_cast<unsigned>(index->getZExtValue());
      innermost = {object, member(object, *structure, i)};
      object = innermost.member == nullptr ? nullptr : innermost.member->getBaseType();
      type = structure->getElementType(i);
    } else if (type->isArrayTy()) {
      const auto* array = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(object));
      if (array == nullptr || array->getTag() != llvm::dwarf::DW_TAG_array_type ||
          array->getElements().size() != 1) {
        return nullptr;
      }
      object = array->getBaseType();
      type = type->getArrayElementType();
    } else {
      return nullptr;
    }
  }
  return object;
}

const llvm::DIType* DebugTypes::scalar_at(const llvm::DIType* type, std::uint64_t bits) {
  for (int depth = 0; depth < 2 * kDeepest; ++depth) {
    type = plain(type);
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
    if (composite == nullptr || composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type) {
      return bits == 0 ? type : nullptr;
    }
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      const llvm::DIType* element = plain(composite->getBaseType());
      if (element == nullptr || element->getSizeInBits() == 0) {
        return nullptr;
      }
      bits %= element->getSizeInBits();
      type = element;
      continue;
    }
    if (composite->getTag() == llvm::dwarf::DW_TAG_union_type) {
      return nullptr;
    }
    const llvm::DIDerivedType* around = nullptr;
    for (const llvm::DINode* element : composite->getElements()) {
      const llvm::DIDerivedType* part = part_of_object(element);
      if (part != nullptr && part->getOffsetInBits() <= bits &&
          bits < part->getOffsetInBits() + part->getSizeInBits()) {
        around = part;
      }
    }
    if (around == nullptr) {
      return nullptr;
    }
    bits -= around->getOffsetInBits();
    type = around->getBaseType();
  }
  return nullptr;
}

unsigned DebugTypes::number(const llvm::DISubroutineType* type) {
  const auto [known, fresh] = numbers_.try_emplace(type, 0U);
  if (fresh) {
    std::string text;
    write_function(type, kDeepest, text);
    known->second = by_text_.try_emplace(std::move(text), by_text_.size()).first->second;
  }
  return known->second;
}

}  // namespace nestor::bitcode
