#include "llvm/modules.h"

#include "base/error.h"
#include "base/input.h"
#include "llvm/crash_guard.h"
#include "llvm/linked_module.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <utility>

namespace nestor::bitcode {

namespace {

/// LLVM reports through a handler; the default one ends the process. No exception may pass through
/// LLVM's frames, so messages are kept for later.
class KeepMessages final : public llvm::DiagnosticHandler {
 public:
  explicit KeepMessages(std::shared_ptr<std::string> first_error)
      : first_error_(std::move(first_error)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error && first_error_->empty()) {
      llvm::raw_string_ostream out(*first_error_);
      llvm::DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
    }
    return true;
  }

 private:
  std::shared_ptr<std::string> first_error_;  // outlives whoever asks
};

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z' && text.size() > 1 && text[1] >= 'a') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) {
    text.pop_back();
  }
  return text;
}

std::unique_ptr<llvm::Module> read_module(const base::Input& input, LinkedModule& to) {
  const llvm::StringRef text(input.text().data(), input.size());
  if (text.empty()) {
    throw base::Error(base::Error::Kind::Input,
                      "the file is empty, expected LLVM bitcode or assembly", {input.name(), 0, 0});
  }
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module;
  std::string problem;
  bool broken_debug_info = false;
  const bool well = run_guarded([&] {
    module = llvm::parseIR(llvm::MemoryBufferRef(text, input.name()), diagnostic, *to.context);
    // Debug information that is not of an older version has been verified with all the rest.
    if (module &&
        llvm::getDebugMetadataVersionFromModule(*module) != llvm::DEBUG_METADATA_VERSION) {
      llvm::raw_string_ostream out(problem);
      if (!llvm::verifyModule(*module, &out, &broken_debug_info)) {
        out.flush();
        problem.clear();
      }
      if (broken_debug_info) {
        llvm::StripDebugInfo(*module);  // what is left of it is not safe to look at
      }
    }
  });
  if (!well) {
    // Half made: not even destructors are safe.
    static_cast<void>(module.release());
    static_cast<void>(to.module.release());
    static_cast<void>(to.context.release());
    refuse_damaged(input.name());
  }
  if (!module) {
    const auto line =
        diagnostic.getLineNo() > 0 ? static_cast<std::uint32_t>(diagnostic.getLineNo()) : 0U;
    const auto column = line > 0 ? static_cast<std::uint32_t>(diagnostic.getColumnNo() + 1) : 0U;
    throw base::Error(
        base::Error::Kind::Input,
        fmt::format("no LLVM bitcode or assembly: {}", lower_first(diagnostic.getMessage().str())),
        {input.name(), line, column});
  }
  if (!problem.empty()) {
    throw base::Error(
        base::Error::Kind::Input,
        fmt::format("the module is broken: {}", lower_first(problem.substr(0, problem.find('\n')))),
        {input.name(), 0, 0});
  }
  if (broken_debug_info) {
    to.warnings.push_back(
        fmt::format("{}: the debug information is broken and is left out", input.name()));
  }
  return module;
}

}  // namespace

LinkedModule link_modules(const base::Input& first, std::span<const std::string> more) {
  LinkedModule result;
  const auto problem = std::make_shared<std::string>();
  result.context = std::make_unique<llvm::LLVMContext>();
  result.context->setDiagnosticHandler(std::make_unique<KeepMessages>(problem));
  result.module = read_module(first, result);
  for (const std::string& path : more) {
    std::unique_ptr<llvm::Module> module = read_module(base::Input::read(path), result);
    bool failed = false;
    if (!run_guarded(
            [&] { failed = llvm::Linker::linkModules(*result.module, std::move(module)); })) {
      static_cast<void>(result.module.release());
      static_cast<void>(result.context.release());
      refuse_damaged(path);
    }
    if (failed) {
      throw base::Error(
          base::Error::Kind::Input,
          fmt::format("cannot be linked to the files before it: {}", lower_first(*problem)),
          {path, 0, 0});
    }
  }
  return result;
}

void write_linked_bitcode(std::span<const std::string> paths, const std::string& output) {
  const LinkedModule linked = link_modules(base::Input::read(paths.front()), paths.subspan(1));
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(*linked.module, out);
  out.flush();
  base::OutputFile file(output);
  file.write(bytes);
  file.commit();
}

}  // namespace nestor::bitcode
