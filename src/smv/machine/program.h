#pragma once

#include "smv/names/flat_model.h"
#include "smv/terms/term.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nestor::smv {

using Register = std::uint32_t;

/// One instruction of the machine that evaluates terms.
struct Instruction {
  enum class Code : std::uint8_t {
    Apply,        ///< result = op(a, b)
    ApplyWide,    ///< the same of wide words
    InSet,        ///< result = a in set b
    Select,       ///< result = list b [a - extra]
    Move,         ///< result = a
    Jump,         ///< to b
    JumpIfFalse,  ///< a is false: to b
    JumpIfTrue,
    Switch,    ///< by a, through table b
    Call,      ///< function a
    Return,    ///< a is the value
    Yield,     ///< a is one of the values
    YieldSet,  ///< those of set a are
    OpenList,  ///< what is yielded from here on is an operand
    Product,   ///< of the last two operands (one, if b is 1): yields op of all pairs
    NoBranch,  ///< no condition of a case holds
    End,       ///< all values are yielded
  };
  Code code = Code::End;
  Op op = Op::Constant;
  Type type;     ///< of the result of Apply and Product
  Type operand;  ///< of their first operand
  Register a = 0;
  std::uint32_t b = 0;
  Register result = 0;
  std::int64_t extra = 0;
  Place at = 0;  ///< for messages
};

/// A case on one variable: value → where to go on.
struct SwitchTable {
  std::int64_t base = 0;
  std::vector<std::uint32_t> dense;                        ///< 0: not there
  std::unordered_map<std::int64_t, std::uint32_t> sparse;  ///< if `dense` would be too large
  std::uint32_t otherwise = 0;
};

/// A term that several others share: evaluated when first needed and then known.
struct Function {
  std::uint32_t entry = 0;
  Register result = 0;
  bool reads_next = false;  ///< known until the next state changes, not the current one
};

/// The code of all terms of a model. Registers: the current values of the variables, their next
/// values, then everything else.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<SwitchTable> tables;
  std::vector<std::vector<Register>> lists;
  std::vector<Function> functions;
  std::vector<std::int64_t> initial;  ///< of the registers: constants are put there once
};

/// How a term's variables are to be read.
struct Reading {
  bool variables_are_next = false;  ///< `x` means the state that is being made
  std::int64_t running = -1;        ///< the process that runs; -1: none is known
};

/// Turns terms into code. `case` becomes jumps, and a table where it distinguishes the values of
/// one term; what was computed before is not computed again. Throws Error.
class Compiler {
 public:
  Compiler(const base::Input& input, const FlatModel& model, Code& code);

  /// Where the code begins that returns the value of `t`, which has one.
  std::uint32_t value(TermId t, Reading reading);
  /// Where the code begins that yields every value of `t`.
  std::uint32_t values(TermId t, Reading reading);

 private:
  struct PendingFunction {
    TermId term;
    std::uint32_t function = 0;
  };

  void begin(Reading reading);
  void take_new_terms();
  void compile_pending();
  Register scalar(TermId t, int depth);
  Register inline_scalar(TermId t, int depth);
  Register case_scalar(TermId t, int depth);
  Register lazy(TermId t, int depth);
  Register select(TermId t, int depth);
  Register count(TermId t, int depth);
  Register call(TermId t);
  void all_values(TermId t, int depth);
  template <class Branch>
  void branches(TermId t, int depth, Branch branch);
  TermId switched_on(TermId t) const;
  template <class Branch>
  void switch_branches(TermId t, TermId subject, int depth, Branch branch);
  bool wants_function(TermId t) const;
  Register constant(std::int64_t value);
  Register fresh();
  Register emit(Instruction instruction);  // into a fresh register
  std::uint32_t add(const Instruction& instruction);
  void patch(std::uint32_t jump) {
    code_.instructions[jump].b = static_cast<std::uint32_t>(code_.instructions.size());
  }
  void know(TermId t, Register r);
  void forget_since(std::size_t mark);

  const base::Input& input_;
  const FlatModel& model_;
  Code& code_;
  Reading reading_;
  std::vector<std::uint32_t> uses_;         // by term
  std::vector<std::uint32_t> weight_;       // by term: how large its tree is, cut off
  base::IdVector<TermId, Register> known_;  // in which register a term's value is, on this path
  std::vector<TermId> trail_;
  std::unordered_map<std::int64_t, Register> constants_;
  std::unordered_map<std::uint64_t, std::uint32_t> functions_;  // term and reading → function
  std::vector<PendingFunction> pending_;
};

}  // namespace nestor::smv
