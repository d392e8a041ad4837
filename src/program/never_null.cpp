#include "program/never_null.h"

#include "program/program_index.h"

#include <algorithm>
#include <unordered_map>

namespace nestor::program {

namespace {

constexpr std::uint8_t kAddressBits = 64;
constexpr std::size_t kMostPoints = 1'500;  // of a function that is looked at

}  // namespace

/// What of one function is surely not null where a point is reached: bound values, and the locals
/// that only names lead to. A forward analysis; where ways meet, what all of them know is left.
class NeverNull::Flow {
 public:
  Flow(const ProgramIndex& index, const NeverNull& known, FunctionId function)
      : index_(index),
        program_(index.program()),
        known_(known),
        in_(program_.functions[function]) {}

  bool returns_never_null() {
    for (const ValueId value : in_.values.ids()) {
      if (in_.values[value].kind == Value::Kind::Bound && in_.values[value].bits == kAddressBits) {
        bits_of_values_.emplace(value.value(), bits_++);
      }
    }
    for (std::uint32_t p = 0; p < in_.points.size(); ++p) {
      const VariableId local = local_at(p);
      if (local.valid() && in_.action_of(p)->bits == kAddressBits) {
        bits_ += bits_of_locals_.emplace(local.value(), bits_).second ? 1 : 0;
        if (in_.action_of(p)->kind == Action::Kind::Read && in_.action_of(p)->result.valid() &&
            bits_of_values_.count(in_.action_of(p)->result.value()) != 0) {
          read_from_[in_.action_of(p)->result.value()] = local;
        }
        // `(p = f ()) != NULL` looks at what was written.
        const ValueId written = in_.action_of(p)->value;
        if (in_.action_of(p)->kind == Action::Kind::Write &&
            bits_of_values_.count(written.value()) != 0) {
          read_from_.try_emplace(written.value(), local);
        }
      }
    }
    before_.resize(in_.points.size());
    is_reached_.resize(in_.points.size(), 0);
    reach(Function::kEntry, Facts(2 * bits_, 0));
    while (!work_.empty()) {
      const std::uint32_t p = work_.back();
      work_.pop_back();
      Facts facts = before_[p];
      if (const Action* action = in_.action_of(p)) {
        if (action->kind == Action::Kind::Return && !is_nonnull(action->value, facts)) {
          return false;
        }
        step(p, *action, facts);
      }
      for (const std::uint32_t next : in_.points[p].next) {
        reach(next, facts);
      }
      if (in_.points[p].unwind != UINT32_MAX) {
        reach(in_.points[p].unwind, Facts(2 * bits_, 0));
      }
    }
    return is_reached_[Function::kReturn] != 0;
  }

 private:
  /// By bit: it is not null. In the second half, of values: the local that it was read from, or
  /// written to, still holds it.
  using Facts = std::vector<std::uint8_t>;

  VariableId local_at(std::uint32_t p) const {
    const Action* action = in_.action_of(p);
    const VariableId location = location_of(in_.points[p]);
    const bool is_local =
        action != nullptr && location.valid() &&
        (action->kind == Action::Kind::Read || action->kind == Action::Kind::Write) &&
        program_.variables[location].kind == VariableKind::Local &&
        program_.variables[location].exact && program_.variables[location].is_scalar;
    return is_local ? location : VariableId();
  }

  void reach(std::uint32_t p, const Facts& facts) {
    Facts& there = before_[p];
    bool is_news = is_reached_[p] == 0;
    if (is_news) {
      is_reached_[p] = 1;
      there = facts;
    } else {
      for (std::size_t i = 0; i < 2 * bits_; ++i) {
        is_news |= there[i] != 0 && facts[i] == 0;
        there[i] &= facts[i];
      }
    }
    if (is_news) {
      work_.push_back(p);
    }
  }

  bool is_nonnull(ValueId value, const Facts& facts) const {
    while (value.valid()) {
      const Value& term = in_.values[value];
      switch (term.kind) {
        case Value::Kind::Address:
          return true;
        case Value::Kind::Constant:
          return term.number != 0;
        case Value::Kind::Bound: {
          const auto bit = bits_of_values_.find(value.value());
          return bit != bits_of_values_.end() && facts[bit->second] != 0;
        }
        case Value::Kind::Step:
        case Value::Kind::Inside:
          value = term.left;
          break;
        default:
          return false;
      }
    }
    return false;
  }

  /// The value is not null, nor then what the local holds that it was read from.
  void find(ValueId value, Facts& facts) const {
    while (value.valid() && (in_.values[value].kind == Value::Kind::Step ||
                             in_.values[value].kind == Value::Kind::Inside)) {
      value = in_.values[value].left;
    }
    const auto bit = value.valid() ? bits_of_values_.find(value.value()) : bits_of_values_.end();
    if (bit == bits_of_values_.end()) {
      return;
    }
    facts[bit->second] = 1;
    if (facts[bits_ + bit->second] != 0) {
      facts[bits_of_locals_.at(read_from_.at(value.value()).value())] = 1;
    }
  }

  void assume(ValueId value, bool truth, Facts& facts) const {
    const Value& term = in_.values[value];
    if (term.kind == Value::Kind::ZeroExtend || term.kind == Value::Kind::SignExtend) {
      assume(term.left, truth, facts);
    } else if (term.kind == Value::Kind::ExclusiveOr && term.bits == 1 &&
               in_.values[term.right].kind == Value::Kind::Constant &&
               in_.values[term.right].number != 0) {
      assume(term.left, !truth, facts);
    } else if (term.kind == Value::Kind::Compare &&
               (term.relation == Relation::Equal || term.relation == Relation::NotEqual)) {
      const Value& right = in_.values[term.right];
      if (right.kind == Value::Kind::Constant && right.number == 0 &&
          truth == (term.relation == Relation::NotEqual)) {
        find(term.left, facts);
      }
    } else if (term.kind == Value::Kind::Bound && truth) {
      find(value, facts);
    }
  }

  bool makes_nonnull(const Point& call) const {
    if (!call.targets.empty()) {
      return !call.repeats && std::all_of(call.targets.begin(), call.targets.end(),
                                          [&](FunctionId f) { return known_.holds(f); });
    }
    const ExternalFunction* external = index_.external(call);
    return external != nullptr && external->success.kind == ResultClass::Kind::NonNull &&
           external->failure.kind == ResultClass::Kind::None;
  }

  void bind(ValueId result, bool is_nonnull, bool is_read, Facts& facts) const {
    const auto bit = result.valid() ? bits_of_values_.find(result.value()) : bits_of_values_.end();
    if (bit != bits_of_values_.end()) {
      facts[bit->second] = is_nonnull ? 1 : 0;
      facts[bits_ + bit->second] = is_read ? 1 : 0;
    }
  }

  void step(std::uint32_t p, const Action& action, Facts& facts) const {
    const VariableId local = local_at(p);
    const auto bit = local.valid() ? bits_of_locals_.find(local.value()) : bits_of_locals_.end();
    const bool is_local = bit != bits_of_locals_.end();
    switch (action.kind) {
      case Action::Kind::Read:
        find(action.address, facts);
        bind(action.result, is_local && facts[bit->second] != 0,
             is_local && action.result.valid() && read_from_.count(action.result.value()) != 0,
             facts);
        break;
      case Action::Kind::Write:
        find(action.address, facts);
        if (is_local) {
          for (const auto& [value, from] : read_from_) {
            if (from == local) {
              facts[bits_ + bits_of_values_.at(value)] = 0;
            }
          }
          facts[bit->second] = is_nonnull(action.value, facts) ? 1 : 0;
          const auto from = read_from_.find(action.value.value());
          if (from != read_from_.end() && from->second == local) {
            facts[bits_ + bits_of_values_.at(action.value.value())] = 1;
          }
        }
        break;
      case Action::Kind::Choose:
        bind(action.result, is_nonnull(action.value, facts), false, facts);
        break;
      case Action::Kind::Assume:
        if (!action.is_else && action.number == 0 &&
            (action.relation == Relation::NotEqual || action.relation == Relation::Equal)) {
          assume(action.value, action.relation == Relation::NotEqual, facts);
        }
        break;
      case Action::Kind::Call:
        bind(action.result, makes_nonnull(in_.points[p]), false, facts);
        break;
      case Action::Kind::Return:
        break;
    }
  }

  const ProgramIndex& index_;
  const Program& program_;
  const NeverNull& known_;
  const Function& in_;
  std::size_t bits_ = 0;
  std::unordered_map<std::uint32_t, std::size_t> bits_of_values_;
  std::unordered_map<std::uint32_t, std::size_t> bits_of_locals_;
  std::unordered_map<std::uint32_t, VariableId> read_from_;  // by value
  std::vector<Facts> before_;                                // by point
  std::vector<std::uint8_t> is_reached_;
  std::vector<std::uint32_t> work_;
};

NeverNull::NeverNull(const ProgramIndex& index) : functions_(index.program().functions.size()) {
  std::vector<FunctionId> work;
  base::BitSet is_waiting(functions_.size());
  for (const FunctionId f : index.program().functions.ids()) {
    const Function& in = index.program().functions[f];
    const bool returns_pointer =
        std::any_of(in.actions.begin(), in.actions.end(), [&](const Action& action) {
          return action.kind == Action::Kind::Return && action.value.valid() &&
                 in.values[action.value].bits == kAddressBits;
        });
    if (returns_pointer && in.points.size() <= kMostPoints) {
      work.push_back(f);
      is_waiting.set(f.value());
    }
  }
  base::BitSet is_asked = is_waiting;
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    is_waiting.reset(f.value());
    if (functions_.test(f.value()) || !Flow(index, *this, f).returns_never_null()) {
      continue;
    }
    functions_.set(f.value());
    for (const ProgramIndex::Caller& caller : index.callers_of(f)) {
      if (is_asked.test(caller.function.value()) && !is_waiting.test(caller.function.value())) {
        is_waiting.set(caller.function.value());
        work.push_back(caller.function);
      }
    }
  }
}

}  // namespace nestor::program
