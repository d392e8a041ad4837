#pragma once

#include <llvm/IR/Module.h>

#include <set>
#include <string>
#include <unordered_map>

namespace nestor::bitcode {

/// Which functions are ever stored into a field of a structure, whichever object it is in, or into
/// a global. Known only as long as everything that is written there is: nothing but functions by
/// their names, and never through a pointer to the field.
class StoredFunctions {
 public:
  explicit StoredFunctions(const llvm::Module& module);

  /// The pointer is read from a place of which all is known, and the function is not stored there.
  bool excludes(const llvm::Value* pointer, const llvm::Function* function) const;

 private:
  struct Stored {
    std::set<const llvm::Function*> functions;
    bool unknown = false;  ///< something else as well
  };

  void collect_initializer(const llvm::Constant& root);
  void collect_uses(const llvm::Instruction& instruction);
  void store(const llvm::Value* pointer, const llvm::Value* value);
  void leave_open(const llvm::Value* pointer);

  std::unordered_map<std::string, Stored> stored_;  // by field or global
  std::set<const llvm::Function*> anywhere_;        // in constants that do not name their structure
};

}  // namespace nestor::bitcode
