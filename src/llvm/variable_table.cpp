#include "llvm/variable_table.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <filesystem>

namespace nestor::bitcode {

namespace {

bool starts_empty(const llvm::GlobalVariable& global) {
  if (!global.hasInitializer()) {
    return false;
  }
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(global.getInitializer());
  return global.getInitializer()->isNullValue() || (number != nullptr && number->isNegative());
}

bool is_scalar(const llvm::Type* type) {
  return type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy();
}

}  // namespace

void for_each_declaration(
    const llvm::Function& function,
    llvm::function_ref<void(const llvm::AllocaInst&, const llvm::DILocalVariable*)> visit) {
  const auto declared = [&](const llvm::Value* address, const llvm::DIExpression* expression,
                            const llvm::DILocalVariable* variable) {
    // With an expression, the alloca holds the address of the variable, not the variable.
    if (const auto* alloca = llvm::dyn_cast_or_null<llvm::AllocaInst>(address);
        alloca != nullptr && expression->getNumElements() == 0) {
      visit(*alloca, variable);
    }
  };
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        if (record.isDbgDeclare()) {
          declared(record.getAddress(), record.getExpression(), record.getVariable());
        }
      }
      if (const auto* declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction)) {
        declared(declare->getAddress(), declare->getExpression(), declare->getVariable());
      }
    }
  }
}

const llvm::Value* without_casts(const llvm::Value* pointer) {
  while (llvm::Operator::getOpcode(pointer) == llvm::Instruction::BitCast ||
         llvm::Operator::getOpcode(pointer) == llvm::Instruction::AddrSpaceCast) {
    pointer = llvm::cast<llvm::Operator>(pointer)->getOperand(0);
  }
  return pointer;
}

const llvm::Value* base_of(const llvm::Value* pointer) {
  pointer = without_casts(pointer);
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    pointer = without_casts(step->getPointerOperand());
  }
  return pointer;
}

bool is_exact(const llvm::AllocaInst& alloca) {
  if (!is_scalar(alloca.getAllocatedType()) || alloca.isArrayAllocation()) {
    return false;
  }
  for (const llvm::User* user : alloca.users()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (load->isVolatile()) {
        return false;
      }
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() == &alloca || store->isVolatile()) {
        return false;
      }
    } else if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
               call == nullptr ||
               !(call->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(call))) {
      return false;
    }
  }
  return true;
}

std::string structure_name(const llvm::StructType& type) {
  if (!type.hasName()) {
    return "?";
  }
  llvm::StringRef name = type.getName();
  for (const char* prefix : {"struct.", "class.", "union."}) {
    name.consume_front(prefix);
  }
  const std::size_t dot = name.rfind('.');
  if (dot != llvm::StringRef::npos && dot + 1 < name.size() &&
      name.substr(dot + 1).find_first_not_of("0123456789") == llvm::StringRef::npos) {
    name = name.substr(0, dot);
  }
  return name.str();
}

VariableTable::VariableTable(DebugTypes& types, program::Program& program)
    : types_(types), program_(program) {}

void VariableTable::declare(const llvm::AllocaInst& alloca, const llvm::DILocalVariable* source,
                            const llvm::Function& function, program::FunctionId id) {
  if (locals_.count(&alloca) != 0) {
    return;
  }
  program::Variable variable;
  variable.owner = id;
  variable.exact = is_exact(alloca);
  variable.is_scalar = is_scalar(alloca.getAllocatedType());
  if (source != nullptr) {
    std::string name = fmt::format("{}::{}", function.getName().str(), source->getName().str());
    if (locals_of_name_[source->getName().str()]++ > 0) {
      name += fmt::format("#{}", source->getLine());
      if (const unsigned before = locals_of_name_[name]++; before > 0) {
        name += fmt::format(".{}", before + 1);  // from a macro: several on one line
      }
    }
    variable.name = program_.strings.intern(name);
    variable.is_parameter = source->isParameter();
    variable.is_artificial = source->isArtificial() || source->getName().empty();
    variable.declared = place(source->getScope(), source->getLine(), 0);
  } else {
    variable.name =
        program_.strings.intern(fmt::format("{}::%{}", function.getName().str(), locals_.size()));
    variable.is_artificial = true;
  }
  locals_[&alloca] = program_.variables.push_back(variable);
}

void VariableTable::enter(const llvm::Function& function, program::FunctionId id) {
  locals_.clear();
  locals_of_name_.clear();
  for_each_declaration(function,
                       [&](const llvm::AllocaInst& alloca, const llvm::DILocalVariable* variable) {
                         declare(alloca, variable, function, id);
                       });
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        declare(*alloca, nullptr, function, id);
      }
    }
  }
}

program::VariableId VariableTable::local(const llvm::AllocaInst* alloca) const {
  const auto found = locals_.find(alloca);
  return found == locals_.end() ? program::VariableId() : found->second;
}

program::VariableId VariableTable::loaded_from(const llvm::Value* value) const {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(without_casts(value));
  if (load == nullptr) {
    return {};
  }
  const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
  const program::VariableId variable = alloca == nullptr ? program::VariableId() : local(alloca);
  return variable.valid() && program_.variables[variable].exact ? variable : program::VariableId();
}

program::VariableId VariableTable::named(const std::string& name, program::VariableKind kind,
                                         const std::string& key) {
  const auto [place, fresh] = by_name_.try_emplace(key.empty() ? name : key);
  if (fresh) {
    program::Variable variable;
    variable.name = program_.strings.intern(name);
    variable.kind = kind;
    place->second = program_.variables.push_back(variable);
  }
  return place->second;
}

/// Debug information tells which structure it is; the name of the type in bitcode does not always,
/// since linking makes one of structures that are laid out alike.
program::VariableId VariableTable::field(const llvm::GEPOperator& steps, llvm::StructType& type,
                                         unsigned index) {
  DebugTypes::Field found = types_.field_of(steps);
  if (found.member == nullptr) {
    found = types_.field_named(type, index);
  }
  const std::string otherwise = fmt::format("{}.{}", structure_name(type), index);
  if (found.member == nullptr) {
    return named(otherwise, program::VariableKind::Field);
  }
  program::VariableId& id = fields_[{found.structure, found.member}];
  if (!id.valid()) {
    const std::string name = DebugTypes::name_of(found);
    const std::string& shown = name.empty() ? otherwise : name;
    const std::string declaration = DebugTypes::declaration_of(found.structure);
    id = named(shown, program::VariableKind::Field, fmt::format("{} {}", shown, declaration));
    program_.variables[id].structure = program_.strings.intern(
        fmt::format("{} {}", shown.substr(0, shown.rfind('.')), declaration));
    program_.variables[id].is_union |= DebugTypes::is_union(found.member->getBaseType());
  }
  return id;
}

program::VariableId VariableTable::addressed_by(const llvm::Value* pointer) {
  const llvm::GEPOperator* innermost = nullptr;
  llvm::StructType* structure = nullptr;
  unsigned index = 0;
  for (;;) {
    pointer = without_casts(pointer);
    if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(pointer)) {
      return local(alloca);
    }
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
      program::VariableId& id = globals_[global];
      if (!id.valid()) {
        id = named(global->getName().str(), program::VariableKind::Global);
        program_.variables[id].is_scalar = is_scalar(global->getValueType());
        program_.variables[id].is_constant = global->isConstant();
        program_.variables[id].starts_empty = starts_empty(*global);
      }
      return id;
    }
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (step == nullptr) {
      break;
    }
    // The innermost structure names the field: `outer.inner.f` is `inner.f` wherever inner lies.
    if (structure == nullptr) {
      llvm::Type* type = step->getSourceElementType();
      bool first = true;
      for (const llvm::Use& operand : step->indices()) {
        if (first) {
          first = false;
          continue;
        }
        if (auto* in = llvm::dyn_cast<llvm::StructType>(type)) {
          const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand.get());
          if (constant == nullptr) {
            break;
          }
          innermost = step;
          structure = in;
          index = static_cast<unsigned>(constant->getZExtValue());
          type = in->getElementType(index);
        } else if (type->isArrayTy()) {
          type = type->getArrayElementType();
        } else {
          break;
        }
      }
    }
    pointer = step->getPointerOperand();
  }
  return structure != nullptr && !structure->isLiteral() ? field(*innermost, *structure, index)
                                                         : program::VariableId();
}

program::VariableId VariableTable::of(const llvm::Value* pointer, const llvm::Type* type) {
  const program::VariableId addressed = addressed_by(pointer);
  if (addressed.valid()) {
    return addressed;
  }
  program::VariableId& id = memory_[type];
  if (!id.valid()) {
    std::string name;
    llvm::raw_string_ostream out(name);
    type->print(out, false, true);
    out.flush();
    id = named("*" + name, program::VariableKind::Memory);
  }
  return id;
}

program::SourcePlace VariableTable::place(const llvm::DIScope* scope, unsigned line,
                                          unsigned column) {
  // LLVM does not verify the file of every scope.
  const auto* file =
      scope == nullptr ? nullptr : llvm::dyn_cast_or_null<llvm::DIFile>(scope->getRawFile());
  if (file == nullptr) {
    return {};
  }
  base::StringId& name = files_[file];
  if (!name.valid()) {
    std::filesystem::path path(file->getFilename().str());
    if (path.is_relative() && !file->getDirectory().empty()) {
      path = std::filesystem::path(file->getDirectory().str()) / path;
    }
    name = program_.strings.intern(path.lexically_normal().string());
  }
  return {name, line, column};
}

program::SourcePlace VariableTable::place(const llvm::DebugLoc& location) {
  if (!location || location.getLine() == 0) {
    return {};
  }
  return place(llvm::cast<llvm::DIScope>(location.getScope()), location.getLine(),
               location.getCol());
}

}  // namespace nestor::bitcode
