#include "api/formula_access.h"
#include "base/input.h"
#include "format/formula_registry.h"
#include "format/pds/mu_calculus.h"
#include "format/registry.h"
#include "logic/printer.h"
#include "witness/witness_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace nestor {

namespace {

using NodePointer = std::shared_ptr<const Formula::Node>;

/// The formula of a pool as a graph of its own.
NodePointer copied(const logic::FormulaPool& pool, logic::FormulaId formula) {
  std::unordered_map<std::uint32_t, NodePointer> made;
  for (const logic::FormulaId id : logic::subformulas(pool, formula)) {
    const logic::Formula& f = pool[id];
    const int operands = logic::operand_count(f.op);
    made[id.value()] = std::make_shared<const Formula::Node>(
        f.op, operands >= 1 ? made[f.left.value()] : nullptr,
        operands == 2 ? made[f.right.value()] : nullptr,
        f.op == logic::Op::Atom ? std::string(pool.atom_name(id)) : std::string());
  }
  return made[formula.value()];
}

/// The other way round; operands before what they stand in.
logic::FormulaId interned(logic::FormulaPool& pool, const NodePointer& root) {
  std::unordered_map<const Formula::Node*, logic::FormulaId> made;
  std::vector<const Formula::Node*> open{root.get()};
  while (!open.empty()) {
    const Formula::Node* node = open.back();
    const std::size_t before = open.size();
    for (const NodePointer* operand : {&node->right, &node->left}) {  // the left one first
      if (*operand != nullptr && !made.contains(operand->get())) {
        open.push_back(operand->get());
      }
    }
    if (open.size() > before) {
      continue;
    }
    open.pop_back();
    const auto of = [&](const NodePointer& operand) { return made.at(operand.get()); };
    made[node] = node->op == logic::Op::Atom ? pool.atom(node->atom)
                 : node->left == nullptr     ? pool.constant(node->op == logic::Op::True)
                 : node->right == nullptr    ? pool.unary(node->op, of(node->left))
                                          : pool.binary(node->op, of(node->left), of(node->right));
  }
  return made.at(root.get());
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

std::vector<Formula> all_of(const logic::FormulaPool& pool,
                            const std::vector<logic::NamedFormula>& formulas) {
  std::vector<Formula> out;
  out.reserve(formulas.size());
  for (const logic::NamedFormula& formula : formulas) {
    out.push_back(FormulaAccess::of(pool, formula));
  }
  return out;
}

}  // namespace

Formula::Node::~Node() {
  std::vector<NodePointer> ending;
  const auto take = [&ending](NodePointer& operand) {
    if (operand != nullptr && operand.use_count() == 1) {
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

Formula FormulaAccess::of(const logic::FormulaPool& pool, const logic::NamedFormula& named) {
  Formula formula(copied(pool, named.formula));
  formula.name_ = named.name;
  formula.text_ = named.text;
  formula.location_ = named.location;
  return formula;
}

Formula FormulaAccess::of(const logic::FormulaPool& pool, const logic::ModelProperty& property) {
  const logic::NamedFormula& named = property.formula;
  Formula formula(named.formula.valid() ? copied(pool, named.formula) : nullptr);
  formula.name_ = named.name;
  formula.text_ = named.text;
  formula.location_ = named.location;
  formula.unsupported_ = property.unsupported;
  formula.extra_ = std::make_shared<const Formula::Extra>(Formula::Extra{property});
  return formula;
}

logic::ModelProperty FormulaAccess::into(logic::FormulaPool& pool, const Formula& formula) {
  logic::ModelProperty property =
      formula.extra_ == nullptr ? logic::ModelProperty() : formula.extra_->property;
  property.formula = {formula.root_ == nullptr ? logic::FormulaId() : interned(pool, formula.root_),
                      formula.name_, formula.text(), formula.location_};
  return property;
}

Formula Formula::parse_mu(std::string_view text, const std::string& name) {
  logic::FormulaPool pool(format::atom_dialects());
  const base::Input input = base::Input::from_text(name, text);
  logic::ModelProperty property = format::translate_mu_property(input, input.text(), pool);
  property.formula.name.clear();
  return property.mu == nullptr ? FormulaAccess::of(pool, property.formula)
                                : FormulaAccess::of(pool, property);
}

Formula Formula::parse(std::string_view text, const SourceLocation& where) {
  logic::FormulaPool pool(format::atom_dialects());
  const logic::FormulaId id = logic::parse_formula(pool, text, where);
  return FormulaAccess::of(pool, logic::NamedFormula{id, "", std::string(text), where});
}

std::vector<Formula> Formula::parse_lines(std::string_view text, const std::string& file) {
  logic::FormulaPool pool(format::atom_dialects());
  return all_of(pool, logic::parse_formula_file(pool, text, file));
}

std::vector<Formula> Formula::read(const std::string& path) {
  logic::FormulaPool pool(format::atom_dialects());
  return all_of(pool, format::find_formula_format(path).read(base::Input::read(path), pool));
}

Formula Formula::constant(bool value) {
  return Formula(leaf(value ? logic::Op::True : logic::Op::False));
}

Formula Formula::atom(std::string_view proposition) {
  return Formula(leaf(logic::Op::Atom, std::string(proposition)));
}

Formula Formula::unary(std::string_view op, const Formula& operand) {
  return Formula(
      std::make_shared<const Node>(operator_named(op, 1), operand.root_, nullptr, std::string()));
}

Formula Formula::binary(std::string_view op, const Formula& left, const Formula& right) {
  return Formula(
      std::make_shared<const Node>(operator_named(op, 2), left.root_, right.root_, std::string()));
}

std::string_view Formula::op() const {
  return root_ == nullptr ? std::string_view()
                          : witness::kOpNames[static_cast<std::size_t>(root_->op)];
}

std::string_view Formula::proposition() const {
  return root_ == nullptr ? std::string_view() : std::string_view(root_->atom);
}

std::vector<Formula> Formula::operands() const {
  std::vector<Formula> out;
  if (root_ != nullptr && root_->left != nullptr) {
    out.push_back(Formula(root_->left));
  }
  if (root_ != nullptr && root_->right != nullptr) {
    out.push_back(Formula(root_->right));
  }
  return out;
}

std::string Formula::text() const {
  return text_.empty() ? to_string() : text_;
}

std::string Formula::to_string() const {
  if (root_ == nullptr) {
    return text_;
  }
  logic::FormulaPool pool;
  const logic::FormulaId id = interned(pool, root_);
  return logic::to_string(pool, id);
}

Formula Formula::named(std::string name) const {
  Formula formula = *this;
  formula.name_ = std::move(name);
  return formula;
}

bool operator==(const Formula& one, const Formula& other) {
  if (FormulaAccess::root(one) == nullptr || FormulaAccess::root(other) == nullptr) {
    return one.text_ == other.text_ && FormulaAccess::root(one) == FormulaAccess::root(other);
  }
  logic::FormulaPool pool;
  return interned(pool, one.root_) == interned(pool, other.root_);
}

}  // namespace nestor
