#pragma once

#include "program/program_index.h"
#include "program/symbolic_state.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nestor::program {

/// Where the handle of a model comes from.
struct HandleOrigin {
  FunctionId function;
  /// The point that makes it: a call of a function outside, a call of a function of the program
  /// that makes it (`makers` tells where), or a read of a place that holds it. kEntry: it is a
  /// parameter.
  std::uint32_t point = 0;
  std::uint32_t parameter = 0;  ///< where the point is kEntry
  /// If it is valid, the handle is what lies in this member of what the value points to.
  VariableId member = VariableId();
  std::int64_t offset = 0;  ///< of the member
  /// The point is a call of a function of the program, and the handle what that has made inside.
  bool is_handed_out = false;
  friend auto operator<=>(const HandleOrigin&, const HandleOrigin&) = default;
};

/// What a model follows.
struct Tracking {
  std::optional<HandleOrigin> origin;
  bool failure = false;    ///< the handle is what the call gives when it fails
  bool undefined = false;  ///< the handle is what lies in memory that nobody has written
  bool address = false;    ///< the handle is the address of a local, from its declaration on
  bool null = false;       ///< the handle is a null pointer, from where it is written or found
  /// What becomes of it once it is released or kept somewhere does not matter.
  bool ends_with_release = false;
  /// What is passed on to functions that may keep it, or stored anywhere but in locals, is taken to
  /// be kept: for what could not be followed further.
  bool is_shallow = false;
  /// Of functions that hand out what they make: the points where it is made.
  const std::map<FunctionId, std::set<std::uint32_t>>* makers = nullptr;
};

/// Tells apart what models can follow.
std::string name_of(const Tracking& tracking);

/// What a point does to the handle.
struct Happenings {
  std::uint32_t arguments = 0;  ///< bit i: argument i is the handle
  bool is_origin = false;
  bool is_followed = false;  ///< what it points to is read or written
  bool is_passed = false;    ///< to a function that needs it to be valid, or follows it
  bool escapes = false;      ///< it is kept where it is not tracked
  bool is_returned = false;  ///< it outlives the first function: the caller has it then
  bool is_lost = false;
  bool is_read = false;  ///< from memory

  friend bool operator==(const Happenings&, const Happenings&) = default;
};

/// How the points of a program change what is known: steps inside of a function, calls and returns.
class Semantics {
 public:
  Semantics(ProgramIndex& index, const Tracking& tracking);

  SymbolicState initial(FunctionId root) const;
  HandleSeeds seeds_of_root(FunctionId root) const;
  HandleSeeds seeds_of_call(FunctionId function, std::uint32_t point, FunctionId target,
                            const SymbolicState& before) const;
  /// What follows is about a function of which this is relevant, and which began so.
  void look_at(const Relevance& relevance, const SymbolicState* entry) {
    relevance_ = &relevance;
    entry_ = entry;
  }
  /// The states in which the next point can be reached, by a point that enters no function.
  void step(FunctionId function, std::uint32_t point, SymbolicState before,
            std::vector<SymbolicState>& after);
  /// There is one at most, whatever is known.
  bool has_one_way(FunctionId function, std::uint32_t point) const;
  /// The call does something to the handle, or makes it.
  bool matters(FunctionId function, std::uint32_t point, FunctionId target,
               const SymbolicState& before, bool is_outermost) const;
  /// The state that `target` begins with, of which this is relevant, and for each symbol of it the
  /// caller's.
  SymbolicState enter(FunctionId function, std::uint32_t point, FunctionId target,
                      const Relevance& relevance, const SymbolicState& before,
                      std::vector<std::uint32_t>& symbols) const;
  /// What is known when a function that was entered so has come to an end in state `end`.
  SymbolicState leave(FunctionId function, std::uint32_t point, FunctionId target,
                      const SymbolicState& before, const SymbolicState& entry,
                      const std::vector<std::uint32_t>& symbols, const SymbolicState& end,
                      bool returns);
  /// What setjmp gives then is not 0.
  void come_from_longjmp(FunctionId function, SymbolicState& state) const;
  /// Leaves out what no later point of the function can ask for.
  void forget(FunctionId function, std::uint32_t point, SymbolicState& state);
  /// The same at an end of the function: what is its own goes.
  void forget_locals(FunctionId function, SymbolicState& state) const;
  /// Without effect on anything but what it may write: a call that is not entered.
  void step_over(FunctionId function, std::uint32_t point, FunctionId target, SymbolicState& state);

  Happenings happenings(FunctionId function, std::uint32_t point, const SymbolicState& state,
                        bool is_root);
  /// Nothing that follows is of interest.
  bool is_over(std::uint32_t point, const SymbolicState& state) const;
  /// The point makes the handle, if it is still to be made.
  bool is_origin(FunctionId function, std::uint32_t point, bool is_outermost) const;

 private:
  static void add_addressed(const Function& in, const Action& call,
                            std::set<VariableId>& locations);
  void add_stored(FunctionId maker, HandleSeeds& seeds) const;
  void forget_all(SymbolicState& state) const;
  std::optional<Datum> evaluate(FunctionId function, ValueId value,
                                const SymbolicState& state) const;
  std::optional<Datum> compared(FunctionId function, const Value& term,
                                const SymbolicState& state) const;
  /// The state where `value` compares so; false: it never does.
  bool assume(FunctionId function, ValueId value, Relation relation, std::int64_t number,
              bool is_unsigned, SymbolicState& state) const;
  bool assume_compared(FunctionId function, const Value& term, bool truth,
                       SymbolicState& state) const;
  /// What a branch finds out; false: it is never taken.
  bool assume_all(FunctionId function, const Action& action, SymbolicState& state) const;
  /// Appends what the value is made of; false: of something that is not known by a symbol.
  bool append_term(FunctionId function, ValueId value, const SymbolicState& state,
                   Condition::Term& term) const;
  /// The state where two terms compare so; false: they are known not to.
  static bool suppose(Relation relation, bool is_unsigned, Condition::Term left,
                      Condition::Term right, SymbolicState& state);
  void choose_tested(FunctionId function, ValueId value, SymbolicState& state) const;
  /// What is followed is not null.
  void follow(FunctionId function, ValueId address, SymbolicState& state) const;
  void read(FunctionId function, std::uint32_t point, const Action& action, SymbolicState& state);
  static bool is_sum(const Function& in, ValueId value);
  std::optional<NumberSet> counted_up(FunctionId function, const Action& write,
                                      const SymbolicState& state) const;
  void write(FunctionId function, std::uint32_t point, const Action& action, SymbolicState before,
             std::vector<SymbolicState>& after);
  void write_datum(FunctionId function, const std::optional<Datum>& address,
                   const std::optional<Datum>& datum, VariableId location, std::uint8_t bits,
                   SymbolicState& state) const;
  void call_outside(FunctionId function, std::uint32_t point, const Action& action,
                    SymbolicState& state);
  std::optional<Datum> found_inside(FunctionId function, std::uint32_t point,
                                    const SymbolicState& state) const;
  bool is_kept_unless_failed(FunctionId function, std::uint32_t point,
                             const SymbolicState& state) const;
  /// So many bytes from there on are zero: those that the function reads are followed.
  void clear_memory(FunctionId function, const Datum& to, std::int64_t length,
                    SymbolicState& state) const;
  void copy_memory(FunctionId function, const Action& action, SymbolicState& state) const;
  std::optional<Slot> slot_at(const std::optional<Datum>& address) const;
  /// What lies there is not known any more. Where only a part can have been written, names of the
  /// handle in other parts stay.
  void erase_pointee(const Datum& pointer, SymbolicState& state, bool is_part = false) const;
  void make_member(const Datum& structure, SymbolicState& state) const;
  void make_undefined(const Datum& address, VariableId location, SymbolicState& state) const;
  bool is_undefined(const std::optional<Datum>& address, const SymbolicState& state) const;
  bool is_own(FunctionId function, const Slot& slot) const;
  bool is_in_global(const Slot& slot) const;
  bool is_beside_handle(const Slot& slot, const SymbolicState& state) const;
  bool is_outcome(FunctionId function, const Slot& slot) const;
  bool is_told(FunctionId function, const Binding& binding, const SymbolicState& state) const;
  static ValueId stored_comparison(const Function& in, const Action& write);
  bool leads_to_handle(const std::optional<Datum>& datum, const SymbolicState& state) const;
  bool holds_handle(const std::optional<Datum>& datum, const SymbolicState& state) const;
  bool is_secret(const std::optional<Datum>& datum, const SymbolicState& state) const;
  bool is_mixed(FunctionId function, ValueId value, const SymbolicState& state) const;
  /// A write that may or may not go there leaves it: what asks whether the handle is lost counts
  /// the names that it may have, what asks what is done to it those that it must have.
  bool is_kept_name(const Datum& datum, const SymbolicState& state) const;
  bool is_inexact(const Slot& slot) const;
  bool may_be_reached(FunctionId function, const Slot& slot) const;
  bool may_be_one(VariableId written, VariableId other) const;
  /// A call of the function may write another pointer into a name of the handle that it was not
  /// given.
  bool may_rename(FunctionId function, const Binding& binding, const SymbolicState& state) const;
  /// Others know where it is from now on, if it is not the handle.
  static void share(const std::optional<Datum>& datum, SymbolicState& state);
  static NumberSet numbers_of(const ResultClass& one);
  NumberSet results_of(const ExternalFunction& known) const;
  Symbol made(const ExternalFunction* known) const;

  ProgramIndex& index_;
  const Program& program_;
  const Tracking& tracking_;
  const Relevance* relevance_ = nullptr;
  const SymbolicState* entry_ = nullptr;
  VariableId local_;  ///< whose address is the handle
  /// What was made is kept where something that was there before holds it.
  bool ends_if_kept_ = false;
};

}  // namespace nestor::program
