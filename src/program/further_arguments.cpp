#include "program/further_arguments.h"

#include "program/program_index.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <unordered_map>

namespace nestor::program {

/// Where lists and what is taken from them go in one function, in whatever order.
class FurtherArguments::Flow {
 public:
  Flow(FurtherArguments& all, FunctionId function, std::uint32_t parameter)
      : all_(all),
        index_(all.index_),
        program_(index_.program()),
        in_(program_.functions[function]),
        values_(in_.values.size()) {
    for (const ValueId id : in_.values.ids()) {
      const Value& value = in_.values[id];
      if (value.kind == Value::Kind::Parameter && value.number == parameter) {
        values_[id] = kList;
      }
    }
    find_lists();
  }

  bool borrows() {
    do {
      changed_ = false;
      for (std::uint32_t p = 0; p < in_.points.size(); ++p) {
        if (const Action* action = in_.action_of(p)) {
          follow(in_.points[p], *action);
        }
      }
    } while (changed_ && !is_taken_);
    return !is_taken_;
  }

 private:
  using Kinds = std::uint8_t;
  static constexpr Kinds kList = 1;
  static constexpr Kinds kArgument = 2;  // or where arguments lie

  void find_lists() {
    for (std::uint32_t p = 0; p < in_.points.size(); ++p) {
      const Action* action = in_.action_of(p);
      if (action == nullptr || !is_named(in_.points[p], {"va_start", "va_copy"})) {
        continue;
      }
      ValueId list = action->arguments.empty() ? ValueId() : action->arguments.front();
      while (list.valid() && in_.values[list].kind == Value::Kind::Step) {
        list = in_.values[list].left;
      }
      if (list.valid() && in_.values[list].kind == Value::Kind::Address) {
        lists_.insert(in_.values[list].variable);
      } else {
        is_taken_ = true;  // it lies where it is not followed
      }
    }
  }

  bool is_named(const Point& point, std::initializer_list<std::string_view> names) const {
    const std::string_view callee = program_.text(point.callee);
    return std::find(names.begin(), names.end(), callee) != names.end();
  }

  Kinds of(ValueId value) const {
    const ValueId base = base_of(in_.values, value);
    if (!base.valid()) {
      return 0;
    }
    const Value& term = in_.values[base];
    switch (term.kind) {
      case Value::Kind::Address:
        return lists_.count(term.variable) != 0 ? kList : 0;
      case Value::Kind::Bound:
      case Value::Kind::Parameter:
        return values_[base];
      default:
        return 0;
    }
  }

  void add(Kinds& to, Kinds kinds) {
    changed_ |= (to | kinds) != to;
    to |= kinds;
  }

  void follow(const Point& point, const Action& action) {
    const VariableId location = location_of(point);
    const bool is_own = location.valid() &&
                        program_.variables[location].kind == VariableKind::Local &&
                        program_.variables[location].exact;
    switch (action.kind) {
      case Action::Kind::Read:
        if (is_own) {
          reaches(action.result, locals_[location.value()]);
        } else if (of(action.address) != 0) {
          reaches(action.result, kArgument);
        }
        break;
      case Action::Kind::Write:
        if (is_own) {
          add(locals_[location.value()], of(action.value));
        } else if ((of(action.address) & kList) == 0) {  // else the list goes on
          is_taken_ |= of(action.value) != 0;
        }
        break;
      case Action::Kind::Choose:
        reaches(action.result, of(action.value));
        break;
      case Action::Kind::Return:
        is_taken_ |= of(action.value) != 0;
        break;
      case Action::Kind::Call:
        for (std::uint32_t i = 0; i < action.arguments.size(); ++i) {
          if (const Kinds kinds = of(action.arguments[i]); kinds != 0) {
            pass(point, action, i, kinds);
          }
        }
        break;
      case Action::Kind::Assume:
        break;
    }
  }

  void reaches(ValueId value, Kinds kinds) {
    if (value.valid()) {
      add(values_[value], kinds);
    }
  }

  void pass(const Point& call, const Action& action, std::uint32_t argument, Kinds kinds) {
    if (is_named(call, {"va_start", "va_copy", "va_end"})) {
      return;
    }
    if (call.targets.empty()) {
      is_taken_ |= !index_.borrows_outside(call, argument, Reach::Itself);
      if (index_.gives_back(call, argument)) {
        reaches(action.result, kinds);
      }
    }
    for (const FunctionId target : call.targets) {
      is_taken_ |= kinds != kList || !all_.borrows(target, argument);
    }
  }

  FurtherArguments& all_;
  const ProgramIndex& index_;
  const Program& program_;
  const Function& in_;
  base::IdVector<ValueId, Kinds> values_;
  std::unordered_map<std::uint32_t, Kinds> locals_;
  std::set<VariableId> lists_;
  bool is_taken_ = false;
  bool changed_ = false;
};

bool FurtherArguments::borrows(FunctionId function, std::uint32_t parameter) {
  // Until more is known, as in recursion, they are not.
  const auto [found, fresh] = known_.try_emplace({function, parameter}, false);
  if (fresh) {
    const bool borrows = Flow(*this, function, parameter).borrows();
    known_[{function, parameter}] = borrows;
    return borrows;
  }
  return found->second;
}

}  // namespace nestor::program
