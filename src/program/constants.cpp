#include "program/constants.h"

#include "program/number_set.h"
#include "program/relevance.h"

#include <algorithm>
#include <unordered_map>

namespace nestor::program {

namespace {

constexpr int kMostRounds = 8;

/// What can be given so far: nothing, one constant, or more.
struct Given {
  bool is_any = false;
  bool is_null = false;  // the constant is the null pointer
  std::optional<std::int64_t> constant;

  void add(std::optional<std::int64_t> one) {
    is_any |= !one || (constant && *constant != *one);
    constant = one;
  }
  friend bool operator==(const Given&, const Given&) = default;
};

std::int64_t cut_to(std::int64_t number, unsigned bits) {
  if (bits >= 64) {
    return number;
  }
  const auto wide = static_cast<std::uint64_t>(number) << (64 - bits);
  return bits == 1 ? static_cast<std::int64_t>(wide >> 63U)
                   : static_cast<std::int64_t>(wide) >> (64 - bits);
}

class Propagation {
 public:
  explicit Propagation(Program& program)
      : program_(program), results_(program.functions.size()), work_(program.functions.size(), 1) {}

  /// What is found of a function depends on nothing else than itself, once it is known what the
  /// functions that it calls return: it is looked at again only if it has changed.
  void run() {
    for (int round = 0; round < kMostRounds && changed_; ++round) {
      changed_ = false;
      Flags next(program_.functions.size(), 0);
      for (const FunctionId f : program_.functions.ids()) {
        if (work_[f] != 0) {
          is_changed_ = false;
          drop_branches(program_.functions[f]);
          fold_locals(program_.functions[f]);
          next[f] = is_changed_ ? 1 : 0;
          changed_ |= is_changed_;
        }
      }
      fold_results(next);
      work_ = std::move(next);
    }
  }

 private:
  using Flags = base::IdVector<FunctionId, std::uint8_t>;

  static bool is_never(const Function& function, std::uint32_t p) {
    const Action* action = function.action_of(p);
    if (action == nullptr || action->kind != Action::Kind::Assume) {
      return false;
    }
    const std::optional<std::int64_t> value = constant_of(function, action->value);
    if (!value) {
      return false;
    }
    return action->is_else ? std::find(action->others.begin(), action->others.end(), *value) !=
                                 action->others.end()
                           : !holds(*value, action->relation, action->number);
  }

  void drop_branches(Function& function) {
    for (Point& point : function.points) {
      const auto never = std::remove_if(
          point.next.begin(), point.next.end(),
          [&](std::uint32_t next) { return next >= Function::kFirst && is_never(function, next); });
      is_changed_ |= never != point.next.end();
      point.next.erase(never, point.next.end());
    }
  }

  static std::vector<std::uint8_t> reached(const Function& function) {
    std::vector<std::uint8_t> seen(function.points.size(), 0);
    std::vector<std::uint32_t> work = {Function::kEntry};
    seen[Function::kEntry] = 1;
    const auto visit = [&](std::uint32_t to) {
      if (seen[to] == 0) {
        seen[to] = 1;
        work.push_back(to);
      }
    };
    while (!work.empty()) {
      const Point& point = function.points[work.back()];
      work.pop_back();
      std::for_each(point.next.begin(), point.next.end(), visit);
      if (point.unwind != UINT32_MAX) {
        visit(point.unwind);
      }
      if (!point.targets.empty()) {
        visit(function.longjmp_target);
      }
    }
    return seen;
  }

  /// A value that is always null stays what it is, so that one can tell where the null comes from.
  void set(Function& function, ValueId value, const Given& given) {
    Value& term = function.values[value];
    if (term.kind != Value::Kind::Constant && !term.is_null) {
      term.is_null = given.is_null;
      term.kind = given.is_null ? term.kind : Value::Kind::Constant;
      term.number = *given.constant;
      is_changed_ = true;
    }
  }

  /// Exact locals that are only ever given one constant; reading one before is not defined.
  void fold_locals(Function& function) {
    const std::vector<std::uint8_t> seen = reached(function);
    std::unordered_map<std::uint32_t, Given> given;
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const Action* action = function.action_of(p);
      if (seen[p] == 0 || action == nullptr || action->kind != Action::Kind::Write) {
        continue;
      }
      const VariableId location = location_of(function.points[p]);
      if (is_exact_local(location)) {
        Given& all = given[location.value()];
        all.add(constant_of(function, action->value));
        all.is_null |= function.values[action->value].is_null;
      }
    }
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const Action* action = function.action_of(p);
      if (action == nullptr || action->kind != Action::Kind::Read || !action->result.valid()) {
        continue;
      }
      const auto found = given.find(location_of(function.points[p]).value());
      if (found != given.end() && !found->second.is_any && found->second.constant) {
        set(function, action->result, found->second);
      }
    }
  }

  bool is_exact_local(VariableId location) const {
    return location.valid() && program_.variables[location].kind == VariableKind::Local &&
           program_.variables[location].exact;
  }

  /// Of the functions that were looked at in this round. `next` are those that have changed.
  void fold_results(Flags& next) {
    Flags is_news(program_.functions.size(), 0);
    for (const FunctionId f : program_.functions.ids()) {
      if (work_[f] != 0) {
        Given result = result_of(program_.functions[f]);
        is_news[f] = result == results_[f] ? 0 : 1;
        results_[f] = result;
      }
    }
    for (const FunctionId f : program_.functions.ids()) {
      Function& function = program_.functions[f];
      is_changed_ = false;
      for (std::uint32_t p = 0; p < function.points.size(); ++p) {
        const Point& point = function.points[p];
        if (point.targets.size() != 1 || is_news[point.targets.front()] == 0) {
          continue;
        }
        const Action* action = function.action_of(p);
        if (action == nullptr || action->kind != Action::Kind::Call || !action->result.valid() ||
            point.is_alternative) {
          continue;
        }
        const Given& result = results_[point.targets.front()];
        if (!result.is_any && result.constant) {
          set(function, action->result, result);
        }
      }
      next[f] = next[f] != 0 || is_changed_ ? 1 : 0;
      changed_ |= is_changed_;
    }
  }

  static Given result_of(const Function& function) {
    Given result;
    const std::vector<std::uint8_t> seen = reached(function);
    for (std::uint32_t p = 0; p < function.points.size(); ++p) {
      const Action* action = function.action_of(p);
      if (seen[p] != 0 && action != nullptr && action->kind == Action::Kind::Return) {
        result.add(constant_of(function, action->value));
        result.is_null |= action->value.valid() && function.values[action->value].is_null;
      }
    }
    return result;
  }

  Program& program_;
  base::IdVector<FunctionId, Given> results_;
  Flags work_;               // functions that this round is to look at
  bool is_changed_ = false;  // the function that is being looked at
  bool changed_ = true;      // some function
};

}  // namespace

std::optional<std::int64_t> constant_of(const Function& function, ValueId value) {
  if (!value.valid()) {
    return std::nullopt;
  }
  const Value& term = function.values[value];
  using Kind = Value::Kind;
  if (term.is_null) {
    return 0;
  }
  switch (term.kind) {
    case Kind::Constant:
      return term.number;
    case Kind::SignExtend:
    case Kind::ZeroExtend:
    case Kind::Truncate: {
      const std::optional<std::int64_t> operand = constant_of(function, term.left);
      if (!operand) {
        return std::nullopt;
      }
      if (term.kind == Kind::ZeroExtend && *operand < 0) {
        const unsigned bits = function.values[term.left].bits;
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(*operand) &
                                         ((std::uint64_t{1} << bits) - 1));
      }
      return cut_to(*operand, term.bits);
    }
    case Kind::Compare:
    case Kind::Add:
    case Kind::Subtract:
    case Kind::And:
    case Kind::Or:
    case Kind::ExclusiveOr: {
      const std::optional<std::int64_t> left = constant_of(function, term.left);
      const std::optional<std::int64_t> right = constant_of(function, term.right);
      if (!left || !right) {
        return std::nullopt;
      }
      const auto a = static_cast<std::uint64_t>(*left);
      const auto b = static_cast<std::uint64_t>(*right);
      switch (term.kind) {
        case Kind::Compare: {
          const NumberSet one = NumberSet::only(*left);
          const NumberSet kept = term.is_unsigned ? one.where_unsigned(term.relation, *right)
                                                  : one.where(term.relation, *right);
          return kept.is_empty() ? 0 : 1;
        }
        case Kind::Add:
          return cut_to(static_cast<std::int64_t>(a + b), term.bits);
        case Kind::Subtract:
          return cut_to(static_cast<std::int64_t>(a - b), term.bits);
        case Kind::And:
          return static_cast<std::int64_t>(a & b);
        case Kind::Or:
          return static_cast<std::int64_t>(a | b);
        default:
          return cut_to(static_cast<std::int64_t>(a ^ b), term.bits);
      }
    }
    default:
      return std::nullopt;
  }
}

void propagate_constants(Program& program) {
  Propagation(program).run();
}

}  // namespace nestor::program
