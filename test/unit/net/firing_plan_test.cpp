#include "net/firing_plan.h"

#include "base/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace nestor::net {
namespace {

/// A net, a width for each of its places and what a plan is made of.
struct Case {
  PetriNet net;
  FiringPlan::Fields fields;
  FiringPlan::Changes changes;
  FiringPlan::Waiting waiting;
  base::BitLayout layout;
};

/// Most weights are near to what a place can hold at all: that is where words are tested whole.
std::uint32_t random_weight(std::uint32_t mask, base::Random& random) {
  const std::array<std::uint64_t, 5> weights = {1, mask, std::uint64_t{mask} + 1, mask / 2 + 1U,
                                                random.between(1, 5)};
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(weights[random.below(weights.size())], 1, PetriNet::kMostTokens));
}

Case random_case(base::Random& random) {
  Case made;
  const std::uint64_t places = random.between(1, 12);
  made.fields = FiringPlan::Fields(places);
  made.waiting = FiringPlan::Waiting(places);
  for (std::uint64_t p = 0; p < places; ++p) {
    const std::array<std::uint32_t, 6> most = {1, 1, 3, 7, 0xffff, 0xffff'ffff};
    made.net.add_place(fmt::format("p{}", p), 0);
    made.fields[PlaceId(p)] = made.layout.add(most[random.below(most.size())]);
  }
  const std::uint64_t transitions = random.between(1, 6);
  made.changes = FiringPlan::Changes(transitions);
  for (std::uint64_t i = 0; i < transitions; ++i) {
    const TransitionId t = made.net.add_transition(fmt::format("t{}", i));
    for (std::uint64_t p = 0; p < places; ++p) {
      const PlaceId place(p);
      const std::uint32_t mask = made.fields[place].mask;
      const std::uint32_t taken = random.chance(0.4) ? random_weight(mask, random) : 0;
      const std::uint32_t given = random.chance(0.4) ? random_weight(mask, random) : 0;
      if (taken > 0) {
        EXPECT_TRUE(made.net.add_input(t, place, taken));
      }
      if (taken != given) {
        made.changes[t].push_back({place, taken, given});
      }
    }
    const auto& inputs = made.net.transition(t).inputs;
    if (!inputs.empty()) {
      made.waiting[inputs.front().place].push_back(t);
    }
  }
  return made;
}

std::vector<std::uint32_t> random_tokens(const Case& of, base::Random& random) {
  std::vector<std::uint32_t> tokens;
  for (const base::BitField& field : of.fields) {
    const std::array<std::uint64_t, 4> some = {0, field.mask, field.mask / 2 + 1U,
                                               random.below(std::uint64_t{field.mask} + 1)};
    tokens.push_back(static_cast<std::uint32_t>(some[random.below(some.size())]));
  }
  return tokens;
}

std::vector<std::uint32_t> packed(const Case& of, const std::vector<std::uint32_t>& tokens) {
  std::vector<std::uint32_t> state(of.layout.words());
  for (std::size_t p = 0; p < tokens.size(); ++p) {
    of.fields[PlaceId(p)].set(state, tokens[p]);
  }
  return state;
}

// Sums and tests of whole words say the same as those of places one by one: about weights that a
// place has no room for, places that must be full or empty, and words with one place of 32 bits.
TEST(FiringPlan, SaysWhatPlacesOneByOneSay) {
  std::size_t fired = 0;
  std::size_t too_wide = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    base::Random random(seed);
    const Case it = random_case(random);
    const FiringPlan plan(it.net, it.fields, it.changes, it.waiting);
    const std::vector<std::uint32_t> tokens = random_tokens(it, random);
    const std::vector<std::uint32_t> state = packed(it, tokens);
    std::vector<TransitionId> looked_at;
    plan.for_each_waiting(state, [&](TransitionId t) {
      looked_at.push_back(t);
      return true;
    });
    for (const TransitionId t : it.net.transitions()) {
      const auto& inputs = it.net.transition(t).inputs;
      const bool is_enabled = std::ranges::all_of(inputs, [&](const PetriNet::Arc& arc) {
        return tokens[arc.place.value()] >= arc.weight;
      });
      ASSERT_EQ(plan.is_enabled(state, t), is_enabled) << "seed " << seed;
      if (!is_enabled) {
        continue;
      }
      ASSERT_TRUE(inputs.empty() || std::ranges::count(looked_at, t) == 1) << "seed " << seed;
      std::vector<std::uint32_t> after = tokens;
      bool fits = true;
      for (const MarkingChange& change : it.changes[t]) {
        const std::uint64_t sum =
            std::uint64_t{tokens[change.place.value()]} - change.taken + change.given;
        fits = fits && sum <= it.fields[change.place].mask;
        after[change.place.value()] = static_cast<std::uint32_t>(sum);
      }
      ASSERT_EQ(plan.fits(state, t), fits) << "seed " << seed;
      if (fits) {
        std::vector<std::uint32_t> copy = state;
        plan.fire(copy, t);
        ASSERT_EQ(copy, packed(it, after)) << "seed " << seed;
      }
      ++(fits ? fired : too_wide);
    }
  }
  EXPECT_GT(fired, 1'000U);
  EXPECT_GT(too_wide, 1'000U);
}

}  // namespace
}  // namespace nestor::net
