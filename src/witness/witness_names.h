#pragma once

#include "witness/witness.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace nestor::witness {

// What the enumerators of a witness are called in JSON (share/nestor/schema), in their order.

constexpr std::array<std::string_view, 9> kKindNames = {
    "fact", "form", "parts", "next", "until", "always", "path", "all", "decided"};
constexpr std::array<std::string_view, 4> kEndingNames = {"reached", "dead end", "loop", "joins"};
constexpr std::array<std::string_view, 5> kStepNames = {"local", "call", "return", "return call",
                                                        "stay"};
/// By Op.
constexpr std::array<std::string_view, 35> kOpNames = {
    "true", "false", "atom", "not", "and", "or", "implies", "iff", "xor", "EX", "EF", "EG",
    "EU",   "EW",    "ER",   "AX",  "AF",  "AG", "AU",      "AW",  "AR",  "E",  "A",  "X",
    "F",    "G",     "U",    "W",   "R",   "Y",  "Z",       "O",   "H",   "S",  "T"};

}  // namespace nestor::witness
