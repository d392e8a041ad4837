#include "lint/cpp_names.h"

#include <gtest/gtest.h>

namespace nestor::lint {
namespace {

// Names as clang 19 writes them, with libstdc++ 12.
TEST(CppNames, MovesTakeAReferenceToWhatGoes) {
  EXPECT_EQ(cpp_use("_ZNSt6vectorIiSaIiEEC2EOS1_"), CppUse::Moves);
  EXPECT_EQ(cpp_use("_ZN3FooaSEOS_"), CppUse::Moves);
  EXPECT_EQ(cpp_use("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_"),
            CppUse::Copies);
  EXPECT_EQ(cpp_use("_ZNSt6vectorIiSaIiEE9push_backEOi"), CppUse::Uses);
}

TEST(CppNames, SomeMembersGiveANewValue) {
  EXPECT_EQ(cpp_use("_ZNSt6vectorIiSaIiEE5clearEv"), CppUse::Renews);
  EXPECT_EQ(cpp_use("_ZNSt10unique_ptrIiSt14default_deleteIiEE5resetEPi"), CppUse::Renews);
  EXPECT_EQ(cpp_use("_ZNSt10unique_ptrIiSt14default_deleteIiEED2Ev"), CppUse::Renews);
  EXPECT_EQ(cpp_use("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEaSEPKc"), CppUse::Renews);
}

TEST(CppNames, ASmartPointerMayBeAskedWhetherItIsNull) {
  EXPECT_EQ(cpp_use("_ZNKSt10unique_ptrIiSt14default_deleteIiEEdeEv"), CppUse::Follows);
  EXPECT_EQ(cpp_use("_ZNKSt10unique_ptrIiSt14default_deleteIiEEcvbEv"), CppUse::None);
}

TEST(CppNames, OfOthersNothingIsSaid) {
  EXPECT_EQ(cpp_use("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv"), CppUse::None);
  EXPECT_EQ(cpp_use("_ZN3Foo2goEv"), CppUse::None);
  EXPECT_EQ(cpp_use("free"), CppUse::None);
}

}  // namespace
}  // namespace nestor::lint
