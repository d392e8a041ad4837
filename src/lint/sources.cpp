#include "lint/sources.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace nestor::lint {

namespace {

constexpr std::array<std::string_view, 3> kSystemFolders = {"/usr/include/", "/usr/lib/",
                                                            "/usr/local/include/"};

constexpr std::size_t kFingerprintLength = 16;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool ignores(std::string_view line, std::string_view rule) {
  constexpr std::string_view kMark = "nestor: ignore";
  const std::size_t mark = line.find(kMark);
  const std::size_t comment = std::min(line.find("//"), line.find("/*"));
  if (mark == std::string_view::npos || comment == std::string_view::npos || comment > mark) {
    return false;
  }
  std::string_view rest = line.substr(mark + kMark.size());
  rest = trimmed(rest.substr(0, rest.find("*/")));
  if (rest.empty()) {
    return true;
  }
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(" ,\t");
    if (rest.substr(0, end) == rule) {
      return true;
    }
    rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end + 1));
  }
  return false;
}

/// `text` without the spaces at its end, if it ends with `end`, which is left out, too.
std::optional<std::string_view> before(std::string_view text, std::string_view end) {
  text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
  return text.ends_with(end) ? std::optional(text.substr(0, text.size() - end.size()))
                             : std::nullopt;
}

/// `(void)f()` and `static_cast<void>(f())`: who writes that knows of the result. The bitcode does
/// not tell it from `f()`.
bool is_cast_to_void(std::string_view text) {
  if (const auto cast = before(text, "(")) {
    text = *cast;
    for (const std::string_view part : {">", "void", "<", "static_cast"}) {
      const auto rest = before(text, part);
      if (!rest) {
        return false;
      }
      text = *rest;
    }
    return true;
  }
  for (const std::string_view part : {")", "void", "("}) {
    const auto rest = before(text, part);
    if (!rest) {
      return false;
    }
    text = *rest;
  }
  return true;
}

/// `ignore_value (f ())`: so does a macro whose name tells it.
bool is_named_ignoring(std::string_view text) {
  std::string name(text.substr(0, text.find_first_of(" \t(")));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("ignore") != std::string::npos || name.find("unused") != std::string::npos;
}

bool is_about_ignoring(const Rule& rule) {
  const auto site = rule.events.find(rule.site);
  return site != rule.events.end() && site->second.result == EventPattern::Result::Ignored;
}

bool ignoring_is_meant(const Warning& warning, Sources& sources) {
  const std::string_view line = sources.line(warning.file, warning.line);
  const std::size_t column = std::min<std::size_t>(warning.column - 1, line.size());
  std::string_view left = line.substr(0, column);
  if (trimmed(left).empty() && warning.line > 1) {
    left = sources.line(warning.file, warning.line - 1);
  }
  return is_cast_to_void(left) || is_named_ignoring(line.substr(column));
}

bool is_suppressed(const Warning& warning, Sources& sources) {
  if (ignores(sources.line(warning.file, warning.line), warning.rule->id)) {
    return true;
  }
  if (is_about_ignoring(*warning.rule) && warning.column > 0 &&
      ignoring_is_meant(warning, sources)) {
    return true;
  }
  // A comment above must stand alone: one behind code is about that code.
  const std::string_view above =
      warning.line > 1 ? sources.line(warning.file, warning.line - 1) : "";
  const std::string_view text = trimmed(above);
  return (text.starts_with("//") || text.starts_with("/*")) && ignores(above, warning.rule->id);
}

}  // namespace

std::string_view Sources::line(const std::string& file, std::uint32_t number) {
  const auto [found, fresh] = files_.try_emplace(file);
  File& known = found->second;
  std::error_code ignored;
  if (fresh && std::filesystem::is_regular_file(file, ignored)) {
    std::ifstream in(file, std::ios::binary);
    known.text.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    known.starts.push_back(0);
    for (std::size_t i = 0; i < known.text.size(); ++i) {
      if (known.text[i] == '\n') {
        known.starts.push_back(i + 1);
      }
    }
  }
  if (number == 0 || number > known.starts.size()) {
    return {};
  }
  const std::size_t begin = known.starts[number - 1];
  const std::size_t end = std::min(known.text.find('\n', begin), known.text.size());
  return std::string_view(known.text).substr(begin, end - begin);
}

void look_up(std::vector<Warning>& warnings, Sources& sources) {
  for (Warning& warning : warnings) {
    warning.source_line = sources.line(warning.file, warning.line);
    warning.is_suppressed = is_suppressed(warning, sources);
  }
}

void drop_suppressed(std::vector<Warning>& warnings) {
  std::erase_if(warnings, [](const Warning& warning) { return warning.is_suppressed; });
}

void drop_system_headers(std::vector<Warning>& warnings) {
  warnings.erase(std::remove_if(warnings.begin(), warnings.end(),
                                [](const Warning& warning) {
                                  return std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                                                     [&](std::string_view folder) {
                                                       return warning.file.starts_with(folder);
                                                     });
                                }),
                 warnings.end());
}

std::string relative_to(const std::string& file, const std::string& root) {
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(
      std::filesystem::path(root).lexically_normal());
  const std::string text = relative.generic_string();
  return text.empty() || text.starts_with("..") ? file : text;
}

void add_fingerprints(std::vector<Warning>& warnings, const std::string& source_root) {
  std::map<std::string, unsigned> seen;
  for (Warning& warning : warnings) {
    std::string text =
        fmt::format("{}\n{}\n{}\n{}\n{}", warning.rule->id, relative_to(warning.file, source_root),
                    warning.function, warning.subject, trimmed(warning.source_line));
    text += fmt::format("\n{}", seen[text]++);  // equal lines are told apart by their order
    warning.fingerprint = fmt::format("{:016x}", XXH64(text.data(), text.size(), 0));
  }
}

std::vector<std::string> read_baseline(const base::Input& input) {
  std::vector<std::string> fingerprints;
  const std::string_view text = input.text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    if (!line.empty() && line.front() != '#') {
      const std::string_view fingerprint = line.substr(0, line.find(' '));
      if (fingerprint.size() != kFingerprintLength ||
          fingerprint.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
        throw base::Error(
            base::Error::Kind::Input,
            fmt::format("'{}' is no fingerprint, expected {} hexadecimal digits",
                        fingerprint.substr(0, 2 * kFingerprintLength), kFingerprintLength),
            input.locate(begin));
      }
      fingerprints.emplace_back(fingerprint);
    }
    begin = end + 1;
  }
  std::sort(fingerprints.begin(), fingerprints.end());
  return fingerprints;
}

std::string write_baseline(const std::vector<Warning>& warnings, const std::string& source_root) {
  std::string out = "# Warnings that are known: nestor lint --baseline=FILE reports only others.\n";
  for (const Warning& warning : warnings) {
    out += fmt::format("{} {} {}:{}\n", warning.fingerprint, warning.rule->id,
                       relative_to(warning.file, source_root), warning.line);
  }
  return out;
}

}  // namespace nestor::lint
