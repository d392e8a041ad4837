// The calls of a function: which functions they reach, and where they go on.

#include "llvm/function_lowering.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

namespace nestor::bitcode {

namespace {

bool is_setjmp(const std::string& name) {
  return name == "setjmp" || name == "sigsetjmp";
}

bool is_longjmp(const std::string& name) {
  return name == "longjmp" || name == "siglongjmp";
}

/// The GNU functions that print a message, and then end the program if a status is given.
bool is_fatal_error(const llvm::CallBase& call, const std::string& name) {
  const auto* status =
      call.arg_empty() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  return (name == "error" || name == "error_at_line") && status != nullptr && !status->isZero();
}

}  // namespace

std::uint32_t FunctionLowering::unwind_of(const llvm::CallBase& call, bool may_throw) {
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    return head(invoke->getUnwindDest());
  }
  return may_throw && !call.doesNotThrow() ? program::Function::kUnwind : UINT32_MAX;
}

/// The point is a call of `name`, and of what the model file says that it counts as.
void FunctionLowering::name_call(program::Point& point, const std::string& name) {
  for (const std::string& one : context_.externals.all_names(name)) {
    if (one == name) {
      point.callee = label(name);
    } else {
      point.labels.push_back(label(fmt::format("call_{}", one)));
    }
  }
}

void FunctionLowering::lower_callbacks(const llvm::CallBase& call, const std::string& name,
                                       std::uint32_t at_call) {
  // Where the model file says nothing, every function of the program that is passed may be called.
  const auto known = context_.externals.callbacks.find(name);
  const bool is_known = known != context_.externals.callbacks.end();
  std::vector<unsigned> indices = is_known ? known->second : std::vector<unsigned>();
  for (unsigned i = 0; !is_known && i < call.arg_size(); ++i) {
    if (context_.indirect_calls.is_function_pointer(call.getArgOperand(i))) {
      indices.push_back(i);
    }
  }
  if (indices.empty()) {
    return;
  }
  const program::ExternalFunction* outside = context_.externals.find(name);
  program::Point callback;
  callback.kind = program::PointKind::Call;
  callback.repeats = true;
  callback.place = function_.points[at_call].place;
  callback.unwind = unwind_of(call, true);
  for (const unsigned index : indices) {
    if (index >= call.arg_size()) {
      continue;
    }
    const std::optional<std::vector<const llvm::Function*>> functions =
        context_.indirect_calls.possible_values(call.getArgOperand(index));
    if (!functions && !llvm::isa<llvm::Constant>(call.getArgOperand(index))) {
      warn(call, fmt::format("the function that '{}' calls back is not known, and is taken to do "
                             "nothing",
                             name));
      continue;
    }
    if (functions && functions->size() > 1) {
      context_.program.over_approximates = true;
    }
    const program::ArgumentUse use =
        outside == nullptr ? program::ArgumentUse::Calls : outside->use_of(index);
    callback.is_later |=
        use == program::ArgumentUse::CallsLater || use == program::ArgumentUse::Starts;
    for (const llvm::Function* function :
         functions.value_or(std::vector<const llvm::Function*>())) {
      const auto found = context_.functions.find(function);
      if (found == context_.functions.end()) {
        continue;
      }
      callback.targets.push_back(found->second);
      if (use == program::ArgumentUse::CallsLater || use == program::ArgumentUse::Starts) {
        context_.program.started.push_back(found->second);
      }
      if (name == "signal" || name == "sigset" || name == "bsd_signal") {
        context_.program.signal_handlers.push_back(found->second);
      } else if (name == "atexit" || name == "on_exit" || name == "at_quick_exit") {
        context_.program.exit_handlers.push_back(found->second);
      }
    }
  }
  if (!callback.targets.empty()) {
    append(std::move(callback));
  }
}

void FunctionLowering::lower_inside(const llvm::CallBase& call, program::FunctionId target,
                                    program::Point point) {
  point.kind = program::PointKind::Call;
  point.targets.push_back(target);
  point.unwind = unwind_of(call, true);
  add_call_facts(call, point, true);
  append(std::move(point));
}

void FunctionLowering::lower_outside(const llvm::CallBase& call, const llvm::Function& callee,
                                     const std::string& name, program::Point point) {
  const program::Externals& externals = context_.externals;
  const bool may_throw =
      externals.throws.count(name) != 0 || llvm::StringRef(name).starts_with("_Z");
  point.unwind = unwind_of(call, may_throw);
  add_call_facts(call, point, externals.borrows.count(name) != 0);
  const std::uint32_t added = append(std::move(point));
  if (is_setjmp(name)) {
    setjmps_.push_back(added);
  }
  lower_callbacks(call, name, added);
  if (name == "sigaction") {
    program::Point callback;
    callback.kind = program::PointKind::Call;
    callback.repeats = true;
    callback.place = function_.points[added].place;
    context_.signal_points.push_back({id_, append(std::move(callback))});
  }
  const bool unwinds_only =
      name == "__cxa_throw" || name == "__cxa_rethrow" || name == "_Unwind_Resume";
  if (is_longjmp(name)) {
    go(current_, program::Function::kLongjmp);
    ended_ = true;
  } else if (unwinds_only) {
    ended_ = true;  // the edge to the landing pad is all there is
  } else if (call.doesNotReturn() || callee.doesNotReturn() ||
             externals.noreturn.count(name) != 0 || is_fatal_error(call, name)) {
    go(current_, program::Function::kHalt);
    ended_ = true;
  }
}

void FunctionLowering::lower_target(const llvm::CallBase& call, const llvm::Function& target,
                                    program::Point point) {
  const std::string name = context_.externals.normal_name(target.getName().str());
  if (const auto inside = context_.functions.find(&target); inside != context_.functions.end()) {
    name_call(point, name);
    lower_inside(call, inside->second, std::move(point));
    return;
  }
  std::string meant = name;
  for (unsigned i = 0; i < call.arg_size() && meant == name; ++i) {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i));
        number != nullptr && number->getBitWidth() <= 64) {
      meant = context_.externals.name_with_constant(name, i, number->getSExtValue());
    }
  }
  if (meant != name) {
    point.labels.push_back(label(fmt::format("call_{}", name)));
  }
  name_call(point, meant);
  lower_outside(call, target, meant, std::move(point));
}

/// A choice between the targets, each with what it does, and a point where they meet again.
void FunctionLowering::lower_indirect(const llvm::CallBase& call, program::Point point) {
  std::vector<const llvm::Function*> targets = context_.indirect_calls.targets(call);
  ++context_.program.indirect_calls;
  context_.program.indirect_targets += targets.size();
  if (targets.size() > 1) {
    context_.program.over_approximates = true;
  }
  if (targets.size() > context_.options.most_targets) {
    warn(call, fmt::format("an indirect call has {} possible targets, only {} are followed",
                           targets.size(), context_.options.most_targets));
    targets.resize(context_.options.most_targets);
  }
  program::Point plain = point;
  plain.is_alternative = targets.size() > 1;
  point.labels.push_back(label("call_indirect"));
  if (targets.empty()) {
    add_call_facts(call, point, false);
    point.unwind = unwind_of(call, false);
  }
  const std::uint32_t choice = append(std::move(point));
  note_result(call, choice);
  if (targets.empty()) {
    return;
  }
  program::Point join;
  join.place = plain.place;
  const std::uint32_t after = add(std::move(join));
  bool returns = false;
  for (const llvm::Function* target : targets) {
    current_ = choice;
    ended_ = false;
    lower_target(call, *target, plain);
    if (!ended_) {
      go(current_, after);
      returns = true;
    }
  }
  current_ = after;
  ended_ = !returns;
  if (returns && !context_.indirect_calls.knows_targets(call)) {
    context_.program.open_calls.push_back({id_, choice, after});
  }
}

void FunctionLowering::note_result(const llvm::CallBase& call, std::uint32_t point) {
  if (!call.getType()->isVoidTy()) {
    calls_[&call] = point;
  }
}

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    lower_intrinsic(*intrinsic);
    return;
  }
  program::Point point = at(call);
  add_result_labels(call, point);
  add_constant_labels(call, point);
  const llvm::Value* callee = call.getCalledOperand()->stripPointerCastsAndAliases();
  if (const auto* function = llvm::dyn_cast<llvm::Function>(callee)) {
    const auto added = static_cast<std::uint32_t>(function_.points.size());
    lower_target(call, *function, std::move(point));
    note_result(call, added);
  } else if (llvm::isa<llvm::InlineAsm>(callee)) {
    point.callee = label("asm");
    add_call_facts(call, point, false);
    append(std::move(point));
  } else {
    lower_indirect(call, std::move(point));
  }
}

}  // namespace nestor::bitcode
