#include "net/symbolic_checker.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace nestor::net {
namespace {

/// So many places in a row, and a token that goes from each to the next; the last one keeps it.
PetriNet row(std::size_t places) {
  PetriNet net;
  for (std::size_t p = 0; p < places; ++p) {
    net.add_place(fmt::format("p{}", p), p == 0 ? 1 : 0);
  }
  for (std::size_t p = 0; p + 1 < places; ++p) {
    const TransitionId t = net.add_transition(fmt::format("t{}", p));
    EXPECT_TRUE(net.add_input(t, PlaceId(p), 1));
    EXPECT_TRUE(net.add_output(t, PlaceId(p + 1), 1));
  }
  return net;
}

NetNodeId marked(NetFormulas& formulas, std::size_t place) {
  return formulas.atom({{{PlaceId(place), -1}}, 1});
}

TEST(SymbolicChecker, LooksAtMaximalPaths) {
  NetFormulas formulas;
  const NetNodeId yes = formulas.constant(true);
  const NetNodeId no = formulas.constant(false);
  const NetNodeId end = marked(formulas, 4);
  SymbolicChecker checker(row(5));
  using Op = NetFormulas::Op;
  EXPECT_TRUE(checker.holds(formulas, formulas.until(Op::AU, yes, end), {}));
  EXPECT_FALSE(checker.holds(formulas, formulas.next(Op::EX, end), {}));
  EXPECT_FALSE(checker.holds(formulas, formulas.until(Op::EW, marked(formulas, 0), no), {}));
  EXPECT_TRUE(
      checker.holds(formulas, formulas.until(Op::EU, yes, formulas.until(Op::EW, end, no)), {}));
  EXPECT_TRUE(checker.holds(formulas, formulas.until(Op::EU, yes, formulas.next(Op::AX, no)), {}));
}

// After a firing of the first level's place, more is allowed below than before it: what is below is
// to be closed again. Whichever place is first, one of the two formulas asks for it.
TEST(SymbolicChecker, ClosesAgainWhereMoreIsAllowed) {
  PetriNet net;
  for (const char* name : {"x", "y"}) {
    const PlaceId p = net.add_place(name, 1);
    ASSERT_TRUE(net.add_input(net.add_transition(name), p, 1));
  }
  NetFormulas formulas;
  const auto empty = [&](std::size_t place) { return formulas.atom({{{PlaceId(place), 1}}, 0}); };
  const NetNodeId both_empty = formulas.both({empty(0), empty(1)});
  SymbolicChecker checker(net);
  for (const std::size_t last : {0, 1}) {
    const NetNodeId other_first = formulas.either({marked(formulas, last), empty(1 - last)});
    EXPECT_TRUE(
        checker.holds(formulas, formulas.until(NetFormulas::Op::EU, other_first, both_empty), {}));
    const NetNodeId none_alone = formulas.either({empty(0), empty(1)});
    EXPECT_FALSE(
        checker.holds(formulas, formulas.until(NetFormulas::Op::EU, none_alone, both_empty), {}));
  }
}

// A limit that strikes in the middle of one question is none of the next one's.
TEST(SymbolicChecker, GoesOnAfterALimit) {
  PetriNet net;
  for (std::size_t p = 0; p < 24; ++p) {
    net.add_place(fmt::format("p{}", p), p % 2 == 0 ? 3 : 0);
  }
  for (std::size_t p = 0; p < 24; ++p) {
    const TransitionId t = net.add_transition(fmt::format("t{}", p));
    ASSERT_TRUE(net.add_input(t, PlaceId(p), 1));
    ASSERT_TRUE(net.add_output(t, PlaceId(p % 2 == 0 ? p + 1 : p - 1), 1));
  }
  NetFormulas formulas;
  std::vector<NetNodeId> full;
  for (std::size_t p = 1; p < 24; p += 2) {
    full.push_back(formulas.atom({{{PlaceId(p), -1}}, 3}));
  }
  const NetNodeId all_full =
      formulas.until(NetFormulas::Op::EU, formulas.constant(true), formulas.both(full));
  const NetNodeId stays =
      formulas.until(NetFormulas::Op::EW, marked(formulas, 0), formulas.both(full));
  for (std::uint64_t steps = 1; steps < 3'000; steps += 37) {
    SymbolicChecker checker(net);
    checker.explore({});
    base::Limits few;
    few.steps = steps;
    try {
      (void)checker.holds(formulas, stays, few);
    } catch (const base::LimitReached&) {
    }
    EXPECT_TRUE(checker.holds(formulas, all_full, {})) << steps;
    EXPECT_TRUE(checker.holds(formulas, stays, {})) << steps;
  }
}

TEST(SymbolicChecker, AnUnboundedNetEndsAtALimit) {
  PetriNet net;
  const PlaceId p = net.add_place("p", 0);
  ASSERT_TRUE(net.add_output(net.add_transition("t"), p, 1));
  SymbolicChecker checker(net);
  base::Limits limits;
  limits.steps = 10'000;
  EXPECT_THROW(checker.explore(limits), base::LimitReached);
  limits.steps = 20'000;
  try {
    checker.explore(limits);
    FAIL();
  } catch (const base::LimitReached& limit) {  // it is not tried again
    EXPECT_EQ(limit.reason, "more than 10000 steps");
  }
}

}  // namespace
}  // namespace nestor::net
