// What the atoms of formulas mean in a predicate/transition net.

#include "net/prod_states.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::net {

namespace {

constexpr std::size_t kMostListedTuples = 2000;  // more are told by place

// Wide enough for sums of numbers of 30 bits times tokens of 32 bits.
__extension__ using WideSum = __int128;

}  // namespace

class ProdStates::FirstMode final : public ProdBinder::Visitor {
 public:
  bool visit(const FiringMode&) override { return false; }
  void tick() override {}
};

bool ProdStates::can_fire(std::size_t transition, base::StateView state) const {
  marking_.open(now_.layout, state);
  FirstMode first;
  return !binder_.bind(transition, marking_, first);
}

model::SuccessorFunction::Proposition ProdStates::find_proposition(std::string_view atom) {
  Proposition found;
  if (const auto known = known_atoms_.find(atom); known != known_atoms_.end()) {
    found.number = known->second;
    return found;
  }
  Meaning meaning;
  if (atom != "deadlock") {
    const NetAtomScan scan = scan_net_atom(atom);
    found.problem = problem_of_scan(scan, atom);
    found.at = atom;
    if (found.problem.empty()) {
      found = understand(scan.atom, meaning);
    }
    if (!found.problem.empty()) {
      return found;
    }
  }
  found.number = static_cast<std::uint32_t>(meanings_.size());
  meanings_.push_back(std::move(meaning));
  known_atoms_.emplace(atom, *found.number);  // the last: until then the atom is not known
  return found;
}

model::SuccessorFunction::Proposition ProdStates::understand(const NetAtom& atom,
                                                             Meaning& meaning) {
  if (!atom.transitions.empty()) {
    meaning.kind = Meaning::Kind::Fireable;
    for (const std::string& name : atom.transitions) {
      const std::optional<std::size_t> found = model_->names().find_transition(name);
      if (!found) {
        return {{}, fmt::format("the net has no transition '{}'", name), name};
      }
      meaning.transitions.push_back(*found);
    }
    return {};
  }
  meaning.kind = Meaning::Kind::Comparison;
  meaning.comparison = atom.comparison;
  for (const bool left : {true, false}) {
    for (const NetAtom::Term& term : left ? atom.left : atom.right) {
      const std::int64_t factor = left ? term.factor : -term.factor;
      meaning.constant += term.places.empty() ? factor : 0;
      for (const std::string& name : term.places) {
        const std::optional<ProdNames::Named> place = model_->names().find_place(name);
        if (!place) {
          return {{}, fmt::format("the net has no place '{}'", name), name};
        }
        if (!place->tuple) {
          meaning.terms.push_back({factor, place->place});
        } else if (place->tuple->size() == model_->net().places[place->place].width) {
          meaning.terms.push_back(
              {factor, place->place, tuples_[place->place].intern(*place->tuple)});
        }
      }
    }
  }
  return {};
}

bool ProdStates::holds(std::uint32_t proposition, base::StateView state) const {
  const Meaning& meaning = meanings_[proposition];
  const auto fires = [&](std::size_t transition) { return can_fire(transition, state); };
  switch (meaning.kind) {
    case Meaning::Kind::Fireable:
      return std::ranges::any_of(meaning.transitions, fires);
    case Meaning::Kind::Deadlock:
      for (std::size_t t = 0; t < model_->transitions().size(); ++t) {
        if (fires(t)) {
          return false;
        }
      }
      return true;
    case Meaning::Kind::Comparison:
      break;
  }
  WideSum sum = meaning.constant;
  for (const Term& term : meaning.terms) {
    sum += static_cast<WideSum>(term.factor) *
           (term.tuple == TupleTable::kAbsent ? now_.layout.total(state, term.place)
                                              : now_.layout.count(state, term.place, term.tuple));
  }
  return compares(meaning.comparison, sum < 0 ? -1 : sum > 0 ? 1 : 0);
}

std::vector<ProdNet::Tuple> ProdStates::seen_in(std::size_t place) const {
  std::vector<ProdNet::Tuple> seen;
  for (std::uint32_t i = 0; i < tuples_[place].size(); ++i) {
    seen.emplace_back(tuples_[place][i].begin(), tuples_[place][i].end());
  }
  std::ranges::sort(seen);
  return seen;
}

std::vector<std::string> ProdStates::propositions() const {
  std::size_t tuples = 0;
  for (const TupleTable& table : tuples_) {
    tuples += table.size();
  }
  std::vector<std::string> atoms = {"deadlock"};
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    if (tuples > kMostListedTuples) {
      atoms.push_back(at_least_atom(model_->net().places[p].name, 1));
      continue;
    }
    for (const ProdNet::Tuple& tuple : seen_in(p)) {
      atoms.push_back(at_least_atom(model_->names().text(p, tuple), 1));
    }
  }
  return atoms;
}

std::vector<std::string> ProdStates::all_propositions() const {
  std::vector<std::string> atoms = {"deadlock"};
  for (std::size_t p = 0; p < tuples_.size(); ++p) {
    for (const ProdNet::Tuple& tuple : seen_in(p)) {
      for (std::uint32_t count = 1; count <= std::min(rooms_[p].most, kMostCounted); ++count) {
        atoms.push_back(at_least_atom(model_->names().text(p, tuple), count));
      }
    }
  }
  for (const ProdNet::Transition& transition : model_->net().transitions) {
    atoms.push_back(fireable_atom(transition.name));
  }
  return atoms;
}

}  // namespace nestor::net
