#include "engine/kept_for_model.h"

#include "model/builder.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace nestor::engine {
namespace {

model::Rsm machine_of(int nodes) {
  model::ModelBuilder builder("model");
  builder.component("main");
  for (int i = 0; i < nodes; ++i) {
    builder.node({.name = std::to_string(i), .is_entry = i == 0});
  }
  builder.initial_component("main");
  return builder.finish();
}

/// What is kept: how many nodes the machine had, and how often one was made.
struct Size {
  Size(const model::Rsm& model, int& made, bool fails = false) : nodes(model.node_count()) {
    ++made;
    if (fails) {
      throw std::runtime_error("struck");
    }
  }
  std::size_t nodes;
};

TEST(KeptForModel, IsMadeOnceForAMachine) {
  const model::Rsm machine = machine_of(3);
  KeptForModel<Size> kept;
  int made = 0;
  EXPECT_EQ(kept.of(machine, {}, made)->nodes, 3U);
  EXPECT_EQ(kept.of(machine, {}, made)->nodes, 3U);
  EXPECT_EQ(made, 1);
}

TEST(KeptForModel, UnderAMemoryLimitItIsGoneAfterUse) {
  const model::Rsm machine = machine_of(3);
  KeptForModel<Size> kept;
  const base::Limits limits{.megabytes = 1000};
  int made = 0;
  std::weak_ptr<const Size> used;
  {
    const std::shared_ptr<const Size> size = kept.of(machine, limits, made);
    EXPECT_EQ(size->nodes, 3U);
    used = size;
  }
  EXPECT_TRUE(used.expired());
  EXPECT_EQ(kept.of(machine, limits, made)->nodes, 3U);
  EXPECT_EQ(made, 2);
}

TEST(KeptForModel, NoticesAnotherMachineAtTheSameAddress) {
  std::optional<model::Rsm> machine = machine_of(3);
  KeptForModel<Size> kept;
  int made = 0;
  EXPECT_EQ(kept.of(*machine, {}, made)->nodes, 3U);
  machine = machine_of(5);
  EXPECT_EQ(kept.of(*machine, {}, made)->nodes, 5U);
}

TEST(KeptForModel, NoticesACopyElsewhere) {
  const model::Rsm machine = machine_of(3);
  const model::Rsm copy = machine;
  KeptForModel<Size> kept;
  int made = 0;
  kept.of(machine, {}, made);
  kept.of(copy, {}, made);
  EXPECT_EQ(made, 2);  // what is kept may refer to the machine it was made of
}

TEST(KeptForModel, NothingIsKeptOfWhatWasStruck) {
  const model::Rsm machine = machine_of(3);
  KeptForModel<Size> kept;
  int made = 0;
  EXPECT_THROW(kept.of(machine, {}, made, true), std::runtime_error);
  EXPECT_EQ(kept.of(machine, {}, made)->nodes, 3U);
  EXPECT_EQ(made, 2);
}

}  // namespace
}  // namespace nestor::engine
