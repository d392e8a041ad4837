#include "format/pds/mu_calculus.h"

#include "base/input.h"
#include "logic/printer.h"

#include <gtest/gtest.h>

#include <string>

namespace nestor::format {
namespace {

/// The formula of CTL, or what is not supported.
std::string translated(const std::string& text) {
  const base::Input input = base::Input::from_text("f", text);
  logic::FormulaPool pool;
  const logic::ModelProperty property = translate_mu_property(input, input.text(), pool);
  return property.unsupported.empty() ? logic::to_string(pool, property.formula.formula)
                                      : property.unsupported;
}

TEST(MuCalculus, TranslatesFixpoints) {
  EXPECT_EQ(translated("mu X. q | p & <>X"), "E [p U q]");
  EXPECT_EQ(translated("mu X. q | <>X"), "EF q");
  EXPECT_EQ(translated("mu X. (q | []X)"), "A [true U q | !EX true]");
  EXPECT_EQ(translated("mu X. q | p & []X"), "A [p U q | (p & !EX true)]");
  EXPECT_EQ(translated("nu X. p & []X"), "AG p");
  EXPECT_EQ(translated("nu X. q | (p && [ ]X)"), "A [p W q]");
  EXPECT_EQ(translated("nu X. p & <>X"), "EG (p & EX true)");
  EXPECT_EQ(translated("nu X. p & (!q => <>X)"), "E [p U p & !!q] | EG (p & EX true)");
}

TEST(MuCalculus, BindsAsPdsolverDoes) {
  EXPECT_EQ(translated("a | b & !c => d"), "!(a | (b & !c)) | d");
  EXPECT_EQ(translated("<>a & []b"), "EX a & AX b");
  EXPECT_EQ(translated("a & mu X. b | <>X"), "a & EF b");
  EXPECT_EQ(translated("! nu X . [] X & a"), "!AG a");
  EXPECT_EQ(translated("tt & (ff | a)"), "a");
}

TEST(MuCalculus, NestsFixpoints) {
  EXPECT_EQ(translated("nu X. (mu Y. p | <>Y) & []X"), "AG EF p");
  EXPECT_EQ(translated("mu X. (mu X. p | <>X) | []X"), "A [true U EF p | !EX true]");
}

TEST(MuCalculus, SaysWhatItCannotTranslate) {
  EXPECT_EQ(translated("a & ~[]b"), "unsupported: the backward modality '~[]' at f:1:5");
  EXPECT_EQ(translated("a\n| <@p q>b"), "unsupported: the restricted modality '<@p q>' at f:2:3");
  EXPECT_EQ(translated("~[\\p]b"),
            "unsupported: the backward restricted modality '~[\\p]' at f:1:1");
  EXPECT_EQ(translated("nu X. mu Y. (p & <>X | <>Y)"),
            "unsupported: the fixpoint of 'X', which occurs elsewhere than as <>X or []X at f:1:1");
  EXPECT_EQ(translated("mu X. p | X"),
            "unsupported: the fixpoint of 'X', which occurs elsewhere than as <>X or []X at f:1:1");
  EXPECT_EQ(translated("mu X. p | !<>X"),
            "unsupported: the fixpoint of 'X', which occurs negated at f:1:1");
  EXPECT_EQ(translated("mu X. p | <>X & []X"),
            "unsupported: the fixpoint of 'X', which occurs as <>X and as []X at f:1:1");
}

TEST(MuCalculus, AllowsDoubleNegation) {
  EXPECT_EQ(translated("mu X. !(!p & !<>X)"), "EF !!p");
}

TEST(MuCalculus, NestsDeeply) {
  constexpr std::size_t kDepth = 100000;
  const std::string text =
      std::string(kDepth, '!') + std::string(kDepth, '(') + "p" + std::string(kDepth, ')');
  EXPECT_EQ(translated(text).size(), kDepth + 1);
}

}  // namespace
}  // namespace nestor::format
