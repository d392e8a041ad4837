#include "api/formula_access.h"
#include "base/input.h"
#include "format/formula_registry.h"
#include "format/pds/mu_calculus.h"
#include "format/registry.h"
#include "logic/printer.h"
#include "witness/witness_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace nestor {

namespace {

using NodePointer = std::shared_ptr<const Formula::Node>;

/// What is made of a formula of a pool: of its operands first, and of each formula once, which is
/// kept in `made`. What is not made yet is a Value().
template <class Value, class Make>
const Value& made_of(const logic::FormulaPool& pool, logic::FormulaId formula,
                     std::vector<Value>& made, Make make) {
  made.resize(pool.size());
  std::vector<logic::FormulaId> open;
  if (made[formula.value()] == Value()) {
    open.push_back(formula);
  }
  while (!open.empty()) {
    const logic::FormulaId id = open.back();
    const logic::Formula& f = pool[id];
    const int operands = logic::operand_count(f.op);
    const Value left = operands >= 1 ? made[f.left.value()] : Value();
    const Value right = operands == 2 ? made[f.right.value()] : Value();
    const std::size_t before = open.size();
    if (operands == 2 && right == Value()) {
      open.push_back(f.right);
    }
    if (operands >= 1 && left == Value()) {
      open.push_back(f.left);  // which is made first
    }
    if (open.size() == before) {
      if (made[id.value()] == Value()) {  // it may stand in two places
        made[id.value()] = make(id, left, right);
      }
      open.pop_back();
    }
  }
  return made[formula.value()];
}

logic::FormulaId combined(logic::FormulaPool& pool, logic::Op op, logic::FormulaId left,
                          logic::FormulaId right) {
  return !left.valid()    ? pool.constant(op == logic::Op::True)
         : !right.valid() ? pool.unary(op, left)
                          : pool.binary(op, left, right);
}

/// Puts a graph of nodes into a pool; operands before what they stand in.
logic::FormulaId interned(logic::FormulaPool& pool, const NodePointer& root) {
  // A node that stands in one place only is met once and need not be looked up; atoms are looked up
  // in the pool anyway.
  std::unordered_map<const Formula::Node*, logic::FormulaId> shared;
  struct Visit {
    const NodePointer* node;
    bool operands_are_done = false;
  };
  std::vector<Visit> open{{&root}};
  std::vector<logic::FormulaId> done;  // what the visits that are over have made
  while (!open.empty()) {
    const Formula::Node& node = **open.back().node;
    const bool is_shared = node.left != nullptr && open.back().node->use_count() > 1;
    if (is_shared && !open.back().operands_are_done) {
      if (const auto found = shared.find(&node); found != shared.end()) {
        done.push_back(found->second);
        open.pop_back();
        continue;
      }
    }
    if (node.left != nullptr && !std::exchange(open.back().operands_are_done, true)) {
      if (node.right != nullptr) {
        open.push_back({&node.right});
      }
      open.push_back({&node.left});  // which is done first
      continue;
    }
    open.pop_back();
    const auto take = [&done] {
      const logic::FormulaId last = done.back();
      done.pop_back();
      return last;
    };
    const logic::FormulaId right = node.right != nullptr ? take() : logic::FormulaId();
    const logic::FormulaId left = node.left != nullptr ? take() : logic::FormulaId();
    done.push_back(node.op == logic::Op::Atom ? pool.atom(node.atom)
                                              : combined(pool, node.op, left, right));
    if (is_shared) {
      shared.emplace(&node, done.back());
    }
  }
  assert(done.size() == 1);
  return done.back();
}

NodePointer leaf(logic::Op op, std::string atom = {}) {
  return std::make_shared<const Formula::Node>(op, nullptr, nullptr, std::move(atom));
}

logic::Op operator_named(std::string_view name, int operands) {
  const auto* found = std::find(witness::kOpNames.begin(), witness::kOpNames.end(), name);
  const auto op = static_cast<logic::Op>(found - witness::kOpNames.begin());
  if (found == witness::kOpNames.end() || logic::operand_count(op) != operands) {
    throw Error(Error::Kind::Usage, fmt::format("'{}' is no operator with {} operand{}", name,
                                                operands, operands == 1 ? "" : "s"));
  }
  return op;
}

}  // namespace

Formula::Node::~Node() {
  std::vector<NodePointer> ending;
  const auto take = [&ending](NodePointer& operand) {
    if (operand != nullptr && operand->left != nullptr && operand.use_count() == 1) {
      ending.push_back(std::move(operand));
    }
  };
  take(left);
  take(right);
  while (!ending.empty()) {
    const NodePointer node = std::move(ending.back());
    ending.pop_back();
    take(node->left);
    take(node->right);
  }
}

NodePointer Formula::Text::node(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return made_of(pool, logic::FormulaId(number), made_,
                 [&](logic::FormulaId id, const NodePointer& left, const NodePointer& right) {
                   const logic::Op op = pool[id].op;
                   return std::make_shared<const Node>(
                       op, left, right,
                       op == logic::Op::Atom ? std::string(pool.atom_name(id)) : std::string());
                 });
}

NodePointer Formula::root() const {
  return read_from_ != nullptr ? read_from_->node(number_) : root_;
}

Formula FormulaAccess::make(const std::shared_ptr<const Formula::Text>& text,
                            const logic::NamedFormula& named) {
  Formula formula;
  if (named.formula.valid()) {
    formula.read_from_ = text;
    formula.number_ = named.formula.value();
  }
  formula.name_ = named.name;
  formula.text_ = named.text;
  formula.location_ = named.location;
  return formula;
}

std::vector<Formula> FormulaAccess::of(logic::FormulaPool pool,
                                       const std::vector<logic::NamedFormula>& formulas) {
  const auto text = std::make_shared<const Formula::Text>(std::move(pool), formulas.size());
  std::vector<Formula> out;
  out.reserve(formulas.size());
  for (const logic::NamedFormula& formula : formulas) {
    out.push_back(make(text, formula));
  }
  return out;
}

std::vector<Formula> FormulaAccess::of(logic::FormulaPool pool,
                                       std::span<const logic::ModelProperty> properties) {
  const auto text = std::make_shared<const Formula::Text>(std::move(pool), properties.size());
  std::vector<Formula> formulas;
  formulas.reserve(properties.size());
  for (const logic::ModelProperty& property : properties) {
    Formula formula = make(text, property.formula);
    formula.unsupported_ = property.unsupported;
    formula.extra_ = std::make_shared<const Formula::Extra>(Formula::Extra{{{},
                                                                            property.unsupported,
                                                                            property.model,
                                                                            property.mu,
                                                                            property.distance,
                                                                            property.all_paths}});
    formulas.push_back(std::move(formula));
  }
  return formulas;
}

logic::FormulaId FormulaAccess::id_in(logic::FormulaPool& pool, const Formula& formula,
                                      Known& known) {
  if (formula.read_from_ == nullptr) {
    return formula.root_ == nullptr ? logic::FormulaId() : interned(pool, formula.root_);
  }
  const logic::FormulaPool& from = formula.read_from_->pool;
  const auto put_in = [&](std::vector<logic::FormulaId>& made) {
    return made_of(from, logic::FormulaId(formula.number_), made,
                   [&](logic::FormulaId f, logic::FormulaId left, logic::FormulaId right) {
                     const logic::Op op = from[f].op;
                     return op == logic::Op::Atom ? pool.atom(from.atom_name(f))
                                                  : combined(pool, op, left, right);
                   });
  };
  if (formula.read_from_->formulas == 1) {  // which is hardly asked twice
    std::vector<logic::FormulaId> made;
    return put_in(made);
  }
  Known::OfText& text = known.texts_[formula.read_from_.get()];
  text.text = formula.read_from_;  // so that no other one comes to be where it is
  return put_in(text.formulas);
}

logic::ModelProperty FormulaAccess::into(logic::FormulaPool& pool, const Formula& formula,
                                         Known& known) {
  logic::ModelProperty property =
      formula.extra_ == nullptr ? logic::ModelProperty() : formula.extra_->property;
  property.formula = {id_in(pool, formula, known), formula.name_, formula.text(),
                      formula.location_};
  return property;
}

Formula Formula::parse_mu(std::string_view text, const std::string& name) {
  logic::FormulaPool pool(format::atom_dialects());
  const base::Input input = base::Input::from_text(name, text);
  logic::ModelProperty property = format::translate_mu_property(input, input.text(), pool);
  property.formula.name.clear();
  return property.mu == nullptr
             ? FormulaAccess::of(std::move(pool), property.formula)
             : FormulaAccess::of(std::move(pool), std::span(&property, 1)).front();
}

Formula Formula::parse(std::string_view text, const SourceLocation& where) {
  logic::FormulaPool pool(format::atom_dialects());
  const logic::FormulaId id = logic::parse_formula(pool, text, where);
  return FormulaAccess::of(std::move(pool), logic::NamedFormula{id, "", std::string(text), where});
}

std::vector<Formula> Formula::parse_lines(std::string_view text, const std::string& file) {
  logic::FormulaPool pool(format::atom_dialects());
  const std::vector<logic::NamedFormula> formulas = logic::parse_formula_file(pool, text, file);
  return FormulaAccess::of(std::move(pool), formulas);
}

std::vector<Formula> Formula::read(const std::string& path) {
  logic::FormulaPool pool(format::atom_dialects());
  const std::vector<logic::NamedFormula> formulas =
      format::find_formula_format(path).read(base::Input::read(path), pool);
  return FormulaAccess::of(std::move(pool), formulas);
}

Formula Formula::constant(bool value) {
  return Formula(leaf(value ? logic::Op::True : logic::Op::False));
}

Formula Formula::atom(std::string_view proposition) {
  return Formula(leaf(logic::Op::Atom, std::string(proposition)));
}

Formula Formula::unary(std::string_view op, const Formula& operand) {
  return Formula(
      std::make_shared<const Node>(operator_named(op, 1), operand.root(), nullptr, std::string()));
}

Formula Formula::binary(std::string_view op, const Formula& left, const Formula& right) {
  return Formula(std::make_shared<const Node>(operator_named(op, 2), left.root(), right.root(),
                                              std::string()));
}

std::string_view Formula::op() const {
  if (!is_formula()) {
    return {};
  }
  const logic::Op op =
      root_ != nullptr ? root_->op : read_from_->pool[logic::FormulaId(number_)].op;
  return witness::kOpNames[static_cast<std::size_t>(op)];
}

std::string_view Formula::proposition() const {
  if (op() != witness::kOpNames[static_cast<std::size_t>(logic::Op::Atom)]) {
    return {};
  }
  return root_ != nullptr ? std::string_view(root_->atom)
                          : read_from_->pool.atom_name(logic::FormulaId(number_));
}

std::vector<Formula> Formula::operands() const {
  std::vector<Formula> out;
  const NodePointer node = root();
  if (node != nullptr && node->left != nullptr) {
    out.push_back(Formula(node->left));
  }
  if (node != nullptr && node->right != nullptr) {
    out.push_back(Formula(node->right));
  }
  return out;
}

std::string Formula::text() const {
  return text_.empty() ? to_string() : text_;
}

std::string Formula::to_string() const {
  if (!is_formula()) {
    return text_;
  }
  logic::FormulaPool pool;
  FormulaAccess::Known known;
  const logic::FormulaId id = FormulaAccess::id_in(pool, *this, known);
  return logic::to_string(pool, id);
}

Formula Formula::named(std::string name) const {
  Formula formula = *this;
  formula.name_ = std::move(name);
  return formula;
}

bool operator==(const Formula& one, const Formula& other) {
  if (!one.is_formula() || !other.is_formula()) {
    return one.text_ == other.text_ && one.is_formula() == other.is_formula();
  }
  logic::FormulaPool pool;
  FormulaAccess::Known known;
  return FormulaAccess::id_in(pool, one, known) == FormulaAccess::id_in(pool, other, known);
}

}  // namespace nestor
