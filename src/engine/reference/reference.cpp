// The semantics of docs/semantics.md by plain iteration, for small models.
//
// What a state (stack, node) satisfies depends on the stack only through what happens after the
// top frame returns: for an existential formula f, through the set of exits after whose return some
// successor satisfies f. Call that set a context. This engine tabulates f for *every* set of exits
// as context, reachable or not, by iterating the fixpoint equation of f over the whole table until
// nothing changes: from false upwards for EU, from true downwards for EG. Then it keeps the frames
// ("instances": a component under one context for each formula so far) that some stack has, and
// goes on to the next larger formula.
//
// Nothing here is clever and nothing is shared with other engines. The table has 2^exits rows.
//
// Why the iteration is exact: the table after k rounds says what is decided by looking k steps
// ahead. A path of length k that reaches its goal is a first step and a shorter path; where the
// first step enters a call, the part inside the callee is a shorter path under the context that the
// part after it justifies. Rounds only ever add to that. For EG read the same of the finite trees
// that refute it.

#include "engine/reference/reference.h"

#include "base/debug_assert.h"
#include "base/error.h"
#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nestor::engine::reference {

namespace {

constexpr std::size_t kMostExits = 12;
constexpr std::size_t kMostTableCells = std::size_t{1} << 26;

using Context = std::uint32_t;     // bit i: exit i
using Values = std::vector<char>;  // by position of the node in its component

/// A frame that stacks can have: a component in which the formulas treated so far are decided.
struct Instance {
  model::ComponentId component;
  std::vector<std::size_t> callees;  // instance called, by position of the box in its component
  std::map<logic::FormulaId, Values> values;  // plain nodes only; of formulas that are still needed
};

class Reference {
 public:
  Reference(const model::Rsm& model, const logic::FormulaPool& pool, base::LimitGuard& guard)
      : model_(model), pool_(pool), guard_(guard) {
    for (const model::ComponentId c : model.components()) {
      Instance instance{c, {}, {}};
      for (const model::BoxId b : model.component(c).boxes()) {
        instance.callees.push_back(model.box(b).callee.value());
      }
      instances_.push_back(std::move(instance));
    }
    root_ = model.initial_component().value();
  }

  bool holds(logic::FormulaId formula) {
    const std::vector<logic::FormulaId> order = logic::subformulas(pool_, formula);
    std::map<logic::FormulaId, logic::FormulaId> last_user;
    for (const logic::FormulaId f : order) {
      for (const logic::FormulaId operand : operands(f)) {
        last_user[operand] = f;
      }
    }
    for (const logic::FormulaId f : order) {
      if (logic::is_existential(pool_[f].op)) {
        label_existential(f);
      } else {
        for (Instance& instance : instances_) {
          label_propositional(f, instance);
        }
      }
      for (const logic::FormulaId operand :
           operands(f)) {  // keeps large formulas from being copied
        for (Instance& instance : instances_) {
          if (last_user[operand] == f) {
            instance.values.erase(operand);
          }
        }
      }
    }
    const Instance& root = instances_[root_];
    for (const model::NodeId n : model_.initial_nodes()) {
      if (!value(root, formula, n)) {
        return false;
      }
    }
    return true;
  }

  std::size_t instance_count() const { return instances_.size(); }

 private:
  const model::Component& component(const Instance& instance) const {
    return model_.component(instance.component);
  }
  std::vector<logic::FormulaId> operands(logic::FormulaId f) const {
    const logic::Formula& formula = pool_[f];
    switch (logic::operand_count(formula.op)) {
      case 0:
        return {};
      case 1:
        return {formula.left};
      default:
        return {formula.left, formula.right};
    }
  }
  bool value(const Instance& instance, logic::FormulaId f, model::NodeId plain) const {
    NESTOR_DEBUG_ASSERT(component(instance).plain_nodes().contains(plain));
    return instance.values.at(f)[plain - component(instance).first_node] != 0;
  }
  std::size_t callee(const Instance& instance, model::BoxId box) const {
    return instance.callees[box - component(instance).first_box];
  }

  void label_propositional(logic::FormulaId f, Instance& instance) {
    const logic::Formula& formula = pool_[f];
    Values values(component(instance).plain_nodes().size());
    for (const model::NodeId n : component(instance).plain_nodes()) {
      bool result = false;
      switch (formula.op) {
        case logic::Op::True:
          result = true;
          break;
        case logic::Op::Atom:
          result = carries(n, pool_.atom_name(f));
          break;
        case logic::Op::Not:
          result = !value(instance, formula.left, n);
          break;
        case logic::Op::Or:
          result = value(instance, formula.left, n) || value(instance, formula.right, n);
          break;
        default:
          assert(false && "not in existential normal form");
      }
      values[n - component(instance).first_node] = result ? 1 : 0;
    }
    instance.values[f] = std::move(values);
  }

  bool carries(model::NodeId n, std::string_view proposition) const {
    const model::PropId p = model_.find_prop(proposition);
    if (!p.valid()) {
      return false;
    }
    for (const model::NodeId labelled : model_.nodes_with(p)) {
      if (labelled == n) {
        return true;
      }
    }
    return false;
  }

  // ---- one existential formula f ----

  void label_existential(logic::FormulaId f) {
    f_ = f;
    assert(logic::is_existential(pool_[f].op));
    make_table();
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < instances_.size(); ++i) {
        for (Context c = 0; c < table_[i].size(); ++c) {
          for (const model::NodeId n : component(instances_[i]).nodes()) {
            guard_.tick();
            if (model_.kind(n) != model::NodeKind::Return) {
              char& cell = table_[i][c][n - component(instances_[i]).first_node];
              const char now = equation(i, c, n) ? 1 : 0;
              changed = changed || now != cell;
              cell = now;
            }
          }
        }
      }
    }
    NESTOR_DEBUG_ASSERT(is_monotone());
    keep_reachable_frames();
  }

  /// One exit more in the context makes nothing false.
  bool is_monotone() const {
    return std::ranges::all_of(table_, [](const std::vector<Values>& by_context) {
      for (Context c = 0; c < by_context.size(); ++c) {
        for (Context exit = 1; exit < by_context.size(); exit <<= 1) {
          if (!std::ranges::equal(by_context[c], by_context[c | exit], std::less_equal<>())) {
            return false;
          }
        }
      }
      return true;
    });
  }

  /// table_[i][c][n]: f at plain or call node n in instance i under context c.
  void make_table() {
    const char start = pool_[f_].op == logic::Op::EG ? 1 : 0;
    table_.clear();
    std::size_t cells = 0;
    for (const Instance& instance : instances_) {
      const std::size_t contexts = std::size_t{1} << model_.exits(instance.component).size();
      cells += contexts * component(instance).nodes().size();
      if (cells > kMostTableCells) {
        throw base::LimitReached{"too large for the reference engine"};
      }
      table_.emplace_back(contexts, Values(component(instance).nodes().size(), start));
    }
  }

  bool cell(std::size_t i, Context c, model::NodeId n) const {
    return table_[i][c][n - component(instances_[i]).first_node] != 0;
  }

  /// What the definition of f says about n, given the table.
  bool equation(std::size_t i, Context c, model::NodeId n) const {
    const Instance& instance = instances_[i];
    if (model_.kind(n) == model::NodeKind::Call) {  // the same state as the callee's entry
      const model::BoxId box = model_.box_of(n);
      const std::size_t j = callee(instance, box);
      assert(instances_[j].component == model_.box(box).callee);
      return cell(j, handed_on(i, c, box), model_.origin(n));
    }
    const logic::Formula& formula = pool_[f_];
    bool some = model_.is_exit(n) && ((c >> model_.exit_index(n)) & 1) != 0;
    for (const model::NodeId m : model_.successors(n)) {
      some = some || looked_for(i, c, m);
    }
    switch (formula.op) {
      case logic::Op::EX:
        return some;
      case logic::Op::EU:
        return value(instance, formula.right, n) || (value(instance, formula.left, n) && some);
      case logic::Op::EG:
        return value(instance, formula.left, n) && (some || model_.is_dead_end(n));
      default:
        return false;
    }
  }

  /// Whether successor m makes `some` true: f there for EU and EG, the operand there for EX.
  bool looked_for(std::size_t i, Context c, model::NodeId m) const {
    if (pool_[f_].op != logic::Op::EX) {
      return cell(i, c, m);
    }
    const Instance& instance = instances_[i];
    if (model_.kind(m) == model::NodeKind::Call) {
      return value(instances_[callee(instance, model_.box_of(m))], pool_[f_].left,
                   model_.origin(m));
    }
    return value(instance, pool_[f_].left, m);
  }

  /// The context that a box's callee gets in instance i under context c.
  Context handed_on(std::size_t i, Context c, model::BoxId box) const {
    Context handed = 0;
    const auto returns = model_.box(box).return_nodes();
    for (const model::NodeId r : returns) {
      bool some = pool_[f_].op == logic::Op::EG && model_.is_dead_end(r);
      for (const model::NodeId m : model_.successors(r)) {
        some = some || looked_for(i, c, m);
      }
      if (some) {
        handed |= Context{1} << (r - returns.front());
      }
    }
    assert(handed < table_[callee(instances_[i], box)].size());
    return handed;
  }

  /// The context of the empty stack, where an exit loops on itself.
  Context root_context() const {
    const Instance& root = instances_[root_];
    Context context = 0;
    const auto exits = model_.exits(root.component);
    for (std::size_t x = 0; x < exits.size(); ++x) {
      const logic::Op op = pool_[f_].op;
      if (op == logic::Op::EG || (op == logic::Op::EX && value(root, pool_[f_].left, exits[x]))) {
        context |= Context{1} << x;
      }
    }
    return context;
  }

  void keep_reachable_frames() {
    std::map<std::pair<std::size_t, Context>, std::size_t> number;
    std::vector<std::pair<std::size_t, Context>> found;
    const auto number_of = [&](std::size_t i, Context c) {
      const auto [place, is_new] = number.try_emplace({i, c}, found.size());
      if (is_new) {
        found.emplace_back(i, c);
      }
      return place->second;
    };
    std::vector<Instance> kept;
    const std::size_t root = number_of(root_, root_context());
    for (std::size_t k = 0; k < found.size(); ++k) {
      guard_.tick();
      const auto [i, c] = found[k];
      Instance instance = instances_[i];
      for (const model::BoxId b : component(instance).boxes()) {
        instance.callees[b - component(instance).first_box] =
            number_of(callee(instances_[i], b), handed_on(i, c, b));
      }
      Values values = table_[i][c];
      values.resize(component(instance).plain_nodes().size());
      instance.values[f_] = std::move(values);
      kept.push_back(std::move(instance));
    }
    assert(kept.size() == found.size() && kept[root].component == model_.initial_component());
    instances_ = std::move(kept);
    root_ = root;
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  base::LimitGuard& guard_;
  std::vector<Instance> instances_;
  std::size_t root_ = 0;
  logic::FormulaId f_;
  std::vector<std::vector<Values>> table_;
};

class ReferenceEngine final : public OneByOneEngine {
 public:
  std::string cannot_handle(const Task& task) const override {
    for (const model::ComponentId c : task.model.components()) {
      if (task.model.exits(c).size() > kMostExits) {
        return "the reference engine tabulates every set of exits: a component has more than 12";
      }
    }
    return {};
  }

 protected:
  Verdict check_formula(const model::Rsm& model, logic::FormulaPool& pool, logic::FormulaId formula,
                        Env&, base::LimitGuard& guard, Result& result) override {
    const logic::FormulaId normal = logic::existential_normal_form(pool, formula);
    Reference reference(model, pool, guard);
    const Verdict verdict = reference.holds(normal) ? Verdict::Holds : Verdict::Fails;
    result.contexts = reference.instance_count();
    return verdict;
  }
};

}  // namespace

std::unique_ptr<Engine> make_reference() {
  return std::make_unique<ReferenceEngine>();
}

}  // namespace nestor::engine::reference
