#pragma once

#include "base/input.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nestor::bitcode {

/// A module with the context it lives in.
struct LinkedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<std::string> warnings;  ///< what was not usable of the files
};

/// Reads `.bc` and `.ll` files (`-` is standard input) and links them in memory, in their order.
/// Throws Error: Input for what is no bitcode or cannot be linked, System for what cannot be read.
LinkedModule link_modules(const base::Input& first, std::span<const std::string> more);

}  // namespace nestor::bitcode
