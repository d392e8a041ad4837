#pragma once

#include "llvm/indirect_calls.h"
#include "llvm/read_program.h"
#include "llvm/variable_table.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nestor::bitcode {

/// The structure that sigaction takes.
bool is_sigaction(const llvm::Type* type);

/// What the lowering of all functions shares.
struct LoweringContext {
  program::Program& program;
  const program::Externals& externals;
  const ReadProgramOptions& options;
  const IndirectCalls& indirect_calls;
  VariableTable& variables;
  llvm::DenseMap<const llvm::Function*, program::FunctionId> functions;  ///< those with a body
  /// Calls of sigaction, which may call back every function that lies in such a structure.
  struct SignalPoint {
    program::FunctionId function;
    std::uint32_t point = 0;
  };
  std::vector<SignalPoint> signal_points = {};
  std::vector<program::FunctionId> stored_handlers = {};  ///< functions in structures for sigaction
};

/// Turns one function into points: its blocks one after the other, a silent point at the head of
/// each, then a point for each event.
class FunctionLowering {
 public:
  FunctionLowering(LoweringContext& context, const llvm::Function& source, program::FunctionId id);
  void run();

 private:
  // function_lowering.cpp
  void find_parameters();
  void add_longjmp_target();
  void lower_block(const llvm::BasicBlock& block);
  void lower(const llvm::Instruction& instruction);

  // memory_lowering.cpp
  void lower_declarations(const llvm::Instruction& instruction);
  void declare(const llvm::Value* address, const llvm::DILocalVariable* variable,
               const llvm::DebugLoc& location);
  void lower_alloca(const llvm::AllocaInst& alloca);
  void lower_load(const llvm::LoadInst& load);
  void lower_store(const llvm::StoreInst& store);
  void lower_atomic(const llvm::Instruction& instruction);
  void add_access(program::Point& point, const llvm::Value* pointer, const llvm::Type* type,
                  bool writes);
  void note_signal_handler(const llvm::StoreInst& store);

  // branch_lowering.cpp
  void lower_terminator(const llvm::Instruction& terminator);
  void lower_branch(const llvm::Instruction& branch);
  std::optional<program::Action> test_of(const llvm::Instruction& branch, unsigned i);
  program::VariableId tested_variable(const llvm::Value* tested) const;

  // call_lowering.cpp
  void lower_call(const llvm::CallBase& call);
  void lower_indirect(const llvm::CallBase& call, program::Point point);
  void lower_target(const llvm::CallBase& call, const llvm::Function& target, program::Point point);
  void lower_inside(const llvm::CallBase& call, program::FunctionId target, program::Point point);
  void lower_outside(const llvm::CallBase& call, const llvm::Function& callee,
                     const std::string& name, program::Point point);
  void lower_callbacks(const llvm::CallBase& call, const std::string& name, std::uint32_t at);
  std::uint32_t unwind_of(const llvm::CallBase& call, bool may_throw);
  void name_call(program::Point& point, const std::string& name);
  void note_result(const llvm::CallBase& call, std::uint32_t point);

  // value_lowering.cpp
  static std::uint8_t bits_of(const llvm::Type* type);  ///< 0: no number and no pointer
  static const llvm::Value* without_pointer_casts(const llvm::Value* value);
  program::Value term_of(const llvm::Value* value);
  program::ValueId value_of(const llvm::Value* value);
  program::ValueId bound_value(const llvm::Value* value);  ///< not valid if it has no bits
  void set_action(program::Point& point, program::Action action);
  void set_call_action(const llvm::CallBase& call, program::Point& point);
  std::uint32_t enter(const llvm::BasicBlock* from, const llvm::BasicBlock* block);

  // intrinsic_lowering.cpp
  void lower_intrinsic(const llvm::IntrinsicInst& call);
  void lower_memory_intrinsic(const llvm::MemIntrinsic& call);

  // call_facts.cpp
  void add_call_facts(const llvm::CallBase& call, program::Point& point, bool borrows);
  void add_argument_facts(const llvm::CallBase& call, unsigned index, program::Point& point,
                          bool borrows);
  void add_result_labels(const llvm::CallBase& call, program::Point& point);
  void add_constant_labels(const llvm::CallBase& call, program::Point& point);
  void add_may_definitions(program::Point& point);

  std::uint32_t append(program::Point point);  ///< after the current point, which it becomes
  std::uint32_t add(program::Point point);     ///< without an edge to it
  void go(std::uint32_t from, std::uint32_t to);
  std::uint32_t head(const llvm::BasicBlock* block) const { return heads_.lookup(block); }
  program::Point at(const llvm::Instruction& instruction);
  base::StringId label(const std::string& text) { return context_.program.strings.intern(text); }
  void warn(const llvm::Instruction& instruction, const std::string& what);

  LoweringContext& context_;
  const llvm::Function& source_;
  program::FunctionId id_;
  program::Function& function_;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> heads_;
  llvm::DenseMap<const llvm::CallBase*, std::uint32_t> calls_;  // the points of those with a result
  llvm::DenseMap<const llvm::Value*, program::ValueId> values_;
  std::vector<program::VariableId>
      escaping_;  // scalars whose address is taken: others may write them
  std::map<program::VariableId, const llvm::DILocation*> declared_at_;
  std::vector<std::uint32_t> setjmps_;
  program::SourcePlace last_place_;  // instructions without a place take the one before
  std::uint32_t current_ = 0;
  bool ended_ = false;  // the current block goes no further
};

}  // namespace nestor::bitcode
