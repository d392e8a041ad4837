// CTL on recursive Kripke structures by splitting and merging structures, after
//   [Thesis] the thesis on recursive Kripke structures (docs/engines.md), appendix A, which renders
//   [FDR11]  the approach of Fehnker et al. that it cites as [44].
//
//   thesis                              here
//   RKS R, labelled with ψ              Structure: sub-structures, their call targets, their labels
//   label (algorithm A.4)               SplitMerge::run: subformulas bottom-up, no recursion
//   subcheck (A.1)                      Summary
//   guarantee ω(η, l)                   Summary::value(s, η, place of l)
//   assumption α(η, c)                  Summary::value(s, η, place of the call node)
//   ca                                  Summary::call_assumption
//   makeMaxCoherent, makeConsistent     check and hand_on of local_checks.h: only sub-structures
//                                       with a call of which more is known (section 5.4)
//   split (A.2), merge (A.3)            split, merge: queues instead of recursion
//
// Deviations: as in rks.cpp, calls cost no step, a call may follow a call and have several
// successors, and the initial exit loops on itself.

#include "base/debug_assert.h"
#include "engine/rks/local_checks.h"
#include "engine/rks/rks.h"
#include "engine/rks/ternary.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <utility>

namespace nestor::engine::rks {

namespace {

/// A copy of a component: whom its boxes call, and where the formula holds.
struct SubStructure {
  model::ComponentId component;
  std::vector<std::uint32_t> targets;  // by box
  std::vector<bool> labels;            // by place: plain nodes and call nodes
};

/// The first sub-structure is the initial one.
using Structure = std::vector<SubStructure>;

/// What R × Π × T has in common: the model and how nodes are counted.
struct Places {
  const model::Rsm& model;

  const model::Component& component(const SubStructure& s) const {
    return model.component(s.component);
  }
  std::size_t of(model::NodeId n) const {
    return n - model.component(model.component_of(n)).first_node;
  }
};

using Labels = std::vector<std::vector<bool>>;  // by sub-structure, by place

class Summary {
 public:
  Summary(const Places& places, const Structure& structure, logic::Op op, const Labels& psi,
          const Labels& chi, base::LimitGuard& guard)
      : places_(places),
        structure_(structure),
        op_(op),
        psi_(ternary_values(psi, guard)),
        guard_(guard) {
    for (const SubStructure& s : structure) {
      guard.reserve(2 * places.component(s).nodes().size() * sizeof(Ternary));
      const std::vector<Ternary> unknown(places.component(s).nodes().size(), Ternary::Maybe);
      values_.push_back({unknown, unknown});
    }
    if (op == logic::Op::EX) {
      look_ahead();
    } else {
      subcheck(ternary_values(chi, guard));
    }
    NESTOR_DEBUG_ASSERT(is_monotone());
  }

  Ternary value(std::size_t s, bool eta, std::size_t place) const {
    return values_[s][eta ? 1 : 0][place];
  }

  /// ca: whether the formula (of EX: its operand) holds after the call.
  Ternary call_assumption(std::size_t s, bool eta, model::BoxId box) const {
    return assumption_after(places_.model, op_,
                            op_ == logic::Op::EX ? psi_[s] : values_[s][eta ? 1 : 0], box);
  }

 private:
  using Values = std::vector<std::vector<Ternary>>;  // by sub-structure, by place

  static Values ternary_values(const Labels& labels, base::LimitGuard& guard) {
    Values all;
    for (const std::vector<bool>& of : labels) {
      guard.reserve(of.size() * sizeof(Ternary));
      std::vector<Ternary>& values = all.emplace_back(of.size());
      std::ranges::transform(of, values.begin(), [](bool label) { return ternary(label); });
    }
    return all;
  }

  /// Algorithm A.1.
  void subcheck(const Values& chi) {
    LocalChecks checks(places_.model, guard_);
    std::vector<std::uint32_t> all;
    for (std::size_t s = 0; s < structure_.size(); ++s) {
      const auto associated = [&](bool eta) {
        return AssociatedStructure{&places_.model,
                                   structure_[s].component,
                                   op_,
                                   psi_[s],
                                   chi.empty() ? std::span<const Ternary>() : chi[s],
                                   values_[s][eta ? 1 : 0],
                                   ternary(eta)};
      };
      const std::uint32_t first = checks.add(associated(false), associated(true));
      assert(first == 2 * s);
      all.insert(all.end(), {first, first + 1});
    }
    for (const std::uint32_t pair : all) {
      const SubStructure& s = structure_[pair / 2];
      for (const model::BoxId box : places_.component(s).boxes()) {
        checks.connect(pair, box, 2 * s.targets[box - places_.component(s).first_box]);
      }
    }
    checks.label_by_fixpoint(all);          // lines 2 to 6
    for (const std::uint32_t pair : all) {  // line 7
      checks.decide_remaining_maybes(pair, ternary(op_ == logic::Op::EG));
    }
  }

  /// What holds if the formula fails after the exit holds if it holds there.
  bool is_monotone() const {
    return std::ranges::all_of(values_, [](const std::array<std::vector<Ternary>, 2>& both) {
      return std::ranges::equal(both[0], both[1], [](Ternary without, Ternary with) {
        return without != Ternary::True || with == Ternary::True;
      });
    });
  }

  /// EX needs no fixpoint: what holds at a call is what holds at the callee's entry.
  void look_ahead() {
    for (std::size_t s = 0; s < structure_.size(); ++s) {
      for (const bool eta : {false, true}) {
        look_ahead(s, eta);
      }
    }
    for (std::size_t s = 0; s < structure_.size(); ++s) {
      const model::Component& component = places_.component(structure_[s]);
      for (const model::BoxId box : component.boxes()) {
        const std::uint32_t callee = structure_[s].targets[box - component.first_box];
        const bool after = call_assumption(s, false, box) == Ternary::True;
        for (const model::NodeId call : places_.model.box(box).call_nodes()) {
          guard_.tick();
          const Ternary at_entry = value(callee, after, places_.of(places_.model.origin(call)));
          values_[s][0][places_.of(call)] = at_entry;
          values_[s][1][places_.of(call)] = at_entry;
        }
      }
    }
  }

  void look_ahead(std::size_t s, bool eta) {
    const model::Component& component = places_.component(structure_[s]);
    std::vector<Ternary>& values = values_[s][eta ? 1 : 0];
    std::ranges::fill(values, Ternary::False);
    for (const model::NodeId n : component.plain_nodes()) {
      bool any = places_.model.is_exit(n) && eta;
      for (const model::NodeId next : places_.model.successors(n)) {
        guard_.tick();
        any = any || psi_[s][places_.of(next)] == Ternary::True;
      }
      guard_.tick();
      values[places_.of(n)] = ternary(any);
    }
  }

  const Places& places_;
  const Structure& structure_;
  logic::Op op_;
  Values psi_;
  base::LimitGuard& guard_;
  std::vector<std::array<std::vector<Ternary>, 2>> values_;  // by sub-structure, η, place
};

class SplitMerge {
 public:
  SplitMerge(const model::Rsm& model, const logic::FormulaPool& pool, logic::FormulaId formula,
             base::LimitGuard& guard)
      : model_(model), places_{model}, pool_(pool), formula_(formula), guard_(guard) {}

  Verdict run() {
    for (const logic::FormulaId f : logic::subformulas(pool_, formula_)) {
      labelled_[f] = label(f);
    }
    const SubStructure& root = labelled_.at(formula_).front();
    assert(root.component == model_.initial_component());
    return std::ranges::all_of(model_.initial_nodes(),
                               [&](model::NodeId n) { return root.labels[places_.of(n)]; })
               ? Verdict::Holds
               : Verdict::Fails;
  }

  std::uint64_t contexts() const { return contexts_; }

 private:
  Structure label(logic::FormulaId f) {  // algorithm A.4
    const logic::Formula& formula = pool_[f];
    switch (formula.op) {
      case logic::Op::True:
      case logic::Op::Atom:
        return unsplit(f);
      case logic::Op::Not: {
        Structure result = labelled_.at(formula.left);
        for (SubStructure& s : result) {
          s.labels.flip();
        }
        return result;
      }
      case logic::Op::Or: {
        Labels chi;
        Structure result = merge(labelled_.at(formula.left), labelled_.at(formula.right), chi);
        assert(result.size() == chi.size());
        for (std::size_t s = 0; s < result.size(); ++s) {
          for (std::size_t l = 0; l < chi[s].size(); ++l) {
            result[s].labels[l] = result[s].labels[l] || chi[s][l];
          }
        }
        return result;
      }
      case logic::Op::EU: {
        Labels chi;
        const Structure merged =
            merge(labelled_.at(formula.left), labelled_.at(formula.right), chi);
        return check(merged, logic::Op::EU, chi);
      }
      default:
        return check(labelled_.at(formula.left), formula.op, {});
    }
  }

  /// Every component once, with the labels of the file.
  Structure unsplit(logic::FormulaId f) const {
    Structure result;
    std::vector<model::ComponentId> order{model_.initial_component()};
    for (const model::ComponentId c : model_.components()) {
      if (c != order.front()) {
        order.push_back(c);
      }
    }
    base::IdVector<model::ComponentId, std::uint32_t> index(model_.component_count());
    for (std::size_t i = 0; i < order.size(); ++i) {
      index[order[i]] = static_cast<std::uint32_t>(i);
    }
    const model::PropId prop =
        pool_[f].op == logic::Op::Atom ? model_.find_prop(pool_.atom_name(f)) : model::PropId();
    for (const model::ComponentId c : order) {
      const model::Component& component = model_.component(c);
      SubStructure s{
          c, {}, std::vector<bool>(component.nodes().size(), pool_[f].op == logic::Op::True)};
      for (const model::BoxId box : component.boxes()) {
        s.targets.push_back(index[model_.box(box).callee]);
      }
      for (const model::NodeId n : component.nodes()) {
        if (prop.valid() && std::ranges::binary_search(model_.nodes_with(prop), model_.origin(n))) {
          s.labels[places_.of(n)] = true;
        }
      }
      result.push_back(std::move(s));
    }
    return result;
  }

  Structure check(const Structure& structure, logic::Op op, const Labels& chi) {
    Labels psi;
    for (const SubStructure& s : structure) {
      psi.push_back(s.labels);
    }
    const Summary summary(places_, structure, op, psi, chi, guard_);
    const std::span<const model::NodeId> exits = model_.exits(model_.initial_component());
    const bool initial =
        !exits.empty() &&
        (op == logic::Op::EG || (op == logic::Op::EX && psi[0][places_.of(exits.front())]));
    return split(structure, summary, initial);
  }

  Structure split(const Structure& structure, const Summary& summary, bool initial) {
    std::map<std::pair<std::uint32_t, bool>, std::uint32_t> visited;  // υ
    std::vector<std::pair<std::uint32_t, bool>> order;
    const auto visit = [&](std::uint32_t s, bool eta) {
      const auto [place, is_new] =
          visited.try_emplace({s, eta}, static_cast<std::uint32_t>(order.size()));
      if (is_new) {
        order.emplace_back(s, eta);
      }
      return place->second;
    };
    Structure result;
    visit(0, initial);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto [s, eta] = order[i];
      SubStructure copy{structure[s].component, {}, {}};
      const std::size_t size = structure[s].labels.size();
      guard_.tick(size);
      for (std::size_t l = 0; l < size; ++l) {  // lines 5 to 7
        NESTOR_DEBUG_ASSERT(summary.value(s, eta, l) != Ternary::Maybe);
        copy.labels.push_back(summary.value(s, eta, l) == Ternary::True);
      }
      const model::Component& component = places_.component(copy);
      for (const model::BoxId box : component.boxes()) {  // lines 8 to 12
        const Ternary assumed = summary.call_assumption(s, eta, box);
        assert(assumed != Ternary::Maybe);  // line 7 of A.1 decided the rest
        const bool context =
            !model_.exits(model_.box(box).callee).empty() && assumed == Ternary::True;
        copy.targets.push_back(visit(structure[s].targets[box - component.first_box], context));
      }
      assert(copy.targets.size() == structure[s].targets.size());
      result.push_back(std::move(copy));
    }
    assert(result.size() == visited.size() && result.size() <= 2 * structure.size());
    contexts_ += result.size();
    return result;
  }

  /// The labels of `a` stay in the result, those of `b` go to `labels_of_b`.
  Structure merge(const Structure& a, const Structure& b, Labels& labels_of_b) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> visited;  // υ
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
    const auto visit = [&](std::uint32_t s, std::uint32_t t) {
      const auto [place, is_new] =
          visited.try_emplace({s, t}, static_cast<std::uint32_t>(order.size()));
      if (is_new) {
        order.emplace_back(s, t);
      }
      return place->second;
    };
    Structure result;
    visit(0, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto [s, t] = order[i];
      // Both are splits of one structure, so the same boxes lead to the same components.
      assert(a[s].component == b[t].component && a[s].targets.size() == b[t].targets.size());
      SubStructure both{a[s].component, {}, a[s].labels};
      labels_of_b.push_back(b[t].labels);
      guard_.tick(both.labels.size());
      for (std::size_t box = 0; box < a[s].targets.size(); ++box) {
        both.targets.push_back(visit(a[s].targets[box], b[t].targets[box]));
      }
      result.push_back(std::move(both));
    }
    return result;
  }

  const model::Rsm& model_;
  Places places_;
  const logic::FormulaPool& pool_;
  logic::FormulaId formula_;
  base::LimitGuard& guard_;
  std::map<logic::FormulaId, Structure> labelled_;
  std::uint64_t contexts_ = 0;
};

class SplitEngine final : public OneByOneEngine {
 public:
  std::string cannot_handle(const Task& task) const override { return not_for_rks(task); }

 protected:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& /*env*/, base::LimitGuard& guard, Result& result) override {
    SplitMerge check(model, pool, logic::existential_normal_form(pool, formula), guard);
    const Verdict verdict = check.run();
    result.contexts = std::max<std::uint64_t>(1, check.contexts());
    return verdict;
  }
};

}  // namespace

std::unique_ptr<Engine> make_rks_split() {
  return std::make_unique<rks::SplitEngine>();
}

}  // namespace nestor::engine::rks
