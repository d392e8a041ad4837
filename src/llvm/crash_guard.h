#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>

namespace nestor::bitcode {

/// Runs code on input that may be damaged. LLVM's readers check much but not everything: on some
/// damaged files they, and whoever looks at what they made, crash or end the process. Both come
/// back here instead, as `false`; what the code had allocated is then lost, so the run should end.
/// Exceptions of the code are passed on, but not through LLVM's frames.
bool run_guarded(llvm::function_ref<void()> work);

/// Throws the Error for a file that made run_guarded() return false.
[[noreturn]] void refuse_damaged(const std::string& name);

}  // namespace nestor::bitcode
