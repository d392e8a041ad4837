#include "lint/cpp_names.h"

#include <algorithm>
#include <array>

namespace nestor::lint {

namespace {

// Names of members after which an object is as good as new, with their lengths as names have them.
constexpr std::array<std::string_view, 6> kRenewing = {"5clear", "5reset",   "6assign",
                                                       "4swap",  "7emplace", "4open"};
// They look at a moved-from object without asking for what it held.
constexpr std::array<std::string_view, 5> kHarmless = {"5empty", "4size", "8capacity", "6length",
                                                       "7reserve"};
constexpr std::array<std::string_view, 4> kSmartPointers = {"St10unique_ptr", "St10shared_ptr",
                                                            "St8weak_ptr", "St8auto_ptr"};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// `S_`, `S0_`, `SA_`: the class itself, once it was written.
bool is_substitution(std::string_view type) {
  return type.size() >= 2 && type.front() == 'S' && type.back() == '_' &&
         std::all_of(type.begin() + 1, type.end() - 1,
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); });
}

/// The last occurrence of a special member's name, and what its parameters are.
bool has_parameter(std::string_view name, std::string_view member, std::string_view reference) {
  const std::size_t at = name.rfind(member);
  if (at == std::string_view::npos) {
    return false;
  }
  const std::string_view parameters = name.substr(at + member.size());
  return parameters.substr(0, reference.size()) == reference &&
         is_substitution(parameters.substr(reference.size()));
}

template <class List>
bool calls_one_of(std::string_view name, const List& members) {
  return std::any_of(members.begin(), members.end(), [&](std::string_view member) {
    const std::size_t at = name.rfind(member);
    return at != std::string_view::npos && at + member.size() < name.size() &&
           (name[at + member.size()] == 'E' || name[at + member.size()] == 'I');
  });
}

}  // namespace

CppUse cpp_use(std::string_view mangled) {
  if (mangled.substr(0, 3) != "_ZN") {
    return CppUse::None;
  }
  for (const std::string_view member : {"C1E", "C2E", "aSE", "9push_backE"}) {
    if (has_parameter(mangled, member, "O")) {
      return CppUse::Moves;
    }
    if (member.front() == 'C' && has_parameter(mangled, member, "RK")) {
      return CppUse::Copies;
    }
  }
  for (const std::string_view end : {"D0Ev", "D1Ev", "D2Ev"}) {
    if (ends_with(mangled, end)) {
      return CppUse::Renews;
    }
  }
  if (mangled.rfind("aSE") != std::string_view::npos || calls_one_of(mangled, kRenewing)) {
    return CppUse::Renews;
  }
  for (const std::string_view member : {"C1E", "C2E"}) {
    if (mangled.rfind(member) != std::string_view::npos) {
      return CppUse::Renews;  // made anew
    }
  }
  const std::string_view of = mangled.substr(mangled.substr(0, 4) == "_ZNK" ? 4 : 3);
  const bool is_smart =
      std::any_of(kSmartPointers.begin(), kSmartPointers.end(),
                  [&](std::string_view one) { return of.substr(0, one.size()) == one; });
  if (is_smart) {
    return ends_with(mangled, "ptEv") || ends_with(mangled, "deEv") || ends_with(mangled, "ixEm")
               ? CppUse::Follows
               : CppUse::None;
  }
  // Static members and functions of namespaces look the same: those of std alone are told apart.
  const bool is_container =
      of.substr(0, 2) == "St" && of.find('I') != std::string_view::npos && of.substr(0, 3) != "StL";
  return is_container && !calls_one_of(mangled, kHarmless) ? CppUse::Uses : CppUse::None;
}

}  // namespace nestor::lint
