#include "lint/explanation.h"

#include "lint/builtin_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::lint {

namespace {

constexpr std::size_t kWidth = 78;

/// `text` in lines that begin with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + word.size() > kWidth) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? std::string(indent, ' ') : " ";
    column = (column == 0 ? indent : column + 1) + word.size();
    out += word;
  }
  return out + '\n';
}

std::string sentence(std::string text) {
  if (!text.empty()) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    text += text.ends_with('.') ? "" : ".";
  }
  return text;
}

std::string indented(std::string_view code) {
  std::string out;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    out += end == 0 ? "\n" : fmt::format("    {}\n", code.substr(0, end));
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return out;
}

/// The file of rules/examples that the rule warns of (`bad`), or not (`good`); empty if it has
/// none.
std::string_view example(const Rule& rule, std::string_view kind) {
  const std::string prefix = fmt::format("{}.{}.", rule.id, kind);
  const auto found =
      std::find_if(kBuiltinExamples.begin(), kBuiltinExamples.end(),
                   [&](const BuiltinExample& one) { return one.name.starts_with(prefix); });
  return found == kBuiltinExamples.end() ? std::string_view() : found->text;
}

/// `{variable}` → `x`
std::string plain_message(std::string text) {
  for (const auto& [name, value] :
       {std::pair<std::string_view, std::string_view>{"{variable}", "x"},
        {"{function}", "f"},
        {"{callee}", "g"}}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
      text.replace(at, name.size(), value);
    }
  }
  return text;
}

}  // namespace

std::string explanation(const Rule& rule) {
  std::string tags = std::string(to_string(rule.severity));
  tags += rule.cwe.empty() ? "" : ", " + rule.cwe;
  tags += rule.cert.empty() ? "" : ", CERT " + rule.cert;
  tags += rule.is_default ? ", on" : ", off unless asked for";
  std::string out = fmt::format("{} ({})\n\n", rule.id, tags);
  out += wrapped(sentence(rule.title), 2);
  if (!rule.meaning.empty()) {
    out += '\n' + wrapped(rule.meaning, 2);
  }
  out += "\nIt warns so:\n" + wrapped(plain_message(rule.message), 2);
  if (!rule.assumes.empty()) {
    out += "\nIt takes for granted:\n" + wrapped(sentence(rule.assumes), 2);
  }
  const std::string_view bad = rule.example.empty() ? example(rule, "bad") : rule.example;
  if (!bad.empty()) {
    out += "\nAn example, with the line that is warned of:\n\n" + indented(bad);
  }
  if (!rule.fix.empty()) {
    out += "\nHow to mend it:\n" + wrapped(sentence(rule.fix), 2);
  }
  if (const std::string_view good = example(rule, "good"); rule.example.empty() && !good.empty()) {
    out += "\nCode that is not warned of:\n\n" + indented(good);
  }
  out += "\nHow to silence it:\n";
  out += fmt::format(
      "  a comment on the line, or alone on the line above it:\n    // nestor: ignore {}\n",
      rule.id);
  out += "  all that is there today:\n    --write-baseline=FILE once, then --baseline=FILE\n";
  out += fmt::format("\nThe formula, for scope '{}':\n  {}\n", to_string(rule.scope), rule.formula);
  return out;
}

}  // namespace nestor::lint
