#pragma once

#include <cstdint>
#include <string_view>

namespace nestor::lint {

/// What a member function of a C++ class does to an object, as far as its name tells (Itanium C++
/// ABI, 5.1).
enum class CppUse : std::uint8_t {
  None,     ///< no member function, or one of which nothing is said
  Moves,    ///< argument 1 is moved from
  Renews,   ///< argument 0 gets a new value, or ends
  Follows,  ///< argument 0 is a smart pointer that is followed
  Uses,     ///< argument 0, no smart pointer, is looked at or changed
  Copies,   ///< argument 1 is copied
};

CppUse cpp_use(std::string_view mangled);

}  // namespace nestor::lint
