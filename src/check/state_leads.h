#pragma once

#include "model/state.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nestor::check {

/// A model and nodes added to it that do nothing but lead to given states: they make the calls of a
/// state's stack, one a step. Nothing of the model leads to them, so all its states keep their
/// meaning, and a question about a state with a stack becomes one about the only initial state,
/// which is the added node of the empty stack.
class StateLeads {
 public:
  /// Both must outlive it.
  StateLeads(const model::Rsm& model, const model::StackTable& stacks);

  /// The added node, in the procedure on top of `stack`, that the calls of the stack come to.
  /// `tree` tells apart nodes for the same stack that lead to different places; from `root` on a
  /// tree has its own ones.
  std::size_t at(model::StackId stack, std::size_t tree = 0,
                 model::StackId root = model::StackTable::kEmpty);
  /// From an added node to another, of the same procedure.
  void step(std::size_t from, std::size_t to) { steps_.emplace_back(from, to); }
  /// From an added node to a plain node of the model, of the same procedure.
  void lead(std::size_t from, model::NodeId target) { nodes_[from].target = target; }
  /// Likewise by a further added node between them, which carries the mark.
  void lead_marked(std::size_t from, model::StackId stack, model::NodeId target);
  /// A proposition that no node of the model carries.
  const std::string& mark() const { return mark_; }

  model::Rsm build();

 private:
  struct Node {
    model::ComponentId component;
    model::NodeId target;
    bool is_called = false;
    bool is_marked = false;
  };
  struct Call {
    std::size_t from;
    model::BoxId box;
    std::size_t to;
  };

  static std::uint64_t key(model::StackId stack, std::size_t tree) {
    return static_cast<std::uint64_t>(tree) << 32 | stack.value();
  }
  std::size_t add(model::StackId stack);
  std::string name(std::size_t node) const { return mark_ + std::to_string(node); }

  const model::Rsm& model_;
  const model::StackTable& stacks_;
  std::string mark_;  // also what the names of added nodes begin with
  std::vector<Node> nodes_;
  std::vector<Call> calls_;
  std::vector<std::pair<std::size_t, std::size_t>> steps_;
  std::unordered_map<std::uint64_t, std::size_t> nodes_by_stack_;
};

}  // namespace nestor::check
