#include "program/borrowing.h"

#include "program/program_index.h"

#include <algorithm>
#include <unordered_map>

namespace nestor::program {

/// Where the parameters of one function go, in whatever order.
class Borrowing::Flow {
 public:
  /// With a location, also where what lies there goes.
  Flow(const ProgramIndex& index, const Borrowing& known, FunctionId function,
       VariableId location = VariableId())
      : index_(index),
        program_(index.program()),
        known_(known),
        in_(program_.functions[function]),
        function_(function),
        location_(location),
        values_(in_.values.size()) {
    for (const ValueId id : in_.values.ids()) {
      const Value& value = in_.values[id];
      if (value.kind == Value::Kind::Parameter &&
          static_cast<std::size_t>(value.number) < kMostParameters) {
        const Mask bit = Mask{1} << static_cast<std::size_t>(value.number);
        values_[id] = {bit, bit, 0};
      }
    }
  }

  Masks taken() {
    do {
      changed_ = false;
      for (std::uint32_t p = 0; p < in_.points.size(); ++p) {
        if (const Action* action = in_.action_of(p)) {
          follow(in_.points[p], *action);
        }
      }
    } while (changed_);
    return taken_;
  }

 private:
  static constexpr Masks kThere = {Mask{1} << kMostParameters, Mask{1} << kMostParameters, 0};

  Masks of(ValueId value) const {
    const ValueId base = base_of(in_.values, value);
    if (!base.valid()) {
      return {};
    }
    const Value& term = in_.values[base];
    switch (term.kind) {
      case Value::Kind::Address:  // who knows it may write there
        return location_.valid() && term.variable == location_ ? kThere : Masks();
      case Value::Kind::Bound:
      case Value::Kind::Parameter:
        return values_[base];
      default:
        return {};
    }
  }

  void reaches(ValueId value, const Masks& masks) {
    if (value.valid()) {
      changed_ |= values_[value].add(masks);
    }
  }

  bool is_own(VariableId location) const {
    return location.valid() && program_.variables[location].kind == VariableKind::Local &&
           program_.variables[location].owner == function_;
  }

  /// What lies in the local whose address the value is; null if it is none.
  Masks* content_of(ValueId value) {
    while (value.valid() && (in_.values[value].kind == Value::Kind::Step ||
                             in_.values[value].kind == Value::Kind::Inside)) {
      value = in_.values[value].left;
    }
    return value.valid() && in_.values[value].kind == Value::Kind::Address &&
                   is_own(in_.values[value].variable)
               ? &locals_[in_.values[value].variable.value()]
               : nullptr;
  }

  /// An address of a local that is not used at once: who has it finds what lies there.
  void take_content(ValueId value) {
    if (const Masks* content = content_of(value)) {
      take(*content);
    }
  }

  void follow(const Point& point, const Action& action) {
    constexpr std::uint8_t kFewestBits = 32;  // of a handle
    const VariableId location = location_of(point);
    const bool is_there = location_.valid() && location == location_;
    switch (action.kind) {
      case Action::Kind::Read:
        if (is_there) {
          reaches(action.result, kThere);
        } else if (is_own(location)) {
          reaches(action.result, locals_[location.value()]);
        } else if (action.bits >= kFewestBits || action.bits == 0) {
          const Mask found = of(action.address).everything;
          reaches(action.result, {0, found, found});
        }
        break;
      case Action::Kind::Write:
        take_content(action.value);
        if (is_own(location)) {
          changed_ |= locals_[location.value()].add(of(action.value));
        } else {
          const Mask to = of(action.address).everything;
          Masks value = of(action.value);
          value.behind &= ~to;  // back to where it was
          take(is_there ? kThere : Masks());
          take(value);
          if (action.bits >= kFewestBits || action.bits == 0) {
            take({0, to, 0});
          }
        }
        break;
      case Action::Kind::Choose:
        take_content(action.value);
        reaches(action.result, of(action.value));
        break;
      case Action::Kind::Return:
        take_content(action.value);
        take(of(action.value));
        break;
      case Action::Kind::Call:
        for (std::size_t i = 0; i < action.arguments.size(); ++i) {
          const Masks masks = of(action.arguments[i]);
          if (masks.everything != 0) {
            pass(point, action, i, masks);
          }
          if (Masks* content = content_of(action.arguments[i])) {
            pass_content(point, i, *content);
          }
        }
        break;
      case Action::Kind::Assume:
        break;
    }
  }

  void pass(const Point& call, const Action& action, std::size_t argument, const Masks& masks) {
    if (call.targets.empty()) {
      if (!index_.borrows_outside(call, argument, Reach::Itself)) {
        take(masks);
      } else if (!index_.borrows_outside(call, argument, Reach::Everything)) {
        const bool is_copied = index_.use_of(call, argument) == ArgumentUse::Reads;
        take({0, masks.everything, is_copied ? masks.everything : 0});
      }
      if (index_.gives_back(call, argument)) {
        reaches(action.result, masks);
      }
    }
    for (const FunctionId target : call.targets) {
      if (!known_.borrows(target, argument, Reach::Itself)) {
        take(masks);
      } else if (!known_.borrows(target, argument, Reach::Everything)) {
        const bool is_left = known_.leaves_inside(target, argument);
        take({0, masks.everything, is_left ? 0 : masks.everything});
      }
    }
  }

  /// The callee finds what lies in the local, and may write there what it finds behind it.
  void pass_content(const Point& call, std::size_t argument, Masks& content) {
    const bool is_left =
        call.targets.empty()
            ? index_.borrows_outside(call, argument, Reach::Itself) &&
                  (index_.borrows_outside(call, argument, Reach::Everything) ||
                   index_.use_of(call, argument) != ArgumentUse::Reads)
            : std::all_of(call.targets.begin(), call.targets.end(), [&](FunctionId target) {
                return known_.borrows(target, argument, Reach::Itself) &&
                       known_.leaves_inside(target, argument);
              });
    if (!is_left) {
      take(content);
    }
    changed_ |= content.add({0, content.everything, content.everything});
  }

  void take(const Masks& masks) { taken_.add(masks); }

  const ProgramIndex& index_;
  const Program& program_;
  const Borrowing& known_;
  const Function& in_;
  const FunctionId function_;
  const VariableId location_;
  base::IdVector<ValueId, Masks> values_;
  std::unordered_map<std::uint32_t, Masks> locals_;
  Masks taken_;
  bool changed_ = false;
};

Borrowing::Borrowing(const ProgramIndex& index)
    : index_(index), further_(index), taken_(index.program().functions.size()) {
  std::vector<FunctionId> work;
  base::IdVector<FunctionId, std::uint8_t> is_waiting(taken_.size(), 1);
  for (const FunctionId f : index.program().functions.ids()) {
    work.push_back(f);
  }
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    is_waiting[f] = 0;
    if (taken_[f].add(Flow(index, *this, f).taken())) {
      for (const ProgramIndex::Caller& caller : index.callers_of(f)) {
        if (is_waiting[caller.function] == 0) {
          is_waiting[caller.function] = 1;
          work.push_back(caller.function);
        }
      }
    }
  }
}

bool Borrowing::borrows(FunctionId function, std::size_t parameter, Reach reach) const {
  if (parameter >= index_.program().functions[function].parameters.size()) {
    return reach == Reach::Itself && further_.borrows(function);
  }
  const Mask& taken =
      reach == Reach::Itself ? taken_[function].itself : taken_[function].everything;
  return parameter < kMostParameters && (taken >> parameter & 1U) == 0;
}

bool Borrowing::leaves_inside(FunctionId function, std::size_t parameter) const {
  return parameter <
             std::min(kMostParameters, index_.program().functions[function].parameters.size()) &&
         (taken_[function].behind >> parameter & 1U) == 0;
}

bool Borrowing::borrows_from(FunctionId function, VariableId location, Reach reach) {
  const auto [found, fresh] = taken_from_.try_emplace(location.value());
  Takers& takers = found->second;
  if (fresh) {
    std::vector<FunctionId> itself;
    std::vector<FunctionId> everything;
    for (const FunctionId f : index_.accessing(location)) {
      const Masks masks = Flow(index_, *this, f, location).taken();
      if (masks.itself >> kMostParameters != 0) {
        itself.push_back(f);
      }
      if (masks.everything >> kMostParameters != 0) {
        everything.push_back(f);
      }
    }
    takers = {index_.groups_leading_to(itself), index_.groups_leading_to(everything)};
  }
  return !(reach == Reach::Itself ? takers.itself : takers.everything)
              .test(index_.group_of(function));
}

bool ProgramIndex::address_stays(VariableId local) const {
  const auto [found, fresh] = staying_.try_emplace(local.value(), false);
  if (!fresh) {
    return found->second;
  }
  const Function& in = program_.functions[program_.variables[local].owner];
  const auto names = [&](ValueId operand) {
    for (std::vector<ValueId> work = {operand}; !work.empty();) {
      const ValueId at = work.back();
      work.pop_back();
      if (!at.valid()) {
        continue;
      }
      const Value& value = in.values[at];
      if (value.kind == Value::Kind::Address && value.variable == local) {
        return true;
      }
      work.push_back(value.left);
      work.push_back(value.right);
    }
    return false;
  };
  for (std::uint32_t p = 0; p < in.points.size(); ++p) {
    const Action* action = in.action_of(p);
    if (action == nullptr) {
      continue;
    }
    const bool is_compared = action->kind == Action::Kind::Assume;
    bool is_kept = !is_compared && names(action->value);
    for (std::size_t i = 0; i < action->arguments.size(); ++i) {
      is_kept =
          is_kept || (names(action->arguments[i]) && !is_lent(in.points[p], i, Reach::Itself));
    }
    if (is_kept) {
      return false;
    }
  }
  return staying_[local.value()] = true;
}

}  // namespace nestor::program
