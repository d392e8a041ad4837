#include "model/explore.h"
#include "net/net_states.h"
#include "net/pnml_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace nestor::net {
namespace {

constexpr const char* kTwoPages = R"(<?xml version="1.0"?>
<p:pnml xmlns:p="http://www.pnml.org/version-2009/grammar/pnml">
 <p:net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
  <p:name><p:text>two pages</p:text></p:name>
  <p:page id="one">
   <p:place id="free"><p:initialMarking><p:text> 3 </p:text></p:initialMarking></p:place>
   <p:place id="used"/>
   <p:transition id="take"/>
   <p:arc id="a1" source="free" target="take"><p:inscription><p:text>2</p:text></p:inscription></p:arc>
   <p:arc id="a2" source="take" target="used"/>
   <p:page id="two">
    <p:referencePlace id="again" ref="used"/>
    <p:referencePlace id="home" ref="back"/>
    <p:referencePlace id="back" ref="free"/>
    <p:transition id="give"/>
    <p:arc id="a3" source="again" target="give"/>
    <p:arc id="a4" source="give" target="home"/>
    <p:arc id="a5" source="give" target="home"/>
    <p:toolspecific tool="x" version="1"><anything/></p:toolspecific>
   </p:page>
  </p:page>
 </p:net>
</p:pnml>
)";

TEST(Pnml, ReadsPagesReferencesAndWeights) {
  const PetriNet net = parse_pnml(base::Input::from_text("two.pnml", kTwoPages));
  ASSERT_EQ(net.place_count(), 2U);
  ASSERT_EQ(net.transition_count(), 2U);
  EXPECT_EQ(net.place(PlaceId(0)).name, "free");
  EXPECT_EQ(net.place(PlaceId(0)).tokens, 3U);
  const PetriNet::Transition& take = net.transition(TransitionId(0));
  ASSERT_EQ(take.inputs.size(), 1U);
  EXPECT_EQ(take.inputs[0].weight, 2U);
  const PetriNet::Transition& give = net.transition(TransitionId(1));
  ASSERT_EQ(give.inputs.size(), 1U);
  EXPECT_EQ(give.inputs[0].place, PlaceId(1));
  ASSERT_EQ(give.outputs.size(), 1U);
  EXPECT_EQ(give.outputs[0].place, PlaceId(0));
  EXPECT_EQ(give.outputs[0].weight, 2U);  // two arcs
}

/// take: 2 free -> used, give: used -> 2 free, so there are two markings.
TEST(NetStates, FiresByWeights) {
  const auto states = read_pnml(base::Input::from_text("two.pnml", kTwoPages));
  const std::vector<std::string> props = {"fireable(take)",
                                          "fireable(give)",
                                          "fireable(take, give)",
                                          "tokens(free) = 1",
                                          "tokens(free) + 2*tokens(used) = 3",
                                          "tokens(free, used) > 2",
                                          "deadlock"};
  const model::Rsm model = model::explore(states, props, {});
  ASSERT_EQ(model.node_count(), 2U);
  EXPECT_EQ(model.node_name(model::NodeId(0)), "{free: 3}");
  EXPECT_EQ(model.node_name(model::NodeId(1)), "{free, used}");
  EXPECT_EQ(model.step(model::NodeId(0), model::NodeId(1))->transition, "take");
  EXPECT_EQ(model.step(model::NodeId(1), model::NodeId(0))->transition, "give");
  EXPECT_FALSE(model.step(model::NodeId(0), model::NodeId(0)));  // nothing leads there
  EXPECT_EQ(model.change(model::NodeId(0), model::NodeId(1)), "-free: 2 +used");
  EXPECT_EQ(model.part(model::NodeId(1), "used"), "{used}");
  EXPECT_EQ(model.part(model::NodeId(1), "unused"), std::nullopt);
  const auto nodes = [&](std::string_view prop) {
    const auto with = model.nodes_with(model.find_prop(prop));
    return std::vector<model::NodeId>(with.begin(), with.end());
  };
  const model::NodeId first(0);
  const model::NodeId second(1);
  EXPECT_EQ(nodes(props[0]), (std::vector{first}));
  EXPECT_EQ(nodes(props[1]), (std::vector{second}));
  EXPECT_EQ(nodes(props[2]), (std::vector{first, second}));
  EXPECT_EQ(nodes(props[3]), (std::vector{second}));
  EXPECT_EQ(nodes(props[4]), (std::vector{first, second}));
  EXPECT_EQ(nodes(props[5]), (std::vector{first}));
  EXPECT_EQ(nodes(props[6]), (std::vector<model::NodeId>{}));
}

TEST(NetStates, SaysWhatMakesNoSense) {
  const auto states = read_pnml(base::Input::from_text("two.pnml", kTwoPages));
  EXPECT_EQ(states->find_proposition("tokens(free, lost) > 1").problem,
            "the net has no place 'lost'");
  EXPECT_EQ(states->find_proposition("tokens(free, lost) > 1").at, "lost");
  EXPECT_EQ(states->find_proposition("fireable(lost)").problem, "the net has no transition 'lost'");
  EXPECT_EQ(states->find_proposition("free").problem,
            "'free' is no atom of a net; expected 'tokens(…)' in a comparison, 'fireable(…)' or "
            "'deadlock'");
  EXPECT_EQ(states->find_proposition("tokens(free)").problem,
            "'tokens(free)' cannot be read: expected '<', '<=', '=', '!=', '>=' or '>' before the "
            "end");
  EXPECT_EQ(states->find_proposition("tokens(free) > 1 x").problem,
            "'tokens(free) > 1 x' cannot be read: something follows");
}

/// `count` tokens wander from place to place in a ring: C(count + ring - 1, ring - 1) markings.
PetriNet ring(std::uint32_t size, std::uint32_t count) {
  PetriNet net;
  for (std::uint32_t i = 0; i < size; ++i) {
    net.add_place(fmt::format("p{}", i), i == 0 ? count : 0);
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    const TransitionId t = net.add_transition(fmt::format("t{}", i));
    EXPECT_TRUE(net.add_input(t, PlaceId(i), 1));
    EXPECT_TRUE(net.add_output(t, PlaceId((i + 1) % size), 1));
  }
  return net;
}

TEST(NetStates, GrowWiderAsTokensGather) {
  const auto states = std::make_shared<NetStates>(ring(4, 12));
  EXPECT_EQ(states->state_bits(), 4U + 3);
  const model::Rsm model = model::explore(states, std::vector<std::string>{"tokens(p3) = 12"}, {});
  EXPECT_EQ(model.node_count(), 455U);  // C(15, 3)
  EXPECT_EQ(states->state_bits(), 16U);
  EXPECT_EQ(model.nodes_with(model::PropId(0)).size(), 1U);
}

std::string limit_reached(PetriNet net) {
  try {
    model::explore(std::make_shared<NetStates>(std::move(net)), {}, {});
  } catch (const base::LimitReached& limit) {
    return limit.reason;
  }
  return "none";
}

TEST(NetStates, UnboundedNetsAreNoticed) {
  PetriNet source;
  source.add_place("p", 0);
  EXPECT_TRUE(source.add_output(source.add_transition("t"), PlaceId(0), 1));
  EXPECT_EQ(limit_reached(std::move(source)),
            "unbounded: {p: 2} comes after {} and strictly covers it");

  // While `run` is marked, q fills; then r takes all of q, and no marking with r covers another.
  PetriNet phases;
  const PlaceId run = phases.add_place("run", 1);
  const PlaceId stop = phases.add_place("stop", 0);
  const PlaceId q = phases.add_place("q", 0);
  const PlaceId r = phases.add_place("r", 0);
  const TransitionId fill = phases.add_transition("fill");
  EXPECT_TRUE(phases.add_input(fill, run, 1) && phases.add_output(fill, run, 1) &&
              phases.add_output(fill, q, 1));
  const TransitionId halt = phases.add_transition("halt");
  EXPECT_TRUE(phases.add_input(halt, run, 1) && phases.add_output(halt, stop, 1));
  const TransitionId move = phases.add_transition("move");
  EXPECT_TRUE(phases.add_input(move, q, 1) && phases.add_input(move, stop, 1) &&
              phases.add_output(move, stop, 1) && phases.add_output(move, r, 1));
  EXPECT_TRUE(limit_reached(std::move(phases)).starts_with("unbounded: "));
  EXPECT_EQ(limit_reached(ring(3, 40)), "none");
}

TEST(NetStates, MoreTokensThanCanBeCounted) {
  PetriNet net;
  const PlaceId p = net.add_place("p", PetriNet::kMostTokens - 1);
  const PlaceId once = net.add_place("once", 1);
  const TransitionId t = net.add_transition("t");
  EXPECT_TRUE(net.add_input(t, once, 1) && net.add_output(t, p, 2));
  EXPECT_EQ(limit_reached(std::move(net)), "more than 4294967295 tokens in place 'p'");
}

}  // namespace
}  // namespace nestor::net
