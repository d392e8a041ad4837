#include "llvm/compiler_arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace nestor::bitcode {

namespace {

using Mode = CompilerArguments::Mode;

constexpr std::array<std::string_view, 10> kSourceExtensions = {".c", ".cc", ".cpp", ".cxx", ".c++",
                                                                ".C", ".CC", ".CPP", ".i",   ".ii"};

// Options whose value is the next argument; `-I dir` and `-Idir` are both legal.
constexpr std::array<std::string_view, 27> kFrontEndWithValue = {"-I",
                                                                 "-D",
                                                                 "-U",
                                                                 "-x",
                                                                 "-include",
                                                                 "-isystem",
                                                                 "-idirafter",
                                                                 "-iquote",
                                                                 "-imacros",
                                                                 "-Xclang",
                                                                 "-target",
                                                                 "--target",
                                                                 "-arch",
                                                                 "--param",
                                                                 "-iprefix",
                                                                 "-isysroot",
                                                                 "-iwithprefix",
                                                                 "-iwithprefixbefore",
                                                                 "--sysroot",
                                                                 "-mllvm",
                                                                 "-Xpreprocessor",
                                                                 "-include-pch",
                                                                 "-ivfsoverlay",
                                                                 "-B",
                                                                 "-gcc-toolchain",
                                                                 "--gcc-toolchain",
                                                                 "-working-directory"};
constexpr std::array<std::string_view, 14> kOtherWithValue = {
    "-L",          "-l", "-MF", "-MT", "-MQ", "-MJ",    "-Xlinker",
    "-Xassembler", "-u", "-T",  "-z",  "-e",  "-rpath", "-dumpdir"};

constexpr std::array<std::string_view, 7> kOtherModes = {
    "-E", "-S", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "--version"};
constexpr std::array<std::string_view, 6> kPrints = {"-print-", "--print-", "-dump",
                                                     "-###",    "--help",   "-help"};
// Neither optimisation and measuring, nor what only concerns the object, dependencies and the
// linker.
constexpr std::array<std::string_view, 20> kDropped = {
    "-O",      "-M",      "-Wp,-M", "-flto",     "-Wl,",       "-Wa,",       "-L",
    "-l",      "-g",      "-pg",    "-fprofile", "-ftest-cov", "--coverage", "-save-temps",
    "-shared", "-static", "-pie",   "-rdynamic", "-fsanitize", "-Werror"};

template <class List>
bool contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

template <class List>
bool has_prefix_in(const List& list, std::string_view text) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool is_source(std::string_view path) {
  return std::any_of(kSourceExtensions.begin(), kSourceExtensions.end(),
                     [&](std::string_view extension) { return path.ends_with(extension); });
}

}  // namespace

std::string CompilerArguments::object_of(const std::string& source) const {
  if (!output.empty()) {
    return output;
  }
  const std::size_t slash = source.rfind('/');
  const std::string name = slash == std::string::npos ? source : source.substr(slash + 1);
  return name.substr(0, name.rfind('.')) + ".o";
}

CompilerArguments parse_compiler_arguments(std::span<const std::string> arguments) {
  CompilerArguments result;
  bool other = false;
  bool compile = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool has_next = i + 1 < arguments.size();
    if (argument == "-o" && has_next) {
      result.output = arguments[++i];
    } else if (argument.starts_with("-o") && argument.size() > 2 &&
               !argument.starts_with("-object")) {
      result.output = argument.substr(2);
    } else if (argument == "-c") {
      compile = true;
    } else if (contains(kOtherModes, argument) || has_prefix_in(kPrints, argument)) {
      other = true;
    } else if (contains(kFrontEndWithValue, argument) && has_next) {
      result.front_end.push_back(argument);
      result.front_end.push_back(arguments[++i]);
    } else if (contains(kOtherWithValue, argument) && has_next) {
      ++i;
    } else if (argument.starts_with('-')) {
      if (!has_prefix_in(kDropped, argument)) {
        result.front_end.push_back(argument);
      }
    } else if (is_source(argument)) {
      result.sources.push_back(argument);
    }
  }
  result.mode = other ? Mode::Other : (compile ? Mode::Compile : Mode::Link);
  return result;
}

std::vector<std::string> without_listings(std::span<const std::string> arguments) {
  constexpr std::string_view kAssembler = "-Wa,";
  std::vector<std::string> result;
  for (const std::string& argument : arguments) {
    if (!argument.starts_with(kAssembler)) {
      result.push_back(argument);
      continue;
    }
    std::string kept;
    for (std::size_t begin = kAssembler.size(); begin <= argument.size();) {
      const std::size_t end = std::min(argument.find(',', begin), argument.size());
      const std::string_view option = std::string_view(argument).substr(begin, end - begin);
      if (!option.starts_with("-a")) {
        kept += ',';
        kept += option;
      }
      begin = end + 1;
    }
    if (!kept.empty()) {
      result.push_back("-Wa" + kept);
    }
  }
  return result;
}

}  // namespace nestor::bitcode
