#include "program/result_checks.h"

#include "program/constants.h"
#include "program/number_set.h"
#include "program/relevance.h"

#include <algorithm>
#include <unordered_map>

namespace nestor::program {

namespace {

/// A comparison of a result with a constant.
struct Test {
  Relation relation = Relation::Equal;
  bool is_unsigned = false;
  std::int64_t number = 0;

  NumberSet fulfilled_by(const NumberSet& numbers) const {
    return is_unsigned ? numbers.where_unsigned(relation, number) : numbers.where(relation, number);
  }
};

/// Pointers and what else is "not 0" when all went well are not negative in practice.
NumberSet numbers_of(const ResultClass& results, bool is_success) {
  switch (results.kind) {
    case ResultClass::Kind::None:
      return {};
    case ResultClass::Kind::Range:
      return NumberSet::range(results.low, results.high);
    case ResultClass::Kind::Null:
      return NumberSet::only(0);
    default:
      return is_success ? NumberSet::range(1, NumberSet::kHighest) : NumberSet::except(0);
  }
}

bool is_blind(const Test& test, const ExternalFunction& known) {
  const NumberSet success = numbers_of(known.success, true);
  const NumberSet failure = numbers_of(known.failure, false);
  if (success.is_empty() || failure.is_empty()) {
    return false;
  }
  const NumberSet yes_success = test.fulfilled_by(success);
  const NumberSet yes_failure = test.fulfilled_by(failure);
  if ((yes_success.is_empty() && yes_failure.is_empty()) ||
      (yes_success == success && yes_failure == failure)) {
    return true;
  }
  return known.zero_is_usual && test.number == 0 &&
         (test.relation == Relation::Equal || test.relation == Relation::NotEqual);
}

/// Where the values of a function go, as far as results of calls need it.
class Uses {
 public:
  Uses(const Program& program, const Function& function) : program_(program), function_(function) {
    for (const ValueId value : function.values.ids()) {
      const Value& term = function.values[value];
      for (const ValueId operand : {term.left, term.right}) {
        if (operand.valid()) {
          terms_[operand.value()].push_back(value);
        }
      }
    }
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      if (const Action* action = function.action_of(p)) {
        for (const ValueId operand : {action->value, action->address}) {
          if (operand.valid()) {
            points_[operand.value()].push_back(p);
          }
        }
        for (const ValueId argument : action->arguments) {
          points_[argument.value()].push_back(p);
        }
      }
    }
  }

  /// The comparisons of a call's result, through casts and locals; none if it goes anywhere else,
  /// where others may compare it. A pointer may be followed and passed on: that is no look at it.
  std::vector<Test> tests_of(ValueId result, bool is_pointer) {
    tests_.clear();
    known_.clear();
    work_ = {result};
    while (!work_.empty()) {
      const ValueId value = work_.back();
      work_.pop_back();
      if (std::find(known_.begin(), known_.end(), value) != known_.end()) {
        continue;
      }
      known_.push_back(value);
      if (!follow_terms(value, is_pointer) || !follow_points(value, is_pointer)) {
        return {};
      }
    }
    return tests_;
  }

 private:
  bool follow_terms(ValueId value, bool is_pointer) {
    const auto found = terms_.find(value.value());
    if (found == terms_.end()) {
      return true;
    }
    for (const ValueId user : found->second) {
      const Value& term = function_.values[user];
      if (term.kind == Value::Kind::Compare) {
        const bool is_right = term.right == value;
        const auto other = constant_of(function_, is_right ? term.left : term.right);
        if (!other) {
          return false;
        }
        tests_.push_back(
            {is_right ? swapped(term.relation) : term.relation, term.is_unsigned, *other});
      } else if (term.kind == Value::Kind::SignExtend) {
        work_.push_back(user);
      } else if (!is_pointer ||
                 (term.kind != Value::Kind::Step && term.kind != Value::Kind::Inside)) {
        return false;
      }
    }
    return true;
  }

  bool follow_points(ValueId value, bool is_pointer) {
    const auto found = points_.find(value.value());
    if (found == points_.end()) {
      return true;
    }
    for (const std::uint32_t p : found->second) {
      const Action& action = *function_.action_of(p);
      if (action.kind == Action::Kind::Assume) {
        if (!action.is_else) {
          tests_.push_back({action.relation, false, action.number});
        }
      } else if (action.kind == Action::Kind::Write && action.value == value) {
        if (!follow_local(p)) {
          return false;
        }
      } else if (!is_pointer || action.kind == Action::Kind::Return ||
                 action.kind == Action::Kind::Choose) {
        return false;
      }
    }
    return true;
  }

  /// What is read of the local before something else is written there.
  bool follow_local(std::uint32_t write) {
    const VariableId local = location_of(function_.points[write]);
    if (!local.valid() || !program_.variables[local].exact ||
        program_.variables[local].kind != VariableKind::Local) {
      return false;
    }
    std::vector<std::uint8_t> seen(function_.points.size(), 0);
    std::vector<std::uint32_t> walk = function_.points[write].next;
    while (!walk.empty()) {
      const std::uint32_t p = walk.back();
      walk.pop_back();
      if (seen[p] != 0) {
        continue;
      }
      seen[p] = 1;
      const Point& point = function_.points[p];
      if (const Action* action = function_.action_of(p);
          action != nullptr && location_of(point) == local) {
        if (action->kind == Action::Kind::Write) {
          continue;
        }
        if (action->kind == Action::Kind::Read) {
          work_.push_back(action->result);
        }
      }
      walk.insert(walk.end(), point.next.begin(), point.next.end());
      if (point.unwind != UINT32_MAX) {
        walk.push_back(point.unwind);
      }
    }
    return true;
  }

  const Program& program_;
  const Function& function_;
  std::unordered_map<std::uint32_t, std::vector<ValueId>> terms_;         // by operand
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> points_;  // by operand
  std::vector<Test> tests_;
  std::vector<ValueId> known_;
  std::vector<ValueId> work_;
};

bool is_pointer(const ResultClass& success) {
  return success.kind == ResultClass::Kind::NonNull ||
         success.kind == ResultClass::Kind::Argument || success.kind == ResultClass::Kind::Inside;
}

}  // namespace

void find_misjudged_results(Program& program, const Externals& externals) {
  std::unordered_map<std::uint32_t, const ExternalFunction*> by_name;
  for (Function& function : program.functions) {
    std::optional<Uses> uses;
    for (std::uint32_t p = Function::kFirst; p < function.points.size(); ++p) {
      Point& point = function.points[p];
      const Action* action = function.action_of(p);
      if (action == nullptr || action->kind != Action::Kind::Call || !action->result.valid() ||
          point.kind != PointKind::Step || !point.callee.valid()) {
        continue;
      }
      const auto [found, fresh] = by_name.try_emplace(point.callee.value(), nullptr);
      if (fresh) {
        found->second = externals.find(program.text(point.callee));
      }
      const ExternalFunction* known = found->second;
      if (known == nullptr || known->failure.kind == ResultClass::Kind::None) {
        continue;
      }
      if (!uses) {
        uses.emplace(program, function);
      }
      const std::vector<Test> tests = uses->tests_of(action->result, is_pointer(known->success));
      if (!tests.empty() && std::all_of(tests.begin(), tests.end(),
                                        [&](const Test& test) { return is_blind(test, *known); })) {
        point.labels.push_back(program.strings.intern("ret_misjudged"));
      }
    }
  }
}

}  // namespace nestor::program
