#include "model/explore.h"
#include "net/net_states.h"
#include "net/prod_parser.h"
#include "net/prod_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace nestor::net {
namespace {

base::Input text(std::string_view content) {
  return base::Input::from_text("test.net", content);
}

model::Rsm explored(std::string_view content, const std::vector<std::string>& props = {}) {
  return model::explore(read_prod(text(content)), props, {});
}

/// The value of an expression over x = 7, y = -2; nothing if it has none.
std::optional<std::int64_t> value(std::string_view expression) {
  const ProdNet net =
      parse_prod(text(fmt::format("#trans t gate x*0 + y*0, {}; #endtr", expression)));
  return evaluate(net.transitions[0].gates[1], {7, -2});
}

TEST(ProdExpression, MeansWhatItMeansInC) {
  constexpr std::int64_t x = 7;
  constexpr std::int64_t y = -2;
  EXPECT_EQ(value("1 + 2 * 3 - 4"), 1 + 2 * 3 - 4);
  EXPECT_EQ(value("10 - 4 - 3"), 10 - 4 - 3);
  EXPECT_EQ(value("100 / 7 / 2 * 3 % 5"), 100 / 7 / 2 * 3 % 5);
  EXPECT_EQ(value("-x * y"), -x * y);
  EXPECT_EQ(value("- - x"), 7);
  EXPECT_EQ(value("-7 / 2"), -7 / 2);
  EXPECT_EQ(value("-7 % 3"), -7 % 3);
  EXPECT_EQ(value("!x == 0"), 1);  // (!x) == 0
  EXPECT_EQ(value("1 < 2 == 2 > 1"), 1);
  EXPECT_EQ(value("1 || 0 && 0"), 1);
  EXPECT_EQ(value("(1 || 0) && 0"), 0);
  EXPECT_EQ(value("x >= 7 && y <= -2 && x != y"), 1);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value("1 ? 0 ? 4 : 5 : 6"), 5);
  EXPECT_EQ(value("(x > y ? x : y) + 1"), 8);
  EXPECT_EQ(value("1 || 0 ? 2 : 3"), 2);
  EXPECT_EQ(value("((((3))))"), 3);
}

TEST(ProdExpression, UndefinedOnlyWhereItMatters) {
  EXPECT_EQ(value("1 / 0"), std::nullopt);
  EXPECT_EQ(value("1 % 0 + 1"), std::nullopt);
  EXPECT_EQ(value("0 && 1 / 0"), 0);
  EXPECT_EQ(value("1 || 1 / 0"), 1);
  EXPECT_EQ(value("1 && 1 / 0"), std::nullopt);
  EXPECT_EQ(value("1 ? 2 : 1 / 0"), 2);
  EXPECT_EQ(value("1000000000 * 1000000000"), std::nullopt);
}

TEST(Prod, MacrosStandForTheirTokens) {
  const model::Rsm model = explored(R"(
#define N 3      // how many
#define LAST N-1 /* not in parentheses: 2*LAST is 2*N-1 */
#place p mk(<.2*LAST.>+2<.LAST.>)
)",
                                    {"tokens(p<5>) = 1", "tokens(p<N>) = 0", "tokens(p) = 3"});
  EXPECT_EQ(model.node_name(model::NodeId(0)), "{p<2>: 2, p<5>}");
  for (const model::PropId p : {model::PropId(0), model::PropId(1), model::PropId(2)}) {
    EXPECT_EQ(model.nodes_with(p).size(), 1U);
  }
}

TEST(Prod, TuplesWithoutFields) {
  const model::Rsm model =
      explored("#place p mk(3<..>) #place q #trans t in { p: 2<..>; } out { q: <..>; } #endtr");
  ASSERT_EQ(model.node_count(), 2U);
  EXPECT_EQ(model.node_name(model::NodeId(1)), "{p, q}");
}

// Both inputs may be the same tuple, but then two of it are needed.
TEST(Prod, TwoTuplesOfOnePlace) {
  constexpr const char* kNet =
      "#place p mk({}) #place q #trans t in {{ p: <.x.>+<.y.>; }} out {{ q: <.x,y.>; }} #endtr";
  EXPECT_EQ(explored(fmt::format(fmt::runtime(kNet), "<.1.>")).node_count(), 1U);
  // 11 alone
  EXPECT_EQ(explored(fmt::format(fmt::runtime(kNet), "2<.1.>")).node_count(), 2U);
  // 12 or 21
  EXPECT_EQ(explored(fmt::format(fmt::runtime(kNet), "<.1.>+<.2.>")).node_count(), 3U);
}

// A field that is an expression is checked when its variables are known, in whatever order.
TEST(Prod, ExpressionsInInputs) {
  const model::Rsm model = explored(R"(
#place a mk(<.1.>+<.2.>+<.3.>) #place b mk(<.2.>)
#trans t in { a: <.x+1.>; b: <.x.>; } out { b: <.x+1.>; } #endtr
)");
  ASSERT_EQ(model.node_count(), 2U);
  EXPECT_EQ(model.node_name(model::NodeId(1)), "{a<1>, a<2>, b<3>}");
}

TEST(Prod, GatesAndComputations) {
  const model::Rsm model = explored(R"(
#place n lo(<.0.>) hi(<.9.>) mk(<.0.>)
#trans step in { n: <.x.>; } out { n: <.z.>; } gate x < 4, y != 2; comp { y = x + 1; z = y * 2; } #endtr
)",
                                    {"fireable(step)", "tokens(n<9>) > 0"});
  // 0 -> 2 -> 6
  ASSERT_EQ(model.node_count(), 3U);
  EXPECT_EQ(model.node_name(model::NodeId(2)), "{n<6>}");
  EXPECT_EQ(model.nodes_with(model::PropId(0)).size(), 2U);
  EXPECT_EQ(model.nodes_with(model::PropId(1)).size(), 0U);
}

TEST(Prod, NamesThatFormulasKnow) {
  const auto states = read_prod(text("#define CS 2\n#place p mk(<.1,CS.>)"));
  EXPECT_EQ(states->find_proposition("tokens(p) = 1").problem, "");
  EXPECT_EQ(states->find_proposition("tokens(\"p<1,CS>\") = 1").problem, "");
  EXPECT_EQ(states->find_proposition("tokens(\"p<7,7>\") = 1").problem, "");  // never any
  EXPECT_EQ(states->find_proposition("tokens(\"p<1>\") = 1").problem,
            "the net has no place 'p<1>'");
  EXPECT_EQ(states->find_proposition("tokens(\"p<1,XS>\") = 1").problem,
            "the net has no place 'p<1,XS>'");
  EXPECT_EQ(states->find_proposition("tokens(q) = 1").problem, "the net has no place 'q'");
}

// It would be wrong to fire it, and it never can.
TEST(Prod, BoundsMatterOnlyIfTheyAreBroken) {
  constexpr const char* kNet = R"(
#place p lo(<.0.>) hi(<.1.>) mk(<.0.>) #place never
#trans t in {{ p: <.x.>; {} }} out {{ p: <.x+1.>; }} #endtr
)";
  EXPECT_EQ(explored(fmt::format(fmt::runtime(kNet), "never: <.x.>;")).node_count(), 1U);
  EXPECT_THROW(explored(fmt::format(fmt::runtime(kNet), "")), base::Error);
}

TEST(Prod, EndlessTuplesAreRefused) {
  try {
    read_prod(text("#place p mk(<.0.>)\n#trans t in { p: <.x.>; } out { p: <.x+1.>; } #endtr\n"));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.message(), "more than 500000 different tuples");
  }
}

}  // namespace
}  // namespace nestor::net
