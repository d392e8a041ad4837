#include "engine/ctl_star/state_product.h"

#include <algorithm>
#include <limits>
#include <set>

namespace nestor::engine::ctl_star {

using logic::FormulaId;
using logic::Op;

StateLetters::StateLetters(model::StateSpace& space, const logic::FormulaPool& pool,
                           const std::vector<FormulaId>& formulas)
    : space_(space), pool_(pool) {
  std::set<FormulaId> all;
  for (const FormulaId f : formulas) {
    if (!pool.is_propositional(f)) {
      throw base::LimitReached{"quantifiers that nest are decided on the explored model"};
    }
    const std::vector<FormulaId> parts = logic::subformulas(pool, f);
    all.insert(parts.begin(), parts.end());
  }
  parts_.assign(all.begin(), all.end());
  for (const FormulaId f : formulas) {
    places_.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(parts_, f) - parts_.begin()));
  }
  for (const FormulaId f : parts_) {
    propositions_.push_back(pool[f].op == Op::Atom ? space.find_proposition(pool.atom_name(f))
                                                   : std::nullopt);
  }
  values_.resize(parts_.size());
}

std::uint64_t StateLetters::letter(model::NodeId n) {
  const base::TakenState state = space_.state(n);
  const auto value = [&](FormulaId f) {
    return values_[static_cast<std::size_t>(std::ranges::lower_bound(parts_, f) - parts_.begin())];
  };
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const logic::Formula& f = pool_[parts_[i]];
    switch (f.op) {
      case Op::True:
      case Op::False:
        values_[i] = f.op == Op::True;
        break;
      case Op::Atom:
        values_[i] = propositions_[i] && space_.model().holds(*propositions_[i], state);
        break;
      case Op::Not:
        values_[i] = !value(f.left);
        break;
      case Op::And:
        values_[i] = value(f.left) && value(f.right);
        break;
      case Op::Or:
        values_[i] = value(f.left) || value(f.right);
        break;
      case Op::Implies:
        values_[i] = !value(f.left) || value(f.right);
        break;
      default:  // Iff, Xor
        values_[i] = (value(f.left) == value(f.right)) == (f.op == Op::Iff);
        break;
    }
  }
  std::uint64_t letter = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    letter |= std::uint64_t{values_[places_[i]]} << i;
  }
  return letter;
}

StateProduct::StateProduct(model::StateSpace& space, const logic::FormulaPool& pool,
                           const automata::Automaton& automaton, base::LimitGuard& guard)
    : space_(space),
      automaton_(automaton),
      guard_(guard),
      letters_(space, pool, automaton.letters) {}

StateProduct::Vertex StateProduct::vertex(model::NodeId n, std::uint32_t state) {
  const std::uint64_t key = std::uint64_t{n.value()} << 32 | state;
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) {
    return found->second;
  }
  if (vertices_.size() >= std::numeric_limits<Vertex>::max() - 2) {
    throw base::LimitReached{"more than 4 billion states together with the formula's automaton"};
  }
  guard_.reserve(sizeof(Item) + 2 * sizeof(std::uint64_t) + 2 * sizeof(void*));
  const auto number = static_cast<Vertex>(vertices_.size());
  vertices_.push_back({n, state, letters_.letter(n)});
  numbers_.emplace(key, number);
  return number;
}

bool StateProduct::next_edge(Vertex v, Position& position, Edge& edge) {
  const Item item = vertices_[v];
  const std::vector<automata::Transition>& transitions = automaton_.states[item.state].transitions;
  const std::span<const model::NodeId> successors = space_.successors(item.node, guard_);
  // Successors first: those that are known come first, and may close a loop.
  for (; position.major < successors.size(); ++position.major, position.minor = 0) {
    while (position.minor < transitions.size()) {
      const automata::Transition& t = transitions[position.minor++];
      if (!t.cube.accepts(item.letter)) {
        continue;
      }
      const std::span<const std::uint32_t> fair = space_.marks(item.node);
      const Word marks = fair.empty() ? 0 : Word{fair[position.major]} << Product::kFairness;
      edge = {Edge::Kind::Step, vertex(successors[position.major], t.target), t.marks | marks};
      return true;
    }
  }
  return false;
}

bool StateProduct::may_end(Vertex v) {
  const Item item = vertices_[v];
  const std::vector<automata::Cube>& endings = automaton_.states[item.state].endings;
  return space_.model().mark_count() == 0 &&
         std::ranges::any_of(
             endings, [&](const automata::Cube& cube) { return cube.accepts(item.letter); }) &&
         space_.successors(item.node, guard_).empty();
}

StateProduct::Word StateProduct::all_marks() const {
  const std::uint32_t constraints = space_.model().mark_count();
  const Word fair = constraints == 0 ? 0 : (Word{1} << constraints) - 1;
  return automaton_.all_marks() | fair << Product::kFairness;
}

}  // namespace nestor::engine::ctl_star
