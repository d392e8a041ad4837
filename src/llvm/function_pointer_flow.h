#pragma once

#include "llvm/debug_types.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <set>
#include <vector>

namespace nestor::bitcode {

/// Which functions a pointer of a given source type can lead to: those of that type whose address
/// is taken, and those that a conversion brought there. A conversion shows where a value of one
/// type is stored, passed or returned as another. Functions that go where no type is known (a
/// `void *`, a union, code without debug information) may come back as any type that LLVM takes for
/// the same.
class FunctionPointerFlow {
 public:
  FunctionPointerFlow(const llvm::Module& module, DebugTypes& types);

  /// Nothing if debug information does not tell the type of the pointer.
  std::optional<std::set<const llvm::Function*>> targets(const llvm::CallBase& call);
  /// The same for a pointer that is not called here but given to others.
  std::optional<std::set<const llvm::Function*>> values(const llvm::Value* pointer);
  /// The functions among targets() whose own type is another than that of the pointer.
  std::set<const llvm::Function*> converted(const llvm::CallBase& call);

 private:
  void collect(const llvm::Function& function);
  void collect(const llvm::GlobalVariable& global);
  void collect_arguments(const llvm::CallBase& call);
  void flow(const llvm::Value* value, const llvm::DIType* to);
  void flow_one(const llvm::Value* value, const llvm::DIType* to);
  void loosen(const llvm::Constant* root);
  void close();
  std::set<const llvm::Function*>& functions_of(const llvm::DISubroutineType* type);

  const llvm::DataLayout& layout_;
  DebugTypes& types_;
  std::vector<std::set<const llvm::Function*>> functions_;  // by number of the type
  std::vector<std::set<unsigned>> becomes_;                 // by number: types it is converted to
  std::set<const llvm::Function*> loose_;                   // functions that are of any type
  std::set<unsigned> loose_types_;                          // what is of these, becomes loose
};

}  // namespace nestor::bitcode
