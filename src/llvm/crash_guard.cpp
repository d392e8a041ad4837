#include "llvm/crash_guard.h"

#include "base/error.h"

#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>

#include <csignal>
#include <exception>

namespace nestor::bitcode {

bool run_guarded(llvm::function_ref<void()> work) {
  const llvm::ScopedFatalErrorHandler no_message(
      [](void*, const char*, bool) { std::raise(SIGABRT); });
  std::exception_ptr thrown;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  const bool well = context.RunSafely([&] {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  llvm::CrashRecoveryContext::Disable();
  if (thrown) {
    std::rethrow_exception(thrown);
  }
  return well;
}

void refuse_damaged(const std::string& name) {
  throw base::Error(
      base::Error::Kind::Input,
      "no LLVM bitcode or assembly: the file is damaged in a way that LLVM cannot tell",
      {name, 0, 0});
}

}  // namespace nestor::bitcode
