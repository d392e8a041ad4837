#pragma once

#include "program/semantics.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace nestor::program {

/// Tells in one walk over a function whether what a rule forbids can follow a release at all,
/// whatever branches test: most things are released once, after all that is done with them, and
/// need no model of their own.
class AfterRelease {
 public:
  /// What a function may do with a thing that it is given.
  struct Summary {
    bool releases = false;
    bool is_forbidden = false;  ///< to do so after a release
    bool has_both = false;      ///< one after the other
    bool is_given = false;      ///< as the result
    bool is_stored = false;     ///< where it is found again

    void join(const Summary& other) {
      releases |= other.releases;
      is_forbidden |= other.is_forbidden;
      has_both |= other.has_both;
      is_given |= other.is_given;
      is_stored |= other.is_stored;
    }
    friend bool operator==(const Summary&, const Summary&) = default;
  };
  /// What the rule speaks of.
  struct Question {
    using ArgumentOf = std::function<std::optional<unsigned>(const Point& call)>;

    ArgumentOf released;     ///< by a call that the rule is about
    ArgumentOf forbidden;    ///< that the released thing must not be
    bool is_deref = false;   ///< nor may it be followed
    bool is_passed = false;  ///< nor given to a function that needs it to be valid
    /// A closer look at what a function does with a parameter, by a model, if that is possible.
    std::function<std::optional<Summary>(const HandleOrigin& parameter)> look_closer;
  };

  AfterRelease(ProgramIndex& index, Question question)
      : index_(index), question_(std::move(question)) {}

  /// For a value that a function gets from its caller, by a call or from memory. Also if what a
  /// call has made is released and may outlive the function.
  bool may_follow(const HandleOrigin& origin);

 private:
  class Walk;
  using Parameter = std::pair<FunctionId, std::uint32_t>;
  /// The least that is right of all functions, found in rounds.
  struct Known {
    Summary summary;
    std::set<Parameter> users;  ///< those that have asked for it
    bool is_waiting = false;    ///< to be looked at
    bool was_looked_at_closer = false;
  };

  Summary of_origin(const HandleOrigin& origin);
  /// As far as it is known by now.
  const Summary& of_parameter(const Parameter& parameter);
  void look_at(const Parameter& parameter);
  void settle();

  ProgramIndex& index_;
  const Question question_;
  std::map<Parameter, Known> parameters_;
  std::vector<Parameter> work_;
  std::optional<Parameter> asking_;  // that is being looked at
  int depth_ = 0;                    // of functions that are
};

}  // namespace nestor::program
