#include "program/externals.h"

#include <gtest/gtest.h>

namespace nestor::program {
namespace {

TEST(Externals, NamesInObjectFilesBecomeThoseOfSources) {
  const Externals externals = builtin_externals();
  EXPECT_EQ(externals.normal_name("open64"), "open");
  EXPECT_EQ(externals.normal_name("__memcpy_chk"), "memcpy");
  EXPECT_EQ(externals.normal_name("__isoc99_sscanf"), "sscanf");
  EXPECT_EQ(externals.normal_name("__isoc23_strtol"), "strtol");
  EXPECT_EQ(externals.normal_name("_setjmp"), "setjmp");
  EXPECT_EQ(externals.normal_name("\1mine"), "mine");
  EXPECT_EQ(externals.normal_name("malloc"), "malloc");
}

TEST(Externals, AFileAddsToWhatIsKnown) {
  Externals externals = builtin_externals();
  read_externals(
      base::Input::from_text("x.toml",
                             "noreturn = [\"die\"]\n[callbacks]\nqsort = [1]\n[aliases]\n"
                             "malloc = [\"xmalloc\", \"git_malloc\"]\n"),
      externals);
  EXPECT_EQ(externals.noreturn.count("die"), 1U);
  EXPECT_EQ(externals.noreturn.count("exit"), 1U);
  EXPECT_EQ(externals.callbacks["qsort"], std::vector<unsigned>{1});
  EXPECT_EQ(externals.aliases["malloc"], (std::vector<std::string>{"xmalloc", "git_malloc"}));
}

}  // namespace
}  // namespace nestor::program
