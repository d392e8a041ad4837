#pragma once

#include "base/bit_set.h"
#include "program/externals.h"
#include "program/further_arguments.h"
#include "program/program.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nestor::program {

class ProgramIndex;

/// What an argument can be asked for: it alone, or with all that it leads to.
enum class Reach : std::uint8_t { Itself, Everything };

/// Which functions only look at what they are given: they neither release nor keep it nor give it
/// back. Found for the whole program at once, the largest set of which this is true.
class Borrowing {
 public:
  explicit Borrowing(const ProgramIndex& index);

  /// With Everything: nor is it overwritten.
  bool borrows(FunctionId function, std::size_t parameter, Reach reach) const;
  /// What lies behind the parameter is not kept or released either, nor given back; it may be
  /// overwritten.
  bool leaves_inside(FunctionId function, std::size_t parameter) const;
  /// The same for what lies in a global or in fields of that name: the function, and those that it
  /// calls, write nothing there, and only look at what they find.
  bool borrows_from(FunctionId function, VariableId location, Reach reach);

 private:
  static constexpr std::size_t kMostParameters = 63;
  using Mask = std::uint64_t;  // of parameters; the highest bit is for what lies at a location
  struct Masks {
    Mask itself = 0;      // is the parameter
    Mask everything = 0;  // is it, or was found behind it; or what lies there is overwritten
    Mask behind = 0;      // was found behind it
    bool add(const Masks& more) {
      const Masks before = *this;
      itself |= more.itself;
      everything |= more.everything;
      behind |= more.behind;
      return *this != before;
    }
    friend bool operator==(const Masks&, const Masks&) = default;
  };
  class Flow;

  const ProgramIndex& index_;
  mutable FurtherArguments further_;
  base::IdVector<FunctionId, Masks> taken_;
  /// Groups of functions that take what lies at a location, alone and with the rest.
  struct Takers {
    base::BitSet itself;
    base::BitSet everything;
  };
  std::unordered_map<std::uint32_t, Takers> taken_from_;  // by location
};

}  // namespace nestor::program
