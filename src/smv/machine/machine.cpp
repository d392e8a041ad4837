#include "smv/machine/machine.h"

#include <algorithm>
#include <cassert>

namespace nestor::smv {

Machine::Machine(const FlatModel& model, const Code& code)
    : model_(model), code_(code), variables_(model.variables.size()) {
  take_new_code();
}

void Machine::take_new_code() {
  registers_.insert(registers_.end(),
                    code_.initial.begin() + static_cast<std::ptrdiff_t>(registers_.size()),
                    code_.initial.end());
  computed_.resize(code_.functions.size(), 0);
}

std::int64_t Machine::value(std::uint32_t entry) {
  return run(entry, nullptr);
}

bool Machine::holds(std::uint32_t entry) {
  const std::int64_t value = run(entry, nullptr);
  if (value == kExit) {
    throw EvaluationFailed{Failure::IsExit, code_.instructions[entry].at};
  }
  return value != 0;
}

void Machine::values(std::uint32_t entry, std::vector<std::int64_t>& result) {
  result.clear();
  run(entry, &result);
  if (result.size() > 1) {
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
  }
}

std::int64_t Machine::wide_value(const Instruction& i, std::int64_t a, std::int64_t b) const {
  const Outcome outcome = apply_wide(model_.symbols.wide(), i.op, i.type, i.operand, a, b, i.extra);
  if (outcome.failure != Failure::None) {
    throw EvaluationFailed{outcome.failure, i.at};
  }
  return outcome.value;
}

// NOLINTNEXTLINE(readability-function-size): one case for each instruction
std::int64_t Machine::run(std::uint32_t entry, std::vector<std::int64_t>* yielded) {
  using Kind = Instruction::Code;
  returns_.clear();
  lists_.clear();
  std::int64_t* r = registers_.data();
  const auto truth = [r](const Instruction& i) {
    if (r[i.a] == kExit) {
      throw EvaluationFailed{Failure::IsExit, i.at};
    }
    return r[i.a] != 0;
  };
  const auto yield = [&](std::int64_t value) {
    std::vector<std::int64_t>* list = lists_.empty() ? yielded : &lists_.back();
    assert(list != nullptr);
    list->push_back(value);
  };
  for (std::uint32_t at = entry;;) {
    const Instruction& i = code_.instructions[at++];
    switch (i.code) {
      case Kind::Apply:
        if (i.op == Op::Equal) {
          r[i.result] = r[i.a] == r[i.b] ? 1 : 0;
        } else {
          const Outcome outcome = apply(i.op, i.type, i.operand, r[i.a], r[i.b], i.extra);
          if (outcome.failure != Failure::None) {
            throw EvaluationFailed{outcome.failure, i.at};
          }
          r[i.result] = outcome.value;
        }
        break;
      case Kind::ApplyWide:
        r[i.result] = wide_value(i, r[i.a], r[i.b]);
        break;
      case Kind::InSet: {
        const std::span<const std::int64_t> set = model_.terms.set(i.b);
        r[i.result] = std::binary_search(set.begin(), set.end(), r[i.a]) ? 1 : 0;
        break;
      }
      case Kind::Select: {
        const std::vector<Register>& list = code_.lists[i.b];
        const std::uint64_t index =
            static_cast<std::uint64_t>(r[i.a]) - static_cast<std::uint64_t>(i.extra);
        if (index >= list.size()) {
          throw EvaluationFailed{Failure::IndexOutOfBounds, i.at};
        }
        r[i.result] = r[list[static_cast<std::size_t>(index)]];
        break;
      }
      case Kind::Move:
        r[i.result] = r[i.a];
        break;
      case Kind::Jump:
        at = i.b;
        break;
      case Kind::JumpIfFalse:
        at = truth(i) ? at : i.b;
        break;
      case Kind::JumpIfTrue:
        at = truth(i) ? i.b : at;
        break;
      case Kind::Switch: {
        const SwitchTable& table = code_.tables[i.b];
        const std::uint64_t offset =
            static_cast<std::uint64_t>(r[i.a]) - static_cast<std::uint64_t>(table.base);
        std::uint32_t target = 0;
        if (!table.dense.empty()) {
          target = offset < table.dense.size() ? table.dense[static_cast<std::size_t>(offset)] : 0;
        } else if (const auto place = table.sparse.find(r[i.a]); place != table.sparse.end()) {
          target = place->second;
        }
        at = target == 0 ? table.otherwise : target;
        break;
      }
      case Kind::Call: {
        const Function& function = code_.functions[i.a];
        const std::uint64_t epoch = function.reads_next ? next_epoch_ : current_epoch_;
        if (computed_[i.a] != epoch) {
          returns_.push_back({at, i.a});
          at = function.entry;
        }
        break;
      }
      case Kind::Return:
        if (returns_.empty()) {
          return r[i.a];
        }
        {
          const Return back = returns_.back();
          returns_.pop_back();
          const Function& function = code_.functions[back.function];
          r[function.result] = r[i.a];
          computed_[back.function] = function.reads_next ? next_epoch_ : current_epoch_;
          at = back.at;
        }
        break;
      case Kind::Yield:
        yield(r[i.a]);
        break;
      case Kind::YieldSet:
        for (const std::int64_t value : model_.terms.set(i.a)) {
          yield(value);
        }
        break;
      case Kind::OpenList:
        lists_.emplace_back();
        break;
      case Kind::Product: {
        std::vector<std::int64_t> right = std::move(lists_.back());
        lists_.pop_back();
        std::vector<std::int64_t> left{0};
        if (i.b == 2) {
          left = std::move(lists_.back());
          lists_.pop_back();
        } else {
          std::swap(left, right);
        }
        const bool is_wide = is_wide_operation(i.op, i.type, i.operand, i.extra);
        for (const std::int64_t a : left) {
          for (const std::int64_t b : right) {
            if (is_wide) {
              yield(wide_value(i, a, b));
              continue;
            }
            const Outcome outcome = apply(i.op, i.type, i.operand, a, b, i.extra);
            if (outcome.failure != Failure::None) {
              throw EvaluationFailed{outcome.failure, i.at};
            }
            yield(outcome.value);
          }
        }
        break;
      }
      case Kind::NoBranch:
        throw EvaluationFailed{Failure::None, i.at};
      case Kind::End:
        return 0;
    }
  }
}

}  // namespace nestor::smv
