#include "explain/extract.h"

#include "base/error.h"
#include "explain/claim_values.h"
#include "explain/lasso_finder.h"
#include "explain/obligation.h"
#include "explain/path_worlds.h"
#include "explain/until_finder.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace nestor::explain {

namespace {

using Ending = witness::Evidence::Ending;
using EvidenceKind = witness::Evidence::Kind;

/// Where a path may go and where it may end, by node.
struct Sets {
  base::BitSet along;
  base::BitSet end;
};

/// What finds paths for one claim; made when the first one is asked for.
struct Finders {
  std::optional<Sets> sets;  // with own paths, instead of the others
  std::unique_ptr<UntilFinder> until;
  std::unique_ptr<LassoFinder> always;
};

class Extraction {
 public:
  Extraction(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
             const Labelling& labelling, const base::Limits& limits, FinitePaths* paths)
      : model_(model),
        pool_(pool),
        own_paths_(paths),
        values_(pool, formula, labelling),
        worlds_(model, labelling, values_, witness_.stacks),
        states_(witness_.states),
        guard_(limits) {}

  witness::Witness run(logic::FormulaId formula, bool holds) {
    witness_.formula = formula;
    witness_.holds = holds;
    const witness::Claim claim{formula, holds};
    std::size_t counted = 0;
    for (const model::NodeId n : model_.initial_nodes()) {
      const model::State state{model::StackTable::kEmpty, n};
      if (!counts(state)) {
        continue;
      }
      ++counted;
      if (is_true(claim, state)) {
        witness_.roots.push_back(demand(claim, state));
        if (!holds) {
          break;
        }
      }
    }
    // A formula that holds does so in all initial states that count, be it none.
    NESTOR_CHECK(holds ? witness_.roots.size() == counted : !witness_.roots.empty());
    // What is demanded on the way is appended.
    for (std::size_t next = 0; next < witness_.evidence.size(); ++next) {
      fill(witness::EvidenceId(next));
    }
    return std::move(witness_);
  }

 private:
  /// With own paths there are no boxes: nodes are by place in the initial component.
  std::size_t place(model::NodeId n) const {
    return n - model_.component(model_.initial_component()).first_node;
  }
  model::NodeId node(std::size_t place) const {
    return model_.component(model_.initial_component()).first_node + place;
  }
  bool counts(const model::State& state) const {
    return own_paths_ == nullptr || own_paths_->counts(place(state.node));
  }

  bool is_true(witness::Claim claim, const model::State& state) const {
    return values_.is_true(claim, worlds_.labelled().graph.plain_row(
                                      worlds_.labelled().stacks.instance(state.stack), state.node));
  }

  std::uint64_t key(witness::Claim claim, model::StateId state) {
    const std::uint64_t formula = std::uint64_t{claim.formula.value()} * 2 + (claim.holds ? 1 : 0);
    const auto number = static_cast<std::uint64_t>(
        claim_numbers_.try_emplace(formula, claim_numbers_.size()).first->second);
    return number << 32 | state.value();
  }

  witness::EvidenceId demand(witness::Claim claim, const model::State& state) {
    const model::StateId id = states_.intern(state);
    const auto [place, is_new] =
        demanded_.try_emplace(key(claim, id), witness::EvidenceId(witness_.evidence.size()));
    if (is_new) {
      witness::Evidence evidence;
      evidence.claim = claim;
      evidence.state = id;
      witness_.evidence.push_back(std::move(evidence));
    }
    return place->second;
  }

  void fill(witness::EvidenceId id) {
    guard_.tick();
    // Demands make the list grow, so the evidence is built aside.
    witness::Evidence evidence = witness_.evidence[id];
    const witness::Claim claim = evidence.claim;
    const Obligation needed = obligation(pool_, claim, values_.is_propositional(claim.formula));
    if (needed.kind == Obligation::Kind::Fact) {
      evidence.kind = EvidenceKind::Fact;
    } else if (values_.constant(claim.formula)) {
      evidence.kind = EvidenceKind::Form;
    } else if (needed.kind == Obligation::Kind::All) {
      evidence.kind = EvidenceKind::All;
    } else if (needed.kind == Obligation::Kind::Parts) {
      fill_parts(evidence, needed);
    } else if (needed.kind == Obligation::Kind::Next) {
      fill_next(evidence, needed);
    } else {
      fill_path(id, evidence, needed);
    }
    witness_.evidence[id] = std::move(evidence);
  }

  void fill_parts(witness::Evidence& evidence, const Obligation& needed) {
    evidence.kind = EvidenceKind::Parts;
    const model::State state = witness_.states[evidence.state];
    const std::vector<witness::Claim>* best = nullptr;
    int best_weight = 0;
    for (const std::vector<witness::Claim>& alternative : needed.alternatives) {
      int weight = 0;
      bool all = true;
      for (const witness::Claim& c : alternative) {
        all = all && is_true(c, state);
        weight = std::max<int>(weight, values_.weight(c));
      }
      if (all && (best == nullptr || weight < best_weight)) {
        best = &alternative;
        best_weight = weight;
      }
    }
    NESTOR_CHECK(best != nullptr);
    for (const witness::Claim& c : *best) {
      evidence.parts.push_back(demand(c, state));
    }
  }

  void fill_next(witness::Evidence& evidence, const Obligation& needed) {
    evidence.kind = EvidenceKind::Next;
    const model::State state = witness_.states[evidence.state];
    for (const model::Move& move : model::moves(model_, witness_.stacks, state)) {
      if (counts(move.to) && is_true(needed.end.front(), move.to)) {
        evidence.path = {evidence.state, states_.intern(move.to)};
        evidence.steps = {move.step};
        evidence.parts = {demand(needed.end.front(), move.to)};
        return;
      }
    }
    NESTOR_CHECK(false);  // the labelling says that there is one
  }

  void fill_path(witness::EvidenceId id, witness::Evidence& evidence, const Obligation& needed) {
    const model::State start = witness_.states[evidence.state];
    const witness::Claim claim = evidence.claim;
    Finders& find = finders(claim);
    if (own_paths_ != nullptr) {
      fill_own_path(id, evidence, needed, find);
      return;
    }
    Distance distance = kFar;
    if (needed.kind != Obligation::Kind::Always) {
      if (find.until == nullptr) {
        World& in = worlds_.world(needed);
        find.until = std::make_unique<UntilFinder>(
            in.graph, in.stacks, worlds_.allowed(claim, needed), worlds_.goal(needed), guard_);
      }
      distance = find.until->begin(start);
      evidence.kind = EvidenceKind::Until;
    }
    if (distance == kFar && needed.kind != Obligation::Kind::Until) {
      if (find.always == nullptr) {
        World& in = worlds_.world(needed);
        find.always = std::make_unique<LassoFinder>(in.graph, in.stacks,
                                                    worlds_.allowed(claim, needed), guard_);
      }
      distance = find.always->begin(start);
      evidence.kind = EvidenceKind::Always;
    }
    if (distance > kMostSteps) {
      throw base::LimitReached{"the shortest path is too long"};
    }
    Path path;
    path.states.push_back(start);
    if (evidence.kind == EvidenceKind::Until) {
      walk(evidence, path, *find.until);
    } else {
      walk(evidence, path, *find.always);
    }
    finish_path(id, evidence, path, needed);
  }

  void fill_own_path(witness::EvidenceId id, witness::Evidence& evidence, const Obligation& needed,
                     Finders& find) {
    Path path;
    path.states.push_back(witness_.states[evidence.state]);
    for (const EvidenceKind kind : {EvidenceKind::Until, EvidenceKind::Always}) {
      evidence.kind = kind;
      if (join(evidence, path.states.front())) {  // no path has to be found
        finish_path(id, evidence, path, needed);
        return;
      }
    }
    if (!find.sets) {
      find.sets = Sets{values_.rows(needed.along), values_.rows_of_all(needed.end)};
    }
    const FinitePaths::Found found = own_paths_->find(
        {needed.kind != Obligation::Kind::Always, needed.kind != Obligation::Kind::Until,
         find.sets->along, find.sets->end, needed.along, needed.end},
        place(witness_.states[evidence.state].node));
    NESTOR_CHECK(!found.nodes.empty());
    evidence.kind = found.ending == Ending::Here ? EvidenceKind::Until : EvidenceKind::Always;
    evidence.ending = found.ending;
    evidence.loop = static_cast<std::uint32_t>(found.loop);
    for (std::size_t i = 0; i < found.nodes.size(); ++i) {
      guard_.tick();
      const model::NodeId n = node(found.nodes[i]);
      if (i > 0) {
        const auto next = model_.successors(path.states.back().node);
        const bool is_local = std::find(next.begin(), next.end(), n) != next.end();
        path.move(
            {is_local ? model::Step::Local : model::Step::Stay, {model::StackTable::kEmpty, n}});
      }
      if (join(evidence, path.states.back())) {
        evidence.loop = 0;
        break;
      }
    }
    finish_path(id, evidence, path, needed);
  }

  /// True if the path has met earlier evidence for the same claim: that shows the rest.
  bool join(witness::Evidence& evidence, const model::State& at) {
    const auto known = on_path_.find(key(evidence.claim, states_.intern(at)));
    if (known == on_path_.end() || known->second.kind != evidence.kind) {
      return false;
    }
    evidence.ending = Ending::Joins;
    evidence.joins = known->second.evidence;
    evidence.join_at = known->second.place;
    return true;
  }

  /// Goes on until the end is reached or the path meets earlier evidence for the same claim.
  template <class Finder>
  void walk(witness::Evidence& evidence, Path& path, Finder& finder) {
    for (;;) {
      guard_.tick();
      if (join(evidence, path.states.back())) {
        return;
      }
      if (finder.is_done()) {
        close(evidence, path, finder);
        return;
      }
      path.move(finder.next());
    }
  }

  void close(witness::Evidence& evidence, Path&, UntilFinder&) { evidence.ending = Ending::Here; }
  void close(witness::Evidence& evidence, Path& path, LassoFinder& finder) {
    const std::size_t loop = finder.close(path);
    evidence.ending = loop == LassoFinder::kDeadEnd ? Ending::DeadEnd : Ending::Loop;
    evidence.loop = evidence.ending == Ending::Loop ? static_cast<std::uint32_t>(loop) : 0;
  }

  void finish_path(witness::EvidenceId id, witness::Evidence& evidence, const Path& path,
                   const Obligation& needed) {
    for (const model::State& state : path.states) {
      evidence.path.push_back(states_.intern(state));
    }
    evidence.steps = path.steps;
    const std::size_t own =
        evidence.ending == Ending::Here ? path.states.size() : witness::along_count(evidence);
    for (std::size_t i = 0; i < own; ++i) {
      on_path_.try_emplace(key(evidence.claim, evidence.path[i]),
                           OnPath{evidence.kind, id, static_cast<std::uint32_t>(i)});
    }
    if (needed.along.formula.valid() && !values_.is_propositional(needed.along.formula)) {
      for (std::size_t i = 0; i < witness::along_count(evidence); ++i) {
        evidence.along.push_back(demand(needed.along, path.states[i]));
      }
    }
    if (evidence.ending == Ending::Here) {
      for (const witness::Claim& c : needed.end) {
        evidence.parts.push_back(demand(c, path.states.back()));
      }
    }
  }

  Finders& finders(witness::Claim claim) {
    std::unique_ptr<Finders>& place = finders_[key(claim, model::StateId(0)) >> 32];
    if (place == nullptr) {
      place = std::make_unique<Finders>();
    }
    return *place;
  }

  struct OnPath {
    EvidenceKind kind = EvidenceKind::Until;
    witness::EvidenceId evidence;
    std::uint32_t place = 0;
  };

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  FinitePaths* own_paths_;  // null: shortest paths are looked for here
  witness::Witness witness_;
  ClaimValues values_;
  PathWorlds worlds_;
  model::StateIndex states_;
  base::LimitGuard guard_;
  std::unordered_map<std::uint64_t, std::size_t> claim_numbers_;
  std::unordered_map<std::uint64_t, witness::EvidenceId> demanded_;
  std::unordered_map<std::uint64_t, OnPath> on_path_;  // where each state of a claim's paths is
  std::unordered_map<std::uint64_t, std::unique_ptr<Finders>> finders_;
};

}  // namespace

std::optional<witness::Witness> witness_without_values(const model::Rsm& model,
                                                       logic::FormulaPool& pool,
                                                       logic::FormulaId formula, bool holds) {
  const bool is_shown_by_none =
      is_temporal(pool[formula].op) &&
      obligation(pool, {formula, holds}, false).kind == Obligation::Kind::All;
  // Where a formula fails, it is not known in which of several initial states.
  if (!is_shown_by_none || (!holds && model.initial_nodes().size() > 1)) {
    return std::nullopt;
  }
  witness::Witness witness;
  witness.formula = formula;
  witness.holds = holds;
  for (const model::NodeId n : model.initial_nodes()) {
    witness::Evidence evidence;
    evidence.kind = EvidenceKind::All;
    evidence.claim = {formula, holds};
    evidence.state = witness.states.push_back({model::StackTable::kEmpty, n});
    witness.roots.push_back(witness.evidence.push_back(std::move(evidence)));
  }
  return witness;
}

witness::Witness extract_witness(const model::Rsm& model, logic::FormulaPool& pool,
                                 logic::FormulaId formula, bool holds, const Labelling& labelling,
                                 std::string engine, const base::Limits& limits,
                                 FinitePaths* paths) {
  witness::Witness witness =
      Extraction(model, pool, formula, labelling, limits, paths).run(formula, holds);
  witness.engine = std::move(engine);
  return witness;
}

}  // namespace nestor::explain
