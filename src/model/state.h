#pragma once

#include "model/rsm.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

// States and steps, as docs/semantics.md defines them.

namespace nestor::model {

using StackId = base::Id<struct StackTag>;

/// Stacks of boxes, each stored as the stack below it and its top: equal stacks have equal ids, and
/// a path of n steps needs at most n of them however deep they are.
class StackTable {
 public:
  static constexpr StackId kEmpty{0};

  StackTable() { frames_.push_back({kEmpty, BoxId(), 0}); }

  StackId push(StackId below, BoxId box) {
    const std::uint64_t key = std::uint64_t{below.value()} << 32 | box.value();
    const auto [place, is_new] = ids_.try_emplace(key, StackId(frames_.size()));
    if (is_new) {
      frames_.push_back({below, box, frames_[below].depth + 1});
    }
    return place->second;
  }

  bool is_empty(StackId stack) const { return stack == kEmpty; }
  StackId below(StackId stack) const { return frames_[stack].below; }  ///< not of the empty stack
  BoxId top(StackId stack) const { return frames_[stack].box; }        ///< not of the empty stack
  std::uint32_t depth(StackId stack) const { return frames_[stack].depth; }
  /// What `stack` has above the lowest `depth` boxes, the top last.
  std::vector<BoxId> boxes(StackId stack, std::uint32_t depth = 0) const;
  std::size_t size() const { return frames_.size(); }
  base::IdRange<StackId> ids() const { return frames_.ids(); }

 private:
  struct Frame {
    StackId below;
    BoxId box;
    std::uint32_t depth = 0;
  };

  base::IdVector<StackId, Frame> frames_;  // the stack below has a smaller id
  std::unordered_map<std::uint64_t, StackId> ids_;
};

/// A state of the program: the open calls and a plain node. A call node is the callee's entry and a
/// return node the callee's exit, so plain nodes suffice.
struct State {
  StackId stack;
  NodeId node;

  friend bool operator==(const State&, const State&) = default;
};

using StateId = base::Id<struct StateTag>;

/// Numbers states in the order in which they come, each once.
class StateIndex {
 public:
  explicit StateIndex(base::IdVector<StateId, State>& states) : states_(states) {}
  StateId intern(const State& state) {
    const std::uint64_t key = std::uint64_t{state.stack.value()} << 32 | state.node.value();
    const auto [place, is_new] = ids_.try_emplace(key, StateId(states_.size()));
    if (is_new) {
      states_.push_back(state);
    }
    return place->second;
  }
  const State& operator[](StateId id) const { return states_[id]; }

 private:
  base::IdVector<StateId, State>& states_;
  std::unordered_map<std::uint64_t, StateId> ids_;
};

/// How one state follows another.
enum class Step : std::uint8_t {
  Local,       ///< a transition inside the procedure
  Call,        ///< a transition to a call node
  Return,      ///< from an exit, by a transition of the return node
  ReturnCall,  ///< likewise, but to a call node: one call ends and the next begins
  Stay,        ///< at an exit of the initial component, under the empty stack
};

/// A step and the state it leads to.
struct Move {
  Step step = Step::Local;
  State to;
};

/// The return node that an exit is under a call.
inline NodeId return_node(const Rsm& model, BoxId call, NodeId exit) {
  return model.box(call).first_return + model.exit_index(exit);
}

/// The step by one transition. `stack`: under which its two nodes are; where it begins at a return
/// node, the state before is the exit, under one call more.
inline Move move_along(const Rsm& model, StackTable& stacks, StackId stack, NodeId from,
                       NodeId to) {
  const bool returns = model.kind(from) == NodeKind::Return;
  if (model.kind(to) == NodeKind::Plain) {
    return {returns ? Step::Return : Step::Local, {stack, to}};
  }
  return {returns ? Step::ReturnCall : Step::Call,
          {stacks.push(stack, model.box_of(to)), model.origin(to)}};
}

/// Calls visit(move) for each step from a state, in the order of the transitions, those of the
/// return node last; the same one twice if the model has it twice.
template <class Visit>
void for_each_move(const Rsm& model, StackTable& stacks, const State& from, Visit visit) {
  for (const NodeId to : model.successors(from.node)) {
    visit(move_along(model, stacks, from.stack, from.node, to));
  }
  if (!model.is_exit(from.node)) {
    return;
  }
  if (stacks.is_empty(from.stack)) {
    visit(Move{Step::Stay, from});
    return;
  }
  const StackId below = stacks.below(from.stack);
  const NodeId after = return_node(model, stacks.top(from.stack), from.node);
  for (const NodeId to : model.successors(after)) {
    visit(move_along(model, stacks, below, after, to));
  }
}

/// The same as a list.
std::vector<Move> moves(const Rsm& model, StackTable& stacks, const State& from);

}  // namespace nestor::model
