#pragma once

#include "base/id.h"
#include "base/string_pool.h"
#include "program/value.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace nestor::program {

using FunctionId = base::Id<struct FunctionTag>;

/// A place in the source of the program. Lines and columns count from 1; 0: unknown.
struct SourcePlace {
  base::StringId file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class VariableKind : std::uint8_t {
  Local,   ///< of its function; a parameter has a place in Function::parameters as well
  Global,  ///< or static
  Field,   ///< a field of a structure, whichever object it is in
  Memory,  ///< what a pointer leads to, by the type of the value
};

struct Variable {
  base::StringId name;  ///< `function::x`, `g`, `T.f`, `*i32`
  VariableKind kind = VariableKind::Local;
  /// Every access is by name: nothing else can read or write it.
  bool exact = false;
  bool is_scalar = false;  ///< a number or a pointer
  bool is_parameter = false;
  bool is_artificial = false;  ///< made by the compiler, not in the source
  bool is_constant = false;    ///< of a global: nobody can write it
  bool is_union = false;       ///< of a field: it holds different things at different times
  bool starts_empty = false;   ///< of a global: it is 0, null or a negative number at first
  FunctionId owner;            ///< of a local
  base::StringId structure;    ///< of a field: what it is a field of, and where that is declared
  SourcePlace declared;
};

/// What a point does to a variable.
enum class FactKind : std::uint8_t {
  Scope,     ///< its life begins, without a value
  Def,       ///< it is written, surely
  MayDef,    ///< it may be written
  Use,       ///< it is read
  Deref,     ///< what its value points to is read or written
  Escape,    ///< its value is kept where it is not tracked
  Null,      ///< on the branch where it is found null, or negative for a number
  NonNull,   ///< on the other branch
  Argument,  ///< its value is passed to a call, as argument number `index`
  Address,   ///< its address is passed to a call, as argument number `index`
  Result,    ///< it takes the result of a call
  Returned,  ///< its value is the function's result
  Blank,     ///< memory is made that nobody has written to; of values that are followed, as is
  Lost,      ///< nothing holds its value any more, and
  Owned,     ///< a member of a structure holds something that is its own, and
  Replaced,  ///< the same, or a global, which is overwritten later
};

struct Fact {
  static constexpr std::uint32_t kNoPoint = UINT32_MAX;

  FactKind kind = FactKind::Use;
  std::uint8_t index = 0;
  bool is_incoming = false;  ///< of Def: a parameter takes what the caller passed
  bool is_constant = false;  ///< of Def: a constant is written
  bool is_default = false;   ///< of Def: by the declaration, or it is 0: to be on the safe side
  VariableId variable;
  std::uint32_t from = kNoPoint;  ///< of Def: the call of the same function whose result is written
};

enum class PointKind : std::uint8_t {
  Entry,
  Step,    ///< nothing but its facts and labels; a call of a function outside the program is one
  Call,    ///< of functions of the program
  Return,  ///< the three ways to leave a function
  Unwind,  ///< by an exception
  Longjmp,
  Halt,  ///< the program ends
};

/// A point of a function's control flow, where something happens that properties can speak of.
struct Point {
  PointKind kind = PointKind::Step;
  bool repeats = false;         ///< of Call: the callees are called any number of times, also never
  bool is_later = false;        ///< of Call that repeats: after the call that it is given to
  bool is_alternative = false;  ///< one of several targets of a call through a pointer
  SourcePlace place;
  base::StringId callee;  ///< name of the called function, normalised; not valid if no call
  std::vector<FunctionId> targets;     ///< of Call
  std::vector<std::uint32_t> next;     ///< points of the same function
  std::uint32_t unwind = UINT32_MAX;   ///< where an exception of the call goes
  std::vector<base::StringId> labels;  ///< besides those that follow from the other fields
  std::vector<Fact> facts;
  std::uint32_t action = UINT32_MAX;  ///< index in Function::actions; UINT32_MAX if it has none
};

/// What a function can do, found bottom-up over the calls.
struct Outcomes {
  bool returns = false;
  bool unwinds = false;
  bool longjmps = false;
  bool halts = false;

  friend bool operator==(const Outcomes&, const Outcomes&) = default;
};

struct Function {
  static constexpr std::uint32_t kEntry = 0;  ///< points[0]; the exits follow
  static constexpr std::uint32_t kReturn = 1;
  static constexpr std::uint32_t kUnwind = 2;
  static constexpr std::uint32_t kLongjmp = 3;
  static constexpr std::uint32_t kHalt = 4;
  static constexpr std::uint32_t kFirst = 5;  ///< the first other point

  base::StringId name;         ///< as in the object file
  base::StringId source_name;  ///< as in the source
  SourcePlace place;
  bool is_visible = false;             ///< to other files
  std::vector<VariableId> parameters;  ///< not valid where a parameter is not tracked
  std::vector<Point> points;
  std::vector<Action> actions;
  base::IdVector<ValueId, Value> values;
  std::uint32_t longjmp_target = kLongjmp;  ///< where a longjmp of a callee goes on
  Outcomes outcomes;
  bool may_diverge = false;  ///< some path through it and what it calls has no end, halt aside

  const Action* action_of(std::uint32_t point) const {
    const std::uint32_t index = points[point].action;
    return index == UINT32_MAX ? nullptr : &actions[index];
  }

  /// The points that every function has, at `place`.
  void add_ends() {
    for (const PointKind kind : {PointKind::Entry, PointKind::Return, PointKind::Unwind,
                                 PointKind::Longjmp, PointKind::Halt}) {
      Point point;
      point.kind = kind;
      point.place = place;
      points.push_back(std::move(point));
    }
    points[kHalt].next = {kHalt};
  }
};

/// Where an exception that leaves a callee goes; one that must not pass ends the program.
inline std::uint32_t unwind_target(const Point& call) {
  return call.unwind == UINT32_MAX ? Function::kHalt : call.unwind;
}

/// A call through a pointer of which only the type is known: there may be other targets than the
/// program has.
struct OpenCall {
  FunctionId function;
  std::uint32_t choice = 0;  ///< the point before the targets
  std::uint32_t after = 0;   ///< and the one where they meet again
};

/// A whole program as its functions and what happens in them; what front ends produce, whatever the
/// language, and what models are sliced from.
struct Program {
  base::StringPool strings;
  base::IdVector<FunctionId, Function> functions;
  base::IdVector<VariableId, Variable> variables;
  std::vector<FunctionId> roots;            ///< where execution begins
  std::vector<FunctionId> signal_handlers;  ///< functions given to signal() and the like
  std::vector<FunctionId> exit_handlers;    ///< functions given to atexit() and the like
  /// Functions given to pthread_create(), std::thread, event libraries: they begin by themselves.
  std::vector<FunctionId> started;
  std::vector<OpenCall> open_calls;
  std::vector<std::string> warnings;  ///< what could not be handled, with function and line
  bool over_approximates = false;     ///< some call has more targets than it can have
  std::size_t indirect_calls = 0;
  std::size_t indirect_targets = 0;  ///< of all indirect calls together

  std::string_view text(base::StringId id) const {
    return id.valid() ? strings[id] : std::string_view();
  }
};

/// Fills Function::outcomes: which exits a function reaches from its entry, calls included. Where a
/// function comes to no end because of what calls through pointers may reach, they may reach other
/// functions as well, which come back.
void infer_outcomes(Program& program);
/// For each point the ends of the function that can come after it, or are it, as a set: bit kReturn
/// and so on. After infer_outcomes().
std::vector<std::uint8_t> ends_of(const Program& program, const Function& function);
/// Fills Function::may_diverge; after infer_outcomes().
void infer_divergence(Program& program);

}  // namespace nestor::program
