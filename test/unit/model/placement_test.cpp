#include "model/placement.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nestor::model {
namespace {

/// The numbers below `end`, each a state, in descending order. Proposition k says that the number
/// modulo `modulus` is k or k + modulus / 2, the last of which is listed first.
class Numbers final : public SuccessorFunction {
 public:
  enum class Told : std::uint8_t { ByNothing, ByPart, ByValues, ByHugePart };

  Numbers(std::uint32_t end, std::uint32_t modulus, Told told)
      : end_(end), modulus_(modulus), told_(told) {
    for (std::uint32_t k = 0; k < modulus / 2; ++k) {
      residues_.push_back(k + modulus / 2);
      residues_.push_back(k);
    }
  }

  std::size_t state_words() const override { return 1; }
  std::size_t state_bits() const override { return 32; }
  void initial_states(StateSink& sink) override { sink.add(std::vector{end_ - 1}); }
  bool successors(base::StateView state, StateSink& sink) override {
    if (state[0] > 0) {
      sink.add(std::vector{state[0] - 1});
    }
    return true;
  }
  Proposition find_proposition(std::string_view /*atom*/) override { return {}; }
  bool holds(std::uint32_t proposition, base::StateView state) const override {
    ++evaluations;
    return state[0] % modulus_ % (modulus_ / 2) == proposition;
  }
  std::optional<Key> key(std::uint32_t proposition) const override {
    switch (told_) {
      case Told::ByNothing:
        return std::nullopt;
      case Told::ByPart:
        return Key{7, modulus_, std::nullopt};
      case Told::ByValues:
        return Key{7, modulus_, std::span(residues_).subspan(proposition * std::size_t{2}, 2)};
      case Told::ByHugePart:
        return Key{7, std::uint64_t{1} << 60, std::nullopt};
    }
    return std::nullopt;
  }
  std::uint64_t part(std::uint32_t part, base::StateView state) const override {
    EXPECT_EQ(part, 7U);
    return state[0] % modulus_;
  }
  std::vector<std::string> propositions() const override { return {}; }
  std::string describe(base::StateView state) const override { return std::to_string(state[0]); }

  mutable std::size_t evaluations = 0;

 private:
  std::uint32_t end_;
  std::uint32_t modulus_;
  std::vector<std::uint64_t> residues_;
  Told told_;
};

/// The states, in order, in which each of `propositions` holds.
std::vector<std::vector<std::size_t>> placed(Numbers& model, std::vector<std::uint32_t> wanted) {
  const base::Limits none;
  base::LimitGuard guard(none);
  StateStore store(model, [](NodeId n) { return std::vector<NodeId>{n}; });
  store.initial(none, guard);
  for (std::size_t i = 0; i < store.size(); ++i) {
    store.expand(NodeId(i), none, guard);
  }
  const base::CompressedRows<PropId, NodeId> rows = place_propositions(store, wanted, guard);
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    result.emplace_back();
    for (const NodeId n : rows[PropId(i)]) {
      result.back().push_back(n.value());
    }
  }
  return result;
}

constexpr Numbers::Told kAllWays[] = {Numbers::Told::ByNothing, Numbers::Told::ByPart,
                                      Numbers::Told::ByValues, Numbers::Told::ByHugePart};

TEST(Placement, DoesNotDependOnWhatTheModelTells) {
  // State i is the number 9 - i. Modulo 4, 0 or 2: the even numbers; 1 or 3: the odd ones.
  const std::vector<std::vector<std::size_t>> expected = {
      {1, 3, 5, 7, 9}, {0, 2, 4, 6, 8}, {1, 3, 5, 7, 9}};
  for (const Numbers::Told told : kAllWays) {
    Numbers model(10, 4, told);
    EXPECT_EQ(placed(model, {0, 1, 0}), expected);
  }
}

TEST(Placement, FewStatesAreInOrderToo) {
  // State i is the number 199 - i; 3, 53, 103, 153 are 3 or 53 modulo 100.
  const std::vector<std::vector<std::size_t>> expected = {{46, 96, 146, 196}};
  for (const Numbers::Told told : kAllWays) {
    Numbers model(200, 100, told);
    EXPECT_EQ(placed(model, {3}), expected);
  }
}

TEST(Placement, EvaluatesOnlyWhatTheIndexCannotTell) {
  Numbers by_nothing(1000, 10, Numbers::Told::ByNothing);
  placed(by_nothing, {0, 1, 2});
  EXPECT_EQ(by_nothing.evaluations, 3000U);
  Numbers by_part(1000, 10, Numbers::Told::ByPart);
  placed(by_part, {0, 1, 2});
  EXPECT_EQ(by_part.evaluations, 30U);  // once for each of ten values
  Numbers by_values(1000, 10, Numbers::Told::ByValues);
  placed(by_values, {0, 1, 2});
  EXPECT_EQ(by_values.evaluations, 0U);
}

}  // namespace
}  // namespace nestor::model
