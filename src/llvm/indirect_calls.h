#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace nestor {

/// Which functions a call through a pointer may reach: those whose address is taken, of the same
/// type. The type is the C type where the compiler wrote it (-fsanitize=kcfi), else what LLVM knows
/// of it, where all pointers are one. Virtual calls go by the slot in the class's table; a pointer
/// that is read from a field of a structure goes to what is ever stored into that field, if
/// everything stored there is known. Functions outside the program are candidates too.
class IndirectCalls {
 public:
  explicit IndirectCalls(const llvm::Module& module);

  /// In the order of the module.
  std::vector<const llvm::Function*> targets(const llvm::CallBase& call) const;
  /// The functions that a pointer can be, if it is a constant, a local or a parameter all of whose
  /// values are known.
  std::optional<std::vector<const llvm::Function*>> known_values(const llvm::Value* pointer) const;

 private:
  using Functions = std::vector<const llvm::Function*>;

  /// What is stored into one field, or one global.
  struct Stored {
    std::set<const llvm::Function*> functions;
    bool unknown = false;  ///< something else as well
  };

  void collect_vtable(const llvm::GlobalVariable& table);
  void collect_constant(const llvm::Constant& constant);
  void collect_stores(const llvm::Function& function);
  void store(const llvm::Value* pointer, const llvm::Value* value);
  static std::string place_of(const llvm::Value* pointer);
  const Stored* stored_at(const llvm::Value* callee) const;
  const Functions* same_slot(const llvm::Value* callee) const;
  Functions same_type(const llvm::CallBase& call) const;

  bool whole_program_;  // there is a main: nobody else calls what it has
  llvm::DenseMap<std::uint64_t, Functions> by_c_type_;
  llvm::DenseMap<const llvm::FunctionType*, Functions> by_signature_;
  std::unordered_map<std::uint64_t, Functions> by_slot_;  // of virtual tables
  std::unordered_map<std::string, Stored> stored_;        // by field or global
};

}  // namespace nestor
