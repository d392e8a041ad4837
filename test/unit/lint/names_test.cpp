#include "lint/names.h"

#include <gtest/gtest.h>

namespace nestor::lint {
namespace {

TEST(Names, OfCppHaveTheirScopeAndNoTypes) {
  EXPECT_EQ(readable_name("_ZN5store3Box5clearEPc"), "store::Box::clear");
  EXPECT_EQ(readable_name("_ZNK5store3Box5clearIcEEbPT_"), "store::Box::clear<char>");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_11fEi"), "(anonymous namespace)::f");
  EXPECT_EQ(readable_name("_ZZ4mainENKUliE_clEi"), "main::{lambda(int)#1}::operator()");
  EXPECT_EQ(readable_name("_Znwm"), "operator new");
  EXPECT_EQ(readable_name("_ZdaPv"), "operator delete[]");
  EXPECT_EQ(readable_name("_ZN1AcvbEv"), "A::operator bool");
  EXPECT_EQ(readable_name("_ZN1AC2Ev"), "A::A");
}

TEST(Names, OthersStayAsTheyAre) {
  EXPECT_EQ(readable_name("fopen"), "fopen");
  EXPECT_EQ(readable_name("_Znonsense"), "_Znonsense");
  EXPECT_EQ(short_name("main::fd"), "fd");
  EXPECT_EQ(short_name("main::fd#12"), "fd");
  EXPECT_EQ(short_name("store.file"), "store.file");
}

}  // namespace
}  // namespace nestor::lint
