#pragma once

#include "program/program.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace nestor::lint {

/// Says in the words of the source what the branches of one function test.
class BranchText {
 public:
  BranchText(const program::Program& program, const program::Function& function);

  /// `'fd' is negative`, `'p' is null`, or at least which way is taken; `point` is an Assume.
  std::string of(const program::Point& point) const;
  /// What a value is called, or the place that it is first written to; empty if it has no name.
  std::string name_of(program::ValueId value) const;
  std::string written_to(program::ValueId value) const;
  /// The number of the parameter that a value was read from.
  std::optional<std::size_t> parameter_of(program::ValueId value) const;
  /// The pointer that an address was computed from; empty if it has no name.
  std::string base_of(program::ValueId address) const;
  /// No variable of the source.
  bool is_hidden(program::VariableId variable) const {
    return program_.variables[variable].is_artificial;
  }

 private:
  /// What can be said of a term.
  struct Subject {
    std::string text;
    bool is_call = false;
    bool is_character = false;
  };

  std::optional<Subject> subject_of(program::ValueId value, int depth) const;
  /// What is read or written there.
  std::optional<Subject> place_of(const program::Point& point, const program::Action& access,
                                  int depth) const;
  std::optional<std::string> claim(program::ValueId value, program::Relation relation,
                                   const program::Value& constant, bool is_unsigned,
                                   int depth) const;
  program::ValueId without_casts(program::ValueId value) const;
  program::ValueId without_steps(program::ValueId address) const;
  program::VariableId read_location(program::ValueId value) const;

  const program::Program& program_;
  const program::Function& function_;
  std::unordered_map<std::uint32_t, std::uint32_t> binders_;  // by value: the point; one of several
  std::unordered_set<std::uint32_t> chosen_;                  // values with several binders
};

}  // namespace nestor::lint
