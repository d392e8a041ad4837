#include "check/recheck.h"

#include "model/rebuild.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

namespace nestor {

namespace {

/// The nodes that are added, by procedure. Each is known by a number that is unique in the model.
class Additions {
 public:
  Additions(const Rsm& model, const StackTable& stacks, std::string prefix)
      : model_(model), stacks_(stacks), prefix_(std::move(prefix)) {}

  /// The node, in the procedure on top of `stack`, from where the state can be reached. `tree`
  /// tells apart nodes for the same stack that lead to different places.
  std::size_t at(StackId stack, std::size_t tree = 0, StackId root = StackTable::kEmpty) {
    std::vector<StackId> missing;
    StackId known = stack;
    while (nodes_by_stack_.find(key(known, tree)) == nodes_by_stack_.end()) {
      missing.push_back(known);
      if (known == root) {
        break;
      }
      known = stacks_.below(known);
    }
    for (; !missing.empty(); missing.pop_back()) {
      const StackId s = missing.back();
      const std::size_t node = add(s);
      nodes_by_stack_[key(s, tree)] = node;
      if (s != root) {
        calls_.push_back({nodes_by_stack_.at(key(stacks_.below(s), tree)), stacks_.top(s), node});
      }
    }
    return nodes_by_stack_.at(key(stack, tree));
  }
  void step(std::size_t from, std::size_t to) { steps_.emplace_back(from, to); }
  /// A marked node between `from` and a node of the model.
  void mark(std::size_t from, StackId stack, NodeId target) {
    const std::size_t node = add(stack);
    nodes_[node].target = target;
    step(from, node);
  }

  Rsm build(const std::string& mark) {
    IdVector<ComponentId, std::vector<std::size_t>> by_component(model_.component_count());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      by_component[nodes_[i].component].push_back(i);
    }
    std::vector<std::vector<const Call*>> calls(nodes_.size());
    std::vector<std::vector<std::size_t>> steps(nodes_.size());
    for (const Call& call : calls_) {
      nodes_[call.to].is_called = true;
      calls[call.from].push_back(&call);
    }
    for (const auto& [from, to] : steps_) {
      steps[from].push_back(to);
    }
    Rebuild what;
    what.add = [&](ComponentId c, ModelBuilder& builder) {
      for (const std::size_t i : by_component[c]) {
        const std::string own = name(i);
        builder.node({.name = own, .is_entry = nodes_[i].is_called});
        builder.source(ModelBuilder::Ref::node(own));
        if (nodes_[i].target.valid()) {
          builder.target(ModelBuilder::Ref::node(model_.node_name(nodes_[i].target)));
          builder.label(mark);
        }
        for (const std::size_t to : steps[i]) {
          builder.target(ModelBuilder::Ref::node(name(to)));
        }
        for (const Call* call : calls[i]) {
          builder.target(ModelBuilder::Ref::box_node(model_.box_name(call->box), name(call->to)));
        }
      }
      if (c == model_.initial_component()) {
        builder.initial_node(name(nodes_by_stack_.at(key(StackTable::kEmpty, 0))));
      }
    };
    return rebuild(model_, what);
  }

 private:
  struct Node {
    ComponentId component;
    NodeId target;  // of marked nodes
    bool is_called = false;
  };
  struct Call {
    std::size_t from;
    BoxId box;
    std::size_t to;
  };

  static std::uint64_t key(StackId stack, std::size_t tree) {
    return static_cast<std::uint64_t>(tree) << 32 | stack.value();
  }
  std::size_t add(StackId stack) {
    nodes_.push_back({stacks_.is_empty(stack) ? model_.initial_component()
                                              : model_.box(stacks_.top(stack)).callee,
                      NodeId(), false});
    return nodes_.size() - 1;
  }
  std::string name(std::size_t node) const { return fmt::format("{}{}", prefix_, node); }

  const Rsm& model_;
  const StackTable& stacks_;
  std::string prefix_;
  std::vector<Node> nodes_;
  std::vector<Call> calls_;
  std::vector<std::pair<std::size_t, std::size_t>> steps_;
  std::unordered_map<std::uint64_t, std::size_t> nodes_by_stack_;
};

}  // namespace

void Recheck::add(Claim claim, const State& state, std::string where) {
  items_.push_back({claim, state, false, {}, {}, std::move(where)});
}

void Recheck::add_repeated(Claim claim, const State& state, StackId base, StackId grown,
                           std::string where) {
  items_.push_back({claim, state, true, base, grown, std::move(where)});
}

/// A proposition that no node carries, and a prefix that no node's name has.
std::string Recheck::fresh_mark() const {
  std::string mark = "recheck:";
  const auto is_taken = [&] {
    if (model_.find_prop(mark).valid()) {
      return true;
    }
    for (const NodeId n : model_.nodes()) {
      if (model_.node_name(n).substr(0, mark.size()) == mark) {
        return true;
      }
    }
    return false;
  };
  while (is_taken()) {
    mark += ':';
  }
  return mark;
}

Rsm Recheck::model_for(const std::vector<const Item*>& items, const std::string& mark) const {
  Additions additions(model_, stacks_, mark);
  additions.at(StackTable::kEmpty);
  std::map<std::pair<StackId, StackId>, std::size_t> trees;  // one a loop
  for (const Item* item : items) {
    if (!item->repeated) {
      additions.mark(additions.at(item->state.stack), item->state.stack, item->state.node);
      continue;
    }
    const auto [place, is_new] = trees.try_emplace({item->base, item->grown}, trees.size() + 1);
    const std::size_t tree = place->second;
    if (is_new) {
      const std::size_t begin = additions.at(item->base, tree, item->base);
      additions.step(additions.at(item->base), begin);
      additions.step(additions.at(item->grown, tree, item->base), begin);
    }
    additions.mark(additions.at(item->state.stack, tree, item->base), item->state.stack,
                   item->state.node);
  }
  return additions.build(mark);
}

/// All of the same claim.
Decision Recheck::decide_some(FormulaPool& pool, Decider& decider,
                              const std::vector<const Item*>& items) const {
  const std::string mark = fresh_mark();
  const Rsm model = model_for(items, mark);
  const Claim claim = items.front()->claim;
  const FormulaId there = claim.holds ? claim.formula : pool.unary(Op::Not, claim.formula);
  const FormulaId all =
      pool.unary(Op::AG, pool.binary(Op::Implies, pool.atom(mark), pool.unary(Op::AX, there)));
  const std::vector<FormulaId> formulas{all};
  return decider.decide(model, pool, formulas).front();
}

Replay Recheck::decide(FormulaPool& pool, Decider& decider) const {
  std::map<std::pair<FormulaId, bool>, std::vector<const Item*>> by_claim;
  for (const Item& item : items_) {
    by_claim[{item.claim.formula, item.claim.holds}].push_back(&item);
  }
  Replay unknown;
  for (auto& [claim, items] : by_claim) {
    Decision decision = decide_some(pool, decider, items);
    if (decision.answer == Decision::Answer::Unknown) {
      unknown = {Replay::Outcome::Unknown,
                 fmt::format("{}: not decided: {}", items.front()->where, decision.reason)};
    }
    if (decision.answer != Decision::Answer::Fails) {
      continue;
    }
    // One of them is wrong. Halve the list until it is found.
    std::vector<const Item*> left = items;
    while (left.size() > 1) {
      const auto middle = left.begin() + static_cast<std::ptrdiff_t>(left.size() / 2);
      const std::vector<const Item*> half(left.begin(), middle);
      decision = decide_some(pool, decider, half);
      if (decision.answer == Decision::Answer::Fails) {
        left = half;
      } else {
        left.erase(left.begin(), middle);
      }
    }
    return {Replay::Outcome::Rejected, left.front()->where + ": decided otherwise"};
  }
  return unknown;
}

}  // namespace nestor
