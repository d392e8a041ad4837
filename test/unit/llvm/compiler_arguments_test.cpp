#include "llvm/compiler_arguments.h"

#include <gtest/gtest.h>

namespace nestor::bitcode {
namespace {

using Mode = CompilerArguments::Mode;

CompilerArguments parsed(const std::vector<std::string>& arguments) {
  return parse_compiler_arguments(arguments);
}

TEST(CompilerArguments, CompilingOneFile) {
  const CompilerArguments a = parsed({"-O2", "-g", "-Wall", "-Werror", "-I", "include", "-DX=1",
                                      "-MD", "-MF", "x.d", "-c", "src/x.c", "-o", "out/x.o"});
  EXPECT_EQ(a.mode, Mode::Compile);
  EXPECT_EQ(a.sources, std::vector<std::string>{"src/x.c"});
  EXPECT_EQ(a.object_of("src/x.c"), "out/x.o");
  EXPECT_EQ(a.front_end, (std::vector<std::string>{"-Wall", "-I", "include", "-DX=1"}));
}

TEST(CompilerArguments, WithoutANameTheObjectLiesHere) {
  EXPECT_EQ(parsed({"-c", "src/x.cpp"}).object_of("src/x.cpp"), "x.o");
}

TEST(CompilerArguments, Linking) {
  const CompilerArguments a =
      parsed({"x.o", "y.c", "liba.a", "-L", "lib", "-lm", "-Wl,-z,now", "-o", "prog"});
  EXPECT_EQ(a.mode, Mode::Link);
  EXPECT_EQ(a.sources, std::vector<std::string>{"y.c"});
  EXPECT_EQ(a.linked(), "prog");
  EXPECT_TRUE(a.front_end.empty());
  EXPECT_EQ(parsed({"x.o"}).linked(), "a.out");
}

TEST(CompilerArguments, ValuesAreNoInputs) {
  EXPECT_TRUE(parsed({"-c", "-include", "x.c", "-MF", "y.c", "-Xlinker", "z.c"}).sources.empty());
}

TEST(CompilerArguments, WhatMakesNoObject) {
  for (const char* option : {"-E", "-S", "-M", "-MM", "-fsyntax-only", "--version",
                             "-print-search-dirs", "-dumpversion"}) {
    EXPECT_EQ(parsed({option, "x.c"}).mode, Mode::Other) << option;
  }
  EXPECT_EQ(parsed({"-MMD", "-c", "x.c"}).mode, Mode::Compile);
}

TEST(CompilerArguments, ListingsOfTheAssemblerAreLeftOut) {
  const std::vector<std::string> given = {
      "-c",    "-Wa,-adhlns=x.lst", "-Wa,-ahl=y.lst,--noexecstack,-a",
      "-Wall", "-Wa,-Iinclude",     "x.c"};
  EXPECT_EQ(without_listings(given),
            (std::vector<std::string>{"-c", "-Wa,--noexecstack", "-Wall", "-Wa,-Iinclude", "x.c"}));
}

}  // namespace
}  // namespace nestor::bitcode
