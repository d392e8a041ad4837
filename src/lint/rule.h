#pragma once

#include "base/error.h"
#include "base/input.h"
#include "lint/cpp_names.h"
#include "program/program.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::lint {

/// Which points of a program are an event of a rule: those that do all of what is set here.
struct EventPattern {
  enum class Result : std::uint8_t { Any, Ignored, Used, Checked, Unchecked, Misjudged };
  /// Functions by what the catalogue says of them.
  enum class Known : std::uint8_t {
    Nothing,
    Any,          ///< whatever it says
    MustCheck,    ///< not looking for a failure is a fault, or it makes what is lost then
    CanFail,      ///< others whose result is a number that tells of a failure
    ShouldCheck,  ///< of these, those whose failure is of interest; not what ends a thing
  };

  std::vector<std::string> calls;  ///< names of functions, any of them
  CppUse cpp = CppUse::None;       ///< or all member functions that do this
  Known known = Known::Nothing;    ///< or all such functions
  bool mostly_checked = false;     ///< of them those whose result the program mostly looks at
  std::vector<std::string>
      failed;  ///< the branch where the result of one of these tells that it failed
  std::map<unsigned, std::string> constants;  ///< arguments that are these constants
  Result result = Result::Any;                ///< what becomes of the call's result
  std::optional<unsigned> argument;           ///< the handle is passed as this argument
  bool is_result = false;                     ///< the handle is the call's result
  std::vector<std::string> made;      ///< of scope object: calls that make these kinds of things
  std::vector<std::string> released;  ///< and calls that end them, argument included; `other`: of
                                      ///< another kind than what was made
  bool counts_moves = false;  ///< of `released`: also those that may fail and then release nothing
  bool is_failure = false;    ///< which is what it gives when it fails
  std::vector<program::FactKind> facts;  ///< of the handle or variable, any of them
  /// Which Def counts.
  enum class Definition : std::uint8_t {
    Any,
    Constant,  ///< of a constant
    Other,     ///< of what is no constant
    Meant,     ///< of more than 0, or a constant where it is declared, to be on the safe side
  };
  Definition definition = Definition::Any;

  bool names(program::FactKind fact) const {
    return std::find(facts.begin(), facts.end(), fact) != facts.end();
  }
  bool speaks_of_handle() const {
    return argument || is_result || !facts.empty() || !released.empty();
  }
};

/// A property of programs, as a rule file gives it (docs/rules.md).
struct Rule {
  enum class Scope : std::uint8_t {
    Program,   ///< from the program's start, for each site
    Signal,    ///< from each signal handler
    AtExit,    ///< from each function given to atexit()
    Function,  ///< for each recursive function
    Variable,  ///< for each local variable that only its function can reach
    Handle,    ///< for each variable that holds what the site makes or takes
    Object,    ///< for each value that the site makes or takes, whatever holds it
    Shared,    ///< for each global or field that sites take, from the program's start
    Pair,      ///< for any two of these
  };
  enum class Severity : std::uint8_t { Error, Warning, Note };

  std::string id;
  std::string title;
  Severity severity = Severity::Warning;
  std::string cwe;   ///< `CWE-416`; empty if there is none
  std::string cert;  ///< `MEM30-C`
  Scope scope = Scope::Program;
  std::map<std::string, EventPattern, std::less<>> events;  ///< by the name that the formula uses
  std::string site;                                         ///< the event that warnings are about
  std::string formula;
  std::string unless;  ///< a formula: where it holds, nothing is to be said; empty if there is none
  std::string message;
  std::string meaning;  ///< for people: why it is worth a warning
  std::string example;  ///< code; of the shipped rules it is in rules/examples
  std::string fix;
  std::string assumes;
  std::string precision;
  bool follows_names = false;  ///< of scope handle: globals and fields are handles, too
  /// Of scope handle and object: the last event of a path must be done to the very thing that the
  /// site is about, not to another of the same name.
  bool needs_same = false;
  bool is_default = true;
  base::SourceLocation formula_at;
};

std::string_view to_string(Rule::Scope scope);
std::string_view to_string(Rule::Severity severity);

/// The rules of a file, in its order. Throws Error (Input).
std::vector<Rule> read_rules(const base::Input& input);
/// The rules that are shipped (rules/*.toml).
std::vector<Rule> builtin_rules();

}  // namespace nestor::lint
