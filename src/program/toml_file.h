#pragma once

#include "base/error.h"
#include "base/input.h"

#include <toml.hpp>

#include <string>
#include <vector>

namespace nestor::program {

/// A TOML file, with errors as all readers have them.
class TomlFile {
 public:
  /// Throws Error (Input) with line and column.
  explicit TomlFile(const base::Input& input);

  const toml::value& root() const { return root_; }
  /// `offset` counts columns from the beginning of `at`.
  [[noreturn]] void fail(const toml::value& at, const std::string& message,
                         std::size_t offset = 0) const;

  // What a value must be, or an error says what was expected.
  std::string string(const toml::value& value) const;
  bool boolean(const toml::value& value) const;
  std::int64_t whole_number(const toml::value& value, std::int64_t least, std::int64_t most) const;
  const toml::table& table(const toml::value& value) const;
  const toml::array& array(const toml::value& value) const;
  /// A string, or an array of strings.
  std::vector<std::string> strings(const toml::value& value) const;

 private:
  std::string name_;
  toml::value root_;
};

}  // namespace nestor::program
