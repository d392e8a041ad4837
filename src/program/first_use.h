#pragma once

#include "program/program_index.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace nestor::program {

/// Tells in one walk over a function whether what a rule asks for can follow at all, whatever
/// branches test: most variables are written before they are read, and most null pointers are
/// replaced before they are followed, and need no model of their own.
class FirstUse {
 public:
  enum class Of : std::uint8_t {
    Undefined,  ///< memory is read to which nothing was written
    Null,       ///< a null pointer is followed
    Address,    ///< the address of a local is returned, or stored elsewhere
  };

  FirstUse(ProgramIndex& index, Of of) : index_(index), program_(index.program()), of_(of) {}

  /// From a declaration on, from a call that makes memory, from where a pointer becomes null or is
  /// found to be.
  bool may_follow(FunctionId function, std::uint32_t point);

 private:
  /// What a walk can come to.
  struct Found {
    bool is_used = false;  ///< or something that is too much for a walk
    bool ends = false;     ///< an end of the function, with nothing done
  };
  /// What terms may be worth: the address of the memory, or the pointer.
  struct Names {
    std::set<ValueId> values;      ///< leaves of terms
    std::set<VariableId> copies;   ///< locals that may hold it
    std::set<VariableId> certain;  ///< of them those that hold nothing else
    VariableId place;              ///< the memory, if it is a local; or what holds the pointer
  };
  /// What a point does: nothing, something after which nothing can follow, or the use.
  enum class Effect : std::uint8_t { None, Ends, Uses };

  Names names_of(const Function& function, ValueId value, VariableId place) const;
  Found walk(const Function& function, std::uint32_t from, const Names& names);
  Effect effect_of(const Function& function, const Point& point, const Names& names);
  Effect effect_of_write(const Function& function, const Point& point, const Action& write,
                         const Names& names) const;
  Effect effect_of_call(const Function& function, const Point& point, const Action& call,
                        const Names& names);
  Effect effect_of_argument(const Point& call, std::uint32_t argument);
  Found of_parameter(FunctionId function, std::uint32_t parameter);

  ProgramIndex& index_;
  const Program& program_;
  Of of_;
  std::map<std::pair<FunctionId, std::uint32_t>, Found> parameters_;
};

}  // namespace nestor::program
