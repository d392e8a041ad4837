#include "smv/terms/value.h"

#include <fmt/format.h>

namespace nestor::smv {

std::string to_string(Type type) {
  switch (type.kind) {
    case Type::Kind::Boolean:
      return "boolean";
    case Type::Kind::Number:
      return "number";
    case Type::Kind::Symbolic:
      return "symbolic constant";
    case Type::Kind::Word:
      return fmt::format("{}word[{}]", type.is_signed ? "signed " : "", type.width);
    case Type::Kind::Exit:
      return "EXIT";
  }
  return {};
}

std::int64_t extended(std::int64_t bits, Type type) {
  const unsigned unused = 64U - type.width;
  const std::uint64_t high = static_cast<std::uint64_t>(bits) << unused;
  return type.is_signed ? static_cast<std::int64_t>(high) >> unused
                        : static_cast<std::int64_t>(high >> unused);
}

std::int64_t Symbols::intern(std::string_view name) {
  return kFirstSymbol + static_cast<std::int64_t>(names_.intern(name).value());
}

std::int64_t Symbols::find(std::string_view name) const {
  const base::StringId id = names_.find(name);
  return id.valid() ? kFirstSymbol + static_cast<std::int64_t>(id.value()) : 0;
}

std::string Symbols::print(std::int64_t value, Type type) const {
  if (is_exit(value, type)) {
    return "EXIT";
  }
  switch (type.kind) {
    case Type::Kind::Boolean:
      return value != 0 ? "TRUE" : "FALSE";
    case Type::Kind::Word:
      if (is_wide(type)) {
        const WideWord& word = wide_[value];
        const bool is_negative = type.is_signed && word.is_negative();
        return fmt::format("{}0{}d{}_{}", is_negative ? "-" : "", type.is_signed ? "s" : "u",
                           type.width, (is_negative ? -word : word).decimal());
      }
      if (type.is_signed) {
        return value < 0 ? fmt::format("-0sd{}_{}", type.width,
                                       std::uint64_t{0} - static_cast<std::uint64_t>(value))
                         : fmt::format("0sd{}_{}", type.width, value);
      }
      return fmt::format("0ud{}_{}", type.width, static_cast<std::uint64_t>(value));
    case Type::Kind::Number:
    case Type::Kind::Symbolic:
    case Type::Kind::Exit:
      return is_symbol(value) ? std::string(name(value)) : fmt::format("{}", value);
  }
  return {};
}

}  // namespace nestor::smv
