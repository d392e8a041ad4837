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

/// Formulas of a pool as a graph of their own, in which what they have in common is shared.
class Copies {
 public:
  explicit Copies(const logic::FormulaPool& pool) : pool_(pool), made_(pool.size()) {}

  NodePointer of(logic::FormulaId formula) {
    open_.assign(1, formula);
    while (!open_.empty()) {
      const logic::FormulaId id = open_.back();
      const logic::Formula& f = pool_[id];
      const int operands = logic::operand_count(f.op);
      const std::size_t before = open_.size();
      if (made_[id.value()] == nullptr) {
        if (operands >= 1 && made_[f.left.value()] == nullptr) {
          open_.push_back(f.left);
        }
        if (operands == 2 && made_[f.right.value()] == nullptr) {
          open_.push_back(f.right);
        }
      }
      if (open_.size() > before) {
        continue;
      }
      open_.pop_back();
      if (made_[id.value()] == nullptr) {
        made_[id.value()] = std::make_shared<const Formula::Node>(
            f.op, operands >= 1 ? made_[f.left.value()] : nullptr,
            operands == 2 ? made_[f.right.value()] : nullptr,
            f.op == logic::Op::Atom ? std::string(pool_.atom_name(id)) : std::string());
      }
    }
    return made_[formula.value()];
  }

 private:
  const logic::FormulaPool& pool_;
  std::vector<NodePointer> made_;  // by formula of the pool; null until it is needed
  std::vector<logic::FormulaId> open_;
};

/// The other way round; operands before what they stand in.
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
                   : node.left == nullptr     ? pool.constant(node.op == logic::Op::True)
                   : node.right == nullptr    ? pool.unary(node.op, left)
                                              : pool.binary(node.op, left, right));
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

std::vector<Formula> all_of(const logic::FormulaPool& pool,
                            const std::vector<logic::NamedFormula>& formulas) {
  Copies copies(pool);
  std::vector<Formula> out;
  out.reserve(formulas.size());
  for (const logic::NamedFormula& formula : formulas) {
    out.push_back(FormulaAccess::make(copies.of(formula.formula), formula));
  }
  return out;
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

Formula FormulaAccess::of(const logic::FormulaPool& pool, const logic::NamedFormula& named) {
  return make(Copies(pool).of(named.formula), named);
}

Formula FormulaAccess::make(std::shared_ptr<const Formula::Node> root,
                            const logic::NamedFormula& named) {
  Formula formula(std::move(root));
  formula.name_ = named.name;
  formula.text_ = named.text;
  formula.location_ = named.location;
  return formula;
}

std::vector<Formula> FormulaAccess::of(const logic::FormulaPool& pool,
                                       std::span<const logic::ModelProperty> properties) {
  Copies copies(pool);
  std::vector<Formula> formulas;
  formulas.reserve(properties.size());
  for (const logic::ModelProperty& property : properties) {
    const logic::NamedFormula& named = property.formula;
    Formula formula = make(named.formula.valid() ? copies.of(named.formula) : nullptr, named);
    formula.unsupported_ = property.unsupported;
    formula.extra_ = std::make_shared<const Formula::Extra>(Formula::Extra{property});
    formulas.push_back(std::move(formula));
  }
  return formulas;
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
                                : FormulaAccess::of(pool, {&property, 1}).front();
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
