// What a large model takes: at most 64 bytes a node and 8 a transition, names aside.

#include "sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t live_bytes = 0;  // asked for by operator new and not given back yet
constexpr std::size_t kHeader = 16;

}  // namespace

// Counting every allocation of this program tells whether Rsm::memory_bytes() forgets an array.
// Not inlined: GCC 12 would see free() meet memory from new, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const block = std::malloc(size + kHeader);
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  *static_cast<std::size_t*>(block) = size;
  live_bytes += size;
  return static_cast<char*>(block) + kHeader;
}

[[gnu::noinline]] void operator delete(void* place) noexcept {
  if (place != nullptr) {
    void* const block = static_cast<char*>(place) - kHeader;
    live_bytes -= *static_cast<std::size_t*>(block);
    std::free(block);
  }
}

[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  operator delete(place);
}

namespace nestor::model {
namespace {

/// 1000 components of 900 nodes with 25 boxes each; a box has two call and two return nodes. Each
/// node has two labels, one of them its own, a position if wanted, and two successors or more.
Rsm large_model(bool positions) {
  constexpr int kComponents = 1000;
  constexpr int kNodes = 900;
  constexpr int kBoxes = 25;
  const auto name = [](int i) { return fmt::format("n{}", i); };
  ModelBuilder builder("large");
  for (int c = 0; c < kComponents; ++c) {
    builder.component(fmt::format("c{}", c));
    for (int i = 0; i < kNodes; ++i) {
      builder.node({.name = name(i),
                    .is_entry = i < 2,
                    .is_exit = i >= kNodes - 2,
                    .file = positions ? std::string_view("large.c") : std::string_view(),
                    .line = static_cast<std::uint32_t>(i + 1)});
      builder.label(fmt::format("own_{}_{}", c, i));
      builder.label(i % 2 == 0 ? "even" : "odd");
      if (i + 2 < kNodes) {
        builder.transition(Ref::node(name(i)), Ref::node(name(i + 1)));
        builder.transition(Ref::node(name(i)), Ref::node(name(i + 2)));
      }
    }
    for (int b = 0; b < kBoxes; ++b) {
      const std::string box = fmt::format("b{}", b);
      builder.box(box, fmt::format("c{}", (c * 7 + b * 13 + 1) % kComponents));
      builder.transition(Ref::node(name(b * 30)), Ref::box_node(box, name(0)));
      builder.transition(Ref::node(name(b * 30)), Ref::box_node(box, name(1)));
      builder.transition(Ref::box_node(box, name(kNodes - 1)), Ref::node(name(b * 30 + 1)));
      builder.transition(Ref::box_node(box, name(kNodes - 2)), Ref::node(name(b * 30 + 2)));
    }
  }
  builder.initial_component("c0");
  return builder.finish();
}

class Memory : public testing::TestWithParam<bool> {};

TEST_P(Memory, AMillionNodes) {
  const std::size_t before = live_bytes;
  const Rsm model = large_model(GetParam());
  const std::size_t taken = live_bytes - before;
  ASSERT_EQ(model.node_count(), 1'000'000U);
  ASSERT_EQ(model.transition_count(), 1000U * (898U * 2U + 25U * 4U));
  EXPECT_EQ(model.memory_bytes() + model.name_bytes(), taken) << "an array is not counted";
  EXPECT_LE(model.memory_bytes(), 64 * model.node_count() + 8 * model.transition_count());
  RecordProperty(
      "bytes_a_node",
      static_cast<int>((model.memory_bytes() - 8 * model.transition_count()) / model.node_count()));
}

INSTANTIATE_TEST_SUITE_P(Positions, Memory, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "with_positions" : "without_positions");
});

}  // namespace
}  // namespace nestor::model
