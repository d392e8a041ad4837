#pragma once

#include "base/input.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::program {

/// What a result can be: a set of numbers or of pointers.
struct ResultClass {
  enum class Kind : std::uint8_t {
    None,      ///< there is no such outcome, or nothing is known of it
    Range,     ///< `low` to `high`, both included; of a pointer -1 is `MAP_FAILED`
    NonZero,   ///< every number but 0
    Null,      ///< the null pointer
    NonNull,   ///< every other pointer; if the failure is a range, those outside of it
    Argument,  ///< the argument of number `argument`
    Inside,    ///< a pointer into what that argument points to, not null
  };
  Kind kind = Kind::None;
  std::int64_t low = 0;
  std::int64_t high = 0;
  unsigned argument = 0;

  friend bool operator==(const ResultClass&, const ResultClass&) = default;
};

/// What a function does with an argument. Where it says nothing else, nothing is kept.
enum class ArgumentUse : std::uint8_t {
  Unknown,      ///< anything: it may be kept
  Value,        ///< a number, or a pointer that is not followed
  Reads,        ///< may read what it points to
  Writes,       ///< may write it
  ReadsWrites,  ///< may do both
  Uses,         ///< uses the object that it is or points to: a stream, a mutex, a descriptor
  Keeps,        ///< keeps it, if the call does not fail
  Releases,     ///< the object ends, even if the call fails
  Moves,        ///< the object ends, unless the call fails: realloc
  Makes,        ///< `*argument` becomes a fresh object (pipe: several), unless the call fails
  Initialises,  ///< what it points to becomes an object, unless the call fails: regcomp
  Grows,        ///< `*argument`, an object or null, is replaced by another one: getline
  Calls,        ///< calls it, any number of times, before it returns
  CallsLater,   ///< keeps it and calls it later, any number of times: atexit
  Starts,       ///< a thread of its own begins with it
};

/// What is known of one function outside the program.
struct ExternalFunction {
  ResultClass success;  ///< the results of a call that does what it is for
  ResultClass failure;  ///< and of one that does not
  std::vector<ArgumentUse> arguments;
  ArgumentUse others = ArgumentUse::Value;  ///< of arguments that `arguments` does not reach
  std::set<unsigned> nonnull;               ///< arguments that must not be null pointers
  bool fresh = false;                       ///< success makes the result a new object
  std::string family;              ///< of what is made or released: "malloc", "stream", …
  bool unchecked_matters = false;  ///< not looking for a failure is a fault
  bool failure_is_minor = false;   ///< who ignores it mostly does so for good reasons
  bool is_blank = false;           ///< of fresh memory: nothing was written to it yet
  bool zero_is_usual = false;      ///< 0 is a success like others: it tells nothing of failures

  ArgumentUse use_of(std::size_t argument) const {
    return argument < arguments.size() ? arguments[argument] : others;
  }
  /// Whether no argument is kept, and that is known.
  bool borrows() const;
};

/// What is known of functions that a program calls but does not contain: the model file that users
/// can edit (docs/c-programs.md). The one shipped, data/externals.toml, is compiled in.
struct Externals {
  std::set<std::string, std::less<>> noreturn;  ///< they end the program
  std::set<std::string, std::less<>> borrows;   ///< they keep no pointer that is passed to them
  std::set<std::string, std::less<>> throws;    ///< they may throw a C++ exception, besides `_Z…`
  std::map<std::string, std::vector<unsigned>, std::less<>>
      callbacks;  ///< arguments that they call
  std::map<std::string, std::string, std::less<>>
      names;  ///< names in object files → names in sources; `fcntl 1=0` → `dup`
  /// `malloc` → `xmalloc`, …: functions that count as another one as well.
  std::map<std::string, std::vector<std::string>, std::less<>> aliases;

  std::map<std::string, ExternalFunction, std::less<>> functions;

  /// What is known of the function, by the name that the object file has or by a normal one, or of
  /// one that it is an alias of; null if nothing is.
  const ExternalFunction* find(std::string_view function) const;
  /// The name that labels speak of: `fopen` for `fopen64`, `memcpy` for `__memcpy_chk`.
  std::string normal_name(std::string_view name) const;
  /// What a call counts as that passes this constant: `dup` for `fcntl` with F_DUPFD. The name
  /// itself if it is nothing else.
  std::string name_with_constant(const std::string& name, unsigned argument,
                                 std::int64_t number) const;
  /// `name`, and what it is an alias of.
  std::vector<std::string> all_names(std::string_view name) const;
  /// `name`, and its aliases.
  std::vector<std::string> with_aliases(const std::string& name) const;
};

/// The shipped model.
Externals builtin_externals();
/// Adds what a file says. Throws Error (Input).
void read_externals(const base::Input& input, Externals& externals);
/// The shipped model and what the file at `path` adds, if it is not empty. Throws Error.
Externals externals_with(const std::string& path);

}  // namespace nestor::program
