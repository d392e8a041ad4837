// What a function computes, as terms that need nothing of LLVM.

#include "llvm/function_lowering.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace nestor::bitcode {

namespace {

constexpr unsigned kWidest = 64;

bool is_small(const llvm::Type* type) {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= kWidest);
}

std::optional<program::Value::Kind> kind_of(llvm::Instruction::BinaryOps operation) {
  switch (operation) {
    case llvm::Instruction::Add:
      return program::Value::Kind::Add;
    case llvm::Instruction::Sub:
      return program::Value::Kind::Subtract;
    case llvm::Instruction::And:
      return program::Value::Kind::And;
    case llvm::Instruction::Or:
      return program::Value::Kind::Or;
    case llvm::Instruction::Xor:
      return program::Value::Kind::ExclusiveOr;
    default:
      return std::nullopt;
  }
}

std::optional<program::Value::Kind> kind_of(llvm::Instruction::CastOps cast) {
  switch (cast) {
    case llvm::Instruction::SExt:
      return program::Value::Kind::SignExtend;
    case llvm::Instruction::ZExt:
      return program::Value::Kind::ZeroExtend;
    case llvm::Instruction::Trunc:
      return program::Value::Kind::Truncate;
    default:
      return std::nullopt;
  }
}

/// Nobody writes it, as far as the program goes: the linked program is all there is if it has a
/// main function.
bool is_never_written(const llvm::GlobalVariable& global) {
  if (global.isConstant()) {
    return true;
  }
  if (!global.hasLocalLinkage() && global.getParent()->getFunction("main") == nullptr) {
    return false;
  }
  return std::all_of(global.user_begin(), global.user_end(), [](const llvm::User* user) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    return load != nullptr && !load->isVolatile();
  });
}

/// The number or null pointer that a read always finds.
const llvm::Constant* constant_behind(const llvm::LoadInst& load) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(load.getPointerOperand());
  if (global == nullptr || load.isVolatile() || !global->hasInitializer() ||
      global->isThreadLocal() || global->getValueType() != load.getType() ||
      !is_never_written(*global)) {
    return nullptr;
  }
  const llvm::Constant* initial = global->getInitializer();
  return llvm::isa<llvm::ConstantInt>(initial) || llvm::isa<llvm::ConstantPointerNull>(initial)
             ? initial
             : nullptr;
}

void set_relation(llvm::CmpInst::Predicate predicate, program::Value& value) {
  using Predicate = llvm::CmpInst::Predicate;
  using program::Relation;
  value.is_unsigned = llvm::CmpInst::isUnsigned(predicate);
  switch (predicate) {
    case Predicate::ICMP_EQ:
      value.relation = Relation::Equal;
      break;
    case Predicate::ICMP_NE:
      value.relation = Relation::NotEqual;
      break;
    case Predicate::ICMP_SLT:
    case Predicate::ICMP_ULT:
      value.relation = Relation::Less;
      break;
    case Predicate::ICMP_SLE:
    case Predicate::ICMP_ULE:
      value.relation = Relation::LessEqual;
      break;
    case Predicate::ICMP_SGT:
    case Predicate::ICMP_UGT:
      value.relation = Relation::Greater;
      break;
    default:
      value.relation = Relation::GreaterEqual;
      break;
  }
}

}  // namespace

std::uint8_t FunctionLowering::bits_of(const llvm::Type* type) {
  if (type->isPointerTy()) {
    return kWidest;
  }
  return is_small(type) ? static_cast<std::uint8_t>(type->getIntegerBitWidth()) : 0;
}

program::Value FunctionLowering::term_of(const llvm::Value* value) {
  using Kind = program::Value::Kind;
  program::Value term;
  term.bits = bits_of(value->getType());
  if (term.bits == 0) {
    return {};
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    term.kind = Kind::Constant;
    term.number =
        term.bits == 1 ? static_cast<std::int64_t>(number->getZExtValue()) : number->getSExtValue();
  } else if (llvm::isa<llvm::ConstantPointerNull>(value)) {
    term.kind = Kind::Constant;
    term.is_null = true;
  } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
    // What lies in the caller's memory by value is the callee's own.
    term.kind = argument->hasByValAttr() ? Kind::Unknown : Kind::Parameter;
    term.number = argument->getArgNo();
  } else if (llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::GlobalVariable>(value)) {
    term.kind = Kind::Address;
    term.variable = context_.variables.addressed_by(value);
  } else if (llvm::isa<llvm::GlobalValue>(value)) {
    term.kind = Kind::Address;
  } else if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(value)) {
    llvm::APInt offset(kWidest, 0);
    term.left = value_of(step->getPointerOperand());
    if (step->accumulateConstantOffset(source_.getParent()->getDataLayout(), offset)) {
      term.kind = Kind::Step;
      term.number = offset.getSExtValue();
    } else {
      term.kind = Kind::Inside;
    }
  } else if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(value)) {
    term.kind = Kind::Compare;
    set_relation(compare->getPredicate(), term);
    term.left = value_of(compare->getOperand(0));
    term.right = value_of(compare->getOperand(1));
  } else if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(value)) {
    if (const auto kind = kind_of(binary->getOpcode())) {
      term.kind = *kind;
      term.left = value_of(binary->getOperand(0));
      term.right = value_of(binary->getOperand(1));
    }
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
    // A truth that is stretched with its sign is 0 or -1, which terms do not tell from 0 or 1.
    const bool is_stretched_truth = cast->getOpcode() == llvm::Instruction::SExt &&
                                    cast->getOperand(0)->getType()->isIntegerTy(1);
    if (const auto kind = kind_of(cast->getOpcode()); kind && !is_stretched_truth) {
      term.kind = *kind;
      term.left = value_of(cast->getOperand(0));
    }
  } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
             load != nullptr && constant_behind(*load) != nullptr) {
    return term_of(constant_behind(*load));
  } else if (llvm::isa<llvm::LoadInst>(value) || llvm::isa<llvm::CallBase>(value) ||
             llvm::isa<llvm::PHINode>(value)) {
    term.kind = Kind::Bound;
  }
  return term;
}

/// Casts between pointers, between pointers and numbers of their size, and steps to the first
/// part of something change nothing.
const llvm::Value* FunctionLowering::without_pointer_casts(const llvm::Value* value) {
  for (;;) {
    if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(value);
        step != nullptr && step->hasAllZeroIndices()) {
      value = step->getPointerOperand();
      continue;
    }
    const auto* operation = llvm::dyn_cast<llvm::Operator>(value);
    const unsigned code = operation == nullptr ? 0 : operation->getOpcode();
    const bool same = code == llvm::Instruction::BitCast ||
                      code == llvm::Instruction::AddrSpaceCast ||
                      code == llvm::Instruction::PtrToInt || code == llvm::Instruction::IntToPtr ||
                      code == llvm::Instruction::Freeze;
    if (!same || bits_of(value->getType()) != bits_of(operation->getOperand(0)->getType())) {
      return value;
    }
    value = operation->getOperand(0);
  }
}

program::ValueId FunctionLowering::value_of(const llvm::Value* value) {
  value = without_pointer_casts(value);
  if (const auto found = values_.find(value); found != values_.end()) {
    return found->second;
  }
  program::Value term = term_of(value);
  const program::ValueId id = function_.values.push_back(term);
  values_[value] = id;
  return id;
}

program::ValueId FunctionLowering::bound_value(const llvm::Value* value) {
  return bits_of(value->getType()) == 0 ? program::ValueId() : value_of(value);
}

void FunctionLowering::set_action(program::Point& point, program::Action action) {
  point.action = static_cast<std::uint32_t>(function_.actions.size());
  function_.actions.push_back(std::move(action));
}

void FunctionLowering::set_call_action(const llvm::CallBase& call, program::Point& point) {
  program::Action action;
  action.kind = program::Action::Kind::Call;
  action.result = bound_value(&call);
  for (const llvm::Use& argument : call.args()) {
    action.arguments.push_back(value_of(argument.get()));
  }
  set_action(point, std::move(action));
}

/// The point that leads into `block` from `from`: where values of different branches meet, what
/// they are on this way.
std::uint32_t FunctionLowering::enter(const llvm::BasicBlock* from, const llvm::BasicBlock* block) {
  std::uint32_t to = head(block);
  for (const llvm::PHINode& phi : block->phis()) {
    const int index = phi.getBasicBlockIndex(from);
    if (bits_of(phi.getType()) == 0 || index < 0) {
      continue;
    }
    program::Point point;
    point.place = last_place_;
    program::Action action;
    action.kind = program::Action::Kind::Choose;
    action.result = value_of(&phi);
    action.value = value_of(phi.getIncomingValue(static_cast<unsigned>(index)));
    set_action(point, std::move(action));
    point.next.push_back(to);
    to = add(std::move(point));
  }
  return to;
}

}  // namespace nestor::bitcode
