#include "llvm/compiler_wrapper.h"

#include "base/error.h"
#include "base/input.h"
#include "llvm/compiler_arguments.h"
#include "llvm/modules.h"

#include <fmt/format.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace nestor::bitcode {

namespace {

namespace fs = std::filesystem;
using Mode = CompilerArguments::Mode;

constexpr const char* kSection = ".nestor_bitcode";

std::optional<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return name;
  }
  const llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

/// The exit status; -1 or -2 if the program could not be run or crashed. `quiet` drops its output.
int execute(const std::string& program, const std::vector<std::string>& arguments,
            bool quiet = false) {
  std::vector<llvm::StringRef> all = {program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  if (!quiet) {
    return llvm::sys::ExecuteAndWait(program, all);
  }
  const std::optional<llvm::StringRef> streams[] = {std::nullopt, llvm::StringRef(""),
                                                    llvm::StringRef("")};
  return llvm::sys::ExecuteAndWait(program, all, std::nullopt, streams);
}

/// The arguments with those that response files, `@FILE`, hold, as the compiler reads them.
std::vector<std::string> expanded(std::span<const std::string> arguments) {
  llvm::SmallVector<const char*, 64> all;
  for (const std::string& argument : arguments) {
    all.push_back(argument.c_str());
  }
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  // What cannot be read stays as it is; the compiler has said what it thinks of it.
  llvm::cl::ExpandResponseFiles(saver, llvm::cl::TokenizeGNUCommandLine, all);
  return {all.begin(), all.end()};
}

/// A file that is gone when this is.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::string pattern = (fs::temp_directory_path() / "nestor-cc-XXXXXX").string();
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0) {
      throw base::Error(base::Error::Kind::System, fmt::format("cannot make a file in '{}'",
                                                               fs::temp_directory_path().string()));
    }
    path_ = pattern;
    std::fclose(fdopen(descriptor, "w"));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Wrapper {
 public:
  explicit Wrapper(const CompilerCall& call)
      : call_(call), parsed_(parse_compiler_arguments(expanded(call.arguments))) {
    const std::optional<std::string> compiler = find_program(call.compiler);
    if (!compiler) {
      throw base::Error(
          base::Error::Kind::System,
          fmt::format(
              "cannot find the compiler '{}': install it, or name another one in NESTOR_CLANG",
              call.compiler));
    }
    compiler_ = *compiler;
    objcopy_ = find_program("objcopy");
    if (!objcopy_) {
      objcopy_ = find_program("llvm-objcopy-19");
    }
  }

  CompilerOutcome run() {
    outcome_.status = execute(compiler_, without_listings(call_.arguments));
    if (outcome_.status == 0 && parsed_.mode == Mode::Compile) {
      for (const std::string& source : parsed_.sources) {
        compile(source);
      }
    } else if (outcome_.status == 0 && parsed_.mode == Mode::Link && fs::exists(parsed_.linked())) {
      link();
    } else if (outcome_.status < 0) {
      outcome_.status = 1;
    }
    return std::move(outcome_);
  }

 private:
  bool make_bitcode(const std::string& source, const std::string& bitcode) {
    std::vector<std::string> arguments = parsed_.front_end;
    for (const char* more : {"-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone",
                             "-w", "-Wno-error", "-Qunused-arguments"}) {
      arguments.emplace_back(more);
    }
    if (fs::path(source).extension() == ".c") {
      arguments.emplace_back(
          "-fsanitize=kcfi");  // marks indirect calls with the C type, nothing else
    }
    arguments.insert(arguments.end(), {"-o", bitcode, source});
    if (execute(compiler_, arguments, true) == 0) {
      return true;
    }
    outcome_.warnings.push_back(
        fmt::format("{}: no bitcode: the compiler refused -emit-llvm", source));
    return false;
  }

  void compile(const std::string& source) {
    const std::string object = parsed_.object_of(source);
    if (object == "/dev/null" || !fs::is_regular_file(object)) {
      return;
    }
    const std::string bitcode = object + ".bc";
    if (!make_bitcode(source, bitcode)) {
      return;
    }
    if (!objcopy_) {
      outcome_.warnings.emplace_back(
          "objcopy is missing: linked files will not know their bitcode");
      return;
    }
    const TemporaryFile path;
    std::ofstream(path.path()) << fs::absolute(bitcode).string() << '\n';
    if (execute(*objcopy_, {"--remove-section", kSection, "--add-section",
                            fmt::format("{}={}", kSection, path.path()), object}) != 0) {
      outcome_.warnings.push_back(fmt::format("{}: objcopy could not name its bitcode", object));
    }
  }

  std::vector<std::string> members(const std::string& linked) const {
    std::vector<std::string> paths;
    if (!objcopy_) {
      return paths;
    }
    const TemporaryFile list;
    // The section is not loaded, and `-O binary` writes only what is.
    if (execute(*objcopy_,
                {"-O", "binary", fmt::format("--only-section={}", kSection),
                 fmt::format("--set-section-flags={}=alloc", kSection), linked, list.path()},
                true) != 0) {
      return paths;
    }
    std::ifstream in(list.path(), std::ios::binary);
    for (std::string line; std::getline(in, line);) {
      line.erase(std::remove(line.begin(), line.end(), '\0'),
                 line.end());  // padding between members
      if (!line.empty() && std::find(paths.begin(), paths.end(), line) == paths.end()) {
        paths.push_back(line);
      }
    }
    return paths;
  }

  void link() {
    const std::string linked = parsed_.linked();
    std::vector<std::string> paths;
    for (const std::string& source : parsed_.sources) {
      // By number: two folders can have a file of the same name.
      const std::string bitcode =
          fmt::format("{}.{}.{}.bc", linked, paths.size(), fs::path(source).filename().string());
      if (make_bitcode(source, bitcode)) {
        paths.push_back(bitcode);
      }
    }
    const std::size_t own = paths.size();
    for (std::string& path : members(linked)) {
      if (fs::exists(path)) {
        paths.push_back(std::move(path));
      } else {
        outcome_.warnings.push_back(fmt::format("{}: its member '{}' is gone", linked, path));
      }
    }
    if (!paths.empty()) {
      try {
        write_linked_bitcode(paths, linked + ".bc");
      } catch (const base::Error& error) {
        outcome_.warnings.push_back(fmt::format("{}: no bitcode: {}", linked, error.message()));
      }
    }
    for (std::size_t i = 0; i < own; ++i) {
      std::error_code ignored;
      fs::remove(paths[i], ignored);
    }
  }

  const CompilerCall& call_;
  CompilerArguments parsed_;
  std::string compiler_;
  std::optional<std::string> objcopy_;
  CompilerOutcome outcome_;
};

}  // namespace

CompilerOutcome run_compiler(const CompilerCall& call) {
  return Wrapper(call).run();
}

}  // namespace nestor::bitcode
