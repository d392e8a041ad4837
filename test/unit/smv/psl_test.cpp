#include "base/error.h"
#include "smv/reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace nestor::smv {

namespace {

logic::ModelProperty read_property(logic::FormulaPool& pool, const std::string& property) {
  logic::ReadOptions options;
  options.properties = &pool;
  const std::string text = fmt::format(
      "MODULE main\nVAR a : boolean; b : boolean; c : boolean; d : boolean; s : 0..3; e : array "
      "0..2 of boolean;\nDEFINE z := s = 1; PSLSPEC {}\n",
      property);
  const logic::ReadModel read = read_smv(base::Input::from_text("test.smv", text), options);
  return read.properties.at(0);
}

}  // namespace

/// Each property with all the parentheses that NuSMV's grammar of PSL puts there.
TEST(Psl, OperatorsTakeWhatBindsMoreTightly) {
  const std::pair<const char*, const char*> same[] = {
      {"always a -> b", "always (a -> b)"},
      {"never a & b", "never (a & b)"},
      {"a & always b -> c", "a & (always (b -> c))"},
      {"G a -> F b", "G (a -> (F b))"},
      {"F a & b", "F (a & b)"},
      {"F a until b", "(F a) until b"},
      {"always a -> eventually! b & c", "always (a -> (eventually! (b & c)))"},
      {"eventually! a before b", "eventually! (a before b)"},
      {"a -> b -> c", "(a -> b) -> c"},
      {"a -> b <-> c", "(a -> b) <-> c"},
      {"next a until b", "next (a until b)"},
      {"X a until b", "(X a) until b"},
      {"a until b until! c", "(a until b) until! c"},
      {"a before b until c", "a before (b until c)"},
      {"a until b | c", "a until (b | c)"},
      {"a || b | c", "a || (b | c)"},
      {"a | b || c", "(a | b) || c"},
      {"a && b | c", "a && (b | c)"},
      {"a | b xor c", "a | (b xor c)"},
      {"a xor b & c", "a xor (b & c)"},
      {"AG a & b", "AG (a & b)"},
      {"AG a -> AF b", "(AG a) -> (AF b)"},
      {"s in {0, 1} & a", "(s in {0, 1}) & a"},
      {"a = b & c", "(a = b) & c"},
      {"next[2] (a) & b", "(next[2] (a)) & b"},
      {"always forall i in {0:2} : e[i] -> a", "always ((e[0] & e[1] & e[2]) -> a)"},
      {"forall i in {0, 2} : next[i] (e[i])", "next[0] (e[0]) & next[2] (e[2])"},
      {"forall t in boolean : a = t", "a = FALSE & a = TRUE"},
  };
  for (const auto& [text, grouped] : same) {
    logic::FormulaPool pool;
    const logic::FormulaId one = read_property(pool, text).formula.formula;
    ASSERT_TRUE(one.valid()) << text;
    EXPECT_EQ(one, read_property(pool, grouped).formula.formula) << text;
  }
}

TEST(Psl, WhatLtlCannotSayIsRefusedByName) {
  const std::pair<const char*, const char*> refused[] = {
      {"{a; b} |=> {c}", "unsupported: regular expressions of PSL, line 3"},
      {"always {a; b} |=> {c}", "unsupported: regular expressions of PSL, line 3"},
      {"a & {b[*2]}!", "unsupported: regular expressions of PSL, line 3"},
      {"always (a -> F b) abort c", "unsupported: 'abort' of PSL, line 3"},
      {"always a @ b", "unsupported: '@' of PSL, line 3"},
      {"always rose(a)", "unsupported: 'rose' of PSL, line 3"},
      {"within (a, b) {c}", "unsupported: 'within' of PSL, line 3"},
      {"whilenot!(a) {b; c}", "unsupported: 'whilenot' of PSL, line 3"},
  };
  for (const auto& [text, reason] : refused) {
    logic::FormulaPool pool;
    const logic::ModelProperty property = read_property(pool, text);
    EXPECT_EQ(property.unsupported, reason) << text;
    EXPECT_EQ(property.formula.text, fmt::format("PSLSPEC {}", text));
  }
}

/// 10 000 events in one another: the formula is a chain, and its parts are shared.
TEST(Psl, LargeBoundsMakeFormulasOfTheirSize) {
  logic::FormulaPool pool;
  EXPECT_TRUE(read_property(pool, "next_event_a!(a)[1:10000](next_event_e(b)[1:10000](c))")
                  .formula.formula.valid());
  EXPECT_LT(pool.size(), 200'000U);
}

TEST(Psl, CopiesOfForallAreLimited) {
  logic::FormulaPool pool;
  try {
    read_property(pool, "forall i in {0:999} : forall j in {0:999} : s = i + j");
    FAIL() << "it was read";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.message(), "'forall' makes more than 10000 copies");
    EXPECT_EQ(error.location().line, 3U);
  }
}

}  // namespace nestor::smv
