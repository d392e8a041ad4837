// CTL on recursive Kripke structures, only as far as the initial location needs it, after
//   [Thesis] the thesis on recursive Kripke structures (docs/engines.md), chapter 4.
//
//   thesis                                    here
//   fully, partly (definition 4.3.1)          Extent
//   label (algorithm 4.1)                     label
//   collectContexts (4.2)                     collect_contexts: a stack of frames for λ
//   labelLocallyAndVertically (4.3)           label_locally_and_vertically
//   labelLocally (4.4)                        label_locally
//   deduceLabels (4.5)                        local_check.h
//   labelByFixpoint, decideRemainingMaybes    local_checks.h, which keeps what section 5.4 adds
//
// Deviations, besides those of rks.cpp. A pair is made only when every bit of its context below the
// top is known; if one is not, that subformula is labelled fully first. While the bit on top is not
// known, the pairs with both values are visited, each as a pair of its own, and only visited pairs
// are in Ξ: their calls have been explored, which deciding what remains relies on (lemma 4.5.4). EX
// and the Boolean operators need no Ξ: the value they need at a call is that of their operand at
// the callee's entry. `fully` includes calls that follow calls, which the thesis excludes.
//
// The vertical step is recursion, as deep as the formula, which is limited; the horizontal one, as
// long as a chain of calls, is not.

#include "base/error.h"
#include "engine/rks/knowledge_base.h"
#include "engine/rks/local_checks.h"
#include "engine/rks/rks.h"
#include "logic/normal_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace nestor::engine::rks {

namespace {

constexpr std::size_t kDeepestFormula = 1000;  // the vertical step is recursion

enum class Extent { Fully, Partly };

class IncrementalLabelling {
 public:
  IncrementalLabelling(const model::Rsm& model, const logic::FormulaPool& pool,
                       logic::FormulaId formula, base::LimitGuard& guard)
      : model_(model),
        pool_(pool),
        kappa_(model, pool, formula, guard),
        checks_(model, guard),
        formula_(formula) {
    find_calls_after_calls();
  }

  Verdict run() {
    const std::uint32_t root = root_pair(formula_);
    label(root, Extent::Partly);
    for (const model::NodeId n : model_.initial_nodes()) {
      const Ternary value = kappa_[root].values[kappa_.place(n)];
      NESTOR_CHECK(value != Ternary::Maybe);
      if (value == Ternary::False) {
        return Verdict::Fails;
      }
    }
    return Verdict::Holds;
  }

  std::uint64_t contexts() const { return contexts_; }

  /// The local checks of run(), by formula.
  explain::CheckOrder check_order() const {
    std::map<std::uint32_t, const ContextPair*> pairs;  // by number among the checks
    for (std::uint32_t p = 0; p < kappa_.size(); ++p) {
      if (kappa_[p].checks != kNoPair) {
        pairs.emplace(kappa_[p].checks, &kappa_[p]);
      }
    }
    std::map<logic::FormulaId, explain::CheckOrder::Part> parts;
    std::set<std::uint32_t> checked;
    for (const LocalChecks::Check& check : checks_.order()) {
      const ContextPair& pair = *pairs.at(check.pair);
      explain::CheckOrder::Part& part = parts[pair.formula];
      part.formula = pair.formula;
      part.pairs += checked.insert(check.pair).second ? 1 : 0;
      part.rounds = std::max(part.rounds, check.round);
      part.checks.push_back({pair.component, pair.context.text(), check.round});
    }
    explain::CheckOrder order;
    for (auto& [formula, part] : parts) {
      order.parts.push_back(std::move(part));
    }
    return order;
  }

 private:
  /// Calls that a return leads to; per component, by place.
  void find_calls_after_calls() {
    calls_after_calls_.resize(model_.component_count());
    for (const model::BoxId b : model_.boxes()) {
      const model::Box& box = model_.box(b);
      for (const model::NodeId n : box.return_nodes()) {
        for (const model::NodeId next : model_.successors(n)) {
          if (model_.kind(next) == model::NodeKind::Call) {
            calls_after_calls_[box.owner].push_back(next);
          }
        }
      }
    }
  }

  /// How much of a pair is known: values stay, so nothing is looked at twice.
  struct Known {
    std::size_t entries = 0;
    std::size_t plain = 0;
    std::size_t calls = 0;  ///< those after calls
  };

  bool is_labelled(std::uint32_t p, Extent extent) {
    if (known_.size() <= p) {
      known_.resize(kappa_.size());
    }
    const ContextPair& pair = kappa_[p];
    const auto is_known = [&](model::NodeId n) {
      return pair.values[kappa_.place(n)] != Ternary::Maybe;
    };
    const auto all_known = [&](const auto& nodes, std::size_t& known) {
      while (known < nodes.size() && is_known(nodes[known])) {
        ++known;
      }
      return known == nodes.size();
    };
    if (extent == Extent::Partly) {
      return all_known(model_.entries(pair.component), known_[p].entries) &&
             (pair.component != model_.initial_component() ||
              std::ranges::all_of(model_.initial_nodes(), is_known));
    }
    std::size_t& plain = known_[p].plain;
    const base::IdRange<model::NodeId> all = model_.component(pair.component).plain_nodes();
    while (plain < all.size() && is_known(all.front() + plain)) {
      ++plain;
    }
    return plain == all.size() && all_known(calls_after_calls_[pair.component], known_[p].calls);
  }

  /// The number of pair `p` of EG or EU among the local checks.
  std::uint32_t checks_of(std::uint32_t p) {
    if (kappa_[p].checks == kNoPair) {
      const std::uint32_t without = kappa_.with_top(p, false);
      const std::uint32_t with = kappa_.with_top(p, true);
      kappa_[without].checks = checks_.add(kappa_.structure(without), kappa_.structure(with));
      kappa_[with].checks = kappa_[without].checks + 1;
    }
    return kappa_[p].checks;
  }

  /// icc. Kept for each formula: the bit of every EX in it asks for that of its operand.
  std::uint32_t root_pair(logic::FormulaId f) {
    if (const auto known = roots_.find(f); known != roots_.end()) {
      return known->second;
    }
    Context below;
    for (const logic::FormulaId g : kappa_.temporal(f)) {
      if (g == f && kappa_.has_top(f)) {
        break;
      }
      std::uint32_t operand = kNoPair;
      if (pool_[g].op == logic::Op::EX) {
        operand = root_pair(pool_[g].left);
        label(operand, Extent::Fully);
        assert(is_labelled(operand, Extent::Fully));
      }
      below.push(kappa_.initial_bit(g, operand) == Ternary::True);
    }
    const std::uint32_t first = kappa_.pair(f, model_.initial_component(), below);
    return roots_[f] = kappa_.has_top(f)
                           ? kappa_.with_top(first, kappa_.initial_bit(f, kNoPair) == Ternary::True)
                           : first;
  }

  /// cc below the top: sets the callee of a box of pair `p`.
  std::uint32_t find_callee(std::uint32_t p, model::BoxId box) {
    const std::size_t place = box - model_.component(kappa_[p].component).first_box;
    if (kappa_[p].callees[place] != kNoPair) {
      return kappa_[p].callees[place];
    }
    const logic::FormulaId f = kappa_[p].formula;
    Context below;
    for (const logic::FormulaId g : kappa_.temporal(f)) {
      if (g == f && kappa_.has_top(f)) {
        break;
      }
      const std::uint32_t lower =
          kappa_.make_pair_below(p, pool_[g].op == logic::Op::EX ? pool_[g].left : g);
      Ternary bit = kappa_.bit(g, lower, box);
      if (bit == Ternary::Maybe) {
        label(lower, Extent::Fully);
        bit = kappa_.bit(g, lower, box);
        NESTOR_CHECK(bit != Ternary::Maybe);
      }
      below.push(bit == Ternary::True);
    }
    const std::uint32_t callee = kappa_.pair(f, model_.box(box).callee, below);
    assert(kappa_[callee].component == model_.box(box).callee);
    kappa_[p].callees[place] = callee;
    if (kappa_.has_top(f)) {
      checks_.connect(checks_of(p), box, checks_of(callee));
    }
    return callee;
  }

  /// Algorithm 4.1.
  void label(std::uint32_t p, Extent extent) {
    if (is_labelled(p, extent)) {  // lines 1 to 3
      return;
    }
    if (!kappa_.has_top(kappa_[p].formula)) {
      label_without_fixpoint(p, extent);
      return;
    }
    std::vector<std::uint32_t> xi;
    for (const std::uint32_t q : collect_contexts(p, extent)) {  // line 4
      if (!is_labelled(q, Extent::Partly) ||                     // line 5
          (q == p && !is_labelled(p, extent))) {                 // lines 6 to 8
        xi.push_back(q);
      }
    }
    if (!xi.empty()) {        // line 9
      label_by_fixpoint(xi);  // line 10
    }
    assert(is_labelled(p, extent));  // lemma: label() labels what it is asked for
  }

  /// Boolean operators and EX.
  void label_without_fixpoint(std::uint32_t p, Extent extent) {
    visited(p);
    label_locally_and_vertically(p, extent);
    if (is_labelled(p, extent)) {
      return;
    }
    const logic::Formula& formula = pool_[kappa_[p].formula];
    if (formula.op == logic::Op::EX) {
      const std::uint32_t psi = kappa_.make_pair_below(p, formula.left);
      const model::Component& component = model_.component(kappa_[p].component);
      for (const model::NodeId n : component.plain_nodes()) {
        if (kappa_[p].values[kappa_.place(n)] != Ternary::Maybe) {
          continue;
        }
        for (const model::NodeId next : model_.successors(n)) {
          if (model_.kind(next) == model::NodeKind::Call) {
            label_call(psi, next);
          }
        }
      }
      label_locally(p);
    }
    if (extent == Extent::Fully) {
      const std::vector<model::NodeId> calls = calls_after_calls_[kappa_[p].component];
      for (const model::NodeId call : calls) {
        label_call(p, call);
      }
    }
  }

  /// The value at a call: that of the callee's entry. Of EG and EU, `p` is labelled fully already.
  void label_call(std::uint32_t p, model::NodeId call) {
    if (kappa_[p].values[kappa_.place(call)] != Ternary::Maybe) {
      return;
    }
    std::uint32_t callee = find_callee(p, model_.box_of(call));
    const logic::FormulaId f = kappa_[p].formula;
    if (kappa_.has_top(f)) {
      callee = kappa_.with_top(callee, kappa_.bit(f, p, model_.box_of(call)) == Ternary::True);
    }
    label(callee, Extent::Partly);
    assert(is_labelled(callee, Extent::Partly));
    kappa_[p].values[kappa_.place(call)] = kappa_.call_value(p, call);
  }

  /// Algorithm 4.2, for EG and EU. A frame is a call of λ.
  std::vector<std::uint32_t> collect_contexts(std::uint32_t start, Extent extent) {
    struct Frame {
      std::uint32_t pair;
      Extent extent;
      std::size_t box = 0;
      bool eta = false;  // which of the two pairs of the box's callee is next
    };
    std::vector<std::uint32_t> xi;
    std::set<std::uint32_t> in_xi;
    std::vector<Frame> stack;
    const auto enter = [&](std::uint32_t p, Extent how) {
      assert(!in_xi.contains(p) && kappa_[p].formula == kappa_[start].formula);
      xi.push_back(p);  // line 1
      in_xi.insert(p);
      visited(p);
      label_locally_and_vertically(p, how);  // line 2
      stack.push_back({p, how});
    };
    enter(start, extent);
    while (!stack.empty()) {
      const Frame frame = stack.back();
      const base::IdRange<model::BoxId> boxes =
          model_.component(kappa_[frame.pair].component).boxes();
      if (frame.box == boxes.size() || is_labelled(frame.pair, frame.extent)) {  // lines 3, 4
        stack.pop_back();
        if (!stack.empty()) {
          label_locally(stack.back().pair);  // line 9
        }
        continue;
      }
      const model::BoxId box = boxes.front() + frame.box;
      const std::uint32_t callee = find_callee(frame.pair, box);  // lines 5, 6
      const Ternary top = kappa_.bit(kappa_[frame.pair].formula, frame.pair, box);
      stack.back().eta = !frame.eta;
      if (frame.eta) {
        ++stack.back().box;
      }
      if (top != Ternary::Maybe && (top == Ternary::True) != frame.eta) {
        continue;
      }
      const std::uint32_t next = kappa_.with_top(callee, frame.eta);
      assert(kappa_[next].component == model_.box(box).callee &&
             kappa_[next].context.top() == frame.eta);
      if (!in_xi.contains(next) && !is_labelled(next, Extent::Partly)) {  // line 7
        enter(next, Extent::Partly);                                      // line 8
      } else {
        label_locally(frame.pair);
      }
    }
    return xi;
  }

  void visited(std::uint32_t p) {
    if (is_visited_.size() <= p) {
      is_visited_.resize(kappa_.size(), false);
    }
    if (!is_visited_[p] && logic::is_existential(pool_[kappa_[p].formula].op)) {
      ++contexts_;
    }
    is_visited_[p] = true;
  }

  /// Algorithm 4.3.
  void label_locally_and_vertically(std::uint32_t p, Extent extent) {
    if (is_labelled(p, extent)) {  // line 1
      return;
    }
    label_locally(p);              // line 2
    if (is_labelled(p, extent)) {  // line 3
      return;
    }
    const logic::Formula& formula = pool_[kappa_[p].formula];
    if (logic::operand_count(formula.op) > 0) {  // line 5; label() sees to the second half of it
      label(kappa_.make_pair_below(p, formula.left), Extent::Fully);  // line 6
    }
    if (logic::operand_count(formula.op) > 1) {                        // line 8
      label(kappa_.make_pair_below(p, formula.right), Extent::Fully);  // line 9
    }
    if (kappa_.has_top(kappa_[p].formula)) {
      checks_.check_anew(checks_of(p));
    }
    label_locally(p);  // line 12, whether or not something is new
  }

  /// Algorithm 4.4. True if something new is known.
  bool label_locally(std::uint32_t p) {
    const logic::Formula& formula = pool_[kappa_[p].formula];
    switch (formula.op) {
      case logic::Op::Not:
      case logic::Op::Or:
        label_boolean(p);  // lines 5 to 8
        return true;
      case logic::Op::EX:
        kappa_.label_ex(p, kappa_.make_pair_below(p, formula.left));  // lines 9 to 13
        return true;
      case logic::Op::EG:
      case logic::Op::EU:
        break;
      default:
        return false;  // lines 1 to 4: > and propositions are labelled when a pair is made
    }
    const bool any = checks_.check(checks_of(p));  // lines 14, 15
    checks_.hand_on();
    return any;
  }

  void label_boolean(std::uint32_t p) {
    const logic::Formula& formula = pool_[kappa_[p].formula];
    const std::uint32_t left = kappa_.make_pair_below(p, formula.left);
    const std::uint32_t right =
        formula.op == logic::Op::Or ? kappa_.make_pair_below(p, formula.right) : left;
    kappa_.guard().tick(kappa_[p].values.size() / 16 + 1);
    for (std::size_t l = 0; l < kappa_[p].values.size(); ++l) {
      Ternary& value = kappa_[p].values[l];
      if (value == Ternary::Maybe) {
        value = formula.op == logic::Op::Not
                    ? negation(kappa_[left].values[l])
                    : disjunction(kappa_[left].values[l], kappa_[right].values[l]);
      }
    }
  }

  /// Algorithms 3.4 and 3.6 on Ξ.
  void label_by_fixpoint(const std::vector<std::uint32_t>& xi) {
    std::vector<std::uint32_t> pairs;
    for (const std::uint32_t p : xi) {
      assert(kappa_.has_top(kappa_[p].formula));
      pairs.push_back(checks_of(p));
    }
    checks_.label_by_fixpoint(pairs);
    const Ternary rest = ternary(pool_[kappa_[xi.front()].formula].op == logic::Op::EG);
    for (const std::uint32_t pair : pairs) {
      checks_.decide_remaining_maybes(pair, rest);
    }
    checks_.hand_on();
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  KnowledgeBase kappa_;
  LocalChecks checks_;
  std::vector<Known> known_;  // by pair
  logic::FormulaId formula_;
  base::IdVector<model::ComponentId, std::vector<model::NodeId>> calls_after_calls_;
  std::map<logic::FormulaId, std::uint32_t> roots_;  // pairs of the initial context
  std::vector<bool> is_visited_;
  std::uint64_t contexts_ = 0;
};

/// How many operators stand above each other, at the most.
std::size_t depth_of(const logic::FormulaPool& pool, logic::FormulaId formula) {
  std::vector<std::size_t> depth(formula.value() + 1, 0);
  for (const logic::FormulaId f : logic::subformulas(pool, formula)) {
    const logic::Formula& node = pool[f];
    for (int i = 0; i < logic::operand_count(node.op); ++i) {
      depth[f.value()] =
          std::max(depth[f.value()], depth[(i == 0 ? node.left : node.right).value()] + 1);
    }
  }
  return depth[formula.value()];
}

class IncrementalEngine final : public OneByOneEngine {
 public:
  std::string cannot_handle(const Task& task) const override { return not_for_rks(task); }
  std::optional<explain::CheckOrder> check_order(const model::Rsm& model, logic::FormulaPool& pool,
                                                 logic::FormulaId formula, Env& env) override {
    base::LimitGuard guard(env.limits);
    IncrementalLabelling labelling(model, pool, normal_form(pool, formula), guard);
    labelling.run();
    return labelling.check_order();
  }

 protected:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env& /*env*/, base::LimitGuard& guard, Result& result) override {
    IncrementalLabelling labelling(model, pool, normal_form(pool, formula), guard);
    const Verdict verdict = labelling.run();
    result.contexts = std::max<std::uint64_t>(1, labelling.contexts());
    return verdict;
  }

 private:
  static logic::FormulaId normal_form(logic::FormulaPool& pool, logic::FormulaId formula) {
    const logic::FormulaId normal = logic::existential_normal_form(pool, formula);
    if (const std::size_t depth = depth_of(pool, normal); depth > kDeepestFormula) {
      throw base::LimitReached{
          fmt::format("the formula nests {} operators, rks-incremental handles at most {}", depth,
                      kDeepestFormula)};
    }
    return normal;
  }
};

}  // namespace

std::unique_ptr<Engine> make_rks_incremental() {
  return std::make_unique<rks::IncrementalEngine>();
}

}  // namespace nestor::engine::rks
