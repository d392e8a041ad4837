#pragma once

#include "program/program.h"

#include <cstdint>
#include <map>
#include <utility>

namespace nestor::program {

class ProgramIndex;

/// What functions do with arguments that have no name in them: `...`. Lists of such arguments
/// (va_list) are followed into the functions that they are passed to.
class FurtherArguments {
 public:
  explicit FurtherArguments(const ProgramIndex& index) : index_(index) {}

  /// It only looks at them, as all do that print: it neither releases nor keeps one.
  bool borrows(FunctionId function) { return borrows(function, kOwn); }

 private:
  static constexpr std::uint32_t kOwn = UINT32_MAX;  // the lists that the function begins itself
  class Flow;

  /// Of the list that is this parameter.
  bool borrows(FunctionId function, std::uint32_t parameter);

  const ProgramIndex& index_;
  std::map<std::pair<FunctionId, std::uint32_t>, bool> known_;
};

}  // namespace nestor::program
