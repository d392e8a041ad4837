#pragma once

#include "base/input.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::program {

/// What is known of functions that a program calls but does not contain: the model file that users
/// can edit (docs/c-programs.md). The one shipped, data/externals.toml, is compiled in.
struct Externals {
  std::set<std::string, std::less<>> noreturn;  ///< they end the program
  std::set<std::string, std::less<>> borrows;   ///< they keep no pointer that is passed to them
  std::set<std::string, std::less<>> throws;    ///< they may throw a C++ exception, besides `_Z…`
  std::map<std::string, std::vector<unsigned>, std::less<>>
      callbacks;  ///< arguments that they call
  std::map<std::string, std::string, std::less<>>
      names;  ///< names in object files → names in sources
  /// `malloc` → `xmalloc`, …: functions that count as another one as well.
  std::map<std::string, std::vector<std::string>, std::less<>> aliases;

  /// The name that labels speak of: `fopen` for `fopen64`, `memcpy` for `__memcpy_chk`.
  std::string normal_name(std::string_view name) const;
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
