// Stubborn sets for reachability, after
//   [Val91]  A. Valmari: Stubborn sets for reduced state space generation.  LNCS 483, 1991;
//   [Sch99]  K. Schmidt: Stubborn sets for standard properties.  PETRI NETS 1999;
//   [Bøn19]  F. M. Bønneland, J. Dyhr, P. G. Jensen, M. Johannsen, J. Srba: Stubborn versus
//            structural reductions for Petri nets.  JLAMP 102, 2019.
//
// For EF φ and AG φ with φ without temporal operators: the goal is φ, or its negation. In a marking
// that is no goal only the enabled transitions of a set T are fired, where
//   - without a transition of T no goal is reached (interesting());
//   - of a disabled transition in T, all that put tokens into some place where it lacks them are
//     in T;
//   - of an enabled one, all that take tokens from a place where it takes them are in T.
// Of a way to a goal, the first transition in T can be fired first, by the last two conditions, and
// the rest then leads to the same goal and is shorter. So every goal that is reachable stays so,
// and nothing else than reachability is kept: the formula must be the whole question.

#include "net/stubborn_states.h"

#include <algorithm>
#include <map>
#include <optional>

namespace nestor::net {

namespace {

using Op = NetFormulas::Op;

class StubbornStates final : public NetStates {
 public:
  StubbornStates(const PetriNet& net, NetPredicate goal, bool wanted)
      : NetStates(net),
        goal_(std::move(goal)),
        wanted_(wanted),
        takers_(net.place_count()),
        givers_(net.place_count()),
        lowering_(goal_.parts.size()),
        raising_(goal_.parts.size()),
        is_chosen_(net.transition_count()) {
    for (const TransitionId t : net.transitions()) {
      std::map<PlaceId, std::int64_t> effect;
      for (const PetriNet::Arc& arc : net.transition(t).inputs) {
        takers_[arc.place].push_back(t);
        effect[arc.place] -= arc.weight;
      }
      for (const PetriNet::Arc& arc : net.transition(t).outputs) {
        effect[arc.place] += arc.weight;
      }
      for (const auto& [place, change] : effect) {
        if (change > 0) {
          givers_[place].push_back(t);
        }
      }
      for (std::size_t i = 0; i < goal_.parts.size(); ++i) {
        std::int64_t change = 0;
        for (const AtMostZero::Term& term : goal_.parts[i].comparison.terms) {
          const auto found = effect.find(term.place);
          change += found == effect.end() ? 0 : term.factor * found->second;
        }
        if (change != 0) {
          (change < 0 ? lowering_ : raising_)[i].push_back(t);
        }
      }
    }
  }

  bool successors(base::StateView state, model::StateSink& sink) override {
    const base::StateView marking = marking_of(state);
    choose(marking, sink);
    for (const TransitionId t : chosen_) {
      sink.tick();
      if (is_enabled(marking, t) && !fire_into(marking, t, sink)) {
        return false;
      }
    }
    return true;
  }

 private:
  void choose(base::StateView state, model::StateSink& sink) {
    for (const TransitionId t : chosen_) {
      is_chosen_[t] = false;
    }
    chosen_.clear();
    interesting(static_cast<std::uint32_t>(goal_.parts.size() - 1), wanted_, state);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      sink.tick();
      const TransitionId t = chosen_[i];
      if (const std::optional<PlaceId> lacking = lacking_place(state, t)) {
        add_all(givers_[*lacking]);
      } else {
        add_takers(t);
      }
    }
  }

  void add_all(const std::vector<TransitionId>& transitions) {
    for (const TransitionId t : transitions) {
      if (!is_chosen_[t]) {
        chosen_.push_back(t);  // before the mark: it may fail, and the mark would stay
        is_chosen_[t] = true;
      }
    }
  }

  void add_takers(TransitionId t) {
    for (const PetriNet::Arc& arc : net().transition(t).inputs) {
      add_all(takers_[arc.place]);
    }
  }

  /// Where `t` lacks tokens: of several places the one that the fewest give tokens to.
  std::optional<PlaceId> lacking_place(base::StateView state, TransitionId t) const {
    std::optional<PlaceId> best;
    for (const PetriNet::Arc& arc : net().transition(t).inputs) {
      if (tokens(state, arc.place) < arc.weight &&
          (!best || givers_[arc.place].size() < givers_[*best].size())) {
        best = arc.place;
      }
    }
    return best;
  }

  /// Adds transitions one of which is fired on every way to a marking where the part has the value
  /// wanted, which it has not in `state`.
  void interesting(std::uint32_t part, bool wanted, base::StateView state) {
    const NetPredicate::Part& it = goal_.parts[part];
    switch (it.op) {
      case Op::Atom:
        add_all((wanted ? lowering_ : raising_)[part]);
        return;
      case Op::And:
      case Op::Or:
        if ((it.op == Op::And) == wanted) {  // one that has not, whichever
          for (const std::uint32_t operand : it.operands) {
            if (evaluate(goal_, operand, state) != wanted) {
              return interesting(operand, wanted, state);
            }
          }
        }
        for (const std::uint32_t operand : it.operands) {
          if (evaluate(goal_, operand, state) != wanted) {
            interesting(operand, wanted, state);
          }
        }
        return;
      case Op::Dead:
      case Op::Alive:
        // One that is enabled, and all that could disable it.
        for (const TransitionId t : net().transitions()) {
          if (is_enabled(state, t)) {
            add_all({t});
            return add_takers(t);
          }
        }
        return;
      default:
        return;
    }
  }

  NetPredicate goal_;
  bool wanted_;
  base::IdVector<PlaceId, std::vector<TransitionId>> takers_;
  base::IdVector<PlaceId, std::vector<TransitionId>> givers_;
  std::vector<std::vector<TransitionId>> lowering_;  // by part of the goal: make the sum smaller
  std::vector<std::vector<TransitionId>> raising_;
  base::IdVector<TransitionId, char> is_chosen_;
  std::vector<TransitionId> chosen_;
};

}  // namespace

std::shared_ptr<NetStates> stubborn_states(const PetriNet& net, const NetFormulas& formulas,
                                           NetNodeId root) {
  const NetFormulas::Node& node = formulas[root];
  const bool is_ef = node.op == Op::EU && formulas[node.operands[0]].op == Op::True;
  const bool is_ag = node.op == Op::AW && formulas[node.operands[1]].op == Op::False;
  if (!is_ef && !is_ag) {
    return nullptr;
  }
  const NetNodeId goal = node.operands[is_ef ? 1 : 0];
  if (formulas[goal].is_temporal) {
    return nullptr;
  }
  return std::make_shared<StubbornStates>(net, make_predicate(formulas, goal), is_ef);
}

}  // namespace nestor::net
