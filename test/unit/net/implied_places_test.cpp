#include "net/implied_places.h"

#include "base/random.h"
#include "model/explore.h"
#include "net/net_states.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace nestor::net {
namespace {

using TokenCounts = base::IdVector<PlaceId, std::int64_t>;

std::optional<TokenCounts> fired(const PetriNet& net, TransitionId t, TokenCounts tokens) {
  for (const PetriNet::Arc& arc : net.transition(t).inputs) {
    if (tokens[arc.place] < arc.weight) {
      return std::nullopt;
    }
    tokens[arc.place] -= arc.weight;
  }
  for (const PetriNet::Arc& arc : net.transition(t).outputs) {
    tokens[arc.place] += arc.weight;
  }
  return tokens;
}

/// Transitions take and give as many tokens, mostly, so that sums stay what they are.
PetriNet random_net(base::Random& random) {
  PetriNet net;
  const std::uint64_t places = random.between(2, 10);
  for (std::uint64_t p = 0; p < places; ++p) {
    net.add_place(fmt::format("p{}", p), static_cast<std::uint32_t>(random.below(5)));
  }
  const std::uint64_t transitions = random.between(1, 8);
  for (std::uint64_t i = 0; i < transitions; ++i) {
    const TransitionId t = net.add_transition(fmt::format("t{}", i));
    for (std::uint64_t arc = random.between(1, 3); arc > 0; --arc) {
      const auto weight = static_cast<std::uint32_t>(random.between(1, 3));
      EXPECT_TRUE(net.add_input(t, PlaceId(random.below(places)), weight));
      if (random.chance(0.9)) {
        EXPECT_TRUE(net.add_output(t, PlaceId(random.below(places)), weight));
      }
    }
  }
  return net;
}

/// The smallest number of bits for each place.
base::IdVector<PlaceId, std::uint32_t> most_at_first(const PetriNet& net) {
  base::IdVector<PlaceId, std::uint32_t> most;
  for (const PlaceId p : net.places()) {
    most.push_back(std::max(1U, net.place(p).tokens));
  }
  return most;
}

TEST(ImpliedPlaces, FollowFromOthersInEveryMarking) {
  std::size_t implied_in_all = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    base::Random random(seed);
    const PetriNet net = random_net(random);
    base::LimitGuard guard({});
    const ImpliedPlaces implied = implied_places(net, most_at_first(net), guard);
    implied_in_all += implied.size();
    TokenCounts tokens;
    for (const PlaceId p : net.places()) {
      tokens.push_back(net.place(p).tokens);
    }
    for (int step = 0; step < 200; ++step) {
      for (const auto& [p, formula] : implied) {
        std::int64_t sum = formula.constant;
        for (const ImpliedTokens::Term& term : formula.terms) {
          ASSERT_FALSE(implied.contains(term.place)) << "one that is not known itself";
          sum += term.factor * tokens[term.place];
        }
        ASSERT_EQ(sum, formula.divisor * tokens[p]) << "seed " << seed;
      }
      tokens =
          fired(net, TransitionId(random.below(net.transition_count())), tokens).value_or(tokens);
    }
  }
  EXPECT_GT(implied_in_all, 1000U);
}

/// `bits` places that are filled and emptied, each with one that has the token while it has not,
/// and places that keep what they have.
PetriNet switches(std::size_t bits, std::size_t constants) {
  PetriNet net;
  for (std::size_t i = 0; i < constants; ++i) {
    net.add_place(fmt::format("constant{}", i), PetriNet::kMostTokens);
  }
  for (std::size_t i = 0; i < bits; ++i) {
    const PlaceId on = net.add_place(fmt::format("on{}", i), 0);
    const PlaceId off = net.add_place(fmt::format("off{}", i), 1);
    for (const bool up : {true, false}) {
      const TransitionId t = net.add_transition(fmt::format("{}{}", up ? "up" : "down", i));
      EXPECT_TRUE(net.add_input(t, up ? off : on, 1) && net.add_output(t, up ? on : off, 1));
    }
  }
  return net;
}

TEST(ImpliedPlaces, OneOfTwoThatTakeTurns) {
  const PetriNet net = switches(5, 2);
  base::LimitGuard guard({});
  const ImpliedPlaces implied = implied_places(net, most_at_first(net), guard);
  EXPECT_EQ(implied.size(), 7U);
  for (const auto& [p, formula] : implied) {
    EXPECT_EQ(formula.terms.size(), net.place(p).name.starts_with("constant") ? 0U : 1U);
  }
}

TEST(ImpliedPlaces, StatesOfAllFormsAreTheSameMarkings) {
  const PetriNet net = switches(4, 1);
  std::set<std::string> markings;
  std::vector<std::size_t> bits;
  for (std::size_t form = 0; form < 4; ++form) {
    const auto states = std::make_shared<NetStates>(net);
    base::LimitGuard guard({});
    if (form > 0) {
      ASSERT_TRUE(states->prepare_form(form - 1, guard));
      states->become_wider();
    }
    const model::Rsm model = model::explore(states, {}, {});
    ASSERT_EQ(model.node_count(), 16U);
    for (const model::NodeId n : model.nodes()) {
      markings.emplace(model.node_name(n));
    }
    bits.push_back(states->state_bits());
  }
  EXPECT_EQ(markings.size(), 16U);
  EXPECT_EQ(bits, (std::vector<std::size_t>{40, 40, 4, 4}));
  base::LimitGuard guard({});
  EXPECT_FALSE(NetStates(net).prepare_form(3, guard));
}

TEST(ImpliedPlaces, AreLeftOutWhenMemoryMatters) {
  const auto states = std::make_shared<NetStates>(switches(16, 40));
  model::ExploreOptions options;
  options.limits.megabytes = 256;  // a 64th of which they pass as they are
  const model::Rsm model = model::explore(states, {}, options);
  EXPECT_EQ(model.node_count(), std::size_t{1} << 16);
  EXPECT_EQ(states->state_bits(), 16U);
}

}  // namespace
}  // namespace nestor::net
