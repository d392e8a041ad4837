#include "cluster/evidence.h"

#include "base/error.h"
#include "check/replay.h"
#include "engine/finite_labelling.h"
#include "explain/extract.h"
#include "explain/obligation.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace nestor::cluster {

namespace {

using Ending = witness::Evidence::Ending;

constexpr std::size_t kMostSteps = 20'000;  // of a path
constexpr std::size_t kMostPaths = 2'000;
constexpr const char* kTooLong = "the path is too long";

/// How many `EX` or `AX` stand within each other, at the most.
std::size_t next_depth(const logic::FormulaPool& pool, logic::FormulaId formula) {
  std::map<logic::FormulaId, std::size_t> depth;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    std::size_t deepest = 0;
    for (int i = 0; i < logic::operand_count(pool[f].op); ++i) {
      deepest = std::max(deepest, depth[i == 0 ? pool[f].left : pool[f].right]);
    }
    depth[f] = deepest + (pool[f].op == logic::Op::EX || pool[f].op == logic::Op::AX ? 1 : 0);
  }
  return depth[formula];
}

std::vector<std::string> atoms_in(const logic::FormulaPool& pool, logic::FormulaId formula) {
  std::vector<std::string> atoms;
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    if (pool[f].op == logic::Op::Atom) {
      atoms.emplace_back(pool.atom_name(f));
    }
  }
  return atoms;
}

/// What a path is looked for, to be found again.
using Key = std::vector<std::uint64_t>;

Key key_of(const explain::FinitePaths::Wanted& wanted, std::size_t start) {
  const auto number = [](witness::Claim claim) {
    return std::uint64_t{claim.formula.value()} << 1 | (claim.holds ? 1U : 0U);
  };
  Key key{start, (wanted.may_reach ? 2U : 0U) + (wanted.may_stay ? 1U : 0U),
          number(wanted.along_claim)};
  for (const witness::Claim& claim : wanted.end_claims) {
    key.push_back(number(claim));
  }
  return key;
}

}  // namespace

/// A path that the excerpt does not have yet.
struct EvidenceFinder::Missing {
  Key key;
  bool may_reach = false;
  bool may_stay = false;
  witness::Claim along;
  std::vector<witness::Claim> end;
  std::size_t start = 0;
};

/// Paths that were found, for the extraction; it asks in the same order in all processes.
class EvidenceFinder::Paths final : public explain::FinitePaths {
 public:
  /// `around`: how far from the states of a path successors are needed.
  Paths(EvidenceFinder& finder, Excerpt& excerpt, std::size_t around)
      : finder_(finder), excerpt_(excerpt), around_(around) {}

  bool counts(std::size_t node) const override { return excerpt_.node(node).counts; }
  Found find(const Wanted& wanted, std::size_t start) override {
    Key key = key_of(wanted, start);
    const auto known = found_.find(key);
    if (known == found_.end()) {
      throw Missing{std::move(key),
                    wanted.may_reach,
                    wanted.may_stay,
                    wanted.along_claim,
                    {wanted.end_claims.begin(), wanted.end_claims.end()},
                    start};
    }
    return known->second;
  }

  /// All processes call it.
  void look_for(const Missing& missing) {
    if (found_.size() >= kMostPaths) {
      throw base::LimitReached{"the evidence has too many paths"};
    }
    Found found;
    found.nodes = {missing.start};
    const base::BitSet along = finder_.states_with({&missing.along, 1});
    bool is_found = false;
    if (missing.may_reach) {
      base::BitSet goals = finder_.states_with(missing.end);
      if (finder_.labelling_.is_fair()) {
        goals &= finder_.labelling_.fair();
      }
      is_found = append_path(along, goals, found.nodes);
    }
    if (!is_found) {
      NESTOR_CHECK(missing.may_stay);
      append_lasso(along, found);
    }
    excerpt_.complete_around(found.nodes, around_);
    found_.emplace(missing.key, std::move(found));
  }

 private:
  base::BitSet only(std::size_t node) const {
    base::BitSet set(finder_.part_.states.size());
    if (static_cast<int>(excerpt_.node(node).state.process) == finder_.communicator_.rank()) {
      set.set(excerpt_.node(node).state.number);
    }
    return set;
  }
  /// What `distances` says of these nodes, in all processes.
  std::vector<std::uint64_t> distances_of(const Distances& distances,
                                          std::span<const std::size_t> nodes) const {
    std::vector<std::uint64_t> result(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GlobalState& state = excerpt_.node(nodes[i]).state;
      if (static_cast<int>(state.process) == finder_.communicator_.rank()) {
        result[i] = distances[state.number];
      }
    }
    finder_.communicator_.sum(result);
    return result;
  }

  /// Goes on to the nearest goal, through `along`; by at least one step if `moves`. False if there
  /// is no way.
  bool append_path(const base::BitSet& along, const base::BitSet& goals,
                   std::vector<std::size_t>& path, bool moves = false) {
    const Distances distances(finder_.communicator_, finder_.part_, along, goals, finder_.limits_);
    std::uint64_t left =
        moves ? Distances::kFar : distances_of(distances, {&path.back(), 1}).front();
    if (left == Distances::kFar && !moves) {
      return false;
    }
    while (left > 0) {
      const std::vector<std::size_t> next = step(path.back());
      const std::vector<std::uint64_t> away = distances_of(distances, next);
      const auto nearest = std::ranges::min_element(away);
      if (nearest == away.end() || *nearest == Distances::kFar) {
        NESTOR_CHECK(moves && left == Distances::kFar);
        return false;
      }
      NESTOR_CHECK(*nearest < left);
      left = *nearest;
      add(path, next[static_cast<std::size_t>(nearest - away.begin())]);
    }
    return true;
  }

  const std::vector<std::size_t>& step(std::size_t node) {
    excerpt_.complete({&node, 1});
    return excerpt_.node(node).successors;
  }
  static void add(std::vector<std::size_t>& path, std::size_t node) {
    if (path.size() > kMostSteps) {
      throw base::LimitReached{kTooLong};
    }
    path.push_back(node);
  }

  void append_lasso(const base::BitSet& along, Found& found) {
    if (finder_.labelling_.is_fair()) {
      append_fair_lasso(finder_.labelling_.fair_always(along), found);
      return;
    }
    base::BitSet dead(along.size());
    for (Word s = 0; s < along.size(); ++s) {
      if (along.test(s) && finder_.part_.out_degree[s] == 0) {
        dead.set(s);
      }
    }
    if (append_path(along, dead, found.nodes)) {
      excerpt_.complete({&found.nodes.back(), 1});
      found.ending = Ending::DeadEnd;
      return;
    }
    // No dead end can be reached, so that every path goes on for ever or leaves `along`. Those
    // that stay are in EG along.
    const base::BitSet forever = finder_.labelling_.always_in(along);
    found.ending = Ending::Loop;
    for (std::size_t walked = 1;; walked *= 2) {
      std::vector<std::size_t> back = {found.nodes.back()};
      if (append_path(forever, only(back.front()), back, true)) {
        found.loop = found.nodes.size() - 1;
        found.nodes.insert(found.nodes.end(), back.begin() + 1, back.end());
        return;
      }
      // It comes never again: go on. What comes again on the way closes a loop as well.
      for (std::size_t i = 0; i < walked; ++i) {
        if (go_on(forever, found)) {
          return;
        }
      }
    }
  }

  /// One step in `inside`. True if that closes a loop.
  bool go_on(const base::BitSet& inside, Found& found) {
    const std::vector<std::size_t> next = step(found.nodes.back());
    std::vector<std::uint64_t> is_inside(next.size(), 0);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const GlobalState& state = excerpt_.node(next[i]).state;
      if (static_cast<int>(state.process) == finder_.communicator_.rank()) {
        is_inside[i] = inside.test(state.number) ? 1 : 0;
      }
    }
    finder_.communicator_.sum(is_inside);
    const auto place = std::ranges::find(is_inside, std::uint64_t{1});
    NESTOR_CHECK(place != is_inside.end());
    const std::size_t to = next[static_cast<std::size_t>(place - is_inside.begin())];
    const auto before = std::ranges::find(found.nodes, to);
    const bool closes = before != found.nodes.end();
    found.loop = static_cast<std::size_t>(before - found.nodes.begin());
    add(found.nodes, to);
    return closes;
  }

  /// [CGMZ95] of engine/labelling: to the nearest step of a constraint that is missing, until none
  /// is; then back to where that began, or it begins anew from there.
  void append_fair_lasso(const base::BitSet& inside, Found& found) {
    std::vector<std::size_t>& path = found.nodes;
    found.ending = Ending::Loop;
    const std::uint32_t constraints = finder_.part_.states.model().mark_count();
    for (;;) {
      found.loop = path.size() - 1;
      const std::size_t begin = path.back();
      std::uint32_t missing = ~std::uint32_t{0} >> (32 - constraints);
      while (missing != 0) {
        const base::BitSet sources =
            sources_of_marked(finder_.communicator_, finder_.part_, inside, missing);
        const std::size_t before = path.size();
        const bool is_found = append_path(inside, sources, path);
        NESTOR_CHECK(is_found);
        take_marked_step(inside, missing, path);
        for (std::size_t i = before; i < path.size(); ++i) {
          missing &= ~marks(path[i - 1], path[i]);
        }
      }
      if (path.back() == begin || append_path(inside, only(begin), path)) {
        return;
      }
    }
  }

  void take_marked_step(const base::BitSet& inside, std::uint32_t wanted,
                        std::vector<std::size_t>& path) {
    const std::vector<std::size_t> next = step(path.back());
    std::vector<std::uint64_t> fits(next.size(), 0);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const GlobalState& state = excerpt_.node(next[i]).state;
      if (static_cast<int>(state.process) == finder_.communicator_.rank()) {
        fits[i] = inside.test(state.number) && (marks(path.back(), next[i]) & wanted) != 0 ? 1 : 0;
      }
    }
    finder_.communicator_.sum(fits);
    const auto place = std::ranges::find(fits, std::uint64_t{1});
    NESTOR_CHECK(place != fits.end());
    add(path, next[static_cast<std::size_t>(place - fits.begin())]);
  }

  std::uint32_t marks(std::size_t from, std::size_t to) const {
    const Excerpt::Node& node = excerpt_.node(from);
    const auto place = std::ranges::find(node.successors, to);
    return node.marks[static_cast<std::size_t>(place - node.successors.begin())];
  }

  EvidenceFinder& finder_;
  Excerpt& excerpt_;
  std::size_t around_;
  std::map<Key, Found> found_;
};

/// States of this process where all of the claims are true.
base::BitSet EvidenceFinder::states_with(std::span<const witness::Claim> claims) {
  base::BitSet result(part_.states.size());
  result.set_all();
  for (const witness::Claim& claim : claims) {
    if (!claim.formula.valid()) {
      continue;
    }
    const logic::FormulaId normal = logic::existential_normal_form(pool_, claim.formula);
    if (!labelling_.has_values(normal)) {
      labelling_.run({&normal, 1}, labelling_.is_fair());
    }
    base::BitSet values = labelling_.values(normal);
    if (!claim.holds) {
      values.flip_all();
    }
    result &= values;
  }
  return result;
}

namespace {

/// Steps that the excerpt does not have, loops that are not fair; empty if there are none. Where
/// there is fairness, check/replay.h would have to know the whole graph.
std::string problem_of_paths(const model::Rsm& machine, const model::Fairness& fairness,
                             const witness::Witness& witness) {
  const std::uint32_t all = ~std::uint32_t{0} >> (32 - fairness.constraints);
  for (const witness::Evidence& evidence : witness.evidence) {
    std::uint32_t satisfied = 0;
    for (std::size_t i = 1; i < evidence.path.size(); ++i) {
      const model::NodeId from = witness.states[evidence.path[i - 1]].node;
      const model::NodeId to = witness.states[evidence.path[i]].node;
      const auto next = machine.successors(from);
      const auto place = std::ranges::find(next, to);
      if (place == next.end()) {
        return "a step that the model does not have";
      }
      if (i > evidence.loop) {
        satisfied |=
            fairness.marks_of(machine, from)[static_cast<std::size_t>(place - next.begin())];
      }
    }
    if (evidence.ending == Ending::Loop && satisfied != all) {
      return "a loop that is not fair";
    }
  }
  return {};
}

}  // namespace

EvidenceFinder::Found EvidenceFinder::find(logic::FormulaId formula, bool holds) {
  const logic::FormulaId normal = logic::existential_normal_form(pool_, formula);
  if (!labelling_.has_values(normal)) {
    labelling_.run({&normal, 1}, labelling_.is_fair());
  }
  Excerpt excerpt(communicator_, part_, labelling_, pool_, normal, dead_ends_, limits_);
  if (std::ranges::none_of(excerpt.initial(),
                           [&](std::size_t n) { return excerpt.node(n).counts; })) {
    throw base::LimitReached{"no fair path leads from an initial state"};
  }
  const std::size_t around = std::max<std::size_t>(1, next_depth(pool_, formula));
  Paths paths(*this, excerpt, around);
  const std::vector<std::string> atoms = atoms_in(pool_, formula);
  excerpt.complete_around({excerpt.initial().begin(), excerpt.initial().end()}, around);
  for (;;) {
    model::Fairness fairness;
    auto machine = std::make_unique<model::Rsm>(excerpt.machine(atoms, fairness));
    const explain::Labelling labelling =
        engine::finite_labelling(*machine, pool_, normal, excerpt.values());
    try {
      Found found;
      found.witness = explain::extract_witness(*machine, pool_, formula, holds, labelling,
                                               "labelling", {}, &paths);
      found.witness.fairness = labelling_.is_fair() ? fairness.constraints : 0;
      // What is shown is right or not shown at all.
      if (labelling_.is_fair()) {
        NESTOR_CHECK(problem_of_paths(*machine, fairness, found.witness).empty());
      } else {
        NESTOR_CHECK(check::replay(*machine, pool_, formula, found.witness, nullptr).outcome !=
                     check::Replay::Outcome::Rejected);
      }
      found.machine = std::move(machine);
      return found;
    } catch (const Missing& missing) {
      paths.look_for(missing);
    }
  }
}

}  // namespace nestor::cluster
