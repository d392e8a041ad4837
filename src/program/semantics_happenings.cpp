#include "program/semantics.h"

#include <algorithm>

// What a rule can see of a point.

namespace nestor::program {

namespace {

using Phase = SymbolicState::Phase;

}  // namespace

/// A number that was computed from the handle, from which it may be found again: tagged pointers,
/// and such as were rounded up.
bool Semantics::is_mixed(FunctionId function, ValueId value, const SymbolicState& state) const {
  const Value& term = program_.functions[function].values[value];
  switch (term.kind) {
    case Value::Kind::Bound:
    case Value::Kind::Parameter:
      return holds_handle(evaluate(function, value, state), state);
    case Value::Kind::Add:
    case Value::Kind::And:
    case Value::Kind::Or:
    case Value::Kind::ExclusiveOr:
      return is_mixed(function, term.left, state) || is_mixed(function, term.right, state);
    case Value::Kind::Step:
    case Value::Kind::Inside:
      return is_mixed(function, term.left, state);
    case Value::Kind::Subtract:  // of another pointer: a number
      return is_mixed(function, term.left, state) && !is_mixed(function, term.right, state);
    default:
      return false;
  }
}

Happenings Semantics::happenings(FunctionId function, std::uint32_t point,
                                 const SymbolicState& state, bool is_root) {
  Happenings result;
  if (point == Function::kLongjmp &&
      (!index_.may_jump_out_of(function) ||
       program_.functions[function].longjmp_target != Function::kLongjmp)) {
    return result;  // it goes no further than to a setjmp that was called from here, or here
  }
  result.is_lost = state.phase == Phase::Lost;
  result.escapes = state.phase == Phase::Kept;
  result.is_origin = state.phase == Phase::Chosen ||
                     (is_root && point == Function::kEntry && tracking_.origin->point == point &&
                      tracking_.origin->member.valid());
  const Function& in = program_.functions[function];
  const std::optional<std::uint32_t> handle = state.handle();
  if (!handle) {
    return result;
  }
  const Point& at = in.points[point];
  if (at.kind == PointKind::Return || at.kind == PointKind::Unwind ||
      at.kind == PointKind::Longjmp) {
    result.is_returned = is_root;  // what was only the function's own is gone already
    if (tracking_.address) {
      // What lies deeper, or in a global, is mostly left behind by those who know that.
      const std::size_t parameters = in.parameters.size();
      result.is_returned &=
          std::any_of(state.bindings.begin(), state.bindings.end(), [&](const Binding& binding) {
            const bool is_found = binding.slot.kind == Slot::Kind::Result ||
                                  (binding.slot.kind == Slot::Kind::Pointee &&
                                   binding.slot.id < parameters && binding.slot.offset == 0);
            return is_found && binding.datum.is_symbol(*handle);
          });
    }
    return result;
  }
  const Action* action = in.action_of(point);
  if (action == nullptr) {
    return result;
  }
  if (action->kind == Action::Kind::Read || action->kind == Action::Kind::Write) {
    const std::optional<Datum> address = evaluate(function, action->address, state);
    result.is_followed = holds_handle(address, state);
    result.is_read = action->kind == Action::Kind::Read && is_undefined(address, state);
    if (action->kind == Action::Kind::Write) {
      const std::optional<Datum> datum = evaluate(function, action->value, state);
      result.escapes = !datum && is_mixed(function, action->value, state);
      if (leads_to_handle(datum, state)) {
        const std::optional<Slot> slot = slot_at(address);
        const bool is_tracked =
            slot && (tracking_.is_shallow
                         ? is_own(function, *slot)
                         : slot->kind == Slot::Kind::Variable || slot->id < state.entry_symbols ||
                               state.symbols[slot->id].is_object);
        result.escapes = !is_tracked;
      }
    }
    return result;
  }
  if (action->kind != Action::Kind::Call) {
    return result;
  }
  for (std::size_t i = 0; i < action->arguments.size(); ++i) {
    const std::optional<Datum> datum = evaluate(function, action->arguments[i], state);
    if (!leads_to_handle(datum, state)) {
      continue;
    }
    const bool is_handle = holds_handle(datum, state);
    result.is_read |= at.targets.empty() && index_.use_of(at, i) == ArgumentUse::Reads &&
                      is_undefined(datum, state);
    if (is_handle && datum->number == 0 && !datum->is_inside && i < 32) {
      result.arguments |= std::uint32_t{1} << i;
    }
    if (at.is_alternative) {
      // Which of the targets it is decides what becomes of the handle.
      const Reach reach = is_handle ? Reach::Itself : Reach::Everything;
      const std::vector<std::uint32_t>& all = index_.alternatives_to(function, point);
      result.arguments = 0;
      result.escapes |= !tracking_.ends_with_release ||
                        !std::all_of(all.begin(), all.end(), [&](std::uint32_t other) {
                          return index_.is_lent(in.points[other], i, reach);
                        });
      continue;
    }
    if (!at.targets.empty()) {
      // One of any number of arguments has no name in the callee.
      const FunctionId target = at.targets.front();
      result.escapes |=
          i >= program_.functions[target].parameters.size() &&
          !(tracking_.ends_with_release && is_handle && index_.borrows(target, i, Reach::Itself));
      continue;
    }
    if (i == 1 && !is_handle && action->arguments.size() >= 3 && index_.copies_memory(at)) {
      // A structure that holds it is copied to where that is not followed.
      const std::optional<Slot> to = slot_at(evaluate(function, action->arguments[0], state));
      result.escapes |= !to || (to->kind == Slot::Kind::Pointee && to->id >= state.entry_symbols &&
                                !state.symbols[to->id].is_object);
    }
    const ExternalFunction* known = index_.external(at);
    if (is_handle && known != nullptr && known->nonnull.count(static_cast<unsigned>(i)) == 0 &&
        state.symbols[*handle].numbers == NumberSet::only(0)) {
      continue;  // a null pointer will do
    }
    switch (index_.use_of(at, i)) {
      case ArgumentUse::Keeps:
        result.escapes |= !is_kept_unless_failed(function, point, state);
        break;
      case ArgumentUse::Unknown:
      case ArgumentUse::CallsLater:
      case ArgumentUse::Starts:
        result.escapes = true;
        break;
      case ArgumentUse::Moves:
        result.escapes |= !is_handle;  // what lies in it lies in the new one then
        break;
      case ArgumentUse::Releases:
        // Who computes where memory begins from a place inside of it knows how.
        result.escapes |= is_handle && known != nullptr && known->family == "malloc" &&
                          (datum->number < 0 || datum->is_inside);
        break;
      case ArgumentUse::Reads:
      case ArgumentUse::Writes:
      case ArgumentUse::ReadsWrites:
      case ArgumentUse::Grows:
        result.is_followed |= is_handle;
        result.is_passed |= is_handle;
        break;
      case ArgumentUse::Uses:
        result.is_passed |= is_handle;
        break;
      default:
        break;
    }
  }
  return result;
}

}  // namespace nestor::program
