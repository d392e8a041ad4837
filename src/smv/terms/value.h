#pragma once

#include "base/string_pool.h"
#include "smv/terms/wide_words.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace nestor::smv {

/// What an expression stands for. A symbolic one may be a number too: `{0, 1, busy}`.
struct Type {
  enum class Kind : std::uint8_t { Boolean, Number, Symbolic, Word, Exit };
  Kind kind = Kind::Boolean;
  bool is_signed = false;   ///< of Word
  std::uint16_t width = 0;  ///< of Word, 1 to kWidestWord

  friend bool operator==(Type, Type) = default;
};

inline constexpr Type kBoolean{Type::Kind::Boolean};
inline constexpr Type kNumber{Type::Kind::Number};
inline constexpr Type kSymbolic{Type::Kind::Symbolic};
inline constexpr Type kExitType{Type::Kind::Exit};  ///< of EXIT, a value of every variable

inline bool is_word(Type type) {
  return type.kind == Type::Kind::Word;
}
inline constexpr std::int64_t kWidestWord = 0xffff;
/// A word whose value is the number of one of WideWords.
inline bool is_wide(Type type) {
  return type.kind == Type::Kind::Word && type.width > 64;
}
/// A number or a symbolic constant: these can be mixed.
inline bool is_plain(Type type) {
  return type.kind == Type::Kind::Number || type.kind == Type::Kind::Symbolic;
}

std::string to_string(Type type);

// A value is one 64-bit integer: FALSE and TRUE are 0 and 1, a number is itself, a constant of an
// enumeration is kFirstSymbol plus its index, the bits of a word are zero- or sign-extended, a word
// of more than 64 bits is its number among WideWords.
// Numbers stay below kFirstSymbol, so numbers and symbols can be told apart.
inline constexpr std::int64_t kFirstSymbol = std::int64_t{1} << 62;
inline constexpr std::int64_t kExit = kFirstSymbol - 1;
/// Words of more than 61 bits, which recursive files do not have, may have these bits.
inline bool is_exit(std::int64_t value, Type type) {
  return value == kExit && (type.kind != Type::Kind::Word || type.width <= 61);
}
inline constexpr std::int64_t kLargestNumber = (std::int64_t{1} << 61) - 1;

inline bool is_symbol(std::int64_t value) {
  return value >= kFirstSymbol;
}

/// `bits` cut to the type's width, at most 64, and extended again.
std::int64_t extended(std::int64_t bits, Type type);

/// What values stand for that are no numbers: the constants of enumerations, and wide words.
class Symbols {
 public:
  std::int64_t intern(std::string_view name);
  /// 0 if there is no such constant.
  std::int64_t find(std::string_view name) const;
  /// For a name that is looked for soon.
  void fetch(std::string_view name) const { names_.fetch(name); }
  std::string_view name(std::int64_t value) const {
    return names_[base::StringId(static_cast<std::size_t>(value - kFirstSymbol))];
  }
  /// Giving a word a number changes nothing.
  WideWords& wide() const { return wide_; }
  /// A value as NuSMV prints it.
  std::string print(std::int64_t value, Type type) const;

 private:
  base::StringPool names_;
  mutable WideWords wide_;
};

}  // namespace nestor::smv
