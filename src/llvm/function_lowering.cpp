#include "llvm/function_lowering.h"

#include "llvm/phi_threading.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cassert>

namespace nestor {

namespace {

/// Some use of a pointer that was loaded from a local keeps it where nobody follows. Uses by loads,
/// stores through it, comparisons and calls are looked at where they are.
bool is_kept(const llvm::Value* pointer, bool interior) {
  for (const llvm::User* user : pointer->users()) {
    if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::ICmpInst>(user)) {
      continue;
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (interior && store->getValueOperand() == pointer) {
        return true;
      }
    } else if (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      if (interior ? true : is_kept(step, true)) {
        // one level of steps is enough at -O0; what goes further counts as kept
        return true;
      }
    } else if (llvm::isa<llvm::CallBase>(user)) {
      if (interior && !llvm::isa<llvm::IntrinsicInst>(user)) {
        return true;
      }
    } else if (!llvm::isa<llvm::ReturnInst>(user)) {
      return true;
    }
  }
  return false;
}

bool is_stored_elsewhere(const llvm::Value& value, const llvm::StoreInst& store) {
  return std::any_of(value.user_begin(), value.user_end(), [&](const llvm::User* user) {
    return user != &store && llvm::isa<llvm::StoreInst>(user);
  });
}

/// How a comparison tells that a handle is none: null, or a negative number.
struct NullTest {
  const llvm::Value* tested = nullptr;
  bool null_if_true = false;
};

NullTest null_test(const llvm::ICmpInst& compare) {
  using Predicate = llvm::CmpInst::Predicate;
  const bool swapped = llvm::isa<llvm::Constant>(compare.getOperand(0));  // `NULL == p`
  const llvm::Value* tested = compare.getOperand(swapped ? 1 : 0);
  const llvm::Value* constant = compare.getOperand(swapped ? 0 : 1);
  const Predicate predicate = swapped ? compare.getSwappedPredicate() : compare.getPredicate();
  const bool equal = predicate == Predicate::ICMP_EQ;
  if (llvm::isa<llvm::ConstantPointerNull>(constant)) {
    return compare.isEquality() ? NullTest{tested, equal} : NullTest{};
  }
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant);
  if (number == nullptr) {
    return {};
  }
  if (number->isMinusOne() && compare.isEquality()) {
    return {tested, equal};
  }
  if ((number->isZero() && predicate == Predicate::ICMP_SLT) ||
      (number->isMinusOne() && predicate == Predicate::ICMP_SLE)) {
    return {tested, true};
  }
  if ((number->isZero() && predicate == Predicate::ICMP_SGE) ||
      (number->isMinusOne() && predicate == Predicate::ICMP_SGT)) {
    return {tested, false};
  }
  return {};
}

/// A branch on the result of a call that returns a number: 0, or not negative, if all went well.
struct FailureTest {
  const llvm::CallBase* call = nullptr;
  bool failed_if_true = false;
};

FailureTest failure_test(const llvm::Instruction& branch) {
  using Predicate = llvm::CmpInst::Predicate;
  const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch);
  const auto* compare = conditional == nullptr || !conditional->isConditional()
                            ? nullptr
                            : llvm::dyn_cast<llvm::ICmpInst>(conditional->getCondition());
  if (compare == nullptr) {
    return {};
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(compare->getOperand(0));
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
  if (call == nullptr || number == nullptr) {
    return {};
  }
  if (number->isZero() && compare->isEquality()) {
    return {call, compare->getPredicate() == Predicate::ICMP_NE};
  }
  const NullTest test = null_test(*compare);
  return test.tested == nullptr ? FailureTest() : FailureTest{call, test.null_if_true};
}

}  // namespace

FunctionLowering::FunctionLowering(LoweringContext& context, const llvm::Function& source,
                                   FunctionId id)
    : context_(context), source_(source), function_(context.program.functions[id]) {}

std::uint32_t FunctionLowering::add(Point point) {
  function_.points.push_back(std::move(point));
  return static_cast<std::uint32_t>(function_.points.size() - 1);
}

void FunctionLowering::go(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& next = function_.points[from].next;
  if (std::find(next.begin(), next.end(), to) == next.end()) {
    next.push_back(to);
  }
}

std::uint32_t FunctionLowering::append(Point point) {
  const std::uint32_t added = add(std::move(point));
  go(current_, added);
  current_ = added;
  return added;
}

Point FunctionLowering::at(const llvm::Instruction& instruction) {
  const SourcePlace place = context_.variables.place(instruction.getDebugLoc());
  if (place.line > 0) {
    last_place_ = place;
  }
  Point point;
  point.place = last_place_;
  return point;
}

void FunctionLowering::warn(const llvm::Instruction& instruction, const std::string& what) {
  const Point point = at(instruction);
  context_.program.warnings.push_back(
      fmt::format("{}:{}: in '{}': {}", context_.program.text(point.place.file), point.place.line,
                  context_.program.text(function_.name), what));
}

void FunctionLowering::add_exits() {
  constexpr PointKind kKinds[] = {PointKind::Entry, PointKind::Return, PointKind::Unwind,
                                  PointKind::Longjmp, PointKind::Halt};
  for (const PointKind kind : kKinds) {
    Point point;
    point.kind = kind;
    point.place = function_.place;
    add(std::move(point));
  }
  go(Function::kHalt, Function::kHalt);
}

void FunctionLowering::run() {
  context_.variables.enter(source_);
  last_place_ = function_.place;
  add_exits();
  function_.parameters.assign(source_.arg_size(), VariableId());
  for (const llvm::Argument& argument : source_.args()) {
    for (const llvm::User* user : argument.users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      const auto* alloca =
          store == nullptr ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      if (alloca != nullptr && store->getValueOperand() == &argument) {
        const VariableId variable = context_.variables.local(alloca);
        if (variable.valid() && context_.program.variables[variable].exact) {
          function_.parameters[argument.getArgNo()] = variable;
        }
      }
    }
  }
  for (const llvm::BasicBlock& block : source_) {
    for (const llvm::Instruction& instruction : block) {
      const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      const VariableId variable =
          alloca == nullptr ? VariableId() : context_.variables.local(alloca);
      if (variable.valid() && !context_.program.variables[variable].exact &&
          context_.program.variables[variable].is_scalar &&
          !context_.program.variables[variable].is_artificial) {
        escaping_.push_back(variable);
      }
    }
    heads_[&block] = add(Point());
  }
  go(Function::kEntry, head(&source_.getEntryBlock()));
  for (const llvm::BasicBlock& block : source_) {
    lower_block(block);
  }
  if (!setjmps_.empty()) {
    add_longjmp_target();
  }
}

/// Whether a longjmp comes back to a setjmp of this function or of a caller is not known: both.
void FunctionLowering::add_longjmp_target() {
  context_.program.over_approximates = true;
  Point target;
  target.place = function_.place;
  const std::uint32_t added = add(std::move(target));
  for (Point& point : function_.points) {
    std::replace(point.next.begin(), point.next.end(), Function::kLongjmp, added);
  }
  go(added, Function::kLongjmp);
  for (const std::uint32_t setjmp : setjmps_) {
    const std::vector<std::uint32_t> after = function_.points[setjmp].next;
    for (const std::uint32_t next : after) {
      go(added, next);
    }
  }
  function_.longjmp_target = added;
}

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  current_ = head(&block);
  ended_ = false;
  if (const llvm::Instruction* first = block.getFirstNonPHIOrDbg(); first != nullptr) {
    function_.points[current_].place = at(*first).place;
  }
  for (const llvm::Instruction& instruction : block) {
    lower_declarations(instruction);
    if (ended_) {
      return;
    }
    if (instruction.isTerminator()) {
      lower_terminator(instruction);
    } else {
      lower(instruction);
    }
  }
}

void FunctionLowering::lower_declarations(const llvm::Instruction& instruction) {
  if (ended_) {
    return;
  }
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
    if (record.isDbgDeclare()) {
      declare(record.getAddress(), record.getVariable(), record.getDebugLoc());
    }
  }
}

void FunctionLowering::declare(const llvm::Value* address, const llvm::DILocalVariable* variable,
                               const llvm::DebugLoc& location) {
  const auto* alloca = llvm::dyn_cast_or_null<llvm::AllocaInst>(address);
  const VariableId id = alloca == nullptr ? VariableId() : context_.variables.local(alloca);
  if (!id.valid() || variable->isParameter()) {
    return;
  }
  Point point;
  point.place = context_.variables.place(location);
  point.facts.push_back({.kind = FactKind::Scope, .variable = id});
  append(std::move(point));
}

/// The variable, and the pointer that was followed to get there.
void FunctionLowering::add_access(Point& point, const llvm::Value* pointer, const llvm::Type* type,
                                  bool writes) {
  const VariableId variable = context_.variables.of(pointer, type);
  const Variable& known = context_.program.variables[variable];
  const bool whole =
      (known.kind == VariableKind::Local || known.kind == VariableKind::Global) && known.is_scalar;
  const FactKind kind = !writes ? FactKind::Use : (whole ? FactKind::Def : FactKind::MayDef);
  point.facts.push_back({.kind = kind, .variable = variable});
  const VariableId followed = context_.variables.loaded_from(base_of(pointer));
  if (followed.valid()) {
    point.facts.push_back({.kind = FactKind::Deref, .variable = followed});
  }
}

void FunctionLowering::lower_load(const llvm::LoadInst& load) {
  Point point = at(load);
  add_access(point, load.getPointerOperand(), load.getType(), false);
  const VariableId read = context_.variables.loaded_from(&load);
  if (read.valid() && is_kept(&load, false)) {
    point.facts.push_back({.kind = FactKind::Escape, .variable = read});
  }
  append(std::move(point));
}

void FunctionLowering::lower_store(const llvm::StoreInst& store) {
  Point point = at(store);
  const llvm::Value* value = store.getValueOperand();
  add_access(point, store.getPointerOperand(), value->getType(), true);
  const VariableId written = point.facts.front().variable;
  point.facts.front().is_incoming = llvm::isa<llvm::Argument>(value);
  point.facts.front().is_constant = llvm::isa<llvm::Constant>(value);
  const llvm::Value* origin = without_casts(value);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(origin)) {
    if (const auto found = calls_.find(call); found != calls_.end()) {
      point.facts.front().from = found->second;
      const bool exact = context_.program.variables[written].exact;
      function_.points[found->second].facts.push_back(
          {.kind = exact ? FactKind::Result : FactKind::Escape, .variable = written});
    }
  }
  // `a = b->c = f()`: the result is kept in several places.
  if (llvm::isa<llvm::CallBase>(origin) && context_.program.variables[written].exact &&
      is_stored_elsewhere(*origin, store)) {
    point.facts.push_back({.kind = FactKind::Escape, .variable = written});
  }
  const VariableId copied = context_.variables.loaded_from(origin);
  if (copied.valid()) {
    point.facts.push_back({.kind = FactKind::Escape, .variable = copied});
  }
  if (context_.program.variables[written].kind == VariableKind::Memory) {
    add_may_definitions(point);
  }
  note_signal_handler(store);
  append(std::move(point));
}

/// `action.sa_handler = f`: the way to signal handlers that is no call.
void FunctionLowering::note_signal_handler(const llvm::StoreInst& store) {
  const auto* handler =
      llvm::dyn_cast<llvm::Function>(store.getValueOperand()->stripPointerCasts());
  if (handler == nullptr || handler->isDeclaration()) {
    return;
  }
  const auto is_sigaction = [](const llvm::Type* type) {
    const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
    return structure != nullptr && !structure->isLiteral() &&
           structure_name(*structure) == "sigaction";
  };
  const llvm::Value* pointer = store.getPointerOperand();
  bool found = false;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    found |= is_sigaction(step->getSourceElementType());
    pointer = step->getPointerOperand();
  }
  const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(pointer);
  if (found || (alloca != nullptr && is_sigaction(alloca->getAllocatedType()))) {
    context_.program.signal_handlers.push_back(context_.functions.lookup(handler));
  }
}

void FunctionLowering::lower(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    lower_load(*load);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    lower_store(*store);
  } else if (const auto* declared = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction)) {
    declare(declared->getAddress(), declared->getVariable(), declared->getDebugLoc());
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    lower_call(*call);
  } else if (llvm::isa<llvm::AtomicRMWInst>(instruction) ||
             llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) {
    Point point = at(instruction);
    const llvm::Value* pointer = instruction.getOperand(0);
    const llvm::Type* type = instruction.getOperand(1)->getType();
    add_access(point, pointer, type, false);
    point.facts.push_back(
        {.kind = FactKind::MayDef, .variable = context_.variables.of(pointer, type)});
    append(std::move(point));
  }
}

void FunctionLowering::lower_branch(const llvm::Instruction& branch) {
  const llvm::BasicBlock* from = branch.getParent();
  if (const llvm::BasicBlock* only = constant_successor(branch); only != nullptr) {
    go(current_, head(thread_edge(from, only)));
    return;
  }
  const auto* conditional = llvm::dyn_cast<llvm::BranchInst>(&branch);
  NullTest test;
  if (conditional != nullptr && conditional->isConditional()) {
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(conditional->getCondition())) {
      test = null_test(*compare);
    }
  }
  VariableId tested;
  if (test.tested != nullptr) {
    tested = context_.variables.loaded_from(test.tested);
    // `if ((p = f()) == NULL)` compares the result itself.
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(without_casts(test.tested));
        call != nullptr) {
      if (const auto found = calls_.find(call); found != calls_.end()) {
        for (const Fact& fact : function_.points[found->second].facts) {
          tested = fact.kind == FactKind::Result ? fact.variable : tested;
        }
      }
    }
  }
  const FailureTest failure = failure_test(branch);
  const auto failing = failure.call == nullptr ? calls_.end() : calls_.find(failure.call);
  const std::uint32_t last = current_;
  for (unsigned i = 0; i < branch.getNumSuccessors(); ++i) {
    std::uint32_t to = head(thread_edge(from, branch.getSuccessor(i)));
    Point point = at(branch);
    if (tested.valid()) {
      const bool is_null = (i == 0) == test.null_if_true;
      point.facts.push_back(
          {.kind = is_null ? FactKind::Null : FactKind::NonNull, .variable = tested});
    }
    if (failing != calls_.end() && (i == 0) == failure.failed_if_true) {
      const StringId callee = function_.points[failing->second].callee;
      if (callee.valid()) {
        point.labels.push_back(label(fmt::format("failed_{}", context_.program.text(callee))));
      }
    }
    if (!point.facts.empty() || !point.labels.empty()) {
      point.next.push_back(to);
      to = add(std::move(point));
    }
    go(last, to);
  }
}

void FunctionLowering::lower_terminator(const llvm::Instruction& terminator) {
  switch (terminator.getOpcode()) {
    case llvm::Instruction::Ret: {
      const llvm::Value* value = llvm::cast<llvm::ReturnInst>(terminator).getReturnValue();
      const VariableId returned =
          value == nullptr ? VariableId() : context_.variables.loaded_from(value);
      if (returned.valid()) {
        Point point = at(terminator);
        point.facts.push_back({.kind = FactKind::Returned, .variable = returned});
        point.facts.push_back({.kind = FactKind::Escape, .variable = returned});
        append(std::move(point));
      }
      go(current_, Function::kReturn);
      break;
    }
    case llvm::Instruction::Unreachable:
      go(current_, Function::kHalt);
      break;
    case llvm::Instruction::Resume:
      go(current_, Function::kUnwind);
      break;
    case llvm::Instruction::Invoke:
    case llvm::Instruction::CallBr:
      lower_call(llvm::cast<llvm::CallBase>(terminator));
      if (!ended_) {
        if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&terminator)) {
          go(current_, head(invoke->getNormalDest()));
        } else {
          lower_branch(terminator);
        }
      }
      break;
    case llvm::Instruction::Br:
    case llvm::Instruction::Switch:
    case llvm::Instruction::IndirectBr:
      lower_branch(terminator);
      break;
    default:
      // Exception handling of other systems (cleanupret, catchswitch, …): go wherever it may.
      warn(terminator,
           fmt::format("the instruction '{}' is over-approximated", terminator.getOpcodeName()));
      context_.program.over_approximates = true;
      lower_branch(terminator);
      go(current_, Function::kUnwind);
  }
}

}  // namespace nestor
