#pragma once

#include "base/bit_set.h"
#include "base/inline.h"
#include "base/limits.h"
#include "base/strong_components.h"
#include "engine/summary/exit_bits.h"
#include "model/rsm.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace nestor::engine::summary {

/// What does not depend on any formula: which nodes the initial nodes reach, which exits a node
/// reaches inside its procedure, calls matched, and an order in which to work bottom-up.
class ControlFlow {
 public:
  enum class Scope : std::uint8_t {
    Reached,  ///< live: what the initial nodes reach
    Called,   ///< live: every node of every component that a chain of boxes leads to
  };
  ControlFlow(const model::Rsm& model, base::LimitGuard& guard, Scope scope = Scope::Reached);

  const model::Rsm& model() const { return model_; }
  /// Some state (stack, n) is reachable from an initial state; or n is in scope anyway.
  bool is_reached(model::NodeId n) const { return reached_.test(n.value()); }
  /// Values at n are found: if it is reached; where some procedure has several ways in, also if it
  /// would be reached were every call to return by every exit. There one call may return by an exit
  /// by which another cannot; what would follow it is then told the callee as well, or else the two
  /// could need two contexts where one will do.
  bool is_live(model::NodeId n) const { return live_.test(n.value()); }
  /// The call nodes of a box that may be live, which is few where a callee has many entries.
  std::span<const model::NodeId> calls(model::BoxId b) const { return calls_[b]; }
  /// Some call node of the box is live.
  bool is_called(model::BoxId b) const {
    return std::any_of(calls(b).begin(), calls(b).end(),
                       [this](model::NodeId n) { return is_live(n); });
  }
  /// The live nodes, successors and callees first wherever there is no cycle.
  std::span<const model::NodeId> bottom_up() const { return bottom_up_; }
  /// The components with a live node, callees first wherever there is no recursion.
  std::span<const model::ComponentId> live_components() const { return live_components_; }
  /// The strongly connected components of the call graph, callees first, in the order of
  /// bottom_up(); of a live component.
  std::uint32_t recursion_of(model::ComponentId c) const { return recursions_.of[c.value()]; }
  std::size_t recursion_count() const { return recursions_.count; }

  /// The exits of n's component that n reaches.
  NESTOR_INLINE ExitSet exits_from(model::NodeId n) const {
    const SetPlace set = place_of(n);
    return reach_.at(set.place, set.length);
  }
  /// Every live component is entered at one node only, and so is the model. Then a node that is
  /// live is reached in every frame of its component that any stack has.
  bool has_single_entries() const { return has_single_entries_; }

  /// The words of 64 bits that a set of exits has.
  std::size_t exit_words(model::ComponentId c) const { return one_word_ ? 1 : sets_[c].words; }
  /// No component has more exits than ExitBits::kFew.
  bool has_few_exits() const { return few_exits_; }

 private:
  std::vector<model::NodeId> starts(Scope scope) const;
  void collect_calls(const base::BitSet& seen);
  void find_exits(const std::vector<model::NodeId>& order, base::LimitGuard& guard);
  void hand_on_exits(const std::vector<model::NodeId>& order,
                     const std::vector<model::NodeId>& news, base::LimitGuard& guard);
  bool gather(model::NodeId n);
  bool gather_exits(model::NodeId call);
  bool unite(model::NodeId into, model::NodeId from);
  void find_reached(const std::vector<model::NodeId>& starts,
                    const std::vector<model::NodeId>& order, base::LimitGuard& guard);
  void keep_live(std::vector<model::NodeId> order);
  /// Where the sets of a component's nodes lie in `reach_`.
  struct Sets {
    std::size_t first = 0;  // node n's at first + n * words; modulo 2^64
    std::size_t words = 1;
  };
  struct SetPlace {
    std::size_t place = 0;
    std::size_t length = 1;
  };
  NESTOR_INLINE SetPlace place_of(model::NodeId n) const {
    if (one_word_) {
      return {n.value()};
    }
    const Sets& sets = sets_[model_.component_of(n)];
    return {sets.first + n.value() * sets.words, sets.words};
  }

  const model::Rsm& model_;
  // No component has more than 64 exits: one word a node, found without looking at its component,
  // which for large models is a cache miss or three.
  bool one_word_ = true;
  bool few_exits_ = true;
  base::CompressedRows<model::BoxId, model::NodeId> calls_;
  base::IdVector<model::ComponentId, Sets> sets_;
  ExitBits reach_;
  base::BitSet reached_;
  base::BitSet live_;
  std::vector<model::NodeId> bottom_up_;
  std::vector<model::ComponentId> live_components_;
  base::StrongComponents recursions_;
  bool has_single_entries_ = false;
};

/// The components that stacks of boxes lead to, whether or not anything ever calls there; the
/// initial component comes first.
std::vector<model::ComponentId> called_components(const model::Rsm& model);

/// (16): the strongly connected classes of the live nodes: within a class, and so for the class as
/// a whole, `E true U g` has one local value. Found once, it makes that formula one pass over a
/// graph without cycles, for any number of formulas.
class Condensation {
 public:
  Condensation(const ControlFlow& flow, base::LimitGuard& guard);

  std::size_t class_count() const { return classes_.count; }
  std::uint32_t class_of(model::NodeId n) const { return classes_.of[n.value()]; }
  /// Classes are numbered bottom-up: these are smaller.
  std::span<const std::uint32_t> successors(std::size_t c) const {
    return {successors_.data() + first_successor_[c],
            first_successor_[c + 1] - first_successor_[c]};
  }

 private:
  void find_classes(const ControlFlow& flow, base::LimitGuard& guard);
  void connect_classes(const ControlFlow& flow, base::LimitGuard& guard);

  base::StrongComponents classes_;
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint32_t> first_successor_;
};

}  // namespace nestor::engine::summary
