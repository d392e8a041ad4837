#include "program/externals.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(Externals, WithAConstantAFunctionIsAnotherOne) {
  const Externals externals = builtin_externals();
  EXPECT_EQ(externals.name_with_constant("fcntl", 1, 0), "dup");
  EXPECT_EQ(externals.name_with_constant("fcntl", 1, 1), "fcntl");
  EXPECT_EQ(externals.name_with_constant("fcntl", 2, 0), "fcntl");
  EXPECT_EQ(externals.name_with_constant("open", 1, 0), "open");
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

Externals with_functions(const std::string& rows, Externals externals = {}) {
  read_externals(base::Input::from_text("x.toml", "[functions]\n" + rows), externals);
  return externals;
}

std::string error_of(const std::string& rows) {
  try {
    with_functions(rows);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

using Kind = ResultClass::Kind;

TEST(Externals, ResultsAreSetsOfNumbersOrPointers) {
  const auto result = [](const std::string& text) {
    return with_functions("f = \"-> " + text + "\"").find("f")->success;
  };
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(result("0"), (ResultClass{Kind::Range, 0, 0}));
  EXPECT_EQ(result("-1"), (ResultClass{Kind::Range, -1, -1}));
  EXPECT_EQ(result(">=1"), (ResultClass{Kind::Range, 1, kMost}));
  EXPECT_EQ(result("<=-1"), (ResultClass{Kind::Range, kLeast, -1}));
  EXPECT_EQ(result("-2..255"), (ResultClass{Kind::Range, -2, 255}));
  EXPECT_EQ(result("nonzero"), (ResultClass{Kind::NonZero}));
  EXPECT_EQ(result("none"), ResultClass{});
  EXPECT_EQ(result("null"), (ResultClass{Kind::Null}));
  EXPECT_EQ(result("nonnull"), (ResultClass{Kind::NonNull}));
  EXPECT_EQ(result("argument 0"), (ResultClass{Kind::Argument, 0, 0, 0}));
  EXPECT_EQ(result("inside 2"), (ResultClass{Kind::Inside, 0, 0, 2}));
}

TEST(Externals, AFunctionSaysWhatItDoesWithArguments) {
  const Externals externals = with_functions(
      "make = \"reads, value, writes?, reads... -> nonnull else null; fresh thing; check\"\n"
      "drop = \"releases?; family thing\"\n"
      "store = \"keeps\"\n"
      "visit = \"reads, calls\"\n"
      "result = \"unknown... -> 0\"\n");
  const ExternalFunction& make = *externals.find("make");
  EXPECT_EQ(make.failure, (ResultClass{Kind::Null}));
  EXPECT_TRUE(make.fresh);
  EXPECT_EQ(make.family, "thing");
  EXPECT_TRUE(make.unchecked_matters);
  EXPECT_EQ(make.nonnull, std::set<unsigned>{0});
  EXPECT_EQ(make.use_of(2), ArgumentUse::Writes);
  EXPECT_EQ(make.use_of(7), ArgumentUse::Reads);
  EXPECT_EQ(externals.find("drop")->use_of(0), ArgumentUse::Releases);
  EXPECT_EQ(externals.find("drop")->use_of(1), ArgumentUse::Value);
  EXPECT_FALSE(externals.find("drop")->fresh);
  EXPECT_EQ(externals.find("nothing"), nullptr);

  // The lists that other code asks follow from it.
  EXPECT_EQ(externals.borrows.count("make") + externals.borrows.count("drop"), 2U);
  EXPECT_EQ(externals.borrows.count("store") + externals.borrows.count("result"), 0U);
  EXPECT_EQ(externals.callbacks.find("visit")->second, std::vector<unsigned>{1});
}

TEST(Externals, ALaterRowTakesThePlaceOfAnEarlierOne) {
  const Externals externals =
      with_functions("strlen = \"keeps\"\nqsort = \"-> 0\"\n", builtin_externals());
  EXPECT_EQ(externals.find("strlen")->use_of(0), ArgumentUse::Keeps);
  EXPECT_EQ(externals.borrows.count("strlen"), 0U);
  EXPECT_EQ(externals.callbacks.count("qsort"), 0U);
}

bool makes(const ExternalFunction& function) {
  const auto makes = [](ArgumentUse use) {
    return use == ArgumentUse::Makes || use == ArgumentUse::Initialises ||
           use == ArgumentUse::Grows;
  };
  return function.fresh || std::any_of(function.arguments.begin(), function.arguments.end(), makes);
}

bool releases(const ExternalFunction& function) {
  const auto releases = [](ArgumentUse use) {
    return use == ArgumentUse::Releases || use == ArgumentUse::Moves;
  };
  return std::any_of(function.arguments.begin(), function.arguments.end(), releases);
}

TEST(Externals, WhatTheShippedOnesMakeCanBeReleased) {
  const Externals externals = builtin_externals();
  std::set<std::string> made;
  std::set<std::string> released;
  for (const auto& [name, function] : externals.functions) {
    EXPECT_EQ(makes(function) || releases(function), !function.family.empty()) << name;
    if (makes(function)) {
      made.insert(function.family);
    }
    if (releases(function)) {
      released.insert(function.family);
    }
    for (const ResultClass& result : {function.success, function.failure}) {
      EXPECT_TRUE(result.argument == 0 || result.argument < function.arguments.size()) << name;
    }
  }
  EXPECT_EQ(made, released);
  for (const char* name :
       {"_Znwm",   "_Znam",        "realloc", "calloc", "strdup",  "wcsdup",  "asprintf",
        "getline", "fopen",        "tmpfile", "popen",  "socket",  "accept",  "dup",
        "pipe",    "epoll_create", "mmap",    "dlopen", "opendir", "regcomp", "getaddrinfo"}) {
    ASSERT_NE(externals.find(name), nullptr) << name;
    EXPECT_TRUE(makes(*externals.find(name))) << name;
  }
}

TEST(Externals, AnAliasIsAsTheFunctionItStandsFor) {
  Externals externals = with_functions("open_it = \"-> 0 else -1\"", builtin_externals());
  externals.aliases["open_it"] = {"mine"};
  EXPECT_EQ(externals.find("mine"), externals.find("open_it"));
  // Names of object files are understood, too; their own rows come first.
  EXPECT_EQ(externals.find("open64"), externals.find("open"));
  EXPECT_EQ(externals.find("__fgets_chk")->use_of(3), ArgumentUse::Uses);
  EXPECT_EQ(externals.find("fgets")->use_of(2), ArgumentUse::Uses);
}

TEST(Externals, ErrorsSayWhereAndWhatIsExpected) {
  EXPECT_EQ(
      error_of("f = \"value -> 0 else negative\""),
      "x.toml:2:22: error: unknown result 'negative', expected none, null, nonnull, nonzero, N, "
      ">=N, <=N, N..M, argument N or inside N");
  for (const std::string text :
       {"", "5..4", ">=", "0..", "argument -1", "argument 256", "99999999999999999999", "1 1",
        "inside", "0 else", "0 else 1 else 2"}) {
    EXPECT_NE(error_of("f = \"-> " + text + "\""), "") << text;
  }
  EXPECT_EQ(
      error_of("f = \"value, eats?; check\""),
      "x.toml:2:13: error: unknown use 'eats' of an argument, expected one of unknown, value, "
      "reads, writes, reads-writes, uses, keeps, releases, moves, makes, initialises, grows, "
      "calls, calls-later, starts");
  EXPECT_NE(error_of("f = \"value,, value\""), "");
  EXPECT_EQ(error_of("f = \"-> 0; fresh\""),
            "x.toml:2:12: error: unknown remark 'fresh', expected one of fresh FAMILY, family "
            "FAMILY, blank, check, minor, 0 is usual");
  EXPECT_EQ(error_of("f = 0"), "x.toml:2:5: error: expected a string");
}

}  // namespace
}  // namespace nestor::program
