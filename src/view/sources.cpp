#include "view/sources.h"

#include "base/input.h"
#include "base/json_writer.h"

#include <algorithm>
#include <nestor/error.h>
#include <string_view>

namespace nestor::view {

namespace {

constexpr std::size_t kLongFile = 3'000;         // lines; shorter ones are there as a whole
constexpr std::uint32_t kNearLines = 40;         // of a longer one, before and after
constexpr std::size_t kMostOfFile = 16'000'000;  // bytes of a file that is looked into
constexpr std::size_t kMostOfAll = 8'000'000;    // bytes that are written
constexpr std::size_t kMostOfLine = 1'000;       // bytes

namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, std::min(end, kMostOfLine)));
    if (lines.back().ends_with('\r')) {
      lines.back().remove_suffix(1);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Which lines are written, from 0 on.
std::vector<bool> chosen(std::size_t count, const std::set<std::uint32_t>& wanted) {
  std::vector<bool> result(count, count <= kLongFile);
  for (const std::uint32_t line : wanted) {
    const std::size_t begin = line > kNearLines ? line - kNearLines : 0;
    for (std::size_t i = begin; i < std::min<std::size_t>(count, line + kNearLines); ++i) {
      result[i] = true;
    }
  }
  return result;
}

void write_file(base::JsonWriter& json, const std::string& name, std::string_view text,
                const std::set<std::uint32_t>& wanted) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::vector<bool> written = chosen(lines.size(), wanted);
  std::string key;
  base::append_json_string(key, name);
  json.line().key(std::string_view(key).substr(1, key.size() - 2)).begin_array();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!written[i]) {
      continue;
    }
    if (i == 0 || !written[i - 1]) {
      json.begin_object().member("first", i + 1).begin_array("lines");
    }
    json.value(lines[i]);
    if (i + 1 == lines.size() || !written[i + 1]) {
      json.end_array().end_object();
    }
  }
  json.end_array();
}

}  // namespace

Sources::Sources(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::error_code error;
    const fs::path path = fs::canonical(folder.empty() ? "." : folder, error);
    if (!error) {
      folders_.push_back(path);
    }
  }
}

void Sources::add(const std::string& file, std::uint32_t line) {
  if (!file.empty() && !folders_.empty()) {
    lines_[file].insert(line);
  }
}

void Sources::add(const Witness& witness) {
  for (std::size_t i = 0; i < witness.size() && !folders_.empty(); ++i) {
    for (const Witness::Step& step : witness.piece(i).path) {
      add(step.file, step.line);
    }
  }
}

std::string Sources::find(const std::string& file) const {
  for (const fs::path& folder : folders_) {
    std::error_code error;
    // An absolute path replaces the folder; links and dots are gone before it is compared.
    const fs::path path = fs::canonical(folder / file, error);
    if (error || !fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostOfFile) {
      continue;
    }
    if (std::any_of(folders_.begin(), folders_.end(),
                    [&](const fs::path& allowed) { return is_below(path, allowed); })) {
      return path.string();
    }
  }
  return {};
}

std::string Sources::document() const {
  std::string out;
  base::JsonWriter json(out);
  json.begin_object();
  for (const auto& [name, wanted] : lines_) {
    const std::string path = find(name);
    if (path.empty() || out.size() > kMostOfAll) {
      continue;
    }
    try {
      const base::Input input = base::Input::read(path);
      if (input.text().find('\0') == std::string_view::npos) {
        write_file(json, name, input.text(), wanted);
      }
    } catch (const Error&) {
      // A page without this file is better than none.
    }
  }
  json.end_object();
  return out;
}

}  // namespace nestor::view
