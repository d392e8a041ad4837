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

/// `null`, `nonnull`, `nonzero`, `-1`, `>=0`, `0..255`, `argument 0`, `inside 0`
std::optional<ResultClass> result_class(std::string_view text) {
  using Kind = ResultClass::Kind;
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto range = [](std::optional<std::int64_t> low, std::optional<std::int64_t> high) {
    return low && high && *low <= *high ? std::optional(ResultClass{Kind::Range, *low, *high})
                                        : std::nullopt;
  };
  const auto after = [&](std::string_view prefix) { return whole(text.substr(prefix.size())); };
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

ResultClass read_result(const TomlFile& file, const toml::value& value) {
  const std::optional<ResultClass> result = result_class(file.string(value));
  if (!result) {
    file.fail(value, fmt::format("unknown result '{}', expected null, nonnull, nonzero, N, >=N, "
                                 "<=N, N..M, argument N or inside N",
                                 file.string(value)));
  }
  return *result;
}

constexpr std::array kArgumentUses = {
    "unknown",     "value", "reads",    "writes",      "reads-writes",
    "uses",        "keeps", "releases", "moves",       "makes",
    "initialises", "grows", "calls",    "calls-later", "starts",
};

/// What is done with an argument; `?` after it: a null pointer will do, or a 0.
ArgumentUse read_use(const TomlFile& file, const toml::value& value, bool& may_be_null) {
  std::string name = file.string(value);
  may_be_null = name.ends_with('?');
  if (may_be_null) {
    name.pop_back();
  }
  const auto found = std::find(kArgumentUses.begin(), kArgumentUses.end(), name);
  if (found == kArgumentUses.end()) {
    file.fail(value, fmt::format("unknown use '{}' of an argument, expected one of {}", name,
                                 fmt::join(kArgumentUses, ", ")));
  }
  return static_cast<ArgumentUse>(found - kArgumentUses.begin());
}

void read_arguments(const TomlFile& file, const toml::value& value, ExternalFunction& function) {
  for (const toml::value& item : file.array(value)) {
    bool may_be_null = false;
    const ArgumentUse use = read_use(file, item, may_be_null);
    if (use != ArgumentUse::Unknown && use != ArgumentUse::Value && !may_be_null) {
      function.nonnull.insert(static_cast<unsigned>(function.arguments.size()));
    }
    function.arguments.push_back(use);
  }
}

ExternalFunction read_function(const TomlFile& file, const toml::value& row) {
  ExternalFunction function;
  for (const auto& [key, value] : file.table(row)) {
    bool may_be_null = false;
    if (key == "success") {
      function.success = read_result(file, value);
    } else if (key == "failure") {
      function.failure = read_result(file, value);
    } else if (key == "arguments") {
      read_arguments(file, value, function);
    } else if (key == "others") {
      function.others = read_use(file, value, may_be_null);
    } else if (key == "fresh") {
      function.fresh = true;
      function.family = file.string(value);
    } else if (key == "family") {
      function.family = file.string(value);
    } else if (key == "check") {
      function.unchecked_matters = file.boolean(value);
    } else {
      file.fail(value, fmt::format("unknown key '{}', expected one of success, failure, arguments, "
                                   "others, fresh, family, check",
                                   key));
    }
  }
  return function;
}

bool is_callback(ArgumentUse use) {
  return use == ArgumentUse::Calls || use == ArgumentUse::CallsLater || use == ArgumentUse::Starts;
}

/// A row takes the place of what was known of the function.
void read_functions(const TomlFile& file, const toml::value& table, Externals& externals) {
  for (const auto& [name, row] : file.table(table)) {
    const ExternalFunction& function = externals.functions[name] = read_function(file, row);
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
  return !arguments.empty() && std::none_of(arguments.begin(), arguments.end(), keeps) &&
         (others == ArgumentUse::Unknown || !keeps(others));
}

const ExternalFunction* Externals::find(std::string_view normal_name) const {
  for (const std::string& name : all_names(normal_name)) {
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
