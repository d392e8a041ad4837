#pragma once

#include "program/semantics.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace nestor::program {

/// Tells in one walk over a function whether what a rule forbids can follow a release at all,
/// whatever branches test: most things are released once, after all that is done with them, and
/// need no model of their own.
class AfterRelease {
 public:
  /// What the rule speaks of.
  struct Question {
    using ArgumentOf = std::function<std::optional<unsigned>(const Point& call)>;

    ArgumentOf released;     ///< by a call that the rule is about
    ArgumentOf forbidden;    ///< that the released thing must not be
    bool is_deref = false;   ///< nor may it be followed
    bool is_passed = false;  ///< nor given to a function that needs it to be valid
  };

  AfterRelease(ProgramIndex& index, Question question)
      : index_(index), question_(std::move(question)) {}

  /// For a value that a function gets from its caller, by a call or from memory. Also if what a
  /// call has made is released and may outlive the function.
  bool may_follow(const HandleOrigin& origin);

 private:
  class Walk;
  /// What a function may do with a thing; at first the worst.
  struct Summary {
    bool releases = true;
    bool is_forbidden = true;  ///< to do so after a release
    bool has_both = true;      ///< one after the other
    bool is_given = true;      ///< as the result
    bool is_stored = true;     ///< where it is found again
  };

  const Summary& of_parameter(FunctionId function, std::uint32_t parameter);

  ProgramIndex& index_;
  const Question question_;
  std::map<std::pair<FunctionId, std::uint32_t>, Summary> parameters_;
  int depth_ = 0;  // of functions that are being looked at
};

}  // namespace nestor::program
