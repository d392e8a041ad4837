// CTL on recursive Kripke structures by a knowledge base over call contexts, after
//   [Thesis] the thesis on recursive Kripke structures (docs/engines.md), chapter 3, with the
//            optimisations of section 5.4.
//
//   thesis                              here
//   label (algorithm 3.7)               Labelling::run: subformulas bottom-up, no recursion
//   labelOneFormula (3.1)               label_one_formula
//   collectContexts (3.2)               collect_contexts: a queue instead of recursion
//   computeLabels (3.3)                 compute_labels
//   labelByFixpoint (3.4)               local_checks.h: only pairs whose callees changed
//   deduceLabels (3.5)                  local_check.h
//   decideRemainingMaybes (3.6)         local_checks.h
//   icc, cc, κ                          knowledge_base.h
//
// Deviations. Entering and leaving a call costs no step here, so a call node has the value of the
// callee's entry, and is a state of its own in κ: the successor of a call may be a call. Where the
// thesis has one successor location of a call, contexts speak of any successor. The initial exit
// loops on itself; a virtual termination location, if there is one, is part of the model. The bit
// of EX ψ follows from ψ, so only EG and EU are checked under both values of their bit.

#include "engine/rks/rks.h"

#include "base/error.h"
#include "engine/rks/knowledge_base.h"
#include "engine/rks/local_checks.h"
#include "logic/normal_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <deque>

namespace nestor::engine::rks {

std::string not_for_rks(const Task& task) {
  for (const model::ComponentId c : task.model.components()) {
    if (task.model.exits(c).size() > 1) {
      return "the rks engines handle only models with at most one exit in each component";
    }
  }
  return {};
}

namespace {

// A context has a bit for each temporal operator, and every subformula a list of those in it.
constexpr std::size_t kMostTemporal = 10'000;

void refuse_too_many_operators(const logic::FormulaPool& pool, logic::FormulaId formula) {
  const auto temporal = static_cast<std::size_t>(
      std::ranges::count_if(logic::subformulas(pool, formula),
                            [&](logic::FormulaId g) { return logic::is_existential(pool[g].op); }));
  if (temporal > kMostTemporal) {
    throw base::LimitReached{fmt::format(
        "the formula has {} temporal operators, rks handles at most {}", temporal, kMostTemporal)};
  }
}

class ContextLabelling {
 public:
  ContextLabelling(const model::Rsm& model, const logic::FormulaPool& pool,
                   logic::FormulaId formula, base::LimitGuard& guard)
      : model_(model), pool_(pool), formula_(formula), kappa_(model, pool, formula, guard) {}

  Verdict run() {
    roots_.assign(formula_.value() + 1, kNoPair);
    for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {  // algorithm 3.7
      label_one_formula(f);
    }
    const ContextPair& root = kappa_[roots_[formula_.value()]];
    for (const model::NodeId n : model_.initial_nodes()) {
      NESTOR_CHECK(root.values[kappa_.place(n)] != Ternary::Maybe);
      if (root.values[kappa_.place(n)] != Ternary::True) {
        return Verdict::Fails;
      }
    }
    return Verdict::Holds;
  }

  std::uint64_t contexts() const { return kappa_.temporal_pairs(); }
  /// The local checks are told there.
  void tell(explain::CheckOrder& order) { order_ = &order; }

 private:
  void label_one_formula(logic::FormulaId f) {
    collect_contexts(f);
    compute_labels(f);
  }

  /// icc: the initial context below the top of `f`.
  Context initial_context(logic::FormulaId f) {
    Context context;
    for (const logic::FormulaId g : kappa_.temporal(f)) {
      if (g == f && kappa_.has_top(f)) {
        break;
      }
      const bool is_ex = pool_[g].op == logic::Op::EX;
      const Ternary bit = kappa_.initial_bit(g, is_ex ? roots_[pool_[g].left.value()] : kNoPair);
      context.push(bit == Ternary::True);
    }
    return context;
  }

  /// cc: the context of a call below the top of `f`. Everything below is known.
  Context call_context(std::uint32_t p, model::BoxId box) {
    const logic::FormulaId f = kappa_[p].formula;
    Context context;
    for (const logic::FormulaId g : kappa_.temporal(f)) {
      if (g == f && kappa_.has_top(f)) {
        break;
      }
      const logic::FormulaId of = pool_[g].op == logic::Op::EX ? pool_[g].left : g;
      const Ternary bit = kappa_.bit(g, kappa_.pair_below(p, of), box);
      NESTOR_CHECK(bit != Ternary::Maybe);
      context.push(bit == Ternary::True);
    }
    return context;
  }

  void collect_contexts(logic::FormulaId f) {
    xi_.clear();
    std::deque<std::uint32_t> open{kappa_.pair(f, model_.initial_component(), initial_context(f))};
    roots_[f.value()] =
        kappa_.has_top(f)
            ? kappa_.with_top(open.front(), kappa_.initial_bit(f, kNoPair) == Ternary::True)
            : open.front();
    xi_.push_back(open.front());
    seen_.resize(kappa_.size(), false);
    seen_[open.front()] = true;
    while (!open.empty()) {
      const std::uint32_t p = open.front();
      open.pop_front();
      const model::ComponentId component = kappa_[p].component;
      for (const model::BoxId box : model_.component(component).boxes()) {
        kappa_.guard().tick();
        // Both values of the top have the same context below it (line 1).
        const std::uint32_t callee = kappa_.pair(f, model_.box(box).callee, call_context(p, box));
        const std::size_t place = box - model_.component(component).first_box;
        for (const std::uint32_t twin : twins(p)) {
          kappa_[twin].callees[place] = callee;
        }
        seen_.resize(kappa_.size(), false);
        if (!seen_[callee]) {
          seen_[callee] = true;
          xi_.push_back(callee);
          open.push_back(callee);
        }
      }
    }
  }

  /// The pair and, of EG and EU, the one with the other η.
  std::vector<std::uint32_t> twins(std::uint32_t p) const {
    return kappa_.has_top(kappa_[p].formula) ? std::vector{p, kappa_[p].twin} : std::vector{p};
  }

  void compute_labels(logic::FormulaId f) {
    const logic::Formula& formula = pool_[f];
    switch (formula.op) {
      case logic::Op::Not:
        for (const std::uint32_t p : xi_) {
          const ContextPair& psi = kappa_[kappa_.pair_below(p, formula.left)];
          assert(psi.component == kappa_[p].component);
          for (std::size_t l = 0; l < psi.values.size(); ++l) {
            kappa_[p].values[l] = negation(psi.values[l]);
          }
        }
        break;
      case logic::Op::Or:
        for (const std::uint32_t p : xi_) {
          const ContextPair& psi = kappa_[kappa_.pair_below(p, formula.left)];
          const ContextPair& chi = kappa_[kappa_.pair_below(p, formula.right)];
          for (std::size_t l = 0; l < psi.values.size(); ++l) {
            kappa_[p].values[l] = disjunction(psi.values[l], chi.values[l]);
          }
        }
        break;
      case logic::Op::EX:
        label_ex();
        break;
      case logic::Op::EG:
      case logic::Op::EU:
        label_by_fixpoint(f);
        break;
      default:
        break;  // > and propositions are labelled when a pair is made
    }
  }

  void label_ex() {
    for (const std::uint32_t p : xi_) {
      kappa_.label_ex(p, kappa_.pair_below(p, pool_[kappa_[p].formula].left));
    }
    for (const std::uint32_t p : xi_) {
      for (const model::BoxId box : model_.component(kappa_[p].component).boxes()) {
        for (const model::NodeId call : model_.box(box).call_nodes()) {
          kappa_.guard().tick();
          kappa_[p].values[kappa_.place(call)] = kappa_.call_value(p, call);
        }
      }
    }
  }

  void label_by_fixpoint(logic::FormulaId f) {
    LocalChecks checks(model_, kappa_.guard());
    std::vector<std::uint32_t> all;
    for (const std::uint32_t p : xi_) {
      const std::uint32_t first = checks.add(kappa_.structure(p), kappa_.structure(kappa_[p].twin));
      kappa_[p].checks = first;
      all.insert(all.end(), {first, first + 1});
    }
    for (const std::uint32_t p : xi_) {
      for (const model::BoxId box : model_.component(kappa_[p].component).boxes()) {
        const std::size_t place = box - model_.component(kappa_[p].component).first_box;
        for (const std::uint32_t pair : {kappa_[p].checks, kappa_[p].checks + 1}) {
          checks.connect(pair, box, kappa_[kappa_[p].callees[place]].checks);
        }
      }
    }
    checks.label_by_fixpoint(all);
    if (order_ != nullptr) {
      tell_checks(f, checks);
    }
    for (const std::uint32_t pair : all) {
      checks.decide_remaining_maybes(pair, ternary(pool_[f].op == logic::Op::EG));
    }
  }

  void tell_checks(logic::FormulaId f, const LocalChecks& checks) {
    explain::CheckOrder::Part& part = order_->parts.emplace_back();
    part.formula = f;
    part.pairs = 2 * xi_.size();
    for (const LocalChecks::Check& check : checks.order()) {
      const ContextPair& pair = kappa_[kappa_.with_top(xi_[check.pair / 2], check.pair % 2 == 1)];
      part.checks.push_back({pair.component, pair.context.text(), check.round});
      part.rounds = std::max(part.rounds, check.round);
    }
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  logic::FormulaId formula_;
  KnowledgeBase kappa_;
  explain::CheckOrder* order_ = nullptr;  // null: nobody wants to know
  std::vector<std::uint32_t> roots_;      // by formula: the pair of the initial context
  std::vector<std::uint32_t> xi_;  // Ξ of the formula at hand; of EG and EU the pairs without η
  std::vector<bool> seen_;
};

class RksEngine final : public OneByOneEngine {
 public:
  std::string cannot_handle(const Task& task) const override { return not_for_rks(task); }
  std::optional<explain::CheckOrder> check_order(const model::Rsm& model, logic::FormulaPool& pool,
                                                 logic::FormulaId formula, Env& env) override {
    base::LimitGuard guard(env.limits);
    const logic::FormulaId normal = logic::existential_normal_form(pool, formula);
    refuse_too_many_operators(pool, normal);
    explain::CheckOrder order;
    ContextLabelling labelling(model, pool, normal, guard);
    labelling.tell(order);
    labelling.run();
    return order;
  }

 protected:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& /*env*/, base::LimitGuard& guard, Result& result) override {
    const logic::FormulaId normal = logic::existential_normal_form(pool, formula);
    refuse_too_many_operators(pool, normal);
    ContextLabelling labelling(model, pool, normal, guard);
    const Verdict verdict = labelling.run();
    result.contexts = labelling.contexts();
    return verdict;
  }
};

}  // namespace

std::unique_ptr<Engine> make_rks() {
  return std::make_unique<rks::RksEngine>();
}

}  // namespace nestor::engine::rks
