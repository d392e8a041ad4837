#include "program/toml_file.h"

#include <fmt/format.h>

#include <sstream>

namespace nestor::program {

namespace {

constexpr std::size_t kMostNesting = 200;
constexpr std::size_t kMostBytes = 4 << 20;

/// toml11 recurses into arrays and inline tables: refuse what would go too deep, before it does.
/// Brackets in strings and comments count as well, so no trick with quotes hides any.
void check_nesting(const base::Input& input) {
  const std::string_view text = input.text();
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{') {
      if (++depth > kMostNesting) {
        throw base::Error(base::Error::Kind::Input,
                          fmt::format("nested too deep, expected at most {} levels", kMostNesting),
                          input.locate(i));
      }
    } else if ((text[i] == ']' || text[i] == '}') && depth > 0) {
      --depth;
    }
  }
}

/// toml11 explains itself over several lines; the first one says what is wrong.
std::string first_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  for (const std::string_view prefix :
       {"[error] ", "toml::parse_table: ", "toml::parse_value: ", "toml::"}) {
    if (text.starts_with(prefix)) {
      text.erase(0, prefix.size());
    }
  }
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

}  // namespace

TomlFile::TomlFile(const base::Input& input) : name_(input.name()) {
  if (input.size() > kMostBytes) {
    throw base::Error(base::Error::Kind::Input,
                      fmt::format("the file is too large, expected at most {} bytes", kMostBytes),
                      {name_, 0, 0});
  }
  check_nesting(input);
  std::istringstream in{std::string(input.text())};
  try {
    root_ = toml::parse(in, name_);
  } catch (const toml::syntax_error& error) {
    throw base::Error(base::Error::Kind::Input,
                      fmt::format("{}, expected TOML", first_line(error.what())),
                      {name_, static_cast<std::uint32_t>(error.location().line()),
                       static_cast<std::uint32_t>(error.location().column())});
  } catch (const std::exception& error) {
    // toml11 checks some numbers with the standard library's functions, which throw their own.
    throw base::Error(base::Error::Kind::Input,
                      fmt::format("{}, expected TOML", first_line(error.what())), {name_, 0, 0});
  }
}

void TomlFile::fail(const toml::value& at, const std::string& message, std::size_t offset) const {
  const toml::source_location where = at.location();
  throw base::Error(base::Error::Kind::Input, message,
                    {name_, static_cast<std::uint32_t>(where.line()),
                     static_cast<std::uint32_t>(where.column() + offset)});
}

std::string TomlFile::string(const toml::value& value) const {
  if (!value.is_string()) {
    fail(value, "expected a string");
  }
  return value.as_string().str;
}

bool TomlFile::boolean(const toml::value& value) const {
  if (!value.is_boolean()) {
    fail(value, "expected true or false");
  }
  return value.as_boolean();
}

std::int64_t TomlFile::whole_number(const toml::value& value, std::int64_t least,
                                    std::int64_t most) const {
  if (!value.is_integer() || value.as_integer() < least || value.as_integer() > most) {
    fail(value, fmt::format("expected a whole number from {} to {}", least, most));
  }
  return value.as_integer();
}

const toml::table& TomlFile::table(const toml::value& value) const {
  if (!value.is_table()) {
    fail(value, "expected a table");
  }
  return value.as_table();
}

const toml::array& TomlFile::array(const toml::value& value) const {
  if (!value.is_array()) {
    fail(value, "expected an array");
  }
  return value.as_array();
}

std::vector<std::string> TomlFile::strings(const toml::value& value) const {
  if (value.is_string()) {
    return {string(value)};
  }
  if (!value.is_array()) {
    fail(value, "expected a string or an array of strings");
  }
  std::vector<std::string> result;
  for (const toml::value& item : value.as_array()) {
    result.push_back(string(item));
  }
  return result;
}

}  // namespace nestor::program
