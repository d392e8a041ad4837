// What the atoms of formulas mean in a net.

#include "net/net_states.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::net {

namespace {

// Wide enough for sums of numbers of 30 bits times tokens of 32 bits.
__extension__ using Wide = __int128;

}  // namespace

model::SuccessorFunction::Proposition NetStates::find_proposition(std::string_view atom) {
  Proposition found;
  if (const auto known = known_atoms_.find(atom); known != known_atoms_.end()) {
    found.number = known->second;
    return found;
  }
  Meaning meaning;
  if (atom != "deadlock") {
    const NetAtomScan scan = scan_net_atom(atom);
    if (scan.length == 0 && scan.problem.empty()) {
      found.problem = fmt::format(
          "'{}' is no atom of a net; expected 'tokens(…)' in a comparison, 'fireable(…)' or "
          "'deadlock'",
          atom);
      found.at = atom;
      return found;
    }
    if (!scan.problem.empty() || scan.length != atom.size()) {
      found.problem = fmt::format("'{}' cannot be read: {}", atom,
                                  scan.problem.empty() ? "something follows" : scan.problem);
      found.at = atom;
      return found;
    }
    found = understand(scan.atom, meaning);
    if (!found.problem.empty()) {
      return found;
    }
  }
  found.number = static_cast<std::uint32_t>(meanings_.size());
  meanings_.push_back(std::move(meaning));
  known_atoms_.emplace(atom, *found.number);  // the last: until then the atom is not known
  return found;
}

model::SuccessorFunction::Proposition NetStates::understand(const NetAtom& atom,
                                                            Meaning& meaning) const {
  Proposition problem;
  if (!atom.transitions.empty()) {
    meaning.kind = Meaning::Kind::Fireable;
    for (const std::string& name : atom.transitions) {
      const auto found = transition_names_.find(name);
      if (found == transition_names_.end()) {
        return {{}, fmt::format("the net has no transition '{}'", name), name};
      }
      meaning.transitions.insert(meaning.transitions.end(), found->second.begin(),
                                 found->second.end());
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
        const std::optional<std::vector<PlaceId>> places = find_places_(name);
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
  }
  return false;
}

bool NetStates::is_dead(base::StateView state) const {
  for (const TransitionId t : net_.transitions()) {
    if (is_enabled(state, t)) {
      return false;
    }
  }
  return true;
}

bool NetStates::compare(const Meaning& meaning, base::StateView state) const {
  Wide sum = meaning.constant;
  for (const Term& term : meaning.terms) {
    sum += static_cast<Wide>(term.factor) * tokens(state, term.place);
  }
  switch (meaning.comparison) {
    case NetAtom::Comparison::Less:
      return sum < 0;
    case NetAtom::Comparison::LessEqual:
      return sum <= 0;
    case NetAtom::Comparison::Equal:
      return sum == 0;
    case NetAtom::Comparison::NotEqual:
      return sum != 0;
    case NetAtom::Comparison::GreaterEqual:
      return sum >= 0;
    case NetAtom::Comparison::Greater:
      return sum > 0;
  }
  return false;
}

std::vector<std::string> NetStates::propositions() const {
  std::vector<std::string> atoms = {"deadlock"};
  for (const PlaceId p : net_.places()) {
    NetAtom atom;
    atom.left = {{1, {net_.place(p).name}}};
    atom.right = {{1, {}}};
    atom.comparison = NetAtom::Comparison::GreaterEqual;
    atoms.push_back(to_text(atom));
  }
  return atoms;
}

}  // namespace nestor::net
