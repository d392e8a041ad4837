#include "program/externals.h"

#include "program/builtin_externals.h"
#include "program/toml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace nestor::program {

namespace {

constexpr std::int64_t kMostArguments = 255;

void add_all(const TomlFile& file, const toml::value& names,
             std::set<std::string, std::less<>>& to) {
  for (std::string& name : file.strings(names)) {
    to.insert(std::move(name));
  }
}

void read_callbacks(const TomlFile& file, const toml::value& table, Externals& externals) {
  for (const auto& [function, arguments] : file.table(table)) {
    std::vector<unsigned>& indices = externals.callbacks[function];
    indices.clear();
    for (const toml::value& index : file.array(arguments)) {
      indices.push_back(static_cast<unsigned>(file.whole_number(index, 0, kMostArguments)));
    }
  }
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

/// `none`, `null`, `nonnull`, `nonzero`, `-1`, `>=0`, `0..255`, `argument 0`, `inside 0`
std::optional<ResultClass> result_class(std::string_view text) {
  using Kind = ResultClass::Kind;
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto range = [](std::optional<std::int64_t> low, std::optional<std::int64_t> high) {
    return low && high && *low <= *high ? std::optional(ResultClass{Kind::Range, *low, *high})
                                        : std::nullopt;
  };
  const auto after = [&](std::string_view prefix) { return whole(text.substr(prefix.size())); };
  if (text == "none") {
    return ResultClass{};
  }
  if (text == "null" || text == "nonnull" || text == "nonzero") {
    return ResultClass{text == "null"      ? Kind::Null
                       : text == "nonnull" ? Kind::NonNull
                                           : Kind::NonZero};
  }
  for (const std::string_view prefix : {"argument ", "inside "}) {
    if (text.starts_with(prefix)) {
      const std::optional<std::int64_t> argument = after(prefix);
      return argument && *argument >= 0 && *argument <= kMostArguments
                 ? std::optional(ResultClass{prefix.front() == 'a' ? Kind::Argument : Kind::Inside,
                                             0, 0, static_cast<unsigned>(*argument)})
                 : std::nullopt;
    }
  }
  if (text.starts_with(">=")) {
    return range(after(">="), kMost);
  }
  if (text.starts_with("<=")) {
    return range(kLeast, after("<="));
  }
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    return range(whole(text.substr(0, dots)), whole(text.substr(dots + 2)));
  }
  return range(whole(text), whole(text));
}

constexpr std::array kArgumentUses = {
    "unknown",     "value", "reads",    "writes",      "reads-writes",
    "uses",        "keeps", "releases", "moves",       "makes",
    "initialises", "grows", "calls",    "calls-later", "starts",
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

/// The pieces between separators, trimmed; an empty text has none.
std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> pieces;
  text = trimmed(text);
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    pieces.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  }
  return pieces;
}

/// A row of `[functions]`: `reads, value, value... -> >=0 else -1; fresh descriptor; check`. One
/// string, not a table: there are many rows, and the file is read each time.
class RowReader {
 public:
  RowReader(const TomlFile& file, const toml::value& value)
      : file_(file), value_(value), row_(file.string(value)) {}

  ExternalFunction function() {
    const std::string_view row = row_;
    const std::string_view signature = row.substr(0, row.find(';'));
    const std::size_t arrow = signature.find("->");
    for (const std::string_view argument : split(signature.substr(0, arrow), ",")) {
      read_argument(argument);
    }
    if (arrow != std::string_view::npos) {
      const std::vector<std::string_view> results = split(signature.substr(arrow + 2), " else ");
      if (results.empty() || results.size() > 2) {
        fail(signature.substr(arrow), "expected 'SUCCESS' or 'SUCCESS else FAILURE' after '->'");
      }
      function_.success = result(results.front());
      function_.failure = results.size() == 2 ? result(results.back()) : ResultClass{};
    }
    if (signature.size() < row.size()) {
      for (const std::string_view remark : split(row.substr(signature.size() + 1), ";")) {
        read_remark(remark);
      }
    }
    return std::move(function_);
  }

 private:
  [[noreturn]] void fail(std::string_view at, const std::string& message) const {
    file_.fail(value_, message, 1 + static_cast<std::size_t>(at.data() - row_.data()));
  }

  /// `?` after a use: a null pointer will do, or a 0; `...`: all further arguments.
  void read_argument(std::string_view text) {
    std::string_view name = text;
    const bool others = name.ends_with("...");
    name.remove_suffix(others ? 3 : 0);
    const bool may_be_null = name.ends_with('?');
    name.remove_suffix(may_be_null ? 1 : 0);
    const auto found = std::find(kArgumentUses.begin(), kArgumentUses.end(), name);
    if (found == kArgumentUses.end()) {
      fail(text, fmt::format("unknown use '{}' of an argument, expected one of {}", name,
                             fmt::join(kArgumentUses, ", ")));
    }
    const auto use = static_cast<ArgumentUse>(found - kArgumentUses.begin());
    if (others) {
      function_.others = use;
      return;
    }
    if (use != ArgumentUse::Unknown && use != ArgumentUse::Value && !may_be_null) {
      function_.nonnull.insert(static_cast<unsigned>(function_.arguments.size()));
    }
    function_.arguments.push_back(use);
  }

  ResultClass result(std::string_view text) const {
    const std::optional<ResultClass> known = result_class(text);
    if (!known) {
      fail(text, fmt::format("unknown result '{}', expected none, null, nonnull, nonzero, N, >=N, "
                             "<=N, N..M, argument N or inside N",
                             text));
    }
    return *known;
  }

  void read_remark(std::string_view text) {
    const std::vector<std::string_view> words = split(text, " ");
    if (words.size() == 2 && (words[0] == "fresh" || words[0] == "family")) {
      function_.fresh = words[0] == "fresh";
      function_.family = words[1];
    } else if (text == "check") {
      function_.unchecked_matters = true;
    } else if (text == "blank") {
      function_.is_blank = true;
    } else if (text == "minor") {
      function_.failure_is_minor = true;
    } else if (text == "0 is usual") {
      function_.zero_is_usual = true;
    } else {
      fail(text, fmt::format("unknown remark '{}', expected one of fresh FAMILY, family FAMILY, "
                             "blank, check, minor, 0 is usual",
                             text));
    }
  }

  const TomlFile& file_;
  const toml::value& value_;
  std::string row_;
  ExternalFunction function_;
};

bool is_callback(ArgumentUse use) {
  return use == ArgumentUse::Calls || use == ArgumentUse::CallsLater || use == ArgumentUse::Starts;
}

/// A row takes the place of what was known of the function.
void read_functions(const TomlFile& file, const toml::value& table, Externals& externals) {
  for (const auto& [name, row] : file.table(table)) {
    const ExternalFunction& function = externals.functions[name] = RowReader(file, row).function();
    externals.borrows.erase(name);
    if (function.borrows()) {
      externals.borrows.insert(name);
    }
    std::vector<unsigned> callbacks;
    for (unsigned i = 0; i < function.arguments.size(); ++i) {
      if (is_callback(function.arguments[i])) {
        callbacks.push_back(i);
      }
    }
    externals.callbacks.erase(name);
    if (!callbacks.empty()) {
      externals.callbacks[name] = std::move(callbacks);
    }
  }
}

}  // namespace

bool ExternalFunction::borrows() const {
  const auto keeps = [](ArgumentUse use) {
    return use == ArgumentUse::Unknown || use == ArgumentUse::Keeps ||
           use == ArgumentUse::CallsLater || use == ArgumentUse::Starts;
  };
  return std::none_of(arguments.begin(), arguments.end(), keeps) && !keeps(others);
}

const ExternalFunction* Externals::find(std::string_view function) const {
  // By its own name first: arguments of `__sprintf_chk` are not those of `sprintf`.
  std::vector<std::string> names = all_names(normal_name(function));
  names.emplace(names.begin(), function);
  for (const std::string& name : names) {
    if (const auto found = functions.find(name); found != functions.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

std::string Externals::normal_name(std::string_view name) const {
  if (!name.empty() && name.front() == '\1') {
    name.remove_prefix(1);  // "not to be mangled further"
  }
  if (const auto known = names.find(name); known != names.end()) {
    return known->second;
  }
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_"}) {
    if (name.starts_with(prefix)) {
      return std::string(name.substr(prefix.size()));
    }
  }
  if (name.starts_with("__") && name.ends_with("_chk") && name.size() > 6) {
    return std::string(name.substr(2, name.size() - 6));
  }
  return std::string(name);
}

std::string Externals::name_with_constant(const std::string& name, unsigned argument,
                                          std::int64_t number) const {
  const auto first = names.lower_bound(name + ' ');
  if (first == names.end() || !first->first.starts_with(name + ' ')) {
    return name;
  }
  const auto found = names.find(fmt::format("{} {}={}", name, argument, number));
  return found == names.end() ? name : found->second;
}

std::vector<std::string> Externals::all_names(std::string_view name) const {
  std::vector<std::string> all = {std::string(name)};
  for (const auto& [other, its_aliases] : aliases) {
    if (std::find(its_aliases.begin(), its_aliases.end(), name) != its_aliases.end()) {
      all.push_back(other);
    }
  }
  return all;
}

std::vector<std::string> Externals::with_aliases(const std::string& name) const {
  std::vector<std::string> all = {name};
  if (const auto found = aliases.find(name); found != aliases.end()) {
    all.insert(all.end(), found->second.begin(), found->second.end());
  }
  return all;
}

Externals builtin_externals() {
  Externals externals;
  read_externals(base::Input::from_text("externals.toml", kBuiltinExternals), externals);
  return externals;
}

void read_externals(const base::Input& input, Externals& externals) {
  const TomlFile file(input);
  if (file.root().contains("functions")) {  // first: the other keys add to what it says
    read_functions(file, file.root().at("functions"), externals);
  }
  for (const auto& [key, value] : file.table(file.root())) {
    if (key == "functions") {
      continue;
    }
    if (key == "noreturn") {
      add_all(file, value, externals.noreturn);
    } else if (key == "borrows") {
      add_all(file, value, externals.borrows);
    } else if (key == "throws") {
      add_all(file, value, externals.throws);
    } else if (key == "callbacks") {
      read_callbacks(file, value, externals);
    } else if (key == "names") {
      for (const auto& [from, to] : file.table(value)) {
        externals.names[from] = file.string(to);
      }
    } else if (key == "aliases") {
      for (const auto& [name, others] : file.table(value)) {
        for (std::string& other : file.strings(others)) {
          externals.aliases[name].push_back(std::move(other));
        }
      }
    } else {
      file.fail(
          value,
          fmt::format("unknown key '{}', expected one of noreturn, borrows, throws, functions, "
                      "callbacks, names, aliases",
                      key));
    }
  }
}

Externals externals_with(const std::string& path) {
  Externals externals = builtin_externals();
  if (!path.empty()) {
    read_externals(base::Input::read(path), externals);
  }
  return externals;
}

}  // namespace nestor::program
