#include "engine/summary/shape.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace nestor::engine::summary {

namespace {

/// The shape of formulas with the propositions for its slots and what its steps are.
struct Shaped {
  Shape shape;
  std::vector<model::PropId> props;
  std::vector<logic::FormulaId> formulas;  // by step
};

/// Numbers subformulas in the order in which a depth-first walk leaves them, left operand first, so
/// that formulas equal up to names get equal numbers whatever else the pool holds.
class Shaper {
 public:
  explicit Shaper(const Task& task) : task_(task), number_(task.pool.size(), kUnseen) {}

  Shaped shape_of(std::span<const logic::FormulaId> roots) {
    Shaped shaped;
    for (const logic::FormulaId root : roots) {
      walk(root, shaped);
      shaped.shape.roots.push_back(number_[root.value()]);
    }
    for (const logic::FormulaId f : shaped.formulas) {
      number_[f.value()] = kUnseen;
    }
    return shaped;
  }

 private:
  static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  static constexpr std::uint32_t kVisiting = kUnseen - 1;

  void walk(logic::FormulaId root, Shaped& shaped) {
    std::vector<logic::FormulaId>& stack = stack_;  // empty, but with its memory
    stack.push_back(root);
    while (!stack.empty()) {
      const logic::FormulaId f = stack.back();
      const logic::Formula& formula = task_.pool[f];
      if (number_[f.value()] < kVisiting) {
        stack.pop_back();
        continue;
      }
      if (number_[f.value()] == kUnseen) {
        number_[f.value()] = kVisiting;
        const int operands = logic::operand_count(formula.op);
        if (operands == 2) {
          stack.push_back(formula.right);
        }
        if (operands >= 1) {
          stack.push_back(formula.left);
        }
        continue;
      }
      stack.pop_back();
      leave(f, formula, shaped);
    }
  }

  void leave(logic::FormulaId f, const logic::Formula& formula, Shaped& shaped) {
    Step step;
    step.op = formula.op;
    const int operands = logic::operand_count(formula.op);
    step.left = operands >= 1 ? number_[formula.left.value()] : 0;
    step.right = operands == 2 ? number_[formula.right.value()] : 0;
    // Operands come first, and the formula is in existential normal form.
    assert(operands < 1 || step.left < shaped.shape.steps.size());
    assert(operands < 2 || step.right < shaped.shape.steps.size());
    assert(operands == 0 || formula.op == logic::Op::Not || formula.op == logic::Op::Or ||
           logic::is_existential(formula.op));
    if (formula.op == logic::Op::Atom) {
      step.slot = static_cast<std::uint32_t>(shaped.shape.slots++);
      shaped.props.push_back(task_.model.find_prop(task_.pool.atom_name(f)));
    }
    number_[f.value()] = static_cast<std::uint32_t>(shaped.shape.steps.size());
    shaped.shape.steps.push_back(step);
    shaped.formulas.push_back(f);
  }

  const Task& task_;
  std::vector<std::uint32_t> number_;
  std::vector<logic::FormulaId> stack_;
};

std::string key_of(const Shape& shape) {
  std::string key;
  for (const Step& step : shape.steps) {
    const std::uint32_t fields[] = {static_cast<std::uint32_t>(step.op), step.left, step.right,
                                    step.slot};
    key.append(reinterpret_cast<const char*>(fields), sizeof fields);
  }
  key.append(reinterpret_cast<const char*>(shape.roots.data()),
             shape.roots.size() * sizeof(shape.roots[0]));
  return key;
}

/// Finds formulas of different shapes that have an existential subformula in common, directly or
/// through others: union-find. Formulas of one shape are not put together: side by side they share
/// the work on it anyway.
class Families {
 public:
  /// A formula of which equal shapes have equal `shape`. Its number is that of calls before.
  void add(const Shaped& shaped, std::size_t shape) {
    const std::size_t i = parent_.size();
    parent_.push_back(i);
    shapes_.push_back({shape});
    for (std::size_t s = 0; s < shaped.formulas.size(); ++s) {
      if (logic::is_existential(shaped.shape.steps[s].op)) {
        const auto [first, is_new] = first_with_.try_emplace(shaped.formulas[s], i);
        if (!is_new) {
          unite(find(i), find(first->second));
        }
      }
    }
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }

 private:
  void unite(std::size_t a, std::size_t b) {
    if (shapes_[a].size() > shapes_[b].size()) {
      std::swap(a, b);
    }
    const auto also_in_b = [&](std::size_t shape) { return shapes_[b].contains(shape); };
    if (a == b || std::ranges::any_of(shapes_[a], also_in_b)) {
      return;
    }
    parent_[a] = b;
    shapes_[b].merge(shapes_[a]);
    assert(shapes_[a].empty());  // formulas of one shape are in families of their own
  }

  std::vector<std::size_t> parent_;
  std::vector<std::unordered_set<std::size_t>> shapes_;  // by representative
  std::unordered_map<logic::FormulaId, std::size_t> first_with_;
};

/// Families of one shape side by side.
class Batcher {
 public:
  explicit Batcher(std::size_t most) : most_(most) {}

  void add(Shaped family, const std::vector<std::size_t>& members) {
    const auto [place, is_new] = open_.try_emplace(key_of(family.shape), batches_.size());
    if (!is_new && batches_[place->second].width < most_) {
      append(batches_[place->second], family, members);
      return;
    }
    Batch batch;
    batch.props.resize(family.props.size());
    if (is_new) {
      batch.shape = std::make_shared<Shape>(std::move(family.shape));
    } else {
      batch.shape = batches_[place->second].shape;
      place->second = batches_.size();
    }
    append(batch, family, members);
    batches_.push_back(std::move(batch));
  }

  std::vector<Batch> run() {
    for (Batch& batch : batches_) {  // from family by family to root by root
      const std::size_t roots = batch.shape->roots.size();
      assert(batch.members.size() == roots * batch.width);
      std::vector<std::size_t> members(batch.members.size());
      for (std::size_t k = 0; k < members.size(); ++k) {
        members[k % roots * batch.width + k / roots] = batch.members[k];
      }
      batch.members = std::move(members);
    }
    return std::move(batches_);
  }

 private:
  static void append(Batch& batch, const Shaped& family, const std::vector<std::size_t>& members) {
    assert(batch.props.size() == family.props.size());
    assert(batch.shape->roots.size() == members.size());
    ++batch.width;
    batch.members.insert(batch.members.end(), members.begin(), members.end());
    for (std::size_t slot = 0; slot < family.props.size(); ++slot) {
      batch.props[slot].push_back(family.props[slot]);
    }
  }

  std::size_t most_;
  std::vector<Batch> batches_;
  std::unordered_map<std::string, std::size_t> open_;  // of each shape, the one not full yet
};

}  // namespace

Batches make_batches(const Task& task, std::size_t most) {
  Batches result;
  Shaper shaper(task);
  Families families;
  std::unordered_map<logic::FormulaId, std::size_t> first_of;
  std::unordered_map<std::string, std::size_t> shape_numbers;
  struct Member {
    std::size_t shape = 0;
    std::size_t position = 0;  // in the task
  };
  std::vector<Shaped> alone;  // like `distinct`
  std::vector<Member> distinct;
  for (std::size_t i = 0; i < task.formulas.size(); ++i) {
    const auto [first, is_new] = first_of.try_emplace(task.formulas[i], i);
    result.same_as.push_back(first->second);
    if (is_new) {
      Shaped shaped = shaper.shape_of({&task.formulas[i], 1});
      const std::size_t shape =
          shape_numbers.try_emplace(key_of(shaped.shape), shape_numbers.size()).first->second;
      families.add(shaped, shape);
      distinct.push_back({shape, i});
      alone.push_back(std::move(shaped));
    }
  }
  std::vector<std::vector<Member>> members(distinct.size());  // by family
  for (std::size_t d = 0; d < distinct.size(); ++d) {
    members[families.find(d)].push_back(distinct[d]);
  }
  Batcher batcher(most);
  for (std::size_t d = 0; d < distinct.size(); ++d) {
    std::vector<Member>& family = members[families.find(d)];
    if (family.empty()) {
      continue;  // met before
    }
    // Families with the same shapes in them look the same only if they have them in one order.
    std::ranges::sort(family, {}, &Member::shape);
    std::vector<logic::FormulaId> roots;
    std::vector<std::size_t> positions;
    for (const Member& member : family) {
      roots.push_back(task.formulas[member.position]);
      positions.push_back(member.position);
    }
    batcher.add(family.size() == 1 ? std::move(alone[d]) : shaper.shape_of(roots), positions);
    family.clear();
  }
  result.batches = batcher.run();
  return result;
}

std::pair<Batch, Batch> halves_of(const Batch& batch) {
  assert(batch.members.size() > 1);
  const std::size_t roots = batch.shape->roots.size();
  const auto cut = [](const auto& items, std::size_t from, std::size_t to) {
    using Items = std::decay_t<decltype(items)>;
    return Items(items.begin() + static_cast<std::ptrdiff_t>(from),
                 items.begin() + static_cast<std::ptrdiff_t>(to));
  };
  const auto by_width = [&](std::size_t from, std::size_t to) {
    Batch part{batch.shape, to - from, {}, {}};
    for (std::size_t root = 0; root < roots; ++root) {
      for (std::size_t m = from; m < to; ++m) {
        part.members.push_back(batch.members[root * batch.width + m]);
      }
    }
    for (const std::vector<model::PropId>& props : batch.props) {
      part.props.push_back(cut(props, from, to));
    }
    return part;
  };
  const auto by_roots = [&](std::size_t from, std::size_t to) {
    assert(batch.width == 1);
    Batch part = batch;
    part.members = cut(batch.members, from, to);
    auto shape = std::make_shared<Shape>(*batch.shape);
    shape->roots = cut(batch.shape->roots, from, to);
    part.shape = std::move(shape);
    return part;
  };
  if (batch.width > 1) {
    return {by_width(0, batch.width / 2), by_width(batch.width / 2, batch.width)};
  }
  return {by_roots(0, roots / 2), by_roots(roots / 2, roots)};
}

}  // namespace nestor::engine::summary
