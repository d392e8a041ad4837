// The lazy strategies, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Section 6, Algorithm 5 (LAZYCHECK, LAZYCHECK').
//
//   paper           here                     remark
//   A, γ, ∂         machine
//   H(A, Φ, γ, ∂)   Expansion::next()        ternary: all contextualisable boxes (section 7.4);
//                                            random: one of them (section 7.4.1);
//                                            lazy: GETNEXTEXPANSION (find_reason.h);
//                                            lazy-plain: the same as printed
//                                            (find_reason_plain.h)
//   lines 6 to 14   Expansion::resolve()
//
// Deviations.
// - Line 19 is also asked before the first round: one initial node where Φ is false is enough.
// - Lines 7 to 14 resolve every formula whose strict subformulas are determined. Here only the
//   smallest one is resolved, then ∂ is refined, since its value may make more contexts possible
//   and Lemma 6 speaks of fixpoints. With H = C its strict subformulas are determined in all
//   reachable instances, because no smaller existential formula has an unknown value.
// - For `lazy`, resolve_cycle.cpp says what is resolved instead of D and why that is right.
#include "base/error.h"
#include "engine/strategies/context_machine.h"
#include "engine/strategies/find_reason.h"
#include "engine/strategies/find_reason_plain.h"
#include "engine/strategies/refine_ternary.h"
#include "engine/strategies/strategies.h"
#include "logic/normal_form.h"

#include <cassert>
#include <random>
#include <vector>

namespace nestor::engine::strategies {

namespace {

/// An expansion heuristic H with the resolution of global dependency cycles that goes with it.
class Expansion {
 public:
  virtual ~Expansion() = default;
  /// The boxes to contextualise next; if there are none, resolve() is called.
  virtual std::vector<CallSite> next() = 0;
  virtual void resolve() = 0;
};

/// Complete heuristics: no box only if no box is contextualisable.
class CompleteExpansion : public Expansion {
 public:
  explicit CompleteExpansion(ContextMachine& machine) : machine_(machine) {}

  void resolve() override {
    // Once resolved, a formula stays known: new instances copy the values of old ones.
    const std::vector<SubId>& existential = machine_.table().existential();
    while (next_to_resolve_ < existential.size()) {
      if (machine_.resolve_everywhere(existential[next_to_resolve_++])) {
        return;
      }
    }
    NESTOR_CHECK(false);  // all is known, but not the formula at an initial node
  }

 protected:
  ContextMachine& machine_;

 private:
  std::size_t next_to_resolve_ = 0;
};

class TernaryExpansion final : public CompleteExpansion {
 public:
  using CompleteExpansion::CompleteExpansion;
  std::vector<CallSite> next() override { return machine_.take_contextualisable(); }
};

class RandomExpansion final : public CompleteExpansion {
 public:
  RandomExpansion(ContextMachine& machine, std::uint64_t seed)
      : CompleteExpansion(machine), random_(seed) {}
  std::vector<CallSite> next() override {
    const std::optional<CallSite> b = machine_.take_random_contextualisable(random_);
    return b.has_value() ? std::vector<CallSite>{*b} : std::vector<CallSite>{};
  }

 private:
  std::mt19937_64 random_;
};

/// Resolution makes contexts richer that are looked for later, as poor as they were. So the search
/// may follow a recursion downwards, resolving and contextualising level by level, without end.
/// When it has made a context several times, the complete heuristic takes over, which resolves a
/// formula everywhere, once: then there are finitely many contexts before each resolution, and
/// finitely many resolutions. It also takes formulas that are too large for the search, whose
/// questions grow with the square of their number. Both are told in the statistics; whoever does
/// not want them (Env::may_switch) may have to end the check by limits.
class TopDownExpansion final : public Expansion {
 public:
  TopDownExpansion(ContextMachine& machine, const Env& env)
      : machine_(machine),
        env_(env),
        find_reason_(machine, env.choice, env.seed),
        complete_(machine),
        is_complete_(env.may_switch && machine.table().existential().size() > kMostQuestions) {
    if (is_complete_) {
      tell("engine.lazy.ternary_for_size");
    }
  }
  std::vector<CallSite> next() override {
    if (env_.may_switch && !is_complete_ && machine_.most_made() > kMostOften) {
      is_complete_ = true;
      tell("engine.lazy.ternary_for_recursion");
      machine_.list_all_contextualisable();
    }
    return is_complete_ ? complete_.next() : find_reason_.get_next_expansion();
  }
  void resolve() override {
    if (is_complete_) {
      complete_.resolve();
    } else {
      find_reason_.resolve_cycle();
    }
  }

 private:
  static constexpr std::uint32_t kMostOften = 4;
  static constexpr std::size_t kMostQuestions = 1000;

  void tell(const char* why) const {
    if (env_.statistics != nullptr) {
      env_.statistics->add(why, 1);
    }
  }

  ContextMachine& machine_;
  const Env& env_;
  FindReason find_reason_;
  TernaryExpansion complete_;
  bool is_complete_;
};

/// The search as printed; where it finds nothing, the complete heuristic.
class PlainExpansion final : public CompleteExpansion {
 public:
  explicit PlainExpansion(ContextMachine& machine)
      : CompleteExpansion(machine), find_reason_(machine) {}
  std::vector<CallSite> next() override {
    if (const std::optional<CallSite> b = find_reason_.get_next_expansion()) {
      return {*b};
    }
    machine_.list_all_contextualisable();
    return machine_.take_contextualisable();
  }

 private:
  PlainFindReason find_reason_;
};

/// Φ at the initial nodes: the least of its values there.
Ternary value_at_initial_nodes(const ContextMachine& machine) {
  Ternary least = Ternary::True;
  for (const model::NodeId n : machine.model().initial_nodes()) {
    least = std::min(least, machine.value({machine.root(), n}, machine.table().root()));
  }
  return least;
}

using MakeExpansion = std::unique_ptr<Expansion> (*)(ContextMachine& machine, const Env& env);

class LazyEngine final : public OneByOneEngine {
 public:
  explicit LazyEngine(MakeExpansion make_expansion) : make_expansion_(make_expansion) {}

 protected:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& env, base::LimitGuard& guard, Result& result) override {
    const SubformulaTable table(pool, logic::existential_normal_form(pool, formula));
    ContextMachine machine(model, table, guard, result.contexts);  // lines 1, 2
    RefineTernary refine(machine);
    const std::unique_ptr<Expansion> expansion = make_expansion_(machine, env);

    for (const SubId f : table.ids()) {  // line 3
      refine.start(f);
    }
    Ternary verdict = value_at_initial_nodes(machine);
    while (verdict == Ternary::Unknown) {                     // line 4
      const std::vector<CallSite> boxes = expansion->next();  // line 5
      if (boxes.empty()) {
        expansion->resolve();  // lines 6 to 14
      }
      for (const CallSite& b : boxes) {  // line 16
        if (machine.alive(b.instance)) {
          machine.contextualize(b);
        }
      }
      refine.run();  // lines 17, 18
      verdict = value_at_initial_nodes(machine);
    }
    assert(machine.alive(machine.root()));
    return verdict == Ternary::True ? Verdict::Holds : Verdict::Fails;  // lines 19, 20
  }

 private:
  MakeExpansion make_expansion_;
};

}  // namespace

std::unique_ptr<Engine> make_ternary() {
  return std::make_unique<LazyEngine>(
      [](ContextMachine& machine, const Env&) -> std::unique_ptr<Expansion> {
        return std::make_unique<TernaryExpansion>(machine);
      });
}

std::unique_ptr<Engine> make_random() {
  return std::make_unique<LazyEngine>(
      [](ContextMachine& machine, const Env& env) -> std::unique_ptr<Expansion> {
        return std::make_unique<RandomExpansion>(machine, env.seed);
      });
}

std::unique_ptr<Engine> make_lazy_plain() {
  return std::make_unique<LazyEngine>(
      [](ContextMachine& machine, const Env&) -> std::unique_ptr<Expansion> {
        return std::make_unique<PlainExpansion>(machine);
      });
}

std::unique_ptr<Engine> make_lazy() {
  return std::make_unique<LazyEngine>(
      [](ContextMachine& machine, const Env& env) -> std::unique_ptr<Expansion> {
        return std::make_unique<TopDownExpansion>(machine, env);
      });
}

}  // namespace nestor::engine::strategies
