// The modal mu-calculus on recursive state machines, by functions of what happens after a return.
//
//   [Wal01]  I. Walukiewicz: Pushdown processes: games and model-checking. Information and
//            Computation 164(2), 2001.
//   [HO11]   M. Hague, C.-H. L. Ong: A saturation method for the modal mu-calculus over pushdown
//            systems. Information and Computation 209(5), 2011.
//
//   [Wal01]                        here                       remark
//   configuration's head, formula  Vertex                     a node and a step, in a frame
//   guess of a push: the states    a set of Atoms             not guessed: all sets for which a
//     (and colours) to return in                                vertex is won are one function
//   colour of a formula            level of a fixpoint        inside its block only
//   finite game with guesses       equations between          solved by nested iteration, as
//                                    functions                  [HO11] computes denotations
//
// Deviations: [HO11] keeps sets of configurations as alternating automata, whose transitions are
// sets of sets of states; a function of the atoms is such a set of sets, minimal and canonical, for
// one node and one step. Blocks that do not depend on each other get one iteration each, so a
// formula without alternation is never iterated in nested loops, and its atoms have no levels.

#include "engine/mu/solver.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace nestor::engine::mu {

Solver::Solver(const Game& game, const Plan& plan, base::LimitGuard& guard)
    : game_(game), plan_(plan), guard_(guard), functions_(guard) {
  guard_.reserve(game.vertices().size() * (sizeof(Function) + sizeof(std::uint32_t)));
  value_.resize(game.vertices().size(), MonotoneFunctions::kFalse);
  place_.resize(game.vertices().size());
}

void Solver::solve() {
  base::CompressedRows<BlockId, VertexId> by_block(plan_.blocks().size());
  guard_.reserve(game_.vertices().size() * sizeof(VertexId));
  const auto block_of = [this](VertexId v) { return plan_[game_.vertices()[v].step].block; };
  for (const VertexId v : game_.vertices().ids()) {
    by_block.count(block_of(v));
  }
  by_block.finish_counting();
  for (const VertexId v : game_.vertices().ids()) {
    by_block.add(block_of(v), v);
  }
  for (const BlockId block : plan_.blocks().ids()) {
    guard_.reserve(by_block[block].size() * sizeof(VertexId));
    // What was met last is nearest to where values come from.
    members_.assign(by_block[block].rbegin(), by_block[block].rend());
    solve_block(block);
  }
}

bool Solver::holds() const {
  return std::all_of(game_.initial().begin(), game_.initial().end(), [this](VertexId v) {
    NESTOR_CHECK(MonotoneFunctions::is_constant(value_[v]));  // no caller, no atoms
    return value_[v] == MonotoneFunctions::kTrue;
  });
}

void Solver::reset(std::uint32_t level) {
  outer_[level].assign(members_.size(), plan_.blocks()[block_].greatest[level - 1]
                                            ? MonotoneFunctions::kTrue
                                            : MonotoneFunctions::kFalse);
}

// Nested loops, the innermost being iterate(): when a level has come to its fixpoint, the next one
// takes its next value, and all below begin anew.
void Solver::solve_block(BlockId block) {
  block_ = block;
  raised_.clear();
  const std::uint32_t levels = plan_.blocks()[block].level_count();
  for (std::uint32_t i = 0; i < members_.size(); ++i) {
    place_[members_[i]] = i;
  }
  outer_.resize(levels + std::size_t{1});
  for (std::uint32_t level = 2; level <= levels; ++level) {
    guard_.reserve(members_.size() * sizeof(Function));
    reset(level);
  }
  for (;;) {
    iterate();
    std::uint32_t level = 2;
    const auto is_stable = [this](const Values& outer) {
      guard_.tick(outer.size());
      return std::all_of(members_.begin(), members_.end(),
                         [&](VertexId v) { return outer[place_[v]] == value_[v]; });
    };
    while (level <= levels && is_stable(outer_[level])) {
      ++level;
    }
    if (level > levels) {
      return;
    }
    for (const VertexId v : members_) {
      outer_[level][place_[v]] = value_[v];
    }
    for (std::uint32_t below = 2; below < level; ++below) {
      reset(below);
    }
  }
}

void Solver::iterate() {
  const bool greatest = plan_.blocks()[block_].greatest[0];
  for (const VertexId v : members_) {
    value_[v] = greatest ? MonotoneFunctions::kTrue : MonotoneFunctions::kFalse;
  }
  guard_.reserve(2 * members_.size() * sizeof(std::uint32_t));
  std::vector<bool> waits(members_.size(), true);
  std::vector<std::uint32_t> now(members_.size());
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    now[i] = i;
  }
  std::vector<std::uint32_t> next;
  while (!now.empty()) {
    for (const std::uint32_t i : now) {
      guard_.tick();
      waits[i] = false;
      const VertexId v = members_[i];
      const Function value = evaluate(v);
      if (value == value_[v]) {
        continue;
      }
      value_[v] = value;
      for (const VertexId d : game_.dependents(v)) {
        guard_.tick();
        if (plan_[game_.vertices()[d].step].block == block_ && !waits[place_[d]]) {
          waits[place_[d]] = true;
          next.push_back(place_[d]);
        }
      }
    }
    std::sort(next.begin(), next.end());
    now = std::exchange(next, {});
  }
}

Function Solver::evaluate(VertexId v) {
  ++evaluations_;
  const Vertex& at = game_.vertices()[v];
  if (at.kind == Vertex::Kind::Called) {
    return returned(v);
  }
  const Step& step = plan_[at.step];
  switch (step.kind) {
    case Step::Kind::Constant:
    case Step::Kind::Literal:
      return plan_.holds_at(at.step, at.node) ? MonotoneFunctions::kTrue
                                              : MonotoneFunctions::kFalse;
    case Step::Kind::And:
    case Step::Kind::Box:
      return combined(v, true);
    case Step::Kind::Or:
    case Step::Kind::Diamond:
      return combined(v, false);
    case Step::Kind::Fixpoint:
      break;
  }
  const VertexId body = game_.operands(v).front();
  return step.level < 2 ? value_[body] : raised(outer_value(body, step.level), step.level);
}

Function Solver::combined(VertexId v, bool all) {
  Function result = all ? MonotoneFunctions::kTrue : MonotoneFunctions::kFalse;
  const Function decided = all ? MonotoneFunctions::kFalse : MonotoneFunctions::kTrue;
  const auto add = [&](Function f) {
    result = all ? functions_.both(result, f) : functions_.either(result, f);
  };
  for (const VertexId operand : game_.operands(v)) {
    guard_.tick();
    add(value_[operand]);
    if (result == decided) {
      return result;
    }
  }
  if (game_.leaves_frame(v)) {
    add(functions_.atom(atom_id(game_.atom_of(v))));
  }
  return result;
}

/// The callee's function, with what each of its atoms means here.
Function Solver::returned(VertexId v) {
  const Function callee = value_[game_.operands(v).front()];
  if (MonotoneFunctions::is_constant(callee)) {
    return callee;
  }
  const std::vector<AtomId> atoms = functions_.atoms_of(callee);
  Values values;
  for (const AtomId a : atoms) {
    const Atom atom = atoms_[a.value()];
    const VertexId port = game_.port_of(v, atom);
    const bool is_raised = atom.level >= 2 && plan_[atom.step].block == block_;
    values.push_back(is_raised ? raised(outer_value(port, atom.level), atom.level) : value_[port]);
  }
  return functions_.substitute(callee, atoms, values);
}

Function Solver::outer_value(VertexId v, std::uint32_t level) const {
  return plan_[game_.vertices()[v].step].block == block_ ? outer_[level][place_[v]] : value_[v];
}

/// What leaves the frame has met `level` on its way.
Function Solver::raised(Function f, std::uint32_t level) {
  if (MonotoneFunctions::is_constant(f)) {
    return f;
  }
  const std::uint64_t key = std::uint64_t{f.value()} << 32 | level;
  if (const auto known = raised_.find(key); known != raised_.end()) {
    return known->second;
  }
  const std::vector<AtomId> atoms = functions_.atoms_of(f);
  Values values;
  for (const AtomId a : atoms) {
    Atom atom = atoms_[a.value()];
    if (plan_[atom.step].block == block_) {
      atom.level = std::max(atom.level, level);
    }
    values.push_back(functions_.atom(atom_id(atom)));
  }
  return raised_[key] = functions_.substitute(f, atoms, values);
}

AtomId Solver::atom_id(const Atom& atom) {
  const auto [found, is_new] =
      id_of_atom_.try_emplace(std::tuple(atom.port, atom.step, atom.level), AtomId(atoms_.size()));
  if (is_new) {
    atoms_.push_back(atom);
  }
  return found->second;
}

}  // namespace nestor::engine::mu
