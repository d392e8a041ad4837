// Direct simulation and its quotient, after
//   [SB00] F. Somenzi, R. Bloem: Efficient Büchi automata from LTL formulae. CAV 2000, section 4.
//   [EH00] K. Etessami, G. Holzmann: Optimizing Büchi automata. CONCUR 2000, section 4.
//
// Deviation: acceptance is on transitions, and a state that simulates another one also ends words
// where that does.

#include "automata/reduction.h"

#include "base/bit_set.h"

#include <algorithm>
#include <vector>

namespace nestor::automata {

namespace {

/// The simulation takes time and memory quadratic in the states.
constexpr std::size_t kMostSimulated = 1000;
constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Strongly connected components, numbered so that transitions lead to lower numbers.
class Components {
 public:
  explicit Components(const Automaton& automaton)
      : automaton_(automaton), of_(automaton.states.size(), kNone), low_(of_), index_(of_) {
    for (std::uint32_t s = 0; s < of_.size(); ++s) {
      if (index_[s] == kNone) {
        visit(s);
      }
    }
  }
  std::uint32_t of(std::uint32_t state) const { return of_[state]; }
  std::uint32_t count() const { return count_; }

 private:
  struct Open {
    std::uint32_t state;
    std::size_t next;
  };

  void begin(std::uint32_t state) {
    index_[state] = low_[state] = visited_++;
    stack_.push_back(state);
    open_.push_back({state, 0});
  }

  void visit(std::uint32_t root) {
    begin(root);
    while (!open_.empty()) {
      const std::uint32_t s = open_.back().state;
      const std::vector<Transition>& transitions = automaton_.states[s].transitions;
      if (open_.back().next < transitions.size()) {
        const std::uint32_t t = transitions[open_.back().next++].target;
        if (index_[t] == kNone) {
          begin(t);
        } else if (of_[t] == kNone) {
          low_[s] = std::min(low_[s], index_[t]);
        }
        continue;
      }
      if (low_[s] == index_[s]) {
        std::uint32_t member = kNone;
        do {
          member = stack_.back();
          stack_.pop_back();
          of_[member] = count_;
        } while (member != s);
        ++count_;
      }
      open_.pop_back();
      if (!open_.empty()) {
        low_[open_.back().state] = std::min(low_[open_.back().state], low_[s]);
      }
    }
  }

  const Automaton& automaton_;
  std::vector<std::uint32_t> of_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> stack_;
  std::vector<Open> open_;
  std::uint32_t visited_ = 0;
  std::uint32_t count_ = 0;
};

/// Keeps the states that can be reached, renumbered.
void drop_unreachable(Automaton& automaton) {
  std::vector<std::uint32_t> number(automaton.states.size(), kNone);
  std::vector<std::uint32_t> order{Automaton::kInitial};
  number[Automaton::kInitial] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Transition& t : automaton.states[order[i]].transitions) {
      if (number[t.target] == kNone) {
        number[t.target] = static_cast<std::uint32_t>(order.size());
        order.push_back(t.target);
      }
    }
  }
  std::vector<AutomatonState> states;
  for (const std::uint32_t s : order) {
    states.push_back(std::move(automaton.states[s]));
    for (Transition& t : states.back().transitions) {
      t.target = number[t.target];
    }
  }
  automaton.states = std::move(states);
}

/// Drops transitions to states that accept nothing, and marks where they cannot count: between
/// components, and in those that lack some set.
void trim(Automaton& automaton) {
  const Components components(automaton);
  std::vector<std::uint32_t> marks(components.count(), 0);
  std::vector<bool> has_cycle(components.count(), false);
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    for (const Transition& t : automaton.states[s].transitions) {
      if (components.of(s) == components.of(t.target)) {
        marks[components.of(s)] |= t.marks;
        has_cycle[components.of(s)] = true;
      }
    }
  }
  std::vector<bool> accepts(components.count(), false);
  std::vector<std::vector<std::uint32_t>> members(components.count());
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    members[components.of(s)].push_back(s);
  }
  const auto is_accepting = [&](std::uint32_t c) {
    return has_cycle[c] && marks[c] == automaton.all_marks();
  };
  for (std::uint32_t c = 0; c < components.count(); ++c) {
    accepts[c] = is_accepting(c);
    for (const std::uint32_t s : members[c]) {
      accepts[c] = accepts[c] || !automaton.states[s].endings.empty();
      for (const Transition& t : automaton.states[s].transitions) {
        accepts[c] = accepts[c] || accepts[components.of(t.target)];
      }
    }
  }
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    std::vector<Transition>& transitions = automaton.states[s].transitions;
    std::erase_if(transitions,
                  [&](const Transition& t) { return !accepts[components.of(t.target)]; });
    for (Transition& t : transitions) {
      if (components.of(s) != components.of(t.target) || !is_accepting(components.of(s))) {
        t.marks = 0;
      }
    }
  }
  drop_unreachable(automaton);
}

/// Which states simulate which: `by[s]` are those that do all that `s` does.
class Simulation {
 public:
  Simulation(const Automaton& automaton, base::LimitGuard& guard) : automaton_(automaton) {
    base::BitSet all(automaton.states.size());
    all.set_all();
    by_.assign(automaton.states.size(), all);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t s = 0; s < by_.size(); ++s) {
        guard.tick(by_.size());
        for (std::uint32_t other = 0; other < by_.size(); ++other) {
          if (by_[s].test(other) && !matches(s, other)) {
            by_[s].reset(other);
            changed = true;
          }
        }
      }
    }
  }

  bool simulates(std::uint32_t other, std::uint32_t s) const { return by_[s].test(other); }
  bool covers(const Transition& other, const Transition& t) const {
    return other.cube.includes(t.cube) && (t.marks & ~other.marks) == 0 &&
           simulates(other.target, t.target);
  }

 private:
  bool matches(std::uint32_t s, std::uint32_t other) const {
    const AutomatonState& a = automaton_.states[s];
    const AutomatonState& b = automaton_.states[other];
    return std::ranges::all_of(a.endings,
                               [&](const Cube& cube) {
                                 return std::ranges::any_of(
                                     b.endings, [&](const Cube& c) { return c.includes(cube); });
                               }) &&
           std::ranges::all_of(a.transitions, [&](const Transition& t) {
             return std::ranges::any_of(b.transitions,
                                        [&](const Transition& u) { return covers(u, t); });
           });
  }

  const Automaton& automaton_;
  std::vector<base::BitSet> by_;
};

/// States that simulate each other become the first of them.
void merge(Automaton& automaton, const Simulation& simulation) {
  std::vector<std::uint32_t> first(automaton.states.size());
  for (std::uint32_t s = 0; s < first.size(); ++s) {
    first[s] = s;
    for (std::uint32_t other = 0; other < s; ++other) {
      if (simulation.simulates(other, s) && simulation.simulates(s, other)) {
        first[s] = other;
        break;
      }
    }
  }
  for (AutomatonState& state : automaton.states) {
    for (Transition& t : state.transitions) {
      t.target = first[t.target];
    }
  }
}

void drop_superfluous(Automaton& automaton, const Simulation& simulation) {
  for (AutomatonState& state : automaton.states) {
    std::ranges::sort(state.transitions);
    state.transitions.erase(std::unique(state.transitions.begin(), state.transitions.end()),
                            state.transitions.end());
    std::vector<bool> dropped(state.transitions.size(), false);
    for (std::size_t i = 0; i < state.transitions.size(); ++i) {
      for (std::size_t j = 0; j < state.transitions.size() && !dropped[i]; ++j) {
        dropped[i] =
            i != j && !dropped[j] && simulation.covers(state.transitions[j], state.transitions[i]);
      }
    }
    std::vector<Transition> kept;
    for (std::size_t i = 0; i < state.transitions.size(); ++i) {
      if (!dropped[i]) {
        kept.push_back(state.transitions[i]);
      }
    }
    state.transitions = std::move(kept);
    std::ranges::sort(state.endings);
    state.endings.erase(std::unique(state.endings.begin(), state.endings.end()),
                        state.endings.end());
    const std::vector<Cube> all = state.endings;
    std::erase_if(state.endings, [&](const Cube& cube) {
      return std::ranges::any_of(
          all, [&](const Cube& other) { return other != cube && other.includes(cube); });
    });
  }
}

}  // namespace

void reduce(Automaton& automaton, base::LimitGuard& guard) {
  for (;;) {
    const std::size_t before = automaton.states.size() + automaton.transition_count();
    trim(automaton);
    if (automaton.states.size() > kMostSimulated) {
      return;
    }
    merge(automaton, Simulation(automaton, guard));
    drop_unreachable(automaton);
    drop_superfluous(automaton, Simulation(automaton, guard));
    drop_unreachable(automaton);
    if (automaton.states.size() + automaton.transition_count() >= before) {
      return;
    }
  }
}

}  // namespace nestor::automata
