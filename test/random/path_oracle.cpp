#include "path_oracle.h"

#include "model/state.h"
#include "path_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nestor::test {

namespace {

using logic::FormulaId;
using logic::Op;
using Values = std::map<FormulaId, Truth>;

bool is_quantifier(Op op) {
  return op >= Op::EX && op <= Op::A;
}

struct ExploredGraph {
  std::vector<model::State> states;
  std::vector<std::vector<std::size_t>> successors;
  std::vector<bool> is_open;  // not expanded
  std::size_t initial = 0;    // how many: they come first
  bool is_whole = true;
};

ExploredGraph explore(const model::Rsm& model, std::size_t most) {
  ExploredGraph graph;
  model::StackTable stacks;
  base::IdVector<model::StateId, model::State> states;
  model::StateIndex index(states);
  for (const model::NodeId n : model.initial_nodes()) {
    index.intern({model::StackTable::kEmpty, n});
  }
  graph.initial = states.size();
  for (std::size_t s = 0; s < states.size(); ++s) {
    graph.successors.emplace_back();
    graph.is_open.push_back(s >= most);
    if (s >= most) {
      graph.is_whole = false;
      continue;
    }
    for (const model::Move& move :
         model::moves(model, stacks, model::State(states[model::StateId(s)]))) {
      graph.successors[s].push_back(index.intern(move.to).value());
    }
  }
  for (const model::StateId s : states.ids()) {
    graph.states.push_back(states[s]);
  }
  return graph;
}

/// The path operators and connectives of a path formula, operands first; `leaves` get the state
/// formulas that it is made of.
std::vector<FormulaId> path_parts(const logic::FormulaPool& pool, FormulaId path,
                                  std::set<FormulaId>& leaves) {
  std::set<FormulaId> parts;
  std::vector<FormulaId> open{path};
  while (!open.empty()) {
    const FormulaId f = open.back();
    open.pop_back();
    if (pool.is_state_formula(f)) {
      leaves.insert(f);
    } else if (parts.insert(f).second) {
      open.push_back(pool[f].left);
      if (logic::operand_count(pool[f].op) == 2) {
        open.push_back(pool[f].right);
      }
    }
  }
  return {parts.begin(), parts.end()};
}

class Guesser {
 public:
  Guesser(const model::Rsm& model, const logic::FormulaPool& pool, std::size_t most,
          bool only_infinite)
      : model_(model), pool_(pool), only_infinite_(only_infinite), graph_(explore(model, most)) {}

  /// By state: whether an infinite path leads from it; all states must have been explored.
  std::vector<bool> with_infinite_path() const {
    std::vector<bool> found(graph_.states.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t s = 0; s < found.size(); ++s) {
        if (found[s] && std::ranges::none_of(graph_.successors[s],
                                             [&](std::size_t next) { return found[next]; })) {
          found[s] = false;
          changed = true;
        }
      }
    }
    return found;
  }

  const ExploredGraph& graph() const { return graph_; }

  /// By state; `beyond`: what a path can do in states that were not expanded.
  std::vector<bool> values(FormulaId formula, bool beyond) {
    std::vector<bool> result(graph_.states.size());
    const logic::Formula& f = pool_[formula];
    if (is_quantifier(f.op)) {
      return quantified(formula, beyond);
    }
    const int operands = logic::operand_count(f.op);
    const std::vector<bool> left = operands >= 1 ? values(f.left, beyond) : result;
    const std::vector<bool> right = operands == 2 ? values(f.right, beyond) : result;
    for (std::size_t s = 0; s < result.size(); ++s) {
      result[s] = f.op == Op::True   ? true
                  : f.op == Op::Atom ? carries(s, pool_.atom_name(formula))
                  : f.op == Op::Not  ? !left[s]
                  : f.op == Op::And  ? left[s] && right[s]
                  : f.op == Op::Or   ? left[s] || right[s]
                  : f.op == Op::Iff  ? left[s] == right[s]
                  : f.op == Op::Xor  ? left[s] != right[s]
                                     : f.op == Op::Implies && (!left[s] || right[s]);
    }
    return result;
  }

 private:
  struct Node {
    std::size_t state = 0;
    Values values;
    std::vector<std::size_t> successors;
    bool ends = false;
    bool begins = false;
  };

  bool carries(std::size_t s, std::string_view name) const {
    const model::PropId p = model_.find_prop(name);
    return p.valid() && std::ranges::binary_search(model_.nodes_with(p), graph_.states[s].node);
  }

  std::vector<bool> quantified(FormulaId formula, bool beyond) {
    const logic::Formula& outer = pool_[formula];
    static constexpr Op kPaths[] = {Op::X, Op::F, Op::G, Op::U, Op::W, Op::R};
    const bool joined = outer.op < Op::E;
    const bool universal = outer.op == Op::A || (joined && outer.op >= Op::AX);
    // A joined operator is its path operator on the two operands; the path formula has no id.
    std::set<FormulaId> leaves;
    parts_.clear();
    if (joined) {
      const int kind = (static_cast<int>(outer.op) - static_cast<int>(Op::EX)) % 6;
      top_ = {kPaths[kind], outer.left, outer.right, {}};
      leaves.insert(outer.left);
      if (logic::operand_count(outer.op) == 2) {
        leaves.insert(outer.right);
      }
      parts_.push_back(formula);
    } else {
      top_ = {};
      parts_ = path_parts(pool_, outer.left, leaves);
    }
    const FormulaId root = joined ? formula : outer.left;
    joined_ = joined ? formula : FormulaId();
    std::map<FormulaId, std::vector<bool>> leaf_values;
    const std::vector<FormulaId> parts = parts_;
    const logic::Formula top = top_;
    const FormulaId joined_id = joined_;
    for (const FormulaId leaf : leaves) {
      leaf_values[leaf] = values(leaf, beyond);
    }
    parts_ = parts;
    top_ = top;
    joined_ = joined_id;
    guess(leaf_values);
    connect();
    const std::vector<bool> good = find_good(beyond);
    std::vector<bool> result(graph_.states.size(), universal);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Truth wanted = universal ? Truth::False : Truth::True;
      if (good[n] && nodes_[n].begins && nodes_[n].values.at(root) == wanted) {
        result[nodes_[n].state] = !universal;
      }
    }
    return result;
  }

  logic::Formula part(FormulaId f) const { return f == joined_ ? top_ : pool_[f]; }

  /// All nodes: a state with values of the path operators, those of the connectives following.
  void guess(const std::map<FormulaId, std::vector<bool>>& leaf_values) {
    nodes_.clear();
    std::vector<FormulaId> temporal;
    for (const FormulaId f : parts_) {
      if (logic::is_path_operator(part(f).op)) {
        temporal.push_back(f);
      }
    }
    std::size_t codes = 1;
    for (std::size_t i = 0; i < temporal.size(); ++i) {
      codes *= 3;
    }
    for (std::size_t s = 0; s < graph_.states.size(); ++s) {
      for (std::size_t code = 0; code < codes; ++code) {
        Node node;
        node.state = s;
        for (const auto& [leaf, by_state] : leaf_values) {
          node.values[leaf] = by_state[s] ? Truth::True : Truth::False;
        }
        std::size_t rest = code;
        for (const FormulaId f : parts_) {
          if (logic::is_path_operator(part(f).op)) {
            node.values[f] = static_cast<Truth>(rest % 3);
            rest /= 3;
          } else {
            node.values[f] = connective(part(f), node.values);
          }
        }
        node.begins = fits_past(nullptr, node);
        node.ends = !only_infinite_ && !graph_.is_open[s] && graph_.successors[s].empty() &&
                    fits_future(node, nullptr);
        nodes_.push_back(std::move(node));
      }
    }
    codes_ = codes;
  }

  static Truth connective(const logic::Formula& f, const Values& values) {
    const auto no = [](Truth t) { return static_cast<Truth>(2 - static_cast<int>(t)); };
    const Truth a = values.at(f.left);
    const Truth b = f.op == Op::Not ? a : values.at(f.right);
    switch (f.op) {
      case Op::Not:
        return no(a);
      case Op::And:
        return std::min(a, b);
      case Op::Or:
        return std::max(a, b);
      case Op::Implies:
        return std::max(no(a), b);
      case Op::Iff:
        return std::min(std::max(no(a), b), std::max(a, no(b)));
      default:
        return std::min(std::max(a, b), std::max(no(a), no(b)));
    }
  }

  /// What the future operators say at a node is right, given the next one; null: there is none.
  bool fits_future(const Node& here, const Node* next) const {
    return std::ranges::all_of(parts_, [&](FormulaId f) {
      const logic::Formula formula = part(f);
      const auto at = [&](FormulaId g) { return here.values.at(g); };
      const Truth own = at(f);
      const bool last = next == nullptr;
      switch (formula.op) {
        case Op::X:
          return own == (last ? Truth::Undefined : next->values.at(formula.left));
        case Op::F:
          return own == (last ? at(formula.left) : std::max(at(formula.left), next->values.at(f)));
        case Op::G:
          return own == (last ? at(formula.left) : std::min(at(formula.left), next->values.at(f)));
        case Op::U:
          return own == (last ? at(formula.right)
                              : std::max(at(formula.right),
                                         std::min(at(formula.left), next->values.at(f))));
        case Op::W:
          return own == (last ? std::max(at(formula.left), at(formula.right))
                              : std::max(at(formula.right),
                                         std::min(at(formula.left), next->values.at(f))));
        case Op::R:
          return own == (last ? at(formula.right)
                              : std::min(at(formula.right),
                                         std::max(at(formula.left), next->values.at(f))));
        default:
          return true;
      }
    });
  }

  /// The same of the past operators, given the node before.
  bool fits_past(const Node* before, const Node& here) const {
    return std::ranges::all_of(parts_, [&](FormulaId f) {
      const logic::Formula formula = part(f);
      const auto at = [&](FormulaId g) { return here.values.at(g); };
      const Truth own = at(f);
      const bool first = before == nullptr;
      switch (formula.op) {
        case Op::Y:
          return own == (first ? Truth::False : before->values.at(formula.left));
        case Op::Z:
          return own == (first ? Truth::True : before->values.at(formula.left));
        case Op::O:
          return own ==
                 (first ? at(formula.left) : std::max(at(formula.left), before->values.at(f)));
        case Op::H:
          return own ==
                 (first ? at(formula.left) : std::min(at(formula.left), before->values.at(f)));
        case Op::S:
          return own == (first ? at(formula.right)
                               : std::max(at(formula.right),
                                          std::min(at(formula.left), before->values.at(f))));
        case Op::T:
          return own == (first ? at(formula.right)
                               : std::min(at(formula.right),
                                          std::max(at(formula.left), before->values.at(f))));
        default:
          return true;
      }
    });
  }

  void connect() {
    for (Node& node : nodes_) {
      for (const std::size_t s : graph_.successors[node.state]) {
        for (std::size_t code = 0; code < codes_; ++code) {
          const Node& next = nodes_[s * codes_ + code];
          if (fits_future(node, &next) && fits_past(&node, next)) {
            node.successors.push_back(s * codes_ + code);
          }
        }
      }
    }
  }

  /// What an operator promises, or denies, comes true at this node.
  bool fulfils(const Node& node, FormulaId f) const {
    const logic::Formula formula = part(f);
    const Truth own = node.values.at(f);
    switch (formula.op) {
      case Op::F:
        return own != Truth::True || node.values.at(formula.left) == Truth::True;
      case Op::U:
        return own != Truth::True || node.values.at(formula.right) == Truth::True;
      case Op::G:
        return own != Truth::False || node.values.at(formula.left) == Truth::False;
      case Op::R:
        return own != Truth::False || node.values.at(formula.right) == Truth::False;
      case Op::W:
        return own != Truth::False || std::max(node.values.at(formula.left),
                                               node.values.at(formula.right)) == Truth::False;
      default:
        return true;
    }
  }

  /// Nodes of `in` with a path in it to one of `goal`, of one step at least.
  std::vector<bool> reaching(const std::vector<bool>& in, const std::vector<bool>& goal) const {
    std::vector<bool> found(nodes_.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = nodes_.size(); n-- > 0;) {
        if (in[n] && !found[n] && std::ranges::any_of(nodes_[n].successors, [&](std::size_t m) {
              return in[m] && (goal[m] || found[m]);
            })) {
          found[n] = changed = true;
        }
      }
    }
    return found;
  }

  std::vector<bool> find_good(bool beyond) const {
    std::vector<bool> alive(nodes_.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (const FormulaId f : parts_) {
        if (!logic::is_path_operator(part(f).op)) {
          continue;
        }
        std::vector<bool> goal(nodes_.size());
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
          goal[n] = alive[n] && fulfils(nodes_[n], f);
        }
        const std::vector<bool> left = reaching(alive, goal);
        if (left != alive) {
          alive = left;
          changed = true;
        }
      }
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      alive[n] = alive[n] || nodes_[n].ends || (beyond && graph_.is_open[nodes_[n].state]);
    }
    const std::vector<bool> all(nodes_.size(), true);
    std::vector<bool> good = reaching(all, alive);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      good[n] = good[n] || alive[n];
    }
    return good;
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  bool only_infinite_;
  ExploredGraph graph_;
  std::vector<FormulaId> parts_;
  logic::Formula top_;
  FormulaId joined_;
  std::size_t codes_ = 1;
  std::vector<Node> nodes_;
};

}  // namespace

std::optional<bool> holds_by_guessing(const model::Rsm& model, const logic::FormulaPool& pool,
                                      logic::FormulaId formula, std::size_t most_states,
                                      bool only_infinite) {
  Guesser guesser(model, pool, most_states, only_infinite);
  if (only_infinite) {
    if (!guesser.graph().is_whole) {
      return std::nullopt;
    }
    const std::vector<bool> values = guesser.values(formula, false);
    const std::vector<bool> counts = guesser.with_infinite_path();
    for (std::size_t s = 0; s < guesser.graph().initial; ++s) {
      if (counts[s] && !values[s]) {
        return false;
      }
    }
    return true;
  }
  const auto in_all = [&](bool beyond) {
    const std::vector<bool> values = guesser.values(formula, beyond);
    return std::all_of(values.begin(),
                       values.begin() + static_cast<std::ptrdiff_t>(guesser.graph().initial),
                       [](bool value) { return value; });
  };
  const bool least = in_all(false);
  if (guesser.graph().is_whole) {
    return least;
  }
  std::set<FormulaId> leaves;
  const logic::Formula& outer = pool[formula];
  if (outer.op != Op::E && outer.op != Op::A) {
    return std::nullopt;
  }
  path_parts(pool, outer.left, leaves);
  const bool nests =
      std::ranges::any_of(leaves, [&](FormulaId f) { return !pool.is_propositional(f); });
  if (nests || in_all(true) != least) {
    return std::nullopt;
  }
  return least;
}

std::size_t path_operator_count(const logic::FormulaPool& pool, FormulaId path) {
  std::set<FormulaId> leaves;
  const std::vector<FormulaId> parts = path_parts(pool, path, leaves);
  return static_cast<std::size_t>(std::ranges::count_if(
      parts, [&](FormulaId f) { return logic::is_path_operator(pool[f].op); }));
}

}  // namespace nestor::test
