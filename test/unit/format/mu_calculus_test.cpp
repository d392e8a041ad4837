#include "format/pds/mu_calculus.h"

#include "base/input.h"
#include "logic/printer.h"

#include <gtest/gtest.h>

#include <string>

namespace nestor::format {
namespace {

/// The formula of CTL, or `mu` if there is none.
std::string translated(const std::string& text) {
  const base::Input input = base::Input::from_text("f", text);
  logic::FormulaPool pool;
  const logic::ModelProperty property = translate_mu_property(input, input.text(), pool);
  EXPECT_EQ(property.unsupported, "");
  EXPECT_EQ(property.mu == nullptr, property.formula.formula.valid());
  return property.mu != nullptr ? "mu" : logic::to_string(pool, property.formula.formula);
}

TEST(MuCalculus, TranslatesFixpoints) {
  EXPECT_EQ(translated("mu X. q | p & <>X"), "E [p U q]");
  EXPECT_EQ(translated("mu X. q | <>X"), "EF q");
  EXPECT_EQ(translated("mu X. (q | []X)"), "A [true U q | !EX true]");
  EXPECT_EQ(translated("mu X. q | p & []X"), "A [p U q | (p & !EX true)]");
  // Rolled: X in the operand of a modality.
  EXPECT_EQ(translated("mu X. q | <>(p & X)"), "q | EX E [p U p & q]");
  EXPECT_EQ(translated("nu X. q & [](p | X)"), "q & AX A [q W p]");
  EXPECT_EQ(translated("nu X. !<>(p & !X)"), "!EX false");
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

TEST(MuCalculus, ReadsRestrictedModalitiesAsWhatTheyMean) {
  EXPECT_EQ(translated("a\n| <@p q>b"), "a | ((p | q) & EX b)");
  EXPECT_EQ(translated("[@p]b"), "!p | AX b");
  EXPECT_EQ(translated("<\\p q>b"), "!(p | q) & EX b");
  EXPECT_EQ(translated("[\\p ]b"), translated("[\\p]b"));
  EXPECT_EQ(translated("nu X. [@p]ff & [\\q]X"), "A [!p | AX false W (!p | AX false) & !!q]");
}

TEST(MuCalculus, KeepsWhatIsNotCtl) {
  EXPECT_EQ(translated("a & ~[]b"), "mu");
  EXPECT_EQ(translated("~[\\p]b"), "mu");
  EXPECT_EQ(translated("nu X. mu Y. (p & <>X | <>Y)"), "mu");
  EXPECT_EQ(translated("mu X. p | X"), "mu");
  EXPECT_EQ(translated("nu X. []X | [](p & X)"), "mu");
  EXPECT_EQ(translated("mu X. p | <><>X"), "mu");
  EXPECT_EQ(translated("mu X. p | <>X & []X"), "mu");
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
