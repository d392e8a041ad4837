#include "smv/names/flat_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::smv {

namespace {
constexpr std::int64_t kDensest = 64;  // table entries that one value may cost
}

Domain::Domain(std::vector<std::int64_t> values) : low_(values.front()), count_(values.size()) {
  // An enumeration of constants that no other one has is a stretch of them, in order.
  bool stretch = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    stretch = stretch && values[i] == low_ + static_cast<std::int64_t>(i);
  }
  if (stretch) {
    return;
  }
  values_ = std::move(values);
  const auto [least, greatest] = std::minmax_element(values_.begin(), values_.end());
  base_ = *least;
  if (*greatest - base_ < kDensest * static_cast<std::int64_t>(values_.size())) {
    table_.assign(static_cast<std::size_t>(*greatest - base_ + 1), 0);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (table_.empty()) {
      sparse_.emplace(values_[i], i);
    } else {
      table_[static_cast<std::size_t>(values_[i] - base_)] = static_cast<std::uint32_t>(i) + 1;
    }
  }
}

std::optional<std::uint64_t> Domain::index(std::int64_t value) const {
  if (values_.empty()) {
    const std::uint64_t offset =
        static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(low_);
    return count_ == 0 || offset < count_ ? std::optional(offset) : std::nullopt;
  }
  if (table_.empty()) {
    const auto place = sparse_.find(value);
    return place == sparse_.end() ? std::nullopt : std::optional(place->second);
  }
  const std::uint64_t offset =
      static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base_);
  if (offset >= table_.size() || table_[static_cast<std::size_t>(offset)] == 0) {
    return std::nullopt;
  }
  return table_[static_cast<std::size_t>(offset)] - 1;
}

std::string print_state(const FlatModel& model, std::span<const std::int64_t> values) {
  std::string text;
  for (const VariableId v : model.variables.ids()) {
    const Variable& variable = model.variables[v];
    if (variable.kind != VariableKind::Input) {
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", variable.name,
                          model.symbols.print(values[v.value()], variable.type));
    }
  }
  return text;
}

}  // namespace nestor::smv
