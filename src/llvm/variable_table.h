#pragma once

#include "llvm/debug_types.h"
#include "program/program.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>
#include <unordered_map>

namespace nestor::bitcode {

/// Which variable a pointer names. At -O0 every local of the source is an alloca, so most accesses
/// are by name; the rest is by field or by type.
class VariableTable {
 public:
  VariableTable(DebugTypes& types, program::Program& program);

  /// Declares the locals of a function; call before asking for any of them.
  void enter(const llvm::Function& function, program::FunctionId id);
  /// The variable that an access through `pointer` of a value of type `type` reads or writes.
  program::VariableId of(const llvm::Value* pointer, const llvm::Type* type);
  /// The local that `value` was loaded from, if that local is exact; else not valid.
  program::VariableId loaded_from(const llvm::Value* value) const;
  /// The local of an alloca; not valid if it has none (arrays of varying size have).
  program::VariableId local(const llvm::AllocaInst* alloca) const;
  /// The variable whose address `value` is: a local, a global, or a field of something.
  program::VariableId addressed_by(const llvm::Value* value);

  program::SourcePlace place(const llvm::DebugLoc& location);
  program::SourcePlace place(const llvm::DIScope* scope, unsigned line, unsigned column);

 private:
  /// One for each key, or name if there is none.
  program::VariableId named(const std::string& name, program::VariableKind kind,
                            const std::string& key = {});
  program::VariableId field(const llvm::GEPOperator& steps, llvm::StructType& type, unsigned index);
  void declare(const llvm::AllocaInst& alloca, const llvm::DILocalVariable* variable,
               const llvm::Function& function, program::FunctionId id);

  DebugTypes& types_;
  program::Program& program_;
  std::unordered_map<std::string, program::VariableId> by_name_;
  llvm::DenseMap<const llvm::AllocaInst*, program::VariableId> locals_;
  llvm::DenseMap<const llvm::GlobalVariable*, program::VariableId> globals_;
  llvm::DenseMap<std::pair<const llvm::DIType*, const llvm::DIDerivedType*>, program::VariableId>
      fields_;
  llvm::DenseMap<const llvm::Type*, program::VariableId> memory_;
  llvm::DenseMap<const llvm::DIFile*, base::StringId> files_;
  std::unordered_map<std::string, unsigned> locals_of_name_;  // in the function entered last
};

/// The locals of a function that the source declares, with the allocas they live in.
void for_each_declaration(
    const llvm::Function& function,
    llvm::function_ref<void(const llvm::AllocaInst&, const llvm::DILocalVariable*)> visit);

/// Unlike LLVM's own function it keeps steps of no width: the first field of a structure has its
/// address, but is not the structure.
const llvm::Value* without_casts(const llvm::Value* pointer);

/// The function that a constant is, seen through casts and aliases; null if it is none.
inline const llvm::Function* as_function(const llvm::Value* value) {
  return llvm::dyn_cast<llvm::Function>(value->stripPointerCastsAndAliases());
}

/// The pointer that an access starts from: back over casts and the steps of one computation.
const llvm::Value* base_of(const llvm::Value* pointer);

/// Every use of the alloca reads or writes it by name.
bool is_exact(const llvm::AllocaInst& alloca);

/// `struct.point` → `point`, without the number that the linker adds to names met twice.
std::string structure_name(const llvm::StructType& type);

}  // namespace nestor::bitcode
