#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <string>
#include <unordered_map>

namespace nestor::bitcode {

/// The source types of values, from debug information. In LLVM's own types all pointers are alike;
/// what a pointer leads to is found by following how it was computed, back to a variable.
class DebugTypes {
 public:
  explicit DebugTypes(const llvm::Module& module);

  /// Without typedefs and qualifiers; null if it is void or not known.
  static const llvm::DIType* plain(const llvm::DIType* type);
  /// The function type that a pointer of this type leads to; null if it is no pointer to functions.
  static const llvm::DISubroutineType* called_through(const llvm::DIType* pointer);

  const llvm::DIType* of_value(const llvm::Value* value);
  /// The type of the object that `pointer` is the address of.
  const llvm::DIType* of_object(const llvm::Value* pointer);
  /// The type of what lies in an object of type `type` at a distance of `bits` from its beginning,
  /// as long as that is one scalar; null for unions, which may hold different things.
  static const llvm::DIType* scalar_at(const llvm::DIType* type, std::uint64_t bits);
  /// Of a function as it is defined.
  static const llvm::DISubroutineType* of_function(const llvm::Function& function);
  /// Of what the call calls, by its name or through a pointer.
  const llvm::DISubroutineType* of_callee(const llvm::CallBase& call);
  const llvm::DIType* of_global(const llvm::GlobalVariable& global) const;

  /// A member of a structure; both null if it is not known which.
  struct Field {
    const llvm::DIType* structure = nullptr;  ///< with its typedefs
    const llvm::DIDerivedType* member = nullptr;
  };
  /// The innermost field that an address computation leads to.
  Field field_of(const llvm::GEPOperator& steps);
  /// Where the object is not known, as after a cast: by the name that bitcode has for the
  /// structure.
  Field field_named(llvm::StructType& type, unsigned index);
  /// `T.f`, with the namespaces of T; empty if one of them has no name.
  static std::string name_of(const Field& field);
  /// Where the structure is declared: one name may stand for several.
  static std::string declaration_of(const llvm::DIType* structure);
  static bool is_union(const llvm::DIType* type);

  /// Equal numbers for types that are compatible in C, in whichever file they stand.
  unsigned number(const llvm::DISubroutineType* type);

 private:
  const llvm::DIDerivedType* member(const llvm::DIType* object, llvm::StructType& type,
                                    unsigned index) const;
  const llvm::DIType* after_steps(const llvm::GEPOperator& steps, Field& innermost);

  const llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::AllocaInst*, const llvm::DIType*> locals_;
  llvm::DenseMap<const llvm::Value*, const llvm::DIType*> objects_;  // found before
  int depth_ = 0;  // of the search for an object's type
  bool structures_found_ = false;
  std::unordered_map<std::string, const llvm::DIType*> structures_;  // found when first asked for
  llvm::DenseMap<const llvm::DISubroutineType*, unsigned> numbers_;
  std::unordered_map<std::string, unsigned> by_text_;
};

}  // namespace nestor::bitcode
