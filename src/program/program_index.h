#pragma once

#include "base/bit_set.h"
#include "program/borrowing.h"
#include "program/externals.h"
#include "program/never_null.h"
#include "program/number_set.h"
#include "program/program.h"
#include "program/relevance.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace nestor::program {

/// Which values models follow besides the one that they are about, if not all that may tell what
/// becomes of it: for measuring.
struct ValuesFollowed {
  bool outcomes = true;    ///< what functions return, and flags made of comparisons
  bool conditions = true;  ///< everything else
};

/// What models of one program ask for again and again, found out when it is asked for.
class ProgramIndex : public Relevance::Calls {
 public:
  ProgramIndex(const Program& program, const Externals& externals,
               const ValuesFollowed& values = {});

  const ValuesFollowed& values() const { return values_; }
  const Program& program() const { return program_; }
  const Relevance& relevance(FunctionId function, const HandleSeeds& seeds);
  /// Models that were given up, by what tells them apart, so that nobody tries again.
  std::set<std::string>& too_large() { return too_large_; }
  /// Who uses what in a function.
  const FunctionUses& uses_of(FunctionId function);
  /// Lets go of what relevance() has found, if that is much.
  void forget_relevance();
  /// What is known of the function outside that the point calls; null if nothing is.
  const ExternalFunction* external(const Point& point) const;
  /// The call copies what lies at argument 1 to argument 0.
  bool copies_memory(const Point& call) const;
  /// What the call does with an argument.
  ArgumentUse use_of(const Point& point, std::size_t argument) const;
  /// A call of a function outside neither releases nor keeps the argument; with Everything, nor
  /// does it write where it leads to.
  bool borrows_outside(const Point& call, std::size_t argument, Reach reach) const;
  /// The result of a call of a function outside may be the argument, or point into it.
  bool gives_back(const Point& call, std::size_t argument) const;
  /// The same for functions of the program.
  bool borrows(FunctionId function, std::size_t argument, Reach reach) const;
  /// All targets of the call through a pointer of which this point is one.
  const std::vector<std::uint32_t>& alternatives_to(FunctionId function, std::uint32_t point);
  /// What the call leads to only looks at the argument, and does not give it back.
  bool is_lent(const Point& call, std::size_t argument, Reach reach) const;
  /// See Borrowing::borrows_from().
  bool borrows_from(FunctionId function, VariableId location, Reach reach) const;
  /// Functions that read or write there themselves.
  std::vector<FunctionId> accessing(VariableId location) const {
    const auto found = direct_.find(location.value());
    return found == direct_.end() ? std::vector<FunctionId>() : found->second;
  }
  /// Functions that call each other are a group: what one of them may come to, all may.
  std::uint32_t group_of(FunctionId function) const { return group_of_[function.value()]; }
  /// The groups of the functions and of all that lead to them.
  base::BitSet groups_leading_to(const std::vector<FunctionId>& functions) const;
  /// The function, or one that it calls, reads or writes there.
  bool may_touch(FunctionId function, VariableId location) const {
    if (!location.valid() || program_.variables[location].kind == VariableKind::Local) {
      return false;
    }
    const base::BitSet& touching = touching_[location];
    return (touching.size() == 0 ? find_touching(location) : touching).test(group_of(function));
  }
  /// The local's address is stored nowhere, and given only to functions that do not keep it: no
  /// pointer that its function reads leads there.
  bool address_stays(VariableId local) const;
  /// The function, or one that it calls, writes a pointer to where some pointer leads.
  bool writes_pointers(FunctionId function) const;
  /// Some caller, however far, has a setjmp that a longjmp can go to; or the program has none at
  /// all.
  bool may_jump_out_of(FunctionId function) const;
  /// A longjmp leaves the function that no setjmp between there and here is for: a function that
  /// has one is taken to catch what it calls.
  bool jumps_out(FunctionId function) const;
  /// A function that keeps count in what it is given, and releases that at times: what is done
  /// twice to the same thing need not be done to it twice in a run.
  bool counts_down(FunctionId function) const;
  /// What the function can return, as far as constants tell.
  const NumberSet& results_of(FunctionId function);
  /// A place that a function reads: so many bytes into a variable, or into what a pointer leads to.
  struct Field {
    VariableId base;  ///< not valid: what a pointer leads to
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    VariableId location;  ///< under which name it is read

    friend auto operator<=>(const Field&, const Field&) = default;
  };
  const std::set<Field>& fields_of(FunctionId function);
  /// What a function writes values to which may be handles, locals aside.
  const std::vector<VariableId>& handles_stored_by(FunctionId function) const;
  /// See program::ends_of().
  std::uint8_t ends_of(FunctionId function, std::uint32_t point) {
    std::vector<std::uint8_t>& ends = ends_[function.value()];
    if (ends.empty()) {
      ends = program::ends_of(program_, program_.functions[function]);
    }
    return ends[point];
  }
  /// The calls of a function.
  struct Caller {
    FunctionId function;
    std::uint32_t point = 0;
  };
  const std::vector<Caller>& callers_of(FunctionId function) const {
    return callers_[function.value()];
  }

 private:
  bool is_harmless(const Point& call) const override;
  bool takes(const Point& call, std::size_t argument) const override;
  bool gives_out(const Point& call, std::size_t argument) const override;
  bool may_touch(const Point& call, VariableId location) const override;
  bool may_take_from(const Point& call, VariableId location) const override;
  VariableKind kind_of(VariableId location) const override {
    return location.valid() ? program_.variables[location].kind : VariableKind::Memory;
  }
  NumberSet results_of(FunctionId function, ValueId value, int depth);
  void find_groups();
  const base::BitSet& find_touching(VariableId location) const;

  /// Of one function in which something is followed, whatever that is.
  struct Dependences {
    Dependences(const Program& program, const Function& function, const FunctionUses& uses)
        : control(function), dependents(program, function, uses) {}
    ControlDependence control;
    Dependents dependents;
  };

  const Program& program_;
  const Externals& externals_;
  const ValuesFollowed values_;
  std::vector<std::vector<Caller>> callers_;
  std::vector<std::vector<std::uint32_t>> calling_groups_;                 // by group, each once
  std::unordered_map<std::uint32_t, std::vector<FunctionId>> direct_;      // by location
  std::unordered_map<std::uint32_t, std::unique_ptr<FunctionUses>> uses_;  // by function
  std::unordered_map<std::uint32_t, std::unique_ptr<Dependences>> dependences_;  // likewise
  /// The place of an entry is its number.
  std::map<std::pair<FunctionId, HandleSeeds>, std::uint32_t> relevance_ids_;
  std::vector<std::unique_ptr<Relevance>> relevance_;  // by number; null: not known, or forgotten
  std::size_t points_with_relevance_ = 0;  // of the functions, each as often as it is known
  mutable base::IdVector<VariableId, base::BitSet> touching_;  // groups; empty: not asked yet
  mutable base::BitSet writing_pointers_;                      // the same
  mutable base::BitSet below_setjmp_;                          // functions; empty: not asked yet
  mutable base::BitSet jumping_out_;
  mutable std::unordered_map<std::uint32_t, bool> counting_;  // by function
  mutable std::unordered_map<std::uint32_t, bool> staying_;   // by local
  mutable std::unordered_map<std::uint32_t, const ExternalFunction*> externals_by_name_;
  mutable std::unique_ptr<Borrowing> borrowing_;
  std::unique_ptr<NeverNull> never_null_;
  mutable std::unordered_map<std::uint32_t, std::vector<VariableId>> stored_;  // by function
  std::unordered_map<std::uint32_t, NumberSet> results_;
  std::unordered_map<std::uint32_t, std::set<Field>> fields_;
  std::set<std::string> too_large_;
  /// By function: the targets of each call through a pointer that has several.
  std::unordered_map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> alternatives_;
  std::unordered_map<std::uint32_t, std::vector<std::uint8_t>> ends_;  // by function and point
  std::vector<std::uint32_t> group_of_;                                // by function
};

}  // namespace nestor::program
