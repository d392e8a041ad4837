#include "engine/summary/shape.h"

#include "logic/normal_form.h"

#include <string>
#include <unordered_map>

namespace nestor::summary {

namespace {

/// The shape of formulas with the propositions for its slots and what its steps are.
struct Shaped {
  Shape shape;
  std::vector<PropId> props;
  std::vector<FormulaId> formulas;  // by step
};

/// Numbers subformulas in the order in which a depth-first walk leaves them, left operand first, so
/// that formulas equal up to names get equal numbers whatever else the pool holds.
class Shaper {
 public:
  explicit Shaper(const Task& task) : task_(task), number_(task.pool.size(), kUnseen) {}

  Shaped shape_of(const std::vector<FormulaId>& roots) {
    Shaped shaped;
    for (const FormulaId root : roots) {
      walk(root, shaped);
      shaped.shape.roots.push_back(number_[root.value()]);
    }
    for (const FormulaId f : shaped.formulas) {
      number_[f.value()] = kUnseen;
    }
    return shaped;
  }

 private:
  static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  static constexpr std::uint32_t kVisiting = kUnseen - 1;

  void walk(FormulaId root, Shaped& shaped) {
    std::vector<FormulaId> stack{root};
    while (!stack.empty()) {
      const FormulaId f = stack.back();
      const Formula& formula = task_.pool[f];
      if (number_[f.value()] < kVisiting) {
        stack.pop_back();
        continue;
      }
      if (number_[f.value()] == kUnseen) {
        number_[f.value()] = kVisiting;
        const int operands = operand_count(formula.op);
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

  void leave(FormulaId f, const Formula& formula, Shaped& shaped) {
    Step step;
    step.op = formula.op;
    const int operands = operand_count(formula.op);
    step.left = operands >= 1 ? number_[formula.left.value()] : 0;
    step.right = operands == 2 ? number_[formula.right.value()] : 0;
    if (formula.op == Op::Atom) {
      step.slot = static_cast<std::uint32_t>(shaped.shape.slots++);
      shaped.props.push_back(task_.model.find_prop(task_.pool.atom_name(f)));
    }
    number_[f.value()] = static_cast<std::uint32_t>(shaped.shape.steps.size());
    shaped.shape.steps.push_back(step);
    shaped.formulas.push_back(f);
  }

  const Task& task_;
  std::vector<std::uint32_t> number_;
};

std::string key_of(const Shape& shape) {
  std::string key;
  for (const Step& step : shape.steps) {
    const std::uint32_t fields[] = {static_cast<std::uint32_t>(step.op), step.left, step.right,
                                    step.slot};
    key.append(reinterpret_cast<const char*>(fields), sizeof fields);
  }
  return key;
}

/// Finds which formulas that are alone have an existential subformula in common, directly or
/// through others: union-find.
class Companions {
 public:
  explicit Companions(std::size_t count) : parent_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      parent_[i] = i;
    }
  }

  void add(std::size_t i, const Shaped& shaped) {
    for (std::size_t s = 0; s < shaped.formulas.size(); ++s) {
      if (is_existential(shaped.shape.steps[s].op)) {
        const auto [first, is_new] = first_with_.try_emplace(shaped.formulas[s], i);
        if (!is_new) {
          parent_[find(i)] = find(first->second);
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
  std::vector<std::size_t> parent_;
  std::unordered_map<FormulaId, std::size_t> first_with_;
};

Batch batch_of(Shaped shaped, std::vector<std::size_t> members) {
  Batch batch;
  batch.width = 1;
  batch.members = std::move(members);
  for (const PropId p : shaped.props) {
    batch.props.push_back({p});
  }
  batch.shape = std::make_shared<Shape>(std::move(shaped.shape));
  return batch;
}

/// Puts companions among the batches of a single formula together.
std::vector<Batch> join_companions(const Task& task, Shaper& shaper, std::vector<Batch> batches) {
  Companions companions(batches.size());
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if (batches[b].width == 1) {
      companions.add(b, shaper.shape_of({task.formulas[batches[b].members[0]]}));
    }
  }
  std::vector<std::vector<std::size_t>> together(batches.size());
  for (std::size_t b = 0; b < batches.size(); ++b) {
    together[companions.find(b)].push_back(batches[b].members[0]);
  }
  std::vector<Batch> joined;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    std::vector<std::size_t>& members = together[companions.find(b)];
    if (members.size() == 1) {
      joined.push_back(std::move(batches[b]));
    } else if (!members.empty()) {
      std::vector<FormulaId> roots;
      roots.reserve(members.size());
      for (const std::size_t member : members) {
        roots.push_back(task.formulas[member]);
      }
      joined.push_back(batch_of(shaper.shape_of(roots), std::move(members)));
      members.clear();
    }
  }
  return joined;
}

}  // namespace

Batches make_batches(const Task& task, std::size_t most) {
  Batches result;
  Shaper shaper(task);
  std::unordered_map<FormulaId, std::size_t> first_of;
  std::unordered_map<std::string, std::size_t> open_batch;  // of each shape, the one not full yet
  for (std::size_t i = 0; i < task.formulas.size(); ++i) {
    const auto [first, is_new] = first_of.try_emplace(task.formulas[i], i);
    result.same_as.push_back(first->second);
    if (!is_new) {
      continue;
    }
    Shaped shaped = shaper.shape_of({task.formulas[i]});
    const auto [place, is_new_shape] =
        open_batch.try_emplace(key_of(shaped.shape), result.batches.size());
    if (is_new_shape) {
      result.batches.push_back(batch_of(std::move(shaped), {i}));
      continue;
    }
    if (result.batches[place->second].width == most) {
      Batch next = batch_of(std::move(shaped), {i});
      next.shape = result.batches[place->second].shape;
      place->second = result.batches.size();
      result.batches.push_back(std::move(next));
      continue;
    }
    Batch& batch = result.batches[place->second];
    ++batch.width;
    batch.members.push_back(i);
    for (std::size_t slot = 0; slot < shaped.props.size(); ++slot) {
      batch.props[slot].push_back(shaped.props[slot]);
    }
  }
  result.batches = join_companions(task, shaper, std::move(result.batches));
  return result;
}

Batch part_of(const Batch& batch, std::size_t from, std::size_t to) {
  const auto cut = [from, to](const auto& items) {
    using Items = std::decay_t<decltype(items)>;
    return Items(items.begin() + static_cast<std::ptrdiff_t>(from),
                 items.begin() + static_cast<std::ptrdiff_t>(to));
  };
  Batch part = batch;
  part.members = cut(batch.members);
  if (batch.shape->roots.size() > 1) {
    auto shape = std::make_shared<Shape>(*batch.shape);
    shape->roots = cut(batch.shape->roots);
    part.shape = std::move(shape);
    return part;
  }
  part.width = to - from;
  for (std::vector<PropId>& props : part.props) {
    props = cut(props);
  }
  return part;
}

}  // namespace nestor::summary
