#include "program/externals.h"

#include "program/builtin_externals.h"
#include "program/toml_file.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

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
  for (const auto& [key, value] : file.table(file.root())) {
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
          fmt::format("unknown key '{}', expected one of noreturn, borrows, throws, callbacks, "
                      "names, aliases",
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
