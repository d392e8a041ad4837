// The eager strategy, after
//   [DWF24] C. Dubslaff, P. Wienhöft, A. Fehnker: Lazy model checking for recursive state machines.
//           Software and Systems Modeling, 2024.  Section 5.4, Algorithm 4 (EAGERCHECK), Lemma 6.
//
//   paper           here                              remark
//   A, γ, ∂         machine
//   φ ∈ [Subf(Φ)]   f                                 operands first
//   CONTEXTUALIZE   machine.contextualize()           called only for boxes whose context differs
//   REFINETERNARY   refine.start(), refine.run()
//
// Deviations.
// - Lines 3 to 7 end when ∂ did not change. Lemma 6 needs both fixpoints, so here they end when in
//   addition no box has a context that differs from its callee's.
// - Line 4 asks whether Φ is existential; φ is meant. A φ that is not makes no box
// contextualisable.
// - Line 14 sets γ to tt for EU; ff is meant, as in line 13 and Lemma 6.
#include "engine/strategies/context_machine.h"
#include "engine/strategies/read_labelling.h"
#include "engine/strategies/refine_ternary.h"
#include "engine/strategies/strategies.h"
#include "logic/normal_form.h"

namespace nestor::engine::strategies {

namespace {

class EagerEngine final : public OneByOneEngine {
 public:
  std::optional<explain::Labelling> label(const model::Rsm& model, logic::FormulaPool& pool,
                                          logic::FormulaId formula, Env& env) override {
    base::LimitGuard guard(env.limits);
    std::uint64_t contexts = 0;
    const SubformulaTable table(pool, logic::existential_normal_form(pool, formula));
    ContextMachine machine(model, table, guard, contexts);
    evaluate(machine, table);
    return read_labelling(machine, guard);
  }

 protected:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env&, base::LimitGuard& guard, Result& result) override {
    const SubformulaTable table(pool, logic::existential_normal_form(pool, formula));
    ContextMachine machine(model, table, guard, result.contexts);  // line 1
    evaluate(machine, table);
    for (const model::NodeId n : model.initial_nodes()) {  // lines 15, 16
      if (machine.value({machine.root(), n}, table.root()) == Ternary::False) {
        return Verdict::Fails;
      }
    }
    return Verdict::Holds;
  }

 private:
  static void evaluate(ContextMachine& machine, const SubformulaTable& table) {
    RefineTernary refine(machine);
    for (const SubId f : table.ids()) {  // line 2
      refine.start(f);                   // line 6
      contextualize_exhaustively(machine, refine);
      if (table[f].existential.valid() && machine.resolve_everywhere(f)) {  // lines 8 to 14
        refine.run();  // nothing but f has been started that could change: empties the agenda
      }
    }
  }

  static void contextualize_exhaustively(ContextMachine& machine, RefineTernary& refine) {
    while (true) {  // lines 3 to 7
      const std::vector<CallSite> boxes = machine.take_contextualisable();
      if (boxes.empty()) {
        return;
      }
      for (const CallSite& b : boxes) {  // line 5
        if (machine.alive(b.instance)) {
          machine.contextualize(b);
        }
      }
      refine.run();  // line 6
    }
  }
};

}  // namespace

std::unique_ptr<Engine> make_eager() {
  return std::make_unique<EagerEngine>();
}

}  // namespace nestor::engine::strategies
