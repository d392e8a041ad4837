#include "model/explore.h"
#include "model/state_space.h"
#include "net/prod_parser.h"
#include "net/prod_reader.h"
#include "net/prod_states.h"
#include "net/prod_unfold.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace nestor::net {
namespace {

base::Input text(std::string_view content) {
  return base::Input::from_text("test.net", content);
}

std::shared_ptr<ProdStates> bound(std::string_view content) {
  return std::make_shared<ProdStates>(std::make_shared<const ProdModel>(text(content)));
}

model::Rsm explored(std::string_view content, const std::vector<std::string>& props = {}) {
  return model::explore(bound(content), props, {});
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
  const auto states = bound("#define CS 2\n#place p mk(<.1,CS.>)");
  EXPECT_EQ(states->find_proposition("tokens(p) = 1").problem, "");
  EXPECT_EQ(states->find_proposition("tokens(\"p<1,CS>\") = 1").problem, "");
  EXPECT_EQ(states->find_proposition("tokens(\"p<.1, CS.>\") = 1").problem, "");
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

// Nothing is enumerated before: infinitely many tuples may come.
TEST(Prod, EndlessTuplesAreExploredAsFarAsOneLooks) {
  const auto states =
      bound("#place p mk(<.0.>)\n#trans t in { p: <.x.>; } out { p: <.x+1.>; } #endtr\n");
  base::Limits limits;
  base::LimitGuard guard(limits);
  model::StateSpace space(*states, model::DeadEnds::Keep, limits);
  model::NodeId here = space.initial(guard).front();
  for (int i = 0; i < 1000; ++i) {
    here = space.successors(here, guard).front();
  }
  EXPECT_EQ(states->describe(space.state(here)), "{p<1000>}");
}

// The tokens grow, though each tuple comes once: {0}, {0, 1}, … covers what is before it.
TEST(Prod, GrowthWithNewTuplesIsNoticed) {
  const auto states =
      bound("#place p mk(<.0.>)\n#trans t in { p: <.x.>; } out { p: <.x.>+<.x+1.>; } #endtr\n");
  try {
    model::explore(states, {}, {});
    FAIL();
  } catch (const base::LimitReached& limit) {
    EXPECT_EQ(limit.reason.substr(0, 10), "unbounded:");
  }
}

// As PROD has them: expressions as numbers of tuples, and sums of tuples.
TEST(Prod, NumbersOfTuplesAreExpressions) {
  const model::Rsm model = explored(R"(
#place n mk(<.0.>+<.2.>+<.3.>) #place p mk(4<..>) #place q
#trans t in { n: <.x.>; p: x<..>; } out { q: (x + 1)<.x.>+2<.9.>; } #endtr
)");
  // Of 0, 2 and 3 those whose sum is at most 4: none, 0, 2, 3, 0+2, 0+3.
  ASSERT_EQ(model.node_count(), 6U);
  EXPECT_EQ(model.node_name(model::NodeId(1)), "{n<2>, n<3>, p: 4, q<0>, q<9>: 2}");
  EXPECT_EQ(model.node_name(model::NodeId(2)), "{n<0>, n<3>, p: 2, q<2>: 3, q<9>: 2}");
}

// A field that is computed is compared, and tells where to look.
TEST(Prod, ComputedFieldsOfInputs) {
  const model::Rsm model = explored(R"(
#place a mk(<.1.>) #place b mk(<.0..99.>)
#trans t in { a: <.x.>; b: <.y.>; } out { a: <.y.>; } comp { y = x * 2; } #endtr
)");
  ASSERT_EQ(model.node_count(), 7U);  // 1, 2, 4, … 64
}

TEST(Prod, SequenceOfComputations) {
  const model::Rsm model = explored(R"(
#place a mk(<.1.>+<.5.>) #place b
#trans t in { a: <.x.>; } out { b: <.z.>; } comp { z = x; z = z * 10; z = z + x; } #endtr
)");
  ASSERT_EQ(model.node_count(), 4U);
  EXPECT_EQ(model.node_name(model::NodeId(3)), "{b<11>, b<55>}");
}

// What has no value matters only where nothing else keeps the transition from firing.
TEST(Prod, UndefinedOnlyIfItWouldFire) {
  constexpr const char* kNet =
      "#place p mk(<.0.>) #place q\n#trans t in {{ p: <.x.>; {} }} gate {} #endtr";
  const auto net = [&](const char* input, const char* gate) {
    return fmt::format(fmt::runtime(kNet), input, gate);
  };
  EXPECT_EQ(explored(net("", "1 / x > 0, x != 0;")).node_count(), 1U);
  EXPECT_EQ(explored(net("q: <.x.>;", "1 / x > 0;")).node_count(), 1U);
  EXPECT_THROW(explored(net("", "1 / x > 0;")), base::Error);
}

// K. Heljanko's report, section 2.5: instances of transitions, told by their bindings.
TEST(Prod, StepsHaveNames) {
  const auto states = bound(R"(
#define NC 0
#define TRY 1
#place process lo(<.1,NC.>) hi(<.2,TRY.>) mk(<.1,NC.>+<.2,NC.>)
#trans try in { process: <.i,NC.>; } out { process: <.i,TRY.>; } #endtr
#trans again in { process: <.i,s.>; } out { process: <.i,s.>; } gate s == TRY; #endtr
)");
  const model::Rsm model = model::explore(states, {}, {});
  const model::NodeId first(0);
  const model::NodeId second(1);
  ASSERT_EQ(model.node_count(), 4U);
  EXPECT_EQ(model.node_name(second), "{process<1,TRY>, process<2,NC>}");
  ASSERT_TRUE(model.step(first, second));
  EXPECT_EQ(to_text(*model.step(first, second)), "try(i=1)");
  EXPECT_EQ(to_text(*model.step(second, second)), "again(i=1, s=TRY)");
  EXPECT_FALSE(model.step(second, first));
  EXPECT_EQ(model.change(first, second), "-process<1,NC> +process<1,TRY>");
  EXPECT_EQ(model.change(second, second), "");
}

// A macro that is defined anew names its last value only: no two markings have one name.
TEST(Prod, MacrosNameOneValue) {
  const model::Rsm model = explored(
      "#define A 1\n#place p mk(<.A.>)\n#define A 2\n#trans t in { p: <.1.>; } out { p: <.A.>; } "
      "#endtr");
  ASSERT_EQ(model.node_count(), 2U);
  EXPECT_EQ(model.node_name(model::NodeId(0)), "{p<1>}");
  EXPECT_EQ(model.node_name(model::NodeId(1)), "{p<A>}");
}

// Small nets are explored unfolded. Nobody can tell by names.
TEST(Prod, UnfoldedNetsHaveTheSameNames) {
  constexpr const char* kNet = R"(
#define ON 7
#place p mk(<.ON.>+<.3.>) #place q
#trans t in { p: <.x.>; } out { q: <.x, y.>; } comp { y = x % 2; } #endtr
)";
  base::LimitGuard guard({});
  const model::Rsm unfolded = model::explore(
      unfolded_states(std::make_shared<const ProdModel>(text(kNet)), 100, guard), {}, {});
  const model::Rsm one = explored(kNet);
  ASSERT_EQ(unfolded.node_count(), one.node_count());
  for (std::uint32_t n = 0; n < one.node_count(); ++n) {
    EXPECT_EQ(unfolded.node_name(model::NodeId(n)), one.node_name(model::NodeId(n)));
    for (std::uint32_t m = 0; m < one.node_count(); ++m) {
      const auto left = unfolded.step(model::NodeId(n), model::NodeId(m));
      const auto right = one.step(model::NodeId(n), model::NodeId(m));
      EXPECT_EQ(left ? to_text(*left) : "", right ? to_text(*right) : "");
      EXPECT_EQ(unfolded.change(model::NodeId(n), model::NodeId(m)),
                one.change(model::NodeId(n), model::NodeId(m)));
    }
  }
}

}  // namespace
}  // namespace nestor::net
