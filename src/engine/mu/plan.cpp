#include "engine/mu/plan.h"

#include "base/strong_components.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace nestor::engine::mu {

namespace {

using logic::MuNode;
using logic::MuOp;

bool has_left(MuOp op) {
  return op != MuOp::True && op != MuOp::False && op != MuOp::Atom && op != MuOp::Variable;
}

/// A node of the formula as it stands there, or negated.
struct Side {
  std::size_t node;
  bool negated;

  std::size_t index() const { return 2 * node + (negated ? 1 : 0); }
};

Side left_of(const MuNode& node, bool negated) {
  return {node.left, negated != (node.op == MuOp::Not || node.op == MuOp::Implies)};
}

/// Without operands.
Step make_step(const MuNode& node, bool negated) {
  Step step;
  step.positive = !negated;
  step.backward = node.op == MuOp::BackDiamond || node.op == MuOp::BackBox;
  switch (node.op) {
    case MuOp::True:
    case MuOp::False:
      step.positive = (node.op == MuOp::True) != negated;
      break;
    case MuOp::Atom:
      step.kind = Step::Kind::Literal;
      break;
    case MuOp::And:
      step.kind = negated ? Step::Kind::Or : Step::Kind::And;
      break;
    case MuOp::Or:
    case MuOp::Implies:
      step.kind = negated ? Step::Kind::And : Step::Kind::Or;
      break;
    case MuOp::Diamond:
    case MuOp::BackDiamond:
      step.kind = negated ? Step::Kind::Box : Step::Kind::Diamond;
      break;
    case MuOp::Box:
    case MuOp::BackBox:
      step.kind = negated ? Step::Kind::Diamond : Step::Kind::Box;
      break;
    case MuOp::Mu:
    case MuOp::Nu:
      step.kind = Step::Kind::Fixpoint;
      step.positive = (node.op == MuOp::Nu) != negated;  // greatest
      break;
    case MuOp::Not:
    case MuOp::Variable:
      break;
  }
  return step;
}

base::BitSet nodes_with(const model::Rsm& model, const std::string& proposition) {
  base::BitSet set(model.node_count());
  const model::PropId prop = model.find_prop(proposition);
  if (prop.valid()) {
    for (const model::NodeId n : model.nodes_with(prop)) {
      set.set(n.value());
    }
  }
  return set;
}

}  // namespace

Plan::Plan(const logic::MuFormula& formula, const model::Rsm& model) {
  const std::vector<MuNode>& nodes = formula.nodes;
  std::vector<bool> used(2 * nodes.size());
  std::vector<std::size_t> node_of_binder;
  used[Side{nodes.size() - 1, false}.index()] = true;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    for (const bool negated : {false, true}) {
      if (used[Side{i, negated}.index()] && has_left(nodes[i].op)) {
        used[left_of(nodes[i], negated).index()] = true;
        if (logic::is_binary(nodes[i].op)) {
          used[Side{nodes[i].right, negated}.index()] = true;
        }
      }
    }
    if (logic::is_fixpoint(nodes[i].op)) {
      node_of_binder.resize(std::max(node_of_binder.size(), nodes[i].binder + 1));
      node_of_binder[nodes[i].binder] = i;
    }
  }
  std::vector<StepId> step_of(2 * nodes.size());
  std::unordered_map<std::string, std::uint32_t> set_of_name;
  for (std::size_t side = 0; side < used.size(); ++side) {
    const MuNode& node = nodes[side / 2];
    if (!used[side] || node.op == MuOp::Not || node.op == MuOp::Variable) {
      continue;
    }
    step_of[side] = steps_.push_back(make_step(node, side % 2 == 1));
    looks_back_ = looks_back_ || steps_[step_of[side]].backward;
    if (node.op == MuOp::Atom) {
      const auto [found, is_new] =
          set_of_name.try_emplace(node.name, static_cast<std::uint32_t>(sets_.size()));
      if (is_new) {
        sets_.push_back(nodes_with(model, node.name));
      }
      steps_[step_of[side]].set = found->second;
    }
  }
  for (std::size_t side = 0; side < used.size(); ++side) {
    const MuNode& node = nodes[side / 2];
    const bool negated = side % 2 == 1;
    if (!used[side]) {
      continue;
    }
    if (node.op == MuOp::Variable) {
      step_of[side] = step_of[Side{node_of_binder[node.binder], negated}.index()];
    } else if (node.op == MuOp::Not) {
      step_of[side] = step_of[left_of(node, negated).index()];
    } else if (has_left(node.op)) {
      Step& step = steps_[step_of[side]];
      step.left = step_of[left_of(node, negated).index()];
      if (logic::is_binary(node.op)) {
        step.right = step_of[Side{node.right, negated}.index()];
      }
    }
  }
  root_ = step_of[Side{nodes.size() - 1, false}.index()];
  find_blocks();
  find_levels();
}

void Plan::find_blocks() {
  const auto next = [this](std::uint32_t v, std::uint32_t& position) {
    const Step& step = steps_[StepId(v)];
    const std::array operands{step.left, step.right};
    while (position < operands.size()) {
      const StepId operand = operands[position++];
      if (operand.valid()) {
        return operand.value();
      }
    }
    return base::StrongComponents::kNone;
  };
  const base::StrongComponents found = base::strong_components(steps_.size(), next, [] {});
  blocks_.resize(found.count);
  for (const StepId s : steps_.ids()) {
    steps_[s].block = BlockId(found.of[s.value()]);
  }
}

// A fixpoint's rank is at least that of the fixpoints of its block inside it, even if it is
// greatest and odd if least: so on a cycle the outermost fixpoint has the largest. Levels are the
// ranks of a block, numbered from 1.
void Plan::find_levels() {
  base::IdVector<StepId, std::uint32_t> rank(steps_.size());
  base::IdVector<BlockId, std::vector<std::uint32_t>> ranks(blocks_.size());
  for (const StepId s : steps_.ids()) {
    const Step& step = steps_[s];
    for (const StepId operand : {step.left, step.right}) {
      if (operand.valid() && operand < s && steps_[operand].block == step.block) {
        rank[s] = std::max(rank[s], rank[operand]);
      }
    }
    if (step.kind == Step::Kind::Fixpoint) {
      rank[s] = std::max<std::uint32_t>(rank[s], 1);
      rank[s] += (rank[s] % 2 == 0) == step.positive ? 0 : 1;
      ranks[step.block].push_back(rank[s]);
    }
  }
  for (const BlockId b : blocks_.ids()) {
    std::vector<std::uint32_t>& of = ranks[b];
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
    for (const std::uint32_t r : of) {
      blocks_[b].greatest.push_back(r % 2 == 0);
    }
    if (of.empty()) {
      blocks_[b].greatest.push_back(false);  // nothing depends on itself
    }
  }
  for (const StepId s : steps_.ids()) {
    Step& step = steps_[s];
    if (step.kind == Step::Kind::Fixpoint) {
      const std::vector<std::uint32_t>& of = ranks[step.block];
      step.level = static_cast<std::uint32_t>(std::lower_bound(of.begin(), of.end(), rank[s]) -
                                              of.begin() + 1);
    }
  }
}

}  // namespace nestor::engine::mu
