#include "engine/summary/shape.h"

#include "logic/normal_form.h"

#include <string>
#include <unordered_map>

namespace nestor::summary {

namespace {

/// The shape of one formula with the propositions for its slots.
struct Shaped {
  Shape shape;
  std::vector<PropId> props;
};

/// Numbers subformulas in the order in which a depth-first walk leaves them, left operand first, so
/// that formulas equal up to names get equal numbers whatever else the pool holds.
class Shaper {
 public:
  explicit Shaper(const Task& task) : task_(task), number_(task.pool.size(), kUnseen) {}

  Shaped shape_of(FormulaId root) {
    Shaped shaped;
    std::vector<FormulaId> seen;
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
        seen.push_back(f);
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
    for (const FormulaId f : seen) {
      number_[f.value()] = kUnseen;
    }
    return shaped;
  }

 private:
  static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  static constexpr std::uint32_t kVisiting = kUnseen - 1;

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
    Shaped shaped = shaper.shape_of(task.formulas[i]);
    std::string key = key_of(shaped.shape);
    auto place = open_batch.find(key);
    if (place == open_batch.end() || result.batches[place->second].members.size() == most) {
      Batch batch;
      if (place == open_batch.end()) {
        batch.props.resize(shaped.shape.slots);
        result.shapes.push_back(std::make_unique<Shape>(std::move(shaped.shape)));
        batch.shape = result.shapes.back().get();
      } else {
        batch.shape = result.batches[place->second].shape;
        batch.props.resize(batch.shape->slots);
      }
      open_batch[key] = result.batches.size();
      place = open_batch.find(key);
      result.batches.push_back(std::move(batch));
    }
    Batch& batch = result.batches[place->second];
    batch.members.push_back(i);
    for (std::size_t slot = 0; slot < shaped.props.size(); ++slot) {
      batch.props[slot].push_back(shaped.props[slot]);
    }
  }
  return result;
}

}  // namespace nestor::summary
