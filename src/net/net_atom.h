#pragma once

#include "logic/atom_dialect.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::net {

/// An atom that speaks of the marking of a net: `tokens(p1) + 2*tokens(p2) <= 3`, or
/// `fireable(t1, t2)`: one of the transitions can fire. Formulas hold it as an ordinary atom whose
/// name is its text; a net reads the name. docs/logic.md has the grammar.
struct NetAtom {
  enum class Comparison : std::uint8_t { Less, LessEqual, Equal, NotEqual, GreaterEqual, Greater };

  /// A factor times the tokens in some places together; without places, the factor alone.
  struct Term {
    std::int64_t factor = 1;
    std::vector<std::string> places;
  };

  std::vector<std::string> transitions;  ///< of `fireable`; else empty
  std::vector<Term> left;
  std::vector<Term> right;
  Comparison comparison = Comparison::LessEqual;
};

/// Whether left and right compare so, by the sign of their difference.
bool compares(NetAtom::Comparison comparison, int sign);

/// `tokens(place) >= count` and `fireable(transition)`, as to_text() spells them.
std::string at_least_atom(const std::string& place, std::uint32_t count);
std::string fireable_atom(const std::string& transition);
/// A place that may hold more tokens is listed with atoms up to this number.
constexpr std::uint32_t kMostCounted = 8;

/// Largest number in an atom. Sums of them times tokens must not overflow.
constexpr std::int64_t kMostNetAtomNumber = 1'000'000'000;

struct NetAtomScan {
  NetAtom atom;
  std::size_t length = 0;      ///< of the text that was read; 0 if it begins with no such atom
  std::string problem;         ///< what is wrong; empty if nothing is
  std::size_t problem_at = 0;  ///< where in the text
};

/// Reads the atom that `text` begins with. It begins as nothing else in a formula does.
NetAtomScan scan_net_atom(std::string_view text);
/// What is wrong with an atom that was read from `text`, all of which it should be; empty if
/// nothing is.
std::string problem_of_scan(const NetAtomScan& scan, std::string_view text);
/// The atom in one spelling, which scan_net_atom() reads back.
std::string to_text(const NetAtom& atom);

/// These atoms for the parser of formulas.
logic::AtomScan net_atom_dialect(std::string_view text, std::size_t word);

}  // namespace nestor::net
