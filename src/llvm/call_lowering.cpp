// The calls of a function: which functions they reach, and what they do to variables.

#include "llvm/function_lowering.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace nestor {

namespace {

constexpr std::size_t kLongestConstant = 40;

bool is_setjmp(const std::string& name) {
  return name == "setjmp" || name == "sigsetjmp";
}

bool is_longjmp(const std::string& name) {
  return name == "longjmp" || name == "siglongjmp";
}

/// `value` decides something: it is compared, switched on or returned, or so is the one local that
/// it is stored into.
bool is_checked(const llvm::Value* value, bool follow) {
  for (const llvm::User* user : value->users()) {
    if (llvm::isa<llvm::ICmpInst>(user) || llvm::isa<llvm::FCmpInst>(user) ||
        llvm::isa<llvm::SwitchInst>(user) || llvm::isa<llvm::ReturnInst>(user) ||
        llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::BranchInst>(user)) {
      return true;
    }
    if (llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::BinaryOperator>(user) ||
        llvm::isa<llvm::PHINode>(user)) {
      for (const llvm::User* further : user->users()) {
        if (llvm::isa<llvm::ICmpInst>(further) || llvm::isa<llvm::SwitchInst>(further) ||
            llvm::isa<llvm::ReturnInst>(further) || llvm::isa<llvm::BranchInst>(further) ||
            llvm::isa<llvm::PHINode>(further)) {
          return true;
        }
      }
    }
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!follow || store == nullptr || store->getValueOperand() != value) {
      continue;
    }
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
    if (alloca == nullptr) {
      return true;  // kept in memory: whoever reads it may check it
    }
    for (const llvm::User* reader : alloca->users()) {
      if (llvm::isa<llvm::LoadInst>(reader) && is_checked(reader, false)) {
        return true;
      }
    }
  }
  return false;
}

/// The text of a constant argument, empty if it is none that can be written down.
std::string constant_text(const llvm::Value* value) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    return number->getBitWidth() <= 64 ? fmt::format("{}", number->getSExtValue()) : std::string();
  }
  if (llvm::isa<llvm::ConstantPointerNull>(value)) {
    return "null";
  }
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value->stripPointerCasts());
  if (global == nullptr || !global->isConstant() || !global->hasInitializer()) {
    return {};
  }
  const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer());
  if (data == nullptr || !data->isCString() || data->getAsCString().size() > kLongestConstant) {
    return {};
  }
  const std::string text = data->getAsCString().str();
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  return printable ? text : std::string();
}

}  // namespace

std::uint32_t FunctionLowering::unwind_of(const llvm::CallBase& call, bool may_throw) {
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    return head(invoke->getUnwindDest());
  }
  return may_throw && !call.doesNotThrow() ? Function::kUnwind : UINT32_MAX;
}

/// Where the address of a scalar local is known to others, calls and stores through pointers may
/// write it.
void FunctionLowering::add_may_definitions(Point& point) {
  for (const VariableId variable : escaping_) {
    point.facts.push_back({.kind = FactKind::MayDef, .variable = variable});
  }
}

void FunctionLowering::add_argument_facts(const llvm::CallBase& call, unsigned index, Point& point,
                                          bool borrows) {
  const llvm::Value* argument = without_casts(call.getArgOperand(index));
  const auto number = static_cast<std::uint8_t>(std::min(index, 255U));
  const VariableId passed = context_.variables.loaded_from(argument);
  if (passed.valid()) {
    point.facts.push_back({.kind = FactKind::Argument, .index = number, .variable = passed});
    if (!borrows) {
      point.facts.push_back({.kind = FactKind::Escape, .variable = passed});
    }
    return;
  }
  if (!argument->getType()->isPointerTy() || llvm::isa<llvm::Function>(argument)) {
    return;
  }
  // `&x`, `&object->lock`, an array; or a pointer read from a field or global, which is known by
  // it.
  VariableId addressed = context_.variables.addressed_by(argument);
  if (!addressed.valid()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(argument)) {
      addressed = context_.variables.addressed_by(load->getPointerOperand());
      if (addressed.valid()) {
        point.facts.push_back({.kind = FactKind::Argument, .index = number, .variable = addressed});
      }
    }
    return;
  }
  point.facts.push_back({.kind = FactKind::Address, .index = number, .variable = addressed});
}

void FunctionLowering::add_call_facts(const llvm::CallBase& call, Point& point, bool borrows) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    add_argument_facts(call, i, point, borrows);
  }
  add_may_definitions(point);
}

void FunctionLowering::add_result_labels(const llvm::CallBase& call, Point& point) {
  if (call.getType()->isVoidTy()) {
    return;
  }
  if (call.use_empty()) {
    point.labels.push_back(label("ret_ignored"));
  } else {
    point.labels.push_back(label("ret_used"));
    if (is_checked(&call, true)) {
      point.labels.push_back(label("ret_checked"));
    }
  }
}

void FunctionLowering::add_constant_labels(const llvm::CallBase& call, Point& point) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const std::string text = constant_text(call.getArgOperand(i));
    if (!text.empty()) {
      point.labels.push_back(label(fmt::format("arg{}={}", i, text)));
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
  Point callback;
  callback.kind = PointKind::Call;
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
    for (const llvm::Function* function :
         functions.value_or(std::vector<const llvm::Function*>())) {
      const auto found = context_.functions.find(function);
      if (found == context_.functions.end()) {
        continue;
      }
      callback.targets.push_back(found->second);
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

void FunctionLowering::lower_named(const llvm::CallBase& call, const llvm::Function& callee,
                                   Point point) {
  const std::string name = context_.externals.normal_name(callee.getName().str());
  point.callee = label(name);
  const auto inside = context_.functions.find(&callee);
  if (inside != context_.functions.end()) {
    point.kind = PointKind::Call;
    point.targets.push_back(inside->second);
    point.unwind = unwind_of(call, true);
    add_call_facts(call, point, true);
    const std::uint32_t added = append(std::move(point));
    if (!call.getType()->isVoidTy()) {
      calls_[&call] = added;
    }
    return;
  }
  const Externals& externals = context_.externals;
  const bool may_throw =
      externals.throws.count(name) != 0 || llvm::StringRef(name).starts_with("_Z");
  point.unwind = unwind_of(call, may_throw);
  add_call_facts(call, point, externals.borrows.count(name) != 0);
  const bool unwinds_only =
      name == "__cxa_throw" || name == "__cxa_rethrow" || name == "_Unwind_Resume";
  const std::uint32_t added = append(std::move(point));
  if (!call.getType()->isVoidTy()) {
    calls_[&call] = added;
  }
  if (is_setjmp(name)) {
    setjmps_.push_back(added);
  }
  lower_callbacks(call, name, added);
  if (is_longjmp(name)) {
    go(current_, Function::kLongjmp);
    ended_ = true;
  } else if (unwinds_only) {
    ended_ = true;  // the edge to the landing pad is all there is
  } else if (call.doesNotReturn() || externals.noreturn.count(name) != 0) {
    go(current_, Function::kHalt);
    ended_ = true;
  }
}

void FunctionLowering::lower_indirect(const llvm::CallBase& call, Point point) {
  std::vector<const llvm::Function*> targets = context_.indirect_calls.targets(call);
  ++context_.program.indirect_calls;
  context_.program.indirect_targets += targets.size();
  point.is_indirect = true;
  point.labels.push_back(label("call_indirect"));
  if (targets.size() > 1) {
    context_.program.over_approximates = true;
  }
  if (targets.size() > context_.options.most_targets) {
    warn(call, fmt::format("an indirect call has {} possible targets, only {} are followed",
                           targets.size(), context_.options.most_targets));
    targets.resize(context_.options.most_targets);
  }
  add_call_facts(call, point, targets.empty() ? false : true);
  const SourcePlace place = point.place;
  const std::vector<Fact> facts = point.facts;
  const std::uint32_t choice = append(std::move(point));
  if (!call.getType()->isVoidTy()) {
    calls_[&call] = choice;
  }
  if (targets.empty()) {
    function_.points[choice].unwind = unwind_of(call, false);
    return;
  }
  Point join;
  join.place = place;
  const std::uint32_t after = add(std::move(join));
  Point inside;
  inside.kind = PointKind::Call;
  inside.is_indirect = true;
  inside.place = place;
  inside.facts = facts;
  inside.unwind = unwind_of(call, true);
  for (const llvm::Function* target : targets) {
    if (const auto found = context_.functions.find(target); found != context_.functions.end()) {
      inside.targets.push_back(found->second);
      continue;
    }
    const std::string name = context_.externals.normal_name(target->getName().str());
    Point outside;
    outside.place = place;
    outside.is_indirect = true;
    outside.callee = label(name);
    outside.facts = facts;
    outside.next.push_back(context_.externals.noreturn.count(name) != 0 ? Function::kHalt : after);
    go(choice, add(std::move(outside)));
  }
  if (!inside.targets.empty()) {
    inside.next.push_back(after);
    go(choice, add(std::move(inside)));
  }
  current_ = after;
}

bool FunctionLowering::lower_intrinsic(const llvm::IntrinsicInst& call) {
  Point point = at(call);
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::vastart:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::vacopy: {
      const char* name = call.getIntrinsicID() == llvm::Intrinsic::vastart ? "va_start"
                         : call.getIntrinsicID() == llvm::Intrinsic::vaend ? "va_end"
                                                                           : "va_copy";
      point.callee = label(name);
      add_argument_facts(call, 0, point, true);
      append(std::move(point));
      return true;
    }
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memcpy_inline:
    case llvm::Intrinsic::memset_inline: {
      const auto& memory = llvm::cast<llvm::MemIntrinsic>(call);
      const bool sets = llvm::isa<llvm::MemSetInst>(memory);
      point.callee =
          label(sets ? "memset" : (llvm::isa<llvm::MemMoveInst>(memory) ? "memmove" : "memcpy"));
      const VariableId to = context_.variables.addressed_by(memory.getDest());
      const bool local = llvm::isa<llvm::AllocaInst>(without_casts(memory.getDest()));
      if (to.valid()) {
        point.facts.push_back({.kind = local ? FactKind::Def : FactKind::MayDef, .variable = to});
      }
      const auto follow = [&](const llvm::Value* pointer) {
        if (const VariableId followed = context_.variables.loaded_from(base_of(pointer));
            followed.valid()) {
          point.facts.push_back({.kind = FactKind::Deref, .variable = followed});
        }
      };
      follow(memory.getDest());
      if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&memory)) {
        const VariableId from = context_.variables.addressed_by(transfer->getSource());
        if (from.valid()) {
          point.facts.push_back({.kind = FactKind::Use, .variable = from});
        }
        follow(transfer->getSource());
      }
      append(std::move(point));
      return true;
    }
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::ubsantrap:
      point.callee = label("trap");
      append(std::move(point));
      go(current_, Function::kHalt);
      ended_ = true;
      return true;
    default:
      return true;  // arithmetic, lifetimes, hints: no events
  }
}

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    lower_intrinsic(*intrinsic);
    return;
  }
  Point point = at(call);
  add_result_labels(call, point);
  add_constant_labels(call, point);
  const llvm::Value* callee = call.getCalledOperand()->stripPointerCastsAndAliases();
  if (const auto* function = llvm::dyn_cast<llvm::Function>(callee)) {
    lower_named(call, *function, std::move(point));
  } else if (llvm::isa<llvm::InlineAsm>(callee)) {
    point.callee = label("asm");
    add_call_facts(call, point, false);
    append(std::move(point));
  } else {
    lower_indirect(call, std::move(point));
  }
}

}  // namespace nestor
