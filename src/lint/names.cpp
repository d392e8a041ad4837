#include "lint/names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace nestor::lint {

namespace {

constexpr std::string_view kOperator = "operator";

bool is_closing(char c) {
  return c == ')' || c == '>' || c == '}' || c == ']';
}
bool is_opening(char c) {
  return c == '(' || c == '<' || c == '{' || c == '[';
}

/// Where the name of an operator begins that ends `text`; its own brackets and spaces are no
/// others'.
std::size_t operator_in(std::string_view text) {
  const std::size_t at = text.rfind(kOperator);
  const bool is_word =
      at != std::string_view::npos && (at == 0 || text[at - 1] == ':' || text[at - 1] == ' ');
  return is_word && text.find("::", at) == std::string_view::npos ? at : text.size();
}

/// `int ns::f<int>(char const*) const` → `ns::f<int>`
std::string_view without_types(std::string_view text) {
  const std::size_t end = text.rfind(')');
  if (end == std::string_view::npos) {
    return text;
  }
  std::size_t begin = end;
  for (int depth = 0; begin < text.size(); --begin) {
    depth += text[begin] == ')' ? 1 : (text[begin] == '(' ? -1 : 0);
    if (depth == 0) {
      break;
    }
  }
  if (begin >= text.size() || begin == 0) {
    return text;
  }
  text = text.substr(0, begin);
  int depth = 0;
  for (std::size_t i = operator_in(text); i > 0; --i) {
    const char c = text[i - 1];
    depth += is_closing(c) ? 1 : (is_opening(c) ? -1 : 0);
    if (c == ' ' && depth == 0) {
      return text.substr(i);
    }
  }
  return text;
}

}  // namespace

std::string readable_name(std::string_view name) {
  if (!name.starts_with("_Z")) {
    return std::string(name);
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  return text == nullptr ? std::string(name) : std::string(without_types(text.get()));
}

std::string readable_name(const program::Program& program, const program::Function& function) {
  const std::string_view name = program.text(function.name);
  return name.starts_with("_Z") ? readable_name(name)
                                : std::string(program.text(function.source_name));
}

std::string_view short_name(std::string_view variable) {
  const std::size_t colons = variable.rfind("::");
  variable = colons == std::string_view::npos ? variable : variable.substr(colons + 2);
  return variable.substr(0, variable.find('#'));
}

}  // namespace nestor::lint
