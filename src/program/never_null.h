#pragma once

#include "base/bit_set.h"
#include "program/program.h"

#include <vector>

namespace nestor::program {

class ProgramIndex;

/// Which functions of the program never return a null pointer: what they return was made by one
/// that does not, found not to be null, or followed before. `xmalloc` is one.
class NeverNull {
 public:
  explicit NeverNull(const ProgramIndex& index);

  bool holds(FunctionId function) const { return functions_.test(function.value()); }

 private:
  class Flow;

  base::BitSet functions_;
};

}  // namespace nestor::program
