#include "witness/witness_writer.h"

#include "base/json_document.h"
#include "witness/witness_names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace nestor::witness {

namespace {

/// The subformulas, operands first, in the order in which they are written: not that of the pool,
/// where it depends on the formulas that came before.
std::vector<logic::FormulaId> in_written_order(const logic::FormulaPool& pool,
                                               logic::FormulaId root) {
  std::vector<logic::FormulaId> order;
  std::unordered_set<std::uint32_t> seen;
  std::vector<logic::FormulaId> open = {root};
  while (!open.empty()) {
    const logic::FormulaId f = open.back();
    const int operands = logic::operand_count(pool[f].op);
    const std::size_t before = open.size();
    if (operands == 2 && seen.count(pool[f].right.value()) == 0) {
      open.push_back(pool[f].right);
    }
    if (operands >= 1 && seen.count(pool[f].left.value()) == 0) {
      open.push_back(pool[f].left);
    }
    if (open.size() == before) {
      open.pop_back();
      if (seen.insert(f.value()).second) {
        order.push_back(f);
      }
    }
  }
  return order;
}

class Writer {
 public:
  Writer(const model::Rsm& model, const logic::FormulaPool& pool, const Witness& witness)
      : model_(model),
        pool_(pool),
        witness_(witness),
        formulas_(in_written_order(pool, witness.formula)),
        props_(mentioned_props(model, pool, witness.formula)) {
    for (std::size_t i = 0; i < formulas_.size(); ++i) {
      places_.emplace(formulas_[i].value(), i);
    }
  }

  std::string write(std::string_view text) {
    base::begin_document(json_, "witness");
    json_.member("formula", text);
    json_.member("verdict", witness_.holds ? "holds" : "fails").member("engine", witness_.engine);
    if (witness_.fairness > 0) {
      json_.member("fairness", witness_.fairness);
    }
    list("formulas", formulas_, [this](logic::FormulaId f) { formula(f); });
    list("stacks", witness_.stacks.ids(), [this](model::StackId s) { stack(s); });
    list("states", witness_.states, [this](const model::State& s) { state(s); });
    list("evidence", witness_.evidence, [this](const Evidence& e) { evidence(e); });
    ids("roots", witness_.roots);
    json_.end_object();
    return std::move(out_);
  }

 private:
  /// One item a line, each an object.
  template <class Items, class Write>
  void list(std::string_view key, const Items& items, Write write) {
    json_.line().begin_array(key);
    for (const auto& item : items) {
      json_.line().begin_object();
      write(item);
      json_.end_object();
    }
    json_.end_array();
  }
  template <class Ids>
  void ids(std::string_view key, const Ids& items) {
    json_.begin_array(key);
    for (const auto item : items) {
      json_.value(item.value());
    }
    json_.end_array();
  }

  std::size_t place(logic::FormulaId f) const { return places_.at(f.value()); }

  void formula(logic::FormulaId f) {
    const logic::Formula& formula = pool_[f];
    json_.member("op", kOpNames[static_cast<std::size_t>(formula.op)]);
    if (formula.op == logic::Op::Atom) {
      json_.member("name", pool_.atom_name(f));
    }
    const int operands = logic::operand_count(formula.op);
    if (operands >= 1) {
      json_.member("left", place(formula.left));
    }
    if (operands == 2) {
      json_.member("right", place(formula.right));
    }
  }

  void stack(model::StackId s) {
    if (!witness_.stacks.is_empty(s)) {
      json_.member("below", witness_.stacks.below(s).value());
      json_.member("box", model_.box_name(witness_.stacks.top(s)));
    }
  }

  void state(const model::State& s) {
    json_.member("stack", s.stack.value());
    json_.member("procedure", model_.component_name(model_.component_of(s.node)));
    json_.member("node", model_.node_name(s.node)).begin_array("labels");
    for (const model::PropId p : props_) {
      if (carries(model_, s.node, p)) {
        json_.value(model_.prop_name(p));
      }
    }
    json_.end_array();
    if (const std::optional<model::NodePosition> position = model_.position(s.node)) {
      json_.member("file", model_.string(position->file));
      if (position->line != 0) {
        json_.member("line", position->line);
      }
    }
  }

  void evidence(const Evidence& e) {
    json_.member("kind", kKindNames[static_cast<std::size_t>(e.kind)]);
    json_.member("formula", place(e.claim.formula)).member("holds", e.claim.holds);
    json_.member("state", e.state.value());
    if (!e.path.empty()) {
      path(e);
    }
    if (!e.along.empty()) {
      ids("along", e.along);
    }
    if (!e.parts.empty()) {
      ids("parts", e.parts);
    }
  }

  /// What happens in each step, if steps have names.
  void fired(const Evidence& e) {
    const auto step = [&](std::size_t i) {
      return model_.step(witness_.states[e.path[i]].node, witness_.states[e.path[i + 1]].node);
    };
    if (e.steps.empty() || !step(0)) {
      return;
    }
    json_.begin_array("fired");
    for (std::size_t i = 0; i < e.steps.size(); ++i) {
      json_.begin_object();
      if (const std::optional<model::StepName> name = step(i)) {
        json_.member("transition", name->transition).begin_object("binding");
        for (const model::StepName::Value& value : name->binding) {
          json_.member(value.variable, value.value);
        }
        json_.end_object();
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void path(const Evidence& e) {
    ids("path", e.path);
    json_.begin_array("steps");
    for (const model::Step step : e.steps) {
      json_.value(kStepNames[static_cast<std::size_t>(step)]);
    }
    json_.end_array().member("ending", kEndingNames[static_cast<std::size_t>(e.ending)]);
    fired(e);
    if (e.ending == Evidence::Ending::Joins) {
      json_.member("joins", e.joins.value()).member("join_at", e.join_at);
    }
    if (e.ending == Evidence::Ending::Loop) {
      json_.member("loop", e.loop).begin_array("grown");
      for (const model::BoxId b : grown_by(witness_, e)) {
        json_.value(model_.box_name(b));
      }
      json_.end_array();
    }
  }

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  const Witness& witness_;
  std::vector<logic::FormulaId> formulas_;
  std::unordered_map<std::uint32_t, std::size_t> places_;  // of them
  std::vector<model::PropId> props_;
  std::string out_;
  base::JsonWriter json_{out_};
};

}  // namespace

std::string witness_json(const model::Rsm& model, const logic::FormulaPool& pool,
                         const Witness& witness, std::string_view text) {
  return Writer(model, pool, witness).write(text);
}

std::vector<model::PropId> mentioned_props(const model::Rsm& model, const logic::FormulaPool& pool,
                                           logic::FormulaId formula) {
  std::vector<model::PropId> props;
  for (const logic::FormulaId f : in_written_order(pool, formula)) {
    if (pool[f].op == logic::Op::Atom) {
      const model::PropId p = model.find_prop(pool.atom_name(f));
      if (p.valid()) {
        props.push_back(p);
      }
    }
  }
  return props;
}

bool carries(const model::Rsm& model, model::NodeId plain, model::PropId prop) {
  const auto nodes = model.nodes_with(prop);
  return std::binary_search(nodes.begin(), nodes.end(), plain);
}

std::vector<model::BoxId> grown_by(const Witness& witness, const Evidence& evidence) {
  if (evidence.ending != Evidence::Ending::Loop) {
    return {};
  }
  const model::StackTable& stacks = witness.stacks;
  return stacks.boxes(witness.states[evidence.path.back()].stack,
                      stacks.depth(witness.states[evidence.path[evidence.loop]].stack));
}

}  // namespace nestor::witness
