#pragma once

#include "llvm/function_pointer_flow.h"
#include "llvm/stored_functions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace nestor::bitcode {

/// Which functions a call through a pointer may reach: those whose address is taken, of the same
/// type. The type is the C type where the compiler wrote it (-fsanitize=kcfi), else the one of the
/// debug information, else what LLVM knows of it, where all pointers are one. Virtual calls go by
/// the slot in the class's table; a pointer that is read from a field of a structure goes to what
/// is ever stored into that field, if everything stored there is known. Functions outside the
/// program are candidates too.
class IndirectCalls {
 public:
  IndirectCalls(const llvm::Module& module, DebugTypes& types);

  /// In the order of the module.
  std::vector<const llvm::Function*> targets(const llvm::CallBase& call) const;
  /// All values of the pointer that is called are known.
  bool knows_targets(const llvm::CallBase& call) const;
  /// The functions that a pointer can be, if it is a constant, a local or a parameter all of whose
  /// values are known.
  std::optional<std::vector<const llvm::Function*>> known_values(const llvm::Value* pointer) const;
  /// The same, and else every function of the pointer's type; nothing if that is not known either.
  std::optional<std::vector<const llvm::Function*>> possible_values(
      const llvm::Value* pointer) const;
  /// A function, or by debug information a pointer to functions.
  bool is_function_pointer(const llvm::Value* value) const;

 private:
  using Functions = std::vector<const llvm::Function*>;

  void collect_vtable(const llvm::GlobalVariable& table);
  const Functions* same_slot(const llvm::CallBase& call) const;
  Functions same_type(const llvm::CallBase& call) const;
  Functions in_order(const std::set<const llvm::Function*>& functions) const;
  FunctionPointerFlow& flow() const;

  const llvm::Module& module_;
  DebugTypes& types_;
  bool whole_program_;  // there is a main: nobody else calls what it has
  llvm::DenseMap<std::uint64_t, Functions> by_c_type_;
  llvm::DenseMap<const llvm::FunctionType*, Functions> by_signature_;
  std::unordered_map<std::uint64_t, Functions> by_slot_;   // of virtual tables
  llvm::DenseMap<const llvm::Function*, unsigned> order_;  // in the module
  StoredFunctions stored_;
  mutable std::unique_ptr<FunctionPointerFlow> flow_;  // made when the first call asks for it
};

}  // namespace nestor::bitcode
