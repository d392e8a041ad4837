#pragma once

#include "base/input.h"
#include "smv/syntax/syntax.h"
#include "smv/terms/term.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::smv {

/// The values of a variable's type: a stretch of numbers, or a list.
class Domain {
 public:
  Domain() = default;
  Domain(std::int64_t low, std::uint64_t count) : low_(low), count_(count) {}
  explicit Domain(std::vector<std::int64_t> values);

  /// 0 means 2^64, or more: of wide words, which the domain does not number.
  std::uint64_t count() const { return count_; }
  std::int64_t value(std::uint64_t index) const {
    if (values_.empty()) {  // the largest word of 64 bits is 2^64 - 1 behind the smallest
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(low_) + index);
    }
    return values_[static_cast<std::size_t>(index)];
  }
  /// Nothing if the value is not in the domain.
  std::optional<std::uint64_t> index(std::int64_t value) const;

 private:
  std::int64_t low_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::int64_t> values_;  // empty for a stretch
  std::int64_t base_ = 0;             // of the table below
  std::vector<std::uint32_t> table_;  // value - base_ → index + 1; empty if too sparse
  std::map<std::int64_t, std::uint64_t> sparse_;
};

struct Variable {
  std::string name;
  VariableKind kind = VariableKind::State;
  Type type;
  Domain domain;
  Place at = 0;
};

/// `init(x) := …`, `next(x) := …` (by a process) or `x := …`.
struct Assignment {
  AssignSyntax::Kind kind = AssignSyntax::Kind::Always;
  VariableId variable;
  std::size_t process = 0;
  TermId value;
  Place at = 0;
};

struct Constraint {
  TermId condition;
  Place at = 0;
};

struct Call {
  std::string_view module;
  TermId condition;
  Place at = 0;
};

/// A DEFINE or variable of type boolean: what formulas can name.
struct LabelTerm {
  std::string name;
  TermId condition;
  Place at = 0;
  bool is_define = false;
};

using InstanceId = base::Id<struct InstanceTag>;

/// A specification where it stands.
struct FlatSpec {
  const SpecSyntax* syntax = nullptr;
  InstanceId instance;
  std::string instance_name;  ///< empty for the outermost module
};

/// A module with everything in it put together: no instances, parameters, definitions and arrays
/// any more.
struct FlatModel {
  std::string_view module;
  Place at = 0;
  bool recursive = false;  ///< of a file that uses CALL or EXIT
  TermPool terms;
  Symbols symbols;
  base::IdVector<VariableId, Variable> variables;
  std::vector<std::string> processes;  ///< the outermost module is the first
  std::vector<Assignment> assignments;
  std::vector<Constraint> init, trans, invar, fairness;
  std::vector<Call> calls;
  std::vector<LabelTerm> labels;
  std::vector<FlatSpec> specs;
  std::vector<RefusedSyntax> refused;
};

/// `counter = 0, state = s1`; `values` by variable.
std::string print_state(const FlatModel& model, std::span<const std::int64_t> values);

}  // namespace nestor::smv
