// What the atoms of formulas mean in a net.

#include "net/net_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace nestor::net {

namespace {

// Wide enough for sums of numbers of 30 bits times tokens of 32 bits.
__extension__ using Wide = __int128;

}  // namespace

NetPredicate make_predicate(const NetFormulas& formulas, NetNodeId root) {
  NetPredicate predicate;
  std::map<NetNodeId, std::uint32_t> number;
  for (const NetNodeId f : formulas.below(root)) {
    NetPredicate::Part part{formulas[f].op, {}, {}};
    for (const NetNodeId g : formulas[f].operands) {
      part.operands.push_back(number.at(g));
    }
    if (part.op == NetFormulas::Op::Atom) {
      part.comparison = formulas.comparison(f);
    }
    number[f] = static_cast<std::uint32_t>(predicate.parts.size());
    predicate.parts.push_back(std::move(part));
  }
  return predicate;
}

model::SuccessorFunction::Proposition NetStates::find_proposition(std::string_view atom) {
  Proposition found;
  if (const auto known = known_atoms_.find(atom); known != known_atoms_.end()) {
    found.number = known->second;
    return found;
  }
  Meaning meaning;
  found = read_atom(atom, meaning);
  if (!found.problem.empty()) {
    return found;
  }
  found.number = static_cast<std::uint32_t>(meanings_.size());
  meanings_.push_back(std::move(meaning));
  known_atoms_.emplace(atom, *found.number);  // the last: until then the atom is not known
  return found;
}

model::SuccessorFunction::Proposition NetStates::read_atom(std::string_view atom,
                                                           Meaning& meaning) const {
  if (atom == "deadlock") {
    return {};
  }
  const NetAtomScan scan = scan_net_atom(atom);
  const std::string problem = problem_of_scan(scan, atom);
  return problem.empty() ? understand(scan.atom, meaning)
                         : Proposition{{}, problem, std::string(atom)};
}

std::optional<NetStates::Meaning> NetStates::meaning(std::string_view atom) const {
  Meaning meaning;
  return read_atom(atom, meaning).problem.empty() ? std::optional(std::move(meaning))
                                                  : std::nullopt;
}

void NetStates::name_predicate(const std::string& name, NetPredicate predicate) {
  Meaning meaning;
  meaning.kind = Meaning::Kind::Predicate;
  meaning.predicate = std::move(predicate);
  meanings_.push_back(std::move(meaning));
  known_atoms_.emplace(name, static_cast<std::uint32_t>(meanings_.size() - 1));
}

model::SuccessorFunction::Proposition NetStates::understand(const NetAtom& atom,
                                                            Meaning& meaning) const {
  Proposition problem;
  if (!atom.transitions.empty()) {
    meaning.kind = Meaning::Kind::Fireable;
    for (const std::string& name : atom.transitions) {
      const std::vector<TransitionId>* const found = find_transitions(name);
      if (found == nullptr) {
        return {{}, fmt::format("the net has no transition '{}'", name), name};
      }
      meaning.transitions.insert(meaning.transitions.end(), found->begin(), found->end());
    }
    return problem;
  }
  meaning.kind = Meaning::Kind::Comparison;
  meaning.comparison = atom.comparison;
  for (const bool left : {true, false}) {
    for (const NetAtom::Term& term : left ? atom.left : atom.right) {
      const std::int64_t factor = left ? term.factor : -term.factor;
      meaning.constant += term.places.empty() ? factor : 0;
      for (const std::string& name : term.places) {
        const std::optional<std::vector<PlaceId>> places = find_places(name);
        if (!places) {
          return {{}, fmt::format("the net has no place '{}'", name), name};
        }
        for (const PlaceId p : *places) {
          meaning.terms.push_back({factor, p});
        }
      }
    }
  }
  return problem;
}

bool NetStates::holds(std::uint32_t proposition, base::StateView state) const {
  const Meaning& meaning = meanings_[proposition];
  switch (meaning.kind) {
    case Meaning::Kind::Deadlock:
      return is_dead(state);
    case Meaning::Kind::Fireable:
      return std::ranges::any_of(meaning.transitions,
                                 [&](TransitionId t) { return is_enabled(state, t); });
    case Meaning::Kind::Comparison:
      return compare(meaning, state);
    case Meaning::Kind::Predicate:
      return evaluate(meaning.predicate,
                      static_cast<std::uint32_t>(meaning.predicate.parts.size() - 1), state);
  }
  return false;
}

/// Far from overflow: whoever makes predicates sees to that.
std::int64_t NetStates::sum(const AtMostZero& comparison, base::StateView state) const {
  std::int64_t sum = comparison.constant;
  for (const AtMostZero::Term& term : comparison.terms) {
    sum += term.factor * tokens(state, term.place);
  }
  return sum;
}

bool NetStates::evaluate(const NetPredicate& predicate, std::uint32_t part,
                         base::StateView state) const {
  const NetPredicate::Part& it = predicate.parts[part];
  const auto here = [&](std::uint32_t operand) { return evaluate(predicate, operand, state); };
  switch (it.op) {
    case NetFormulas::Op::Atom:
      return sum(it.comparison, state) <= 0;
    case NetFormulas::Op::Dead:
      return is_dead(state);
    case NetFormulas::Op::Alive:
      return !is_dead(state);
    case NetFormulas::Op::And:
      return std::ranges::all_of(it.operands, here);
    case NetFormulas::Op::Or:
      return std::ranges::any_of(it.operands, here);
    default:
      return it.op == NetFormulas::Op::True;
  }
}

std::uint32_t NetStates::distance(std::uint32_t proposition, bool wanted,
                                  base::StateView state) const {
  const Meaning& meaning = meanings_[proposition];
  if (meaning.kind != Meaning::Kind::Predicate) {
    return holds(proposition, state) == wanted ? 0 : 1;
  }
  return distance(meaning.predicate, static_cast<std::uint32_t>(meaning.predicate.parts.size() - 1),
                  wanted, state);
}

/// Tokens that are missing or too many: of one operand, or of all together.
std::uint32_t NetStates::distance(const NetPredicate& predicate, std::uint32_t part, bool wanted,
                                  base::StateView state) const {
  constexpr std::int64_t kFar = 1'000'000;
  const NetPredicate::Part& it = predicate.parts[part];
  switch (it.op) {
    case NetFormulas::Op::Atom: {
      const std::int64_t over = sum(it.comparison, state);
      return static_cast<std::uint32_t>(
          std::clamp(wanted ? over : 1 - over, std::int64_t{0}, kFar));
    }
    case NetFormulas::Op::And:
    case NetFormulas::Op::Or: {
      const bool all = (it.op == NetFormulas::Op::And) == wanted;
      std::uint32_t result = all ? 0 : static_cast<std::uint32_t>(kFar);
      for (const std::uint32_t operand : it.operands) {
        const std::uint32_t one = distance(predicate, operand, wanted, state);
        result =
            all ? std::min(result + one, static_cast<std::uint32_t>(kFar)) : std::min(result, one);
      }
      return result;
    }
    default:
      return evaluate(predicate, part, state) == wanted ? 0 : 1;
  }
}

bool NetStates::is_dead(base::StateView state) const {
  std::vector<std::uint32_t> whole(now_.whole.size());
  const base::StateView marking = whole.empty() ? state : write_marking(state, whole);
  if (now_.plan) {
    return without_inputs_.empty() && now_.plan->for_each_waiting(marking, [&](TransitionId t) {
      return !now_.plan->is_enabled(marking, t);
    });
  }
  const auto transitions = net_.transitions();
  return std::none_of(transitions.begin(), transitions.end(),
                      [&](TransitionId t) { return is_enabled(marking, t); });
}

bool NetStates::compare(const Meaning& meaning, base::StateView state) const {
  Wide sum = meaning.constant;
  for (const Term& term : meaning.terms) {
    sum += static_cast<Wide>(term.factor) * tokens(state, term.place);
  }
  return compares(meaning.comparison, sum < 0 ? -1 : sum > 0 ? 1 : 0);
}

std::vector<std::string> NetStates::propositions() const {
  std::vector<std::string> atoms = {"deadlock"};
  for (const PlaceId p : net_.places()) {
    atoms.push_back(at_least_atom(net_.place(p).name, 1));
  }
  return atoms;
}

std::vector<std::string> NetStates::all_propositions() const {
  std::vector<std::string> atoms = {"deadlock"};
  for (const PlaceId p : net_.places()) {
    for (std::uint32_t count = 1; count <= std::min(most_[p], kMostCounted); ++count) {
      atoms.push_back(at_least_atom(net_.place(p).name, count));
    }
  }
  std::set<std::string> names;
  for (const TransitionId t : net_.transitions()) {
    names.insert(step_name(t).transition);
  }
  for (const std::string& name : names) {
    atoms.push_back(fireable_atom(name));
  }
  return atoms;
}

}  // namespace nestor::net
